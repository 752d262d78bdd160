//! The streams on the hub and their rules. A stream with other rules is not used: of two answers it
//! might keep the later one.

use super::AWAY_AFTER;
use anyhow::{Context as _, Result};
use async_nats::datetime::DateTime;
use async_nats::jetstream::Context;
use async_nats::jetstream::context::{GetStreamError, GetStreamErrorKind};
use async_nats::jetstream::stream::{Config, DiscardPolicy, RetentionPolicy, StorageType};
use beckon_core::Span;
use beckon_core::hub::{ANSWER_LIVES, LARGEST_RECORD, LEASE_LIVES};
use std::time::Duration;

pub(super) const ASKS: &str = "BK_ASKS";
pub(super) const ANSWERS: &str = "BK_ANSWERS";
pub(super) const HERE: &str = "BK_HERE";
pub(super) const DESK: &str = "BK_DESK";
pub(super) const LEASE: &str = "BK_LEASE";
pub(super) const CARDS: &str = "BK_CARDS";
pub(super) const CHATS: &str = "BK_CHATS";
pub(super) const LOG: &str = "BK_LOG";

/// The streams that there are or may be: devices read them.
pub(super) const ALL: [&str; 8] = [ASKS, ANSWERS, HERE, DESK, LEASE, CARDS, CHATS, LOG];
/// The subjects that devices write; the desk record is none of them.
pub(super) const WRITTEN_BY_DEVICES: [&str; 7] = [
    "bk.ask.>",
    "bk.answer.>",
    "bk.here.>",
    "bk.lease.>",
    "bk.card.>",
    "bk.chats.>",
    "bk.log.>",
];

/// How long ended asks are kept: a machine that comes back within that time learns of them. Open
/// ones are written anew by their owners.
const ENDED_KNOWN: Duration = Duration::from_secs(7 * 24 * 3_600);

/// How long the log is kept: as long as a machine keeps its own history.
const LOG_KEPT: Duration = Duration::from_secs(365 * 24 * 3_600);

/// The number of records of one machine that are kept; it writes some fifty a day. Nobody may take
/// records away, so a machine that writes without an end would fill the hub's disk for a year; so
/// it only loses its own.
const LOG_OF_ONE: i64 = 20_000;

