//! The only place where an ask on the desk is changed. The consequences of a change are found here
//! by comparison: its rows, its cards that must say something else, its alarm. A caller that
//! changes an ask cannot forget any of them.
//!
//! Not here: whether a card is wanted (`cards.rs`). That also depends on the time and on where the
//! human is, and is decided once all that an event says of the ask is known.

use super::entry::UndeliveredAnswer;
use super::{Card, Entry, Transition};
use crate::hub::team::{Agreement, Hold};
use crate::{
    AskContent, AskId, AskState, Attention, Channel, Draft, Fingerprint, RejectionReach,
    ReturnReason, RowChange, Session, Step, Timestamp,
};
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Deref;

/// The asks on the desk. They can be read everywhere, and changed by [`Transition::change`] alone.
#[derive(Debug, Default)]
pub(super) struct OpenAsks(BTreeMap<AskId, Entry>);

impl Deref for OpenAsks {
    type Target = BTreeMap<AskId, Entry>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl OpenAsks {
    pub(super) fn insert(&mut self, entry: Entry) {
        self.0.insert(entry.ask.id.clone(), entry);
    }

    pub(super) fn remove(&mut self, id: &AskId) -> Option<Entry> {
        self.0.remove(id)
    }

    /// Sets the alarm. The alarm and the three values below are derived from what is on the desk,
    /// and not kept: no row follows, and cards are redrawn by the code that derives them
    /// (`alike.rs`, `beside.rs`, `holds.rs`).
    pub(super) fn set_alarm(&mut self, id: &AskId, alarm: Option<Timestamp>) {
        if let Some(entry) = self.0.get_mut(id) {
            entry.alarm = alarm;
        }
    }

    /// Sets its place among its equals. Returns whether that changed.
    pub(super) fn set_place(&mut self, id: &AskId, behind: bool, also_asked: usize) -> bool {
        let Some(entry) = self.0.get_mut(id) else {
            return false;
        };
        let before = (entry.behind, entry.also_asked);
        (entry.behind, entry.also_asked) = (behind, also_asked);
        before != (behind, also_asked)
    }

    /// Sets its hold by a team's rules, until that time. Returns whether the hold changed.
    pub(super) fn set_hold(
        &mut self,
        id: &AskId,
        hold: Option<Hold>,
        until: Option<Timestamp>,
    ) -> bool {
        let Some(entry) = self.0.get_mut(id) else {
            return false;
        };
        entry.ruled_until = until;
        let before = core::mem::replace(&mut entry.hold, hold);
        before != entry.hold
    }

    /// Sets how many others are rejected with it. Returns whether that changed.
    pub(super) fn set_also_rejects(&mut self, id: &AskId, others: usize) -> bool {
        let entry = self.0.get_mut(id);
        entry.is_some_and(|entry| core::mem::replace(&mut entry.also_rejects, others) != others)
    }
}

impl Transition<'_> {
    /// Changes an ask. Effects that the edit adds to the step come before those that follow from
    /// it: an answer is on its way before any card says so.
    pub(super) fn change(&mut self, id: &AskId, edit: impl FnOnce(&mut Entry, &mut Step)) {
        let Some(entry) = self.desk.entries.0.get_mut(id) else {
            return;
        };
        let before = Snapshot::of(entry);
        edit(entry, &mut self.step);
        let after = Snapshot::of(entry);
        if before.row() != after.row() {
            self.save(id);
        }
        self.save_cards(id, &before.cards, &after.cards);
        if before.ask != after.ask {
            self.redraw(id);
        } else if before.course() != after.course() {
            self.update_lasting(id);
        }
        self.desk.schedule(id);
    }

    /// Puts an ask on the desk.
    pub(super) fn put(&mut self, entry: Entry) {
        let id = entry.ask.id.clone();
        self.desk.insert(entry);
        self.save(&id);
    }

    pub(super) fn save(&mut self, id: &AskId) {
        if let Some(entry) = self.desk.entries.get(id) {
            self.step.save.push(RowChange::Ask(Box::new(entry.clone())));
        }
    }

    /// Saves the rows of an ask's cards that have changed. The row of a withdrawn card stays until
    /// its channel has confirmed that; for a card that its human closed nothing is left to confirm.
    fn save_cards(&mut self, id: &AskId, before: &CardRows, after: &CardRows) {
        let Some(serial) = self.desk.entries.get(id).map(|entry| entry.serial) else {
            return;
        };
        for channel in Channel::ALL {
            let ask = id.clone();
            let row = match (before.get(&channel), after.get(&channel)) {
                (Some((_, true)), None) => RowChange::NoCard { ask, channel },
                (before, Some(row)) if before != Some(row) => {
                    let (serial, (handle, closed)) = (Some(serial), row.clone());
                    RowChange::Card {
                        ask,
                        serial,
                        channel,
                        handle,
                        closed,
                    }
                }
                _ => continue,
            };
            self.step.save.push(row);
        }
    }
}

