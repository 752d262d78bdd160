//! The facts that a person should know of this Beckon until they are corrected. They are kept as
//! values, and become text in the language of the moment.

use crate::gui::hotkey;
use crate::hub::fault::{OddServer, UnusableCa};
use crate::platform::part::Part;
use crate::sources::UnreadParts;
use crate::store::Aside;
use beckon_client::config::UnusableConfig;
use beckon_client::text::words;
use beckon_client::text::{Texts, Value};
use beckon_core::hub::Refusals;
use std::path::PathBuf;

/// A warning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Warning {
    /// The database or its log was broken at the start, and was moved to that file.
    SetAside(Aside),
    /// The database was found to be broken while it was in use.
    Damaged(PathBuf),
    /// A panic has ended Beckon, and it was restarted; with the folder of the log.
    Fault(PathBuf),
    /// Parts of Beckon that panicked at each start, and are left out; with the folder of the log.
    LeftOut(&'static [Part], PathBuf),
    /// A step could not be saved; with the reason in the database's words.
    NotSaved(String),
    /// The settings file is not used.
    Config(UnusableConfig),
    /// Keys of the settings file that are not known.
    UnknownKeys(Vec<String>),
    /// The hot key cannot be used.
    Hotkey(hotkey::HotkeyError),
    /// A source answers, but not everything could be read from it.
    Unread {
        /// The source's name.
        source: String,
        /// The parts that could not be read.
        gaps: UnreadParts,
    },
    /// A source asks in a form that this Beckon does not know.
    Strange {
        /// The source's name.
        source: String,
        /// The number of such asks.
        count: usize,
    },
    /// The number of asks through hooks since the start that could not be read.
    Unreadable(usize),
    /// The number of Telegram updates that could not be read.
    UnreadUpdates(u64),
    /// Something is wrong in a single chat on Telegram; as a sentence.
    Telegram(String),
    /// The hub is not reached; with the reason.
    HubDown(String),
    /// The hub's records are being read; with the number of bytes so far.
    HubReading(u64),
    /// The hub is not connected, because its server sent something that must not be processed.
    HubOdd(OddServer),
    /// Another local user owns the listener where the hub should be.
    HubOtherUser,
    /// The hub is not tried: its certificate authority's file cannot be used, so the right server
    /// could not be told from another.
    HubCa(UnusableCa),
    /// The hub has a stream of that name with other rules than ours.
    HubRules(String),
    /// The hub does not let this device in.
    HubUnknown,
    /// The hub does not let this device do something; in the hub's words.
    HubForbidden(String),
    /// Answers over the hub were refused, or records could not be read.
    HubRefused {
        /// The refused answers, by reason.
        refusals: Refusals,
        /// The number of records that could not be read at all.
        unreadable: u32,
    },
    /// The number of records on the hub from devices that are not listed.
    HubStrange(u32),
    /// A device has more open asks on the hub than are read: its name, and how many are left out.
    HubLeftOut(String, u32),
    /// Records of this device cannot be signed; with the reason.
    HubKey(String),
}

impl Warning {
    /// Returns the warning as text for a person.
    pub(crate) fn words(&self, texts: &Texts) -> String {
        let (key, name, what) = match self {
            Self::SetAside(Aside::Database(file)) => {
                ("warning-set-aside", "file", file.display().to_string())
            }
            Self::SetAside(Aside::Log(file)) => {
                ("warning-log-set-aside", "file", file.display().to_string())
            }
            Self::Damaged(file) => ("warning-damaged", "file", file.display().to_string()),
            Self::Fault(logs) => ("warning-fault", "folder", logs.display().to_string()),
            Self::LeftOut(parts, logs) => {
                let parts: Vec<String> = parts.iter().map(|part| of_part(part, texts)).collect();
                let folder = logs.display().to_string().into();
                let args = [("parts", parts.join(", ").into()), ("folder", folder)];
                return texts.with("warning-part-left-out", &args);
            }
            Self::NotSaved(reason) => ("warning-not-saved", "reason", reason.clone()),
            Self::Config(why) => ("warning-config", "reason", words::unusable(texts, why)),
            Self::UnknownKeys(keys) => ("warning-unknown-keys", "keys", keys.join(", ")),
            Self::Hotkey(error) => return of_hotkey(error, texts),
            Self::Unread { source, gaps } => return of_gaps(source, gaps, texts),
            Self::Strange { source, count } => {
                let args = [
                    ("source", source.clone().into()),
                    ("count", Value::from(*count)),
                ];
                return texts.with("warning-strange", &args);
            }
            Self::Unreadable(count) => {
                return texts.with("warning-unreadable", &[("count", Value::from(*count))]);
            }
            Self::UnreadUpdates(count) => {
                return texts.with("warning-unread-updates", &[("count", Value::from(*count))]);
            }
            Self::Telegram(trouble) => return trouble.clone(),
            Self::HubDown(reason) => ("warning-hub-down", "reason", reason.clone()),
            Self::HubReading(bytes) => {
                let megabytes = [("megabytes", Value::from(bytes / 1_000_000))];
                return texts.with("hub-reading", &megabytes);
            }
            Self::HubOdd(odd) => ("warning-hub-down", "reason", odd.words(texts)),
            Self::HubOtherUser => ("warning-hub-down", "reason", texts.get("hub-other-user")),
            Self::HubCa(ca) => ("warning-hub-down", "reason", ca.words(texts)),
            Self::HubRules(stream) => ("warning-hub-rules", "stream", stream.clone()),
            Self::HubUnknown => return texts.get("warning-hub-unknown"),
            Self::HubForbidden(what) => ("warning-hub-forbidden", "what", what.clone()),
            Self::HubKey(reason) => ("warning-hub-key", "reason", reason.clone()),
            Self::HubStrange(count) => {
                return texts.with("warning-hub-strange", &[("count", Value::from(*count))]);
            }
            Self::HubLeftOut(device, count) => {
                let args = [
                    ("device", device.clone().into()),
                    ("count", Value::from(*count)),
                ];
                return texts.with("warning-hub-left-out", &args);
            }
            Self::HubRefused {
                refusals,
                unreadable,
            } => {
                return of_refusals(*refusals, *unreadable, texts);
            }
        };
        texts.with(key, &[(name, Value::from(what))])
    }
}

