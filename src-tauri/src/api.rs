//! The local API: HTTP on the loopback with a bearer token, in OpenCode's own dialect and a little
//! more. A program that can talk to OpenCode's question API can talk to Beckon.

mod address_file;
mod answers;
mod error;
mod events;
#[cfg(any(test, fuzzing))]
pub(crate) mod fuzzing;
mod health;
mod history;
mod hub;
mod lenient_body;
mod local_asks;
mod notify;
mod presence;
mod reads;
mod servers;
mod serving;
mod settings;
mod status;
mod telegram;
#[cfg(test)]
mod tests;
mod windows;

#[cfg(feature = "hub")]
pub(crate) use hub::left as hub_left;
#[cfg(any(test, fuzzing))]
pub(crate) use local_asks::status::ended as local_ask_ended;
pub(crate) use local_asks::{
    AskerBody, LimitsBody, PermissionBody, QuestionBody, ReceiptBody, TimeLimit, UnreadableBody,
    new_id,
};
pub(crate) use notify::NotifyBody;

use crate::app::inbox::Mailbox;
use crate::platform::secrets::{self, Secret};
use crate::store::HistoryReader;
use address_file::AddressFile;
use anyhow::{Context, Result};
use axum::Router;
use axum::body::to_bytes;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::Response;
use axum::routing::{MethodRouter, delete, get, post};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use beckon_client::config;
use beckon_client::connection::LARGEST_BODY;
use beckon_client::connection::endpoint::{Endpoint, socket_beside};
use beckon_client::platform::paths::Paths;
use beckon_client::text::Texts;
use error::ApiError;
use rand::Rng;
use serving::ConnectionPass;
use settings::{integrations, origins};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;

/// The name of the secret with which another machine watches this Beckon.
const SECRET: &str = "api";
/// The least length of a token from the keychain, in bytes. A token is meant to be random, not a
/// password that a person thinks of.
const SHORTEST_TOKEN: usize = 16;
/// The most bytes of a refusal that are read: the reason why JSON does not fit is a line.
const LONGEST_REASON: usize = 10_000;
/// The time that the keychain has at the start: a locked one must not hold it up.
const KEYCHAIN_WITHIN: Duration = Duration::from_secs(2);

#[derive(Clone)]
struct ApiState {
    mailbox: Mailbox,
    token: Arc<str>,
    /// The token of other machines that watch this one, if there is one.
    known: Option<Secret>,
    /// The name of this Beckon among Beckons.
    instance: Arc<str>,
    paths: Arc<Paths>,
    texts: Arc<Texts>,
    history: HistoryReader,
}

/// The running API. Its address file and its socket are removed when this is dropped.
#[derive(Debug)]
pub(crate) struct ApiHandle {
    _address: AddressFile,
}

/// Listens on a port, and on a socket if there can be one, and writes `run/endpoint.json`.
///
/// # Errors
/// When no port can be had or the file cannot be written.
pub(crate) async fn start(
    paths: &Paths,
    config: &config::ApiConfig,
    mailbox: Mailbox,
    texts: Arc<Texts>,
    instance: Arc<str>,
) -> Result<ApiHandle> {
    let listener = listen(config.port).await?;
    let socket = listen_beside(&paths.endpoint);
    let known = known_token(config.port).await;
    let token = new_token();
    let endpoint = Endpoint {
        url: format!("http://{}", listener.local_addr()?),
        token: token.clone(),
        pid: std::process::id(),
        version: env!("CARGO_PKG_VERSION").into(),
        socket: socket.is_some().then(|| socket_beside(&paths.endpoint)),
    };
    let history = HistoryReader::of(&paths.database);
    let token = token.into();
    let paths_of_room = Arc::new(paths.clone());
    let room = ApiState {
        mailbox,
        token,
        known,
        instance,
        paths: paths_of_room,
        texts,
        history,
    };
    let router = router(room);
    let beside = socket.is_some().then(|| router.clone());
    if let Some(socket) = socket {
        tokio::spawn(socket.serve(router.clone()));
    }
    tokio::spawn(serving::serve_port(listener, router));
    let content = serde_json::to_string(&endpoint)?;
    Ok(ApiHandle {
        _address: AddressFile::keep(paths, content, beside)?,
    })
}

/// Opens the socket beside the port. There is none if its path is too long, or if the file system
/// has no sockets: then there is only the port, and Beckon has to prove on it to our clients that
/// it is the listener.
fn listen_beside(endpoint: &Path) -> Option<serving::socket::SocketListener> {
    let path = socket_beside(endpoint);
    path.to_str()?;
    match serving::socket::bind(&path) {
        Ok(listener) => Some(listener),
        Err(error) => {
            tracing::info!(%error, path = %path.display(), "there is no socket, only the port");
            None
        }
    }
}

