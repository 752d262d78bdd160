//! What comes of the calls of a chat.

use super::super::super::api::Trouble;
use super::super::retry::Blame;
use super::super::{Call, Lane, Note, Outcome};
use super::{Chat, Item, Part, Waiting};
use std::time::Instant;

/// What came of a call, and what it says of the server.
type Verdict = (Vec<Outcome>, Blame);

impl Chat {
    /// The call under way on that lane has ended.
    pub(in super::super) fn done(
        &mut self,
        lane: Lane,
        result: Result<Option<i32>, Trouble>,
        now: Instant,
    ) -> Verdict {
        let ended = match lane {
            Lane::Calls => self.busy.take(),
            Lane::Files => self.uploading.take(),
        };
        let Some((item, call)) = ended else { return (Vec::new(), Blame::Nobody) };
        match result {
            Ok(made) => (self.succeeded(item, &call, made), Blame::Nobody),
            Err(trouble) => self.failed(item, call, &trouble, now),
        }
    }

    fn succeeded(&mut self, item: Item, call: &Call, made: Option<i32>) -> Vec<Outcome> {
        match item {
            Item::Part(serial, part) => self.card_sent(serial, part, call, made),
            Item::Topic(project) => {
                self.topic_retries.remove(&project);
                made.map(|id| Outcome::Topic(project, Some(id))).into_iter().collect()
            }
            Item::Note(_) | Item::Chore(_) => Vec::new(),
        }
    }

    fn card_sent(
        &mut self,
        serial: u64,
        part: Part,
        call: &Call,
        made: Option<i32>,
    ) -> Vec<Outcome> {
        let Some(slot) = self.cards.get_mut(&serial) else {
            // It was forgotten while it was on its way.
            let sent = made.filter(|_| matches!(call, Call::Send { .. }));
            sent.into_iter().for_each(|message| self.tidy(Call::Strip { message }));
            return Vec::new();
        };
        let before = slot.posted(self.id);
        slot.sent(part, call, made);
        let posted = slot.posted(self.id).filter(|posted| Some(posted) != before.as_ref());
        let posted = posted.map(|posted| Outcome::Posted(slot.ask.clone(), posted));
        self.queue.insert(serial);
        posted.into_iter().chain(self.drop_if_over(serial)).collect()
    }

    fn failed(&mut self, item: Item, call: Call, trouble: &Trouble, now: Instant) -> Verdict {
        match trouble {
            Trouble::Network(_) | Trouble::AnotherUser | Trouble::Server(_) => {
                self.unanswered(item, call, now)
            }
            // Found again with another token.
            Trouble::Unauthorized => {
                (self.again(item, call).into_iter().collect(), Blame::Unclear(None))
            }
            Trouble::TooFast(wait) => {
                self.pace.rest_until(now + *wait);
                (self.again(item, call).into_iter().collect(), Blame::Call)
            }
            Trouble::Blocked | Trouble::ChatGone => (self.block(), Blame::Nobody),
            _ => (self.refused(item, &call, trouble, now), Blame::Nobody),
        }
    }

    /// Nobody has said whether it was done.
    fn unanswered(&mut self, item: Item, call: Call, now: Instant) -> Verdict {
        let blame = match &item {
            Item::Part(_, Part::Document) => Blame::Call,
            Item::Part(serial, _) => Blame::Unclear(Some(*serial)),
            Item::Note(_) | Item::Chore(_) | Item::Topic(_) => Blame::Unclear(None),
        };
        let item = match item {
            Item::Part(serial, part) => {
                let slot = self.cards.get_mut(&serial);
                slot.into_iter().for_each(|slot| slot.unanswered(part, now));
                Item::Part(serial, part)
            }
            Item::Note(mut note) => {
                note.retry.unanswered(now);
                Item::Note(note)
            }
            Item::Chore(mut retry) => {
                retry.unanswered(now);
                Item::Chore(retry)
            }
            Item::Topic(project) => {
                self.topic_retries.entry(project.clone()).or_default().unanswered(now);
                Item::Topic(project)
            }
        };
        (self.again(item, call).into_iter().collect(), blame)
    }

    /// It is tried once more, unless a card has ended meanwhile that was never sent.
    pub(super) fn again(&mut self, item: Item, call: Call) -> Option<Outcome> {
        match item {
            Item::Note(note) => self.notes.push_front(note),
            Item::Chore(retry) => self.chores.push_front(Waiting { what: call, retry }),
            Item::Part(serial, _) => {
                self.queue.insert(serial);
                self.files.insert(serial);
                return self.drop_if_over(serial);
            }
            Item::Topic(_) => {}
        }
        None
    }

    fn refused(
        &mut self,
        item: Item,
        call: &Call,
        trouble: &Trouble,
        now: Instant,
    ) -> Vec<Outcome> {
        match (item, trouble) {
            (Item::Topic(project), _) => {
                tracing::info!(%trouble, "no topic can be made: the main chat is used");
                _ = self.untopical.insert(project);
                Vec::new()
            }
            (Item::Part(serial, Part::Card | Part::Document), Trouble::TopicGone) => {
                let project = self.cards.get(&serial).map(|slot| slot.project.clone());
                self.without_topic(project)
            }
            (Item::Note(note), Trouble::TopicGone) => self.note_without_topic(note),
            (Item::Part(serial, Part::Card), Trouble::MessageGone) => self.deleted(serial),
            (Item::Part(serial, part), trouble) => {
                self.card_refused(serial, part, call, trouble, now)
            }
            (Item::Note(_) | Item::Chore(_), trouble) => {
                tracing::debug!(%trouble, "a note was not sent");
                Vec::new()
            }
        }
    }

    fn without_topic(&mut self, project: Option<String>) -> Vec<Outcome> {
        self.untopical.extend(project.clone());
        project.map(|project| Outcome::Topic(project, None)).into_iter().collect()
    }

    fn note_without_topic(&mut self, note: Waiting<Note>) -> Vec<Outcome> {
        let slot = note.what.about.and_then(|serial| self.cards.get(&serial));
        let project = note.what.project.clone().or(slot.map(|slot| slot.project.clone()));
        if project.is_some() {
            self.notes.push_front(note);
        }
        self.without_topic(project)
    }

    /// The human deleted the card: waved away, unless it was over anyhow.
    fn deleted(&mut self, serial: u64) -> Vec<Outcome> {
        match self.remove(serial) {
            Some(slot) if slot.is_last() => vec![Outcome::Finished(slot.ask)],
            Some(slot) => vec![Outcome::Deleted(slot.ask, self.id)],
            None => Vec::new(),
        }
    }

    fn card_refused(
        &mut self,
        serial: u64,
        part: Part,
        call: &Call,
        trouble: &Trouble,
        now: Instant,
    ) -> Vec<Outcome> {
        let Some(slot) = self.cards.get_mut(&serial) else { return Vec::new() };
        if *trouble != Trouble::NotModified {
            tracing::debug!(ask = %slot.ask, ?part, %trouble, "Telegram refuses a message");
        }
        let kept = slot.refused(part, call, trouble, now);
        self.queue.insert(serial);
        if kept {
            return self.drop_if_over(serial).into_iter().collect();
        }
        self.remove(serial).map(|slot| Outcome::Finished(slot.ask)).into_iter().collect()
    }

    /// What had ended but not been told so is told when the bot may write again.
    fn block(&mut self) -> Vec<Outcome> {
        self.forget();
        self.chores.clear();
        self.blocked = true;
        vec![Outcome::Blocked(self.id)]
    }
}
