//! The asks of other machines, as their owners share them, and which of those machines are online.

use super::team::{HiddenAsk, HiddenUntil};
use super::*;
use crate::hub::AWAY_AFTER;
use crate::sources::opencode::peer::PeerRequest;
use beckon_core::hub::{
    self, AskRecord, AskSubject, HeardWhen, HereRecord, HereSubject, RemoteMove, Signed,
};
use beckon_core::{
    Ask, AskContent, Fingerprint, Responder, SourceFault, SourceState, UnknownAsk, UnknownShape,
    Voucher,
};

/// The longest time for which an ask waits to arrive over the direct link, if that works.
const DIRECT_WITHIN: Span = Span(1_500);

impl App {
    /// Takes the list of all records, after the connection was made (again). Own asks are published
    /// again, and waiting answers are sent again.
    pub(super) fn on_shared_list(
        &mut self,
        asks: BTreeMap<AskSubject, Signed<AskRecord>>,
        here: Vec<(HereSubject, Signed<HereRecord>)>,
    ) {
        self.share_all(&asks);
        // Presence is taken in first: it decides what rings.
        for (subject, signed) in here {
            if self.is_its_device(&subject.node, &signed.device) {
                self.hear(subject.node.clone(), &signed.device, HeardWhen::Earlier);
                self.hear_version(&subject.node, signed.record.version.as_deref());
                self.on_seat(subject, signed, HeardWhen::Earlier);
            }
        }
        let Some(hub) = &mut self.hub else { return };
        (hub.listed, hub.renewal) = (true, Renewal::begin(clock::steady()));
        let own = hub.owner.node().to_owned();
        let mut others = asks;
        others.retain(|subject, signed| {
            subject.node != own && self.is_its_device(&subject.node, &signed.device)
        });
        let others = others.into_iter();
        let others: BTreeMap<AskSubject, AskRecord> = others
            .map(|(subject, signed)| (subject, fit(signed)))
            .collect();
        let former: Vec<SourceId> = self.hub_sources();
        self.expect_sent();
        let on_desk = former
            .iter()
            .flat_map(|source| self.desk.entries_of(source));
        let on_desk = on_desk.map(|entry| entry.ask.id.clone());
        let Some(hub) = &mut self.hub else { return };
        let moves = hub.remote.list(others, on_desk);
        let sources = hub.remote.sources();
        // The desk has not heard of new sources yet.
        let all: BTreeSet<SourceId> = former.into_iter().chain(sources).collect();
        all.iter()
            .for_each(|source| self.watch_machine(source.clone()));
        self.follow(moves);
        all.into_iter().for_each(|source| self.list_machine(source));
        self.tell_machines();
    }

    pub(super) fn on_shared(&mut self, subject: AskSubject, signed: Signed<AskRecord>) {
        let Some(hub) = &mut self.hub else { return };
        if subject.node == hub.owner.node() {
            return self.on_own_shared(subject.serial, &signed.record);
        }
        if !self.is_its_device(&subject.node, &signed.device) {
            return;
        }
        // A machine that shares something is online.
        self.hear(subject.node.clone(), &signed.device, HeardWhen::Now);
        let record = fit(signed);
        let source = record.source();
        let is_new = !self.sources.contains_key(&source);
        self.watch_machine(source);
        let Some(hub) = &mut self.hub else { return };
        let moves = hub.remote.take(subject, record);
        if is_new {
            self.tell_machines();
        }
        self.follow(moves);
    }

    pub(super) fn follow(&mut self, moves: Vec<RemoteMove>) {
        for next in moves {
            match next {
                RemoteMove::Ask(subject) => self.ask_shared(&subject),
                RemoteMove::Report(source, report) => self.tell_desk(&source, report),
            }
        }
    }

    fn ask_shared(&mut self, subject: &AskSubject) {
        let record = self.hub.as_ref().and_then(|hub| hub.remote.get(subject));
        let Some(record) = record.filter(|record| !self.is_here_already(subject, record)) else {
            return;
        };
        let source = record.source();
        let now = clock::now();
        let shown = self.shown_by_now(subject, record, now);
        let Some(hub) = &mut self.hub else { return };
        match shown {
            Some(Ok(ask)) => {
                hub.unhide(subject);
                self.tell_desk(&source, SourceReport::Asked(ask));
            }
            Some(Err(hidden)) => hub.hide(subject.clone(), hidden),
            None => {}
        }
    }

    /// Whether the record is signed by a device of the machine's own person. If not, it is counted
    /// as refused: in a team no device speaks for another person's machine.
    fn is_its_device(&mut self, node: &str, device: &str) -> bool {
        let Some(hub) = &mut self.hub else {
            return false;
        };
        let is_it = hub.is_its_device(node, device);
        if !is_it {
            self.on_refused_record(format!("{node} {device}"), RecordFault::Strange);
        }
        is_it
    }

