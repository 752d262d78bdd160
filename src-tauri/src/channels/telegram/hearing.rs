//! What an update leads to: who it is from comes first, then pairing, commands, taps and words.

use super::heard::{Heard, What};
use super::{Batch, Telegram, button, words};
use crate::book::{self, ChatId};
use beckon_core::{AskId, Desk, Entry, Event, Override, Refusal, Span, State, Surface, Timestamp};

/// What follows from an update.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "one at a time, and none is stored")]
pub enum Act {
    /// Nothing, or it has been answered already.
    Nothing,
    /// The desk is to be told; then [`Telegram::reply`] says what came of it.
    Tell(Event),
    /// The book is another: that is to be committed.
    Enter(Vec<book::Entry>),
}

/// The commands of the bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Spoken {
    Pending,
    Status,
    Said(Override, Option<Span>),
    Help,
}

impl Telegram {
    /// What of a batch was not heard before: one that could not be committed is read again.
    pub fn unheard(&self, batch: &Batch) -> Vec<Heard> {
        let known = self.book.read.filter(|(bot, _)| *bot == batch.bot).map_or(0, |(_, next)| next);
        batch.heard.iter().filter(|heard| heard.update >= known).cloned().collect()
    }

    /// All of it is heard; what is to be committed.
    pub fn read_up_to(&mut self, batch: &Batch) -> Vec<book::Entry> {
        self.enter(vec![book::Entry::Read(batch.bot, batch.next)])
    }

    /// Hears an update.
    pub fn hear(&mut self, heard: &Heard, desk: &Desk, now: Timestamp) -> Act {
        if let What::Text { text, .. } = &heard.what
            && let Some(act) = self.try_pairing(heard, text, now)
        {
            return act;
        }
        let admitted =
            heard.from.as_ref().is_some_and(|f| self.book.admits(f.id, heard.place.chat));
        match &heard.what {
            What::Moved(to) => Act::Enter(self.moved(heard.place.chat, *to)),
            What::Barred => self.barred(heard.place.chat),
            What::Nothing => Act::Nothing,
            What::Text { .. } | What::Tap { .. } if !admitted => self.ignore(heard),
            What::Text { reply_to, text, .. } => {
                self.let_in(heard.place.chat);
                self.on_text(heard.place.chat, *reply_to, text, desk, now)
            }
            What::Tap { query, message, data } => self.on_tap(heard, query, *message, data),
        }
    }

    /// Nothing is said to those who have no say: not even that there is somebody.
    fn ignore(&mut self, heard: &Heard) -> Act {
        self.ignored += 1;
        tracing::debug!(chat = heard.place.chat.0, "an update of somebody who is not paired");
        Act::Nothing
    }

    fn barred(&mut self, chat: ChatId) -> Act {
        if self.book.chats().contains(&chat) {
            self.blocked.insert(chat);
            self.raise();
        }
        Act::Nothing
    }

    fn on_tap(&mut self, heard: &Heard, query: &str, message: Option<i32>, data: &str) -> Act {
        match button::read(data, &self.seal) {
            Some((serial, tap)) => Act::Tell(Event::Tapped { serial, tap, by: Surface::Telegram }),
            None => {
                self.ignored += 1;
                self.answer(query, words::old_card(&self.scene()));
                self.strip(heard.place.chat, message);
                Act::Nothing
            }
        }
    }

    fn on_text(
        &mut self,
        chat: ChatId,
        reply_to: Option<i32>,
        text: &str,
        desk: &Desk,
        now: Timestamp,
    ) -> Act {
        if text.starts_with('/') {
            return self.on_command(chat, text, desk, now);
        }
        let found = match reply_to {
            Some(message) => self.ask_at(chat, message),
            None => self.only_awaiting(desk),
        };
        let entry = found.as_ref().and_then(|ask| desk.entry(ask));
        match entry {
            Some(entry) => {
                let (serial, text) = (entry.serial, text.to_owned());
                Act::Tell(Event::Wrote { serial, text, by: Surface::Telegram })
            }
            None => {
                let doubt = reply_to.is_some() || self.awaiting(desk).count() > 1;
                let scene = self.scene();
                let html =
                    if doubt { words::which_card(&scene) } else { words::not_understood(&scene) };
                self.say(chat, html);
                Act::Nothing
            }
        }
    }

