//! A socket in the file system, in a folder that is its owner's alone.

use std::fs::Permissions;
use std::io::{ErrorKind, Result};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use tokio::net::{UnixListener, UnixStream};

/// The name of the socket in the hub's folder.
const SOCKET: &str = "keeper.sock";

pub(super) struct Door(UnixListener);

impl Door {
    /// Opens the socket, in place of one that a dead keeper has left behind: the lock of the folder
    /// is ours now.
    pub(super) fn open(folder: &Path) -> Result<Self> {
        let path = socket_in(folder);
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let listener = UnixListener::bind(&path)?;
        std::fs::set_permissions(&path, Permissions::from_mode(0o600))?;
        Ok(Self(listener))
    }

    pub(super) async fn accept(&mut self) -> Result<UnixStream> {
        let (stream, _) = self.0.accept().await?;
        Ok(stream)
    }
}

pub(super) async fn connect(folder: &Path) -> Result<UnixStream> {
    UnixStream::connect(socket_in(folder)).await
}

fn socket_in(folder: &Path) -> PathBuf {
    folder.join(SOCKET)
}
