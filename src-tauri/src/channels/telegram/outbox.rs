//! The queue of what is to be sent to which chat, in which order. It does no IO, and gets the time
//! as a parameter.
//!
//! The outbox is told how a card should look, not what to send: it compares that with what is in
//! the chat and finds the next call. So the newest look wins, a failed call is found again by
//! itself, and nothing has to be saved: after a restart the desk shows every open card again.

mod call;
mod chat;
mod pace;
mod retry;
mod slot;
#[cfg(test)]
mod tests;

use super::api::CallError;
use super::card::{CardButton, CardMessage};
use crate::channels::telegram::pairing::pairings::{ChatId, UserId};
use beckon_core::{AskId, AwaitedText, QuietTimes, Timestamp};
pub(super) use call::{CardForm, Lane, OutboxCall};
use chat::ChatQueue;
use pace::SendPace;
use retry::{FIRST_PAUSE, FailedCall, FailureScope, FailureTime, LONGEST_PAUSE, QUICK_REPEATS};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::{Duration, Instant};

/// The topics of a chat by project.
type ChatTopics = HashMap<String, i32>;

/// The messages of a card in one chat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PostedCard {
    /// The chat that the messages are in.
    pub chat: ChatId,
    /// The card.
    pub message: i32,
    /// The message beneath it that asks for a text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<i32>,
    /// The kind of text that this message asks for. `None` for one that an older Beckon sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt_asks: Option<AwaitedText>,
    /// The document with what the card has no room for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub document: Option<i32>,
    /// The latest note beneath it: a reminder is answered as the card is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<i32>,
    /// Whether the card is gone from the chat. It comes back when it is called for.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub deleted: bool,
}

impl PostedCard {
    pub(super) fn at(chat: ChatId, message: i32) -> Self {
        Self {
            chat,
            message,
            prompt: None,
            prompt_asks: None,
            document: None,
            note: None,
            deleted: false,
        }
    }

    /// Whether `message` is one of these messages.
    pub(super) fn has(&self, message: i32) -> bool {
        [Some(self.message), self.prompt, self.document, self.note].contains(&Some(message))
    }
}

/// A card as it is to look.
#[derive(Clone, Debug)]
pub(super) struct WantedCard {
    pub(super) ask: AskId,
    /// The serial of the ask: cards are sent in this order.
    pub(super) serial: u64,
    /// The project of the ask, by which its topic is found.
    pub(super) project: String,
    pub(super) card: CardMessage,
    /// Whether its first message makes no sound.
    pub(super) silent: bool,
    /// Whether the ask has ended: this is the last look of its card.
    pub(super) last: bool,
    pub(super) priority: Priority,
}

/// The urgency of a look. Each edit counts for the limits, so not every look is worth one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Priority {
    /// A look that somebody waits for.
    Now,
    /// A look that will most likely change again in a moment.
    Passing,
    /// A look that tells more than before; the card can be answered without.
    Whenever,
}

/// Words that nobody has to answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct OutgoingNote {
    pub(super) html: String,
    pub(super) silent: bool,
    /// The serial of an ask: the note goes beneath its card, and nowhere if there is no card (any
    /// more).
    pub(super) about: Option<u64>,
    /// The topic that the note goes to: the one in which it was asked for.
    pub(super) thread: Option<i32>,
    /// The project whose topic the note goes to.
    pub(super) project: Option<String>,
    /// The buttons below the note.
    pub(super) keyboard: Vec<Vec<CardButton>>,
}

/// The number that stands for the list in place of a serial: the note goes beneath the list.
pub(super) const ABOUT_LIST: u64 = u64::MAX;

/// The urgency with which the list is to tell of a change. Each edit counts for the limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ListUrgency {
    /// The list says that something waits, and nothing does any more.
    Now,
    /// The change is told nowhere else.
    Soon,
    /// The cards tell it already.
    Whenever,
}

/// The list of all that waits, as it is to look in a chat.
#[derive(Clone, Debug)]
pub(super) struct WantedList {
    pub(super) card: CardMessage,
    /// The serials of the asks on the list; one that was not on it before is news.
    pub(super) serials: BTreeSet<u64>,
    /// The message that was the list in an earlier life.
    pub(super) known: Option<i32>,
}

