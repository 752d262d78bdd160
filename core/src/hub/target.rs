//! The target of a card's buttons: the ask's owner, and the owner's number and fingerprint of the
//! ask. Whichever machine serves the bot when a button is pressed, it finds the same ask with the
//! same content. The targets hold no numbers of the machine that sent the card.

use super::{HUB_SOURCE, round_of, seen_of, way};
use crate::{Ask, ButtonTarget, Desk, Entry, Fingerprint, MOST_COUNTED};
use alloc::string::String;

/// Returns the owner of another machine's ask, and the target that a button has at that owner.
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
    /// Returns the target here of a button that was made for an ask of that owner. A button that
    /// was made for other content answers nothing. For an ask that has ended, nothing more is
    /// known.
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
    // A count of equals that does not fit belongs to other content, so the fingerprint stays as it
    // is.
    let fingerprint = count.map_or(shown, |count| ours.times(count));
    ButtonTarget {
        serial: entry.serial,
        fingerprint,
    }
}

/// Returns the subject of a shared ask on the hub.
pub fn owner_of(entry: &Entry) -> Option<super::AskSubject> {
    let (node, serial, _) = owner(entry)?;
    Some(super::AskSubject {
        node: String::from(node),
        serial,
    })
}

/// The number of rounds back in which the shown content is looked for.
const MOST_ROUNDS: usize = 16;

impl Ask {
    /// Maps a fingerprint shown here to the owner's, which is the same on all machines. `None` if
    /// the content has changed.
    pub fn shown_at_owner(&self, shown: Fingerprint) -> Option<Fingerprint> {
        if self.machine().is_none() {
            return Some(shown);
        }
        let api = self.session.api.as_deref()?;
        let (round, seen) = (round_of(api)?, seen_of(api)?);
        // Each round had another fingerprint here, and the same one at its owner.
        let ours = (1..=round).rev().take(MOST_ROUNDS);
        let mut ours = ours.map(|it| Fingerprint::by_way(&self.id, &self.kind, &way(it, seen)));
        ours.find_map(|ours| {
            let count = (1..=MOST_COUNTED + 1).find(|count| ours.times(*count) == shown)?;
            Some(seen.times(count))
        })
    }

    /// Whether that fingerprint is the owner's for the ask as it is now.
    pub fn is_at_owner(&self, shown: Fingerprint) -> bool {
        let name = match self.machine() {
            None => Some(self.fingerprint()),
            Some(_) => self.session.api.as_deref().and_then(seen_of),
        };
        name.is_some_and(|name| (1..=MOST_COUNTED + 1).any(|count| name.times(count) == shown))
    }
}
