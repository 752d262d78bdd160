//! The submenu of an ask: what it is about and what can be answered with one press.
//!
//! Not here: the rest of the menu.

use super::{MenuAction, MenuEntry, MenuLine, note, pressable, submenu};
use crate::tray::words::{self, WIDTH, beginning, cut, line};
use beckon_client::text::words::{self as common, DecisionWord};
use beckon_client::text::{Texts, Value};
use beckon_client::wire::{Purpose, opens};
use beckon_core::visible::{exact, is_blank, prose};
use beckon_core::{
    Ask, AskContent, AskView, ButtonPress, Choice, Entry, OnePress, Permission, Question, Timestamp,
};

const MOST_CHOICES: usize = 12;
/// The most lines of a question or of what is to be allowed.
const MOST_LINES: usize = 5;

/// Returns a line for each ask. Those that say the same are told apart by who asks.
pub(super) fn ask_items(
    texts: &Texts,
    asks: &[AskView],
    one_press: OnePress,
    now: Timestamp,
) -> Vec<MenuLine> {
    let heads: Vec<AskLine> = asks
        .iter()
        .map(|view| AskLine::of(texts, &view.entry))
        .collect();
    let item = |(view, head): (&AskView, &AskLine)| {
        let ask = &view.entry.ask;
        let twins = asks.iter().zip(&heads).filter(|(_, other)| *other == head);
        let twins: Vec<&Ask> = twins.map(|(view, _)| &view.entry.ask).collect();
        let age = common::age(texts, now - ask.asked_at);
        let title = AskTitle::of(
            texts,
            &head.label(texts, ask, &twins),
            &age,
            opens_only(view),
        );
        ask_item(texts, view, title, one_press)
    };
    asks.iter().zip(&heads).map(item).collect()
}

/// Tells whether there is nothing about an ask that a menu could do or say. Then its line itself
/// opens the window.
fn opens_only(view: &AskView) -> bool {
    let is_single = |questions: &[Question]| match questions {
        [one] => !one.multiple && !one.choices.is_empty(),
        _ => false,
    };
    let AskContent::Questions(questions) = &view.entry.ask.kind else {
        return false;
    };
    view.entry.undelivered.is_none() && !is_single(questions)
}

/// The line of an ask as it is drawn.
struct AskTitle {
    label: String,
    /// Whether a part of the topic is left out.
    is_cut: bool,
}

impl AskTitle {
    /// Makes the line of a topic and an age. However long the topic, the age stands behind it.
    fn of(texts: &Texts, head: &str, age: &str, opens: bool) -> Self {
        let with = |key: &str, head: String| {
            texts.with(
                key,
                &[("ask", Value::from(head)), ("age", Value::from(age))],
            )
        };
        let room = |key: &str| WIDTH.saturating_sub(with(key, String::new()).chars().count());
        let opens = opens && cut(head, room("tray-ask-opens")) == head;
        // A topic that is cut ends in … already.
        let key = if opens {
            "tray-ask-opens"
        } else {
            "tray-ask-age"
        };
        let kept = cut(head, room(key));
        Self {
            is_cut: kept != head,
            label: with(key, kept),
        }
    }
}

/// The content of an ask's line.
#[derive(PartialEq, Eq)]
struct AskLine {
    place: String,
    topic: AskTopic,
}

#[derive(PartialEq, Eq)]
enum AskTopic {
    /// A topic that stands beside the place.
    Topic(String),
    /// A title that says the place.
    Purpose(Purpose),
}

impl AskLine {
    fn of(texts: &Texts, entry: &Entry) -> Self {
        let ask = &entry.ask;
        let place = common::place_on(texts, words::place(ask), ask.machine());
        Self {
            place,
            topic: topic(texts, entry),
        }
    }

    fn label(&self, texts: &Texts, ask: &Ask, twins: &[&Ask]) -> String {
        let place = match words::unlike(ask, twins) {
            Some(who) => {
                let args = [
                    ("place", Value::from(self.place.clone())),
                    ("who", Value::from(who)),
                ];
                texts.with("tray-place-of", &args)
            }
            None => self.place.clone(),
        };
        let topic = match &self.topic {
            AskTopic::Purpose(purpose) => return common::title(texts, &place, purpose),
            AskTopic::Topic(topic) => topic.clone(),
        };
        texts.with(
            "tray-ask",
            &[("place", Value::from(place)), ("topic", Value::from(topic))],
        )
    }
}

