//! An ask of this process at the local API: asked until it has ended, and withdrawn.
//!
//! Beckon may be killed and restarted at any moment, so every request is repeated until it was
//! heard. If an asker cannot tell any more that it has gone, Beckon notices that nobody waits at
//! its connection.
//!
//! Not here: what is asked, and what each command makes of the end.

use beckon_client::connection::{Client, ClientError, encode};
use beckon_client::platform::paths::Paths;
use beckon_client::wire::{AskedState, LocalAskStatus};
use serde::Serialize;
use std::time::{Duration, Instant};

/// The path at which questions are asked.
pub(in crate::cli) const QUESTION: &str = "/question";
/// The path at which permissions are asked for.
pub(in crate::cli) const PERMISSION: &str = "/permission";
/// The path that takes asks which cannot be read.
pub(in crate::cli) const UNREADABLE: &str = "/unreadable";

/// How long one request waits for the end, before the next one does.
const POLL: Duration = Duration::from_secs(60);
/// How long an asker waits for a Beckon that is away in the middle of an ask.
const RETURNS_WITHIN: Duration = Duration::from_secs(60);
/// How long until the next try to reach Beckon.
const LOOK_AGAIN: Duration = Duration::from_millis(250);
/// The longest pause between tries of a withdrawal, which become ever more seldom.
const SLOWEST: Duration = Duration::from_secs(5);

/// How long until an asker that cannot wait for a hung Beckon checks again whether it still lives.
const LIFE_SIGN_EVERY: Duration = Duration::from_secs(4);
/// How long a living Beckon takes at most to answer that check, also on a busy machine.
const LIFE_SIGN_WITHIN: Duration = Duration::from_secs(2);
/// How long a Beckon may take to answer that check when nobody waits for it.
const RETURNS_SLOWLY: Duration = Duration::from_secs(60);
/// The pause between two looks for a Beckon that is away.
const LOOK_FOR_IT: Duration = Duration::from_millis(500);
/// How long Beckon may give no sign of life until it is given up: longer than a restart takes.
const GIVEN_UP_AFTER: Duration = Duration::from_secs(8);

/// Asks at that path, and repeats the request until the ask has ended. The ask must have an id.
pub(in crate::cli) async fn until_it_ends<B: Serialize>(
    paths: &Paths,
    place: &str,
    asking: &B,
) -> Result<LocalAskStatus, ClientError> {
    until_it_ends_within(paths, place, asking, RETURNS_WITHIN, || false).await
}

/// Asks as [`until_it_ends`] does, for an ask that its agent also shows in another place. Nobody
/// has to wait for this one meanwhile, so a Beckon that is away is waited for however long that
/// takes.
pub(in crate::cli) async fn until_it_ends_anywhere<B: Serialize>(
    paths: &Paths,
    place: &str,
    asking: &B,
    stands_elsewhere: impl Fn() -> bool,
) -> Result<LocalAskStatus, ClientError> {
    until_it_ends_within(paths, place, asking, RETURNS_WITHIN, stands_elsewhere).await
}

/// Asks as [`until_it_ends_anywhere`] does, with another time for a Beckon that is away to return.
async fn until_it_ends_within<B: Serialize>(
    paths: &Paths,
    place: &str,
    asking: &B,
    patience: Duration,
    stands_elsewhere: impl Fn() -> bool,
) -> Result<LocalAskStatus, ClientError> {
    let mut asked_before = false;
    let mut missing = MissingBeckon::default();
    loop {
        match wait_once(paths, place, asking).await {
            Ok(asked) if asked.state != AskedState::Open => return Ok(asked),
            Ok(_) => {
                asked_before = true;
                missing = MissingBeckon::default();
                continue;
            }
            Err(refused) if is_final(&refused, asked_before) => return Err(refused),
            Err(_) => asked_before = true,
        }

        // While Beckon was stopped a request may have begun, and have waited in vain although
        // Beckon is back. So what counts is that Beckon is alive, not how long ago an answer came.
        if missing.is_too_long(Instant::now(), patience) {
            if !stands_elsewhere() && !is_alive(paths).await {
                return Err(ClientError::NotRunning);
            }
            missing = MissingBeckon::default();
        }
        tokio::time::sleep(LOOK_AGAIN).await;
    }
}

