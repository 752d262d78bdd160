//! The configuration with which the server is started: who gets in, and who may do what. A device
//! writes asks, answers and its other records, and reads the streams; only the admin makes streams,
//! publishes the desk record, and clears the place of a device that it has taken off; nothing else
//! is ever taken away.

use super::clearing::CLEARED;
use crate::hub::guard::operations::LARGEST_MESSAGE;
use crate::hub::login::{self, inbox};
use crate::hub::streams;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

/// The values of the configuration.
pub(super) struct ServerConfiguration<'a> {
    /// The name by which it is known from another server at the same place.
    pub(super) name: &'a str,
    /// `HOST:PORT`
    pub(super) listen: &'a str,
    /// The folder in which it keeps its files.
    pub(super) folder: &'a Path,
    /// Whether it uses TLS, with the certificate of that folder.
    pub(super) tls: bool,
    /// Whether it knows `sync_interval: always`: then what it has acknowledged outlives a power
    /// cut.
    pub(super) syncs: bool,
    /// The login of the device that administers it.
    pub(super) admin: &'a str,
    /// The logins of the devices.
    pub(super) devices: &'a [String],
    /// The logins of codes that are out, each with the subject where its bearer asks.
    pub(super) invited: &'a [(String, String)],
    /// A login that is good for nothing but to show that this configuration is in force.
    pub(super) probe: &'a str,
}

/// The subject where a device asks to be taken off.
pub(in crate::hub) const LEAVE: &str = "bk.leave.own";

impl ServerConfiguration<'_> {
    pub(super) fn write(&self) -> String {
        let folder = self.folder;
        let (listen, name) = (quoted(self.listen), quoted(self.name));
        let mut text = format!("listen: {listen}\nserver_name: {name}\n");
        // No reader takes more (`guard/operations.rs`), so nobody can send a reader more and end
        // its connection.
        _ = writeln!(text, "max_payload: {LARGEST_MESSAGE}");
        let sync = if self.syncs {
            ", sync_interval: always"
        } else {
            ""
        };
        let store = path(&folder.join("streams"));
        _ = writeln!(
            text,
            "jetstream {{ store_dir: {store}, max_mem: 64MB, max_file: 4GB{sync} }}"
        );
        if self.tls {
            let (chain, key) = (
                path(&folder.join("server.pem")),
                path(&folder.join("server.key")),
            );
            _ = writeln!(
                text,
                "tls {{ cert_file: {chain}, key_file: {key}, timeout: 5 }}"
            );
        }
        let users = self.users();
        // The list is written once, since there may be thousands of devices. If no user has it, it
        // is left out: the server refuses a file with an unused list.
        if users.contains(MAY) {
            _ = writeln!(text, "{MAY}: {}", list(&of_devices()));
        }
        _ = writeln!(text, "authorization {{ users: [\n{users}] }}");
        text
    }

    /// Returns the users. A text that is no login, or a login that is there twice, makes the server
    /// refuse the whole file and go on with the list before it; an old list may have such.
    fn users(&self) -> String {
        let is_device = |login: &&String| *login != self.admin && login::is_login(login);
        let devices: BTreeSet<&String> = self.devices.iter().filter(is_device).collect();
        let devices = devices
            .into_iter()
            .map(|login| user(login, &format!("allow: ${MAY}"), &[]));
        let invited = self.invited.iter().map(|(login, subject)| {
            user(
                login,
                &format!("allow: {}", list(std::slice::from_ref(subject))),
                &[],
            )
        });
        std::iter::once(of_admin(self.admin))
            .chain(devices)
            .chain(invited)
            .chain([user(self.probe, "deny: [\">\"]", &[])])
            .collect()
    }
}

/// The name in the configuration of the subjects that devices may write.
const MAY: &str = "BECKON_DEVICE";

fn of_admin(login: &str) -> String {
    let hears = ["bk.enrol.*", LEAVE].map(str::to_owned);
    let never = ["DELETE", "MSG.DELETE"].map(|it| format!("$JS.API.STREAM.{it}.>"));
    let kept = streams::ALL
        .iter()
        .filter(|stream| !CLEARED.contains(*stream))
        .map(|stream| format!("$JS.API.STREAM.PURGE.{stream}"));
    let never: Vec<String> = never.into_iter().chain(kept).collect();
    user(
        login,
        &format!("allow: [\">\"], deny: {}", list(&never)),
        &hears,
    )
}

fn of_devices() -> Vec<String> {
    let own = streams::WRITTEN_BY_DEVICES.map(str::to_owned);
    let read = streams::ALL.iter().flat_map(|stream| reading(stream));
    let general = [LEAVE, "$JS.API.INFO"].map(str::to_owned);
    own.into_iter().chain(general).chain(read).collect()
}

