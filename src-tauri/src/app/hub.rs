//! The loop's work for the hub. Own asks are shared as they change, answers to them are judged and
//! taken, and the asks of other machines are put on the desk, with a source for each machine.
//!
//! Not here: the connection (`hub`), and the rules (`beckon_core::hub`).

mod after_leaving;
mod answering;
mod bot;
mod leftovers;
mod log;
mod presence;
mod renewing;
mod sharing;
mod team;
mod view;
mod watching;

use super::*;
use crate::app::inbox::{HubNumber, LoopInput};
use crate::hub::{self, BotReport, HubCommand, HubHandle, HubMember, HubReport, HubState};
use crate::platform::account;
use crate::platform::part::Part;
use crate::sources::shared::{SharedAsksHandle, SharedRequest};
use crate::store::HubSince;
use beckon_client::config::HubConfig;
use beckon_core::hub::{
    AFTER_LEAVING, DeskRecord, HUB_SOURCE, HubOwner, LeaseHolder, RecordFault, RemoteAsks, Renewal,
    SeatNews,
};
use tokio::sync::oneshot;

/// The hub that the settings name.
#[derive(Debug)]
pub(super) struct HubRoom {
    config: HubConfig,
    /// The number of this connection. Reports of a former one have a lower number.
    number: HubNumber,
    handle: HubHandle,
    state: HubState,
    /// The sharing of this Beckon's own asks.
    owner: HubOwner,
    /// The asks that other machines share.
    remote: RemoteAsks,
    /// The time at which each other machine was last heard of, by its name among Beckons.
    heard: BTreeMap<String, Instant>,
    /// The last record of this machine's human that was published.
    own_seat: presence::OwnSeat,
    /// Whether the list of all records was read since the connection was made.
    listed: bool,
    /// The time at which all own records were last published again.
    renewal: Renewal,
    /// The device that signs for each other machine.
    signers: BTreeMap<String, Signer>,
    /// The subjects of records that were not read or not believed.
    refused: BTreeMap<String, RecordFault>,
    /// The number of open asks that are left out of each device that has too many.
    left_out: BTreeMap<String, u32>,
    /// The public key of this device.
    key: Option<String>,
    /// The reason why this device cannot sign.
    no_key: Option<String>,
    /// The desk's record of who belongs to it, where somebody administers one.
    desk: Option<DeskRecord>,
    team: team::TeamRoom,
    /// The bot that this machine shares.
    bot: bot::SharedBot,
}

/// The hubs that were left and to which something is still being published.
#[derive(Debug, Default)]
pub(super) struct LeavingHubs {
    /// The number of the last hub that was joined: reports with a lower one are outdated.
    last: HubNumber,
    /// The bot that machines of a hub that was left go on serving.
    bot: Option<after_leaving::LeftBotRoom>,
    /// Whether machines of the hub that is being left go on serving the bot.
    leaves_bot: bool,
    count: usize,
    /// Callers that wait until all hubs are left.
    waiters: Vec<oneshot::Sender<()>>,
}

/// The device that signs another machine's records, as it is known by these.
#[derive(Debug)]
struct Signer {
    /// The device's name, fit to be shown.
    device: String,
    /// The version of its Beckon, if it says so.
    version: Option<String>,
    /// The time of its last record, by the steady clock; `None` if the hub had that record before
    /// we connected.
    heard_at: Option<Span>,
}

/// The number of refused subjects that are remembered; more are not counted.
const MOST_REFUSED: usize = 1_000;

impl App {
    /// Joins or leaves a hub, as the settings name it now.
    pub(super) fn configure_hub(&mut self, config: Option<HubConfig>) {
        let is_known = |config| {
            self.hub
                .as_ref()
                .is_some_and(|hub| hub.config.is_same_hub(config))
        };
        match config {
            Some(config) if is_known(&config) => {}
            Some(config) => self.join_hub(config),
            None => self.leave_hub(),
        }
    }

