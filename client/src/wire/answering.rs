//! The body of an answer, as the program that shows an ask sends it.

use super::responder::ClaimedResponder;
use beckon_core::{Answer, Fingerprint, Responder, Surface};
use serde::{Deserialize, Serialize};

/// The body of `POST /answer/{id}`.
#[derive(Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AnswerBody {
    /// The answer.
    pub answer: Answer,
    /// The fingerprint of what was seen. The answer is refused if the ask has changed since. A
    /// program that shows nothing leaves this out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen: Option<Fingerprint>,
    /// The surface on which it was given.
    pub by: Surface,
    /// Whether the answer may have been sent before, so that it must not count as a second one.
    /// Only another Beckon says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub again: Option<bool>,
    /// The person who answered at another Beckon, which vouches for that. Without it, and without
    /// `again`, the answer is that of this machine's user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub responder: Option<ClaimedResponder>,
}

impl AnswerBody {
    /// Whether another Beckon sent it before.
    pub fn is_sent_again(&self) -> bool {
        self.again == Some(true)
    }

    /// Returns who gave it, if another Beckon passes it on. An older Beckon, which has no word for
    /// that, says `again` and no name. Any other sender speaks for this machine's user.
    pub fn claimed(&self) -> Option<Responder> {
        let claim = self
            .responder
            .clone()
            .or_else(|| self.again.map(|_| ClaimedResponder::default()));
        claim.map(ClaimedResponder::into_responder)
    }

    /// Makes an answer that is given for the first time.
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
