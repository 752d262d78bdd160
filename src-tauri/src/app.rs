//! The loop: an event goes to the desk, its step is committed, its effects are carried out, and the
//! views are redrawn. The loop owns all state and knows all rooms. It waits for no IO but the
//! commit.

mod effects;
#[cfg(any(test, fuzzing))]
pub(crate) mod fuzzing;
mod hub;
pub(crate) mod inbox;
mod late_presses;
pub(crate) mod peers;
mod reports;
mod rooms;
mod saving;
pub(crate) mod selftest;
mod servers;
mod settings;
pub(crate) mod snapshot;
mod telegram_updates;
mod unread;
mod views;
pub(crate) mod warning;
mod windows;
#[cfg(test)]
mod worst;

pub(crate) use rooms::Rooms;
pub(crate) use servers::names::NameTaken;
pub(crate) use settings::user;

use crate::channels::Channels;
use crate::channels::telegram::pairing::pairings::PairingChange;
use crate::channels::telegram::{self, Reaction};
use crate::gui::hotkey::Hotkey;
use crate::gui::process::GuiProcess;
use crate::platform::fault;
use crate::presence;
use crate::sources::UnreadParts;
use crate::sources::local_asks::{self, LocalAsks};
use crate::sources::opencode::wire::PeerHealth;
use crate::sources::{Source, interrupts, langgraph, opencode};
use crate::store::{CommitRows, Store};
use crate::tray::Tray;
use crate::updates::UpdatesHandle;
use beckon_client::config;
use beckon_client::config::{Config, InterruptsService, OpenCodeServer};
use beckon_client::platform::clock;
use beckon_client::text::Texts;
use beckon_client::text::words;
use beckon_core::{
    AnswerRefusal, AskId, Channel, DeliveryFailure, Desk, Entry, Event, News, Presence, RowChange,
    SourceId, SourceReport, Span, Step, Timestamp,
};
use inbox::{LoopInput, Mailbox, SetUp};
use servers::registry::SourceRegistry;
use snapshot::Bulletin;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::mpsc::UnboundedReceiver;
use warning::Warning;

/// The time for which a burst of events is gathered before it is drawn.
const DRAW_AFTER: Duration = Duration::from_millis(30);
/// The longest sleep of the loop with nothing due, since the wall clock may have jumped.
const LOOK_UP: Duration = Duration::from_secs(3_600);

/// The least jump of the clock that means a halted virtual machine: when it goes on, its clock is
/// set forward, and its connections are dead.
const HALTED: Span = Span::seconds(30);

/// The rooms and the desk.
pub(crate) struct App {
    /// The desk, which decides.
    desk: Desk,
    /// The database.
    store: Store,
    /// The sources by name.
    sources: BTreeMap<SourceId, Source>,
    /// The asks that are made through Beckon itself.
    asks: LocalAsks,
    /// The servers and services that are known, and which of them are watched.
    registry: SourceRegistry,
    /// The name by which this Beckon is known among Beckons.
    instance: Arc<str>,
    /// The servers that are Beckons.
    peers: BTreeMap<SourceId, PeerHealth>,
    /// The finished turns that were told to the human last.
    turns: servers::told_turns::ToldTurns,
    /// The parts of sources that could not be read.
    gaps: BTreeMap<SourceId, UnreadParts>,
    /// The number of asks since this start that could not be read.
    unreadable: usize,
    /// The channels on which asks are shown.
    channels: Channels,
    /// The backends that tell where the human is.
    presence: presence::PresenceHandle,
    /// The file that exists while the human is here.
    marker: presence::PresenceMarker,
    /// The hot key that opens the answer window from everywhere.
    hotkey: Hotkey,
    /// The reason why there is no hot key, until another one is set.
    hotkey_warning: Option<Warning>,
    /// The starter of the window program.
    opener: GuiProcess,
    /// The tray, unless headless.
    tray: Option<Tray>,
    /// The search for a newer Beckon.
    updates: UpdatesHandle,
    /// The hub over which the Beckons of one person share their asks, if there is one.
    hub: Option<hub::HubRoom>,
    leaving: hub::LeavingHubs,
    /// The sender of inputs to the loop, kept for rooms that start later.
    mailbox: Mailbox,
    /// The texts.
    texts: Arc<Texts>,
    /// The warnings that a person should know.
    warnings: Vec<Warning>,
    /// The rows that the disk refuses, as last told to the human, and the callers that wait until
    /// they are saved.
    unsaved: saving::Unsaved,
    /// The fault in the settings file, until it is corrected.
    config_warning: Option<Warning>,
    /// The watch for changes of the clock.
    clocks: clock::ClockWatch,
    /// The offset of local time from UTC, as the desk was told.
    utc_offset: Span,
    /// The time at which the tray is to be drawn.
    draw_at: Option<Instant>,
}

