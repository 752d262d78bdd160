//! TLS in front of a server that speaks plain text: `api.telegram.test`, with a certificate of an
//! authority that only those clients know that are told of it. The keys are made for these tests
//! and are used nowhere else.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::JoinHandle;

use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

/// The name in the certificate. No resolver knows it (RFC 6761, 6.2).
pub const NAME: &str = "api.telegram.test";

const CERTIFICATE: &[u8] = include_bytes!("../tls/server.pem");
const KEY: &[u8] = include_bytes!("../tls/server.key");

/// Returns the authority's certificate, for `SSL_CERT_FILE`.
pub fn authority() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tls/ca.pem"))
}

/// The server's front, while it stands; every connection breaks on drop.
pub struct Front {
    address: SocketAddr,
    taken: Arc<AtomicUsize>,
    running: Option<(oneshot::Sender<()>, JoinHandle<()>)>,
}

impl Front {
    /// Opens a free port that leads to the server at that address.
    pub fn start(server: SocketAddr) -> Front {
        let (stop, stopped) = oneshot::channel();
        let (bound, address) = std::sync::mpsc::channel();
        let taken = Arc::<AtomicUsize>::default();
        let counted = Arc::clone(&taken);
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build();
            runtime.unwrap().block_on(async {
                let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
                bound.send(listener.local_addr().unwrap()).unwrap();
                tokio::select! { () = accept(listener, server, &counted) => {} , _ = stopped => {} }
            });
        });
        let address = address.recv().expect("failed to bind a loopback port");
        Front {
            address,
            taken,
            running: Some((stop, thread)),
        }
    }

    /// Returns the address of the front.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns how many connections the front has taken.
    pub fn taken(&self) -> usize {
        self.taken.load(Ordering::Relaxed)
    }
}

impl Drop for Front {
    fn drop(&mut self) {
        let Some((stop, thread)) = self.running.take() else {
            return;
        };
        drop(stop);
        let _ = thread.join();
    }
}

async fn accept(listener: TcpListener, server: SocketAddr, taken: &AtomicUsize) {
    let certificate = CertificateDer::from_pem_slice(CERTIFICATE).unwrap();
    let key = PrivateKeyDer::from_pem_slice(KEY).unwrap();
    let config = ServerConfig::builder().with_no_client_auth();
    let acceptor = TlsAcceptor::from(Arc::new(
        config.with_single_cert(vec![certificate], key).unwrap(),
    ));
    loop {
        let Ok((client, _)) = listener.accept().await else {
            return;
        };
        taken.fetch_add(1, Ordering::Relaxed);
        let acceptor = acceptor.clone();
        tokio::spawn(async move {
            let mut client = acceptor.accept(client).await.ok()?;
            let mut server = TcpStream::connect(server).await.ok()?;
            copy_bidirectional(&mut client, &mut server).await.ok()
        });
    }
}
