//! Connects the library to a hub's server, by way of the guard.

use super::dialing::{GreetedServer, HubAddress, dial};
use super::relay::{Door, carry};
use crate::hub::fault::OddServer;
use crate::hub::login::ServerWord;
use crate::hub::pauses::{self, Pauses};
use crate::platform::part;
use anyhow::Result;
use async_nats::{Client, ConnectOptions};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tokio::sync::mpsc::UnboundedSender;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};

/// The library comes at once.
const COMES_WITHIN: Duration = Duration::from_secs(5);
/// The longest pause until a server is called again: its own keeper waits for it here.
const AGAIN_WITHIN: Duration = Duration::from_secs(4);

/// Connects to the server of that hub. Why a connection ends of which the guard knows is told as a word.
///
/// # Errors
/// When it is not there, or another user's, or odd, or does not let this device in: [`OddServer`],
/// `OtherUser`, `OtherServer`, `UnusableCa` or the library's own.
pub(in crate::hub) async fn connect(
    options: ConnectOptions,
    address: &HubAddress,
    words: UnboundedSender<ServerWord>,
) -> Result<Client> {
    let server = dial(address).await?;
    let door = Door::open().await?;
    let url = door.url()?;
    let token = door.token();
    let odd = Arc::new(OnceLock::new());
    part::spawn(watch_over(door, server, odd.clone(), words));
    let connected = options.token(token).connect(url).await;
    connected.map_err(|error| match odd.get() {
        Some(odd) => (*odd).into(),
        None => error.into(),
    })
}

/// Watches over the door. The library comes once, and dials once more when it has lost its
/// connection (`max_reconnects`). Another local user who had taken its place meanwhile would be
/// shown the login, for a greeting of their choice: so the place stays taken until that is over.
async fn watch_over(
    door: Door,
    server: GreetedServer,
    odd: Arc<OnceLock<OddServer>>,
    words: UnboundedSender<ServerWord>,
) {
    let come = timeout(COMES_WITHIN, door.admit(&server.greeting)).await;
    let Ok(library) = come else { return };
    let tell = |found| {
        let _ = odd.set(found);
        let _ = words.send(ServerWord::Odd(found));
    };
    tokio::select! {
        () = carry(library, server, tell) => {}
        never = door.turn_away() => match never {},
    }
    let _ = timeout(COMES_WITHIN, door.turn_away()).await;
}

/// Returns a connection that is made anew whenever it breaks, for as long as the second value is
/// kept.
///
/// # Errors
/// As [`connect`].
pub(in crate::hub) async fn connect_again_and_again(
    options: ConnectOptions,
    address: &HubAddress,
) -> Result<(Client, JoinSet<()>)> {
    let server = dial(address).await?;
    let door = Door::open().await?;
    let url = door.url()?;
    let token = door.token();
    let mut guarding = JoinSet::new();
    guarding.spawn(part::within(watch_over_all(door, server, address.clone())));
    Ok((options.token(token).connect(url).await?, guarding))
}

async fn watch_over_all(door: Door, first: GreetedServer, address: HubAddress) {
    let mut pauses = Pauses::default();
    let mut next = Some(first);
    loop {
        let began = Instant::now();
        let server = match next.take() {
            Some(server) => Ok(server),
            None => dial(&address).await,
        };
        let is_unreached = server.as_ref().is_err_and(pauses::is_unreached);
        if let Ok(server) = server {
            let_in(&door, server).await;
        }
        let pause = pauses.after(began.elapsed(), is_unreached);
        sleep(pause.min(AGAIN_WITHIN)).await;
    }
}

/// Lets the library in to that server, until their connection ends.
async fn let_in(door: &Door, server: GreetedServer) {
    let come = timeout(COMES_WITHIN, door.admit(&server.greeting)).await;
    let Ok(library) = come else { return };
    tokio::select! {
        () = carry(library, server, |_| {}) => {}
        never = door.turn_away() => match never {},
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hub::guard::dialing::ServerTrust;
    use std::io::{Read, Write};
    use std::net::TcpListener;
    use tokio::sync::mpsc::unbounded_channel;
    use tokio::sync::oneshot;

    /// Greets, lets one client in, and leaves it when it is told to.
    fn server(leave: oneshot::Receiver<()>) -> HubAddress {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let url = format!("nats://{}", listener.local_addr().unwrap());
        std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let greeting = "INFO {\"max_payload\":1048576,\"headers\":true}\r\n";
            stream.write_all(greeting.as_bytes()).unwrap();
            let mut heard = String::new();
            while !heard.contains("PING\r\n") {
                let mut bytes = [0; 4096];
                let read = stream.read(&mut bytes).unwrap();
                heard += std::str::from_utf8(&bytes[..read]).unwrap();
            }
            stream.write_all(b"PONG\r\n").unwrap();
            leave.blocking_recv().unwrap();
        });
        HubAddress {
            url,
            trust: ServerTrust::System,
            any_user: true,
        }
    }

    #[tokio::test]
    async fn the_library_finds_nobody_else_where_it_was_let_in() {
        let (leave, left) = oneshot::channel();
        let door = Door::open().await.unwrap();
        let place = door.url().unwrap().replace("nats://", "");
        let token = door.token();
        let (words, mut told) = unbounded_channel();
        let greeted = dial(&server(left)).await.unwrap();
        let guarding = watch_over(door, greeted, Arc::default(), words.clone());
        let guarding = tokio::spawn(guarding);
        let options = ConnectOptions::new().max_reconnects(1).token(token);
        let heard = crate::hub::login::heard(options, words);
        let _client = heard.connect(place.clone()).await.unwrap();
        let take = || TcpListener::bind(&place).is_ok();
        assert!(!take(), "while it is connected");
        leave.send(()).unwrap();
        while told.recv().await.is_some() {
            assert!(!take(), "while it dials once more");
        }
        guarding.await.unwrap();
        assert!(take(), "afterwards");
    }
}
