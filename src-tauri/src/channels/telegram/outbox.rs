//! What is to be sent, to which chat, in which order: pure, with the time as a parameter.
//!
//! The outbox is told how a card should look, not what to send: it compares that with what stands
//! in the chat and finds the next call. So the newest look wins, a failed call is simply found
//! again, and nothing of it need be stored: the desk asks for every open card anew after a restart.

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
    /// Where.
    pub chat: ChatId,
    /// The card.
    pub message: i32,
    /// The message beneath it that asks for a text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<i32>,
    /// What that message asks for. Unknown of one that an older Beckon sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt_asks: Option<AwaitedText>,
    /// The document with what the card has no room for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub document: Option<i32>,
    /// The latest note beneath it: a reminder is answered as the card is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<i32>,
    /// The card is gone from the chat, and comes back when it is called for.
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

    /// Is it one of these messages?
    pub(super) fn has(&self, message: i32) -> bool {
        [Some(self.message), self.prompt, self.document, self.note].contains(&Some(message))
    }
}

/// How a card is to look.
#[derive(Clone, Debug)]
pub(super) struct WantedCard {
    pub(super) ask: AskId,
    /// Of the ask: cards are sent in this order.
    pub(super) serial: u64,
    /// For its topic.
    pub(super) project: String,
    pub(super) card: CardMessage,
    /// Its first message makes no sound.
    pub(super) silent: bool,
    /// The ask has ended: this is the last look of its card.
    pub(super) last: bool,
    pub(super) priority: Priority,
}

/// How soon a look is to be seen. Each edit counts for the limits, so not all are worth one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Priority {
    /// Somebody waits for it.
    Now,
    /// The card will most likely look different again in a moment.
    Passing,
    /// More is known than before; it can be answered without.
    Whenever,
}

/// Words that nobody has to answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct OutgoingNote {
    pub(super) html: String,
    pub(super) silent: bool,
    /// Beneath the card of the ask with that serial; nowhere if there is none (any more).
    pub(super) about: Option<u64>,
    /// In that topic: where it was asked for.
    pub(super) thread: Option<i32>,
    /// In that project's topic.
    pub(super) project: Option<String>,
    /// Below it.
    pub(super) keyboard: Vec<Vec<CardButton>>,
}

/// In place of a serial: beneath the list.
pub(super) const ABOUT_LIST: u64 = u64::MAX;

/// How soon the list is to tell of a change. Each edit counts for the limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ListUrgency {
    /// Nothing waits any more, and it must not say otherwise.
    Now,
    /// It is told nowhere else.
    Soon,
    /// The cards tell it already.
    Whenever,
}

/// How the list of all that waits is to look in a chat.
#[derive(Clone, Debug)]
pub(super) struct WantedList {
    pub(super) card: CardMessage,
    /// What it tells of: what wasn't on it before is news.
    pub(super) serials: BTreeSet<u64>,
    /// Where it stood in an earlier life.
    pub(super) known: Option<i32>,
}

/// Cards that Telegram refuses in every form. They are tried again now and then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedCards {
    /// How many cards.
    pub count: usize,
    /// Why the first of them is.
    pub reason: String,
}

/// Why a card is gone from its chat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CardLoss {
    /// A human deleted it, as far as anybody can tell.
    Deleted,
    /// The chat's own timer did. It comes back.
    Expired,
    /// It was to be pointed to: it is wanted now.
    CalledFor {
        /// Without a sound, as what pointed to it.
        silent: bool,
    },
}

/// What came of a call, for whoever keeps the pairings.
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
    /// It stands in that message, or is gone.
    List(ChatId, Option<i32>),
    /// The bot may not write there (any more).
    Blocked(ChatId),
    /// Telegram takes nothing for that chat for so long.
    HeldBack(ChatId, Duration),
    /// That was a while ago.
    TryAgain(ChatId),
    /// The group has another id now.
    Moved(ChatId, ChatId),
    /// The topic of a project, or that it is gone.
    Topic(String, Option<i32>),
    /// These cards are refused now.
    Refused(Option<RefusedCards>),
}