/// An ask as it was, as far as anything that is kept or drawn of it depends on that.
struct Snapshot {
    ask: AskFace,
    asked_at: Timestamp,
    api: Option<String>,
    state: AskState,
    draft: Option<Draft>,
    returned: Option<ReturnReason>,
    undelivered: Option<UndeliveredAnswer>,
    reminded_at: Option<Timestamp>,
    warned_at: Option<Timestamp>,
    attention: Attention,
    agreed: Vec<Agreement>,
    cards: CardRows,
}

/// The part of an ask that every card shows: what is asked, by whom, and the target of its buttons.
/// The content can be long, so its fingerprint stands for it, together with what the fingerprint
/// leaves out.
#[derive(PartialEq)]
struct AskFace {
    session: Session,
    content: Fingerprint,
    fingerprint: Fingerprint,
    rejects: Option<RejectionReach>,
    is_partial: bool,
    agreed: Vec<String>,
}

/// The rows of an ask's cards: for each channel its handle, and whether its human closed it.
type CardRows = BTreeMap<Channel, (Option<String>, bool)>;

impl Snapshot {
    /// Takes a snapshot. Every field of an entry is named, so that adding one forces a choice of
    /// what follows from it.
    #[rustfmt::skip]
    fn of(entry: &Entry) -> Self {
        let Entry {
            ask, state, draft, returned, undelivered, reminded_at, warned_at, attention,
            agreed, cards,
            // The serial never changes; the fingerprints are part of the ask's face.
            serial: _, fingerprint: _, content: _, assessment: _,
            // Nothing but the alarm follows from these.
            changed: _, failure: _, quiet_since: _, hold_until: _, in_flight: _,
            is_unlisted: _,
            // These are derived, and drawn by the code that derives them.
            also_rejects: _, also_asked: _, behind: _, expires: _, alarm: _,
            hold: _, ruled_until: _,
            // These change only together with the state.
            responder: _,
            late: _,
        } = entry;
        let row = |(channel, card): (&Channel, &Card)| {
            (*channel, (card.handle.clone(), card.closed))
        };
        Self {
            ask: AskFace::of(entry),
            asked_at: ask.asked_at,
            api: ask.session.api.clone(),
            state: state.clone(),
            draft: draft.clone(),
            returned: returned.clone(),
            undelivered: undelivered.clone(),
            reminded_at: *reminded_at,
            warned_at: *warned_at,
            attention: *attention,
            agreed: agreed.clone(),
            cards: cards.iter().map(row).collect(),
        }
    }

    /// Returns what is kept over a restart.
    fn row(&self) -> impl PartialEq {
        let times = (
            self.asked_at,
            self.reminded_at,
            self.warned_at,
            self.attention,
        );
        let given = (&self.draft, &self.agreed, &self.returned, &self.undelivered);
        (&self.ask, &self.api, &self.state, given, times)
    }

    /// Returns the progress of its answer: only the cards that stay show it.
    fn course(&self) -> impl PartialEq {
        let given = match &self.state {
            AskState::Answering { answer, by, .. } => Some((answer, by)),
            AskState::Open | AskState::Settled { .. } => None,
        };
        // The time since when an answer does not arrive is on no card.
        let undelivered = self.undelivered.as_ref().map(|told| &told.why);
        // The time since when an ask that may ring waits is on no card.
        let said = Some(self.attention).filter(|attention| !attention.is_wanted());
        (
            given,
            &self.draft,
            &self.returned,
            undelivered,
            self.warned_at.is_some(),
            said,
        )
    }
}

impl AskFace {
    fn of(entry: &Entry) -> Self {
        let rejects = match &entry.ask.kind {
            AskContent::Permission(permission) => Some(permission.rejects),
            _ => None,
        };
        let input = entry.ask.kind.input();
        let is_partial = input.is_some_and(|input| input.is_partial);
        // The way by which it is answered is on no card.
        let session = Session {
            api: None,
            ..entry.ask.session.clone()
        };
        let (content, fingerprint) = (entry.content, entry.fingerprint);
        let agreed = entry
            .agreed
            .iter()
            .map(|known| known.person.clone())
            .collect();
        Self {
            session,
            content,
            fingerprint,
            rejects,
            is_partial,
            agreed,
        }
    }
}
