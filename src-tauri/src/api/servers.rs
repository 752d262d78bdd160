//! The requests about servers: those that register themselves, those that have, and those that only
//! announce themselves.

use super::error::ApiError;
use super::{ApiState, problem};
use crate::app::NameTaken;
use crate::platform::processes;
use crate::sources::discovery::mdns;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use beckon_client::config::{
    AddressUse, OpenCodeServer, RegisteredProcess, ServerTransport, check_address, trim_address,
};
use beckon_client::platform::secret::Secret;
use beckon_client::wire::RegisteredServer;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The body of `POST /servers`. The password is kept in memory only.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct RegistrationBody {
    /// The server's name; without one it is named after its port.
    name: Option<String>,
    /// The server's address.
    url: String,
    /// The user name for HTTP Basic.
    username: Option<String>,
    /// The password for HTTP Basic.
    password: Option<String>,
    /// The directory in which the server works.
    directory: Option<String>,
    /// The id of the server's process.
    pid: Option<u32>,
    /// The way in which the server is reached.
    #[serde(default)]
    kind: ServerTransport,
}

/// The response to `POST /servers`.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct RegisteredName {
    /// The server's name from now on.
    name: String,
}

/// Handles `GET /servers`.
pub(super) async fn list(State(room): State<ApiState>) -> Json<Vec<RegisteredServer>> {
    Json(room.mailbox.look().await.registered)
}

/// Handles `GET /nearby`: those that announce themselves on the local network.
pub(super) async fn nearby(State(room): State<ApiState>) -> Response {
    match mdns::look().await {
        Ok(found) => Json(found).into_response(),
        Err(error) => problem(&room, &ApiError::Network(error)),
    }
}

/// Handles `POST /servers`.
pub(super) async fn register(
    State(room): State<ApiState>,
    Json(new): Json<RegistrationBody>,
) -> Response {
    if let Err(fault) = check_address(&new.url, AddressUse::Server) {
        return problem(&room, &ApiError::Address(fault));
    }
    let ports = ports(new.pid).await;
    let server = new.into_server(ports);
    let name = server.name.clone();
    if let Err(NameTaken(name)) = room.mailbox.register(server).await {
        return problem(&room, &ApiError::NameTaken(name));
    }
    (StatusCode::CREATED, Json(RegisteredName { name })).into_response()
}

/// Returns the ports at which a process listens. The system is asked on another thread, since the
/// loop and all rooms wait on one.
async fn ports(pid: Option<u32>) -> BTreeSet<u16> {
    let Some(pid) = pid else {
        return BTreeSet::new();
    };
    tokio::task::spawn_blocking(move || processes::ports(pid))
        .await
        .unwrap_or_default()
}

impl RegistrationBody {
    fn into_server(self, ports: BTreeSet<u16>) -> OpenCodeServer {
        let mut server = OpenCodeServer {
            url: trim_address(&self.url).to_owned(),
            username: self
                .username
                .unwrap_or_else(|| OpenCodeServer::default().username),
            password: self.password.map(Secret::new),
            registered: Some(RegisteredProcess {
                way: self.kind,
                pid: self.pid,
                directory: self.directory,
                ports,
            }),
            ..OpenCodeServer::default()
        };
        let port = url::Url::parse(&server.url)
            .ok()
            .and_then(|url| url.port_or_known_default());
        server.name = self
            .name
            .unwrap_or_else(|| format!("port-{}", port.unwrap_or(0)));
        server
    }
}
