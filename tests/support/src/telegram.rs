//! A strict fake of Telegram's Bot API: it does what the documentation says, notes what a client
//! does wrong, and lets the test play every person in it.
//!
//! This file holds what the test does to the server and reads from it. What people do is in
//! `telegram/people.rs`, the HTTP side in `telegram/routes.rs`, the methods in
//! `telegram/methods.rs`, the long poll in `telegram/updates.rs`.
//!
//! Its clock goes on with the system's; [`Telegram::advance`] puts it further ahead, and
//! [`Telegram::stop_clock`] keeps it from going on by itself.

mod chats;
mod clock;
mod faults;
mod html;
mod markup;
mod media;
mod methods;
mod params;
mod people;
mod rates;
mod record;
mod refusal;
mod routes;
mod shapes;
mod updates;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

use crate::eventually;
use crate::ports::free_port;
use crate::serving::Serving;
use chats::Chats;
use clock::Clock;
use faults::Faults;
use rates::Rates;
use updates::Queue;

pub use chats::{ChatId, Document, Message, UserId};
pub use faults::Fault;
pub use html::{Entity, EntityKind};
pub use markup::{Action, Button, CALLBACK_DATA_LIMIT, Markup};
pub use media::Media;
pub use methods::Method;
pub use people::Group;
pub use record::{Alert, Call, Commands, Outcome};

/// The token of the one bot, shaped like a real one.
pub const TOKEN: &str = "7000000001:AAFakeTokenOfBeckonsTests-0123456789";
/// The bot's name.
pub const USERNAME: &str = "beckon_test_bot";

/// A tap as the server remembers it.
struct Tap {
    user: UserId,
    chat: ChatId,
    message: i64,
    /// The moment of the tap by the clock of the imitation, since 1970.
    at: Duration,
    answered: bool,
}

#[derive(Default)]
struct Data {
    clock: Clock,
    chats: Chats,
    queue: Queue,
    taps: BTreeMap<String, Tap>,
    rates: Rates,
    faults: Faults,
    revoked: bool,
    /// Whether the bot's owner has allowed topics in private chats.
    private_topics: bool,
    commands: Vec<Commands>,
    calls: Vec<Call>,
    alerts: Vec<Alert>,
    complaints: Vec<String>,
    /// The reaction of a person to a message.
    reactions: BTreeMap<(ChatId, i64, UserId), Option<String>>,
}

impl Data {
    fn complain(&mut self, complaint: String) {
        self.complaints.push(complaint);
    }
}

#[derive(Default)]
struct World {
    data: Mutex<Data>,
    /// Notified of every change that a waiting poll may be interested in.
    news: Notify,
}

impl World {
    /// Locks the data, after deleting the messages whose chat timers have expired.
    ///
    /// The lock ignores poisoning: a test that panics in one of its own acts must not take the
    /// server's thread along, which would hide the test's own panic.
    fn lock(&self) -> MutexGuard<'_, Data> {
        let mut data = self.data.lock().unwrap_or_else(PoisonError::into_inner);
        let date = data.clock.date();
        data.chats.delete_expired(date);
        data
    }
}

/// The running server; stops on drop.
pub struct Telegram {
    world: Arc<World>,
    serving: Option<Serving>,
    port: u16,
}

/// Prints the calls of a failing test. Polls that brought nothing are left out.
impl Drop for Telegram {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            return;
        }

        let calls = self.look(|data| data.calls.clone());
        let brought_nothing = |call: &Call| {
            let nothing = Outcome::Done(serde_json::Value::Array(Vec::new()));
            call.method == Method::GetUpdates && call.outcome == nothing
        };
        eprintln!("--- calls of Telegram's methods ---");
        for call in calls.iter().filter(|call| !brought_nothing(call)) {
            let Call {
                method,
                params,
                at,
                answered,
                outcome,
            } = call;
            let ago = at.elapsed();
            let took = answered.map(|answered| answered - *at);
            eprintln!("{ago:?} ago: {method:?} {params:?}, after {took:?}: {outcome:?}");
        }
        eprintln!("--- end ---");
    }
}

impl Telegram {
    /// Starts on a free port with one bot, whose token is [`TOKEN`], and no people.
    pub fn start() -> Telegram {
        let world = Arc::new(World::default());
        let serving = Serving::start(routes::router(Arc::clone(&world)), free_port());
        let port = serving.address().port();
        Telegram {
            world,
            serving: Some(serving),
            port,
        }
    }

