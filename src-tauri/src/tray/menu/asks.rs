//! One ask as a submenu: what it is about and what can be answered with one press.
//!
//! Not here: the rest of the menu.

use super::{MenuAction, MenuEntry, MenuLine, note, pressable, submenu};
use crate::tray::words::{self, WIDTH, beginning, cut, line};
use beckon_client::text::words as common;
use beckon_client::text::{Texts, Value};
use beckon_client::wire::Purpose;
use beckon_core::visible::{exact, prose};
use beckon_core::{
    Ask, AskContent, AskView, ButtonPress, ButtonTarget, Choice, OnePress, Permission, Question,
};

const MOST_CHOICES: usize = 12;
/// So many lines of a question or of what is to be allowed.
const MOST_LINES: usize = 5;

/// A line for each; those that say the same are told apart by who asks.
pub(super) fn ask_items(texts: &Texts, asks: &[AskView], one_press: OnePress) -> Vec<MenuLine> {
    let heads: Vec<AskLine> = asks.iter().map(|view| AskLine::of(texts, &view.entry.ask)).collect();
    let item = |(view, head): (&AskView, &AskLine)| {
        let twins = asks.iter().zip(&heads).filter(|(_, other)| *other == head);
        let twins: Vec<&Ask> = twins.map(|(view, _)| &view.entry.ask).collect();
        ask_item(texts, view, head.label(texts, &view.entry.ask, &twins), one_press)
    };
    asks.iter().zip(&heads).map(item).collect()
}

/// What stands on the line of an ask.
#[derive(PartialEq, Eq)]
struct AskLine {
    place: String,
    topic: AskTopic,
}

#[derive(PartialEq, Eq)]
enum AskTopic {
    /// Beside the place.
    Topic(String),
    /// A title that says the place.
    Purpose(Purpose),
}

impl AskLine {
    fn of(texts: &Texts, ask: &Ask) -> Self {
        Self { place: words::place(ask), topic: topic(texts, ask) }
    }

    fn label(&self, texts: &Texts, ask: &Ask, twins: &[&Ask]) -> String {
        let place = match words::unlike(ask, twins) {
            Some(who) => {
                let args = [("place", Value::from(self.place.clone())), ("who", Value::from(who))];
                texts.with("tray-place-of", &args)
            }
            None => self.place.clone(),
        };
        let topic = match &self.topic {
            AskTopic::Purpose(purpose) => return common::title(texts, &place, purpose),
            AskTopic::Topic(topic) => topic.clone(),
        };
        texts.with("tray-ask", &[("place", Value::from(place)), ("topic", Value::from(topic))])
    }
}

fn ask_item(texts: &Texts, view: &AskView, label: String, one_press: OnePress) -> MenuLine {
    let (ask, target) = (&view.entry.ask, view.entry.target());
    if let Some(trouble) = &view.entry.undelivered {
        return submenu(label, vec![as_it_is(common::undelivered(texts, trouble))]);
    }
    let press = |key: &str, press| pressable(texts.get(key), MenuAction::Press { target, press });
    let mut lines = match &ask.kind {
        AskContent::Questions(questions) => question_lines(texts, questions, target, &label),
        AskContent::Permission(permission) => {
            let risks = common::risks(texts, ask);
            permission_lines(permission, risks, one_press, press)
        }
        AskContent::Confirm(info) => confirm_lines(info, one_press, &label, press),
        AskContent::Unknown(unknown) => notes(&unknown.raw),
    };
    // A sentence of ours: it is never cut.
    let times = common::asked_times(texts, &view.entry);
    let beside = common::also_rejects(texts, &view.entry);
    lines.extend(times.into_iter().chain(beside).map(as_it_is));
    lines.push(MenuLine::Separator);
    let open = if matches!(ask.kind, AskContent::Unknown(_)) { "tray-look" } else { "tray-answer" };
    lines.push(pressable(texts.get(open), MenuAction::Open(target.serial)));
    // A permission is refused by Reject and a confirm by Cancel; only a question set is dismissed.
    if matches!(ask.kind, AskContent::Questions(_)) {
        lines.push(press("tray-dismiss", ButtonPress::Dismiss));
    }
    submenu(label, lines)
}

fn topic(texts: &Texts, ask: &Ask) -> AskTopic {
    let said = |text: &str| Some(line(text)).filter(|text| !text.is_empty());
    AskTopic::Topic(match &ask.kind {
        AskContent::Questions(questions) => match questions.as_slice() {
            [one] => said(&one.question).or_else(|| said(&one.header)),
            _ => None,
        }
        .unwrap_or_else(|| {
            texts.with("tray-topic-set", &[("count", Value::from(questions.len()))])
        }),
        AskContent::Permission(permission) => {
            return AskTopic::Purpose(permission.purpose().into());
        }
        AskContent::Confirm(info) => said(info).unwrap_or_else(|| texts.get("tray-topic-confirm")),
        AskContent::Unknown(_) => texts.get("tray-topic-unknown"),
    })
}