impl App {
    /// Runs until it is told to stop.
    pub(crate) async fn run(mut self, mut inbox: UnboundedReceiver<LoopInput>) {
        let demo = !self.sources.is_empty();
        self.marker.tell(&self.desk.presence(clock::now()));
        self.watch_asks();
        if demo {
            self.drop_unwatched();
        }
        self.draw();
        loop {
            match tokio::time::timeout(self.time_until_due(), inbox.recv()).await {
                Ok(Some(LoopInput::Stop) | None) => break,
                Ok(Some(input)) => match input.part() {
                    Some(part) => part.during(|| self.on_input(input)),
                    None => self.on_input(input),
                },
                Err(_) => self.on_input(LoopInput::Event(Event::Tick)),
            }
            self.save_again_if_due();
            self.tick_asks();
            self.reveal();
            self.tell_seat();
            if self.draw_at.is_some_and(|at| Instant::now() >= at) {
                self.draw();
            }
        }
        fault::end_on_panic();
        self.save_before_end();
        self.opener.end();
        self.marker.end();
        self.channels.desktop.end().await;
    }

    fn time_until_due(&self) -> Duration {
        let due = self.desk.next_deadline().map(clock::until);
        let asks = self.asks.next_deadline().map(clock::until);
        let draw = self
            .draw_at
            .map(|at| at.saturating_duration_since(Instant::now()));
        let save = self.saving_due();
        [due, asks, draw, save, self.seat_due(), self.reveal_due()]
            .into_iter()
            .flatten()
            .min()
            .unwrap_or(LOOK_UP)
            .min(LOOK_UP)
    }