/// Everything that is to be sent.
#[derive(Debug)]
pub(super) struct Outbox {
    chats: BTreeMap<ChatId, ChatQueue>,
    pace: SendPace,
    /// Perhaps nothing gets through: no call before that.
    pause: Option<(Instant, u32)>,
    /// How many calls were repeated quickly since one got through.
    repeats: u32,
    /// What failed last, with nothing that worked since.
    suspect: Option<(ChatId, FailedCall)>,
    /// What was told last of the cards that are refused.
    refused: Option<RefusedCards>,
    /// The topics of the group's projects; `None` for a chat without topics.
    topics: HashMap<String, i32>,
    /// The chat that has topics.
    topical: Option<ChatId>,
    /// The server takes plain buttons only.
    unstyled: bool,
    /// Whose messages these are.
    bot: Option<UserId>,
    /// By how much its pauses are longer or shorter than those of others.
    jitter: f64,
    /// When nothing is to make a sound.
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

    /// So that after an outage not all Beckons knock in step.
    pub(super) fn jittered(self, jitter: f64) -> Self {
        Self { jitter, ..self }
    }

    /// Sets when nothing is to make a sound.
    pub(super) fn set_quiet_times(&mut self, times: QuietTimes) {
        self.quiet_times = times;
    }

    /// Returns the call as it goes out at that moment: what was to ring when it was queued may not ring now.
    pub(super) fn sounding(&self, call: OutboxCall, at: Timestamp) -> OutboxCall {
        if self.quiet_times.covers(at) {
            call.silenced()
        } else {
            call
        }
    }

    /// The group that has topics, and those it has.
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

