//! Answers and places in a few words; plain.

use super::CardContext;
use crate::channels::telegram::html::{cut, line};
use beckon_client::text::Value;
use beckon_client::wire::{self, AnswerPlace};
use beckon_core::{
    Answer, Ask, AskState, Entry, Grant, Outcome, Question, Reply, Surface, Timestamp,
};

/// The agent's own program, or another client of it.
pub(in crate::channels::telegram) const ELSEWHERE: &str = "telegram-by-elsewhere";

/// Where that ask was answered if not here: what is asked through Beckon itself has no server.
pub(in crate::channels::telegram) fn elsewhere(ask: &Ask) -> &'static str {
    match ask.id.source.0.as_str() {
        beckon_client::config::LOCAL_ASKS => "telegram-by-terminal",
        _ => ELSEWHERE,
    }
}

const REASON: usize = 100;

/// An answer that was given, by whom and when.
pub(in crate::channels::telegram) struct SaidAnswer {
    pub(in crate::channels::telegram) what: String,
    pub(in crate::channels::telegram) place: String,
    pub(in crate::channels::telegram) at: Timestamp,
}

/// The answer that an ask was given through Beckon.
pub(in crate::channels::telegram) fn given(
    entry: &Entry,
    scene: &CardContext<'_>,
) -> Option<SaidAnswer> {
    let (answer, by, at) = match &entry.state {
        AskState::Answering { answer, by, at, .. } => (answer, by, at),
        AskState::Settled { outcome: Outcome::Answered { answer, by }, at } => (answer, by, at),
        AskState::Open | AskState::Settled { .. } => return None,
    };
    let what = cut(&done(&entry.ask, answer, scene), REASON);
    Some(SaidAnswer { what, place: scene.texts.get(&place(*by)), at: *at })
}

/// The text that names a place, called as it is called elsewhere.
pub(in crate::channels::telegram) fn place(by: Surface) -> String {
    format!("telegram-by-{}", wire::word(&AnswerPlace::from(by)))
}

/// An answer that is on its way: `SQLite`, `allow once`.
pub(in crate::channels::telegram) fn answer(
    ask: &Ask,
    answer: &Answer,
    scene: &CardContext<'_>,
) -> String {
    let key = match answer {
        Answer::Replies(given) if !given.is_empty() => return replies(ask, given, scene),
        Answer::Replies(_) | Answer::Continue => "telegram-continue",
        Answer::Grant(Grant::Once) => "telegram-allow-once",
        Answer::Grant(Grant::Always) => "telegram-allow-always",
        Answer::Grant(Grant::Reject { .. }) => "telegram-reject",
        Answer::Cancel => "telegram-cancel",
        Answer::Dismiss => "telegram-dismiss-it",
    };
    scene.texts.get(key)
}

/// An answer that has been given: `SQLite`, `allowed once`.
pub(in crate::channels::telegram) fn done(
    ask: &Ask,
    answer: &Answer,
    scene: &CardContext<'_>,
) -> String {
    let key = match answer {
        Answer::Replies(given) if !given.is_empty() => return replies(ask, given, scene),
        Answer::Replies(_) | Answer::Continue => "telegram-continued",
        Answer::Grant(Grant::Once) => "telegram-allowed-once",
        Answer::Grant(Grant::Always) => "telegram-allowed-always",
        Answer::Grant(Grant::Reject { reason: None }) => "telegram-rejected",
        Answer::Grant(Grant::Reject { reason: Some(reason) }) => {
            let reason = cut(&line(reason), REASON);
            return scene.texts.with("telegram-rejected-reason", &[("reason", reason.into())]);
        }
        Answer::Cancel => "telegram-cancelled",
        Answer::Dismiss => "telegram-dismissed",
    };
    scene.texts.get(key)
}

fn replies(ask: &Ask, replies: &[Reply], scene: &CardContext<'_>) -> String {
    match (ask.questions(), replies) {
        ([question], [one]) => reply(question, one, scene),
        _ => count(replies.len(), scene),
    }
}

/// `3 answers`.
pub(in crate::channels::telegram) fn count(answers: usize, scene: &CardContext<'_>) -> String {
    scene.texts.with("telegram-answers", &[("count", answers.into())])
}

/// `Search, Export, “and a map”`.
pub(in crate::channels::telegram) fn reply(
    question: &Question,
    reply: &Reply,
    scene: &CardContext<'_>,
) -> String {
    let label = |index: &usize| {
        let label = question.choices.get(*index).map(|choice| line(&choice.label));
        label.filter(|label| !label.is_empty()).unwrap_or_else(|| (index + 1).to_string())
    };
    let own = reply
        .text
        .as_deref()
        .map(|text| scene.texts.with("telegram-quote", &[("text", Value::from(line(text)))]));
    reply.choices.iter().map(label).chain(own).collect::<Vec<_>>().join(&comma(scene))
}

fn comma(scene: &CardContext<'_>) -> String {
    scene.texts.get("telegram-comma")
}

/// One question's answer as its source told it.
pub(in crate::channels::telegram) fn texts(texts: &[String], scene: &CardContext<'_>) -> String {
    let texts: Vec<_> = texts.iter().map(|text| line(text)).filter(|t| !t.is_empty()).collect();
    if texts.is_empty() { scene.texts.get("telegram-no-answer") } else { texts.join(&comma(scene)) }
}
