//! What a device asks of the one who administers the desk, and what it is told: each signed for its
//! subject, and each answer for its question.

use super::fault::DeskRefusal;
use super::key::{self, DeviceKey};
use super::login::WITHIN;
use super::serving::door::{self, NoDoor};
use super::trust;
use anyhow::{Context as _, Result};
use async_nats::{Client, RequestErrorKind};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD as BASE64;
use beckon_core::hub::Envelope;
use beckon_core::hub::team::Team;
use rand::Rng;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// What is asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum DeskRequest {
    /// To be put onto the desk; the bearer of a code asks. The login signs [`enrolling`].
    Enrol {
        name: String,
        login: String,
        #[serde(default)]
        proof: String,
    },
    /// To be taken off it, as it stands in that revision.
    Leave { revision: u64 },
    /// For a code by which a device of that person joins; the admin asks.
    Invite { person: Option<String> },
    /// To take that device off; the admin asks.
    Remove { device: String },
    /// To go by these rules; the admin asks.
    Rules { team: Team },
}

/// What is told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum DeskReply {
    /// It is on the desk by that name, as that person's; the certificate that the server's is signed by.
    /// An older admin does not say whose it is.
    Enrolled {
        name: String,
        #[serde(default)]
        person: Option<String>,
        ca: Option<String>,
    },
    /// It is off.
    Removed,
    /// They are the rules.
    Ruled,
    /// A code, for how many seconds it is good, and whose device joins by it.
    Invited {
        code: String,
        seconds: u64,
        person: String,
    },
    /// It is done as far as the list goes; why nats-server goes by an older one.
    NotLoaded(String),
    /// It is not done.
    Refused(DeskRefusal),
}

#[derive(Debug, Serialize, Deserialize)]
struct Question {
    nonce: String,
    request: DeskRequest,
}

#[derive(Debug, Serialize, Deserialize)]
struct Telling {
    nonce: String,
    reply: DeskReply,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoReply {
    /// Nobody is there who administers it.
    #[error("nobody administers the hub at the moment")]
    NotServed,
    /// Nothing came in time.
    #[error("there is no answer")]
    Silent,
    /// What came is not signed by its admin, or answers something else.
    #[error("the answer isn't the admin's")]
    Forged,
    /// Something else is amiss.
    #[error("{0}")]
    Failed(String),
}

/// A question as it was heard.
pub(super) struct HeardQuestion {
    /// Who has signed it.
    pub(super) key: String,
    pub(super) request: DeskRequest,
    pub(super) nonce: String,
}

/// Returns what a login signs that comes onto the desk: for which code, and with which device.
pub(super) fn enrolling(subject: &str, key: &str) -> String {
    format!("{subject} {key}")
}

/// A question on its way: its envelope, and by what its answer is known.
pub(super) fn write(
    key: &DeviceKey,
    subject: &str,
    request: DeskRequest,
) -> Result<(String, String)> {
    let nonce: [u8; 16] = rand::rng().random();
    let nonce = BASE64.encode(nonce);
    let question = Question {
        nonce: nonce.clone(),
        request,
    };
    let body = serde_json::to_string(&question).context("Failed to write a question")?;
    Ok((key.seal(subject, body).write(), nonce))
}

/// Asks, and waits for what its admin says.
///
/// # Errors
/// When nothing comes that can be believed.
pub(super) async fn ask(
    (client, admin): (&Client, &str),
    subject: &str,
    (payload, nonce): (String, String),
) -> Result<DeskReply, NoReply> {
    let asked = tokio::time::timeout(WITHIN, client.request(subject.to_owned(), payload.into()));
    let message = match asked.await {
        Ok(Ok(message)) => message,
        Ok(Err(error)) => return Err(no_reply(&error)),
        Err(_) => return Err(NoReply::Silent),
    };
    open_answer(admin, subject, &nonce, &message.payload)
}

/// Asks whoever keeps the desk of that folder, on this machine.
///
/// # Errors
/// As [`ask`].
pub(super) async fn ask_here(
    key: &DeviceKey,
    folder: &Path,
    request: DeskRequest,
) -> Result<DeskReply, NoReply> {
    let question = write(key, door::SUBJECT, request);
    let (question, nonce) = question.map_err(|error| NoReply::Failed(error.to_string()))?;
    let answer = match door::ask(folder, &question).await {
        Ok(answer) => answer,
        Err(NoDoor::NotServed) => return Err(NoReply::NotServed),
        Err(NoDoor::Failed(error)) => return Err(NoReply::Failed(format!("{error:#}"))),
    };
    open_answer(&key.public(), door::SUBJECT, &nonce, &answer)
}

fn open_answer(
    admin: &str,
    subject: &str,
    nonce: &str,
    payload: &[u8],
) -> Result<DeskReply, NoReply> {
    let told = trust::open_of::<Telling>(admin, &reply_to(subject), payload);
    let told = told.ok().filter(|told| told.nonce == nonce);
    Ok(told.ok_or(NoReply::Forged)?.reply)
}

fn no_reply(error: &async_nats::RequestError) -> NoReply {
    match error.kind() {
        RequestErrorKind::NoResponders => NoReply::NotServed,
        RequestErrorKind::TimedOut => NoReply::Silent,
        _ => NoReply::Failed(error.to_string()),
    }
}

/// A question, if it is one, and signed for that subject by whoever asks.
pub(super) fn read(subject: &str, payload: &[u8]) -> Option<HeardQuestion> {
    let envelope = Envelope::read(payload).ok()?;
    if !key::is_signed(&envelope, subject) {
        return None;
    }
    let Question { nonce, request } = serde_json::from_str(&envelope.body).ok()?;
    Some(HeardQuestion {
        key: envelope.key,
        request,
        nonce,
    })
}

/// The answer to that question.
pub(super) fn answer(
    key: &DeviceKey,
    subject: &str,
    question: &HeardQuestion,
    reply: DeskReply,
) -> String {
    let telling = Telling {
        nonce: question.nonce.clone(),
        reply,
    };
    let body = serde_json::to_string(&telling).unwrap_or_default();
    key.seal(&reply_to(subject), body).write()
}

/// An answer is signed for another subject than a question, so that neither passes for the other.
fn reply_to(subject: &str) -> String {
    format!("{subject}.reply")
}
