//! Whether a socket is that of a tmux of this user's. What the environment of an asking process names is
//! that process's word, and tmux's client does what its server says: it starts programs and writes files. A
//! process that is shut in would reach outside by a socket that only says that it is tmux's.

#[cfg_attr(target_os = "linux", path = "proof/linux.rs")]
#[cfg_attr(not(target_os = "linux"), path = "proof/none.rs")]
mod platform;

pub(super) use platform::ProvenSocket;

use super::PaneName;
use std::path::Path;

/// Why no word is said to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SocketDoubt {
    /// It is not what it is said to be, or whoever listens there is shut in where Beckon is not. Nobody
    /// should be told to type something with its name either.
    #[cfg_attr(
        all(unix, not(target_os = "linux")),
        expect(dead_code, reason = "nothing is looked at there")
    )]
    False,
    /// It is this user's, in the same place as Beckon; but it is not known to be tmux: one that was updated
    /// while it runs, or on a system that does not tell.
    Unknown,
}

/// Proves the socket of a pane that something of this lineage names. tmux itself is in the lineage of what
/// runs in its panes; which process it is, the kernel says, and not whoever names the pane.
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