/// The error for a stream that is there with other rules.
#[derive(Debug, thiserror::Error)]
#[error("the stream {0} has other rules")]
pub(super) struct OtherRules(pub(super) &'static str);

/// Makes the streams that are missing, and checks those that are there; that of the desk only where
/// somebody administers one. Returns when the stream of the asks was made.
pub(super) async fn ensure(jetstream: &Context, has_desk: bool) -> Result<DateTime> {
    let mut made = None;
    for (name, config) in wanted(has_desk) {
        let stream = jetstream.get_or_create_stream(config.clone()).await;
        let stream = stream.with_context(|| format!("Failed to make the stream {name}"))?;
        if !is_as_ours(&stream.cached_info().config, &config) {
            return Err(OtherRules(name).into());
        }
        if name == ASKS {
            made = Some(stream.cached_info().created);
        }
    }
    made.context("Failed to make the stream of the asks")
}

/// Sets the limits that an earlier Beckon had not set, for answers and the log. A device that may
/// not change streams goes on with either rules.
pub(super) async fn bound(jetstream: Context) {
    if let Err(error) = try_bound(&jetstream).await {
        tracing::debug!(
            error = format!("{error:#}"),
            "the limits of streams can't be set"
        );
    }
}

async fn try_bound(jetstream: &Context) -> Result<()> {
    for name in [ANSWERS, LOG] {
        let there = jetstream.get_stream(name).await;
        let there = there.context("Failed to look at a stream")?;
        let config = &there.cached_info().config;
        let bounded = bounded(config);
        if bounded != *config {
            let changed = jetstream.update_stream(bounded).await;
            changed.context("Failed to change a stream")?;
            tracing::info!(name, "the limits of a stream were set");
        }
    }
    Ok(())
}

/// Returns that stream's configuration with the limits that an earlier Beckon had not set.
fn bounded(there: &Config) -> Config {
    let mut bounded = there.clone();
    if there.name == ANSWERS && there.max_age.is_zero() {
        bounded.max_age = lasting(ANSWER_LIVES);
    }
    if there.name == LOG && there.max_messages_per_subject == -1 {
        bounded.max_messages_per_subject = LOG_OF_ONE;
    }
    bounded
}

/// Returns the streams that are missing, or have other rules.
pub(super) async fn odd(jetstream: &Context, has_desk: bool) -> Result<Vec<String>> {
    let mut odd = Vec::new();
    for (name, config) in wanted(has_desk) {
        match jetstream.get_stream(name).await {
            Ok(stream) if is_as_ours(&stream.cached_info().config, &config) => {}
            Ok(_) => odd.push(name.to_owned()),
            Err(error) if is_missing(&error) => odd.push(name.to_owned()),
            Err(error) => return Err(error).context("Failed to look at a stream"),
        }
    }
    Ok(odd)
}

fn is_missing(error: &GetStreamError) -> bool {
    matches!(error.kind(), GetStreamErrorKind::JetStream(error) if error.code() == 404)
}

fn wanted(has_desk: bool) -> impl Iterator<Item = (&'static str, Config)> {
    let desk = has_desk.then(|| (DESK, desk()));
    let asks = [(ASKS, asks()), (ANSWERS, answers()), (HERE, here())];
    let bot = [(LEASE, lease()), (CARDS, cards()), (CHATS, chats())];
    asks.into_iter()
        .chain(bot)
        .chain([(LOG, log())])
        .chain(desk)
}

/// Returns the stream of asks: the owner's last record of each.
fn asks() -> Config {
    Config {
        name: ASKS.into(),
        subjects: vec!["bk.ask.>".into()],
        max_messages_per_subject: 1,
        discard: DiscardPolicy::Old,
        max_age: ENDED_KNOWN,
        ..common()
    }
}

/// Returns the stream of answers: the first one to each round.
fn answers() -> Config {
    Config {
        name: ANSWERS.into(),
        subjects: vec!["bk.answer.>".into()],
        max_messages_per_subject: 1,
        discard: DiscardPolicy::New,
        discard_new_per_subject: true,
        max_age: lasting(ANSWER_LIVES),
        deny_delete: true,
        deny_purge: true,
        ..common()
    }
}

/// Returns the stream of who is online.
fn here() -> Config {
    Config {
        name: HERE.into(),
        subjects: vec!["bk.here.>".into()],
        max_messages_per_subject: 1,
        discard: DiscardPolicy::Old,
        max_age: AWAY_AFTER,
        // The window must not be longer than the records live, or the server refuses the stream.
        duplicate_window: AWAY_AFTER,
        storage: StorageType::Memory,
        ..common()
    }
}

/// Returns the stream of who serves which bot. It is on the disk: a hub that was killed and is back
/// has not forgotten it.
fn lease() -> Config {
    let lives = lasting(LEASE_LIVES);
    Config {
        name: LEASE.into(),
        subjects: vec!["bk.lease.>".into()],
        max_messages_per_subject: 1,
        discard: DiscardPolicy::Old,
        max_age: lives,
        duplicate_window: lives,
        ..common()
    }
}

/// Returns the stream of which messages are which cards.
fn cards() -> Config {
    Config {
        name: CARDS.into(),
        subjects: vec!["bk.card.>".into()],
        max_messages_per_subject: 1,
        discard: DiscardPolicy::Old,
        max_age: ENDED_KNOWN,
        ..common()
    }
}

/// Returns the stream of which chats may answer by which bot.
fn chats() -> Config {
    Config {
        name: CHATS.into(),
        subjects: vec!["bk.chats.>".into()],
        max_messages_per_subject: 1,
        discard: DiscardPolicy::Old,
        ..common()
    }
}

/// Returns the stream of what happened to each ask, for later readers.
fn log() -> Config {
    Config {
        name: LOG.into(),
        subjects: vec!["bk.log.>".into()],
        max_messages_per_subject: LOG_OF_ONE,
        discard: DiscardPolicy::Old,
        max_age: LOG_KEPT,
        deny_delete: true,
        deny_purge: true,
        ..common()
    }
}

/// Returns the stream of who belongs to the desk, as its admin has signed it last.
fn desk() -> Config {
    Config {
        name: DESK.into(),
        subjects: vec!["bk.desk.>".into()],
        max_messages_per_subject: 1,
        discard: DiscardPolicy::Old,
        deny_delete: true,
        deny_purge: true,
        ..common()
    }
}

fn lasting(span: Span) -> Duration {
    Duration::from_millis(u64::try_from(span.0).unwrap_or_default())
}

fn common() -> Config {
    Config {
        retention: RetentionPolicy::Limits,
        storage: StorageType::File,
        max_messages: -1,
        max_bytes: -1,
        max_consumers: -1,
        max_message_size: i32::try_from(LARGEST_RECORD).unwrap_or(i32::MAX),
        num_replicas: 1,
        ..Config::default()
    }
}

fn is_as_ours(there: &Config, ours: &Config) -> bool {
    let rules = |config: &Config| {
        (
            (
                config.subjects.clone(),
                config.max_messages_per_subject,
                config.retention,
            ),
            (config.discard, config.discard_new_per_subject),
            (
                config.deny_delete,
                config.deny_purge,
                config.storage,
                config.max_messages,
            ),
            (
                config.max_bytes,
                config.max_message_size,
                config.allow_rollup,
                config.sealed,
            ),
            (
                config.mirror.is_some(),
                config.sources.is_some(),
                config.no_ack,
            ),
        )
    };
    let there = bounded(there);
    there.max_age == ours.max_age && rules(&there) == rules(ours)
}

#[cfg(test)]
mod tests {
    use super::*;
    use beckon_core::hub::ASK_LIVES;

    #[test]
    fn asks_live_as_long_as_whoever_renews_them_reckons() {
        assert_eq!(ENDED_KNOWN, lasting(ASK_LIVES));
        assert!(is_as_ours(
            &Config {
                max_age: Duration::ZERO,
                ..answers()
            },
            &answers()
        ));
        assert!(!is_as_ours(
            &Config {
                max_age: Duration::ZERO,
                ..asks()
            },
            &asks()
        ));
    }
}
