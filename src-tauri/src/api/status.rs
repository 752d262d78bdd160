//! The state of Beckon as others read it: `status`, and a line of `watch`.

use crate::app::snapshot::{Bulletin, Snapshot, SourcePlace};
use crate::app::warning;
use crate::channels::desktop::ChannelState;
use crate::channels::telegram::TelegramView;
use crate::sources::opencode;
use crate::tray;
use beckon_client::text::{Texts, words};
use beckon_client::wire::{
    AnswerPlace, AnsweredBy, AskKind, Channels, DesktopStatus, MachineStatus, OperatingState,
    PresenceStatus, Source, SourceStatus, Status, TelegramStatus, TrayStatus, WatchEvent,
    WatchLine, outcome_word, word,
};
use beckon_core::{BreakThrough, News, Outcome, SourceState};

/// Returns the content of `status --json`.
pub(super) fn status(snapshot: &Snapshot, texts: &Texts) -> Status {
    let view = &snapshot.view;
    let sources: Vec<Source> = view
        .sources
        .iter()
        .map(|s| source(s, snapshot, texts))
        .collect();
    let desktop = desktop_status(&snapshot.desktop, texts);
    Status {
        version: env!("CARGO_PKG_VERSION").into(),
        ready: sources
            .iter()
            .all(|source| source.state != SourceStatus::Connecting)
            && desktop.state != OperatingState::Starting,
        sources,
        presence: PresenceStatus {
            legs: snapshot.legs.clone(),
            machines: view.seats.iter().map(MachineStatus::from).collect(),
            ..PresenceStatus::from(view.presence)
        },
        channels: Channels {
            desktop,
            telegram: telegram_status(&snapshot.telegram),
        },
        tray: tray_status(snapshot.tray.as_ref()),
        open: snapshot.open,
        paused_until: view.paused_until.map(|at| at.0),
        warnings: snapshot.warnings.clone(),
        unreadable: snapshot.unreadable,
        updates: snapshot.updates.clone(),
        hotkey_error: snapshot.hotkey_error.clone(),
        blocked_minutes: None,
    }
}

fn source(view: &beckon_core::SourceView, snapshot: &Snapshot, texts: &Texts) -> Source {
    let (state, version, error) = match view.state.clone() {
        SourceState::Connecting { error: None } => (SourceStatus::Connecting, None, None),
        SourceState::Connecting { error: Some(fault) } => (
            SourceStatus::Unreachable,
            None,
            Some(words::fault(texts, &fault)),
        ),
        SourceState::Live { version } => (SourceStatus::Live, version, None),
        SourceState::Unauthorized => (SourceStatus::Unauthorized, None, Some("401".into())),
    };
    let name = view.id.0.clone();
    let SourcePlace { kind, url } = snapshot.places.get(&name).cloned().unwrap_or_default();
    let said = snapshot.beckons.get(&name);
    let experimental = version.as_deref().is_some_and(opencode::is_experimental);
    let error = error.or_else(|| said.cloned().flatten());
    let beckon = said.is_some();
    let gaps = snapshot
        .gaps
        .get(&name)
        .filter(|_| state == SourceStatus::Live);
    let missing = gaps.map(|gaps| warning::of_gaps(&name, gaps, texts));
    Source {
        name,
        kind,
        url,
        state: state.into(),
        version,
        error,
        beckon,
        experimental,
        missing,
    }
}

fn desktop_status(state: &ChannelState, texts: &Texts) -> DesktopStatus {
    let silent = |state: OperatingState, error| DesktopStatus {
        state: state.into(),
        error,
        daemon: None,
        can: None,
        do_not_disturb: None,
        break_through: BreakThrough::default(),
    };
    match state.clone() {
        ChannelState::Starting => silent(OperatingState::Starting, None),
        ChannelState::Works {
            daemon,
            can,
            do_not_disturb,
            break_through,
        } => DesktopStatus {
            state: OperatingState::Works.into(),
            error: None,
            daemon: Some(daemon),
            can: Some(can),
            do_not_disturb,
            break_through,
        },
        ChannelState::Down(why, reason) => {
            silent(OperatingState::Down, Some(why.words(texts, &reason)))
        }
    }
}