    /// Returns `http://127.0.0.1:PORT`, in place of `https://api.telegram.org`.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Stops listening and breaks every connection; new ones are refused.
    pub fn down(&mut self) {
        self.serving = None;
    }

    /// Listens again on the same port, with all data as it was.
    pub fn up(&mut self) {
        self.down();
        self.serving = Some(Serving::start(
            routes::router(Arc::clone(&self.world)),
            self.port,
        ));
    }

    /// Changes what the server knows, and wakes the poll that waits.
    fn change<T>(&self, change: impl FnOnce(&mut Data) -> T) -> T {
        let changed = change(&mut self.world.lock());
        self.world.news.notify_waiters();
        changed
    }

    fn look<T>(&self, look: impl FnOnce(&Data) -> T) -> T {
        look(&self.world.lock())
    }

    /// Puts the clock ahead: updates grow old and pauses end.
    pub fn advance(&self, by: Duration) {
        self.change(|data| data.clock.advance(by));
    }

    /// Stops the clock for good: only [`advance`](Telegram::advance) moves it, so that a slow
    /// machine cannot blur a limit.
    pub fn stop_clock(&self) {
        self.change(|data| data.clock.stop());
    }

    /// Switches the enforcement of rates on or off. While it is on, calls that come too fast get
    /// 429, and polls and conflicts are held back for as many seconds as the official server holds
    /// them back.
    pub fn enforce_rates(&self, enforced: bool) {
        self.change(|data| data.rates.enforced = enforced);
    }

    /// Makes the sending limits pass `times` times faster, so that a test of many messages ends
    /// sooner.
    pub fn hurry_rates(&self, times: u32) {
        self.change(|data| data.rates.times = times);
    }

    /// Sets how many messages to one chat may be sent at once; Telegram does not say how many may.
    pub fn limit_bursts(&self, burst: u32) {
        self.change(|data| data.rates.burst = burst);
    }

    /// Makes the next `count` calls of any method fail.
    pub fn fail_next(&self, count: usize, fault: Fault) {
        self.change(|data| data.faults.add(None, count, fault));
    }

    /// Makes the next `count` calls of one method fail.
    pub fn fail(&self, method: Method, count: usize, fault: Fault) {
        self.change(|data| data.faults.add(Some(method), count, fault));
    }

    /// Forgets the faults that have not happened yet.
    pub fn heal(&self) {
        self.change(|data| data.faults.clear());
    }

    /// Sets or removes a webhook, as another program with the token would.
    pub fn set_webhook(&self, url: Option<&str>) {
        self.change(|data| {
            data.queue.webhook = url.map(ToOwned::to_owned);
            data.queue.interrupt();
        });
    }

    /// Waits for a poll, and ends it as another program's poll would.
    pub async fn steal_poll(&self, within: Duration) {
        self.wait_polled(within).await;
        self.change(|data| data.queue.interrupt());
    }

    /// Switches another program on or off that polls without end: every waiting poll is ended at
    /// once.
    pub fn rival(&self, polling: bool) {
        self.change(|data| {
            data.queue.rival = polling;
            if polling {
                data.queue.interrupt();
            }
        });
    }

    /// Revokes [`TOKEN`], as BotFather's `/revoke` does, or restores it.
    pub fn revoke_token(&self, revoked: bool) {
        self.change(|data| data.revoked = revoked);
    }

    /// Sets whether the bot may have topics in private chats; its owner decides that with
    /// BotFather.
    pub fn allow_private_topics(&self, allowed: bool) {
        self.change(|data| data.private_topics = allowed);
    }

    /// Returns the messages of the bot in a chat that are not deleted, as they are now, the oldest
    /// first.
    pub fn messages(&self, chat: ChatId) -> Vec<Message> {
        let mut messages = self.history(chat);
        messages.retain(|message| message.from_bot && message.service.is_none());
        messages
    }

    /// Returns the bot's messages in a chat that have buttons now, the oldest first. It avoids
    /// copying the whole history of a long chat.
    pub fn messages_with_buttons(&self, chat: ChatId) -> Vec<Message> {
        self.look(|data| {
            let log = data.chats.chats[&chat].log.values();
            let pressable = |message: &&Message| message.from_bot && !message.keyboard().is_empty();
            log.filter(pressable).cloned().collect()
        })
    }

