//! The words for answers and places: few and plain.

use super::face::PROJECT;
use super::{Answerer, CardContext, questions};
use crate::channels::telegram::html::{cut, line};
use beckon_client::text::words::DecisionWord;
use beckon_client::text::{Texts, Value, words};
use beckon_client::wire::{self, AnswerPlace, AnsweredBy};
use beckon_core::{
    Answer, Ask, AskContent, AskState, Entry, Grant, Outcome, Permission, Question, Reply, Surface,
    Timestamp, Voucher,
};

/// The key of the words for the agent's own program, or another client of it.
pub(in crate::channels::telegram) const ELSEWHERE: &str = "telegram-by-elsewhere";

/// Returns the key of the place where an ask was answered if not here. An ask that comes through
/// Beckon itself has no server, so that its place is the terminal.
pub(in crate::channels::telegram) fn elsewhere(ask: &Ask) -> &'static str {
    match ask.id.source.0.as_str() {
        beckon_client::config::LOCAL_ASKS => "telegram-by-terminal",
        _ => ELSEWHERE,
    }
}

/// The length of an answer or a reason, in UTF-16 units.
const REASON: usize = 100;
const NAME: usize = 40;
/// The length of a topic, in UTF-16 units: a line of a phone or two.
const TOPIC: usize = 100;

/// An answer that was given, by whom and when.
pub(in crate::channels::telegram) struct SaidAnswer {
    pub(in crate::channels::telegram) what: String,
    pub(in crate::channels::telegram) by: Surface,
    pub(in crate::channels::telegram) at: Timestamp,
}

/// Returns the answer that an ask was given through Beckon.
pub(in crate::channels::telegram) fn given(
    entry: &Entry,
    scene: &CardContext<'_>,
) -> Option<SaidAnswer> {
    let (answer, by, at) = match &entry.state {
        AskState::Answering { answer, by, at, .. } => (answer, by, at),
        AskState::Settled {
            outcome: Outcome::Answered { answer, by },
            at,
        } => (answer, by, at),
        AskState::Open | AskState::Settled { .. } => return None,
    };
    let what = cut(&done(&entry.ask, answer, scene), REASON);
    Some(SaidAnswer {
        what,
        by: *by,
        at: *at,
    })
}

/// Returns where an answer was given, as part of a sentence: `in the window`.
pub(in crate::channels::telegram) fn place(by: Surface, scene: &CardContext<'_>) -> String {
    match (by, scene.by) {
        (Surface::Telegram, Answerer::Named(_) | Answerer::Somebody) => {
            scene.texts.get("telegram-by-somebody")
        }
        // The place has the name that it has elsewhere.
        _ => scene.texts.get(&format!(
            "telegram-by-{}",
            wire::word(&AnswerPlace::from(by))
        )),
    }
}

/// Returns who has answered an ask, where that is to be said by name: a person among several here,
/// or a person at another machine.
pub(in crate::channels::telegram) fn named(
    entry: &Entry,
    by: Option<Surface>,
    scene: &CardContext<'_>,
) -> Option<String> {
    let who = entry.responder.as_ref();
    let name = match (who.map(|who| &who.vouched), by, scene.by) {
        (Some(Voucher::Device { .. } | Voucher::Peer { .. }), ..) => {
            words::responder(scene.texts, &AnsweredBy::from(who?))
        }
        (_, Some(Surface::Telegram), Answerer::Named(name)) => Some(name.to_owned()),
        // The store knows who it was in an earlier life.
        (Some(Voucher::Telegram { .. }), _, Answerer::Somebody) => who?.person.clone(),
        _ => None,
    };
    name.map(|name| cut(&line(&name), NAME))
}

/// Returns by whom an answer was given, or else where.
pub(super) fn answerer(entry: &Entry, by: Surface, scene: &CardContext<'_>) -> String {
    named(entry, Some(by), scene).unwrap_or_else(|| place(by, scene))
}

/// Returns the shortest name of where an ask comes from.
pub(in crate::channels::telegram) fn place_of(ask: &Ask) -> String {
    let session = &ask.session;
    let names = [
        session.project(),
        session.title.as_deref().unwrap_or_default(),
        &ask.id.source.0,
    ];
    let named = names.into_iter().map(line).find(|name| !name.is_empty());
    cut(&named.unwrap_or_default(), PROJECT)
}

/// Returns what an ask is about, in a line: `shop-api: Which database should I use?`.
pub(in crate::channels::telegram) fn about(entry: &Entry, scene: &CardContext<'_>) -> String {
    let topic = match &entry.ask.kind {
        AskContent::Questions(asked) => match asked.as_slice() {
            [] => scene.texts.get("telegram-no-questions"),
            [question] => line(&questions::wording(question)),
            several => scene
                .texts
                .with("telegram-questions", &[("count", several.len().into())]),
        },
        AskContent::Permission(permission) => permission_topic(permission, scene.texts),
        AskContent::Confirm(info) => match line(info) {
            info if info.is_empty() => scene.texts.get("telegram-confirm"),
            info => info,
        },
        AskContent::Unknown(_) => scene.texts.get("telegram-unknown"),
    };
    let place = Value::from(place_of(&entry.ask));
    let args = [("place", place), ("topic", Value::from(cut(&topic, TOPIC)))];
    scene.texts.with("telegram-about", &args)
}

