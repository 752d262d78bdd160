//! What went wrong, in sentences. Of the system and of libraries only the reason is given, in their
//! own words.

use crate::config::edit::Refused;
use crate::config::{Misfit, Takes, Unusable};
use crate::failed::{DatabaseError, Failed};
use crate::snapshot::Mute;
use crate::texts::{Texts, Value};
use beckon_core::Fault;
use std::path::Path;

/// Anything that went wrong.
pub fn failure(texts: &Texts, error: &anyhow::Error) -> String {
    let reason = error.root_cause().to_string();
    let file = || error.downcast_ref().map(|why| unusable(texts, why));
    let misfit = || error.downcast_ref().map(|why| config(texts, why));
    let known = || error.downcast_ref().map(|why| failed(texts, why, reason));
    file()
        .or_else(misfit)
        .or_else(known)
        .unwrap_or_else(|| texts.with("failed", &[("reason", Value::from(format!("{error:#}")))]))
}

fn failed(texts: &Texts, failed: &Failed, reason: String) -> String {
    let (key, file) = match failed {
        Failed::Open(file) => ("failed-open", file),
        Failed::Read(file) => ("failed-read", file),
        Failed::Write(file) => ("failed-write", file),
        Failed::Remove(file) => ("failed-remove", file),
        Failed::Create(file) => ("failed-create", file),
        Failed::Exposed(file) => ("failed-exposed", file),
        Failed::Understand(file) => ("failed-understand", file),
        Failed::NoAppImage => return texts.get("failed-no-app-image"),
        Failed::NoWebPage => return texts.get("failed-no-web-page"),
        Failed::Start(program) => {
            let args = [("program", Value::from(*program)), ("reason", Value::from(reason))];
            return texts.with("failed-start", &args);
        }
        Failed::Entry => return texts.with("failed-entry", &[("reason", Value::from(reason))]),
        Failed::NoHome(variable) => {
            return texts.with("failed-no-home", &[("variable", Value::from(*variable))]);
        }
        Failed::NotWhole(variable) => {
            return texts.with("failed-not-whole", &[("variable", Value::from(*variable))]);
        }
        Failed::Newer { file, found, known } => return newer(texts, file, *found, *known),
        Failed::Database { file, why } => (database(*why), file),
        Failed::LoopEnded => return texts.get("failed-loop"),
    };
    of_file(texts, key, file, reason)
}

fn database(why: DatabaseError) -> &'static str {
    match why {
        DatabaseError::Busy => "failed-database-busy",
        DatabaseError::Full => "failed-database-full",
        DatabaseError::NotPermitted => "failed-database-not-permitted",
        DatabaseError::Unreachable => "failed-database-unreachable",
    }
}

fn of_file(texts: &Texts, key: &str, file: &Path, reason: String) -> String {
    let file = Value::from(file.display().to_string());
    texts.with(key, &[("file", file), ("reason", Value::from(reason))])
}

fn newer(texts: &Texts, file: &Path, found: i64, known: usize) -> String {
    let file = Value::from(file.display().to_string());
    let args = [("file", file), ("found", Value::from(found)), ("known", Value::from(known))];
    texts.with("failed-newer", &args)
}

/// Why a source is out of reach; a part of a sentence.
pub fn fault(texts: &Texts, fault: &Fault) -> String {
    let (key, detail) = match fault {
        Fault::Silent => ("fault-silent", String::new()),
        Fault::FellSilent => ("fault-fell-silent", String::new()),
        Fault::Ended => ("fault-ended", String::new()),
        Fault::Status(status) => ("fault-status", status.to_string()),
        Fault::NoEvents(None) => ("fault-no-type", String::new()),
        Fault::NoEvents(Some(kind)) => ("fault-no-events", kind.clone()),
        Fault::TooLarge => ("fault-too-large", String::new()),
        Fault::TooSlow => ("fault-too-slow", String::new()),
        Fault::Newer => ("fault-newer", String::new()),
        Fault::AnotherUser => ("fault-another-user", String::new()),
        Fault::Other(reason) => return reason.clone(),
    };
    texts.with(key, &[("detail", Value::from(detail))])
}

