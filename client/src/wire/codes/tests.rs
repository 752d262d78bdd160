//! The tests of the words of the wire: as programs read them, and words of another version.

use super::*;
use crate::wire::{DesktopStatus, ListedAsk, Problem, Source, Verdict, WatchLine};
use serde::de::DeserializeOwned;

fn written<T: Serialize>(words: &[T]) -> String {
    serde_json::to_string(words).unwrap()
}

/// Lists the words that programs compare: none may change. (Those of problems are in
/// `api/error.rs`.)
#[test]
fn every_word_is_written_as_it_always_was() {
    use {AnswerPlace as By, ListedState as Ask, OperatingState as Works, OutcomeKind as End};
    use {ReturnCode as Why, SourceStatus as At, VerdictState as Came, WatchEvent as New};
    let sources = [At::Connecting, At::Live, At::Unreachable, At::Unauthorized];
    assert_eq!(
        written(&sources),
        r#"["connecting","live","unreachable","unauthorized"]"#
    );
    let works = [Works::Starting, Works::Off, Works::Works, Works::Down];
    assert_eq!(written(&works), r#"["starting","off","works","down"]"#);
    use ProxyState as Via;
    let proxies = [
        Via::Unknown,
        Via::Works,
        Via::Unreachable,
        Via::Protocol,
        Via::NoRoute,
    ];
    let words = r#"["unknown","works","unreachable","protocol","no-route"]"#;
    assert_eq!(written(&proxies), words);
    let locked = [Via::PasswordMissing, Via::PasswordRefused];
    assert_eq!(
        written(&locked),
        r#"["password-missing","password-refused"]"#
    );
    let locked = [
        Via::PasswordUnwanted,
        Via::PasswordOutOfReach,
        Via::AnotherUser,
    ];
    let words = r#"["password-unwanted","password-out-of-reach","another-user"]"#;
    assert_eq!(written(&locked), words);
    let verdicts = [Came::Sent, Came::Taken, Came::AlreadyAnswered, Came::Gone];
    assert_eq!(
        written(&verdicts),
        r#"["sent","taken","already answered","gone"]"#
    );
    let asks = [Ask::Open, Ask::Answering, Ask::Stale];
    assert_eq!(written(&asks), r#"["open","answering","stale"]"#);
    let ends = [
        End::Answered,
        End::AnsweredElsewhere,
        End::DismissedElsewhere,
    ];
    let words = r#"["answered","answered elsewhere","dismissed elsewhere"]"#;
    assert_eq!(written(&ends), words);
    assert_eq!(written(&[End::Expired, End::Gone]), r#"["expired","gone"]"#);
    let first = [
        Why::Refused,
        Why::Unauthorized,
        Why::Forbidden,
        Why::Unproven,
    ];
    assert_eq!(
        written(&first),
        r#"["refused","unauthorized","forbidden","unproven"]"#
    );
    let rest = [
        Why::Changed,
        Why::Undelivered,
        Why::Unconfirmed,
        Why::NoThread,
    ];
    assert_eq!(
        written(&rest),
        r#"["changed","undelivered","unconfirmed","no-thread"]"#
    );
    assert_eq!(written(&[Why::NeedsAnother]), r#"["needs-another"]"#);
    let hub = [Why::HubForbidden, Why::HubNoKey, Why::HubUnlisted];
    assert_eq!(
        written(&hub),
        r#"["hub-forbidden","hub-no-key","hub-unlisted"]"#
    );
    let hub = [Why::HubUnreadable, Why::HubUnfit, Why::HubHeld];
    assert_eq!(
        written(&hub),
        r#"["hub-unreadable","hub-unfit","hub-held"]"#
    );
    let first = [
        New::Asked,
        New::Shown,
        New::Answered,
        New::Sent,
        New::Undelivered,
    ];
    assert_eq!(
        written(&first),
        r#"["asked","shown","answered","sent","undelivered"]"#
    );
    let rest = [
        New::Returned,
        New::Taken,
        New::Settled,
        New::Reopened,
        New::Changed,
    ];
    assert_eq!(
        written(&rest),
        r#"["returned","taken","settled","reopened","changed"]"#
    );
    assert_eq!(written(&[New::Held, New::Agreed]), r#"["held","agreed"]"#);
    assert_eq!(
        written(&[New::Source, New::Presence]),
        r#"["source","presence"]"#
    );
    assert_eq!(written(&[By::Elsewhere]), r#"["elsewhere"]"#);
    let grants = [
        PermissionDecision::Once,
        PermissionDecision::Always,
        PermissionDecision::Reject,
    ];
    assert_eq!(written(&grants), r#"["once","always","reject"]"#);
}

#[test]
fn a_place_is_called_as_its_surface_is() {
    for surface in [
        Surface::Notification,
        Surface::Tray,
        Surface::Window,
        Surface::Cli,
        Surface::Api,
        Surface::Telegram,
        Surface::Clock,
    ] {
        assert_eq!(written(&[surface]), written(&[AnswerPlace::from(surface)]));
    }
}

fn is_handed_on<T: Serialize + DeserializeOwned>(json: &str) {
    let read: T = serde_json::from_str(json).unwrap();
    assert_eq!(serde_json::to_string(&read).unwrap(), json);
}

#[test]
fn a_word_of_another_version_is_handed_on_as_it_came() {
    is_handed_on::<Source>(concat!(
        r#"{"name":"local","kind":"opencode","url":"","state":"asleep","version":null,"#,
        r#""error":null,"experimental":false}"#
    ));
    is_handed_on::<DesktopStatus>(concat!(
        r#"{"state":"on strike","error":null,"daemon":null,"can":null,"#,
        r#""do_not_disturb":null,"break_through":"never"}"#
    ));
    is_handed_on::<Verdict>(r#"{"state":"put off","by":"watch"}"#);
    is_handed_on::<Verdict>(r#"{"state":"already answered","by":"elsewhere"}"#);
    is_handed_on::<Problem>(r#"{"code":"too late","message":"No.","by":"watch"}"#);
    is_handed_on::<Problem>(r#"{"code":"id taken","message":"No."}"#);
    is_handed_on::<WatchLine>(concat!(
        r#"{"at":0,"what":"snoozed","id":null,"source":null,"kind":null,"topic":null,"#,
        r#""since_asked":null,"outcome":null}"#
    ));
    is_handed_on::<ListedAsk>(concat!(
        r#"{"id":"a","source":"local","kind":"riddle","state":"snoozed","asked_at":1,"#,
        r#""fingerprint":"0000000000","session":{"id":"s","title":null,"directory":"","#,
        r#""agent":null,"parent":null,"last_words":null},"questions":[],"#,
        r#""permission":null,"returned":{"reason":"lost","detail":null}}"#
    ));
}

#[test]
fn a_word_of_another_version_is_none_of_ours() {
    let word: WireWord<SourceStatus> = serde_json::from_str(r#""asleep""#).unwrap();
    assert_eq!((word.known(), word.to_string().as_str()), (None, "asleep"));
    let live: WireWord<SourceStatus> = serde_json::from_str(r#""live""#).unwrap();
    assert_eq!(
        (live.known(), live.to_string().as_str()),
        (Some(SourceStatus::Live), "live")
    );
    assert!(
        serde_json::from_str::<WireWord<SourceStatus>>("7").is_err(),
        "no word at all"
    );
}
