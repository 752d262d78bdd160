//! Who answered, as programs read it.

use super::codes::WireWord;
use beckon_core::{Responder, Voucher};
use serde::{Deserialize, Serialize};

/// The person who answered, and their device.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AnsweredBy {
    /// The person; `null` if no name is known.
    pub person: Option<String>,
    /// The device: this machine's name, `Telegram`, the name of a device of the hub, or the name
    /// that another Beckon gives. `null` if none is known.
    pub device: Option<String>,
    /// The party that vouches for the person.
    #[cfg_attr(test, ts(as = "VouchedBy"))]
    pub vouched: WireWord<VouchedBy>,
    /// The person's id at Telegram; present with `telegram`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional, type = "number"))]
    pub telegram_user: Option<i64>,
    /// The device that vouches for the person; present with `device`. Either the answer was given
    /// on it, or it belongs to the machine where it was asked, which says who answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub signed_by: Option<String>,
    /// The name of the Beckon that passed the answer on; present with `peer`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub peer: Option<String>,
}

/// The party that vouches for the person who answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum VouchedBy {
    /// The machine of this Beckon: its user answered, or a program of theirs.
    Machine,
    /// Telegram.
    Telegram,
    /// A device of the hub, which has signed it.
    Device,
    /// Another Beckon; nothing here proves it.
    Peer,
}

/// The person who gave an answer, in the word of the other Beckon that passes it on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClaimedResponder {
    /// The person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub person: Option<String>,
    /// The person's device.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<String>,
    /// The name of that Beckon.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peer: Option<String>,
}

impl From<&Responder> for AnsweredBy {
    fn from(responder: &Responder) -> Self {
        let (vouched, telegram_user, signed_by, peer) = match &responder.vouched {
            Voucher::Machine => (VouchedBy::Machine, None, None, None),
            Voucher::Telegram { user } => (VouchedBy::Telegram, Some(*user), None, None),
            Voucher::Device { name } => (VouchedBy::Device, None, name.clone(), None),
            Voucher::Peer { name } => (VouchedBy::Peer, None, None, name.clone()),
        };
        let (person, device) = (responder.person.clone(), responder.device.clone());
        Self {
            person,
            device,
            vouched: vouched.into(),
            telegram_user,
            signed_by,
            peer,
        }
    }
}

impl ClaimedResponder {
    /// Makes the claim that this Beckon, whose name is `peer`, passes to another Beckon.
    pub fn of(responder: Option<&Responder>, peer: Option<String>) -> Self {
        let person = responder.and_then(|responder| responder.person.clone());
        let device = responder.and_then(|responder| responder.device.clone());
        Self {
            person,
            device,
            peer,
        }
    }

    /// Converts the claim to a responder that is fit to be shown, and for whom only that Beckon
    /// vouches.
    pub fn into_responder(self) -> Responder {
        let vouched = Voucher::Peer { name: self.peer };
        Responder::new(self.person.as_deref(), self.device.as_deref(), vouched)
    }
}