    fn on_input(&mut self, input: LoopInput) {
        self.check_clocks();
        match input {
            LoopInput::Event(event) => self.on_event(event),
            LoopInput::Answer(event, reply) => {
                let verdict = self.handle(event).unwrap_or(Err(AnswerRefusal::Unknown));
                let _ = reply.send(verdict);
            }
            LoopInput::Reply(target, text) => self.on_reply(target, text),
            LoopInput::AwaitSaved(saved) => self.await_saved(saved),
            LoopInput::HeldWords { words, is_saved } => {
                self.channels.telegram.say_held_words(words, is_saved);
            }
            LoopInput::PressNotSaved => self.channels.desktop.hint(
                self.texts.get("press-not-saved"),
                self.texts.get("problem-not-saved"),
            ),
            LoopInput::Look(reply) => {
                let _ = reply.send(self.snapshot(self.desk.view(clock::now())));
            }
            LoopInput::Glance(reply) => {
                let _ = reply.send(self.snapshot(self.desk.outline(clock::now())));
            }
            LoopInput::LookAtHub(reply) => _ = reply.send(self.hub_view()),
            LoopInput::LeaveHub(left) => self.await_leaving_hub(left),
            LoopInput::Read(part) => views::read(&self.desk, part),
            LoopInput::Freshen(done) => self.presence.freshen(done),
            LoopInput::Find(name, reply) => _ = reply.send(self.find(&name)),
            LoopInput::Named(name, reply) => _ = reply.send(self.named(&name)),
            LoopInput::Open(serial, activation) => self.open_ask(serial, activation),
            LoopInput::Session(input) => self.on_session(input),
            LoopInput::Window(wish, reply) => self.open_window(wish, reply),
            LoopInput::Welcome => self.welcome(),
            LoopInput::Attach(reply) => _ = reply.send(self.opener.attach()),
            LoopInput::PrepareWindow => self.opener.prepare(),
            LoopInput::WindowEnded => self.on_window_ended(),
            LoopInput::WindowFocus(focused) => self.channels.desktop.hold(focused),
            LoopInput::KeepDraft(ask, draft, reply) => {
                _ = reply.send(self.keep_draft(&ask, &draft))
            }
            LoopInput::Drafts(reply) => _ = reply.send(self.store.drafts().unwrap_or_default()),
            LoopInput::Saved(source, reply) => {
                let _ = reply.send(self.sources.get(&source).and_then(Source::saved));
            }
            LoopInput::Show => self.come_forward(),
            LoopInput::Register(server, reply) => {
                // The caller may have gone meanwhile; then it needs no reply.
                let _ = reply.send(self.register(server, false));
            }
            LoopInput::DropUnwatched => self.drop_unwatched(),
            LoopInput::Source(report) => self.on_source_report(report),
            LoopInput::Reaches(reply) => _ = reply.send(self.reachable_peers()),
            LoopInput::Configure(config, warning) => self.configure(*config, warning),
            LoopInput::Asking(request) => self.on_local_ask(request),
            LoopInput::Unreadable { agent, reason } => self.note_unreadable(&agent, &reason),
            LoopInput::Say {
                title,
                message,
                shown,
            } => {
                let _ = shown.send(self.say(&title, &message));
            }
            LoopInput::Warn(warning) => self.warn(warning),
            LoopInput::Amiss(warning) => self.on_amiss(warning),
            LoopInput::Reconnect(name) => self.reconnect(&name),
            LoopInput::SelfTest(runs) => self.self_test(runs),
            LoopInput::WavedAway(ask) => self.channels.desktop.on_waved_away(&ask),
            LoopInput::Misclicked(ask) => self.show_again(&ask),
            LoopInput::DesktopChanged => self.opener.changed(),
            LoopInput::Hub(of, report) => self.on_hub(of, report),
            LoopInput::Telegram(report) => self.on_telegram(report),
            LoopInput::SetUp(wish) => self.set_up(wish),
            LoopInput::Stop => {}
        }
    }

    /// Corrects times that were noted before the clock was set, or in another time zone, before
    /// anything is decided by them.
    fn check_clocks(&mut self) {
        if let Some(by) = self.clocks.look() {
            self.set_clock(by);
        }
        let offset = clock::utc_offset();
        if offset != self.utc_offset {
            tracing::info!(
                minutes = offset.0 / 60_000,
                "the time zone offset has changed"
            );
            self.utc_offset = offset;
            self.channels.telegram.local_time_changed();
            self.handle(Event::UtcOffset(offset));
        }
    }

    /// Moves all noted times by `by` after the clock was set. The changes of the desk and of the
    /// source `asks` are committed together.
    fn set_clock(&mut self, by: Span) {
        tracing::warn!(seconds = by.0 / 1_000, "the clock was set");
        let (changes, events) = (self.asks.set_clock(by), vec![Event::ClockSet(by)]);
        self.on_local_step(
            local_asks::LocalStep {
                changes,
                events,
                words: Vec::new(),
            },
            clock::now(),
        );
        self.channels.telegram.set_clock(by);
        self.reveal_anew();
        if by >= HALTED {
            self.channels.telegram.wake();
        }
    }

    fn handle(&mut self, event: Event) -> Option<Result<AskId, AnswerRefusal>> {
        let now = clock::now();
        let step = self.decide(event, now);
        self.commit(&step, &[], now);
        self.carry_out(step, now)
    }

    /// Handles a click. A pressed notification closes, and so does a menu, so the human is told at
    /// once if nothing came of the click. Nothing is said if another answer from this machine was
    /// faster: then an answer did go out.
    fn on_press(&mut self, event: Event) {
        let verdict = self.handle(event);
        if let Some(Ok(pressed)) = &verdict {
            self.tell_unless_saved(pressed);
        }
        if let Some(Err(refusal)) = verdict
            && !matches!(&refusal, AnswerRefusal::Answering { .. })
            && !matches!(&refusal, AnswerRefusal::Settled { outcome } if outcome.is_ours())
        {
            let title = self.texts.get("press-refused");
            self.channels
                .desktop
                .hint(title, words::refusal(&self.texts, &refusal));
        }
    }