/// The time since which Beckon gives no answer.
#[derive(Debug, Default)]
struct MissingBeckon {
    since: Option<Instant>,
}

impl MissingBeckon {
    /// Notes that there was no answer now. Returns whether there has been none for longer than
    /// `patience`.
    fn is_too_long(&mut self, now: Instant, patience: Duration) -> bool {
        let since = *self.since.get_or_insert(now);
        now.saturating_duration_since(since) >= patience
    }
}

async fn wait_once<B: Serialize>(
    paths: &Paths,
    place: &str,
    asking: &B,
) -> Result<LocalAskStatus, ClientError> {
    let path = format!("{place}?wait={}", POLL.as_secs());
    Client::new(paths)?.post(&path, asking, POLL).await
}

/// Whether a refusal is final. A Beckon that was reached once may come back, with the answer.
fn is_final(refused: &ClientError, asked_before: bool) -> bool {
    match refused {
        ClientError::NotRunning | ClientError::Unproven => !asked_before,
        // Unauthorized means that another Beckon has started between reading its token and the
        // request.
        ClientError::Problem(status, _) | ClientError::Odd(status) => {
            !status.is_server_error() && *status != 401
        }
        ClientError::Silent(_) | ClientError::Other(_) => false,
        ClientError::Exposed(_)
        | ClientError::TooLarge
        | ClientError::Misused(_)
        | ClientError::Said(_) => true,
    }
}

/// Withdraws an ask: nobody needs its answer any more. Returns false if Beckon has not heard it.
pub(in crate::cli) async fn withdraw(paths: &Paths, id: &str) -> bool {
    let path = format!("{QUESTION}/{}", encode(id));
    let Ok(client) = Client::new(paths) else {
        return false;
    };
    match client.delete::<bool>(&path).await {
        Ok(_) => true,
        // An ask that is not open (any more) needs no withdrawal.
        Err(ClientError::Problem(status, _)) => status.is_client_error() && status != 401,
        Err(_) => false,
    }
}

/// Withdraws an ask, until Beckon has heard it. The asker must have stopped asking before: an ask
/// that is made again after its withdrawal would be open.
pub(in crate::cli) async fn withdraw_until_heard(paths: &Paths, id: &str) {
    let mut pause = LOOK_AGAIN;
    while !withdraw(paths, id).await {
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(SLOWEST);
    }
}

/// Waits until Beckon has given no sign of life for a while, for an asker that another program
/// waits for. A hung Beckon may keep its connections open, so nothing else would tell.
pub(in crate::cli) async fn silence_of_beckon(paths: &Paths) {
    let mut alive_at = Instant::now();
    while alive_at.elapsed() < GIVEN_UP_AFTER {
        tokio::time::sleep(LIFE_SIGN_EVERY).await;
        if is_alive(paths).await {
            alive_at = Instant::now();
        }
    }
}

/// Returns a client as soon as there is a Beckon that answers.
pub(in crate::cli) async fn returned(paths: &Paths) -> Client {
    loop {
        // Only a life sign is asked for: a hung Beckon would carry out any other request as soon as
        // it goes on.
        if let Ok(client) = Client::new(paths)
            && client.is_alive(RETURNS_SLOWLY).await
        {
            return client;
        }
        tokio::time::sleep(LOOK_FOR_IT).await;
    }
}

async fn is_alive(paths: &Paths) -> bool {
    let Ok(client) = Client::new(paths) else {
        return false;
    };
    client.is_alive(LIFE_SIGN_WITHIN).await
}

