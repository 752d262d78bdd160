//! Devices without a Beckon behind them, which write answers to the hub as one would, and listen
//! for what many machines ask.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD as BASE64;
use beckon_core::hub::{AnswerRecord, AnswerSubject, AskRecord, AskSubject, Envelope, SharedState};
use beckon_support::nats::Nats;
use futures_util::StreamExt;
use ring::signature::{Ed25519KeyPair, KeyPair};
use std::collections::BTreeSet;

/// A device with a key and a connection of its own.
pub(super) struct Device {
    key: Ed25519KeyPair,
    pub(super) client: async_nats::Client,
}

impl Device {
    pub(super) async fn connect(hub: &Nats, number: u8) -> Self {
        let client = async_nats::connect(hub.url()).await.unwrap();
        Self {
            key: key(number),
            client,
        }
    }

    pub(super) fn sealed(&self, subject: &str, record: &impl serde::Serialize) -> String {
        sealed(&self.key, subject, record)
    }

    /// Publishes an answer to that round; returns whether the hub keeps it.
    pub(super) async fn answers(&self, asked: &Asked, choice: usize) -> bool {
        let record = answer(asked, choice);
        let sealed = self.sealed(&asked.to.subject(), &record);
        publish(&self.client, asked.to.subject(), sealed).await
    }
}

/// Publishes a message; returns whether it is acknowledged.
pub(super) async fn publish(client: &async_nats::Client, subject: String, payload: String) -> bool {
    let jetstream = async_nats::jetstream::new(client.clone());
    match jetstream.publish(subject, payload.into()).await {
        Ok(acknowledged) => acknowledged.await.is_ok(),
        Err(_) => false,
    }
}

pub(super) fn sealed(
    key: &Ed25519KeyPair,
    subject: &str,
    record: &impl serde::Serialize,
) -> String {
    let body = serde_json::to_string(record).unwrap();
    let signature = BASE64.encode(key.sign(&Envelope::signed_bytes(subject, &body)));
    Envelope {
        key: BASE64.encode(key.public_key()),
        signature,
        body,
    }
    .write()
}

/// Returns the key of the device with that number.
pub(super) fn key(number: u8) -> Ed25519KeyPair {
    Ed25519KeyPair::from_seed_unchecked(&[number; 32]).unwrap()
}

/// Returns the list of these devices, as the settings contain it.
pub(super) fn listed(numbers: impl IntoIterator<Item = u8>) -> String {
    let named = numbers.into_iter().map(|number| {
        let public = BASE64.encode(key(number).public_key());
        format!("crowd{number} = \"{public}\"")
    });
    named.collect::<Vec<_>>().join(", ")
}

/// An ask that is on the hub in a round.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    pub(super) to: AnswerSubject,
    pub(super) record: AskRecord,
}

pub(super) fn answer(asked: &Asked, choice: usize) -> AnswerRecord {
    AnswerRecord {
        v: 1,
        shown: asked.record.shown.clone(),
        answer: format!("{{\"replies\":[{{\"choices\":[{choice}],\"text\":null}}]}}"),
        nonce: format!("crowd {choice}"),
        person: None,
        device: None,
        surface: None,
    }
}

/// A listener for asks on the hub.
pub(super) struct Listener {
    messages: async_nats::Subscriber,
    known: BTreeSet<(u64, u32)>,
}

impl Listener {
    pub(super) async fn begin(hub: &Nats) -> Self {
        let client = async_nats::connect(hub.url()).await.unwrap();
        let messages = client.subscribe("bk.ask.>").await.unwrap();
        client.flush().await.unwrap();
        Self {
            messages,
            known: BTreeSet::new(),
        }
    }

    /// Waits for the next round of an ask that is open.
    pub(super) async fn next_open(&mut self) -> Asked {
        loop {
            let (ask, record) = self.next().await;
            let is_new = self.known.insert((ask.serial, record.round));
            if record.state == SharedState::Open && is_new {
                return Asked {
                    to: AnswerSubject {
                        ask,
                        round: record.round,
                    },
                    record,
                };
            }
        }
    }

    pub(super) async fn ended(&mut self, ask: &AskSubject) {
        loop {
            let (subject, record) = self.next().await;
            if subject == *ask && record.is_ended() {
                return;
            }
        }
    }

    async fn next(&mut self) -> (AskSubject, AskRecord) {
        let next = tokio::time::timeout(super::SOON, self.messages.next()).await;
        let message = next.expect("something is told").unwrap();
        let envelope = Envelope::read(&message.payload).unwrap();
        let subject = AskSubject::parse(&message.subject).unwrap();
        (subject, serde_json::from_str(&envelope.body).unwrap())
    }
}
