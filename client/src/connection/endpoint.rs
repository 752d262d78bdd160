//! `run/endpoint.json`: where the running Beckon is found, and what lets one in.
//!
//! Others' clients take `url` and `token` from it. Ours go by the socket that lies beside the file,
//! where there is one, and by the address only after the listener has proven that it knows the token:
//! a Beckon that was killed leaves the file behind, and its port is free for every user of the
//! machine.

use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The name of the socket, beside `endpoint.json`.
const SOCKET: &str = "beckon.sock";

/// What the file holds.
#[derive(Clone, Serialize, Deserialize)]
pub struct Endpoint {
    /// Where the API listens.
    pub url: String,
    /// The bearer token.
    pub token: String,
    /// The process.
    pub pid: u32,
    /// Its version.
    pub version: String,
    /// The socket on which the API listens too, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub socket: Option<PathBuf>,
}

/// The token does not print.
impl std::fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Endpoint")
            .field("url", &self.url)
            .field("pid", &self.pid)
            .finish_non_exhaustive()
    }
}

impl Endpoint {
    /// As the file says; `None` when there is none.
    pub fn read(file: &Path) -> Option<Self> {
        serde_json::from_slice(&std::fs::read(file).ok()?).ok()
    }
}

/// The socket that belongs to an `endpoint.json`. Ours look beside the file, whatever it says: the
/// directory is the one that was found to be private, also where it is mounted at another place.
pub fn socket_beside(file: &Path) -> PathBuf {
    file.with_file_name(SOCKET)
}
