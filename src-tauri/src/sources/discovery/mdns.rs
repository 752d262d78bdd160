//! Finds OpenCode servers that announce themselves on the local network (`opencode serve --mdns`).
//! They are suggestions; Beckon never connects to one unasked.
//!
//! Beckon listens only while somebody looks. Listening may need an open port, or make the system
//! ask whether Beckon may, and then the user has just asked for it.

use anyhow::{Context, Result};
use beckon_client::wire::Nearby;
use mdns_sd::{ResolvedService, ServiceDaemon, ServiceEvent};
use std::collections::BTreeSet;
use std::net::IpAddr;
use std::time::{Duration, Instant};

/// The service type under which OpenCode announces itself.
const SERVICE: &str = "_http._tcp.local.";
/// The prefix of the name under which OpenCode announces itself.
const BEGINS: &str = "opencode";
/// How long answers are waited for. A server answers within this time, even if only the second
/// question reaches it, which goes out after one second.
const PATIENCE: Duration = Duration::from_secs(2);

/// Looks around on the local network for two seconds.
///
/// # Errors
/// When this machine cannot ask on the network.
pub(crate) async fn look() -> Result<Vec<Nearby>> {
    let look = || -> Result<_> {
        let daemon = ServiceDaemon::new().context("Failed to ask on the local network")?;
        listen(&daemon, PATIENCE)
    };
    tokio::task::spawn_blocking(look)
        .await
        .context("Failed to look around")?
}

fn listen(daemon: &ServiceDaemon, patience: Duration) -> Result<Vec<Nearby>> {
    let events = daemon
        .browse(SERVICE)
        .context("Failed to ask on the local network")?;
    let until = Instant::now() + patience;
    let mut found = BTreeSet::new();
    while let Ok(event) = events.recv_deadline(until) {
        if let ServiceEvent::ServiceResolved(service) = event {
            found.extend(announced(&service));
        }
    }
    // The daemon replies when it has ended; nobody waits for that reply.
    let _ = daemon.shutdown();
    Ok(found.into_iter().collect())
}

fn announced(service: &ResolvedService) -> Option<Nearby> {
    let addresses = service.addresses.iter().map(mdns_sd::ScopedIp::to_ip_addr);
    server(&service.fullname, addresses.collect(), service.port)
}

/// Returns the announced server if it is an OpenCode with an IPv4 address. Such an address works
/// everywhere, while an IPv6 one may need the name of a network interface with it.
fn server(fullname: &str, addresses: BTreeSet<IpAddr>, port: u16) -> Option<Nearby> {
    let name = fullname.strip_suffix(SERVICE)?.trim_end_matches('.');
    if !name.starts_with(BEGINS) || name.chars().any(char::is_control) {
        return None;
    }
    let address = addresses.into_iter().find(IpAddr::is_ipv4)?;
    Some(Nearby {
        name: name.to_owned(),
        url: format!("http://{address}:{port}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use mdns_sd::{IfKind, ServiceInfo};

    /// Starts a daemon on the loopback alone, at a port of the test's own.
    fn daemon(port: u16) -> ServiceDaemon {
        let daemon = ServiceDaemon::new_with_port(port).unwrap();
        daemon.disable_interface(IfKind::All).unwrap();
        daemon.enable_interface(IfKind::LoopbackV4).unwrap();
        daemon
    }

    #[test]
    fn a_server_that_announces_itself_is_heard_and_a_printer_is_not() {
        let port = std::net::UdpSocket::bind("127.0.0.1:0")
            .unwrap()
            .local_addr()
            .unwrap()
            .port();
        let opencode = daemon(port);
        for name in ["opencode-4096", "printer"] {
            let service =
                ServiceInfo::new(SERVICE, name, "test.local.", "127.0.0.1", 4096, None).unwrap();
            opencode.register(service).unwrap();
        }
        // The daemon makes sure first that nobody else has the name, which takes a busy machine a
        // while.
        let looks = (0..10).map(|_| listen(&daemon(port), Duration::from_secs(2)).unwrap());
        let found = looks
            .into_iter()
            .find(|found| !found.is_empty())
            .unwrap_or_default();
        let url = "http://127.0.0.1:4096".into();
        assert_eq!(
            found,
            [Nearby {
                name: "opencode-4096".into(),
                url
            }]
        );
        let _ = opencode.shutdown();
    }

    #[test]
    fn what_is_announced_is_not_believed_blindly() {
        let at = |address: &str| BTreeSet::from([address.parse().unwrap()]);
        assert_eq!(
            server("opencode-1\u{1b}[2J._http._tcp.local.", at("10.0.0.7"), 1),
            None
        );
        assert_eq!(
            server("opencode-1._http._tcp.local.", at("fe80::1"), 1),
            None
        );
        assert_eq!(server("opencode-1.elsewhere.", at("10.0.0.7"), 1), None);
        let found = server("opencode-1._http._tcp.local.", at("10.0.0.7"), 1).unwrap();
        assert_eq!(
            (found.name.as_str(), found.url.as_str()),
            ("opencode-1", "http://10.0.0.7:1")
        );
    }
}
