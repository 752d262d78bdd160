//! The look for answers that came before their owner listened. An owner hears answers as they come.
//! Earlier ones are looked up only where they can still matter: in the place of a round, when that
//! is told over a connection for the first time. So answers that are over are never read, however
//! many of them the hub has kept.
//!
//! Not here: which answer counts (`beckon_core::hub`).

use super::incoming::read_answer;
use super::trust::Trust;
use super::{HubReport, streams};
use crate::platform::part;
use crate::platform::sink::Sink;
use anyhow::{Context as _, Result};
use async_nats::jetstream::Context;
use async_nats::jetstream::stream::LastRawMessageErrorKind::NoMessageFound;
use beckon_client::text::words;
use beckon_core::hub::{AnswerSubject, AskRecord, AskSubject, SharedState};
use std::collections::BTreeMap;
use tokio::sync::mpsc::UnboundedSender;

/// The rounds whose places were looked at over one connection, by their asks.
#[derive(Debug, Default)]
pub(super) struct Places(BTreeMap<u64, u32>);

impl Places {
    /// Returns the place to be looked at, now that this is told of an own ask.
    pub(super) fn next(&mut self, ask: &AskSubject, told: &AskRecord) -> Option<AnswerSubject> {
        match told.state {
            SharedState::Open => {
                let former = self.0.insert(ask.serial, told.round);
                let to = AnswerSubject {
                    ask: ask.clone(),
                    round: told.round,
                };
                (former != Some(told.round)).then_some(to)
            }
            SharedState::Answering(_) => None,
            SharedState::Ended(_) => {
                self.0.remove(&ask.serial);
                None
            }
        }
    }
}

/// Looks whether an answer is there already; it is heard like any other.
pub(super) fn look(
    (jetstream, trust): (Context, Trust),
    to: AnswerSubject,
    reports: Sink<HubReport>,
    failed: UnboundedSender<String>,
) {
    part::spawn(async move {
        match answer_there(&jetstream, &to).await {
            Ok(Some(payload)) => {
                reports.post(HubReport::Answered(read_answer(&trust, to, &payload)));
            }
            Ok(None) => {}
            Err(error) => _ = failed.send(words::causes(&error)),
        }
    });
}

async fn answer_there(jetstream: &Context, to: &AnswerSubject) -> Result<Option<Vec<u8>>> {
    let stream = jetstream.get_stream_no_info(streams::ANSWERS).await;
    let stream = stream.context("Failed to look for answers")?;
    match stream.get_last_raw_message_by_subject(&to.subject()).await {
        Ok(message) => Ok(Some(message.payload.to_vec())),
        Err(error) if error.kind() == NoMessageFound => Ok(None),
        Err(error) => Err(error).context("Failed to look for an answer"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use beckon_core::hub::SharedEnd;

    fn told(round: u32, state: SharedState) -> AskRecord {
        let text = r#"{"v":1,"machine":"m","name":"n","round":1,"shown":"s","state":"open"}"#;
        AskRecord {
            round,
            state,
            ..serde_json::from_str(text).unwrap()
        }
    }

    #[test]
    fn the_place_of_each_round_is_looked_at_once_while_somebody_asks_in_it() {
        let ask = AskSubject {
            node: "Ab3d".into(),
            serial: 7,
        };
        let mut places = Places::default();
        let mut next = |round, state| places.next(&ask, &told(round, state)).map(|to| to.round);
        assert_eq!(next(1, SharedState::Open), Some(1));
        assert_eq!(next(1, SharedState::Open), None, "it has only changed");
        assert_eq!(next(1, SharedState::Answering(None)), None);
        assert_eq!(next(2, SharedState::Open), Some(2));
        assert_eq!(next(2, SharedState::Ended(SharedEnd::Gone)), None);
        assert_eq!(next(3, SharedState::Open), Some(3), "it has come back");
    }
}
