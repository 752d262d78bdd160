//! A team's rules at work: whose machine an ask is of, which of them are shown here, and whose answer
//! one is.
//!
//! Not here: the rules (`beckon_core::hub::team`), and what is held of what is shown (the desk).

use super::*;
use beckon_core::hub::team::TeamSeat;
use beckon_core::hub::{AskRecord, AskSubject};
use beckon_core::{Ask, TeamPart};

/// What is known of the team here.
#[derive(Debug, Default)]
pub(super) struct TeamRoom {
    /// The public key of this device, as far as it was read in this run.
    key: Option<String>,
    /// Who sits here, and the rules; `None` where the desk has one person.
    pub(super) seat: Option<TeamSeat>,
    /// The device that shares what each machine asks, by the machine's name among Beckons.
    devices: BTreeMap<String, String>,
    /// What is not shown here, or not yet.
    hidden: BTreeMap<AskSubject, HiddenAsk>,
}

impl TeamRoom {
    /// Which device shares for which machine is learned anew.
    pub(super) fn forget_devices(&mut self) {
        self.devices.clear();
    }

    /// The key was read, or could not be: is it another one now? A keychain that is locked meanwhile
    /// makes it nobody else's machine.
    pub(super) fn learn(&mut self, key: &Result<String, String>) -> bool {
        let read = match key {
            Ok(key) => Some(key.clone()).filter(|key| !key.is_empty()),
            Err(trouble) if trouble.is_empty() => None,
            Err(_) => return false,
        };
        std::mem::replace(&mut self.key, read.clone()) != read
    }
}

/// An ask of another machine that is not shown: it is not for this one's human to see, or is about to
/// come by another way.
#[derive(Clone, Debug)]
pub(super) struct HiddenAsk {
    pub(super) source: SourceId,
    pub(super) until: HiddenUntil,
}

/// Until when an ask is hidden.
#[derive(Clone, Copy, Debug)]
pub(super) enum HiddenUntil {
    /// By a rule; until then, if that is known.
    Ruled(Option<Timestamp>),
    /// It is about to come by the direct link, or never: then it is shown at that time of the steady
    /// clock.
    Direct(Span),
}

impl HiddenUntil {
    /// How long until it may be shown.
    fn left(self) -> Option<Duration> {
        match self {
            Self::Ruled(until) => until.map(clock::until),
            Self::Direct(until) => {
                let left = Span(until.0.saturating_sub(clock::steady().0));
                Some(Duration::from_millis(
                    u64::try_from(left.0).unwrap_or_default(),
                ))
            }
        }
    }

    /// May it be shown by now?
    fn is_over(self) -> bool {
        self.left() == Some(Duration::ZERO)
    }
}

impl App {
    /// Who belongs to the desk is another, or this device has another key.
    pub(super) fn apply_team(&mut self) {
        let Some(hub) = &mut self.hub else { return };
        let seat = hub.desk.as_ref().and_then(|desk| match &hub.team.key {
            Some(key) => desk.seat_of(key),
            None => Some(desk.seat_of_nobody()),
        });
        hub.team.seat = seat.filter(|seat| seat.team.is_several());
        hub.team.hidden.clear();
        let seat = hub.team.seat.clone();
        self.handle(Event::Team(seat));
        self.hub_sources()
            .into_iter()
            .for_each(|source| self.list_machine(source));
    }

    /// Until something that is hidden may be shown. While the hub is away nothing is listed, and a time
    /// that has come would come again and again; when it is back all is listed anew.
    pub(in crate::app) fn reveal_due(&self) -> Option<Duration> {
        let hub = self.hub.as_ref().filter(|hub| hub.is_connected())?;
        hub.team
            .hidden
            .values()
            .filter_map(|it| it.until.left())
            .min()
    }

    /// What may be shown by now is looked at anew.
    pub(in crate::app) fn reveal(&mut self) {
        let Some(hub) = self.hub.as_ref().filter(|hub| hub.is_connected()) else {
            return;
        };
        let due = hub.team.hidden.values().filter(|it| it.until.is_over());
        let sources: BTreeSet<SourceId> = due.map(|it| it.source.clone()).collect();
        sources
            .into_iter()
            .for_each(|source| self.list_machine(source));
    }

    /// The clock was set: when a rule ends is looked at anew.
    pub(in crate::app) fn reveal_anew(&mut self) {
        let Some(hub) = &self.hub else { return };
        let sources = hub.team.hidden.values().map(|it| it.source.clone());
        sources
            .collect::<BTreeSet<_>>()
            .into_iter()
            .for_each(|source| self.list_machine(source));
    }
}

impl HubRoom {
    /// Whose device that is, by the desk; a device of nobody stands for itself.
    pub(super) fn person_of(&self, device: &str) -> String {
        self.desk
            .as_ref()
            .map_or_else(|| device.to_owned(), |desk| desk.person_of(device))
    }

    /// Does it matter who somebody is?
    pub(super) fn is_team(&self) -> bool {
        self.team.seat.is_some()
    }

    /// Is that device of whoever sits here? Where there is no team, everyone's is.
    pub(super) fn is_mine(&self, device: &str) -> bool {
        self.team
            .seat
            .as_ref()
            .is_none_or(|seat| seat.person == self.person_of(device))
    }

    /// The device that shares for a machine is always the same one: in a team another one would speak
    /// for somebody else.
    pub(super) fn is_its_device(&mut self, node: &str, device: &str) -> bool {
        let known = self
            .team
            .devices
            .entry(node.to_owned())
            .or_insert_with(|| device.to_owned());
        let is_gone = self
            .desk
            .as_ref()
            .is_some_and(|desk| !desk.devices.contains_key(known));
        if self.team.seat.is_none() || is_gone {
            device.clone_into(known);
        }
        known == device
    }

    /// The ask as it is shown here.
    ///
    /// # Errors
    /// When it is not for its human to see, by now.
    pub(super) fn shown_ask(
        &self,
        (subject, record): (&AskSubject, &AskRecord),
        mut ask: Ask,
        now: Timestamp,
    ) -> Result<Ask, HiddenAsk> {
        let Some(seat) = &self.team.seat else {
            return Ok(ask);
        };
        let device = self.team.devices.get(&subject.node);
        let person = device.map_or_else(String::new, |device| self.person_of(device));
        let ruling = seat.team.rule(&ask, &person, now);
        if !ruling.shows(&seat.person) {
            let until = HiddenUntil::Ruled(ruling.changes_at);
            return Err(HiddenAsk {
                source: record.source(),
                until,
            });
        }
        ask.session.team = Some(TeamPart {
            person,
            agreed: record.agreed.clone(),
            apart: record.apart,
        });
        Ok(ask)
    }

    /// Of that source exactly these are hidden.
    pub(super) fn hide_of(&mut self, source: &SourceId, hidden: Vec<(AskSubject, HiddenAsk)>) {
        self.team.hidden.retain(|_, it| it.source != *source);
        self.team.hidden.extend(hidden);
    }

    pub(super) fn hide(&mut self, subject: AskSubject, hidden: HiddenAsk) {
        self.team.hidden.insert(subject, hidden);
    }

    pub(super) fn hidden(&self, subject: &AskSubject) -> Option<&HiddenAsk> {
        self.team.hidden.get(subject)
    }

    pub(super) fn unhide(&mut self, subject: &AskSubject) {
        self.team.hidden.remove(subject);
    }
}
