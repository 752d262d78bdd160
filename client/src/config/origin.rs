//! The place that asks come from, of whatever kind, as it is in the file.

use super::{
    AddressFault, AddressUse, InterruptsKind, InterruptsService, OpenCodeServer, check_address,
};
use url::{Origin, Url};

/// A table of `[[opencode]]` or of `[[interrupts]]`.
#[derive(Clone, Debug, PartialEq)]
pub enum OriginTable {
    /// An OpenCode server, or another Beckon.
    OpenCode(OpenCodeServer),
    /// A service with interrupts, or a LangGraph server.
    Service(InterruptsService),
}

impl OriginTable {
    /// Returns its name.
    pub fn name(&self) -> &str {
        match self {
            Self::OpenCode(server) => &server.name,
            Self::Service(service) => &service.name,
        }
    }

    /// Returns the name of its password or token in the keychain.
    pub fn secret(&self) -> String {
        match self {
            Self::OpenCode(server) => format!("opencode:{}", server.name),
            Self::Service(service) => format!("interrupts:{}", service.name),
        }
    }

    /// Returns the addresses that count for its kind. The first one is that by which people know
    /// it.
    pub fn addresses(&self) -> Vec<&str> {
        match self {
            Self::OpenCode(server) => vec![&server.url],
            Self::Service(service) => match service.kind {
                InterruptsKind::Resume => vec![&service.stream, &service.resume],
                InterruptsKind::LangGraph => vec![&service.url],
            },
        }
    }

    /// Returns the fault of the first of its addresses that is no address.
    pub fn address_fault(&self) -> Option<AddressFault> {
        let leads_to = match self {
            Self::Service(service) if service.kind == InterruptsKind::Resume => {
                AddressUse::Resource
            }
            Self::OpenCode(_) | Self::Service(_) => AddressUse::Server,
        };
        let mut addresses = self.addresses().into_iter();
        addresses.find_map(|address| check_address(address, leads_to).err())
    }

    /// Whether it is still the same server or service. A slash more at the end of an address makes
    /// no difference.
    pub fn is_at_same_place(&self, other: &Self) -> bool {
        let places = |origin: &Self| {
            origin
                .addresses()
                .into_iter()
                .map(place)
                .collect::<Vec<_>>()
        };
        places(self) == places(other)
    }

    /// Whether a secret of the other one would go to nobody else here. A secret belongs to scheme,
    /// host and port.
    pub fn is_of_same_origin(&self, other: &Self) -> bool {
        let theirs: Vec<Option<Origin>> = other.addresses().into_iter().map(origin).collect();
        let mut ours = self.addresses().into_iter().map(origin);
        ours.all(|origin| origin.is_some() && theirs.contains(&origin))
    }
}

/// Returns an address in the form in which it is compared. A text that is no address is compared as
/// it is.
fn place(address: &str) -> String {
    let url = Url::parse(address).map_or_else(|_| address.to_owned(), String::from);
    url.trim_end_matches('/').to_owned()
}

fn origin(address: &str) -> Option<Origin> {
    Some(Url::parse(address).ok()?.origin())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server(url: &str) -> OriginTable {
        OriginTable::OpenCode(OpenCodeServer {
            url: url.into(),
            ..OpenCodeServer::default()
        })
    }

    fn service(stream: &str, resume: &str) -> OriginTable {
        let (stream, resume) = (stream.into(), resume.into());
        OriginTable::Service(InterruptsService {
            stream,
            resume,
            ..Default::default()
        })
    }

    #[test]
    fn a_slash_more_is_the_same_place_and_another_path_is_another_of_the_same_origin() {
        let box_a = server("http://box:4096/a");
        assert!(box_a.is_at_same_place(&server("http://BOX:4096/a/")));
        let box_b = server("http://box:4096/b");
        assert!(!box_a.is_at_same_place(&box_b) && box_b.is_of_same_origin(&box_a));
    }

    #[test]
    fn another_scheme_host_or_port_is_another_origin() {
        let before = server("http://box:4096");
        for url in [
            "https://box:4096",
            "http://cox:4096",
            "http://box:4097",
            "nowhere",
        ] {
            assert!(!server(url).is_of_same_origin(&before), "{url}");
        }
    }

    #[test]
    fn one_address_of_a_service_elsewhere_makes_another_origin() {
        let before = service("http://a/stream", "http://a/resume");
        assert!(service("http://a/events", "http://a/resume").is_of_same_origin(&before));
        assert!(!service("http://a/stream", "http://b/resume").is_of_same_origin(&before));
        let two = service("http://a/stream", "http://b/resume");
        assert!(
            before.is_of_same_origin(&two),
            "both of its halves had the token"
        );
    }
}