    fn join_hub(&mut self, config: HubConfig) {
        let node = self.instance.to_string();
        self.share_bot_again();
        let number = self.leaving.next_number();
        let reports = self
            .mailbox
            .sink(move |report| LoopInput::Hub(number, report));
        let desk = self.known_desk(&config);
        self.channels.telegram.share(hub::IS_BUILT);
        let machine = account::machine().unwrap_or_default();
        let member = self.member(&config, (node.clone(), machine.clone()));
        let handle = hub::start(config.clone(), member, desk.clone(), reports);
        let state = if Part::Hub.is_left_out() {
            HubState::Down(self.texts.get("fault-left-out"))
        } else {
            HubState::Connecting
        };
        match &mut self.hub {
            Some(room) => {
                (room.config, room.handle, room.desk) = (config, handle, desk);
                (room.number, room.state, room.listed) = (number, state, false);
                room.forget_others();
                self.handle(Event::Seats(SeatNews::Lost));
            }
            None => {
                let used = self.store.rounds().unwrap_or_else(|error| {
                    tracing::warn!(error = format!("{error:#}"), "the rounds can't be read");
                    BTreeMap::new()
                });
                let own_seat = presence::OwnSeat::new(machine.clone());
                let owner = HubOwner::new(node, machine, used);
                self.hub = Some(HubRoom {
                    config,
                    number,
                    handle,
                    state,
                    owner,
                    remote: RemoteAsks::default(),
                    heard: BTreeMap::new(),
                    own_seat,
                    listed: false,
                    renewal: Renewal::begin(clock::steady()),
                    signers: BTreeMap::new(),
                    refused: BTreeMap::new(),
                    left_out: BTreeMap::new(),
                    key: None,
                    no_key: None,
                    desk,
                    team: team::TeamRoom::default(),
                    bot: bot::SharedBot::joining(),
                });
            }
        }
        self.tell_bot();
        for source in self.hub_sources() {
            self.watch_machine(source);
        }
        self.apply_team();
    }

    fn member(&mut self, config: &HubConfig, (node, machine): (String, String)) -> HubMember {
        let HubSince {
            after: told_after,
            is_bot_elsewhere,
        } = self.since(config);
        let database = self.store.path().to_owned();
        HubMember {
            permit: self.channels.telegram.permit(),
            history: Arc::new(log::AuditLines {
                database,
                node: node.clone(),
            }),
            node,
            machine,
            told_after,
            is_bot_elsewhere,
        }
    }

    /// Returns since when this machine is on that hub, and saves that. A human who was on no hub
    /// has not agreed to share their history, so nothing earlier is published.
    fn since(&mut self, config: &HubConfig) -> HubSince {
        // A hub may move to another address; it is the same one as long as its admin is.
        let hub = config.admin.as_deref().unwrap_or(&config.url);
        self.store
            .at_hub(hub, clock::now())
            .unwrap_or_else(|error| {
                tracing::warn!(
                    error = format!("{error:#}"),
                    "the start of publishing the history can't be saved"
                );
                HubSince {
                    after: i64::MAX,
                    is_bot_elsewhere: false,
                }
            })
    }

    /// Returns the last record of the desk that its admin signed, as it is saved here, whatever the
    /// hub says.
    fn known_desk(&self, config: &HubConfig) -> Option<DeskRecord> {
        let known = self.store.hub_desk(config.admin.as_deref()?);
        known.unwrap_or_else(|error| {
            tracing::warn!(
                error = format!("{error:#}"),
                "the desk's list of devices can't be read"
            );
            None
        })
    }

    fn on_hub_desk(&mut self, desk: DeskRecord) {
        let Some(hub) = &mut self.hub else { return };
        let admin = hub.config.admin.clone().unwrap_or_default();
        if let Err(error) = self.store.keep_hub_desk(&admin, &desk, clock::now()) {
            tracing::warn!(
                error = format!("{error:#}"),
                "the desk's list of devices can't be saved"
            );
        }
        hub.desk = Some(desk);
        self.name_user();
        self.apply_team();
        self.opener.changed();
    }

    /// Leaves the hub, unless that is under way already. `left` is told when nothing is published
    /// there any more.
    pub(super) fn await_leaving_hub(&mut self, left: oneshot::Sender<()>) {
        self.leave_hub();
        if self.leaving.count > 0 {
            self.leaving.waiters.push(left);
        }
    }

