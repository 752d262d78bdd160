//! The faults of the hub: why something was not done there, or with this machine's place there, and
//! how a person is told.
//!
//! Not here: the state of a working connection (`HubState`).

use crate::platform::secrets::KeychainError;
use beckon_client::config::UnusableConfig;
use beckon_client::config::edit::EditError;
use beckon_client::text::{Texts, Value, words};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// A reason why something was not done at the hub.
#[derive(Debug)]
pub(crate) enum HubFault {
    /// The keychain does not give the device's key out, or does not store it.
    Keychain(KeychainError),
    /// The server is not reached; in the words of the library.
    Unreachable(String),
    /// The certificate authority's file is unusable, so the right server could not be told from
    /// another.
    UnusableCa(UnusableCa),
    /// The server does not know this login, which is a device's or a code's.
    NotLetIn,
    /// The server is not the one that the code names.
    OtherServer,
    /// The server sends what must not be processed.
    Odd(OddServer),
    /// Another local user listens there.
    OtherUser,
    /// The server does not allow this; in its words.
    Forbidden(String),
    /// The admin is not online at the moment.
    NotServed,
    /// The reply is not signed by the admin.
    Forged,
    /// The admin refuses the request.
    Refused(DeskRefusal),
    /// The list was changed, but nats-server still uses an older one; with the reason.
    NotLoaded(String),
    /// No answer came in time, or something else failed.
    Failed(String),
}

/// The certificate by which the server is known cannot be read from its file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} can't be used as the certificate of the hub", .file.display())]
pub(crate) struct UnusableCa {
    /// The file, as the settings name it.
    pub(crate) file: PathBuf,
    /// The reason in the system's words; `None` if the file can be read and has no certificate.
    pub(crate) reason: Option<String>,
}

/// A reason why a server is no longer listened to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum OddServer {
    /// The server's bytes are not the NATS protocol.
    #[error("what it says is no NATS")]
    NoNats,
    /// A line is longer than any in the protocol.
    #[error("it sends a line without an end")]
    LongLine,
    /// A message is larger than any that Beckon stores there.
    #[error("it sends a message that is too large")]
    LargeMessage,
    /// The server sent more than its greeting before the connection was encrypted. An attacker in
    /// between may have sent that.
    #[error("it speaks before the connection is encrypted")]
    SpeaksFirst,
    /// The server sends faster than it is read.
    #[error("it sends more than anybody could read")]
    TooMuch,
}

impl OddServer {
    /// Returns the text for a person.
    pub(crate) fn words(self, texts: &Texts) -> String {
        texts.get(match self {
            Self::NoNats => "hub-odd-no-nats",
            Self::LongLine => "hub-odd-long-line",
            Self::LargeMessage => "hub-odd-large-message",
            Self::SpeaksFirst => "hub-odd-speaks-first",
            Self::TooMuch => "hub-odd-too-much",
        })
    }
}

/// A reason why the admin refuses a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum DeskRefusal {
    /// Another device has joined with that code.
    Used,
    /// The code is not valid any more.
    Expired,
    /// No device of that name is on the desk.
    NoSuchDevice,
    /// The admin's own device cannot be taken off.
    Admin,
    /// The request is not signed by a device that may make it, or is not understood.
    Invalid,
    /// The login is on the list for another device.
    LoginTaken,
    /// The admin's disk or server failed.
    Failed,
}

/// A reason why this machine has not joined or left a hub, or has not taken another device off it.
/// Its settings are then as they were.
#[derive(Debug)]
pub(crate) enum MembershipFault {
    /// The program was built without the hub.
    NotBuilt,
    /// The text is no code.
    NoCode,
    /// The machine is on another hub; with its address.
    OtherHub(String),
    /// The machine is on no hub.
    NotJoined,
    /// The settings cannot be used.
    Unusable(UnusableConfig),
    /// The settings file cannot be changed.
    Edit(EditError),
    /// A file is out of reach.
    File(anyhow::Error),
    /// The hub has put this machine on its list, but that could not be stored here, for the given
    /// reason; and the hub could not be told.
    StillListed(Box<MembershipFault>),
    /// The hub failed. It is unknown whether it has put this machine on its list, and it could not
    /// be told.
    MayBeListed(HubFault),
    /// The hub failed or refused.
    Hub(HubFault),
}

