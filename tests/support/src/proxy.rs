//! A small real proxy, SOCKS5 or HTTP, that leads made-up names to servers of this machine and
//! records the requested servers. It looks names up by itself, as a proxy does for clients whose
//! own resolver is not to be trusted, and connects to no other place.
//!
//! This file starts and stops it and keeps its record. The protocols are in `proxy/socks5.rs` and
//! `proxy/http.rs`.

mod http;
mod socks5;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;

/// The protocol of a proxy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speaks {
    /// RFC 1928, with the passwords of RFC 1929.
    Socks5,
    /// CONNECT (RFC 9110, 9.3.6), and whole addresses (RFC 9112, 3.2.2).
    Http,
}

/// A server that a client asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The host, by name or by address.
    pub host: String,
    /// The port.
    pub port: u16,
}

#[derive(Default)]
struct Book {
    /// The address to which each name leads.
    names: BTreeMap<String, SocketAddr>,
    login: Option<(String, String)>,
    asked: Vec<Asked>,
}

#[derive(Default)]
struct Desk {
    book: Mutex<Book>,
    refused: AtomicUsize,
}

/// The proxy, running or not. Dropping it, or [`Proxy::go`], cuts every connection.
pub struct Proxy {
    speaks: Speaks,
    desk: Arc<Desk>,
    address: SocketAddr,
    running: Option<(oneshot::Sender<()>, JoinHandle<()>)>,
}

impl Proxy {
    /// Starts a proxy that admits every client and knows no names.
    pub fn start(speaks: Speaks) -> Proxy {
        let (desk, address) = (
            Arc::<Desk>::default(),
            SocketAddr::from(([127, 0, 0, 1], 0)),
        );
        let mut proxy = Proxy {
            speaks,
            desk,
            address,
            running: None,
        };
        proxy.come_back();
        proxy
    }

    /// Makes a name lead to an address from now on, whatever the port.
    pub fn leads(&self, name: &str, to: SocketAddr) {
        self.desk
            .book
            .lock()
            .unwrap()
            .names
            .insert(name.to_owned(), to);
    }

    /// Demands this user and password from now on.
    pub fn login(&self, user: &str, password: &str) {
        self.desk.book.lock().unwrap().login = Some((user.to_owned(), password.to_owned()));
    }

    /// Returns host and port of the proxy.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the proxy's address in the form of `telegram.proxy`, for that user.
    pub fn url(&self, user: Option<&str>) -> String {
        let scheme = match self.speaks {
            Speaks::Socks5 => "socks5",
            Speaks::Http => "http",
        };
        let user = user.map(|user| format!("{user}@")).unwrap_or_default();
        format!("{scheme}://{user}{}", self.address)
    }

    /// Returns the servers that clients asked for, in order; refused clients are not included.
    pub fn asked(&self) -> Vec<Asked> {
        self.desk.book.lock().unwrap().asked.clone()
    }

    /// Returns how often a client was refused.
    pub fn refused(&self) -> usize {
        self.desk.refused.load(Ordering::Relaxed)
    }

    /// Stops the proxy and frees its port.
    pub fn go(&mut self) {
        let Some((stop, thread)) = self.running.take() else {
            return;
        };
        drop(stop);
        let _ = thread.join();
    }

    /// Starts the proxy again at the same port.
    pub fn come_back(&mut self) {
        let (stop, stopped) = oneshot::channel();
        let (bound, address) = std::sync::mpsc::channel();
        let (speaks, desk, wanted) = (self.speaks, Arc::clone(&self.desk), self.address);
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build();
            runtime.unwrap().block_on(async {
                let listener = TcpListener::bind(wanted).await.unwrap();
                bound.send(listener.local_addr().unwrap()).unwrap();
                tokio::select! { () = accept(listener, speaks, desk) => {} , _ = stopped => {} }
            });
        });
        self.address = address.recv().expect("failed to bind a loopback port");
        self.running = Some((stop, thread));
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.go();
    }
}

async fn accept(listener: TcpListener, speaks: Speaks, desk: Arc<Desk>) {
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            return;
        };
        let desk = Arc::clone(&desk);
        tokio::spawn(async move {
            // A client that disconnects in the middle is no error.
            let _ = match speaks {
                Speaks::Socks5 => socks5::serve(stream, &desk).await,
                Speaks::Http => http::serve(stream, &desk).await,
            };
        });
    }
}

impl Desk {
    /// Tells whether a client with these credentials is admitted, and counts the refused ones.
    fn lets_in(&self, said: Option<(&str, &str)>) -> bool {
        let book = self.book.lock().unwrap();
        let known = book
            .login
            .as_ref()
            .map(|(user, password)| (user.as_str(), password.as_str()));
        let lets_in = known.is_none() || known == said;
        self.refused
            .fetch_add(usize::from(!lets_in), Ordering::Relaxed);
        lets_in
    }

    fn wants_login(&self) -> bool {
        self.book.lock().unwrap().login.is_some()
    }

    /// Connects to the requested host; `None` if the name leads nowhere.
    async fn connect(&self, host: &str, port: u16) -> Option<TcpStream> {
        let to = {
            let mut book = self.book.lock().unwrap();
            book.asked.push(Asked {
                host: host.to_owned(),
                port,
            });
            *book.names.get(host)?
        };
        TcpStream::connect(to).await.ok()
    }
}