    /// A card is to look like that in these chats and wherever it was sent before; `posted` where
    /// it stood in an earlier life.
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
        // Where it stands though that chat is no longer paired, its end is still written.
        self.chats
            .values_mut()
            .for_each(|chat| chat.want(wanted, None, now));
        self.finished(&wanted.ask).into_iter().collect()
    }

    /// A card in a chat that has no say any more gets its last look there, whatever it looks like elsewhere.
    pub(super) fn part(&mut self, wanted: &WantedCard, posted: &PostedCard, now: Instant) {
        self.chat(posted.chat).part(wanted, posted, now);
    }

    /// Something is to be told on the lists of these chats.
    pub(super) fn list_changed(&mut self, chats: &[ChatId], urgency: ListUrgency, now: Instant) {
        chats
            .iter()
            .for_each(|chat| self.chat(*chat).list_changed(urgency, now));
    }

    /// The lists that are to be drawn now.
    pub(super) fn lists_to_draw(&mut self, now: Instant) -> Vec<CallOutcome> {
        self.chats
            .values_mut()
            .filter_map(|chat| chat.list_to_draw(now))
            .collect()
    }

    /// The cards that come back after their chat's timer had deleted them.
    pub(super) fn take_comebacks(&mut self, now: Instant) -> Vec<CallOutcome> {
        self.chats
            .values_mut()
            .flat_map(|chat| chat.take_comebacks(now))
            .collect()
    }

    /// Telegram is to be asked for the timers of these chats.
    pub(super) fn ask_for_timers(&mut self, chats: &[ChatId]) {
        chats
            .iter()
            .for_each(|chat| self.chat(*chat).ask_for_timer());
    }

    /// A chat's timer deletes a message after so long.
    pub(super) fn set_timer(&mut self, chat: ChatId, after: Option<Duration>) {
        self.chat(chat).set_timer(after);
    }

    /// The cards of a chat are looked for.
    pub(super) fn look_for_cards(&mut self, chat: ChatId) {
        self.chat(chat).look_for_cards();
    }

    /// The chats in which it is to be tried again to write.
    pub(super) fn take_due_again(&mut self, now: Instant) -> Vec<CallOutcome> {
        self.chats
            .values_mut()
            .filter_map(|chat| chat.take_due_again(now))
            .collect()
    }

    /// The list of a chat is to look like that.
    pub(super) fn want_list(&mut self, chat: ChatId, wanted: WantedList) {
        self.chat(chat).want_list(wanted);
    }

    /// Says something once.
    pub(super) fn say(&mut self, chat: ChatId, note: OutgoingNote) {
        self.chat(chat).say(note);
    }

    /// Takes the keyboard off a message that is nobody's card any more.
    pub(super) fn strip(&mut self, chat: ChatId, message: i32) {
        self.chat(chat).tidy(OutboxCall::Strip { message });
    }

    /// Gives a message that is no ask's another look.
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

    /// Nothing more goes there, but keyboards that are to go.
    pub(super) fn forget(&mut self, chat: ChatId) -> Vec<CallOutcome> {
        let over = self
            .chats
            .get_mut(&chat)
            .map(ChatQueue::forget)
            .unwrap_or_default();
        self.still_held(over)
    }

    /// That bot sends now. Message numbers are each bot's own: nothing that is kept of another one's
    /// may go out.
    pub(super) fn serve(&mut self, bot: UserId) {
        if self.bot.replace(bot).is_some_and(|former| former != bot) {
            self.chats.values_mut().for_each(ChatQueue::forget_messages);
        }
    }

    /// All cards are void: what is still open will be wanted anew. What is to be taken off a chat that has no
    /// say any more still is.
    pub(super) fn forget_cards(&mut self) {
        self.chats
            .values_mut()
            .for_each(ChatQueue::forget_own_cards);
    }

    /// Somebody else sends: nothing that waits is to go out later.
    pub(super) fn stand_by(&mut self) {
        self.chats.values_mut().for_each(ChatQueue::stand_by);
    }

    /// Whatever is under way will not be heard of any more; it is found again.
    pub(super) fn abandon(&mut self) -> Vec<CallOutcome> {
        // The next server may be another, or a newer one.
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

    /// The server answers again.
    pub(super) fn resume(&mut self) {
        (self.pause, self.suspect) = (None, None);
        self.chats.values_mut().for_each(ChatQueue::resume);
    }

    /// The next call, if one may go out now. Files come last, and one at a time: several would only
    /// make each other slower.
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

    /// The first chat that has a call.
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

    /// When to look again; `None` when nothing waits for time to pass.
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

    /// What came of a call: the id of the message that it made, or of the topic.
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

    /// What one chat's card has shown of the server holds for all of them.
    fn learn_of_styles(&mut self) {
        if !self.unstyled && self.chats.values().any(ChatQueue::is_unstyled) {
            tracing::info!("this server of Telegram takes no colours on buttons");
            self.unstyled = true;
            self.chats
                .values_mut()
                .for_each(|chat| chat.set_unstyled(true));
        }
    }

    /// One that fails again, with nothing else tried in between, is to blame itself. When several
    /// fail and none works, it is the server: everybody waits, longer and longer.
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

    /// Which cards are refused, if that is another than before.
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

    /// A card is finished only when no other chat has it.
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

    /// The group is another one now: messages of the old one cannot be edited there.
    pub(super) fn move_chat(&mut self, from: ChatId, to: ChatId) -> Vec<CallOutcome> {
        if self.topical == Some(from) {
            self.topical = Some(to);
            self.topics.clear();
        }
        let Some(mut former) = self.chats.remove(&from) else {
            return Vec::new();
        };
        // What was on its way when the move was told is said in the new chat.
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

/// The pause after another call that got no answer, with nothing in between that worked.
fn longer(pause: Option<(Instant, u32)>, now: Instant, jitter: f64) -> (Instant, u32) {
    let before = pause.map_or(0, |(_, before)| before + 1);
    (
        now + retry::doubled(FIRST_PAUSE, before, LONGEST_PAUSE).mul_f64(jitter),
        before,
    )
}