/// Cards that Telegram refuses in every form. They are tried again now and then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedCards {
    /// The number of these cards.
    pub count: usize,
    /// The reason why the first of them is refused.
    pub reason: String,
}

/// The reason why a card is gone from its chat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CardLoss {
    /// A human deleted it, as far as anybody can tell.
    Deleted,
    /// The chat's own timer did. It comes back.
    Expired,
    /// The card was missing when a note was to point to it: it is wanted now.
    CalledFor {
        /// Whether the note made no sound; the card makes none then either.
        silent: bool,
    },
}

/// The outcome of a call, for the code that keeps the pairings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallOutcome {
    /// The messages of a card are these now.
    Posted(AskId, PostedCard),
    /// A card has its last look in every chat.
    Finished(AskId),
    /// A card is gone from its chat.
    Lost(AskId, PostedCard, CardLoss),
    /// A card that the chat's timer had deleted is to be sent anew.
    Comeback(AskId, ChatId),
    /// The list of all that waits is to be drawn for that chat.
    DrawList(ChatId),
    /// The list of that chat is in that message, or is gone.
    List(ChatId, Option<i32>),
    /// The bot may not write there (any more).
    Blocked(ChatId),
    /// Telegram takes nothing for that chat for so long.
    HeldBack(ChatId, Duration),
    /// Writing in that chat, which the server had refused, is to be tried again now.
    TryAgain(ChatId),
    /// The group has another id now.
    Moved(ChatId, ChatId),
    /// The topic of a project, or that it is gone.
    Topic(String, Option<i32>),
    /// The cards that are refused are these now.
    Refused(Option<RefusedCards>),
}

/// Everything that is to be sent.
#[derive(Debug)]
pub(super) struct Outbox {
    chats: BTreeMap<ChatId, ChatQueue>,
    pace: SendPace,
    /// The time before which no call goes out, since perhaps nothing gets through, and the number
    /// of pauses in a row before this one.
    pause: Option<(Instant, u32)>,
    /// The number of calls that were repeated quickly since one got through.
    repeats: u32,
    /// The call that failed last, with none that worked since.
    suspect: Option<(ChatId, FailedCall)>,
    /// The refused cards as they were reported last.
    refused: Option<RefusedCards>,
    /// The topics of the group's projects.
    topics: HashMap<String, i32>,
    /// The chat that has topics.
    topical: Option<ChatId>,
    /// Whether the server takes plain buttons only.
    unstyled: bool,
    /// The bot that the messages are of.
    bot: Option<UserId>,
    /// The factor by which its pauses are longer or shorter than those of other Beckons.
    jitter: f64,
    /// The times at which nothing is to make a sound.
    quiet_times: QuietTimes,
}

impl Outbox {
    pub(super) fn new() -> Self {
        Self {
            chats: BTreeMap::new(),
            pace: SendPace::of_bot(),
            pause: None,
            repeats: 0,
            suspect: None,
            refused: None,
            topics: HashMap::new(),
            topical: None,
            unstyled: false,
            bot: None,
            jitter: 1.0,
            quiet_times: QuietTimes::default(),
        }
    }

    /// Sets the factor of its pauses, so that after an outage not all Beckons knock in step.
    pub(super) fn jittered(self, jitter: f64) -> Self {
        Self { jitter, ..self }
    }

    /// Sets when nothing is to make a sound.
    pub(super) fn set_quiet_times(&mut self, times: QuietTimes) {
        self.quiet_times = times;
    }

    /// Returns the call as it goes out at that moment: a call that was to ring when it was queued
    /// may not ring now.
    pub(super) fn sounding(&self, call: OutboxCall, at: Timestamp) -> OutboxCall {
        if self.quiet_times.covers(at) {
            call.silenced()
        } else {
            call
        }
    }

    /// Sets the group that has topics, and adds the topics that are known.
    pub(super) fn topics(
        &mut self,
        chat: Option<ChatId>,
        known: impl IntoIterator<Item = (String, i32)>,
    ) {
        if self.topical != chat {
            self.topics.clear();
        }
        self.topical = chat;
        self.topics.extend(known);
    }