    /// Returns all messages of a chat as they are now, whoever wrote them.
    pub fn history(&self, chat: ChatId) -> Vec<Message> {
        self.look(|data| data.chats.chats[&chat].log.values().cloned().collect())
    }

    /// Returns the messages that are pinned in a chat, in the order in which they were pinned.
    pub fn pinned(&self, chat: ChatId) -> Vec<i64> {
        self.look(|data| data.chats.chats[&chat].pinned.clone())
    }

    /// Returns a message as it is now, or `None` if it was deleted.
    pub fn message(&self, chat: ChatId, id: i64) -> Option<Message> {
        self.look(|data| data.chats.chats[&chat].log.get(&id).cloned())
    }

    /// Returns all calls of known methods so far, in order of arrival.
    pub fn calls(&self) -> Vec<Call> {
        self.look(|data| data.calls.clone())
    }

    /// Returns the calls of one method so far.
    pub fn calls_of(&self, method: Method) -> Vec<Call> {
        self.look(|data| {
            data.calls
                .iter()
                .filter(|call| call.method == method)
                .cloned()
                .collect()
        })
    }

    /// Returns the number of calls of one method so far.
    pub fn count_of(&self, method: Method) -> usize {
        self.look(|data| {
            data.calls
                .iter()
                .filter(|call| call.method == method)
                .count()
        })
    }

    /// Returns the answers to taps, in order.
    pub fn alerts(&self) -> Vec<Alert> {
        self.look(|data| data.alerts.clone())
    }

    /// Returns the ids of the taps that were not answered.
    pub fn unanswered_taps(&self) -> Vec<String> {
        let open = |(id, tap): (&String, &Tap)| (!tap.answered).then(|| id.clone());
        self.look(|data| data.taps.iter().filter_map(open).collect())
    }

    /// Returns the bot's command lists.
    pub fn commands(&self) -> Vec<Commands> {
        self.look(|data| data.commands.clone())
    }

    /// Returns what the client did wrong so far; a test ends by asserting that there is nothing.
    pub fn complaints(&self) -> Vec<String> {
        self.look(|data| data.complaints.clone())
    }

    /// Returns how many updates are not confirmed yet.
    pub fn pending(&self) -> usize {
        self.look(|data| data.queue.pending(data.clock.now()))
    }

    /// Returns the number of the newest update that the bot is to get.
    pub fn last_update(&self) -> i64 {
        self.look(|data| data.queue.last_id())
    }

    /// Makes `first` the number of the next update. The documentation: "If there are no new updates
    /// for at least a week, then identifier of the next update will be chosen randomly instead of
    /// sequentially".
    ///
    /// # Panics
    /// When updates wait, since that would be no quiet week.
    pub fn renumber(&self, first: i64) {
        self.change(|data| data.queue.begin_at(first));
    }

    /// Returns the moment at which an update was handed out for the first time.
    pub fn handed_out(&self, update: i64) -> Option<Instant> {
        self.look(|data| data.queue.handed_out(update))
    }

    /// Waits for a message of the bot in `chat` that `wanted` accepts.
    pub async fn wait_for(
        &self,
        chat: ChatId,
        wanted: impl Fn(&Message) -> bool,
        within: Duration,
    ) -> Message {
        let what = "a message of the bot";
        eventually(what, within, async || {
            self.messages(chat).into_iter().find(&wanted)
        })
        .await
    }

    /// Waits for a call that `wanted` accepts.
    pub async fn wait_call(&self, wanted: impl Fn(&Call) -> bool, within: Duration) -> Call {
        eventually("a call", within, async || {
            self.calls().into_iter().find(&wanted)
        })
        .await
    }

    /// Tells whether a client waits for updates now.
    pub fn is_polled(&self) -> bool {
        self.look(|data| data.queue.is_polled())
    }

    /// Waits until a client waits for updates.
    pub async fn wait_polled(&self, within: Duration) {
        eventually("a long poll", within, async || {
            self.is_polled().then_some(())
        })
        .await;
    }

    /// Waits until every update is confirmed.
    pub async fn wait_confirmed(&self, within: Duration) {
        let what = "all updates are confirmed";
        eventually(what, within, async || (self.pending() == 0).then_some(())).await;
    }
}
