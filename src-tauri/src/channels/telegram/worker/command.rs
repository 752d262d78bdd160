//! What the loop asks of Telegram's task, and why that begins anew.
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

/// A token that was refused is tried again after so long.
const LOOK_AGAIN: Duration = Duration::from_secs(30);

/// What the loop asks of the task.
#[derive(Debug)]
pub(in crate::channels::telegram) enum WorkerCommand {
    /// A card is to look like that.
    Want(Box<WantedCard>, Vec<ChatId>, Vec<PostedCard>),
    /// A card in a chat that has no say any more gets its last look.
    Part(Box<WantedCard>, PostedCard),
    /// Say something.
    Say(ChatId, OutgoingNote),
    /// Something is to be told on the lists of these chats.
    ListChanged(Vec<ChatId>, ListUrgency),
    /// The list of a chat is to look like that.
    List(ChatId, Box<WantedList>),
    /// Ask Telegram after how long these chats delete their messages.
    LookUpTimers(Vec<ChatId>),
    /// A chat deletes its messages after so long.
    Timer(ChatId, Option<Duration>),
    /// Look whether the cards of a chat are still there.
    LookForCards(ChatId),
    /// Take the keyboard off a message.
    Strip(ChatId, i32),
    /// Give a message that is no ask's another look.
    Redraw(ChatId, i32, Box<CardMessage>),
    /// Take a message away.
    Delete(ChatId, i32),
    /// Answer a tap: the text appears for a moment.
    Answer { query: String, text: String },
    /// The group with topics, and those it has.
    Topics(Option<ChatId>, Vec<(String, i32)>),
    /// When nothing is to make a sound.
    SetQuietTimes(QuietTimes),
    /// Nothing more goes there.
    Forget(ChatId),
    /// Every card is void: what is still open will be wanted anew.
    ForgetCards,
    /// Somebody else serves the bot: nothing that waits is to be sent.
    StandBy,
    /// The commands that the bot's menu shows have other words.
    Menu(CommandMenu),
    /// The chat goes on under another id.
    Move(ChatId, ChatId),
    /// The token or the address is another.
    Reload { address: ApiAddress },
    /// The machine has slept: what is under way is dead.
    Wake,
}

/// The commands that the bot's menu shows, with their words.
pub(in crate::channels::telegram) type CommandMenu = Vec<(&'static str, String)>;

/// Why the task begins anew.
pub(in crate::channels::telegram) enum RestartReason {
    Reload,
    Refused,
    Woken(Option<BotIdentity>),
    /// Somebody else serves the bot now.
    NotServing(BotIdentity),
    /// There is no token, or that keeps it or the proxy's password out of reach.
    NoSecret(Option<secrets::KeychainError>),
}

impl RestartReason {
    /// Returns when it is time, unless somebody says so before.
    pub(in crate::channels::telegram) async fn due(&self) {
        match self {
            Self::Reload | Self::Woken(_) | Self::NotServing(_) => {}
            Self::Refused => tokio::time::sleep(LOOK_AGAIN).await,
            // Who stores one says so.
            Self::NoSecret(None) => std::future::pending().await,
            Self::NoSecret(Some(trouble)) => secrets::look_again(trouble).await,
        }
    }
}

impl WorkerCommand {
    /// Does what needs no connection.
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
            // Without a connection there is nobody to answer, and nothing to begin anew.
            Self::Answer { .. } | Self::Reload { .. } | Self::Wake | Self::Menu(_) => {}
        }
    }
}

/// Reports what came of calls.
pub(in crate::channels::telegram) fn report_outcomes(
    report: &Sink<TelegramReport>,
    outcomes: Vec<CallOutcome>,
) {
    outcomes
        .into_iter()
        .for_each(|outcome| report.post(TelegramReport::Outbox(outcome)));
}