/// Returns the sign of a kind of ask.
pub(in crate::channels::telegram) fn sign(kind: &AskContent) -> &'static str {
    match kind {
        AskContent::Questions(_) => "❓",
        AskContent::Permission(_) => "🔐",
        AskContent::Confirm(_) => "⏸",
        AskContent::Unknown(_) => "❔",
    }
}

fn permission_topic(permission: &Permission, texts: &Texts) -> String {
    let what = permission.command.as_ref().or(permission.patterns.first());
    let what = what.map(|what| line(what)).filter(|what| !what.is_empty());
    what.unwrap_or_else(|| words::wish(texts, &line(&permission.permission)))
}

/// Returns the words for an answer that is on its way: `SQLite`, `allow once`.
pub(in crate::channels::telegram) fn answer(
    ask: &Ask,
    answer: &Answer,
    scene: &CardContext<'_>,
) -> String {
    let key = match answer {
        Answer::Replies(given) if !given.is_empty() => return replies(ask, given, scene),
        Answer::Replies(_) | Answer::Continue => "telegram-continue",
        Answer::Grant(Grant::Once) => {
            return decided(ask, DecisionWord::Allow, "telegram-allow-once", scene);
        }
        Answer::Grant(Grant::Always) => "telegram-allow-always",
        Answer::Grant(Grant::Reject { .. }) => {
            return decided(ask, DecisionWord::Reject, "telegram-reject", scene);
        }
        Answer::Cancel => "telegram-cancel",
        Answer::Dismiss => "telegram-dismiss-it",
    };
    scene.texts.get(key)
}

/// Returns the words for an answer that has been given: `SQLite`, `allowed once`.
pub(in crate::channels::telegram) fn done(
    ask: &Ask,
    answer: &Answer,
    scene: &CardContext<'_>,
) -> String {
    let key = match answer {
        Answer::Replies(given) if !given.is_empty() => return replies(ask, given, scene),
        Answer::Replies(_) | Answer::Continue => "telegram-continued",
        Answer::Grant(Grant::Once) => {
            return decided(ask, DecisionWord::Allowed, "telegram-allowed-once", scene);
        }
        Answer::Grant(Grant::Always) => "telegram-allowed-always",
        Answer::Grant(Grant::Reject { .. }) => {
            return decided(ask, DecisionWord::Rejected, "telegram-rejected", scene);
        }
        Answer::Cancel => "telegram-cancelled",
        Answer::Dismiss => "telegram-dismissed",
    };
    scene.texts.get(key)
}

/// Returns the word for an answer to a permission, its own one if it has one.
fn decided(ask: &Ask, word: DecisionWord, general: &str, scene: &CardContext<'_>) -> String {
    match &ask.kind {
        AskContent::Permission(permission) => {
            words::decision(scene.texts, permission, word, general)
        }
        _ => scene.texts.get(general),
    }
}

fn replies(ask: &Ask, replies: &[Reply], scene: &CardContext<'_>) -> String {
    match (ask.questions(), replies) {
        ([question], [one]) => reply(question, one, scene),
        _ => count(replies.len(), scene),
    }
}

/// Returns `3 answers`.
pub(in crate::channels::telegram) fn count(answers: usize, scene: &CardContext<'_>) -> String {
    scene
        .texts
        .with("telegram-answers", &[("count", answers.into())])
}

/// Returns `Search, Export, “and a map”`.
pub(in crate::channels::telegram) fn reply(
    question: &Question,
    reply: &Reply,
    scene: &CardContext<'_>,
) -> String {
    let label = |index: &usize| {
        let label = question
            .choices
            .get(*index)
            .map(|choice| line(&choice.label));
        label
            .filter(|label| !label.is_empty())
            .unwrap_or_else(|| (index + 1).to_string())
    };
    let own = reply.text.as_deref().map(|text| {
        scene
            .texts
            .with("telegram-quote", &[("text", Value::from(line(text)))])
    });
    reply
        .choices
        .iter()
        .map(label)
        .chain(own)
        .collect::<Vec<_>>()
        .join(&comma(scene))
}

fn comma(scene: &CardContext<'_>) -> String {
    scene.texts.get("telegram-comma")
}

/// Returns the answer to one question as its source told it.
pub(in crate::channels::telegram) fn texts(texts: &[String], scene: &CardContext<'_>) -> String {
    let texts: Vec<_> = texts
        .iter()
        .map(|text| line(text))
        .filter(|t| !t.is_empty())
        .collect();
    if texts.is_empty() {
        scene.texts.get("telegram-no-answer")
    } else {
        texts.join(&comma(scene))
    }
}
