//! The requests of a device to the desk's admin, and the replies: each is signed for its subject,
//! and each reply for its request.

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

/// A request of a device to the desk's admin.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum DeskRequest {
    /// The request of a device to be put onto the desk by a code. The device's login signs
    /// [`enrolling`].
    Enrol {
        name: String,
        login: String,
        #[serde(default)]
        proof: String,
    },
    /// The request to be taken off the desk, as the desk is in that revision.
    Leave { revision: u64 },
    /// The admin's request for a code by which a device of that person joins.
    Invite { person: Option<String> },
    /// The admin's request to take a device off the desk.
    Remove { device: String },
    /// The admin's request to set the rules of the team.
    Rules { team: Team },
}

/// A reply of the desk's admin.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum DeskReply {
    /// The device is on the desk under that name, as that person's. `ca` is the certificate that
    /// signs the server's. An older admin does not say whose device it is.
    Enrolled {
        name: String,
        #[serde(default)]
        person: Option<String>,
        ca: Option<String>,
    },
    /// The device is off the desk.
    Removed,
    /// The rules are in force.
    Ruled,
    /// A code, the number of seconds for which it is valid, and the person whose device joins by
    /// it.
    Invited {
        code: String,
        seconds: u64,
        person: String,
    },
    /// The list was changed, but nats-server still uses an older one; with the reason.
    NotLoaded(String),
    /// The request is refused.
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

/// A reason why there is no reply.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoReply {
    /// The admin is not online.
    #[error("nobody administers the hub at the moment")]
    NotServed,
    /// No reply came in time.
    #[error("there is no answer")]
    Silent,
    /// The reply is not signed by the admin, or answers another request.
    #[error("the answer isn't the admin's")]
    Forged,
    /// Something else failed.
    #[error("{0}")]
    Failed(String),
}

/// A request as the admin received it.
pub(super) struct HeardQuestion {
    /// The key that has signed it.
    pub(super) key: String,
    pub(super) request: DeskRequest,
    pub(super) nonce: String,
}

/// Returns the text that the login of a joining device signs. It names the code's subject and the
/// device's key.
pub(super) fn enrolling(subject: &str, key: &str) -> String {
    format!("{subject} {key}")
}

/// Writes a request. Returns its envelope, and the nonce by which the reply is recognized.
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

/// Sends a request to the admin, and waits for the reply.
///
/// # Errors
/// When no reply comes that can be believed.
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

/// Sends a request to the process on this machine that keeps the desk of that folder.
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

/// Reads a request; `None` if it is none, or is not signed for that subject by its sender.
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

/// Writes the reply to that request.
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

/// Returns the subject for which a reply is signed. It differs from the request's, so that neither
/// can pass for the other.
fn reply_to(subject: &str) -> String {
    format!("{subject}.reply")
}
