//! Pairing: a link with a code that works once and not for long. The person who opens it may
//! answer.

pub(crate) mod pairings;
mod shared;

use super::{TelegramChannel, WorkerCommand, words};
use crate::channels::telegram::pairing::pairings::{
    ChatId, PairedGroup, PairedPerson, PairingChange, UserId,
};
use crate::channels::telegram::updates::bot_command::start_code;
use crate::channels::telegram::updates::update::IncomingUpdate;
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use beckon_core::{Span, Timestamp};

/// The time for which a code is good.
const GOOD_FOR: Span = Span::minutes(10);

/// The code that is out, if any.
#[derive(Debug, Default)]
pub struct PendingPairing {
    code: Option<PairingCode>,
    /// Whether the last code was written where others could read it, in the name of a group or a
    /// channel. It is void.
    is_exposed: bool,
}

/// A code, and the ways to bring it to the bot.
#[derive(Debug)]
pub struct PairingOffer {
    /// Opens the chat with the bot.
    pub link: String,
    /// Adds the bot to a group (<https://core.telegram.org/bots/features#deep-linking>).
    pub group_link: String,
    /// The command for a group in which the bot is already. It has the bot's name: where another
    /// bot wrote last, a bot in privacy mode is told of no other command
    /// (<https://core.telegram.org/bots/features#privacy-mode>).
    pub group_command: String,
    /// The code that all of them carry.
    pub code: PairingCode,
}

/// A code.
#[derive(Clone, PartialEq, Eq)]
pub struct PairingCode {
    /// 22 characters of `[A-Za-z0-9_-]`: a start parameter takes 64 of these
    /// (<https://core.telegram.org/bots/features#deep-linking>).
    pub text: String,
    /// The time until which the code is good.
    pub expires_at: Timestamp,
}

/// Prints without the text: a code is a secret for ten minutes.
impl std::fmt::Debug for PairingCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PairingCode")
            .field("expires_at", &self.expires_at)
            .finish_non_exhaustive()
    }
}

impl PendingPairing {
    /// Makes a new code; an older one is void.
    fn begin(&mut self, now: Timestamp) -> PairingCode {
        let text = BASE64_URL_SAFE_NO_PAD.encode(rand::random::<[u8; 16]>());
        let code = PairingCode {
            text,
            expires_at: now + GOOD_FOR,
        };
        self.code = Some(code.clone());
        self.is_exposed = false;
        code
    }

    /// Returns until when a code is good that nobody has used.
    pub fn out_until(&self, now: Timestamp) -> Option<Timestamp> {
        self.code
            .as_ref()
            .map(|code| code.expires_at)
            .filter(|until| now < *until)
    }

    /// Moves the end of the code, after the clock was set by so much: it is good for no longer.
    pub(super) fn set_clock(&mut self, by: Span) {
        if let Some(code) = &mut self.code {
            code.expires_at = code.expires_at + by;
        }
    }

    /// Whether that code is out, and good.
    pub(super) fn is_out(&self, text: &str, now: Timestamp) -> bool {
        let good = |code: &PairingCode| code.text == text && now < code.expires_at;
        self.code.as_ref().is_some_and(good)
    }

    /// Whether the last code is void because others could read it.
    pub fn is_exposed(&self) -> bool {
        self.is_exposed
    }

    /// Makes the code void if it is that one. Returns true if it was.
    pub(super) fn expose(&mut self, text: &str, now: Timestamp) -> bool {
        let is_it = self.redeem(text, now);
        self.is_exposed |= is_it;
        is_it
    }

    /// Uses up the code if it is that one. Returns true if it was.
    fn redeem(&mut self, text: &str, now: Timestamp) -> bool {
        let good = self.is_out(text, now);
        if good {
            self.code = None;
        }
        good
    }
}

impl TelegramChannel {
    /// Makes a link to the bot that pairs the person who opens it first. `None` as long as it is
    /// not known which bot it is, or while another machine would hear the code.
    pub fn pair(&mut self, now: Timestamp) -> Option<PairingOffer> {
        let bot = self.bot.as_ref().filter(|_| self.serves())?;
        let code = self.pairing.begin(now);
        let name = &bot.name;
        let text = &code.text;
        Some(PairingOffer {
            link: format!("https://t.me/{name}?start={text}"),
            group_link: format!("https://t.me/{name}?startgroup={text}"),
            group_command: format!("/start@{name} {text}"),
            code,
        })
    }

    /// Takes the right to answer from a person or the group. Returns what is to be committed, or
    /// `None` if nobody has that id.
    pub fn unpair(&mut self, id: i64) -> Option<Vec<PairingChange>> {
        let entry = match &self.pairings.group {
            Some(group) if group.chat.0 == id => PairingChange::Group(None),
            _ if self.pairings.people.contains_key(&UserId(id)) => {
                PairingChange::NoPerson(UserId(id))
            }
            _ => return None,
        };
        let before = self.pairings.chats();
        let entries = self.apply_changes(vec![entry]);
        let after = self.pairings.chats();
        for chat in before.into_iter().filter(|chat| !after.contains(chat)) {
            self.leave_chat(chat);
            let html = if chat.0 == id {
                words::unpaired(&self.card_context())
            } else {
                words::nobody_left(&self.card_context())
            };
            self.send_note_once_saved(chat, html);
        }
        self.send_topics();
        self.report_availability();
        tracing::info!(id, "unpaired from Telegram");
        Some(entries)
    }