    /// Reports the open asks of a machine to the desk.
    pub(super) fn list_machine(&mut self, source: SourceId) {
        let Some(hub) = self.hub.as_ref().filter(|hub| hub.is_connected()) else {
            return;
        };
        let is_here =
            |subject: &AskSubject, record: &AskRecord| self.is_here_already(subject, record);
        let (now, mut hidden) = (clock::now(), Vec::new());
        let shown = |subject: &AskSubject, record: &AskRecord| {
            let shown = self.shown_by_now(subject, record, now)?;
            shown.map_err(|it| hidden.push((subject.clone(), it))).ok()
        };
        let listing = hub.remote.listing(&source, shown, is_here);
        if let Some(hub) = &mut self.hub {
            hub.hide_of(&source, hidden);
        }
        self.tell_desk(&source, SourceReport::Listed(listing));
    }

    /// Returns the ask as it is shown here, or the reason why it is hidden now; `None` if the
    /// record is no ask.
    fn shown_by_now(
        &self,
        subject: &AskSubject,
        record: &AskRecord,
        now: Timestamp,
    ) -> Option<Result<Ask, HiddenAsk>> {
        let (hub, ask) = (self.hub.as_ref()?, ask_of(subject, record, now)?);
        match self.awaited_directly(subject, &ask) {
            Some(hidden) => Some(Err(hidden)),
            None => Some(hub.shown_ask((subject, record), ask, now)),
        }
    }

    /// Whether the same ask is on the desk from a Beckon that is also watched as a server. That
    /// copy is then the one that is shown.
    fn is_here_already(&self, subject: &AskSubject, record: &AskRecord) -> bool {
        let called = [record.name.clone(), subject.own_id()];
        let peers = self
            .peers
            .keys()
            .filter(|source| !source.0.starts_with(HUB_SOURCE));
        let ids = peers.flat_map(|peer| called.each_ref().map(|own| AskId::new(&*peer.0, own)));
        let mut entries = ids.filter_map(|id| self.desk.entry(&id));
        entries.any(|entry| entry.ask.session.via.first() == Some(&subject.node))
    }

    /// Hides an ask for a moment if its Beckon is also watched as a server that is reached, and so
    /// will report it as well. Otherwise both copies would ring, whichever came first.
    fn awaited_directly(&self, subject: &AskSubject, ask: &Ask) -> Option<HiddenAsk> {
        let hidden = self.hub.as_ref()?.hidden(subject);
        let is_new = self.desk.entry(&ask.id).is_none();
        let now = clock::steady();
        let until = match hidden.map(|it| it.until) {
            // The direct link had its time already.
            Some(HiddenUntil::Ruled(_)) => return None,
            Some(HiddenUntil::Direct(until)) => until,
            None => Span(now.0 + DIRECT_WITHIN.0),
        };
        if !is_new || now >= until || !self.is_watched_directly(&subject.node) {
            return None;
        }
        let source = ask.id.source.clone();
        Some(HiddenAsk {
            source,
            until: HiddenUntil::Direct(until),
        })
    }

    /// Lists the machines anew after a watched Beckon asks something, or no longer does: the same
    /// ask may also be shared by its owner.
    pub(in crate::app) fn look_for_doubles(&mut self, news: &[News]) {
        let Some(hub) = &self.hub else { return };
        let is_passed_on = |news: &&News| match news {
            News::Asked(id) | News::Settled(id, _) | News::Reopened(id) => {
                !id.source.0.starts_with(HUB_SOURCE) && self.peers.contains_key(&id.source)
            }
            _ => false,
        };
        if news.iter().any(|news| is_passed_on(&news)) {
            hub.remote.sources().into_iter().for_each(|source| {
                let request = SharedRequest::List(source);
                self.mailbox
                    .input(LoopInput::Source(crate::sources::Report::Shared(request)));
            });
        }
    }

    pub(super) fn on_heard(&mut self, subject: HereSubject, signed: Signed<HereRecord>) {
        if !self.is_its_device(&subject.node, &signed.device) {
            return;
        }
        self.hear(subject.node.clone(), &signed.device, HeardWhen::Now);
        self.hear_version(&subject.node, signed.record.version.as_deref());
        self.on_seat(subject, signed, HeardWhen::Now);
        self.tell_machines();
    }

    fn hear(&mut self, node: String, device: &str, when: HeardWhen) {
        let Some(hub) = &mut self.hub else { return };
        if !hub.heard.contains_key(&node) {
            tracing::info!(node, device, "a machine is there");
            self.opener.changed();
        }
        let device = shown_name(device);
        let version = hub.signers.remove(&node).and_then(|known| known.version);
        let heard_at = (when == HeardWhen::Now).then(clock::steady);
        hub.signers.insert(
            node.clone(),
            Signer {
                device,
                version,
                heard_at,
            },
        );
        hub.heard.insert(node, Instant::now());
        self.name_holder();
    }

