//! Why something was not done at a hub, or with this machine's place there; and how a person is told.
//!
//! Not here: what a connection that stands has to say of itself (`HubState`).

use crate::platform::secrets::KeychainError;
use beckon_client::config::UnusableConfig;
use beckon_client::config::edit::EditError;
use beckon_client::text::{Texts, Value, words};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Why something was not done at the hub.
#[derive(Debug)]
pub(crate) enum HubFault {
    /// The keychain does not give the key, or does not keep it.
    Keychain(KeychainError),
    /// The server is not there; in the words of the library.
    Unreachable(String),
    /// Nobody can tell whether it is the right one.
    UnusableCa(UnusableCa),
    /// The server does not know this login: this device, or a code.
    NotLetIn,
    /// It is another server than the code names.
    OtherServer,
    /// What it says is not to be listened to.
    Odd(OddServer),
    /// Another local user listens there.
    OtherUser,
    /// The server does not allow it; in its words.
    Forbidden(String),
    /// Nobody administers the hub at the moment.
    NotServed,
    /// What was said is not the admin's.
    Forged,
    /// The admin does not do it.
    Refused(DeskRefusal),
    /// The list has changed, and nats-server goes by an older one; why.
    NotLoaded(String),
    /// Nothing came in time, or something else is amiss.
    Failed(String),
}

/// The certificate by which the server is known can't be read from its file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} can't be used as the certificate of the hub", .file.display())]
pub(crate) struct UnusableCa {
    /// As the settings name it.
    pub(crate) file: PathBuf,
    /// In the system's words; `None` where it can be read and holds no certificate.
    pub(crate) reason: Option<String>,
}

/// Why a server is not listened to any longer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum OddServer {
    /// What it says is not the language of such a server.
    #[error("what it says is no NATS")]
    NoNats,
    /// A line is longer than any that there could be.
    #[error("it sends a line without an end")]
    LongLine,
    /// A message is larger than any that is ever kept there.
    #[error("it sends a message that is too large")]
    LargeMessage,
    /// It speaks on before the connection is encrypted, so somebody in between may have said that.
    #[error("it speaks before the connection is encrypted")]
    SpeaksFirst,
    /// It sends more than is read of it.
    #[error("it sends more than anybody could read")]
    TooMuch,
}

impl OddServer {
    /// For a person.
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

/// Why its admin does not do something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum DeskRefusal {
    /// Another device has joined by that code.
    Used,
    /// The code is no longer good.
    Expired,
    /// No device of that name is on the desk.
    NoSuchDevice,
    /// The admin's own device stays.
    Admin,
    /// It is not signed by whoever may ask it, or is not understood.
    Invalid,
    /// The login is listed for another device.
    LoginTaken,
    /// The admin's disk or server refuses.
    Failed,
}

/// Why this machine has not joined a hub, or not left it, or taken no other off. Its settings are then as
/// they were.
#[derive(Debug)]
pub(crate) enum MembershipFault {
    /// This program was built without the hub.
    NotBuilt,
    /// That is no code.
    NoCode,
    /// It is on another hub; where that is.
    OtherHub(String),
    /// It is on none.
    NotJoined,
    /// The settings cannot be used.
    Unusable(UnusableConfig),
    /// The settings do not take it.
    Edit(EditError),
    /// A file is out of reach.
    File(anyhow::Error),
    /// It can't be kept here, for that; and the hub, which had taken this machine, could not be told.
    StillListed(Box<MembershipFault>),
    /// The hub's doing; nobody knows whether the hub has taken this machine, and it could not be told.
    MayBeListed(HubFault),
    /// The hub's doing.
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
    /// For a person.
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
    /// For a person; a part of a sentence, too.
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
    /// For a person.
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
