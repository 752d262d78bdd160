//! The command `beckon audit`: what was asked, shown and answered, by whom and when, in the order
//! of time. It is read from the database, so that it can be told whether Beckon runs or not; with
//! `--hub`, from the log of all machines on the hub (`audit/hub.rs`).

#[cfg(feature = "hub")]
mod hub;

use super::usage::WrongValue;
use super::{CommandContext, CommandResult, say, say_json_text};
use crate::store::audit;
use beckon_client::config::parse_span;
use beckon_client::connection::ClientError;
use beckon_client::platform::clock;
use beckon_client::text::words;
use beckon_client::text::{Texts, Value};
use beckon_client::wire::{AskKind, AuditLine, WatchEvent};
use beckon_core::Timestamp;
use beckon_core::visible::exact;
use clap::Args;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use std::process::ExitCode;

/// Since when, and in which form.
#[derive(Debug, Args)]
pub(super) struct AuditArguments {
    #[arg(long, value_name = "WHEN", value_parser = since)]
    since: Timestamp,
    #[arg(long)]
    jsonl: bool,
    #[cfg(feature = "hub")]
    #[arg(long)]
    hub: bool,
}

/// Reads a moment: `2h` and the like before now, a day or a time of this machine's zone, or RFC
/// 3339.
fn since(text: &str) -> Result<Timestamp, WrongValue> {
    since_in(text, clock::now(), &clock::zone()).ok_or(WrongValue::When)
}

fn since_in(text: &str, now: Timestamp, zone: &TimeZone) -> Option<Timestamp> {
    if let Some(span) = parse_span(text) {
        return Some(Timestamp(now.0.saturating_sub(span.0)));
    }
    // A text with an offset can be read as a date and a time as well, so it is tried first.
    let at = text.parse::<jiff::Timestamp>().ok().or_else(|| {
        let day = text.parse::<Date>().map(|day| day.at(0, 0, 0, 0));
        let local = if text.contains(['T', ' ']) {
            text.parse::<DateTime>()
        } else {
            day
        };
        local
            .ok()?
            .to_zoned(zone.clone())
            .ok()
            .map(|local| local.timestamp())
    })?;
    Some(Timestamp(at.as_millisecond()))
}

pub(super) async fn run(context: &CommandContext, arguments: &AuditArguments) -> CommandResult {
    #[cfg(feature = "hub")]
    if arguments.hub {
        return hub::run(context, arguments).await;
    }
    of_this_machine(context, arguments)
}

fn of_this_machine(context: &CommandContext, arguments: &AuditArguments) -> CommandResult {
    let zone = clock::zone();
    let print = |line: AuditLine| {
        if arguments.jsonl {
            say_json_text(&serde_json::to_string(&line).unwrap_or_default())
        } else {
            say(&text(&context.texts, &line, &zone))
        }
        true
    };
    audit::each(&context.paths.database, arguments.since, print)
        .map_err(|error| ClientError::Said(words::failure(&context.texts, &error)))?;
    Ok(ExitCode::SUCCESS)
}

fn text(texts: &Texts, line: &AuditLine, zone: &TimeZone) -> String {
    let args = [
        ("at", Value::from(local(&line.at, zone))),
        (
            "what",
            Value::from(texts.get(&format!("watch-{}", line.what))),
        ),
        ("topic", Value::from(topic(texts, line))),
        ("detail", Value::from(detail(texts, line))),
        ("shown", Value::from(line.shown.clone().unwrap_or_default())),
    ];
    texts.with("audit-line", &args).trim_end().to_owned()
}

fn local(at: &str, zone: &TimeZone) -> String {
    let at = at
        .parse::<jiff::Timestamp>()
        .unwrap_or_default()
        .to_zoned(zone.clone());
    at.strftime("%Y-%m-%d %H:%M:%S").to_string()
}

/// Returns the project and what is asked, in a line; the bare id of an ask that the history no
/// longer has.
fn topic(texts: &Texts, line: &AuditLine) -> String {
    let title = match (line.kind, &line.title) {
        (Some(AskKind::Permission), Some(name)) => words::wish(texts, &exact(name).text),
        (_, title) => title.clone().unwrap_or_else(|| line.id.clone()),
    };
    let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
    match line
        .project
        .as_deref()
        .filter(|project| !project.is_empty())
    {
        Some(project) => format!("{project}: {title}"),
        None => title,
    }
}

/// Returns why the answer came back, or what is known of one whose agent has stopped waiting.
fn returned(texts: &Texts, line: &AuditLine) -> Option<String> {
    let why = line.returned.as_ref()?;
    Some(texts.get(&format!("audit-returned-{why}")))
}