/// Opens the port of the settings, or any other one if that is taken by another program.
async fn listen(port: u16) -> Result<TcpListener> {
    match TcpListener::bind(("127.0.0.1", port)).await {
        Ok(listener) => Ok(listener),
        Err(error) => {
            tracing::warn!(port, %error, "the port of the local API is not free");
            TcpListener::bind(("127.0.0.1", 0))
                .await
                .context("Failed to open a port")
        }
    }
}

/// Reads the token that other machines use from the keychain. It is of use only with a fixed port,
/// as the token stays the same and the port must as well.
async fn known_token(port: u16) -> Option<Secret> {
    if port == 0 {
        return None;
    }
    let read = tokio::time::timeout(KEYCHAIN_WITHIN, secrets::read(SECRET)).await;
    let known = read.ok().and_then(Result::ok).flatten();
    let long = |secret: &Secret| secret.expose().len() >= SHORTEST_TOKEN;
    if known.as_ref().is_some_and(|secret| !long(secret)) {
        tracing::warn!(
            least = SHORTEST_TOKEN,
            "the secret `api` is too short and is not used"
        );
    }
    known.filter(long)
}

fn router(room: ApiState) -> Router {
    let routes = [dialect(), asks_and_answers(), setting_up()].concat();
    guarded(routes, &room)
        // This route is added after the layer that asks for the token, so it is the only one
        // without a token.
        .route(
            beckon_client::connection::proof::PATH,
            get(serving::proof::prove).fallback(serving::proof::refuse),
        )
        .with_state(room)
}