    /// Shows a request again, if it still waits.
    fn show_again(&mut self, ask: &AskId) {
        let Some(entry) = self.desk.entry(ask) else {
            return;
        };
        if entry.state == beckon_core::AskState::Open {
            self.channels.desktop.show_again(entry);
        }
    }

    /// Adds the source of asks that are made through Beckon itself. Its asks of an earlier run are
    /// still open.
    fn watch_asks(&mut self) {
        let handle = Source::Asks(local_asks::LocalAsksHandle::new(
            self.mailbox.sink(LoopInput::Source),
        ));
        self.sources
            .insert(SourceId(config::LOCAL_ASKS.into()), handle);
        for event in self.asks.begin() {
            self.handle(event);
        }
    }

    fn tick_asks(&mut self) {
        let now = clock::now();
        if self.asks.next_deadline().is_some_and(|at| now >= at) {
            let moved = self.asks.tick(now);
            self.on_local_step(moved, now);
        }
    }

    /// Commits a change of an ask, together with its record, before its asker gets a reply.
    fn on_local_step(&mut self, moved: local_asks::LocalStep, now: Timestamp) {
        let mut whole = Step::default();
        for event in moved.events {
            whole.append(self.desk.handle(event, now));
        }
        let asking = &moved.changes;
        self.commit_rows(
            &CommitRows {
                asking,
                ..rows(&whole)
            },
            now,
        );
        self.carry_out(whole, now);
        moved
            .words
            .into_iter()
            .for_each(local_asks::AskerReply::say);
    }

    /// Shows a message from an agent where the human is, and returns the channel.
    fn say(&mut self, title: &str, message: &str) -> Option<Channel> {
        let channel = self.desk.tells_on(clock::now())?;
        self.channels.get(channel).tell_message(title, message);
        Some(channel)
    }

    fn on_event(&mut self, event: Event) {
        match event {
            Event::Presence(_) => self.on_presence(event),
            Event::Source(_, SourceReport::State(_)) => {
                self.handle(event);
                self.settle_doubles();
            }
            Event::Pressed { .. } => self.on_press(event),
            Event::Shown {
                channel: Channel::Telegram,
                ..
            }
            | Event::Closed {
                channel: Channel::Telegram,
                ..
            }
            | Event::Withdrawn {
                channel: Channel::Telegram,
                ..
            } => self.on_card_event(event),
            event => _ = self.handle(event),
        }
    }

    /// Takes a reading of the human's presence. After a sleep the old connections are dead, even if
    /// no error was seen yet, so Telegram reconnects.
    fn on_presence(&mut self, event: Event) {
        let before = self.desk.presence(clock::now());
        self.handle(event);
        if before.standing.reading.presence == Presence::Asleep {
            self.channels.telegram.wake();
        }
        if before.away && !self.desk.presence(clock::now()).away {
            self.expect_windows();
        }
    }

    fn carry_out(
        &mut self,
        mut step: Step,
        now: Timestamp,
    ) -> Option<Result<AskId, AnswerRefusal>> {
        let quiet_times = self.desk.quiet_times();
        self.channels.telegram.set_quiet_times(quiet_times);
        for effect in effects::of(&mut step) {
            self.run_loop_effect(effect, now);
        }
        self.publish_news(&step, now);
        step.verdict
    }

    /// Commits a step, and returns whether it is saved. If the disk refuses, asks still ring and
    /// are still answered, and the step is saved later (`saving.rs`). Only a crash before that
    /// could lose something, while waiting in silence would lose more.
    fn commit(&mut self, step: &Step, pairings: &[PairingChange], now: Timestamp) -> bool {
        self.commit_rows(
            &CommitRows {
                pairings,
                ..rows(step)
            },
            now,
        )
    }

    fn commit_rows(&mut self, rows: &CommitRows<'_>, now: Timestamp) -> bool {
        let used = self.use_up_rounds(rows.news);
        let rounds = if used.is_empty() { rows.rounds } else { &used };
        let chats = if rows.pairings.is_empty() {
            Vec::new()
        } else {
            self.note_chats()
        };
        let chats = chats.iter().chain(rows.chats).cloned().collect::<Vec<_>>();
        let rows = &CommitRows {
            rounds,
            chats: &chats,
            ..*rows
        };
        let committed = self.store.commit(rows, now);
        let has_news = !rows.news.is_empty();
        if let Some(hub) = self.hub.as_ref().filter(|_| has_news && committed.is_ok()) {
            hub.noted();
        }
        self.note_saving(committed)
    }

