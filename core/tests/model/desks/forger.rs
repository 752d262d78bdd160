//! A forger who writes to the hub without permission: without a key, with the key of another
//! subject, or in an unknown version. And a member gone bad, whose device is believed, and who
//! answers what it has not seen.

use super::hub::Sealed;
use super::{COUNT, Desks};
use beckon_core::hub::{AnswerRecord, AnswerSubject, AskSubject, RECORD_VERSION};

impl Desks {
    pub fn forge(&mut self) {
        let asks: Vec<(AskSubject, u32, String)> = self
            .hub
            .asks
            .iter()
            .map(|(subject, sealed)| {
                (
                    subject.clone(),
                    sealed.record.round,
                    sealed.record.shown.clone(),
                )
            })
            .collect();
        let Some((ask, round, shown)) = self.rng.pick(&asks) else {
            return;
        };
        // Now and then the forgery is for a round that is still to come.
        let round = round + self.rng.below(8) as u32 / 7;
        let to = AnswerSubject { ask, round };
        let sealed = match self.rng.below(4) {
            0 => Sealed {
                device: None,
                subject: to.subject(),
                record: None,
            },
            1 => Sealed {
                device: None,
                subject: to.subject(),
                record: Some(forged(shown)),
            },
            2 => Sealed {
                device: Some(COUNT),
                subject: to.subject(),
                record: Some(forged(shown)),
            },
            _ => return self.replay(to),
        };
        self.tally.forged += u64::from(self.put_answer(to, sealed));
    }

    /// Answers an ask as if its device had seen another content there.
    pub fn go_bad(&mut self) {
        let asks: Vec<(AskSubject, u32, String)> = self
            .hub
            .ever
            .iter()
            .map(|(subject, sealed)| {
                let record = &sealed.record;
                (subject.clone(), record.round, record.shown.clone())
            })
            .collect();
        let devices: Vec<usize> = self.hub.trusted.iter().copied().collect();
        let Some(device) = self.rng.pick(&devices) else {
            return;
        };
        let Some(((ask, round, shown), (_, _, other))) =
            self.rng.pick(&asks).zip(self.rng.pick(&asks))
        else {
            return;
        };
        if shown == other {
            return;
        }
        let to = AnswerSubject { ask, round };
        let sealed = Sealed {
            device: Some(device),
            subject: to.subject(),
            record: Some(forged(other)),
        };
        self.tally.gone_bad += u64::from(self.put_answer(to, sealed));
    }

    /// Publishes, byte for byte, a record that was signed for another subject.
    fn replay(&mut self, to: AnswerSubject) {
        let there: Vec<_> = self
            .hub
            .answers
            .values()
            .map(|(_, sealed)| sealed.clone())
            .collect();
        let Some(sealed) = self.rng.pick(&there) else {
            return;
        };
        self.tally.replayed += u64::from(self.put_answer(to, sealed));
    }
}

fn forged(shown: String) -> AnswerRecord {
    let answer = "{\"grant\":\"once\"}".into();
    AnswerRecord {
        v: RECORD_VERSION,
        shown,
        answer,
        nonce: "forged".into(),
        person: None,
        device: None,
        surface: None,
    }
}
