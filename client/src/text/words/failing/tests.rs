//! The tests of the failures: each is said in every language.

use super::*;
use crate::text::languages;
use anyhow::anyhow;
use std::path::PathBuf;

fn all(texts: &Texts) -> Vec<String> {
    let mut all = Vec::new();
    all.extend(failures().iter().map(|error| failure(texts, error)));
    all.extend(faults().iter().map(|why| fault(texts, why)));
    all.extend(
        invalid_configs()
            .iter()
            .map(|invalid| config(texts, invalid)),
    );
    all
}

fn failures() -> Vec<anyhow::Error> {
    let file = || PathBuf::from("x");
    let of_files = [
        SystemFailure::Open(file()),
        SystemFailure::Read(file()),
        SystemFailure::Write(file()),
        SystemFailure::Remove(file()),
        SystemFailure::Create(file()),
        SystemFailure::NoPlace(file()),
        SystemFailure::Exposed(file()),
        SystemFailure::Understand(file()),
        SystemFailure::Newer {
            file: file(),
            found: 9,
            known: 8,
        },
    ];
    let whys = [
        DatabaseError::Busy,
        DatabaseError::Full,
        DatabaseError::NotPermitted,
        DatabaseError::Unreachable,
    ];
    let of_files = of_files
        .into_iter()
        .chain(whys.map(|why| SystemFailure::Database { file: file(), why }));
    let others = [
        SystemFailure::Entry,
        SystemFailure::NoHome("HOME"),
        SystemFailure::NotWhole("BECKON_HOME"),
        SystemFailure::NoAppImage,
        SystemFailure::NoWebPage,
        SystemFailure::LoopEnded,
    ];
    let all = of_files.chain(others).chain([SystemFailure::Start("open")]);
    let all = all.map(|failed| anyhow!("no").context(failed));
    let unread = UnusableConfig::Unread {
        path: file(),
        reason: "no".into(),
    };
    all.chain([anyhow!("no"), unread.into()]).collect()
}

fn faults() -> [SourceFault; 10] {
    let kind = Some("text/html".into());
    let nothing = [
        SourceFault::NoEvents(None),
        SourceFault::NoEvents(kind),
        SourceFault::Status(503),
    ];
    let [none, html, status] = nothing;
    let unread = [SourceFault::TooLarge, SourceFault::TooSlow];
    let [large, slow] = unread;
    let another = SourceFault::AnotherUser;
    [
        SourceFault::Silent,
        SourceFault::FellSilent,
        SourceFault::Ended,
        another,
        none,
        html,
        status,
        large,
        slow,
        SourceFault::LeftOut,
    ]
}

fn invalid_configs() -> Vec<ConfigError> {
    let takes = [
        ValueType::Text,
        ValueType::YesNo,
        ValueType::Span,
        ValueType::SpanOrNever,
        ValueType::Hours,
        ValueType::Forward,
        ValueType::OnePress,
        ValueType::BreakThrough,
        ValueType::Kind,
        ValueType::Port,
        ValueType::Address("http://x"),
    ];
    let value = |takes| ConfigError::Value {
        key: "a.b",
        value: "x".into(),
        takes,
    };
    let names = [
        ConfigError::NoName { key: "a.b" },
        ConfigError::NameTaken {
            key: "a.b",
            name: "x".into(),
        },
        ConfigError::Unreadable {
            line: 1,
            reason: "no".into(),
        },
    ];
    let proxies = [
        ProxyError::Scheme,
        ProxyError::Password,
        ProxyError::Port,
        ProxyError::Form,
    ];
    let proxies = proxies.map(|invalid| ConfigError::Proxy {
        key: "a.b",
        invalid,
    });
    takes
        .map(value)
        .into_iter()
        .chain(names)
        .chain(proxies)
        .collect()
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
    let error = anyhow!("disk full")
        .context(SystemFailure::Write("/x".into()))
        .context("on the way");
    let said = failure(&Texts::load("en"), &error);
    assert_eq!(said, "/x can't be written: disk full");
    let said = failure(&Texts::load("en"), &anyhow!("b").context("a"));
    assert_eq!(said, "Something went wrong: a: b");
}

#[test]
fn what_caused_it_is_said_once_also_where_an_error_has_said_it_already() {
    let said = |error: anyhow::Error| causes(&error);
    assert_eq!(
        said(anyhow!("refused").context("IO error: refused")),
        "IO error: refused"
    );
    let outer = anyhow!("refused")
        .context("IO error: refused")
        .context("Failed to connect");
    assert_eq!(said(outer), "Failed to connect: IO error: refused");
    assert_eq!(
        said(anyhow!("late").context("no answer")),
        "no answer: late"
    );
}