impl From<anyhow::Error> for HubFault {
    fn from(error: anyhow::Error) -> Self {
        match error.downcast() {
            Ok(unusable) => Self::UnusableCa(unusable),
            Err(error) => Self::Failed(words::causes(&error)),
        }
    }
}

impl From<HubFault> for MembershipFault {
    fn from(fault: HubFault) -> Self {
        Self::Hub(fault)
    }
}

impl HubFault {
    /// Returns the text for a person.
    pub(crate) fn words(&self, texts: &Texts) -> String {
        match self {
            Self::Keychain(trouble) => because(
                texts,
                "hub-fault-keychain",
                &words::keychain(texts, trouble, "hub"),
            ),
            Self::Unreachable(why) => because(texts, "hub-fault-unreachable", why),
            Self::UnusableCa(unusable) => unusable.words(texts),
            Self::NotLetIn => texts.get("hub-fault-not-let-in"),
            Self::OtherServer => texts.get("hub-fault-other-server"),
            Self::Odd(odd) => odd.words(texts),
            Self::OtherUser => texts.get("hub-other-user"),
            Self::Forbidden(what) => because(texts, "hub-fault-forbidden", what),
            Self::NotServed => texts.get("hub-fault-not-served"),
            Self::Forged => texts.get("hub-fault-forged"),
            Self::Refused(why) => texts.get(why.key()),
            Self::NotLoaded(why) => because(texts, "hub-fault-not-loaded", why),
            Self::Failed(why) => because(texts, "hub-fault-failed", why),
        }
    }
}

impl UnusableCa {
    /// Returns the text for a person, which can also be a part of a sentence.
    pub(crate) fn words(&self, texts: &Texts) -> String {
        let key = if self.reason.is_some() {
            "hub-fault-ca"
        } else {
            "hub-fault-ca-empty"
        };
        let reason = self.reason.clone().unwrap_or_default();
        let file = self.file.display().to_string();
        texts.with(
            key,
            &[("file", Value::from(file)), ("reason", reason.into())],
        )
    }
}

impl MembershipFault {
    /// Returns the text for a person.
    pub(crate) fn words(&self, texts: &Texts) -> String {
        match self {
            Self::NotBuilt => texts.get("hub-not-built"),
            Self::NoCode => texts.get("hub-join-no-code"),
            Self::OtherHub(url) => {
                texts.with("hub-joined-already", &[("url", Value::from(url.clone()))])
            }
            Self::NotJoined => texts.get("hub-not-joined"),
            Self::Unusable(why) => words::unusable(texts, why),
            Self::Edit(why) => words::setting(texts, why),
            Self::File(error) => words::failure(texts, error),
            Self::StillListed(why) => because(texts, "hub-join-still-listed", &why.words(texts)),
            Self::MayBeListed(why) => because(texts, "hub-join-may-be-listed", &why.words(texts)),
            Self::Hub(fault) => fault.words(texts),
        }
    }
}

fn because(texts: &Texts, key: &str, why: &str) -> String {
    texts.with(key, &[("reason", Value::from(why.to_owned()))])
}

impl DeskRefusal {
    fn key(self) -> &'static str {
        match self {
            Self::Used => "hub-refused-used",
            Self::Expired => "hub-refused-expired",
            Self::NoSuchDevice => "hub-refused-no-such-device",
            Self::Admin => "hub-refused-admin",
            Self::Invalid => "hub-refused-invalid",
            Self::LoginTaken => "hub-refused-login-taken",
            Self::Failed => "hub-refused-failed",
        }
    }
}
