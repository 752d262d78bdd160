//! What the buttons of a card carry, so that whoever serves the bot by the time of a press finds the
//! same ask with the same content: its owner, and what the owner calls it. No machine's own numbers.

use super::{HUB_SOURCE, round_of, seen_of, way};
use crate::{Ask, ButtonTarget, Desk, Entry, Fingerprint, MOST_COUNTED};
use alloc::string::String;

/// The owner of an ask of another machine, and what stands on a button there.
pub fn owner_target(entry: &Entry) -> Option<(&str, ButtonTarget)> {
    let (node, serial, seen) = owner(entry)?;
    let fingerprint = seen.times(entry.also_asked + 1);
    Some((
        node,
        ButtonTarget {
            serial,
            fingerprint,
        },
    ))
}

fn owner(entry: &Entry) -> Option<(&str, u64, Fingerprint)> {
    let ask = &entry.ask;
    let serial = ask
        .id
        .own
        .rsplit_once('-')
        .filter(|_| ask.id.source.0.starts_with(HUB_SOURCE))?
        .1;
    let node = ask.session.via.first()?;
    Some((
        node,
        serial.parse().ok()?,
        seen_of(ask.session.api.as_deref()?)?,
    ))
}

impl Desk {
    /// What a button means here that was made for an ask of that owner. One that was made for another
    /// content is none of this ask's; of what has ended there is no more to know than that.
    pub(crate) fn shared_target(&self, node: &str, made_for: ButtonTarget) -> Option<ButtonTarget> {
        let is_it = |entry: &&Entry| {
            owner(entry).is_some_and(|(of, serial, _)| of == node && serial == made_for.serial)
        };
        match self.asks().map(|(_, entry)| entry).find(is_it) {
            Some(entry) => Some(here(entry, made_for.fingerprint)),
            None => self.ended_target(node, made_for.serial),
        }
    }

    fn ended_target(&self, node: &str, serial: u64) -> Option<ButtonTarget> {
        let own = super::AskSubject {
            node: node.into(),
            serial,
        }
        .own_id();
        self.settled_target(|id| id.own == own && id.source.0.starts_with(HUB_SOURCE))
    }
}

fn here(entry: &Entry, shown: Fingerprint) -> ButtonTarget {
    let ours = entry.ask.fingerprint();
    let seen = owner(entry).map(|(.., seen)| seen);
    let count = (1..=MOST_COUNTED + 1).find(|n| seen.map(|seen| seen.times(*n)) == Some(shown));
    // Beside something else it means that, and not this ask.
    let fingerprint = count.map_or(shown, |count| ours.times(count));
    ButtonTarget {
        serial: entry.serial,
        fingerprint,
    }
}

/// Where a shared ask stands on the hub, by what its machine calls it here.
pub fn owner_of(entry: &Entry) -> Option<super::AskSubject> {
    let (node, serial, _) = owner(entry)?;
    Some(super::AskSubject {
        node: String::from(node),
        serial,
    })
}

/// More rounds back nobody looks for what was shown.
const MOST_ROUNDS: usize = 16;

impl Ask {
    /// What its owner calls what was shown of it here under that fingerprint, which is the same on all
    /// machines. `None` where it is something else by now.
    pub fn shown_at_owner(&self, shown: Fingerprint) -> Option<Fingerprint> {
        if self.machine().is_none() {
            return Some(shown);
        }
        let api = self.session.api.as_deref()?;
        let (round, seen) = (round_of(api)?, seen_of(api)?);
        // By each round it had another fingerprint here, and its owner called it the same.
        let ours = (1..=round).rev().take(MOST_ROUNDS);
        let mut ours = ours.map(|it| Fingerprint::by_way(&self.id, &self.kind, &way(it, seen)));
        ours.find_map(|ours| {
            let count = (1..=MOST_COUNTED + 1).find(|count| ours.times(*count) == shown)?;
            Some(seen.times(count))
        })
    }

    /// Is that what its owner calls it, as it is now?
    pub fn is_at_owner(&self, shown: Fingerprint) -> bool {
        let name = match self.machine() {
            None => Some(self.fingerprint()),
            Some(_) => self.session.api.as_deref().and_then(seen_of),
        };
        name.is_some_and(|name| (1..=MOST_COUNTED + 1).any(|count| name.times(count) == shown))
    }
}
