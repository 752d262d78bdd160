//! `run/endpoint.json`: the address of the running Beckon, and the token that lets a client in.
//!
//! Other people's clients take `url` and `token` from it. Beckon's own clients use the socket
//! beside the file. Where there is none they use the address, but only after the listener has
//! proven that it knows the token: a Beckon that was killed leaves the file behind, and any user of
//! the machine can take its port.

use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The name of the socket, beside `endpoint.json`.
const SOCKET: &str = "beckon.sock";

/// The content of the file.
#[derive(Clone, Serialize, Deserialize)]
pub struct Endpoint {
    /// The URL at which the API listens.
    pub url: String,
    /// The bearer token.
    pub token: String,
    /// The id of Beckon's process.
    pub pid: u32,
    /// Beckon's version.
    pub version: String,
    /// The path of the socket on which the API listens too, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub socket: Option<PathBuf>,
}

/// Prints everything but the token.
impl std::fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Endpoint")
            .field("url", &self.url)
            .field("pid", &self.pid)
            .finish_non_exhaustive()
    }
}

impl Endpoint {
    /// Reads the file; `None` when there is none.
    pub fn read(file: &Path) -> Option<Self> {
        serde_json::from_slice(&std::fs::read(file).ok()?).ok()
    }
}

/// Returns the socket that belongs to an `endpoint.json`. Beckon's own clients look beside the file
/// and ignore its `socket` field: the directory was checked to be private, also where it is mounted
/// at another place.
pub fn socket_beside(file: &Path) -> PathBuf {
    file.with_file_name(SOCKET)
}