    /// Reports to the desk that the answer was not sent because its source is not watched (yet);
    /// the desk tries again later.
    fn not_sent(&self, ask: AskId) {
        let failure = DeliveryFailure::Other("its source is not watched".into());
        let report = SourceReport::NotSent {
            own: ask.own,
            failure,
        };
        self.mailbox.post(Event::Source(ask.source, report));
    }

    fn on_amiss(&mut self, warning: Warning) {
        if self.warnings.contains(&warning) {
            return;
        }
        self.warnings.push(warning);
        self.opener.changed();
    }

    fn publish_news(&mut self, step: &Step, at: Timestamp) {
        if step.news.is_empty() {
            return;
        }
        self.draw_at.get_or_insert(Instant::now() + DRAW_AFTER);
        self.look_for_doubles(&step.news);
        for news in &step.news {
            self.share_news(news, self.entry(news, step).as_ref());
            log_news(news);
            self.mailbox.tell(|| Bulletin {
                at,
                news: news.clone(),
                entry: self.entry(news, step),
                name: subject(news).map(|id| self.desk.name(id).into_owned()),
            });
        }
    }

    /// Returns the ask behind a piece of news: on the desk, or, when it has just settled, in the
    /// step.
    fn entry(&self, news: &News, step: &Step) -> Option<Entry> {
        let id = subject(news)?;
        self.desk.entry(id).or_else(|| saved(id, step)).cloned()
    }
}

/// Returns the id of the ask that news are about.
fn subject(news: &News) -> Option<&AskId> {
    match news {
        News::Asked(id)
        | News::Shown(id, _)
        | News::Answered(id, _)
        | News::Sent(id)
        | News::Undelivered(id)
        | News::Returned(id)
        | News::Settled(id, _)
        | News::Reopened(id)
        | News::Attention(id)
        | News::Held(id)
        | News::Agreed(id)
        | News::Changed(id)
        | News::CallTold(id) => Some(id),
        News::Source(_) | News::Standing => None,
    }
}

fn saved<'a>(id: &AskId, step: &'a Step) -> Option<&'a Entry> {
    step.save.iter().rev().find_map(|save| match save {
        RowChange::Ask(entry) if entry.ask.id == *id => Some(&**entry),
        _ => None,
    })
}

fn rows(step: &Step) -> CommitRows<'_> {
    CommitRows {
        save: &step.save,
        news: &step.news,
        ..CommitRows::default()
    }
}

fn log_news(news: &News) {
    match news {
        News::Asked(ask) => tracing::info!(%ask, "asked"),
        News::Shown(ask, channel) => tracing::debug!(%ask, ?channel, "shown"),
        News::Answered(ask, by) => tracing::info!(%ask, ?by, "answered"),
        News::Sent(ask) => tracing::debug!(%ask, "sent"),
        // The log has this with its reason, where that is known (`warn_undelivered`).
        News::Undelivered(_) => {}
        News::Returned(ask) => tracing::info!(%ask, "the answer came back"),
        News::Settled(ask, outcome) => {
            tracing::info!(%ask, outcome = beckon_client::wire::outcome_word(outcome), "settled");
        }
        News::Reopened(ask) => tracing::info!(%ask, "open after all"),
        News::Held(ask) => tracing::info!(%ask, "other people decide the ask now"),
        News::Agreed(ask) => tracing::info!(%ask, "one of the two needed people has agreed"),
        News::Attention(ask) => tracing::info!(%ask, "seen, snoozed, or wanted again"),
        News::Changed(ask) => tracing::warn!(%ask, "something else is asked under the same name"),
        News::CallTold(ask) => tracing::debug!(%ask, "its call is known"),
        News::Source(source) => tracing::info!(%source, "the source's state changed"),
        News::Standing => tracing::info!("presence or pause changed"),
    }
}
