//! The person who answered, as other programs read it.

use super::codes::WireWord;
use beckon_core::{Responder, Voucher};
use serde::{Deserialize, Serialize};

/// The person who answered, and the device.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AnsweredBy {
    /// The person; `null` if no name is known.
    pub person: Option<String>,
    /// The device, `null` if it is not known: this machine's name, `Telegram`, the name of a device
    /// of the hub, or what another Beckon says.
    pub device: Option<String>,
    /// The party that vouches for it.
    #[cfg_attr(test, ts(as = "VouchedBy"))]
    pub vouched: WireWord<VouchedBy>,
    /// The person's id on Telegram; with `telegram`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional, type = "number"))]
    pub telegram_user: Option<i64>,
    /// The device that vouches for it; with `device`. Either the person answered there, or it is
    /// the device of the machine where the ask came from, which says who answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub signed_by: Option<String>,
    /// The name that the Beckon which passed the answer on gives itself; with `peer`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub peer: Option<String>,
}

/// The party that vouches for who answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum VouchedBy {
    /// The machine itself: its user, or one of their programs, answered here.
    Machine,
    /// Telegram.
    Telegram,
    /// A device of the hub, which has signed the answer.
    Device,
    /// Another Beckon; nothing here proves it.
    Peer,
}

/// A claim of another Beckon about who gave the answer that it passes on. Nothing here proves any
/// of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClaimedResponder {
    /// The person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub person: Option<String>,
    /// The person's device.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<String>,
    /// The name that the other Beckon gives itself.
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
    /// Makes the claim of this Beckon, which has that name, for another one.
    pub fn of(responder: Option<&Responder>, peer: Option<String>) -> Self {
        let person = responder.and_then(|responder| responder.person.clone());
        let device = responder.and_then(|responder| responder.device.clone());
        Self {
            person,
            device,
            peer,
        }
    }

    /// Converts the claim into a responder: fit to be shown, and always with that Beckon as the
    /// party that vouches.
    pub fn into_responder(self) -> Responder {
        let vouched = Voucher::Peer { name: self.peer };
        Responder::new(self.person.as_deref(), self.device.as_deref(), vouched)
    }
}