/// Returns the subjects that a device needs to read that stream, and no more
/// (<https://docs.nats.io/reference/reference-protocols/nats_api_reference>).
fn reading(stream: &str) -> impl Iterator<Item = String> {
    let api = [
        "STREAM.INFO",
        "STREAM.MSG.GET",
        "DIRECT.GET",
        "CONSUMER.CREATE",
    ];
    let below = [
        "DIRECT.GET",
        "CONSUMER.CREATE",
        "CONSUMER.INFO",
        "CONSUMER.DELETE",
    ];
    let (stream, of) = (stream.to_owned(), stream.to_owned());
    let whole = api.into_iter().map(move |it| format!("$JS.API.{it}.{of}"));
    let of = stream.clone();
    let below = below
        .into_iter()
        .map(move |it| format!("$JS.API.{it}.{of}.>"));
    let flow = ["$JS.ACK", "$JS.FC"]
        .into_iter()
        .map(move |it| format!("{it}.{stream}.>"));
    whole.chain(below).chain(flow)
}

/// Returns a user. It hears only the answers to itself, below its own inbox.
fn user(login: &str, publish: &str, also_hears: &[String]) -> String {
    let inbox = [format!("{}.>", inbox(login))];
    let subscribe = list(&[&inbox, also_hears].concat());
    format!(
        "  {{ nkey: {login}, permissions: {{ publish: {{ {publish} }}, subscribe: {{ allow: {subscribe} }} }} }}\n"
    )
}

fn list(subjects: &[String]) -> String {
    format!(
        "[{}]",
        subjects
            .iter()
            .map(|it| quoted(it))
            .collect::<Vec<_>>()
            .join(", ")
    )
}

fn path(path: &Path) -> String {
    quoted(&path.to_string_lossy())
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hub::login::Login;

    /// Returns the login of that number.
    fn login(number: u8) -> String {
        Login::of_seed([number; 32]).unwrap().public()
    }

    fn written(syncs: bool) -> String {
        let devices = [1, 2, 2].map(login);
        let devices = [&devices[..], &["no login".to_owned(), String::new()]].concat();
        ServerConfiguration {
            name: "beckon-1",
            listen: "127.0.0.1:4223",
            folder: Path::new("/home/me/hub"),
            tls: true,
            syncs,
            admin: &login(1),
            devices: &devices,
            invited: &[(login(3), "bk.enrol.1".to_owned())],
            probe: &login(4),
        }
        .write()
    }

    fn user_line(login: &str) -> String {
        let text = written(true);
        text.lines()
            .find(|line| line.contains(login))
            .unwrap()
            .to_owned()
    }

    #[test]
    fn only_the_admin_says_who_belongs_to_the_desk_and_makes_streams() {
        assert!(user_line(&login(1)).contains("publish: { allow: [\">\"], deny: ["));
        assert!(user_line(&login(2)).contains("publish: { allow: $BECKON_DEVICE }"));
        let device = user_line("BECKON_DEVICE: [");
        assert!(!device.contains("bk.desk"), "{device}");
        for api in [
            "STREAM.CREATE",
            "STREAM.UPDATE",
            "STREAM.DELETE",
            "STREAM.PURGE",
        ] {
            assert!(!device.contains(api), "{device}");
        }
        assert!(device.contains("\"bk.answer.>\""), "{device}");
    }

    #[test]
    fn each_login_stands_there_once_and_what_is_none_not_at_all() {
        for number in [1, 2, 3, 4] {
            let user = format!("nkey: {},", login(number));
            assert_eq!(written(true).matches(&user).count(), 1, "{user}");
        }
        assert_eq!(written(true).matches("nkey: ").count(), 4);
    }

    #[test]
    fn what_was_answered_and_logged_nobody_takes_away() {
        let admin = user_line(&login(1));
        for stream in ["BK_ANSWERS", "BK_LOG", "BK_DESK", "BK_CHATS"] {
            let purge = format!("$JS.API.STREAM.PURGE.{stream}");
            assert!(admin.contains(&purge), "{admin}");
        }
        assert!(!admin.contains("PURGE.BK_ASKS"), "{admin}");
        assert!(admin.contains("$JS.API.STREAM.DELETE.>"), "{admin}");
    }

    #[test]
    fn who_has_a_code_may_ask_to_join_and_nothing_else() {
        let invited = user_line(&login(3));
        assert!(
            invited.contains("publish: { allow: [\"bk.enrol.1\"] }"),
            "{invited}"
        );
        assert!(
            invited.contains(&format!(
                "subscribe: {{ allow: [\"{}.>\"] }}",
                inbox(&login(3))
            )),
            "{invited}"
        );
    }

    #[test]
    fn an_old_server_is_not_told_what_it_does_not_know() {
        assert!(written(true).contains("sync_interval: always"));
        assert!(!written(false).contains("sync_interval"));
    }
}