/// The choices of a single-choice question; of anything else only what it is about, since one
/// press cannot answer it.
fn question_lines(
    texts: &Texts,
    questions: &[Question],
    target: ButtonTarget,
    label: &str,
) -> Vec<MenuLine> {
    let [question] = questions else {
        let heads = questions.iter().take(MOST_CHOICES).map(|q| match line(&q.header) {
            header if header.is_empty() => note(q.question.clone()),
            header => note(header),
        });
        return heads.collect();
    };
    let mut lines = if is_cut(label) { notes(&question.question) } else { Vec::new() };
    let choices = question.choices.iter().enumerate().take(MOST_CHOICES);
    lines.extend(choices.map(|(choice, it)| match question.multiple {
        true => note(choice_label(texts, it)),
        false => {
            let press = ButtonPress::Choose { question: 0, choice };
            pressable(choice_label(texts, it), MenuAction::Press { target, press })
        }
    }));
    if let Some(more @ 1..) = question.choices.len().checked_sub(MOST_CHOICES) {
        lines.push(note(texts.with("tray-more-choices", &[("count", Value::from(more))])));
    }
    lines
}

/// Does the menu show less of it than there is?
fn is_cut(label: &str) -> bool {
    cut(label, WIDTH) != label
}

fn choice_label(texts: &Texts, choice: &Choice) -> String {
    let (label, description) = (line(&choice.label), line(&choice.description));
    if description.is_empty() {
        return label;
    }
    let args = [("label", Value::from(label)), ("description", Value::from(description))];
    texts.with("tray-choice", &args)
}

/// `Allow once` only beside the whole of what is allowed: nobody should grant what they cannot see,
/// or what could be taken for something else, nor what is dangerous. Of an edit the change is what counts, and no menu
/// shows it.
fn permission_lines(
    permission: &Permission,
    risks: Vec<String>,
    one_press: OnePress,
    press: impl Fn(&str, ButtonPress) -> MenuLine,
) -> Vec<MenuLine> {
    let asked = permission.wants().join("\n");
    let shown = words::whole(&exact(beginning(&asked)).text, MOST_LINES);
    let in_sight = shown.as_ref().is_some_and(|lines| !lines.is_empty());
    let safe = risks.is_empty() && !permission.is_deceptive();
    let unmarked = in_sight && safe && !permission.is_edit();
    let mut lines = match shown {
        Some(shown) => shown.into_iter().map(as_it_is).collect(),
        None => start_of(&exact(beginning(&asked)).text),
    };
    lines.extend(risks.into_iter().map(as_it_is));
    if unmarked || one_press == OnePress::All {
        lines.push(press("tray-once", ButtonPress::Once));
    }
    lines.push(press("tray-reject", ButtonPress::Reject));
    lines
}

fn confirm_lines(
    info: &str,
    one_press: OnePress,
    label: &str,
    press: impl Fn(&str, ButtonPress) -> MenuLine,
) -> Vec<MenuLine> {
    let shown = prose(beginning(info)).text;
    let whole = words::whole(&shown, MOST_LINES).is_some();
    let mut lines = if is_cut(label) { notes(info) } else { Vec::new() };
    if one_press == OnePress::All || whole && !prose(info).deceptive {
        lines.push(press("tray-continue", ButtonPress::Continue));
    }
    lines.push(press("tray-cancel", ButtonPress::Cancel));
    lines
}

/// A question's text, to read.
fn notes(text: &str) -> Vec<MenuLine> {
    let shown = prose(beginning(text)).text;
    match words::whole(&shown, MOST_LINES) {
        Some(lines) => lines.into_iter().map(as_it_is).collect(),
        None => start_of(&shown),
    }
}

/// As many lines of it as there is room for.
fn start_of(visible: &str) -> Vec<MenuLine> {
    let letters: Vec<char> = line(visible).chars().take(WIDTH * MOST_LINES - 1).collect();
    let mut lines: Vec<String> = letters.chunks(WIDTH).map(|c| c.iter().collect()).collect();
    if let Some(last) = lines.last_mut() {
        last.push('…');
    }
    lines.into_iter().map(as_it_is).collect()
}

/// Not one of its blanks is left out.
fn as_it_is(label: String) -> MenuLine {
    MenuLine::Item(MenuEntry { label, ..MenuEntry::default() })
}
