//! An ask of this process at the local API: asked until it has ended, and withdrawn. Not here: what
//! is asked, and what each command makes of the end.
//!
//! Beckon may be killed and started again at any moment, so everything is said until it was heard.
//! An asker that cannot say any more that it has gone is missed instead: nobody waits at its
//! connection.

use beckon_client::connection::{Client, ClientError, encode};
use beckon_client::platform::paths::Paths;
use beckon_client::wire::{AskedState, LocalAskStatus};
use serde::Serialize;
use std::time::{Duration, Instant};

/// Where questions are asked.
pub(in crate::cli) const QUESTION: &str = "/question";

/// One request waits for so long; then the next one does.
const POLL: Duration = Duration::from_secs(60);
/// A Beckon that is away in the middle of it is expected back for so long …
const RETURNS_WITHIN: Duration = Duration::from_secs(60);
/// … and looked for so often.
const LOOK_AGAIN: Duration = Duration::from_millis(250);
/// A withdrawal is tried again ever more seldom, and at last so seldom.
const SLOWEST: Duration = Duration::from_secs(5);

/// So often somebody who cannot wait for a hung Beckon looks whether it still lives …
const LIFE_SIGN_EVERY: Duration = Duration::from_secs(4);
/// … and so soon a living one answers, also on a busy machine.
const LIFE_SIGN_WITHIN: Duration = Duration::from_secs(2);
/// Longer than a restart takes.
const GIVEN_UP_AFTER: Duration = Duration::from_secs(8);

/// Asks there, and asks again until it has ended. What is asked has an id.
pub(in crate::cli) async fn until_it_ends<B: Serialize>(
    paths: &Paths,
    place: &str,
    asking: &B,
) -> Result<LocalAskStatus, ClientError> {
    let mut asked_before = false;
    let mut missing_since: Option<Instant> = None;
    loop {
        match wait_once(paths, place, asking).await {
            Ok(asked) if asked.state != AskedState::Open => return Ok(asked),
            Ok(_) => {
                (asked_before, missing_since) = (true, None);
                continue;
            }
            Err(refused) if is_final(&refused, asked_before) => return Err(refused),
            Err(_) => asked_before = true,
        }
        if missing_since.get_or_insert_with(Instant::now).elapsed() >= RETURNS_WITHIN {
            return Err(ClientError::NotRunning);
        }
        tokio::time::sleep(LOOK_AGAIN).await;
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

/// A Beckon that was there once may come back, with the answer.
fn is_final(refused: &ClientError, asked_before: bool) -> bool {
    match refused {
        ClientError::NotRunning | ClientError::Unproven => !asked_before,
        // Unauthorized: another Beckon has started between the look for its token and the request.
        ClientError::Problem(status, _) | ClientError::Odd(status) => {
            !status.is_server_error() && *status != 401
        }
        ClientError::Silent(_) | ClientError::Other(_) => false,
        ClientError::Exposed(_) | ClientError::TooLarge | ClientError::Said(_) => true,
    }
}

/// Nobody needs that answer any more. `false`: Beckon has not heard it.
pub(in crate::cli) async fn withdraw(paths: &Paths, id: &str) -> bool {
    let path = format!("{QUESTION}/{}", encode(id));
    let Ok(client) = Client::new(paths) else {
        return false;
    };
    match client.delete::<bool>(&path).await {
        Ok(_) => true,
        // One that is not open (any more) needs nothing.
        Err(ClientError::Problem(status, _)) => status.is_client_error() && status != 401,
        Err(_) => false,
    }
}

/// The same, until Beckon has heard it. Whoever asks has stopped asking before: an ask that is made
/// again after its withdrawal would stand.
pub(in crate::cli) async fn withdraw_until_heard(paths: &Paths, id: &str) {
    let mut pause = LOOK_AGAIN;
    while !withdraw(paths, id).await {
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(SLOWEST);
    }
}

/// Ends once Beckon has given no sign of life for a while: for an asker in whose way somebody else
/// stands. It may be hung with the connection open, which nothing else would tell.
pub(in crate::cli) async fn silence_of_beckon(paths: &Paths) {
    let mut alive_at = Instant::now();
    while alive_at.elapsed() < GIVEN_UP_AFTER {
        tokio::time::sleep(LIFE_SIGN_EVERY).await;
        if is_alive(paths).await {
            alive_at = Instant::now();
        }
    }
}

async fn is_alive(paths: &Paths) -> bool {
    let Ok(client) = Client::new(paths) else {
        return false;
    };
    client.is_alive(LIFE_SIGN_WITHIN).await
}

/// Somebody wants this program to end.
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

/// Somebody wants this program to end.
#[cfg(not(unix))]
pub(in crate::cli) async fn interrupted() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