/// Why there are no notifications; a part of a sentence.
pub fn mute(texts: &Texts, why: Mute, reason: &str) -> String {
    let key = match why {
        Mute::NoBus => "mute-no-bus",
        Mute::NoService => "mute-no-service",
        Mute::OffForBeckon => "mute-off-for-beckon",
        Mute::Off => "mute-off",
        Mute::OffByPolicy => "mute-off-by-policy",
        Mute::Other => return reason.to_owned(),
    };
    texts.with(key, &[("reason", Value::from(reason))])
}

/// Why the settings file is not used.
pub fn unusable(texts: &Texts, why: &Unusable) -> String {
    match why {
        Unusable::Unread { path, reason } => of_file(texts, "failed-read", path, reason.clone()),
        Unusable::Misfit(misfit) => config(texts, misfit),
    }
}

/// What does not fit in the settings file.
pub fn config(texts: &Texts, misfit: &Misfit) -> String {
    let text = |text: &str| Value::from(text.to_owned());
    match misfit {
        Misfit::Value { key, value, takes } => {
            let (text_key, like) = taken(*takes);
            let args = [("key", text(key)), ("value", text(value)), ("like", text(like))];
            texts.with(text_key, &args)
        }
        Misfit::NoName { key } => texts.with("config-no-name", &[("key", text(key))]),
        Misfit::NameTaken { key, name } => {
            texts.with("config-name-taken", &[("key", text(key)), ("value", text(name))])
        }
        Misfit::Unreadable { line, reason } => {
            // As text: a number would be grouped by thousands.
            let line = Value::from(line.to_string());
            texts.with("config-unreadable", &[("line", line), ("reason", text(reason))])
        }
    }
}

fn taken(takes: Takes) -> (&'static str, &'static str) {
    match takes {
        Takes::Text => ("config-text", ""),
        Takes::YesNo => ("config-yes-no", ""),
        Takes::Span => ("config-span", ""),
        Takes::SpanOrNever => ("config-span-or-never", ""),
        Takes::Hours => ("config-hours", ""),
        Takes::Forward => ("config-forward", ""),
        Takes::OnePress => ("config-one-press", ""),
        Takes::BreakThrough => ("config-break-through", ""),
        Takes::Kind => ("config-kind", ""),
        Takes::Port => ("config-port", ""),
        Takes::Address(like) => ("config-address", like),
    }
}