fn tray_status(state: Option<&tray::TrayState>) -> TrayStatus {
    let (state, error) = match state {
        None => (OperatingState::Off, None),
        Some(tray::TrayState::Starting) => (OperatingState::Starting, None),
        Some(tray::TrayState::Works) => (OperatingState::Works, None),
        Some(tray::TrayState::Fails(error)) => (OperatingState::Down, Some(error.clone())),
    };
    TrayStatus {
        state: state.into(),
        error,
    }
}

/// Returns a line of `watch --json`.
pub(super) fn watched(bulletin: &Bulletin) -> WatchLine {
    let (what, id, outcome) = match &bulletin.news {
        News::Asked(id) => (WatchEvent::Asked, Some(id), None),
        News::Shown(id, channel) => (WatchEvent::Shown, Some(id), Some(word(channel))),
        News::Answered(id, by) => (
            WatchEvent::Answered,
            Some(id),
            Some(word(&AnswerPlace::from(*by))),
        ),
        News::Sent(id) => (WatchEvent::Sent, Some(id), None),
        News::Undelivered(id) => (WatchEvent::Undelivered, Some(id), None),
        News::Returned(id) => (WatchEvent::Returned, Some(id), None),
        News::Settled(id, outcome) => (settled(outcome), Some(id), Some(outcome_word(outcome))),
        News::Reopened(id) => (WatchEvent::Reopened, Some(id), None),
        News::Held(id) => (WatchEvent::Held, Some(id), None),
        News::Agreed(id) => (WatchEvent::Agreed, Some(id), None),
        News::Attention(id) => (WatchEvent::Attention, Some(id), None),
        News::Changed(id) => (WatchEvent::Changed, Some(id), None),
        News::CallTold(id) => (WatchEvent::Told, Some(id), None),
        News::Source(_) => (WatchEvent::Source, None, None),
        News::Standing => (WatchEvent::Presence, None, None),
    };
    let source = match &bulletin.news {
        News::Source(source) => Some(source.0.clone()),
        _ => id.map(|id| id.source.0.clone()),
    };
    let entry = bulletin.entry.as_ref();
    let responder = entry
        .and_then(|entry| entry.responder.as_ref())
        .filter(|_| is_of_an_answer(&bulletin.news));
    WatchLine {
        at: bulletin.at.0,
        what: what.into(),
        id: bulletin.name.clone(),
        source,
        kind: entry.map(|entry| AskKind::of(&entry.ask.kind)),
        topic: entry.map(|entry| entry.topic().to_owned()),
        since_asked: entry.map(|entry| (bulletin.at - entry.ask.asked_at).0),
        outcome,
        responder: responder.map(AnsweredBy::from),
    }
}

/// Whether the news are of an answer that counts.
fn is_of_an_answer(news: &News) -> bool {
    match news {
        News::Answered(..) | News::Sent(_) => true,
        News::Settled(_, outcome) => outcome.is_decided(),
        _ => false,
    }
}

fn settled(outcome: &Outcome) -> WatchEvent {
    match outcome {
        Outcome::Answered { .. } => WatchEvent::Taken,
        Outcome::Elsewhere { .. }
        | Outcome::DismissedElsewhere
        | Outcome::Expired
        | Outcome::Gone => WatchEvent::Settled,
    }
}

pub(super) fn telegram_status(view: &TelegramView) -> TelegramStatus {
    TelegramStatus {
        state: view.state,
        bot: view.bot.clone(),
        paired: view.paired.len(),
        error: view.error.clone(),
        troubles: view.troubles.clone(),
        ignored: view.ignored,
        unread_updates: view.unread_updates,
        pairing_exposed: view.pairing_exposed,
        token_from_environment: view.token_from_environment,
        proxy: view.proxy.clone(),
    }
}