fn ask_item(texts: &Texts, view: &AskView, title: AskTitle, one_press: OnePress) -> MenuLine {
    let (ask, target) = (&view.entry.ask, view.entry.target());
    let open = MenuAction::Open(target.serial);
    if opens_only(view) {
        return pressable(title.label, open);
    }
    if let Some(trouble) = &view.entry.undelivered {
        return submenu(
            title.label,
            vec![as_it_is(common::undelivered(texts, trouble))],
        );
    }
    let press = |key: &str, press| pressable(texts.get(key), MenuAction::Press { target, press });
    let (mut lines, opening) = match &ask.kind {
        AskContent::Questions(questions) => (
            question_lines(texts, (&view.entry, questions), one_press, title.is_cut),
            "tray-answer",
        ),
        AskContent::Permission(permission) => {
            let risks = common::risks(texts, &view.entry);
            (
                permission_lines(texts, &view.entry, permission, risks, one_press),
                "tray-open-ask",
            )
        }
        AskContent::Confirm(info) => (
            confirm_lines(info, one_press, title.is_cut, press),
            "tray-answer",
        ),
        AskContent::Unknown(unknown) => (notes(&unknown.raw), "tray-look"),
    };
    // A sentence of ours is never cut.
    let times = common::asked_times(texts, &view.entry);
    let beside = common::also_rejects(texts, &view.entry);
    lines.extend(times.into_iter().chain(beside).map(as_it_is));
    lines.push(MenuLine::Separator);
    lines.push(pressable(texts.get(opening), open));
    if opens(ask) {
        let session = MenuAction::OpenSession(target.serial);
        lines.push(pressable(texts.get("tray-open-session"), session));
    }
    submenu(title.label, lines)
}

fn topic(texts: &Texts, entry: &Entry) -> AskTopic {
    let said = |text: &str| Some(line(text)).filter(|text| !text.is_empty());
    AskTopic::Topic(match &entry.ask.kind {
        AskContent::Questions(questions) => match questions.as_slice() {
            [one] => said(&one.question).or_else(|| said(&one.header)),
            _ => None,
        }
        .unwrap_or_else(|| {
            texts.with("tray-topic-set", &[("count", Value::from(questions.len()))])
        }),
        AskContent::Permission(permission) => {
            let purpose = entry.purpose().cloned();
            let purpose = purpose.unwrap_or_else(|| permission.purpose());
            return AskTopic::Purpose(purpose.into());
        }
        AskContent::Confirm(info) => said(info).unwrap_or_else(|| texts.get("tray-topic-confirm")),
        AskContent::Unknown(_) => texts.get("tray-topic-unknown"),
    })
}

/// Returns the choices of a single-choice question. Anything else has no lines, since one press
/// cannot answer it. What lets something run is offered only beside the whole of it, and where it is
/// not dangerous.
fn question_lines(
    texts: &Texts,
    (entry, questions): (&Entry, &[Question]),
    one_press: OnePress,
    is_cut: bool,
) -> Vec<MenuLine> {
    let [question] = questions else {
        return Vec::new();
    };
    let target = entry.target();
    let mut lines = if is_cut {
        notes(&question.question)
    } else {
        Vec::new()
    };
    lines.extend(common::risks(texts, entry).into_iter().map(as_it_is));
    let shown = prose(beginning(&question.question)).text;
    let is_whole = words::whole_prose(&shown, MOST_LINES).is_some()
        && beginning(&question.question) == question.question;
    let is_safe = is_whole && entry.risks().is_empty() && !entry.is_deceptive();
    let are_all = is_safe || one_press == OnePress::All;
    let choices = question.choices.iter().enumerate().take(MOST_CHOICES);
    let choices = choices.filter(|(choice, _)| are_all || !question.consents_by(*choice));
    lines.extend(choices.map(|(choice, it)| {
        let press = ButtonPress::Choose {
            question: 0,
            choice,
        };
        pressable(
            choice_label(texts, choice + 1, it),
            MenuAction::Press { target, press },
        )
    }));
    if let Some(more @ 1..) = question.choices.len().checked_sub(MOST_CHOICES) {
        lines.push(note(
            texts.with("tray-more-choices", &[("count", Value::from(more))]),
        ));
    }
    lines
}