/// Why a setting was not changed.
pub fn setting(texts: &Texts, refused: &Refused) -> String {
    let (key, name, what) = match refused {
        Refused::Invalid(misfit) => return config(texts, misfit),
        Refused::NoSuchKey(name) => ("setting-unknown", "key", name.clone()),
        Refused::NoSuchServer(name) => ("setting-no-server", "name", name.clone()),
        Refused::Broken(misfit) => ("setting-broken-file", "reason", config(texts, misfit)),
    };
    texts.with(key, &[(name, Value::from(what))])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hotkey;
    use crate::store::Aside;
    use crate::texts::languages;
    use crate::warning::Warning;
    use anyhow::anyhow;
    use std::path::PathBuf;

    fn all(texts: &Texts) -> Vec<String> {
        let mut all = Vec::new();
        all.extend(failures().iter().map(|error| failure(texts, error)));
        all.extend(faults().iter().map(|why| fault(texts, why)));
        let mutes =
            [Mute::NoBus, Mute::NoService, Mute::OffForBeckon, Mute::Off, Mute::OffByPolicy];
        all.extend(mutes.map(|why| mute(texts, why, "x")));
        all.extend(misfits().iter().map(|misfit| config(texts, misfit)));
        all.extend(warnings().iter().map(|warning| warning.words(texts)));
        all
    }

    fn failures() -> Vec<anyhow::Error> {
        let file = || PathBuf::from("x");
        let of_files = [
            Failed::Open(file()),
            Failed::Read(file()),
            Failed::Write(file()),
            Failed::Remove(file()),
            Failed::Create(file()),
            Failed::Exposed(file()),
            Failed::Understand(file()),
            Failed::Newer { file: file(), found: 9, known: 8 },
        ];
        let whys = [
            DatabaseError::Busy,
            DatabaseError::Full,
            DatabaseError::NotPermitted,
            DatabaseError::Unreachable,
        ];
        let of_files =
            of_files.into_iter().chain(whys.map(|why| Failed::Database { file: file(), why }));
        let others = [
            Failed::Entry,
            Failed::NoHome("HOME"),
            Failed::NotWhole("BECKON_HOME"),
            Failed::NoAppImage,
            Failed::NoWebPage,
            Failed::LoopEnded,
        ];
        let all = of_files.chain(others).chain([Failed::Start("open")]);
        let all = all.map(|failed| anyhow!("no").context(failed));
        let unread = Unusable::Unread { path: file(), reason: "no".into() };
        all.chain([anyhow!("no"), unread.into()]).collect()
    }

    fn faults() -> [Fault; 9] {
        let kind = Some("text/html".into());
        let nothing = [Fault::NoEvents(None), Fault::NoEvents(kind), Fault::Status(503)];
        let [none, html, status] = nothing;
        let unread = [Fault::TooLarge, Fault::TooSlow];
        let [large, slow] = unread;
        let another = Fault::AnotherUser;
        [Fault::Silent, Fault::FellSilent, Fault::Ended, another, none, html, status, large, slow]
    }

    fn misfits() -> Vec<Misfit> {
        let takes = [
            Takes::Text,
            Takes::YesNo,
            Takes::Span,
            Takes::SpanOrNever,
            Takes::Hours,
            Takes::Forward,
            Takes::OnePress,
            Takes::BreakThrough,
            Takes::Kind,
            Takes::Port,
            Takes::Address("http://x"),
        ];
        let value = |takes| Misfit::Value { key: "a.b", value: "x".into(), takes };
        let names = [
            Misfit::NoName { key: "a.b" },
            Misfit::NameTaken { key: "a.b", name: "x".into() },
            Misfit::Unreadable { line: 1, reason: "no".into() },
        ];
        takes.map(value).into_iter().chain(names).collect()
    }

    fn warnings() -> [Warning; 9] {
        [
            Warning::SetAside(Aside::Database("x".into())),
            Warning::SetAside(Aside::Log("x".into())),
            Warning::Damaged("x".into()),
            Warning::NotSaved("no".into()),
            Warning::UnknownKeys(vec!["x".into()]),
            Warning::Hotkey(hotkey::Error::Unreadable("x".into())),
            Warning::Hotkey(hotkey::Error::Taken),
            Warning::Hotkey(hotkey::Error::Nowhere),
            Warning::CardsRefused { count: 2, reason: "no".into() },
        ]
    }

    #[test]
    fn whatever_goes_wrong_has_a_sentence_of_its_own_in_every_language() {
        let english = all(&Texts::load("en"));
        for language in languages().into_iter().filter(|language| *language != "en") {
            for (said, english) in all(&Texts::load(language)).iter().zip(&english) {
                assert_ne!(said, english, "{language}");
            }
        }
    }

    #[test]
    fn the_reason_of_the_system_follows_the_sentence() {
        let error = anyhow!("disk full").context(Failed::Write("/x".into())).context("on the way");
        let said = failure(&Texts::load("en"), &error);
        assert_eq!(said, "/x cannot be written: disk full");
        let said = failure(&Texts::load("en"), &anyhow!("b").context("a"));
        assert_eq!(said, "That did not work: a: b");
    }
}
