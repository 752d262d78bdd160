//! The records that go out in the order in which they are told, and answers, whose end somebody
//! waits for.

use super::key::DeviceKey;
use super::trust::Trust;
use super::{OutgoingAnswer, Publication, streams};
use crate::platform::part;
use anyhow::{Context as _, Result};
use async_nats::jetstream::Context;
use beckon_client::text::words;
use beckon_core::hub::{AnswerRecord, Envelope};
use serde::Serialize;
use tokio::sync::mpsc::UnboundedSender;

/// Publishes a record, in order; the hub's acknowledgement is heard later.
pub(super) async fn publish(
    jetstream: &Context,
    key: &DeviceKey,
    (subject, record): (String, &impl Serialize),
    failed: &UnboundedSender<String>,
) -> Result<()> {
    let body = sealed(key, &subject, record)?;
    let acknowledged = jetstream.publish(subject, body.into()).await;
    let acknowledged = acknowledged.context("Failed to tell the hub")?;
    let failed = failed.clone();
    part::spawn(async move {
        if let Err(error) = acknowledged.await {
            let _ = failed.send(format!("it does not take what it is told: {error}"));
        }
    });
    Ok(())
}

pub(super) fn sealed(key: &DeviceKey, subject: &str, record: &impl Serialize) -> Result<String> {
    let body = serde_json::to_string(record).context("Failed to write a record for the hub")?;
    Ok(key.seal(subject, body).write())
}

/// Publishes an answer. If it is unclear whether it arrived, the hub's answer of that round is read
/// back.
pub(super) async fn publish_answer(
    jetstream: &Context,
    (key, trust): (&DeviceKey, &Trust),
    answer: &OutgoingAnswer,
) -> Publication {
    if answer.again {
        match read_back(jetstream, trust, answer).await {
            Ok(None) => {}
            Ok(Some(known)) => return known,
            Err(error) => return Publication::Unknown(words::causes(&error)),
        }
    }
    let sent = async {
        let subject = answer.to.subject();
        let body = sealed(key, &subject, &answer.record)?;
        jetstream.publish(subject, body.into()).await?.await?;
        anyhow::Ok(())
    };
    let Err(error) = sent.await else {
        return Publication::Kept;
    };
    match read_back(jetstream, trust, answer).await {
        Ok(Some(known)) => known,
        Ok(None) => Publication::Unknown(words::causes(&error)),
        Err(error) => Publication::Unknown(words::causes(&error)),
    }
}

/// Returns which answer the hub has for that round: ours is known by its nonce.
async fn read_back(
    jetstream: &Context,
    trust: &Trust,
    answer: &OutgoingAnswer,
) -> Result<Option<Publication>> {
    use async_nats::jetstream::stream::LastRawMessageErrorKind::NoMessageFound;
    let stream = jetstream.get_stream_no_info(streams::ANSWERS).await;
    let stream = stream.context("Failed to look for the answers")?;
    match stream
        .get_last_raw_message_by_subject(&answer.to.subject())
        .await
    {
        Ok(message) => {
            let is_ours = nonce(&message.payload).is_some_and(|it| it == answer.record.nonce);
            let winner = || {
                trust
                    .open(&message.subject, &message.payload)
                    .ok()
                    .map(Box::new)
            };
            Ok(Some(if is_ours {
                Publication::Kept
            } else {
                Publication::Lost(winner())
            }))
        }
        Err(error) if error.kind() == NoMessageFound => Ok(None),
        Err(error) => Err(error).context("Failed to read an answer back"),
    }
}

fn nonce(payload: &[u8]) -> Option<String> {
    let envelope = Envelope::read(payload).ok()?;
    serde_json::from_str(&envelope.body)
        .ok()
        .map(|there: AnswerRecord| there.nonce)
}
