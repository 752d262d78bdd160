//! The keeper of `run/endpoint.json` and of the socket beside it, which stay where they are looked
//! for as long as the API runs. Programs that clean up remove both, and if Beckon is not found, the
//! first command starts a second one.
//!
//! Not here: the lock that lets only one run (`cli/resident`).

use super::listen_beside;
use axum::Router;
use beckon_client::connection::endpoint::socket_beside;
use beckon_client::platform::paths::{Paths, write_private};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::task::JoinHandle;

/// How long until it is looked again. Programs that clean up do so once a day or at a login.
const LOOK_EVERY: Duration = Duration::from_secs(2);

/// The address file and what it names. Both go with it.
#[derive(Debug)]
pub(super) struct AddressFile {
    left: [PathBuf; 2],
    keeper: JoinHandle<()>,
    /// Whether the files were removed at the end, and must not be put back. The lock is held while
    /// either is done: a task that is aborted may be in the middle of a look.
    is_over: Arc<Mutex<bool>>,
}

impl AddressFile {
    /// Writes the file, and looks after it and the socket.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub(super) fn keep(
        paths: &Paths,
        content: String,
        socket: Option<Router>,
    ) -> anyhow::Result<Self> {
        write_private(&paths.endpoint, content.as_bytes())?;
        let left = [paths.endpoint.clone(), socket_beside(&paths.endpoint)];
        let is_over = Arc::default();
        let looks = look_after(paths.clone(), content, socket, Arc::clone(&is_over));
        Ok(Self {
            left,
            keeper: tokio::spawn(looks),
            is_over,
        })
    }
}

impl Drop for AddressFile {
    fn drop(&mut self) {
        self.keeper.abort();
        let mut is_over = self.is_over.lock().unwrap_or_else(PoisonError::into_inner);
        *is_over = true;
        // A file that stays leads to no process, or to one that cannot prove to be us.
        for file in &self.left {
            let _ = std::fs::remove_file(file);
        }
    }
}

async fn look_after(
    paths: Paths,
    content: String,
    socket: Option<Router>,
    is_over: Arc<Mutex<bool>>,
) {
    let mut looks = tokio::time::interval(LOOK_EVERY);
    loop {
        looks.tick().await;
        let is_over = is_over.lock().unwrap_or_else(PoisonError::into_inner);
        if *is_over {
            return;
        }
        if let Err(error) = restore(&paths, &content, socket.as_ref()) {
            tracing::debug!(
                error = format!("{error:#}"),
                "the address file is not there"
            );
        }
    }
}

/// Puts back a file that is missing, or was replaced: only one Beckon of a home holds its lock, so
/// it is ours to write.
fn restore(paths: &Paths, content: &str, socket: Option<&Router>) -> anyhow::Result<()> {
    let stands = std::fs::read_to_string(&paths.endpoint).ok();
    let socket_path = socket_beside(&paths.endpoint);
    let lost_socket = socket.filter(|_| !socket_path.exists());
    if stands.as_deref() == Some(content) && lost_socket.is_none() {
        return Ok(());
    }

    paths.create()?;
    if let Some(router) = lost_socket
        && let Some(listener) = listen_beside(&paths.endpoint)
    {
        tokio::spawn(listener.serve(router.clone()));
    }
    write_private(&paths.endpoint, content.as_bytes())?;
    tracing::warn!("the address file or socket of the local API was removed, and is restored");
    Ok(())
}
