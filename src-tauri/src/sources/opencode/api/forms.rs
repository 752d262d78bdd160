//! The state that is kept of a 2.x server beside the way to it.

use beckon_client::text::Texts;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The context that the forms of one server need.
#[derive(Clone)]
pub(in crate::sources::opencode) struct FormContext {
    /// The words for the choices that a form does not spell out.
    pub(in crate::sources::opencode) texts: Arc<Texts>,
    pub(in crate::sources::opencode) sent: SentForms,
}

impl FormContext {
    pub(in crate::sources::opencode) fn new(texts: Arc<Texts>) -> Self {
        Self {
            texts,
            sent: SentForms::default(),
        }
    }
}

/// The forms whose answers were sent and not confirmed, with the typed values that were sent. An
/// event tells an answer by those values only, so comparing them shows whether the answer is ours.
#[derive(Clone, Default)]
pub(in crate::sources::opencode) struct SentForms(Arc<Mutex<BTreeMap<String, Map<String, Value>>>>);

impl SentForms {
    pub(in crate::sources::opencode) fn note(&self, form: &str, answer: &Map<String, Value>) {
        let mut sent = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        sent.insert(form.to_owned(), answer.clone());
    }

    /// Tells whether this is the answer that we sent, and forgets what was sent in any case.
    pub(in crate::sources::opencode) fn is_ours(
        &self,
        form: &str,
        answer: &Map<String, Value>,
    ) -> bool {
        let mut sent = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        sent.remove(form).as_ref() == Some(answer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_ours_once_and_only_with_the_very_values_that_were_sent() {
        let answer = |colour: &str| Map::from_iter([("colour".to_owned(), Value::from(colour))]);
        let sent = SentForms::default();
        assert!(!sent.is_ours("f", &answer("red")));
        sent.note("f", &answer("red"));
        assert!(sent.is_ours("f", &answer("red")));
        assert!(!sent.is_ours("f", &answer("red")), "it was over");
        sent.note("f", &answer("red"));
        assert!(!sent.is_ours("f", &answer("blue")));
    }
}