    /// Leaves the hub. The bot goes to another machine before the connection ends.
    fn leave_hub(&mut self) {
        let stays = self.leaves_bot();
        let Some(room) = self.hub.take() else {
            // The hub was left while Beckon did not run, or by a former run.
            if stays && self.leaving.count == 0 {
                self.keep_off_bot(clock::steady());
            }
            return;
        };
        // The next machine that serves the bot looks after the cards of other machines.
        self.channels.telegram.set_holder(LeaseHolder::Nobody);
        self.handle(Event::Seats(SeatNews::Left));
        self.handle(Event::Team(None));
        self.name_user();
        for source in self.hub_sources() {
            self.sources.remove(&source);
            self.handle(Event::SourceRemoved(source));
        }
        self.leaving.count += 1;
        self.leaving.leaves_bot = stays;
        let number = room.number;
        let ended = self
            .mailbox
            .sink(move |report| LoopInput::Hub(number, report));
        tokio::spawn(async move {
            room.handle.end().await;
            ended.post(HubReport::Ended);
        });
    }

    /// Handles the end of a connection that was left. From now on this machine has its bot for
    /// itself, unless it has joined again meanwhile, or other machines have the bot.
    fn on_hub_ended(&mut self) {
        self.leaving.count -= 1;
        if self.leaving.count == 0 {
            self.leaving
                .waiters
                .drain(..)
                .for_each(|left| _ = left.send(()));
        }
        if self.hub.is_none() {
            if self.leaving.leaves_bot {
                self.keep_off_bot(Span(clock::steady().0 + AFTER_LEAVING.0))
            } else {
                self.channels.telegram.share(false)
            }
            self.opener.changed();
        }
    }

    /// Returns the sources of other machines that the desk knows.
    fn hub_sources(&self) -> Vec<SourceId> {
        let sources = self
            .desk
            .outline(clock::now())
            .sources
            .into_iter()
            .map(|source| source.id);
        sources.filter(|id| id.0.starts_with(HUB_SOURCE)).collect()
    }

    fn watch_machine(&mut self, source: SourceId) {
        let reports = self.mailbox.sink(LoopInput::Source);
        let handle = || Source::Shared(SharedAsksHandle::new(reports));
        self.sources.entry(source).or_insert_with(handle);
    }

    pub(super) fn on_hub(&mut self, of: HubNumber, report: HubReport) {
        if let HubReport::Bot(BotReport::Holder(holder)) = &report
            && self.leaving.is_of_left_bot(of)
        {
            return self.on_left_bot(holder.clone());
        }
        let is_present = self.hub.as_ref().is_some_and(|hub| hub.number == of);
        if !is_present && !matches!(report, HubReport::Ended) {
            tracing::debug!(?of, "a late report of a hub that was left is ignored");
            return;
        }
        match report {
            HubReport::Bot(report) => self.on_bot(report),
            HubReport::State(state) => self.on_hub_state(state),
            HubReport::Listed { asks, here } => self.on_shared_list(asks, here),
            HubReport::Shared(subject, record) => self.on_shared(subject, record),
            HubReport::Answered(received) => self.on_hub_answer(received),
            HubReport::Here(subject, signed) => self.on_heard(subject, signed),
            HubReport::Beat => self.beat(),
            HubReport::Published(ask, to, publication) => self.on_published(ask, &to, publication),
            HubReport::Refused(subject, fault) => self.on_refused_record(subject, fault),
            HubReport::LeftOut(left_out) => self.on_left_out(left_out),
            HubReport::Key(key) => self.on_hub_key(key),
            HubReport::Desk(desk) => self.on_hub_desk(desk),
            HubReport::TakeIn(taken_in) => _ = taken_in.send(()),
            HubReport::Ended => self.on_hub_ended(),
        }
    }

    /// Counts a record that could not be read or was not believed. It is shown only as this count.
    fn on_refused_record(&mut self, subject: String, fault: RecordFault) {
        let Some(hub) = &mut self.hub else { return };
        let is_new = hub.refused.len() < MOST_REFUSED && !hub.refused.contains_key(&subject);
        if is_new {
            tracing::warn!(subject, ?fault, "a record on the hub is refused");
            hub.refused.insert(subject, fault);
            self.opener.changed();
        }
    }

    fn on_left_out(&mut self, left_out: BTreeMap<String, u32>) {
        let Some(hub) = &mut self.hub else { return };
        if hub.left_out != left_out {
            hub.left_out = left_out;
            self.opener.changed();
        }
    }

