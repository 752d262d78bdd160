//! The file `run/endpoint.json`: the address of the running Beckon, and the token that lets a
//! client in.
//!
//! Other people's clients take `url` and `token` from it. Our own use the socket beside the file,
//! if there is one. They use the address only after the listener has proven that it knows the
//! token: a Beckon that was killed leaves the file behind, and its port is free for every user of
//! the machine.

use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The name of the socket, beside `endpoint.json`.
const SOCKET: &str = "beckon.sock";

/// The content of the file.
#[derive(Clone, Serialize, Deserialize)]
pub struct Endpoint {
    /// The address at which the API listens.
    pub url: String,
    /// The bearer token.
    pub token: String,
    /// The id of the process.
    pub pid: u32,
    /// The version of the running Beckon.
    pub version: String,
    /// The socket on which the API listens as well, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub socket: Option<PathBuf>,
}

/// Prints without the token.
impl std::fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Endpoint")
            .field("url", &self.url)
            .field("pid", &self.pid)
            .finish_non_exhaustive()
    }
}

impl Endpoint {
    /// Reads the file; `None` if there is none.
    pub fn read(file: &Path) -> Option<Self> {
        serde_json::from_slice(&std::fs::read(file).ok()?).ok()
    }
}

/// Returns the path of the socket that belongs to an `endpoint.json`. Our clients look beside the
/// file, whatever it says: that directory is the one that was found to be private, also if it is
/// mounted at another place.
pub fn socket_beside(file: &Path) -> PathBuf {
    file.with_file_name(SOCKET)
}
