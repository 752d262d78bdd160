//! The reader of a stream of the hub: first what it holds of each subject, and then what comes.

use super::login::WITHIN;
use anyhow::{Context as _, Result};
use async_nats::datetime::DateTime;
use async_nats::jetstream::Context;
use async_nats::jetstream::consumer::DeliverPolicy;
use async_nats::jetstream::consumer::push::{Ordered, OrderedConfig};
use async_nats::jetstream::message::Message;
use futures_util::StreamExt;
use std::time::Duration;
use tokio::time::timeout;

/// A stream that is followed.
pub(super) struct Followed {
    messages: Ordered,
    /// The number of the records held at the beginning that have not come yet.
    behind: u64,
    /// The time of that beginning, by the hub's clock.
    begun_at: DateTime,
}

impl Followed {
    pub(super) async fn begin(jetstream: &Context, stream: &str, subjects: &str) -> Result<Self> {
        Self::begin_at(jetstream, stream, subjects, DeliverPolicy::LastPerSubject).await
    }

    /// Begins with another policy than the last record of each subject, such as all records.
    pub(super) async fn begin_at(
        jetstream: &Context,
        stream: &str,
        subjects: &str,
        deliver_policy: DeliverPolicy,
    ) -> Result<Self> {
        let config = OrderedConfig {
            deliver_subject: inbox(jetstream),
            filter_subject: subjects.to_owned(),
            deliver_policy,
            ..OrderedConfig::default()
        };
        let failed = || format!("Failed to hear the stream {stream}");
        let consumer = jetstream.create_consumer_on_stream(config, stream).await;
        let consumer = consumer.with_context(failed)?;
        let (behind, begun_at) = (
            consumer.cached_info().num_pending,
            consumer.cached_info().created,
        );
        let messages = consumer.messages().await.with_context(failed)?;
        Ok(Self {
            messages,
            behind,
            begun_at,
        })
    }

    /// Returns for how long a record published at that time had been there at the beginning, all by
    /// the hub's clock.
    pub(super) fn stood_since(&self, published: DateTime) -> Duration {
        let stood = self.begun_at - published;
        stood.try_into().unwrap_or_default()
    }

    /// Whether everything has come that it held at the beginning.
    pub(super) fn is_caught_up(&self) -> bool {
        self.behind == 0
    }

    /// Returns the next of the records held at the beginning. However long all of them take, a slow
    /// line counts as alive as long as something comes.
    pub(super) async fn next_held(&mut self) -> Result<Message> {
        let next = timeout(WITHIN, self.next()).await;
        next.context("it stopped telling")?
    }

    pub(super) async fn next(&mut self) -> Result<Message> {
        let message = self
            .messages
            .next()
            .await
            .context("a stream of the hub ended")?;
        let message = message.context("Failed to hear a stream of the hub")?;
        let pending = message.info().map_or(0, |info| info.pending);
        self.behind = self.behind.saturating_sub(1).min(pending);
        Ok(message)
    }
}

/// Returns the next record of a stream; of `None` there never is one.
pub(super) async fn next_of(stream: &mut Option<Followed>) -> Result<Message> {
    match stream {
        Some(stream) => stream.next().await,
        None => std::future::pending().await,
    }
}

fn inbox(jetstream: &Context) -> String {
    jetstream.client().new_inbox()
}
