//! The reaction 👀 on a card: its human has seen it. Taken away again, it may ring again.
//!
//! A reaction is no answer, whichever it is: consent takes a button or a word.

use super::dispatch::Reaction;
use super::update::UpdatePlace;
use crate::channels::telegram::TelegramChannel;
use beckon_core::{Attention, ChannelView, Event};

/// The reaction that says that a card was seen:
/// <https://core.telegram.org/bots/api#reactiontypeemoji>.
pub(super) const SEEN: &str = "👀";

impl TelegramChannel {
    /// Takes a reaction. It is about what the card shows, whoever reacts to it.
    pub(super) fn on_reaction(
        &self,
        place: &UpdatePlace,
        (message, seen): (i32, bool),
        view: ChannelView<'_>,
    ) -> Reaction {
        let shown = self.open_at(place.chat, message).map(|shown| &*shown.entry);
        // Equal asks that came since are not seen with it.
        let noted = || {
            self.noted_at(place.chat, message, view)
                .filter(|it| it.also_asked == 0)
        };
        let shown = shown.or_else(noted);
        let Some(shown) = shown else {
            return Reaction::Nothing;
        };
        let (ask, target) = (shown.ask.id.clone(), shown.target());
        let attention = match (seen, view.entry(&ask).map(|entry| entry.attention)) {
            (true, _) => Attention::Seen,
            (false, Some(Attention::Seen)) => Attention::default(),
            // Something else was said of it since.
            (false, _) => return Reaction::Nothing,
        };
        Reaction::Tell(Event::Attend {
            ask,
            attention,
            seen: Some(target.fingerprint),
        })
    }
}