    /// Sets how a card is to look in these chats and wherever it was sent before; `posted` tells
    /// where it was in an earlier life.
    pub(super) fn want(
        &mut self,
        wanted: &WantedCard,
        chats: &[ChatId],
        posted: &[PostedCard],
        now: Instant,
    ) -> Vec<CallOutcome> {
        for &chat in chats {
            let posted = posted.iter().find(|posted| posted.chat == chat);
            self.chat(chat).want(wanted, posted, now);
        }
        if !wanted.last {
            return Vec::new();
        }
        // The end is also written in a chat that is no longer paired.
        self.chats
            .values_mut()
            .for_each(|chat| chat.want(wanted, None, now));
        self.finished(&wanted.ask).into_iter().collect()
    }

    /// Sets the last look of a card in a chat that is no longer paired, however it looks elsewhere.
    pub(super) fn part(&mut self, wanted: &WantedCard, posted: &PostedCard, now: Instant) {
        self.chat(posted.chat).part(wanted, posted, now);
    }

    /// Notes that something is to be told on the lists of these chats.
    pub(super) fn list_changed(&mut self, chats: &[ChatId], urgency: ListUrgency, now: Instant) {
        chats
            .iter()
            .for_each(|chat| self.chat(*chat).list_changed(urgency, now));
    }

    /// Returns the lists that are to be drawn now.
    pub(super) fn lists_to_draw(&mut self, now: Instant) -> Vec<CallOutcome> {
        self.chats
            .values_mut()
            .filter_map(|chat| chat.list_to_draw(now))
            .collect()
    }

    /// Returns the cards that come back after their chat's timer had deleted them.
    pub(super) fn take_comebacks(&mut self, now: Instant) -> Vec<CallOutcome> {
        self.chats
            .values_mut()
            .flat_map(|chat| chat.take_comebacks(now))
            .collect()
    }

    /// Queues a question to Telegram for the timers of these chats.
    pub(super) fn ask_for_timers(&mut self, chats: &[ChatId]) {
        chats
            .iter()
            .for_each(|chat| self.chat(*chat).ask_for_timer());
    }

    /// Sets the time after which a chat's timer deletes a message.
    pub(super) fn set_timer(&mut self, chat: ChatId, after: Option<Duration>) {
        self.chat(chat).set_timer(after);
    }

    /// Looks for the cards of a chat: each is edited as it is, by which Telegram tells whether it
    /// is there.
    pub(super) fn look_for_cards(&mut self, chat: ChatId) {
        self.chat(chat).look_for_cards();
    }

    /// Returns the chats in which writing is to be tried again.
    pub(super) fn take_due_again(&mut self, now: Instant) -> Vec<CallOutcome> {
        self.chats
            .values_mut()
            .filter_map(|chat| chat.take_due_again(now))
            .collect()
    }

    /// Sets how the list of a chat is to look.
    pub(super) fn want_list(&mut self, chat: ChatId, wanted: WantedList) {
        self.chat(chat).want_list(wanted);
    }

    /// Says something once.
    pub(super) fn say(&mut self, chat: ChatId, note: OutgoingNote) {
        self.chat(chat).say(note);
    }

    /// Takes the keyboard off a message that is no card any more.
    pub(super) fn strip(&mut self, chat: ChatId, message: i32) {
        self.chat(chat).tidy(OutboxCall::Strip { message });
    }

    /// Gives another look to a message that is not of an ask.
    pub(super) fn redraw(&mut self, chat: ChatId, message: i32, card: CardMessage) {
        self.chat(chat).tidy(OutboxCall::Edit {
            message,
            card,
            form: CardForm::Marked,
        });
    }

    /// Takes a message away.
    pub(super) fn delete(&mut self, chat: ChatId, message: i32) {
        self.chat(chat).tidy(OutboxCall::Delete { message });
    }

    /// Drops all that is to go to a chat, but keyboards that are to be taken off. Returns the cards
    /// whose ends are not written any more.
    pub(super) fn forget(&mut self, chat: ChatId) -> Vec<CallOutcome> {
        let over = self
            .chats
            .get_mut(&chat)
            .map(ChatQueue::forget)
            .unwrap_or_default();
        self.still_held(over)
    }

