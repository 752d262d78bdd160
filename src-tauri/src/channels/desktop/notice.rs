//! The text of a notification: an ask in, a title, a body and buttons out.

mod cut;
#[cfg(test)]
mod tests;

use super::{NotificationAction, NotificationButton, NotificationText, ReplyField};
use beckon_client::text::words::{self, DecisionWord, decision};
use beckon_client::text::{Texts, Value, columns};
use beckon_core::visible::{exact, is_blank, prose};
use beckon_core::{
    Ask, AskContent, ButtonPress, Choice, Entry, FinishedTurn, OnePress, Permission, Question,
    Session, TurnEnd,
};
use cut::{cut, line, sentence, shortened, split};

/// The number of choices that get a button at most: more fit no daemon. The button that opens comes
/// beside them.
const DIRECT_CHOICES: usize = 4;
/// The longest label that fits a button, in characters.
const LABEL: usize = 40;
/// The length of a body, in characters: a few lines of a notification.
const BODY: usize = 180;
const BODY_LINES: usize = 4;
/// The longest text of own words that could not be sent and are given back: shown whole, unless
/// somebody pastes a book.
const WRITTEN: usize = 2_000;
/// The length of an agent's message that asks nothing, in characters; more is for reading at its
/// own place.
const HINT: usize = 1_000;
/// The length of the agent's reason, in characters: it has one line.
const REASON: usize = 80;
/// The length of the line that says why an answer came back, in characters. It comes above the
/// body, which keeps its room.
const RETURNED: usize = 140;
const TITLE: usize = 100;
/// The columns of a title that are certainly seen. Many desktops cut a title at the end of its
/// first line: of one in bold DejaVu xfce4-notifyd 0.7 shows 33 columns (`docs/measured.md`).
const TITLE_LINE: usize = 32;
/// The length of the project's name, in characters: a long directory must not push the question out
/// of the title.
const PROJECT: usize = 24;
const WHO: usize = 24;

/// Makes the notification for an ask.
pub(crate) fn notice(entry: &Entry, texts: &Texts, one_press: OnePress) -> NotificationText {
    let ask = &entry.ask;
    let (head, mut buttons) = head_and_buttons(entry, texts, one_press);
    let open = match &ask.kind {
        AskContent::Unknown(_) => "desktop-look",
        AskContent::Permission(_) => "desktop-open",
        AskContent::Questions(_) | AskContent::Confirm(_) => "desktop-answer",
    };
    buttons.push(NotificationButton {
        press: NotificationAction::Open,
        label: texts.get(open),
    });
    NotificationText {
        title: title(ask, &head, texts),
        body: body(entry, texts),
        buttons,
        reply: reply(ask, texts),
        group: line(ask.session.project(), PROJECT),
        elsewhere: texts.get("desktop-elsewhere"),
        urgent: true,
        breaks_through: false,
    }
}

fn head_and_buttons(
    entry: &Entry,
    texts: &Texts,
    one_press: OnePress,
) -> (String, Vec<NotificationButton>) {
    match &entry.ask.kind {
        AskContent::Questions(questions) => questions_text(questions, entry, texts, one_press),
        AskContent::Permission(permission) => permission_text(entry, permission, texts, one_press),
        AskContent::Confirm(info) => confirm_text(info, texts, one_press),
        AskContent::Unknown(_) => (texts.get("desktop-unknown"), Vec::new()),
    }
}

/// Returns one line that says whose request it is and what it is about.
pub(super) fn head(entry: &Entry, texts: &Texts) -> String {
    let (head, _) = head_and_buttons(entry, texts, OnePress::default());
    line(&title(&entry.ask, &head, texts), TITLE)
}

/// Returns the field for own words, if they can answer the ask: it is one question that takes them.
/// Of a set of questions they would be no whole answer.
fn reply(ask: &Ask, texts: &Texts) -> Option<Box<ReplyField>> {
    let [question] = ask.questions() else {
        return None;
    };
    let field = || ReplyField {
        label: texts.get("desktop-reply"),
        placeholder: texts.get("desktop-reply-placeholder"),
        send: texts.get("desktop-reply-send"),
    };
    question.custom.then(|| Box::new(field()))
}

