//! Who answered, as others read it.

use super::codes::WireWord;
use beckon_core::{Responder, Voucher};
use serde::{Deserialize, Serialize};

/// Who answered and with which device.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AnsweredBy {
    /// The person; `null` where nobody said a name.
    pub person: Option<String>,
    /// The device, in the same way: this machine's name, `Telegram`, that of a device of the hub, or
    /// what another Beckon says.
    pub device: Option<String>,
    /// On whose word.
    #[cfg_attr(test, ts(as = "VouchedBy"))]
    pub vouched: WireWord<VouchedBy>,
    /// With `telegram`: the person's id there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional, type = "number"))]
    pub telegram_user: Option<i64>,
    /// With `device`: the device that stands for it. It has answered itself, or is that of the machine
    /// where it was asked, which says who did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub signed_by: Option<String>,
    /// With `peer`: what the Beckon calls itself that passed the answer on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub peer: Option<String>,
}

/// On whose word it was that person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum VouchedBy {
    /// This machine's own: its user, or a program of theirs.
    Machine,
    /// Telegram's.
    Telegram,
    /// That of a device of the hub, which has signed it.
    Device,
    /// Another Beckon's; nothing here proves it.
    Peer,
}

/// What another Beckon says of who gave the answer that it passes on. All of it is its word.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClaimedResponder {
    /// The person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub person: Option<String>,
    /// Their device.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<String>,
    /// What that Beckon calls itself.
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
    /// What this Beckon, which is called so, says to another one of who answered.
    pub fn of(responder: Option<&Responder>, peer: Option<String>) -> Self {
        let person = responder.and_then(|responder| responder.person.clone());
        let device = responder.and_then(|responder| responder.device.clone());
        Self {
            person,
            device,
            peer,
        }
    }

    /// As a responder: fit to be shown, and never on another word than that Beckon's.
    pub fn into_responder(self) -> Responder {
        let vouched = Voucher::Peer { name: self.peer };
        Responder::new(self.person.as_deref(), self.device.as_deref(), vouched)
    }
}