    /// Parts from a chat to which no cards go any more. What is to be taken off the cards there is
    /// known by their handles until their asks are over: Telegram may be out of reach.
    fn leave_chat(&mut self, chat: ChatId) {
        self.command(WorkerCommand::Forget(chat));
        if let Some(list) = self.pairings.lists.get(&chat) {
            self.command(WorkerCommand::Strip(chat, *list));
        }
        for shown in self.cards.values() {
            if let Some(posted) = shown.posted.get(&chat) {
                self.part(&shown.entry, *posted);
            }
        }
    }

    /// Takes `/start CODE`: the person who brings the code is paired, and so is the group if they
    /// bring it there.
    pub(super) fn try_pairing(
        &mut self,
        heard: &IncomingUpdate,
        text: &str,
        now: Timestamp,
    ) -> Option<Vec<PairingChange>> {
        let from = heard.from.as_ref()?;
        let code = start_code(text)?;
        if !self.pairing.redeem(code, now) {
            return None;
        }
        let (place, private) = (&heard.place, heard.place.private);
        let known = self
            .pairings
            .people
            .get(&from.id)
            .is_some_and(|person| person.private);
        let person = PairedPerson {
            id: from.id,
            name: from.name.clone(),
            private: private || known,
        };
        let mut entries = vec![PairingChange::Person(person)];
        let name = if private {
            from.name.clone()
        } else {
            place.title.clone()
        };
        if !private {
            let (chat, title, topics) = (place.chat, name.clone(), place.topics);
            entries.push(PairingChange::Group(Some(PairedGroup {
                chat,
                title,
                topics,
            })));
        }
        tracing::info!(name, group = !private, "paired with Telegram");
        let former = self.pairings.group.as_ref().map(|group| group.chat);
        if let Some(former) = former.filter(|former| !private && *former != place.chat) {
            self.leave_chat(former);
            let html = words::unpaired(&self.card_context());
            self.send_note_once_saved(former, html);
        }
        self.unblock(place.chat);
        let entries = self.apply_changes(entries);
        self.send_topics();
        let html = words::paired(&name, &self.card_context());
        self.answer_note_once_saved(place, html);
        self.command(WorkerCommand::LookUpTimers(vec![place.chat]));
        self.report_availability_anew();
        Some(entries)
    }

    /// Notes that the bot may (again) write in a chat.
    pub(super) fn unblock(&mut self, chat: ChatId) {
        if self.blocked.remove(&chat) {
            self.command(WorkerCommand::Forget(chat));
            self.report_availability_anew();
        }
    }

    /// Moves the group to another id, where no messages are yet.
    pub(super) fn moved(&mut self, from: ChatId, to: ChatId) -> Vec<PairingChange> {
        let Some(group) = self
            .pairings
            .group
            .clone()
            .filter(|group| group.chat == from)
        else {
            return Vec::new();
        };
        for shown in self.cards.values_mut() {
            shown.posted.remove(&from);
        }
        self.command(WorkerCommand::Move(from, to));
        self.command(WorkerCommand::LookUpTimers(vec![to]));
        let mut entries = self.apply_changes(vec![PairingChange::Group(Some(PairedGroup {
            chat: to,
            ..group
        }))]);
        entries.extend(self.forget_lists(|chat| chat == from));
        self.send_topics();
        self.redraw_cards();
        self.list_changed();
        entries
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_that_others_could_read_is_void_until_there_is_a_new_one() {
        let mut pairing = PendingPairing::default();
        let now = Timestamp(0);
        let code = pairing.begin(now);
        assert!(!pairing.expose("a-guess", now));
        assert!(pairing.expose(&code.text, now) && pairing.is_exposed());
        assert!(!pairing.redeem(&code.text, now));

        let next = pairing.begin(now);
        assert!(!pairing.is_exposed());
        assert!(pairing.redeem(&next.text, now));
    }

    #[test]
    fn a_code_works_once_and_for_ten_minutes() {
        let (mut pairing, now) = (PendingPairing::default(), Timestamp(0));
        let code = pairing.begin(now);
        assert!(!pairing.redeem("another", now));
        assert!(pairing.redeem(&code.text, now));
        assert!(!pairing.redeem(&code.text, now));
        let late = pairing.begin(now);
        assert!(!pairing.redeem(&late.text, late.expires_at));
    }

    #[test]
    fn a_code_is_good_for_ten_minutes_whatever_the_clock_shows() {
        for by in [Span::minutes(-60), Span::minutes(60)] {
            let (mut pairing, now) = (PendingPairing::default(), Timestamp(0));
            let code = pairing.begin(now);
            pairing.set_clock(by);
            assert!(
                pairing.out_until(now + by + Span::minutes(9)).is_some(),
                "{by:?}"
            );
            assert!(!pairing.redeem(&code.text, now + by + GOOD_FOR), "{by:?}");
        }
    }

    #[test]
    fn a_new_code_makes_the_old_one_void() {
        let (mut pairing, now) = (PendingPairing::default(), Timestamp(0));
        let old = pairing.begin(now);
        pairing.begin(now);
        assert!(!pairing.redeem(&old.text, now));
    }

    #[test]
    fn a_code_fits_a_link_and_does_not_print() {
        let code = PendingPairing::default().begin(Timestamp(0));
        assert!(code.text.len() <= 64 && code.text.len() >= 20);
        assert!(!format!("{code:?}").contains(&code.text));
    }
}