/// Cuts what a human wrote to as much as any notification holds.
pub(super) fn written(text: &str) -> String {
    cut(text, WRITTEN)
}

/// Cuts the title and the body of a few words, which may be an agent's.
pub(super) fn hint(title: &str, body: &str) -> (String, String) {
    (cut(title, TITLE), cut(body, HINT))
}

/// Cuts the title and the body of a text that gives back what a human wrote, which is shown whole.
pub(super) fn written_back(title: &str, body: &str) -> (String, String) {
    (cut(title, TITLE), written(body))
}

/// Returns the body: what is to be known before anything else, what it is about, and what an answer
/// takes along.
fn body(entry: &Entry, texts: &Texts) -> String {
    let ask = &entry.ask;
    let returned = entry.returned.as_ref();
    let returned = returned.map(|why| cut(&words::returned(texts, why), RETURNED));
    let risks = words::risks(texts, entry).join(" ");
    let about = match &ask.kind {
        AskContent::Questions(questions) => questions_body(questions, entry, texts),
        AskContent::Permission(permission) => shortened(&asked_for(permission), BODY),
        AskContent::Confirm(info) => cut(info, BODY),
        AskContent::Unknown(unknown) => cut(&unknown.raw, BODY),
    };
    let plain = returned.is_none() && risks.is_empty();
    let reason = plain.then(|| reason(entry, &about, texts)).flatten();
    let (times, beside) = (
        words::asked_times(texts, entry),
        words::also_rejects(texts, entry),
    );
    let said = [risks, about].into_iter().filter(|said| !said.is_empty());
    let above = returned.into_iter().chain(reason);
    let agreed = words::agreed_to(texts, entry);
    let parts: Vec<String> = above
        .chain(said)
        .chain(agreed)
        .chain(times)
        .chain(beside)
        .collect();
    parts.join("\n")
}

/// Returns the agent's reason, for the line above what it asks for: never in place of it, and in
/// quotes, so that neither is taken for the other.
fn reason(entry: &Entry, asked: &str, texts: &Texts) -> Option<String> {
    let AskContent::Permission(_) = &entry.ask.kind else {
        return None;
    };
    let words = entry.ask.session.last_words.as_deref()?;
    // The last line that it said is what led to the request.
    let said = words
        .lines()
        .rev()
        .find(|line| line.contains(char::is_alphanumeric))?;
    let room = !asked.is_empty() && asked.lines().count() < BODY_LINES;
    let text = Value::from(sentence(said, REASON));
    room.then(|| texts.with("desktop-reason", &[("text", text)]))
}

/// Returns the title: the project, and what it is about. A permission's head says both already.
fn title(ask: &Ask, head: &str, texts: &Texts) -> String {
    if matches!(ask.kind, AskContent::Permission(_)) {
        return line(head, TITLE + PROJECT);
    }
    let args = [
        ("project", Value::from(origin(ask, texts))),
        ("text", Value::from(line(head, TITLE))),
    ];
    texts.with("desktop-title", &args)
}

/// Returns where it is asked, and by whom: `shop (Claude Code)`, `shop (Claude Code) on tower`.
fn origin(ask: &Ask, texts: &Texts) -> String {
    words::place_on(texts, origin_here(&ask.session), ask.machine())
}

fn origin_here(session: &Session) -> String {
    let project = line(session.project(), PROJECT);
    match session.who() {
        Some(who) if project.trim().is_empty() => line(who, WHO),
        Some(who) => format!("{project} ({})", line(who, WHO)),
        None => project,
    }
}

/// Whether there is a button for each answer (but words of one's own).
pub(super) fn answers_by_a_press(ask: &Ask, one_press: OnePress) -> bool {
    match &ask.kind {
        AskContent::Questions(questions) => match questions.as_slice() {
            [question] => {
                let buttons = choices(question, ask, one_press);
                !buttons.is_empty() && buttons.len() == question.choices.len()
            }
            _ => false,
        },
        AskContent::Permission(permission) => is_allowed_by_a_press(ask, permission, one_press),
        AskContent::Confirm(info) => goes_on_by_a_press(info, one_press),
        AskContent::Unknown(_) => false,
    }
}

