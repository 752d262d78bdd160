//! The local API: HTTP on the loopback with a bearer token. It speaks OpenCode's own dialect and a
//! little more, so a program that talks to OpenCode's question API can talk to Beckon.

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

/// The name of the secret by which another machine watches this Beckon.
const SECRET: &str = "api";
/// The least length of that secret: it is a token, not a password that a person thinks of.
const SHORTEST_TOKEN: usize = 16;
/// The most bytes of a reason why JSON does not fit, which is a line.
const LONGEST_REASON: usize = 10_000;
/// The time limit for the keychain: a locked one must not hold up the start.
const KEYCHAIN_WITHIN: Duration = Duration::from_secs(2);

#[derive(Clone)]
struct ApiState {
    mailbox: Mailbox,
    token: Arc<str>,
    /// The token of a Beckon that watches this one from another machine.
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

/// Listens on a port, and on a socket where that is possible, and writes `run/endpoint.json`.
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

/// Listens on the socket beside the address file. `None` if its path is too long, or the file
/// system has no sockets. Then there is only the port, where Beckon has to prove itself to its
/// clients.
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

/// Listens on the port of the settings, or on any port if another program has that.
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

/// Returns the token that stays the same over restarts; `None` with a random port, since it is of
/// use only where the port stays the same.
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
        // This route comes last, behind the others: it alone needs no token.
        .route(
            beckon_client::connection::proof::PATH,
            get(serving::proof::prove).fallback(serving::proof::refuse),
        )
        .with_state(room)
}

/// A path, with the handlers of its methods.
type Route = (&'static str, MethodRouter<ApiState>);

/// Puts the token check before those routes.
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

/// Returns the routes that OpenCode has too, so that a Beckon can be watched like an OpenCode.
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

/// Returns the further routes about asks, for other Beckons and Beckon's own programs.
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

/// Returns the routes for settings and checks.
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

/// Changes responses to OpenCode's form. JSON of the wrong shape is status 400 there, and a refusal
/// by the web framework, which is plain text, becomes a problem like any other.
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

/// Refuses every request with a wrong token or none, in the same way for all paths.
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

/// Returns the token of a bearer, or the password of a client that takes Beckon for an OpenCode.
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

/// Compares tokens in a time that does not depend on how much of them is right.
fn same(a: &[u8], b: &[u8]) -> bool {
    let differing = a.iter().zip(b).fold(0, |sum, (x, y)| sum | (x ^ y));
    a.len() == b.len() && differing == 0
}

fn new_token() -> String {
    let bytes: [u8; 32] = rand::rng().random();
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns the response for an error, in the language in use.
fn problem(room: &ApiState, why: &ApiError) -> Response {
    why.response(&room.texts)
}

/// Returns the response to something that counts already, once it is saved. If the disk goes on
/// refusing, the response says so instead. This is for things that a person relies on and that
/// nobody else would bring back.
async fn once_saved(room: &ApiState, done: Response) -> Response {
    if room.mailbox.is_saved().await {
        return done;
    }
    problem(room, &ApiError::NotSaved)
}
