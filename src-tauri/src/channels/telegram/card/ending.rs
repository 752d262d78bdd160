//! The last line of a card that is no longer open: the answer on its way, or how it ended.

use super::CardContext;
use super::face::CardContent;
use super::{says, time};
use crate::channels::telegram::html::{cut, line};
use beckon_client::text::Value;
use beckon_client::text::words;
use beckon_core::{
    Answer, AskContent, AskState, Entry, Grant, Outcome, Question, Surface, Timestamp,
};

/// An own text can be long; it stands in the chat anyway. In UTF-16 units.
const ANSWER: usize = 200;

/// The replies to a set as far as they are known, one per question.
pub(super) fn replies(face: &CardContent<'_>, questions: &[Question]) -> Vec<Option<String>> {
    match given(&face.entry.state) {
        Some(Answer::Replies(replies)) => {
            let pairs = questions.iter().zip(replies);
            pairs.map(|(question, reply)| Some(says::reply(question, reply, face.scene))).collect()
        }
        _ => match &face.entry.state {
            AskState::Settled {
                outcome: Outcome::Elsewhere { answers: Some(answers) }, ..
            } => answers.iter().map(|texts| Some(says::texts(texts, face.scene))).collect(),
            _ => Vec::new(),
        },
    }
}

fn given(state: &AskState) -> Option<&Answer> {
    match state {
        AskState::Answering { answer, .. }
        | AskState::Settled { outcome: Outcome::Answered { answer, .. }, .. } => Some(answer),
        AskState::Open | AskState::Settled { .. } => None,
    }
}

/// Plain words. Nothing for an ask that is open.
pub(in crate::channels::telegram) fn ending(entry: &Entry, scene: &CardContext<'_>) -> String {
    match &entry.state {
        AskState::Open => String::new(),
        AskState::Answering { answer, by, .. } => {
            let what = match by {
                Surface::Clock => expired(entry, scene, scene.now),
                _ => cut(&says::answer(&entry.ask, answer, scene), ANSWER),
            };
            let sending = scene.texts.with("telegram-sending", &[("what", what.into())]);
            match &entry.undelivered {
                Some(trouble) => {
                    let why = cut(&words::undelivered(scene.texts, trouble), ANSWER);
                    format!("{sending} {}", line(&why))
                }
                None => sending,
            }
        }
        AskState::Settled { outcome, at } => settled(entry, outcome, *at, scene),
    }
}

fn settled(entry: &Entry, outcome: &Outcome, at: Timestamp, scene: &CardContext<'_>) -> String {
    let with = |key: &str, what: String, place: &str| {
        let time = Value::from(time::clock(scene, at));
        let place = Value::from(scene.texts.get(place));
        let what = Value::from(cut(&what, ANSWER));
        scene.texts.with(key, &[("what", what), ("place", place), ("time", time)])
    };
    let elsewhere = says::elsewhere(&entry.ask);
    match outcome {
        Outcome::Answered { by: Surface::Clock, .. } | Outcome::Expired => {
            format!("⌛ {}", expired(entry, scene, at))
        }
        Outcome::Answered { answer, by } => {
            let key = if refuses(answer) { "telegram-refused" } else { "telegram-answered" };
            with(key, says::done(&entry.ask, answer, scene), &says::place(*by))
        }
        Outcome::Elsewhere { answers } => match told(entry, answers.as_deref(), scene) {
            Some(what) => with("telegram-elsewhere-what", what, elsewhere),
            None => with("telegram-elsewhere", String::new(), elsewhere),
        },
        Outcome::DismissedElsewhere => {
            let key = match entry.ask.kind {
                AskContent::Questions(_) | AskContent::Unknown(_) => "telegram-dismissed",
                AskContent::Permission(_) => "telegram-rejected",
                AskContent::Confirm(_) => "telegram-cancelled",
            };
            with("telegram-refused", scene.texts.get(key), elsewhere)
        }
        Outcome::Gone => scene.texts.get("telegram-gone"),
    }
}

/// `expired after 30 min`.
fn expired(entry: &Entry, scene: &CardContext<'_>, at: Timestamp) -> String {
    let age = time::age(scene, at - entry.ask.asked_at);
    scene.texts.with("telegram-expired", &[("age", age.into())])
}

fn refuses(answer: &Answer) -> bool {
    matches!(answer, Answer::Dismiss | Answer::Cancel | Answer::Grant(Grant::Reject { .. }))
}

/// What was answered at the source itself, in a few words.
fn told(entry: &Entry, answers: Option<&[Vec<String>]>, scene: &CardContext<'_>) -> Option<String> {
    let answers = answers?;
    let what = match (&entry.ask.kind, answers) {
        (AskContent::Permission(_) | AskContent::Confirm(_) | AskContent::Unknown(_), _) => {
            let word = line(answers.first()?.first()?);
            let key = format!("telegram-told-{word}");
            if scene.texts.has(&key) { scene.texts.get(&key) } else { word }
        }
        (AskContent::Questions(_), [texts]) => says::texts(texts, scene),
        (AskContent::Questions(_), several) => says::count(several.len(), scene),
    };
    Some(what).filter(|what| !what.is_empty())
}