    /// Sets the bot that sends now. Message numbers are each bot's own: nothing that is kept of
    /// another bot's may go out.
    pub(super) fn serve(&mut self, bot: UserId) {
        if self.bot.replace(bot).is_some_and(|former| former != bot) {
            self.chats.values_mut().for_each(ChatQueue::forget_messages);
        }
    }

    /// Forgets all cards: those whose asks are still open will be wanted anew. What is to be taken
    /// off a chat that is no longer paired still is.
    pub(super) fn forget_cards(&mut self) {
        self.chats
            .values_mut()
            .for_each(ChatQueue::forget_own_cards);
    }

    /// Drops all that waits, because another machine sends now: nothing of it is to go out later.
    pub(super) fn stand_by(&mut self) {
        self.chats.values_mut().for_each(ChatQueue::stand_by);
    }

    /// Forgets the calls under way, of which nothing will be heard any more. They are found again.
    pub(super) fn abandon(&mut self) -> Vec<CallOutcome> {
        // The next server may be a different or a newer one.
        (self.pause, self.unstyled) = (None, false);
        self.chats
            .values_mut()
            .for_each(|chat| chat.set_unstyled(false));
        let over = self
            .chats
            .values_mut()
            .flat_map(ChatQueue::abandon)
            .collect();
        self.still_held(over)
    }

    /// Ends the pauses, after the server has answered again.
    pub(super) fn resume(&mut self) {
        (self.pause, self.suspect) = (None, None);
        self.chats.values_mut().for_each(ChatQueue::resume);
    }

    /// Returns the next call, if one may go out now. Files come last, and one at a time: several
    /// would only make each other slower.
    pub(super) fn next(&mut self, now: Instant) -> Option<(ChatId, OutboxCall)> {
        if self.pause.is_some_and(|(until, _)| now < until) || self.pace.ready_at(now) > now {
            return None;
        }
        let call = self.first(|chat, topics| chat.next(topics, now));
        let call = match call {
            None if !self.is_uploading() => self.first(|chat, topics| chat.next_file(topics, now)),
            call => call,
        };
        call.inspect(|_| self.pace.take(now))
    }

    /// Returns the call of the first chat that has one.
    fn first(
        &mut self,
        mut call: impl FnMut(&mut ChatQueue, Option<&ChatTopics>) -> Option<OutboxCall>,
    ) -> Option<(ChatId, OutboxCall)> {
        let (topics, topical) = (&self.topics, self.topical);
        self.chats.iter_mut().find_map(|(&id, chat)| {
            let topics = (topical == Some(id)).then_some(topics);
            call(chat, topics).map(|call| (id, call))
        })
    }

    fn is_uploading(&self) -> bool {
        self.chats.values().any(ChatQueue::is_uploading)
    }

    /// Returns when to look again; `None` when nothing waits for time to pass.
    pub(super) fn due(&self, now: Instant) -> Option<Instant> {
        let with_file = !self.is_uploading();
        let chats = self
            .chats
            .values()
            .filter_map(|chat| chat.due(now, with_file))
            .min()?;
        let pause = self.pause.map_or(now, |(until, _)| until);
        Some(chats.max(pause).max(self.pace.ready_at(now)))
    }

    /// Takes the result of a call: the id of the message that it made, or of the topic.
    pub(super) fn done(
        &mut self,
        id: ChatId,
        lane: Lane,
        result: Result<Option<i32>, CallError>,
        now: Instant,
    ) -> Vec<CallOutcome> {
        // A chat that moves to itself would be begun anew, with its pace, again and again.
        if let Err(CallError::Moved(to)) = result
            && ChatId(to) != id
        {
            let mut outcomes = self.move_chat(id, ChatId(to));
            outcomes.push(CallOutcome::Moved(id, ChatId(to)));
            return outcomes;
        }
        let Some(chat) = self.chats.get_mut(&id) else {
            return Vec::new();
        };
        let (outcomes, blame) = chat.done(
            lane,
            result,
            FailureTime {
                now,
                may_repeat: self.repeats < QUICK_REPEATS,
            },
        );
        self.lay(blame, id, now);
        self.learn_of_styles();
        for outcome in &outcomes {
            match outcome {
                CallOutcome::Topic(project, Some(thread)) => {
                    _ = self.topics.insert(project.clone(), *thread);
                }
                CallOutcome::Topic(project, None) => _ = self.topics.remove(project),
                _ => {}
            }
        }
        self.still_held(outcomes)
    }

