//! The server at the far end of the chain: its asks and their names.

use super::SERVER;
use crate::world::Rng;
use beckon_core::{
    Ask, AskContent, AskId, Choice, Question, Session, SourceListing, Span, Timestamp,
};
use std::collections::BTreeMap;

#[derive(Debug, Default)]
pub struct Server {
    pub open: BTreeMap<AskId, Ask>,
    /// The last ask of each name.
    used: BTreeMap<AskId, Ask>,
    count: u32,
}

impl Server {
    pub fn ask(&mut self, rng: &mut Rng, now: Timestamp) -> Ask {
        let question = question(rng);
        self.open_as(AskContent::Questions(vec![question]), now)
    }

    /// Opens an ask under a new name. A name is not used again for the same content within ten
    /// minutes, since a late report about the former ask could not be told from one about the new
    /// ask.
    fn open_as(&mut self, kind: AskContent, now: Timestamp) -> Ask {
        let soon = |used: &Ask| used.kind == kind && now - used.asked_at < Span::minutes(10);
        let id = loop {
            self.count += 1;
            let id = AskId::new(SERVER, format!("que_{}", self.count));
            if !self.used.get(&id).is_some_and(soon) {
                break id;
            }
        };
        let session = Session {
            id: "ses".into(),
            ..Session::default()
        };
        let ask = Ask {
            id: id.clone(),
            kind,
            session,
            call: None,
            asked_at: now,
        };
        self.used.insert(id.clone(), ask.clone());
        self.open.insert(id, ask.clone());
        ask
    }

    /// Starts the server anew: its agents ask the same again, and the numbers begin anew as well, a
    /// little later.
    pub fn rename(&mut self, now: Timestamp) -> Vec<Ask> {
        let asks = std::mem::take(&mut self.open);
        self.count = self.count.saturating_sub(asks.len() as u32 / 2);
        asks.into_values()
            .map(|ask| self.open_as(ask.kind, now))
            .collect()
    }

    pub fn list(&self) -> SourceListing {
        let asks = self.open.values().map(|ask| (ask.clone(), true)).collect();
        SourceListing {
            asks,
            ..SourceListing::default()
        }
    }
}

/// Makes a question whose choices have equal labels and different values.
fn question(rng: &mut Rng) -> Question {
    let choice = |label: &str, value: &str| Choice {
        label: label.into(),
        value: Some(value.into()),
        ..Choice::default()
    };
    let drops = ["prod", "staging", "test"].map(|value| choice("Drop it", value));
    let mut choices: Vec<Choice> = drops.into();
    choices.insert(rng.below(4), choice("Keep it", "keep"));
    choices.rotate_left(rng.below(4));
    Question {
        question: "Which?".into(),
        choices,
        ..Question::default()
    }
}

/// Returns the server's value for a label as the human read it: the second of equal labels is shown
/// as "label (2)".
pub fn value(ask: &Ask, read: &str) -> String {
    let choices = &ask.questions()[0].choices;
    let (label, nth) = match read
        .strip_suffix(')')
        .and_then(|read| read.split_once(" ("))
    {
        Some((label, nth)) => (label, nth.parse().expect("a number")),
        None => (read, 1),
    };
    let mut same = choices.iter().filter(|choice| choice.label == label);
    same.nth(nth - 1_usize)
        .expect("there is one")
        .delivered()
        .to_owned()
}
