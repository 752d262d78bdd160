//! A named pipe of this machine, called after the hub's folder. Only its owner and the
//! administrators write to it, which is a pipe's default
//! (<https://learn.microsoft.com/windows/win32/ipc/named-pipe-security-and-access-rights>). It
//! accepts no client of another machine, and is not opened if another program has its name already.

use sha2::{Digest, Sha256};
use std::io::{Error, ErrorKind, Result};
use std::path::Path;
use std::time::Duration;
use tokio::net::windows::named_pipe::{
    ClientOptions, NamedPipeClient, NamedPipeServer, ServerOptions,
};
use tokio::time::sleep;

/// The error when all ends of the pipe are taken
/// (<https://learn.microsoft.com/windows/win32/debug/system-error-codes--0-499->).
const PIPE_BUSY: i32 = 231;
/// How long until it is tried again; an end is free again a moment later.
const SOON: Duration = Duration::from_millis(20);
/// The number of tries.
const TRIES: usize = 100;

pub(super) struct Door {
    name: String,
    next: NamedPipeServer,
}

impl Door {
    pub(super) fn open(folder: &Path) -> Result<Self> {
        let name = name_of(folder);
        let next = end().first_pipe_instance(true).create(&name)?;
        Ok(Self { name, next })
    }

    pub(super) async fn accept(&mut self) -> Result<NamedPipeServer> {
        self.next.connect().await?;
        let next = end().create(&self.name)?;
        Ok(std::mem::replace(&mut self.next, next))
    }
}

pub(super) async fn connect(folder: &Path) -> Result<NamedPipeClient> {
    let name = name_of(folder);
    for _ in 0..TRIES {
        match ClientOptions::new().open(&name) {
            Err(error) if error.raw_os_error() == Some(PIPE_BUSY) => sleep(SOON).await,
            opened => return opened,
        }
    }
    Err(Error::from(ErrorKind::TimedOut))
}

fn end() -> ServerOptions {
    let mut options = ServerOptions::new();
    options.reject_remote_clients(true);
    options
}

fn name_of(folder: &Path) -> String {
    let folder = dunce::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
    let hash = Sha256::digest(folder.as_os_str().as_encoded_bytes());
    let word: String = hash.iter().take(16).map(|it| format!("{it:02x}")).collect();
    format!(r"\\.\pipe\beckon-hub-{word}")
}