    /// Takes over from a chat that the server knows no colours: that holds for all chats.
    fn learn_of_styles(&mut self) {
        if !self.unstyled && self.chats.values().any(ChatQueue::is_unstyled) {
            tracing::info!("this server of Telegram takes no colours on buttons");
            self.unstyled = true;
            self.chats
                .values_mut()
                .for_each(|chat| chat.set_unstyled(true));
        }
    }

    /// Finds out whether a call or the server is to blame for a failure. A call that fails again,
    /// with nothing else tried in between, is to blame itself. When several fail and none works, it
    /// is the server: all calls wait, longer and longer.
    fn lay(&mut self, blame: FailureScope, chat: ChatId, now: Instant) {
        match blame {
            FailureScope::Nobody => (self.pause, self.suspect, self.repeats) = (None, None, 0),
            FailureScope::Call => {}
            FailureScope::Moment(pause) => {
                self.repeats += 1;
                self.pause = Some((now + pause.mul_f64(self.jitter), 0));
            }
            FailureScope::Unclear(suspect) => {
                if self.suspect.replace((chat, suspect)) != Some((chat, suspect)) {
                    self.pause = Some(longer(self.pause, now, self.jitter));
                }
            }
        }
    }

    /// Returns the cards that are refused, if they have changed.
    pub(super) fn refusals(&mut self) -> Option<CallOutcome> {
        let all = || self.chats.values().flat_map(ChatQueue::refusals);
        let count = all().map(|(ask, _)| ask).collect::<BTreeSet<_>>().len();
        let refused = all().next().map(|(_, why)| RefusedCards {
            count,
            reason: why.to_owned(),
        });
        if refused == self.refused {
            return None;
        }
        self.refused.clone_from(&refused);
        Some(CallOutcome::Refused(refused))
    }

    /// Leaves out that a card is finished while another chat has it.
    fn still_held(&self, mut outcomes: Vec<CallOutcome>) -> Vec<CallOutcome> {
        outcomes.retain(|outcome| match outcome {
            CallOutcome::Finished(ask) => self.finished(ask).is_some(),
            _ => true,
        });
        outcomes
    }

    fn finished(&self, ask: &AskId) -> Option<CallOutcome> {
        let stands = self.chats.values().any(|chat| chat.holds(ask));
        (!stands).then(|| CallOutcome::Finished(ask.clone()))
    }

    /// Moves what is to be sent to the group's new id: messages of the old group cannot be edited
    /// there.
    pub(super) fn move_chat(&mut self, from: ChatId, to: ChatId) -> Vec<CallOutcome> {
        if self.topical == Some(from) {
            self.topical = Some(to);
            self.topics.clear();
        }
        let Some(mut former) = self.chats.remove(&from) else {
            return Vec::new();
        };
        // What was on its way when the move was told is sent to the new chat.
        let mut over = former.abandon();
        over.extend(self.chat(to).take_over(former));
        self.still_held(over)
    }

    fn chat(&mut self, id: ChatId) -> &mut ChatQueue {
        let unstyled = self.unstyled;
        let new = || {
            let mut chat = ChatQueue::new(id);
            chat.set_unstyled(unstyled);
            chat
        };
        self.chats.entry(id).or_insert_with(new)
    }
}

/// Returns the pause after another call that got no answer, with nothing in between that worked.
fn longer(pause: Option<(Instant, u32)>, now: Instant, jitter: f64) -> (Instant, u32) {
    let before = pause.map_or(0, |(_, before)| before + 1);
    (
        now + retry::doubled(FIRST_PAUSE, before, LONGEST_PAUSE).mul_f64(jitter),
        before,
    )
}