    fn hear_version(&mut self, node: &str, version: Option<&str>) {
        let signer = self.hub.as_mut().and_then(|hub| hub.signers.get_mut(node));
        let version = version.map(shown_name);
        if let Some(signer) = signer.filter(|signer| signer.version != version) {
            signer.version = version;
            self.opener.changed();
        }
    }

    /// Tells the desk the state of each machine's source: online, away, or unknown because the hub
    /// is not reached.
    pub(super) fn tell_machines(&mut self) {
        let Some(hub) = &mut self.hub else { return };
        let known = hub.heard.len();
        hub.heard.retain(|_, at| at.elapsed() < AWAY_AFTER);
        if hub.heard.len() != known {
            self.opener.changed();
        }
        let mut there = hub.remote.sources_of(|node| hub.heard.contains_key(node));
        let connected = hub.is_connected();
        let listed = hub.listed_sources();
        if let Some(listed) = &listed {
            there.retain(|source| listed.contains(source));
        }
        self.forget_machines(listed);
        for source in self
            .hub_sources()
            .into_iter()
            .chain(there.clone())
            .collect::<BTreeSet<_>>()
        {
            let away = |fault| SourceState::Connecting { error: Some(fault) };
            let state = match connected {
                false => away(SourceFault::HubDown),
                true if there.contains(&source) => SourceState::Live { version: None },
                true => away(SourceFault::OwnerAway),
            };
            self.tell_desk(&source, SourceReport::State(state));
        }
    }

    /// Forgets the machines whose device was taken off, once nothing of theirs is open.
    fn forget_machines(&mut self, listed: Option<BTreeSet<SourceId>>) {
        let Some(listed) = listed else { return };
        let is_over = |source: &SourceId| self.desk.entries_of(source).next().is_none();
        let sources = self.hub_sources().into_iter();
        let gone: Vec<_> = sources
            .filter(|source| !listed.contains(source) && is_over(source))
            .collect();
        for source in gone {
            self.sources.remove(&source);
            self.handle(Event::SourceRemoved(source));
        }
    }
}

impl HubRoom {
    /// Returns the sources of the devices that the admin lists; `None` where there is no admin.
    fn listed_sources(&self) -> Option<BTreeSet<SourceId>> {
        let devices = self.desk.as_ref()?.devices.keys();
        let named = |device: &String| SourceId(format!("{HUB_SOURCE}{}", shown_name(device)));
        Some(devices.map(named).collect())
    }
}

/// Gives the record its device's name, which is unique; the name that a machine gives itself may be
/// another's too. The name is shown, and is part of the source's name.
fn fit(signed: Signed<AskRecord>) -> AskRecord {
    let Signed { device, record } = signed;
    let (machine, heard_at) = (shown_name(&device), Some(clock::steady()));
    AskRecord {
        machine,
        signer: Some(device),
        heard_at,
        ..record
    }
}

pub(super) fn shown_name(machine: &str) -> String {
    let name = Responder::new(None, Some(machine), Voucher::Machine).device;
    name.unwrap_or_else(|| "?".into())
}

/// Returns the record as an ask of its machine. `None` if its owner does not vouch for the content,
/// or describes it in a form that is not known here.
fn ask_of(subject: &AskSubject, record: &AskRecord, now: Timestamp) -> Option<Ask> {
    let request: PeerRequest = serde_json::from_str(&record.ask).ok()?;
    let seen: Fingerprint = request.beckon.as_ref()?.seen.parse().ok()?;
    let waited = record.waited(clock::steady());
    let mut ask = request.into_ask(&record.source(), Timestamp(now.0.saturating_sub(waited.0)));
    ask.id.own = subject.own_id();
    // The way by which it is answered: its round, and what was shown.
    let api = Some(hub::way(record.round, seen));
    (ask.session.via, ask.session.api) = (vec![subject.node.clone()], api);
    ask.session.process = None;
    if !record.is_answerable() || !record.is_shown_as(&ask.kind, seen) {
        ask.kind = unanswerable(&ask.kind);
    }
    Some(ask)
}

/// Turns an ask into one that is shown here, and answered only where it was asked.
fn unanswerable(kind: &AskContent) -> AskContent {
    let asked = match kind {
        AskContent::Permission(_) => UnknownShape::Permission,
        AskContent::Unknown(unknown) => return AskContent::Unknown(unknown.clone()),
        AskContent::Questions(_) | AskContent::Confirm(_) => UnknownShape::Question,
    };
    AskContent::Unknown(UnknownAsk {
        asked,
        raw: serde_json::to_string(kind).unwrap_or_default(),
    })
}
