//! The records of a device that was taken off. Its asks and its presence are removed from the hub,
//! so that they take no room there and nobody has to read them. What it answered and logged stays:
//! that is the history of others.

use crate::hub::follow::Followed;
use crate::hub::streams;
use anyhow::{Context as _, Result};
use async_nats::jetstream::Context;
use beckon_core::hub::{AskSubject, Envelope, HereSubject};
use std::collections::BTreeSet;

/// The streams in which a device has records of its own.
pub(super) const CLEARED: [&str; 2] = [streams::ASKS, streams::HERE];

/// Removes the records of the device with that key.
pub(super) async fn clear_place(jetstream: &Context, key: &str) -> Result<()> {
    for (stream, every) in CLEARED
        .into_iter()
        .zip([AskSubject::every(), HereSubject::every()])
    {
        let subjects = subjects_of(jetstream, (stream, &every), key).await?;
        for subject in subjects {
            let cleared = jetstream.get_stream_no_info(stream).await;
            let cleared = cleared.context("Failed to find a stream")?;
            let cleared = cleared.purge().filter(subject).await;
            cleared.context("Failed to clear a place on the hub")?;
        }
    }
    Ok(())
}

/// Returns the subjects of which that device has written the last record, whoever's place each is.
async fn subjects_of(
    jetstream: &Context,
    (stream, every): (&str, &str),
    key: &str,
) -> Result<BTreeSet<String>> {
    let mut held = Followed::begin(jetstream, stream, every).await?;
    let mut subjects = BTreeSet::new();
    while !held.is_caught_up() {
        let message = held.next_held().await?;
        let is_its = Envelope::read(&message.payload).is_ok_and(|it| it.key == key);
        if is_its {
            subjects.insert(message.subject.to_string());
        }
    }
    Ok(subjects)
}