/// Makes the notification of a finished turn: a title, and what came of it.
pub(super) fn turn(turn: &FinishedTurn, opens: bool, texts: &Texts) -> NotificationText {
    let session = &turn.session;
    let (key, body) = match &turn.end {
        TurnEnd::Done => (
            "desktop-turn-done",
            session.title.clone().unwrap_or_default(),
        ),
        TurnEnd::Failed(reason) => ("desktop-turn-failed", reason.clone()),
    };
    let took = texts.with(key, &[("age", Value::from(words::age(texts, turn.took)))]);
    let project = Value::from(line(session.project(), PROJECT));
    let args = [("project", project), ("text", Value::from(took))];
    let open = opens.then(|| NotificationButton {
        press: NotificationAction::Open,
        label: texts.get("desktop-open-session"),
    });
    NotificationText {
        title: texts.with("desktop-title", &args),
        body: cut(&body, BODY),
        buttons: open.into_iter().collect(),
        ..NotificationText::default()
    }
}

fn questions_text(
    questions: &[Question],
    entry: &Entry,
    texts: &Texts,
    one_press: OnePress,
) -> (String, Vec<NotificationButton>) {
    match questions {
        [question] => {
            let buttons = choices(question, &entry.ask, one_press);
            (question.question.clone(), buttons)
        }
        [] => (texts.get("desktop-no-questions"), Vec::new()),
        several => {
            let count = [("count", Value::from(several.len()))];
            (texts.with("desktop-questions", &count), Vec::new())
        }
    }
}

fn questions_body(questions: &[Question], entry: &Entry, texts: &Texts) -> String {
    match questions {
        [question] => single_body(question, entry, texts),
        [] => last_words(entry),
        several => {
            let headers: Vec<&str> = several.iter().map(topic).collect();
            cut(&headers.join(" · "), BODY)
        }
    }
}

/// Returns the body of a single question: the question, where the title may not show all of it, and
/// what helps most to decide: the choices' descriptions, else what the agent said last.
fn single_body(question: &Question, entry: &Entry, texts: &Texts) -> String {
    let described = |(number, choice): (usize, &Choice)| {
        let args = [
            ("label", Value::from(named(number, choice.label.clone()))),
            ("description", Value::from(choice.description.clone())),
        ];
        texts.with("desktop-choice", &args)
    };
    let choices = question
        .choices
        .iter()
        .enumerate()
        .filter(|(_, choice)| !choice.description.is_empty());
    let described: Vec<String> = choices.map(described).collect();
    let beside = match described.as_slice() {
        [] => last_words(entry),
        described => cut(&described.join("\n"), BODY),
    };
    let title = title(&entry.ask, &question.question, texts);
    let asked = (columns(&title) > TITLE_LINE).then(|| cut(&question.question, BODY));
    let parts = asked
        .into_iter()
        .chain([beside])
        .filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join("\n")
}

fn last_words(entry: &Entry) -> String {
    cut(
        entry.ask.session.last_words.as_deref().unwrap_or_default(),
        BODY,
    )
}

/// Returns a label, or its number where it is blank: a button without text is nothing to press.
fn named(number: usize, label: String) -> String {
    if is_blank(&label) {
        return (number + 1).to_string();
    }
    label
}

/// Whether the choices may have buttons: none of them lets anything run that the notification does
/// not show in full, or that is dangerous.
fn is_chosen_by_a_press(question: &Question, ask: &Ask, one_press: OnePress) -> bool {
    question.consent.is_none()
        || one_press == OnePress::All
        || fits(&question.question) && !question.hides_consent() && ask.risks().is_empty()
}

