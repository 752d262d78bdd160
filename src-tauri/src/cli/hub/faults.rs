//! Why something was not done at a hub, for a person.

use crate::cli::CommandContext;
use crate::cli::keychain::out_of_reach;
use crate::hub::joining::{DeskRefusal, HubFault};
use beckon_client::connection::ClientError;
use beckon_client::text::{Texts, Value};

/// Of a device that is on the desk, or should be.
pub(in crate::cli) fn said(context: &CommandContext, fault: HubFault) -> ClientError {
    match fault {
        HubFault::Keychain(trouble) => out_of_reach(context, "hub", &trouble),
        fault => ClientError::Said(words(&context.texts, &fault)),
    }
}

pub(super) fn words(texts: &Texts, fault: &HubFault) -> String {
    let because =
        |key: &str, why: &str| texts.with(key, &[("reason", Value::from(why.to_owned()))]);
    match fault {
        HubFault::Keychain(trouble) => because("hub-fault-keychain", &trouble.to_string()),
        HubFault::Unreachable(why) => because("hub-fault-unreachable", why),
        HubFault::NotLetIn => texts.get("hub-fault-not-let-in"),
        HubFault::OtherServer => texts.get("hub-fault-other-server"),
        HubFault::Forbidden(what) => because("hub-fault-forbidden", what),
        HubFault::NotServed => texts.get("hub-fault-not-served"),
        HubFault::Forged => texts.get("hub-fault-forged"),
        HubFault::Refused(why) => texts.get(refusal(*why)),
        HubFault::Failed(why) => because("hub-fault-failed", why),
    }
}

fn refusal(why: DeskRefusal) -> &'static str {
    match why {
        DeskRefusal::Used => "hub-refused-used",
        DeskRefusal::Expired => "hub-refused-expired",
        DeskRefusal::NoSuchDevice => "hub-refused-no-such-device",
        DeskRefusal::Admin => "hub-refused-admin",
        DeskRefusal::Invalid => "hub-refused-invalid",
        DeskRefusal::Failed => "hub-refused-failed",
    }
}
