//! The body of an answer, as whoever shows an ask sends it.

use super::responder::ClaimedResponder;
use beckon_core::{Answer, Fingerprint, Responder, Surface};
use serde::{Deserialize, Serialize};

/// The body of `POST /answer/{id}`.
#[derive(Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AnswerBody {
    /// The answer.
    pub answer: Answer,
    /// What was seen: refused when the ask is another by now. A program that shows nothing says
    /// nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen: Option<Fingerprint>,
    /// Where it was given.
    pub by: Surface,
    /// From another Beckon: it may have been sent before, and is not to be taken for a second one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub again: Option<bool>,
    /// From another Beckon: who answered there. It stands as its word. Without it, and without
    /// `again`, the answer is that of this machine's user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub responder: Option<ClaimedResponder>,
}

impl AnswerBody {
    /// Was it sent before, by another Beckon?
    pub fn is_sent_again(&self) -> bool {
        self.again == Some(true)
    }

    /// Who gave it, if another Beckon passes it on: one from before there was a word for that says
    /// `again`, and no name. Whoever else sends it speaks for this machine's user.
    pub fn claimed(&self) -> Option<Responder> {
        let claim = self
            .responder
            .clone()
            .or_else(|| self.again.map(|_| ClaimedResponder::default()));
        claim.map(ClaimedResponder::into_responder)
    }

    /// An answer that somebody gives for the first time.
    pub fn new(answer: Answer, seen: Option<Fingerprint>, by: Surface) -> Self {
        Self {
            answer,
            seen,
            by,
            again: None,
            responder: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use beckon_core::Voucher;

    fn claimed(beside: &str) -> Option<Responder> {
        let body = format!(r#"{{"answer":"continue","by":"api"{beside}}}"#);
        serde_json::from_str::<AnswerBody>(&body).unwrap().claimed()
    }

    #[test]
    fn whoever_says_nothing_of_a_person_speaks_for_this_machines_user() {
        assert_eq!(claimed(""), None);
        assert_eq!(
            claimed(r#","person":"Eve","vouched":"machine""#),
            None,
            "no key of ours"
        );
    }

    #[test]
    fn an_older_beckon_that_passes_an_answer_on_says_of_nobody() {
        let nobody = Responder::new(None, None, Voucher::Peer { name: None });
        assert_eq!(claimed(r#","again":false"#), Some(nobody.clone()));
        assert_eq!(claimed(r#","again":true"#), Some(nobody));
    }

    #[test]
    fn what_is_claimed_of_a_person_is_another_beckons_word_and_hides_nothing() {
        let eve = claimed(r#","responder":{"person":"Ev\u202ee","device":"x\u001b[2J"}"#).unwrap();
        assert_eq!(
            eve.vouched,
            Voucher::Peer { name: None },
            "never this machine's"
        );
        assert_eq!(eve.person.as_deref(), Some("Ev⟨U+202E⟩e"));
        assert_eq!(eve.device.as_deref(), Some("x⟨U+001B⟩[2J"));
        let forged = r#","responder":{"person":"Ada","vouched":"machine","peer":"hub"}"#;
        let peer = Voucher::Peer {
            name: Some("hub".into()),
        };
        assert_eq!(claimed(forged).map(|forged| forged.vouched), Some(peer));
    }
}