/// Waits until somebody wants this program to end.
#[cfg(unix)]
pub(in crate::cli) async fn interrupted() {
    use tokio::signal::unix::{SignalKind, signal};
    let (Ok(mut term), Ok(mut int)) = (
        signal(SignalKind::terminate()),
        signal(SignalKind::interrupt()),
    ) else {
        return std::future::pending().await;
    };
    tokio::select! {
        _ = term.recv() => {}
        _ = int.recv() => {}
    }
}

/// Waits until somebody wants this program to end.
#[cfg(not(unix))]
pub(in crate::cli) async fn interrupted() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use axum::Router;
    use axum::http::StatusCode;
    use axum::response::IntoResponse;
    use beckon_client::connection::endpoint::{Endpoint, socket_beside};
    use serde_json::json;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    const PATIENCE: Duration = Duration::from_millis(400);

    /// A Beckon that does not answer questions until it is told to, and that lives or not.
    struct Standing {
        paths: Paths,
        answers: Arc<AtomicBool>,
        _home: tempfile::TempDir,
    }

    impl Standing {
        fn start(is_alive: bool) -> Self {
            let home = tempfile::tempdir().unwrap();
            let paths = Paths::below(home.path());
            paths.create().unwrap();
            let endpoint = Endpoint {
                url: "http://127.0.0.1:9".into(),
                token: "token".into(),
                pid: std::process::id(),
                version: env!("CARGO_PKG_VERSION").into(),
                socket: Some(socket_beside(&paths.endpoint)),
            };
            std::fs::write(&paths.endpoint, serde_json::to_string(&endpoint).unwrap()).unwrap();

            let answers = Arc::new(AtomicBool::new(false));
            let told = answers.clone();
            let question = async move || {
                if told.load(Ordering::SeqCst) {
                    let ended = json!({ "id": "a", "state": "dismissed" });
                    return axum::Json(ended).into_response();
                }
                StatusCode::SERVICE_UNAVAILABLE.into_response()
            };
            let health = if is_alive {
                StatusCode::OK
            } else {
                StatusCode::SERVICE_UNAVAILABLE
            };
            let router = Router::new()
                .route(QUESTION, axum::routing::post(question))
                .fallback(async move || health);
            let socket = tokio::net::UnixListener::bind(socket_beside(&paths.endpoint)).unwrap();
            tokio::spawn(async move { axum::serve(socket, router).await });
            Self {
                paths,
                answers,
                _home: home,
            }
        }

        async fn ask(&self) -> Result<LocalAskStatus, ClientError> {
            self.ask_while(|| false).await
        }

        async fn ask_while(
            &self,
            stands_elsewhere: impl Fn() -> bool,
        ) -> Result<LocalAskStatus, ClientError> {
            let asking = json!({});
            until_it_ends_within(&self.paths, QUESTION, &asking, PATIENCE, stands_elsewhere).await
        }

        fn answer_later(&self) {
            let answers = self.answers.clone();
            tokio::spawn(async move {
                tokio::time::sleep(4 * PATIENCE).await;
                answers.store(true, Ordering::SeqCst);
            });
        }
    }

    #[tokio::test]
    async fn a_beckon_that_is_alive_is_waited_for_however_long_it_had_no_answer() {
        let beckon = Standing::start(true);
        beckon.answer_later();
        let asked = beckon.ask().await.unwrap();
        assert_eq!(asked.state, AskedState::Dismissed);
    }

    #[tokio::test]
    async fn one_without_a_sign_of_life_is_waited_for_while_the_ask_stands_elsewhere() {
        let beckon = Standing::start(false);
        beckon.answer_later();
        let asked = beckon.ask_while(|| true).await.unwrap();
        assert_eq!(asked.state, AskedState::Dismissed);
    }

    #[tokio::test]
    async fn one_without_a_sign_of_life_is_given_up() {
        let beckon = Standing::start(false);
        let given_up = beckon.ask().await;
        assert!(
            matches!(given_up, Err(ClientError::NotRunning)),
            "{given_up:?}"
        );
    }
}