/// Returns the label of a choice. A blank one is replaced by its number, since a line without text
/// is nothing to press.
fn choice_label(texts: &Texts, number: usize, choice: &Choice) -> String {
    let label = match line(&choice.label) {
        blank if is_blank(&blank) => number.to_string(),
        label => label,
    };
    let description = line(&choice.description);
    if description.is_empty() {
        return label;
    }
    let args = [
        ("label", Value::from(label)),
        ("description", Value::from(description)),
    ];
    texts.with("tray-choice", &args)
}

/// Returns the lines of a permission.
///
/// `Allow once` is offered only beside the whole of what is allowed. Nobody should grant what they
/// cannot see, what could be taken for something else, or what is dangerous. Of an edit the change
/// is what counts, and no menu shows that.
fn permission_lines(
    texts: &Texts,
    entry: &Entry,
    permission: &Permission,
    risks: Vec<String>,
    one_press: OnePress,
) -> Vec<MenuLine> {
    let target = entry.target();
    let press = |word: DecisionWord, key: &str, press| {
        let label = common::decision(texts, permission, word, key);
        pressable(label, MenuAction::Press { target, press })
    };
    let asked = permission.wants().join("\n");
    let shown = words::whole(&exact(beginning(&asked)).text, MOST_LINES);
    let in_sight = shown.as_ref().is_some_and(|lines| !lines.is_empty());
    let safe = permission.is_whole() && risks.is_empty() && !entry.is_deceptive();
    let unmarked = in_sight && safe && !permission.is_edit();
    let mut lines = match shown {
        Some(shown) => shown.into_iter().map(as_it_is).collect(),
        None => start_of(&exact(beginning(&asked)).text),
    };
    lines.extend(risks.into_iter().map(as_it_is));
    if !lines.is_empty() {
        lines.push(MenuLine::Separator);
    }
    if unmarked || one_press == OnePress::All {
        lines.push(press(DecisionWord::Allow, "tray-once", ButtonPress::Once));
    }
    lines.push(press(
        DecisionWord::Reject,
        "tray-reject",
        ButtonPress::Reject,
    ));
    lines
}

fn confirm_lines(
    info: &str,
    one_press: OnePress,
    is_cut: bool,
    press: impl Fn(&str, ButtonPress) -> MenuLine,
) -> Vec<MenuLine> {
    let shown = prose(beginning(info)).text;
    let whole = words::whole(&shown, MOST_LINES).is_some();
    let mut lines = if is_cut { notes(info) } else { Vec::new() };
    if one_press == OnePress::All || whole && !prose(info).deceptive {
        lines.push(press("tray-continue", ButtonPress::Continue));
    }
    lines.push(press("tray-cancel", ButtonPress::Cancel));
    lines
}

/// Returns a question's text as lines to read.
fn notes(text: &str) -> Vec<MenuLine> {
    let shown = prose(beginning(text)).text;
    let lines = words::whole_prose(&shown, MOST_LINES).unwrap_or_else(|| {
        let mut lines = words::wrapped(&line(&shown));
        lines.truncate(MOST_LINES);
        if let Some(last) = lines.last_mut() {
            *last = words::marked_as_cut(last);
        }
        lines
    });
    lines.into_iter().map(as_it_is).collect()
}

/// Returns the start of a text, as many lines of it as there is room for.
fn start_of(visible: &str) -> Vec<MenuLine> {
    let letters: Vec<char> = line(visible).chars().take(WIDTH * MOST_LINES - 1).collect();
    let mut lines: Vec<String> = letters.chunks(WIDTH).map(|c| c.iter().collect()).collect();
    if let Some(last) = lines.last_mut() {
        last.push('…');
    }
    lines.into_iter().map(as_it_is).collect()
}

/// Makes a line to read in which no blank is left out.
fn as_it_is(label: String) -> MenuLine {
    MenuLine::Item(MenuEntry {
        label,
        ..MenuEntry::default()
    })
}