fn of_refusals(refusals: Refusals, unreadable: u32, texts: &Texts) -> String {
    let args = [
        ("forged", Value::from(refusals.forged)),
        ("other", Value::from(refusals.other_content)),
        ("unfit", Value::from(refusals.unfit)),
        ("unreadable", Value::from(refusals.unreadable + unreadable)),
    ];
    texts.with("warning-hub-refused", &args)
}

fn of_part(part: &Part, texts: &Texts) -> String {
    texts.get(match part {
        Part::Source(name) => return texts.with("part-source", &[("name", name.clone().into())]),
        Part::Sources => "part-sources",
        Part::Discovery => "part-discovery",
        Part::Hub => "part-hub",
        Part::Notifications => "part-notifications",
        Part::Presence => "part-presence",
        Part::Telegram => "part-telegram",
        Part::Updates => "part-updates",
    })
}

fn of_hotkey(error: &hotkey::HotkeyError, texts: &Texts) -> String {
    match error {
        hotkey::HotkeyError::Unreadable(keys) => {
            texts.with("hotkey-unreadable", &[("keys", Value::from(keys.clone()))])
        }
        hotkey::HotkeyError::Taken => texts.get("hotkey-taken"),
        hotkey::HotkeyError::Nowhere => texts.get("hotkey-nowhere"),
    }
}

/// Returns the text about the parts of a source that could not be read.
pub(crate) fn of_gaps(source: &str, gaps: &UnreadParts, texts: &Texts) -> String {
    let count = |key: &str, count: usize| texts.with(key, &[("count", Value::from(count))]);
    let directories = || count("unread-directories", gaps.directories);
    let projects = || count("unread-projects", gaps.projects);
    let what = match (gaps.directories, gaps.projects) {
        (_, 0) => directories(),
        (0, _) => projects(),
        _ => {
            let both = [
                ("directories", directories().into()),
                ("projects", projects().into()),
            ];
            texts.with("unread-both", &both)
        }
    };
    let reason = gaps
        .reason
        .clone()
        .unwrap_or_else(|| texts.get("unread-looking"));
    let args = [
        ("source", Value::from(source.to_owned())),
        ("what", what.into()),
        ("reason", reason.into()),
    ];
    texts.with("warning-unread", &args)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::channels::desktop::DesktopFault;
    use crate::store::Aside;
    use beckon_client::text::languages;

    fn all(texts: &Texts) -> Vec<String> {
        let mutes = [
            DesktopFault::NoBus,
            DesktopFault::NoService,
            DesktopFault::OffForBeckon,
            DesktopFault::Off,
            DesktopFault::OffByPolicy,
            DesktopFault::LeftOut,
        ];
        let mutes = mutes.map(|why| why.words(texts, "x"));
        let warnings = warnings().map(|warning| warning.words(texts));
        mutes.into_iter().chain(warnings).collect()
    }

    fn warnings() -> [Warning; 11] {
        [
            Warning::UnreadUpdates(2),
            Warning::SetAside(Aside::Database("x".into())),
            Warning::SetAside(Aside::Log("x".into())),
            Warning::Damaged("x".into()),
            Warning::Fault("x".into()),
            Warning::LeftOut(&[Part::Hub], "x".into()),
            Warning::NotSaved("no".into()),
            Warning::UnknownKeys(vec!["x".into()]),
            Warning::Hotkey(hotkey::HotkeyError::Unreadable("x".into())),
            Warning::Hotkey(hotkey::HotkeyError::Taken),
            Warning::Hotkey(hotkey::HotkeyError::Nowhere),
        ]
    }

    #[test]
    fn every_warning_has_a_sentence_of_its_own_in_every_language() {
        let english = all(&Texts::load("en"));
        for language in languages().into_iter().filter(|language| *language != "en") {
            for (said, english) in all(&Texts::load(language)).iter().zip(&english) {
                assert_ne!(said, english, "{language}");
            }
        }
    }
}