/// Returns where it was shown; what was decided, where and by whom; or how it ended.
fn detail(texts: &Texts, line: &AuditLine) -> String {
    let ending = line
        .ending
        .as_ref()
        .map(|ending| texts.get(&format!("ui-ending-{ending}")));
    let parts = match line.what.known() {
        Some(WatchEvent::Shown) => {
            vec![
                line.on
                    .as_ref()
                    .map(|on| texts.get(&format!("watch-on-{on}"))),
            ]
        }
        Some(WatchEvent::Answered | WatchEvent::Agreed) => {
            let place = line.by.as_ref().map(|by| texts.get(&format!("by-{by}")));
            let who = line
                .responder
                .as_ref()
                .and_then(|who| words::responder(texts, who));
            vec![ending, place, who]
        }
        Some(WatchEvent::Settled) => {
            let outcome = line
                .outcome
                .as_ref()
                .map(|it| it.to_string().replace(' ', "-"));
            let who = line
                .responder
                .as_ref()
                .and_then(|who| words::responder(texts, who));
            vec![
                outcome.map(|outcome| texts.get(&format!("watch-outcome-{outcome}"))),
                who,
                returned(texts, line),
            ]
        }
        Some(WatchEvent::Returned) => vec![returned(texts, line)],
        _ => Vec::new(),
    };
    parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use beckon_client::text::languages;
    use beckon_client::wire::{AnswerPlace, AnsweredBy, Ending, ReturnCode, VouchedBy, WireWord};
    use beckon_core::Channel;

    const NOW: Timestamp = Timestamp(1_700_000_000_000);

    fn at(text: &str) -> Option<i64> {
        since_in(text, NOW, &TimeZone::fixed(jiff::tz::offset(2))).map(|at| at.0)
    }

    #[test]
    fn since_is_a_time_ago_a_day_of_here_or_a_moment() {
        assert_eq!(at("2h"), Some(NOW.0 - 7_200_000));
        assert_eq!(at("7d"), Some(NOW.0 - 7 * 86_400_000));
        assert_eq!(
            at("2023-11-14"),
            Some(1_699_912_800_000),
            "midnight of the zone"
        );
        assert_eq!(at("2023-11-14T12:00"), Some(1_699_956_000_000));
        assert_eq!(at("2023-11-14T12:00:00Z"), Some(1_699_963_200_000));
        for nothing in ["", "yesterday", "0h", "-2h", "2023-13-40", "2"] {
            assert_eq!(at(nothing), None, "{nothing:?}");
        }
    }

    fn line(what: WatchEvent) -> AuditLine {
        let line = AuditLine::new(NOW.0, what, "local".into(), "q1".into());
        let (title, project) = (Some("Which one?".into()), Some("shop".into()));
        AuditLine {
            kind: Some(AskKind::Question),
            title,
            project,
            ..line
        }
    }

    fn said(line: &AuditLine) -> String {
        text(&Texts::load("en"), line, &TimeZone::UTC)
    }

    #[test]
    fn a_line_says_who_decided_what_where_and_on_whose_word() {
        let responder = |vouched, peer: Option<&str>| AnsweredBy {
            signed_by: None,
            person: Some("Ada".into()),
            device: Some("laptop".into()),
            vouched: WireWord::from(vouched),
            telegram_user: None,
            peer: peer.map(str::to_owned),
        };
        let answered = |responder, by| AuditLine {
            ending: Some(Ending::Once.into()),
            by: Some(WireWord::from(by)),
            responder: Some(responder),
            shown: Some("0123456789".into()),
            ..line(WatchEvent::Answered)
        };
        let told = said(&answered(
            responder(VouchedBy::Machine, None),
            AnswerPlace::Tray,
        ));
        let told_by_phone = said(&answered(
            responder(VouchedBy::Telegram, None),
            AnswerPlace::Telegram,
        ));
        assert_eq!(
            told,
            "2023-11-14 22:13:20  answered  shop: Which one?  Allowed once · in the tray · Ada · \
             laptop  0123456789"
        );
        assert!(
            told_by_phone.contains("on Telegram · Ada  0123"),
            "{told_by_phone}"
        );
        let told = said(&answered(
            responder(VouchedBy::Peer, Some("hub")),
            AnswerPlace::Api,
        ));
        assert!(told.contains("Ada · laptop (according to hub)"), "{told}");
    }

    #[test]
    fn what_was_not_noted_then_is_left_out() {
        let bare = AuditLine::new(NOW.0, WatchEvent::Answered, "local".into(), "q1".into());
        assert_eq!(said(&bare), "2023-11-14 22:13:20  answered  q1");
        let shown = AuditLine {
            on: Some(Channel::Telegram.into()),
            ..line(WatchEvent::Shown)
        };
        assert!(said(&shown).ends_with("shown  shop: Which one?  on Telegram"));
    }

    #[test]
    fn every_reason_for_coming_back_is_said_in_every_language() {
        use ReturnCode as R;
        let some = [R::Refused, R::Unauthorized, R::Forbidden, R::Unproven];
        let others = [
            R::Changed,
            R::Undelivered,
            R::Unconfirmed,
            R::NoThread,
            R::NeedsAnother,
        ];
        let hub = [R::HubForbidden, R::HubNoKey, R::HubUnlisted];
        let hub = hub
            .into_iter()
            .chain([R::HubUnreadable, R::HubUnfit, R::HubHeld]);
        let hub: Vec<R> = hub.collect();
        for language in languages() {
            let texts = Texts::load(language);
            for code in some.iter().chain(&others).chain(&hub) {
                let key = format!("audit-returned-{}", beckon_client::wire::word(code));
                assert!(texts.has(&key), "{language}: {key}");
            }
        }
    }
}
