//! The first line of a card that is no longer open: the answer on its way, or how it ended.
//!
//! Not here: the card around it (`settled.rs`).

use super::CardContext;
use super::face::CardContent;
use super::{says, time};
use crate::channels::telegram::html::{Html, cut, line, units};
use beckon_client::text::Value;
use beckon_core::{
    Answer, AskContent, AskState, Entry, Grant, Outcome, Question, Surface, Timestamp,
};

/// The length of an answer in that line, in UTF-16 units. An own text can be longer; the rest of it
/// comes below.
const ANSWER: usize = 200;

/// Returns the replies to a set as far as they are known, one per question.
pub(super) fn replies(face: &CardContent<'_>, questions: &[Question]) -> Vec<Option<String>> {
    match given(&face.entry.state) {
        Some(Answer::Replies(replies)) => {
            let pairs = questions.iter().zip(replies);
            pairs
                .map(|(question, reply)| Some(says::reply(question, reply, face.scene)))
                .collect()
        }
        _ => match &face.entry.state {
            AskState::Settled {
                outcome:
                    Outcome::Elsewhere {
                        answers: Some(answers),
                    },
                ..
            } => answers
                .iter()
                .map(|texts| Some(says::texts(texts, face.scene)))
                .collect(),
            _ => Vec::new(),
        },
    }
}

/// Whether an answer is too long for the first line.
pub(super) fn is_cut(answer: &str) -> bool {
    units(answer) > ANSWER
}

fn given(state: &AskState) -> Option<&Answer> {
    match state {
        AskState::Answering { answer, .. }
        | AskState::Settled {
            outcome: Outcome::Answered { answer, .. },
            ..
        } => Some(answer),
        AskState::Open | AskState::Settled { .. } => None,
    }
}

/// The line `✅ SQLite · Grace, 14:02`: a sign, what was answered, and where and when.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::channels::telegram) struct CardEnding {
    sign: &'static str,
    what: String,
    rest: Option<String>,
}

impl CardEnding {
    fn new(sign: &'static str, what: &str, rest: Option<String>) -> Self {
        Self {
            sign,
            what: cut(what, ANSWER),
            rest,
        }
    }

    /// Returns the line with the answer in bold.
    pub(super) fn html(&self) -> Html {
        let rest = self
            .rest
            .as_ref()
            .map(|rest| format!(" · {rest}"))
            .unwrap_or_default();
        Html::plain(&format!("{} ", self.sign))
            .and(Html::bold(&self.what))
            .and(Html::plain(&rest))
    }

    /// Returns the line as plain text.
    pub(in crate::channels::telegram) fn plain(&self) -> String {
        match &self.rest {
            Some(rest) => format!("{} {} · {rest}", self.sign, self.what),
            None => format!("{} {}", self.sign, self.what),
        }
    }
}

/// Returns what became of an ask; an empty line for one that is open.
pub(in crate::channels::telegram) fn of(entry: &Entry, scene: &CardContext<'_>) -> CardEnding {
    match &entry.state {
        AskState::Open => CardEnding::default(),
        AskState::Answering { answer, by, .. } => {
            let what = match by {
                Surface::Clock => expired(entry, scene, scene.now),
                _ => says::answer(&entry.ask, answer, scene),
            };
            CardEnding::new("⏳", &what, Some(scene.texts.get("telegram-sending")))
        }
        AskState::Settled { outcome, at } => settled(entry, outcome, *at, scene),
    }
}

fn settled(entry: &Entry, outcome: &Outcome, at: Timestamp, scene: &CardContext<'_>) -> CardEnding {
    let time = || time::clock(scene, at);
    let where_and_when = |place: String| {
        let args = [("place", Value::from(place)), ("time", Value::from(time()))];
        Some(scene.texts.with("telegram-answered", &args))
    };
    let elsewhere = || {
        let place = || scene.texts.get(says::elsewhere(&entry.ask));
        where_and_when(says::named(entry, None, scene).unwrap_or_else(place))
    };
    match outcome {
        Outcome::Answered {
            by: Surface::Clock, ..
        }
        | Outcome::Expired => CardEnding::new("⌛", &expired(entry, scene, at), Some(time())),
        Outcome::Answered { answer, by } => {
            let sign = if refuses(answer) { "🚫" } else { "✅" };
            let what = says::done(&entry.ask, answer, scene);
            CardEnding::new(
                sign,
                &what,
                where_and_when(says::answerer(entry, *by, scene)),
            )
        }
        Outcome::Elsewhere { answers } => {
            let told = told(entry, answers.as_deref(), scene);
            let what = told.unwrap_or_else(|| scene.texts.get("telegram-elsewhere"));
            CardEnding::new("☑️", &what, elsewhere())
        }
        Outcome::DismissedElsewhere => {
            let key = match entry.ask.kind {
                AskContent::Questions(_) | AskContent::Unknown(_) => "telegram-dismissed",
                AskContent::Permission(_) => "telegram-rejected",
                AskContent::Confirm(_) => "telegram-cancelled",
            };
            CardEnding::new("🚫", &scene.texts.get(key), elsewhere())
        }
        Outcome::Gone => CardEnding::new("👻", &scene.texts.get("telegram-gone"), Some(time())),
    }
}

/// Returns `Expired after 30 min`.
fn expired(entry: &Entry, scene: &CardContext<'_>, at: Timestamp) -> String {
    let age = time::age(scene, at - entry.ask.asked_at);
    scene.texts.with("telegram-expired", &[("age", age.into())])
}

fn refuses(answer: &Answer) -> bool {
    matches!(
        answer,
        Answer::Dismiss | Answer::Cancel | Answer::Grant(Grant::Reject { .. })
    )
}

/// Returns what was answered at the source itself, in a few words.
fn told(entry: &Entry, answers: Option<&[Vec<String>]>, scene: &CardContext<'_>) -> Option<String> {
    let answers = answers?;
    let what = match (&entry.ask.kind, answers) {
        (AskContent::Permission(_) | AskContent::Confirm(_) | AskContent::Unknown(_), _) => {
            let word = line(answers.first()?.first()?);
            let key = format!("telegram-told-{word}");
            if scene.texts.has(&key) {
                scene.texts.get(&key)
            } else {
                word
            }
        }
        (AskContent::Questions(_), [texts]) => says::texts(texts, scene),
        (AskContent::Questions(_), several) => says::count(several.len(), scene),
    };
    Some(what).filter(|what| !what.is_empty())
}
