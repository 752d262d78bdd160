//! The faults at a hub, as a command ends with them. The words are the hub's own.

use crate::cli::CommandContext;
use crate::cli::keychain::out_of_reach;
use crate::hub::fault::{HubFault, MembershipFault};
use beckon_client::connection::ClientError;

/// Returns the error for a fault of a device that is on the desk, or should be.
pub(in crate::cli) fn said(context: &CommandContext, fault: HubFault) -> ClientError {
    match fault {
        HubFault::Keychain(trouble) => out_of_reach(context, "hub", &trouble),
        fault => ClientError::Said(fault.words(&context.texts)),
    }
}

/// Returns the error for a fault of a device that joins or leaves.
pub(super) fn refused(context: &CommandContext, fault: MembershipFault) -> ClientError {
    match fault {
        MembershipFault::File(error) => ClientError::Other(error),
        MembershipFault::Hub(HubFault::Keychain(trouble)) => out_of_reach(context, "hub", &trouble),
        fault => ClientError::Said(fault.words(&context.texts)),
    }
}
