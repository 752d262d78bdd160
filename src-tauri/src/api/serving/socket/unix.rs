//! A socket in the file system, in a directory that is its owner's alone.

use crate::api::serving;
use axum::Router;
use std::fs::Permissions;
use std::io::{ErrorKind, Result};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use tokio::net::UnixListener;

pub(in crate::api) struct SocketListener(UnixListener);

/// Opens the socket, in place of one that a dead Beckon has left behind: the lock of `run/` is ours
/// now.
pub(in crate::api) fn bind(path: &Path) -> Result<SocketListener> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let listener = UnixListener::bind(path)?;
    std::fs::set_permissions(path, Permissions::from_mode(0o600))?;
    Ok(SocketListener(listener))
}

impl SocketListener {
    /// Serves every connection: only the owner of the directory can make one.
    pub(in crate::api) async fn serve(self, router: Router) {
        loop {
            match self.0.accept().await {
                Ok((stream, _)) => {
                    tokio::spawn(serving::serve(
                        stream,
                        router.clone(),
                        serving::ConnectionPass::default(),
                    ));
                }
                Err(error) => serving::pause(&error).await,
            }
        }
    }
}
