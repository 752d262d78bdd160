//! The messages between two Beckons: asks with labels, and answers by index with the fingerprint of
//! what was seen. Re-enacts `sources/opencode/peer.rs` and `api/answers.rs`, which are not part of
//! the core.

use super::{Chain, HUB};
use beckon_core::{
    Answer, AnswerRefusal, Ask, AskContent, AskId, AskState, Choice, DeliveryFailure, Entry, Event,
    Fingerprint, Question, ReturnReason, SourceId, SourceReport, Surface,
};

/// An answer on its way to the hub.
#[derive(Clone, Debug)]
pub struct Request {
    own: String,
    answer: Answer,
    seen: Fingerprint,
    again: bool,
    /// Whether its sender died.
    pub orphan: bool,
}

impl Chain {
    /// Returns an ask of the hub as the watcher gets it: with labels that differ, without values.
    pub fn crossing(&mut self, entry: &Entry) -> Ask {
        let mut ask = entry.ask.clone();
        self.shown.insert(entry.ask.fingerprint(), ask.clone());
        ask.session.api = Some(entry.ask.fingerprint().to_string());
        ask.session.via = vec![HUB.into()];
        ask.id.source = SourceId(HUB.into());
        if let AskContent::Questions(questions) = &mut ask.kind {
            questions.iter_mut().for_each(told_apart);
        }
        ask
    }

    pub fn request(&mut self, entry: &Entry, answer: Answer) {
        let own = entry.ask.id.own.clone();
        let again = matches!(entry.state, AskState::Answering { attempts: 2.., .. });
        let seen = seen(&entry.ask);
        self.requests.push(Request {
            own,
            answer,
            seen,
            again,
            orphan: false,
        });
    }

    /// Delivers a request to the hub, or loses it; its response comes back, or is lost.
    pub fn next_request(&mut self) -> bool {
        if self.requests.is_empty() {
            return false;
        }
        let index = self.rng.below(self.requests.len());
        let request = self.requests.remove(index);
        let fate = if self.calm { 9 } else { self.rng.below(8) };
        self.note(|| format!("{request:?} fate {fate}"));
        let lost = Err(DeliveryFailure::Other("no route".into()));
        let said = match fate {
            0 => lost,
            1 => self.answer_at_hub(&request).and(lost),
            _ => self.answer_at_hub(&request),
        };
        let own = request.own;
        if !request.orphan {
            self.tell_watcher(match said {
                Ok(()) => SourceReport::Sent { own },
                Err(failure) => SourceReport::NotSent { own, failure },
            });
        }
        true
    }

    fn answer_at_hub(&mut self, request: &Request) -> Result<(), DeliveryFailure> {
        let Request {
            own,
            answer,
            seen,
            again,
            ..
        } = request;
        let found = self
            .hub
            .desk
            .find(own)
            .into_iter()
            .find(|id| id.own == *own);
        let id = found.ok_or(DeliveryFailure::NotFound)?;
        let entry = self.hub.desk.entry(&id);
        if let Some(why) = entry
            .filter(|_| *again)
            .and_then(|entry| entry.returned.clone())
        {
            return Err(DeliveryFailure::Returned(why));
        }
        let underway = |entry: &Entry| matches!(entry.state, AskState::Answering { .. });
        if *again && entry.is_some_and(underway) {
            return Ok(());
        }
        let (answer, seen, by) = (answer.clone(), Some(*seen), Surface::Api);
        let mut step = self.hub.take(
            Event::Answered {
                ask: id,
                answer,
                seen,
                by,
                responder: None,
            },
            self.now,
        );
        let verdict = step.verdict.take();
        if let Some(Ok(id)) = &verdict {
            self.count_crossing(id, request);
        }
        self.run_hub(step);
        match verdict {
            Some(Ok(_)) => Ok(()),
            Some(Err(AnswerRefusal::Changed)) => {
                Err(DeliveryFailure::Returned(ReturnReason::Changed))
            }
            Some(Err(AnswerRefusal::Invalid(why))) => Err(DeliveryFailure::Returned(
                ReturnReason::Refused(why.to_string()),
            )),
            _ => Err(DeliveryFailure::NotFound),
        }
        .inspect_err(|_| self.tally.refused += 1)
    }

    fn count_crossing(&mut self, id: &AskId, request: &Request) {
        self.tally.crossed += 1;
        self.tally.crossed_again += u64::from(request.again);
        let Some(entry) = self.hub.desk.entry(id) else {
            return;
        };
        if let Answer::Replies(replies) = &request.answer {
            let (choices, picked) = (&entry.ask.questions()[0].choices, replies[0].choices[0]);
            let twin = choices[..picked]
                .iter()
                .any(|it| it.label == choices[picked].label);
            self.tally.second_of_equals += u64::from(twin);
        }
    }
}

/// Returns the fingerprint that the hub's ask had when it crossed.
pub fn seen(ask: &Ask) -> Fingerprint {
    ask.session
        .api
        .as_deref()
        .unwrap_or_default()
        .parse()
        .expect("it crossed")
}

/// Gives the choices labels that differ and removes their values, since the dialect between the two
/// has none.
fn told_apart(question: &mut Question) {
    let labels = question.labels();
    question.choices = labels
        .into_iter()
        .map(|label| Choice {
            label,
            ..Choice::default()
        })
        .collect();
}
