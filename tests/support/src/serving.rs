//! A thread that serves an axum router on the loopback. What is served is decided elsewhere.

use std::net::SocketAddr;
use std::thread::JoinHandle;

use crate::ports::free_port;
use axum::Router;
use axum::serve::ListenerExt;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

/// A running server. Dropping it frees the port and cuts every connection.
pub(crate) struct Serving {
    address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Serving {
    /// Serves `router` on 127.0.0.1; port 0 takes a free one. It is none that the system gives to
    /// clients: while a server is down a connection of another test could take that.
    pub(crate) fn start(router: Router, port: u16) -> Serving {
        let port = if port == 0 { free_port() } else { port };
        let (stop, stopped) = oneshot::channel();
        let (bound, address) = std::sync::mpsc::channel();
        let thread = std::thread::spawn(move || run(router, port, &bound, stopped));
        let address = address.recv().expect("failed to bind a loopback port");
        Serving {
            address,
            stop: Some(stop),
            thread: Some(thread),
        }
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }
}

/// Serves until `stopped`. Returning drops the runtime, and with it every connection: open streams
/// end abruptly.
fn run(
    router: Router,
    port: u16,
    bound: &std::sync::mpsc::Sender<SocketAddr>,
    stopped: oneshot::Receiver<()>,
) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let listener = TcpListener::bind(("127.0.0.1", port)).await.unwrap();
        bound.send(listener.local_addr().unwrap()).unwrap();
        // Without TCP_NODELAY small events wait up to 40 ms for an acknowledgement, which no real
        // agent does.
        let listener = listener.tap_io(|stream| stream.set_nodelay(true).unwrap_or_default());
        let serve = std::future::IntoFuture::into_future(axum::serve(listener, router));
        tokio::select! { _ = serve => {} , _ = stopped => {} }
    });
}

impl Drop for Serving {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
