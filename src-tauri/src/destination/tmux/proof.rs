//! The proof that a socket is that of a tmux of this user's. The name in the environment of an
//! asking process is only that process's word, and tmux's client does what its server says: it
//! starts programs and writes files. A process that is shut in would reach outside by a socket that
//! only says that it is tmux's.

#[cfg_attr(target_os = "linux", path = "proof/linux.rs")]
#[cfg_attr(not(target_os = "linux"), path = "proof/none.rs")]
mod platform;

pub(super) use platform::ProvenSocket;

use super::PaneName;
use std::path::Path;

/// A reason why nothing is said to a socket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SocketDoubt {
    /// The socket is not what it is said to be, or the process that listens there is shut in where
    /// Beckon is not. Nor should anybody be told to type something with its name.
    #[cfg_attr(
        all(unix, not(target_os = "linux")),
        expect(dead_code, reason = "nothing is looked at there")
    )]
    False,
    /// The socket is this user's, in the same place as Beckon, but it is not known to be tmux: tmux
    /// was updated while it runs, or the system does not tell.
    Unknown,
}

/// Proves the socket of a pane that a process of this lineage names. tmux itself is in the lineage
/// of what runs in its panes. The kernel says which process it is, and not the process that names
/// the pane.
///
/// # Errors
/// When it is not proven; nothing was said to it then.
pub(super) fn prove(
    pane: &PaneName,
    lineage: &[u32],
    program: &Path,
) -> Result<ProvenSocket, SocketDoubt> {
    platform::prove(Path::new(&pane.socket), lineage, program)
}
