//! Finds the background service of OpenCode 2.x, which writes down where it listens, with its
//! password. It is watched like a server that has registered itself, and leaves like one when its
//! process ends. The password stays in memory.

use crate::platform::file_watch::FileWatch;
use crate::platform::part;
use crate::platform::processes;
use crate::sources::http::understood;
use crate::sources::{Report, ReportSink};
use anyhow::{Context, Result};
use beckon_client::config::{OpenCodeServer, RegisteredProcess, ServerTransport, is_address};
use beckon_client::platform::secret::Secret;
use serde::Deserialize;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// The name of the service in `status`.
pub(crate) const NAME: &str = "opencode-service";
/// The pause between looks at a service that does not listen yet where it says it will.
const LOOK_AGAIN: Duration = Duration::from_secs(2);

/// The content of `service.json`.
#[derive(Deserialize)]
struct ServiceFile {
    url: String,
    pid: u32,
    #[serde(default)]
    password: Option<String>,
}

/// Registers the service whenever its file has changed. Never ends, or ends at once where there can
/// be no such file.
pub(crate) async fn find(reports: ReportSink) {
    let Some(file) = file() else { return };
    let mut watch = FileWatch::new(file.clone());
    let mut seen: Option<SystemTime> = None;
    loop {
        let now = std::fs::metadata(&file).and_then(|it| it.modified()).ok();
        if now == seen {
            watch.changed().await;
            continue;
        }
        let path = file.clone();
        let read = part::spawn_blocking(move || read(&path)).await;
        seen = now;
        match read.unwrap_or(Ok(ServiceState::Nothing)) {
            Ok(ServiceState::Service(server)) => reports.post(Report::Found(*server)),
            Ok(ServiceState::Nothing) => {}
            // The service may write down where it is going to listen before it does.
            Ok(ServiceState::NotListening) => {
                seen = None;
                tokio::time::sleep(LOOK_AGAIN).await;
            }
            Err(error) => {
                tracing::info!(
                    error = format!("{error:#}"),
                    "OpenCode's service is not watched"
                );
            }
        }
    }
}

/// Returns the path of the file, which is the same on every system. A relative one would be a file
/// of whoever owns the folder in which Beckon was started.
fn file() -> Option<PathBuf> {
    let variable = |name| {
        let value = std::env::var_os(name).map(PathBuf::from);
        value.filter(|value| value.is_absolute())
    };
    let home = || variable("HOME").or_else(|| variable("USERPROFILE"));
    let state =
        variable("XDG_STATE_HOME").or_else(|| Some(home()?.join(".local").join("state")))?;
    Some(state.join("opencode").join("service.json"))
}

/// The result of reading the file.
enum ServiceState {
    /// There is no service, or a dead process has left the file behind.
    Nothing,
    /// The named process does not listen there: not yet, or its number belongs to another process
    /// now.
    NotListening,
    /// The service. Its password is for this process alone.
    Service(Box<OpenCodeServer>),
}

fn read(file: &Path) -> Result<ServiceState> {
    let Ok(bytes) = read_capped(file) else {
        return Ok(ServiceState::Nothing);
    };
    let service: ServiceFile =
        understood(bytes).with_context(|| format!("Failed to understand {}", file.display()))?;
    if !processes::is_running(service.pid) {
        return Ok(ServiceState::Nothing);
    }
    let server = service.into_server();
    let port = server
        .local_port()
        .filter(|_| is_address(&server.url))
        .with_context(|| {
            let file = file.display();
            format!(
                "Failed to use {file}: {:?} is no address of this machine",
                server.url
            )
        })?;
    let listens = server
        .registered
        .as_ref()
        .is_some_and(|it| it.ports.contains(&port));
    Ok(if listens {
        ServiceState::Service(Box::new(server))
    } else {
        ServiceState::NotListening
    })
}

/// Reads the file, which has a few lines. A larger one is not OpenCode's, and is cut off.
fn read_capped(file: &Path) -> std::io::Result<Vec<u8>> {
    const LARGEST: u64 = 64 << 10;
    let mut bytes = Vec::new();
    File::open(file)?.take(LARGEST).read_to_end(&mut bytes)?;
    Ok(bytes)
}

impl ServiceFile {
    fn into_server(self) -> OpenCodeServer {
        OpenCodeServer {
            name: NAME.into(),
            url: self.url,
            password: self.password.map(Secret::new),
            registered: Some(RegisteredProcess {
                way: ServerTransport::Port,
                pid: Some(self.pid),
                directory: None,
                ports: processes::ports(self.pid),
            }),
            ..OpenCodeServer::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    fn found(port: u16, pid: u32) -> ServiceState {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("service.json");
        let url = format!("http://127.0.0.1:{port}");
        let text = serde_json::json!({ "url": url, "pid": pid, "password": "hunter2" });
        std::fs::write(&file, text.to_string()).unwrap();
        read(&file).unwrap()
    }

    #[test]
    fn its_password_is_for_the_process_that_listens_there_and_no_later_one_of_its_number() {
        let service = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = service.local_addr().unwrap().port();
        let own = std::process::id();
        assert!(
            matches!(found(port, own), ServiceState::Service(server) if server.pid() == Some(own))
        );
        let mut later = std::process::Command::new("sleep")
            .arg("100")
            .spawn()
            .unwrap();
        let recycled = found(port, later.id());
        later.kill().unwrap();
        later.wait().unwrap();
        assert!(matches!(recycled, ServiceState::NotListening));
        assert!(matches!(found(port, later.id()), ServiceState::Nothing));
    }
}
