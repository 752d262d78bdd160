//! The reader of a Unix terminal without echo. The terminal shows what is typed even while no
//! program reads, so the echo must be off before the prompt asks for a secret: a human who pastes
//! at once would otherwise show it.

use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};
use std::fs::File;
use std::io;

/// Reads the line typed after the prompt.
pub(super) fn read(prompt: &str) -> io::Result<String> {
    // rpassword mutes it too, but only after its prompt (docs/measured.md).
    let _mute = MutedTerminal::terminal()?;
    rpassword::prompt_password(prompt)
}

/// The terminal, not showing what is typed for as long as this lives.
struct MutedTerminal {
    terminal: File,
    before: Termios,
}

impl MutedTerminal {
    fn terminal() -> io::Result<Self> {
        let terminal = File::open("/dev/tty")?;
        let before = tcgetattr(&terminal)?;
        let mut mute = before.clone();
        mute.local_modes
            .remove(LocalModes::ECHO | LocalModes::ECHONL);
        tcsetattr(&terminal, OptionalActions::Now, &mute)?;
        Ok(Self { terminal, before })
    }
}

impl Drop for MutedTerminal {
    fn drop(&mut self) {
        // A terminal that has gone needs nothing put right.
        let _ = tcsetattr(&self.terminal, OptionalActions::Now, &self.before);
    }
}
