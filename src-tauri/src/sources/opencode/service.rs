//! Finds the background service of OpenCode 2.x: it writes down where it listens, with its password.
//! It is watched like a server that has registered itself, and leaves like one when its process
//! ends. The password stays in memory.

use crate::config::{Registered, Server, Way, is_address};
use crate::mailbox::{Input, Mailbox};
use crate::processes;
use crate::secrets::Secret;
use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// What it is called in `status`.
pub const NAME: &str = "opencode-service";
/// The file is looked at so often; a look is one system call.
const LOOK: Duration = Duration::from_secs(2);

/// `service.json`
#[derive(Deserialize)]
struct Service {
    url: String,
    pid: u32,
    #[serde(default)]
    password: Option<String>,
}

/// Registers the service whenever its file is another. Ends never, or at once where there can be no
/// such file.
pub async fn find(mailbox: Mailbox) {
    let Some(file) = file() else { return };
    let mut seen: Option<SystemTime> = None;
    let mut look = tokio::time::interval(LOOK);
    loop {
        look.tick().await;
        let now = std::fs::metadata(&file).and_then(|it| it.modified()).ok();
        if now == seen {
            continue;
        }
        seen = now;
        let path = file.clone();
        let read = tokio::task::spawn_blocking(move || read(&path)).await;
        match read.unwrap_or(Ok(None)) {
            Ok(Some(server)) => mailbox.input(Input::Register(server, None)),
            Ok(None) => {}
            Err(error) => {
                tracing::info!(error = format!("{error:#}"), "OpenCode's service is not watched");
            }
        }
    }
}

/// The same place on every system.
fn file() -> Option<PathBuf> {
    let variable = |name| std::env::var_os(name).filter(|it| !it.is_empty()).map(PathBuf::from);
    let home = || variable("HOME").or_else(|| variable("USERPROFILE"));
    let state =
        variable("XDG_STATE_HOME").or_else(|| Some(home()?.join(".local").join("state")))?;
    Some(state.join("opencode").join("service.json"))
}

/// `None` when there is no file, or one that a dead process has left behind.
fn read(file: &Path) -> Result<Option<Server>> {
    let Ok(text) = std::fs::read_to_string(file) else { return Ok(None) };
    let service: Service = serde_json::from_str(&text)
        .with_context(|| format!("Failed to understand {}", file.display()))?;
    if !processes::is_running(service.pid) {
        return Ok(None);
    }
    let server = Server {
        name: NAME.into(),
        url: service.url,
        password: service.password.map(Secret::new),
        registered: Some(Registered {
            way: Way::Port,
            pid: Some(service.pid),
            directory: None,
            ports: processes::ports(service.pid),
        }),
        ..Server::default()
    };
    // Its password is for this machine.
    ensure!(
        is_address(&server.url) && server.local_port().is_some(),
        "Failed to use {}: {:?} is no address of this machine",
        file.display(),
        server.url
    );
    Ok(Some(server))
}
