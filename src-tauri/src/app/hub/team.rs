//! The team's rules at work: to whom the machine of an ask belongs, which asks are shown here, and
//! whose an answer is.

use super::*;
use beckon_core::hub::team::TeamSeat;
use beckon_core::hub::{AskRecord, AskSubject};
use beckon_core::{Ask, TeamPart};

/// The team, as far as it is known here.
#[derive(Debug, Default)]
pub(super) struct TeamRoom {
    /// The public key of this device, as far as it was read in this run.
    key: Option<String>,
    /// The person who sits here, and the rules; `None` where the desk has one person.
    pub(super) seat: Option<TeamSeat>,
    /// The device that shares what each machine asks, by the machine's name among Beckons.
    devices: BTreeMap<String, String>,
    /// The asks that are not shown here, or not yet.
    hidden: BTreeMap<AskSubject, HiddenAsk>,
}

impl TeamRoom {
    /// Forgets which device shares for which machine; it is learned anew.
    pub(super) fn forget_devices(&mut self) {
        self.devices.clear();
    }

    /// Stores the device key after a read; returns true if it changed. If the keychain is locked,
    /// the last known key stays.
    pub(super) fn learn(&mut self, key: &Result<String, String>) -> bool {
        let read = match key {
            Ok(key) => Some(key.clone()).filter(|key| !key.is_empty()),
            Err(trouble) if trouble.is_empty() => None,
            Err(_) => return false,
        };
        std::mem::replace(&mut self.key, read.clone()) != read
    }
}

/// An ask of another machine that is not shown: it is not for this machine's human to see, or is
/// about to come over a direct link.
#[derive(Clone, Debug)]
pub(super) struct HiddenAsk {
    pub(super) source: SourceId,
    pub(super) until: HiddenUntil,
}

/// The time until which an ask is hidden.
#[derive(Clone, Copy, Debug)]
pub(super) enum HiddenUntil {
    /// Hidden by a rule until that time, if it is known.
    Ruled(Option<Timestamp>),
    /// Hidden because it is expected over the direct link. If it does not come, it is shown at that
    /// time of the steady clock.
    Direct(Span),
}

impl HiddenUntil {
    /// Returns how long it stays hidden.
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

    /// Whether it may be shown now.
    fn is_over(self) -> bool {
        self.left() == Some(Duration::ZERO)
    }
}

impl App {
    /// Applies a new record of who belongs to the desk, or a new key of this device.
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

    /// Returns how long until something hidden may be shown. `None` while the hub is away: nothing
    /// is listed then, and a time that has come would come again and again. When the hub is back
    /// all is listed anew.
    pub(in crate::app) fn reveal_due(&self) -> Option<Duration> {
        let hub = self.hub.as_ref().filter(|hub| hub.is_connected())?;
        hub.team
            .hidden
            .values()
            .filter_map(|it| it.until.left())
            .min()
    }

    /// Lists the machines anew of which a hidden ask may be shown now.
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

    /// Lists the machines with hidden asks anew after the clock was set: the end of a rule may have
    /// moved.
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
    /// Returns the person to whom the desk assigns that device; a device that has none counts as
    /// its own person.
    pub(super) fn person_of(&self, device: &str) -> String {
        self.desk
            .as_ref()
            .map_or_else(|| device.to_owned(), |desk| desk.person_of(device))
    }

    /// Whether the desk has several people, so that it matters who somebody is.
    pub(super) fn is_team(&self) -> bool {
        self.team.seat.is_some()
    }

    /// Whether that device belongs to the person who sits here; always true where there is no team.
    pub(super) fn is_mine(&self, device: &str) -> bool {
        self.team
            .seat
            .as_ref()
            .is_none_or(|seat| seat.person == self.person_of(device))
    }

    /// Whether that device is the one that shares for a machine: the first that did. In a team a
    /// second one would speak for another person.
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

    /// Returns the ask as it is shown here.
    ///
    /// # Errors
    /// When a rule hides it from this machine's human now.
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

    /// Replaces what is hidden of that source.
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