/// Returns the buttons of the choices: only where one press is a whole answer, and every choice has
/// its button. What lets something run has none where not all of it is shown, or it is dangerous.
fn choices(question: &Question, ask: &Ask, one_press: OnePress) -> Vec<NotificationButton> {
    let has_room = !question.multiple && question.choices.len() <= DIRECT_CHOICES;
    if !has_room {
        return Vec::new();
    }
    let are_all = is_chosen_by_a_press(question, ask, one_press);
    let labels: Vec<String> = question
        .choices
        .iter()
        .enumerate()
        .map(|(number, choice)| named(number, line(&choice.label, LABEL)))
        .collect();
    let button = |(choice, label): (usize, &String)| NotificationButton {
        press: NotificationAction::Press(ButtonPress::Choose {
            question: 0,
            choice,
        }),
        label: told_apart(label, choice, &labels),
    };
    let is_offered = |(choice, _): &(usize, &String)| are_all || !question.consents_by(*choice);
    let offered = labels.iter().enumerate().filter(is_offered);
    offered.map(button).collect()
}

/// Puts its number before a label that another choice has too: some daemons show the buttons in an
/// order of their own.
fn told_apart(label: &str, choice: usize, labels: &[String]) -> String {
    let twins = labels.iter().filter(|other| *other == label).count();
    if twins > 1 {
        format!("{} {label}", choice + 1)
    } else {
        label.to_owned()
    }
}

fn permission_text(
    entry: &Entry,
    permission: &Permission,
    texts: &Texts,
    one_press: OnePress,
) -> (String, Vec<NotificationButton>) {
    let purpose = entry.purpose().cloned();
    let purpose = purpose.unwrap_or_else(|| permission.purpose());
    let head = words::title(texts, &origin(&entry.ask, texts), &purpose.into());
    let mut buttons = Vec::new();
    if is_allowed_by_a_press(&entry.ask, permission, one_press) {
        buttons.push(NotificationButton {
            press: NotificationAction::Press(ButtonPress::Once),
            label: decision(texts, permission, DecisionWord::Allow, "desktop-once"),
        });
    }
    buttons.push(NotificationButton {
        press: NotificationAction::Press(ButtonPress::Reject),
        label: decision(texts, permission, DecisionWord::Reject, "desktop-reject"),
    });
    (head, buttons)
}

/// Returns what is asked for, as much as there is room for and one character more, by which it is
/// seen not to fit.
fn asked_for(permission: &Permission) -> String {
    exact(split(permission.wants().join("\n").trim(), BODY + 1).0).text
}

/// Whether "Allow once" has a button. It has none beside a text that does not show all of what is
/// asked for, or that could be taken for another one, nor if what is asked for is dangerous. An
/// edit has none: only the file's name is shown, not the change.
fn is_allowed_by_a_press(ask: &Ask, permission: &Permission, one_press: OnePress) -> bool {
    let what = asked_for(permission);
    let is_told = permission.is_whole() && !permission.is_edit();
    let whole = is_told && !what.is_empty() && fits(&what);
    // What fits is short, and soon read.
    one_press == OnePress::All || whole && !permission.is_deceptive() && ask.risks().is_empty()
}

fn goes_on_by_a_press(info: &str, one_press: OnePress) -> bool {
    one_press == OnePress::All || fits(info) && !prose(info).deceptive
}

fn fits(what: &str) -> bool {
    what.chars().count() <= BODY && what.lines().count() <= BODY_LINES
}

fn confirm_text(
    info: &str,
    texts: &Texts,
    one_press: OnePress,
) -> (String, Vec<NotificationButton>) {
    let mut buttons = Vec::new();
    if goes_on_by_a_press(info, one_press) {
        let label = texts.get("desktop-continue");
        buttons.push(NotificationButton {
            press: NotificationAction::Press(ButtonPress::Continue),
            label,
        });
    }
    buttons.push(NotificationButton {
        press: NotificationAction::Press(ButtonPress::Cancel),
        label: texts.get("desktop-cancel"),
    });
    (texts.get("desktop-confirm"), buttons)
}

fn topic(question: &Question) -> &str {
    if question.header.is_empty() {
        &question.question
    } else {
        &question.header
    }
}