    fn on_hub_key(&mut self, key: Result<String, String>) {
        let Some(hub) = &mut self.hub else { return };
        let is_another = hub.team.learn(&key);
        let (known, no_key) = (
            key.as_ref().ok().filter(|key| !key.is_empty()),
            key.as_ref().err(),
        );
        if (hub.key.as_ref(), hub.no_key.as_ref()) != (known, no_key) {
            (hub.key, hub.no_key) = (known.cloned(), no_key.cloned());
            self.opener.changed();
        }
        self.name_user();
        if is_another {
            self.apply_team();
        }
    }

    fn on_hub_state(&mut self, state: HubState) {
        if let HubState::Forbidden(what) = &state {
            self.on_forbidden(what);
        }
        let Some(hub) = &mut self.hub else { return };
        if let (HubState::Reading(_), HubState::Reading(_)) = (&hub.state, &state) {
            hub.state = state;
            self.opener.changed();
            return;
        }
        if hub.state != state {
            tracing::info!(?state, "the hub's state changed");
            (hub.state, hub.listed) = (state, false);
            let is_there = hub.is_connected();
            self.opener.changed();
            if is_there {
                self.on_joined()
            } else {
                _ = self.handle(Event::Seats(SeatNews::Lost))
            }
        }
        self.tell_machines();
    }

    pub(super) fn on_shared_request(&mut self, request: SharedRequest) {
        match request {
            SharedRequest::Deliver(entry, answer) => self.send_answer(&entry, &answer),
            SharedRequest::List(source) => self.list_machine(source),
        }
    }

    /// Returns the warnings about the hub that a person should know.
    pub(super) fn hub_warnings(&self) -> Vec<Warning> {
        let Some(hub) = &self.hub else {
            return Vec::new();
        };
        let state = match &hub.state {
            HubState::Connecting | HubState::Connected => None,
            HubState::Reading(bytes) => Some(Warning::HubReading(*bytes)),
            HubState::Down(why) => Some(Warning::HubDown(why.clone())),
            HubState::Odd(odd) => Some(Warning::HubOdd(*odd)),
            HubState::OtherUser => Some(Warning::HubOtherUser),
            HubState::UnusableCa(ca) => Some(Warning::HubCa(ca.clone())),
            HubState::OtherRules(stream) => Some(Warning::HubRules(stream.clone())),
            HubState::Unknown => Some(Warning::HubUnknown),
            HubState::Forbidden(what) => Some(Warning::HubForbidden(what.clone())),
        };
        let (refusals, unreadable) = (hub.owner.refusals(), hub.refused(RecordFault::Unreadable));
        let refused = (refusals.total() + unreadable > 0).then_some(Warning::HubRefused {
            refusals,
            unreadable,
        });
        let strange = hub.refused(RecordFault::Strange);
        let strange = (strange > 0).then_some(Warning::HubStrange(strange));
        let left_out = hub.left_out.iter().map(|(device, count)| {
            let device = watching::shown_name(device);
            Warning::HubLeftOut(device, *count)
        });
        let key = hub.no_key.clone().map(Warning::HubKey);
        state
            .into_iter()
            .chain(refused)
            .chain(strange)
            .chain(left_out)
            .chain(key)
            .collect()
    }
}

impl HubRoom {
    /// Forgets who was heard of over a former connection, and what was refused there. The asks of
    /// other machines are listed anew.
    fn forget_others(&mut self) {
        self.bot.forget();
        self.team.forget_devices();
        (self.heard, self.signers) = (BTreeMap::new(), BTreeMap::new());
        self.refused = BTreeMap::new();
        self.left_out = BTreeMap::new();
    }

    /// Tells the hub's task that the history has new lines.
    pub(super) fn noted(&self) {
        self.handle.noted();
    }

    fn is_connected(&self) -> bool {
        self.state == HubState::Connected
    }

    /// Counts the subjects whose records are refused for that reason.
    fn refused(&self, fault: RecordFault) -> u32 {
        let count = self
            .refused
            .values()
            .filter(|known| **known == fault)
            .count();
        u32::try_from(count).unwrap_or(u32::MAX)
    }

    fn tell(&self, command: HubCommand) {
        if self.is_connected() {
            self.handle.tell(command);
        }
    }
}
