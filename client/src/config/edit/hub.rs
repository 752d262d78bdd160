//! The editing of `[hub]`: what a machine has to know of its hub is put there when it joins, and
//! taken out when it leaves. What the user has written there stays: it is neither the hub's nor
//! ours.

use super::{EditError, checked, parsed};
use toml_edit::{Item, Table, value};

const HUB: &str = "hub";
/// The keys that joining writes. Without the first, no hub is joined.
const JOINED: [&str; 3] = ["url", "admin", "ca"];

/// The facts that a machine has to know of the hub that it has joined.
#[derive(Clone, Copy, Debug)]
pub struct JoinedHub<'a> {
    /// The address of the hub.
    pub url: &'a str,
    /// The public key of its admin.
    pub admin: &'a str,
    /// The certificate that has signed the server's, if that is one of the hub's own.
    pub ca: Option<&'a str>,
}

/// Returns the file with that hub; what else is in the table stays.
///
/// # Errors
/// When the file cannot be read, or the address is none that may be used.
pub fn join_hub(file: &str, hub: &JoinedHub<'_>) -> Result<String, EditError> {
    let mut document = parsed(file)?;
    let item = document.entry(HUB).or_insert(Item::Table(Table::new()));
    if let Some(table) = item.as_table_like_mut() {
        table.insert("url", value(hub.url));
        table.insert("admin", value(hub.admin));
        match hub.ca {
            Some(ca) => _ = table.insert("ca", value(ca)),
            None => _ = table.remove("ca"),
        }
    }
    checked(&document)
}

/// Returns the file without a hub. What else is in the table stays, for the next hub.
///
/// # Errors
/// When the file cannot be read.
pub fn leave_hub(file: &str) -> Result<String, EditError> {
    let mut document = parsed(file)?;
    let table = document.get_mut(HUB).and_then(Item::as_table_like_mut);
    let is_empty = table.is_none_or(|table| {
        JOINED.iter().for_each(|key| _ = table.remove(key));
        table.is_empty()
    });
    if is_empty {
        document.remove(HUB);
    }
    checked(&document)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    const KEY: &str = "o4Bv2gqY1u6vZ0mS3xWkE8rT5nQdLwJfHcPbAiUyG7M";
    const HERE: JoinedHub<'_> = JoinedHub {
        url: "nats://127.0.0.1:4222",
        admin: KEY,
        ca: None,
    };

    #[test]
    fn a_hub_comes_and_goes_and_everything_else_stays_as_it_was() {
        let before = "# mine\nlanguage = \"en\"   # of course\n\n[person]\nname = \"Ada\"\n";
        let joined = join_hub(before, &HERE).unwrap();
        assert!(joined.starts_with(before), "{joined}");
        let hub = Config::parse(&joined).unwrap().0.hub.unwrap();
        assert_eq!(
            (hub.url.as_str(), hub.admin.as_deref()),
            (HERE.url, Some(KEY))
        );
        assert_eq!(leave_hub(&joined).unwrap(), before);
    }

    #[test]
    fn devices_that_somebody_has_listed_stay() {
        let devices = format!("# by hand\ndevices = {{ tower = \"{KEY}\" }}");
        let listed = &format!("[hub]\nurl = \"nats://127.0.0.1:1\"\n{devices}\n");
        let tls = JoinedHub {
            url: "tls://hub.example:4222",
            ca: Some("/ca.pem"),
            ..HERE
        };
        let joined = join_hub(listed, &tls).unwrap();
        assert!(joined.contains(&devices), "{joined}");
        let hub = Config::parse(&joined).unwrap().0.hub.unwrap();
        assert_eq!(
            (hub.url.as_str(), hub.ca),
            (tls.url, Some("/ca.pem".into()))
        );
        let back = Config::parse(&join_hub(&joined, &HERE).unwrap())
            .unwrap()
            .0
            .hub
            .unwrap();
        assert_eq!(back.ca, None);
    }

    #[test]
    fn what_its_human_has_written_stays_when_a_hub_is_left_and_holds_at_the_next_one() {
        let own = format!("share_presence = false   # mine\ndevices = {{ tower = \"{KEY}\" }}\n");
        let by_hand = [
            format!("[hub]\n{own}"),
            format!("hub.share_presence = false\nhub.devices = {{ tower = \"{KEY}\" }}\n"),
            format!("hub = {{ share_presence = false, devices = {{ tower = \"{KEY}\" }} }}\n"),
        ];
        for before in by_hand {
            assert_eq!(
                Config::parse(&before).unwrap(),
                (Config::default(), Vec::new())
            );
            let joined = join_hub(&before, &HERE).unwrap();
            let hub = Config::parse(&joined).unwrap().0.hub.unwrap();
            assert!(!hub.share_presence && hub.devices.len() == 1, "{joined}");
            let left = leave_hub(&joined).unwrap();
            assert_eq!(Config::parse(&left).unwrap().0.hub, None, "{left}");
            for stays in ["share_presence = false", "tower"] {
                assert!(left.contains(stays), "{left}");
            }
            let again = Config::parse(&join_hub(&left, &HERE).unwrap())
                .unwrap()
                .0
                .hub;
            assert_eq!(again, Some(hub));
        }
    }

    #[test]
    fn a_file_with_an_error_is_not_touched() {
        assert!(matches!(
            join_hub("language = 1", &HERE),
            Err(EditError::Broken(_))
        ));
        assert!(matches!(leave_hub("[hub"), Err(EditError::Broken(_))));
        let far = JoinedHub {
            url: "nats://hub.example",
            ..HERE
        };
        assert!(matches!(join_hub("", &far), Err(EditError::Invalid(_))));
    }
}
