//! The commands of the loop to Telegram's task, and the reasons for which that begins anew.
//!
//! Not here: the task itself (`worker.rs`), and what it sends (`sender.rs`).

use crate::channels::telegram::ApiAddress;
use crate::channels::telegram::BotIdentity;
use crate::channels::telegram::TelegramReport;
use crate::channels::telegram::card::CardMessage;
use crate::channels::telegram::outbox::{
    CallOutcome, ListUrgency, Outbox, OutgoingNote, PostedCard, WantedCard, WantedList,
};
use crate::channels::telegram::pairing::pairings::ChatId;
use crate::platform::secrets;
use crate::platform::sink::Sink;
use beckon_core::QuietTimes;
use std::time::{Duration, Instant};

/// The pause after which a token that was refused is tried again.
const LOOK_AGAIN: Duration = Duration::from_secs(30);

/// A command of the loop to the task.
#[derive(Debug)]
pub(in crate::channels::telegram) enum WorkerCommand {
    /// Draw a card like that.
    Want(Box<WantedCard>, Vec<ChatId>, Vec<PostedCard>),
    /// Give a card its last look in a chat that is no longer paired.
    Part(Box<WantedCard>, PostedCard),
    /// Say something.
    Say(ChatId, OutgoingNote),
    /// Tell something on the lists of these chats.
    ListChanged(Vec<ChatId>, ListUrgency),
    /// Draw the list of a chat like that.
    List(ChatId, Box<WantedList>),
    /// Ask Telegram after how long these chats delete their messages.
    LookUpTimers(Vec<ChatId>),
    /// Note after how many seconds a chat deletes its messages.
    Timer(ChatId, Option<Duration>),
    /// Look whether the cards of a chat are still there.
    LookForCards(ChatId),
    /// Take the keyboard off a message.
    Strip(ChatId, i32),
    /// Give another look to a message that is of no ask.
    Redraw(ChatId, i32, Box<CardMessage>),
    /// Take a message away.
    Delete(ChatId, i32),
    /// Answer a tap: the text appears for a moment.
    Answer { query: String, text: String },
    /// Take over the group with topics, and those that it has.
    Topics(Option<ChatId>, Vec<(String, i32)>),
    /// Make no sound at these times.
    SetQuietTimes(QuietTimes),
    /// Send nothing more there.
    Forget(ChatId),
    /// Forget every card: those of open asks will be wanted anew.
    ForgetCards,
    /// Drop all that waits: another machine serves the bot.
    StandBy,
    /// Show the bot's menu with these words.
    Menu(CommandMenu),
    /// Move a chat to another id.
    Move(ChatId, ChatId),
    /// Begin anew with a changed token or address.
    Reload { address: ApiAddress },
    /// Begin anew after the machine has slept: what is under way is dead.
    Wake,
}

/// The commands that the bot's menu shows, with their words.
pub(in crate::channels::telegram) type CommandMenu = Vec<(&'static str, String)>;

/// A reason for which the task begins anew.
pub(in crate::channels::telegram) enum RestartReason {
    Reload,
    Refused,
    Woken(Option<BotIdentity>),
    /// Another machine serves the bot now.
    NotServing(BotIdentity),
    /// There is no token, or the keychain keeps it or the proxy's password out of reach.
    NoSecret(Option<secrets::KeychainError>),
}

impl RestartReason {
    /// Returns when it is time, unless a command comes before.
    pub(in crate::channels::telegram) async fn due(&self) {
        match self {
            Self::Reload | Self::Woken(_) | Self::NotServing(_) => {}
            Self::Refused => tokio::time::sleep(LOOK_AGAIN).await,
            // No time is awaited: a command comes when one is stored.
            Self::NoSecret(None) => std::future::pending().await,
            Self::NoSecret(Some(trouble)) => secrets::look_again(trouble).await,
        }
    }
}

impl WorkerCommand {
    /// Carries the command out as far as that needs no connection.
    pub(in crate::channels::telegram) fn queue(
        self,
        outbox: &mut Outbox,
        report: &Sink<TelegramReport>,
    ) {
        match self {
            Self::Want(wanted, chats, posted) => {
                report_outcomes(
                    report,
                    outbox.want(&wanted, &chats, &posted, Instant::now()),
                );
            }
            Self::Part(wanted, posted) => outbox.part(&wanted, &posted, Instant::now()),
            Self::Say(chat, note) => outbox.say(chat, note),
            Self::ListChanged(chats, urgency) => {
                outbox.list_changed(&chats, urgency, Instant::now());
            }
            Self::List(chat, wanted) => outbox.want_list(chat, *wanted),
            Self::LookUpTimers(chats) => outbox.ask_for_timers(&chats),
            Self::Timer(chat, after) => outbox.set_timer(chat, after),
            Self::LookForCards(chat) => outbox.look_for_cards(chat),
            Self::Strip(chat, message) => outbox.strip(chat, message),
            Self::Redraw(chat, message, card) => outbox.redraw(chat, message, *card),
            Self::Delete(chat, message) => outbox.delete(chat, message),
            Self::Topics(chat, known) => outbox.topics(chat, known),
            Self::SetQuietTimes(times) => outbox.set_quiet_times(times),
            Self::Forget(chat) => report_outcomes(report, outbox.forget(chat)),
            Self::ForgetCards => outbox.forget_cards(),
            Self::StandBy => outbox.stand_by(),
            Self::Move(from, to) => report_outcomes(report, outbox.move_chat(from, to)),
            // Without a connection no tap can be answered, and nothing is begun anew.
            Self::Answer { .. } | Self::Reload { .. } | Self::Wake | Self::Menu(_) => {}
        }
    }
}

/// Reports the outcomes of calls.
pub(in crate::channels::telegram) fn report_outcomes(
    report: &Sink<TelegramReport>,
    outcomes: Vec<CallOutcome>,
) {
    outcomes
        .into_iter()
        .for_each(|outcome| report.post(TelegramReport::Outbox(outcome)));
}