/// A path, and the handlers of its methods.
type Route = (&'static str, MethodRouter<ApiState>);

/// Builds the router of those routes, which refuses every request without the token.
fn guarded(routes: Vec<Route>, room: &ApiState) -> Router<ApiState> {
    let add = |router: Router<ApiState>, (path, methods)| router.route(path, methods);
    routes
        .into_iter()
        .fold(Router::new(), add)
        .layer(DefaultBodyLimit::max(LARGEST_BODY))
        .layer(middleware::map_response_with_state(
            room.clone(),
            as_opencode_says,
        ))
        .layer(middleware::from_fn_with_state(room.clone(), authorise))
}

/// Returns the routes that OpenCode has as well, so that a Beckon can be watched like an OpenCode
/// server.
fn dialect() -> Vec<Route> {
    vec![
        ("/global/health", get(reads::health)),
        ("/global/event", get(events::opencode)),
        ("/path", get(reads::path)),
        ("/project", get(reads::projects)),
        ("/experimental/session", get(reads::sessions)),
        ("/session/status", get(reads::session_status)),
        ("/session/{id}", get(reads::session)),
        ("/session/{id}/message/{message}", get(reads::message)),
        ("/question", get(reads::questions).post(local_asks::ask)),
        (
            "/question/{id}",
            get(local_asks::look).delete(local_asks::withdraw),
        ),
        (
            "/permission",
            get(reads::permissions).post(local_asks::request),
        ),
        (
            "/permission/{id}",
            get(local_asks::look).delete(local_asks::withdraw),
        ),
        ("/question/{id}/reply", post(answers::reply)),
        ("/question/{id}/reject", post(answers::reject)),
        ("/permission/{id}/reply", post(answers::grant)),
    ]
}

/// Returns the routes that only Beckon has, for other Beckons and for its own programs.
fn asks_and_answers() -> Vec<Route> {
    vec![
        ("/watch", get(events::watch)),
        ("/status", get(reads::status)),
        ("/list", get(reads::list)),
        ("/show/{id}", get(reads::show)),
        ("/ask", get(reads::others)),
        ("/question/{id}/receipt", post(local_asks::receipt)),
        ("/permission/{id}/receipt", post(local_asks::receipt)),
        ("/unreadable", post(local_asks::unreadable)),
        ("/answer/{id}", post(answers::answer)),
        ("/attention/{id}", post(answers::attend)),
        ("/open/{id}", post(answers::open)),
        ("/notify", post(notify::notify)),
        ("/presence", post(presence::presence)),
        ("/servers", get(servers::list).post(servers::register)),
        ("/show", post(answers::show)),
        ("/history", get(history::search)),
        ("/history/activity", get(history::activity)),
        ("/history/always", get(history::grants)),
        ("/history/always/{serial}", delete(history::revoke)),
        ("/history/export", get(history::export)),
        ("/pause", post(windows::pause)),
        ("/windows/wish", get(windows::wish)),
        ("/windows/open", post(windows::open)),
        ("/windows/focus", post(windows::focus)),
        ("/windows/view", get(windows::view)),
        ("/windows/drafts", get(windows::drafts)),
        ("/windows/drafts/{id}", post(windows::keep_draft)),
    ]
}

/// Returns the routes of settings and checks.
fn setting_up() -> Vec<Route> {
    vec![
        ("/hub", get(hub::look)),
        ("/hub/join", post(hub::join)),
        ("/hub/leave", post(hub::leave)),
        ("/hub/remove", post(hub::remove)),
        ("/nearby", get(servers::nearby)),
        ("/servers/test", post(origins::test)),
        ("/settings", get(settings::read).patch(settings::change)),
        ("/settings/autostart", post(integrations::autostart)),
        ("/settings/servers", post(origins::add)),
        (
            "/settings/servers/{name}",
            delete(origins::remove).patch(origins::change),
        ),
        (
            "/secrets/{name}",
            post(settings::set_secret).delete(settings::remove_secret),
        ),
        (
            "/integrations/opencode",
            get(integrations::settings_of_plugin).post(integrations::opencode),
        ),
        ("/agents", get(integrations::agents)),
        ("/integrations", get(integrations::look)),
        ("/integrations/claude-code", post(integrations::hooks)),
        ("/selftest", post(health::self_test)),
        ("/selftest/question", post(health::test_question)),
        ("/telegram/login", post(settings::login)),
        ("/telegram", get(telegram::look)),
        ("/telegram/reload", post(telegram::reload)),
        ("/telegram/pair", post(telegram::pair)),
        ("/telegram/people/{id}", delete(telegram::unpair)),
        ("/telegram/test", post(telegram::test)),
    ]
}

/// Changes refusals to those of OpenCode: JSON of the wrong shape is 400 there. A plain text with
/// which a part of the HTTP server refuses a request becomes a problem like all others.
async fn as_opencode_says(State(room): State<ApiState>, response: Response) -> Response {
    let status = match response.status() {
        StatusCode::UNPROCESSABLE_ENTITY => StatusCode::BAD_REQUEST,
        status => status,
    };
    let kind = response
        .headers()
        .get(header::CONTENT_TYPE)
        .and_then(|kind| kind.to_str().ok());
    if !status.is_client_error() || !kind.is_some_and(|kind| kind.starts_with("text/plain")) {
        return response;
    }
    let text = to_bytes(response.into_body(), LONGEST_REASON)
        .await
        .unwrap_or_default();
    let mut said = problem(
        &room,
        &ApiError::Shape(String::from_utf8_lossy(&text).into()),
    );
    *said.status_mut() = status;
    said
}

/// Lets requests with a token through. Without one, or with a wrong one, the refusal is the same
/// whatever was asked for.
async fn authorise(State(room): State<ApiState>, request: Request, next: Next) -> Response {
    let given = request
        .headers()
        .get(header::AUTHORIZATION)
        .and_then(|value| value.to_str().ok());
    let given = token(given.unwrap_or_default());
    let known = room
        .known
        .as_ref()
        .map(|known| same(&given, known.expose().as_bytes()));
    if !same(&given, room.token.as_bytes()) && known != Some(true) {
        return problem(&room, &ApiError::Unauthorized);
    }
    if let Some(pass) = request.extensions().get::<ConnectionPass>() {
        pass.admit();
    }
    next.run(request).await
}

/// Returns the token of a bearer, or the password of a client that takes Beckon for an OpenCode
/// server.
fn token(header: &str) -> Vec<u8> {
    if let Some(token) = header.strip_prefix("Bearer ") {
        return token.into();
    }
    let basic = header
        .strip_prefix("Basic ")
        .and_then(|basic| BASE64_STANDARD.decode(basic).ok());
    let pair = basic.unwrap_or_default();
    let colon = pair
        .iter()
        .position(|byte| *byte == b':')
        .map_or(pair.len(), |at| at + 1);
    pair[colon..].to_vec()
}

/// Whether both are equal. Takes as long for a nearly right token as for a wrong one.
fn same(a: &[u8], b: &[u8]) -> bool {
    let differing = a.iter().zip(b).fold(0, |sum, (x, y)| sum | (x ^ y));
    a.len() == b.len() && differing == 0
}

fn new_token() -> String {
    let bytes: [u8; 32] = rand::rng().random();
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns the response that says why something is not done, in the language of the moment.
fn problem(room: &ApiState, why: &ApiError) -> Response {
    why.response(&room.texts)
}

/// Returns that response, to something that counts already, as soon as it is saved. If the disk
/// goes on refusing, the response says that it is not saved. Meant for what a person relies on and
/// no source would bring back.
async fn once_saved(room: &ApiState, done: Response) -> Response {
    if room.mailbox.is_saved().await {
        return done;
    }
    problem(room, &ApiError::NotSaved)
}