    /// The ask whose card, prompt or document that message is.
    fn ask_at(&self, chat: ChatId, message: i32) -> Option<AskId> {
        let here = |shown: &super::Shown| {
            shown.posted.get(&chat).is_some_and(|posted| {
                [Some(posted.message), posted.prompt, posted.document].contains(&Some(message))
            })
        };
        self.cards.iter().find(|(_, shown)| here(shown)).map(|(ask, _)| ask.clone())
    }

    fn awaiting<'a>(&'a self, desk: &'a Desk) -> impl Iterator<Item = &'a Entry> {
        let entries = self.cards.keys().filter_map(|ask| desk.entry(ask));
        entries.filter(|entry| {
            entry.state == State::Open && entry.draft.as_ref().is_some_and(|d| d.awaits.is_some())
        })
    }

    /// Words without a reply are for the one card that waits for words.
    fn only_awaiting(&self, desk: &Desk) -> Option<AskId> {
        let mut awaiting = self.awaiting(desk);
        let first = awaiting.next()?;
        awaiting.next().is_none().then(|| first.ask.id.clone())
    }

    fn on_command(&mut self, chat: ChatId, text: &str, desk: &Desk, now: Timestamp) -> Act {
        let scene = self.scene();
        let html = match spoken(text) {
            Some(Spoken::Pending) => words::pending(&desk.view(now), &scene),
            Some(Spoken::Status) => words::status(&desk.view(now), &scene),
            Some(Spoken::Help) => words::help(&scene),
            Some(Spoken::Said(said, span)) => {
                let until = span.map(|span| now + span);
                self.say(chat, words::presence_set(said, until, &scene));
                return Act::Tell(Event::Said { said, until });
            }
            None => words::not_understood(&scene),
        };
        self.say(chat, html);
        Act::Nothing
    }

    /// Says what came of a tap or of words.
    pub fn reply(&mut self, heard: &Heard, verdict: Option<&Result<AskId, Refusal>>) {
        let refusal = verdict.and_then(|verdict| verdict.as_ref().err());
        match &heard.what {
            What::Tap { query, message, .. } => {
                let text = refusal.map(|refusal| words::refusal(refusal, &self.scene()));
                self.answer(query, text.unwrap_or_default());
                if matches!(refusal, Some(Refusal::Settled { .. } | Refusal::Unknown)) {
                    self.strip(heard.place.chat, *message);
                }
            }
            What::Text { .. } => {
                if let Some(refusal) = refusal {
                    self.say(heard.place.chat, words::refusal(refusal, &self.scene()));
                }
            }
            What::Barred | What::Moved(_) | What::Nothing => {}
        }
    }

    fn answer(&self, query: &str, text: String) {
        let query = query.to_owned();
        self.command(super::Command::Answer { query, text, alert: false });
    }

    /// A keyboard that answers nothing any more goes, unless it is that of a card.
    fn strip(&self, chat: ChatId, message: Option<i32>) {
        if let Some(message) = message
            && self.ask_at(chat, message).is_none()
        {
            self.command(super::Command::Strip(chat, message));
        }
    }
}

/// `/away 1h`, `/here@some_bot`, …
fn spoken(text: &str) -> Option<Spoken> {
    let mut words = text.split_whitespace();
    let command = words.next()?.split('@').next()?;
    let span = words.next().and_then(crate::config::parse_span);
    Some(match command {
        "/pending" => Spoken::Pending,
        "/status" => Spoken::Status,
        "/away" => Spoken::Said(Override::Away, span),
        "/here" => Spoken::Said(Override::Here, span),
        "/auto" => Spoken::Said(Override::Auto, None),
        "/help" | "/start" => Spoken::Help,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_understood_with_the_bots_name_and_with_a_length_of_time() {
        assert_eq!(spoken("/pending@some_bot"), Some(Spoken::Pending));
        assert_eq!(spoken("/away 1h"), Some(Spoken::Said(Override::Away, Some(Span::minutes(60)))));
        assert_eq!(spoken("/dance"), None);
    }
}
