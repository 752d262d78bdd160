//! The delivery task of a server. It owns the commands and lives as long as the source, whatever
//! becomes of the stream. The watcher only reports how the server is reached (`connection`).
//!
//! Not here: how an answer is sent (`send`), whether it was taken (`proof`), whether its ask is
//! still the same (`recheck`), what became of asks that are gone (`inquiry`).

pub(super) mod connection;
pub(super) mod inquiry;
pub(super) mod proof;
pub(super) mod recheck;
mod send;

use super::OpenCodeReporter;
use super::api::OpenCodeApi;
use super::sessions::stopped::{self, TurnState};
use crate::platform::part;
use beckon_core::{Answer, AskState, DeliveryFailure, Entry, Grant, SourceReport};
use connection::{AskKnowledge, ConnectionView};
use tokio::sync::mpsc::UnboundedReceiver;

/// A command from the loop to a source.
#[derive(Debug)]
pub(super) enum OpenCodeCommand {
    Deliver(Box<Entry>, Answer),
    Refresh,
    Inquire(Box<Entry>),
}

/// Carries out commands until the source is removed, which closes the channel.
///
/// Each command runs in a task of its own, so that one that hangs holds up no other. The task
/// outlives the source, since nobody sends an answer again that was given to a source that has
/// gone.
pub(super) async fn run(
    reporter: OpenCodeReporter,
    connection: ConnectionView,
    mut commands: UnboundedReceiver<OpenCodeCommand>,
) {
    while let Some(command) = commands.recv().await {
        let (reporter, connection) = (reporter.clone(), connection.clone());
        match command {
            OpenCodeCommand::Refresh => connection.request_list(),
            OpenCodeCommand::Deliver(entry, answer) => {
                part::spawn(deliver(reporter, connection, entry, answer));
            }
            OpenCodeCommand::Inquire(entry) => {
                part::spawn(inquire(reporter, connection, entry));
            }
        }
    }
}

async fn deliver(
    reporter: OpenCodeReporter,
    mut connection: ConnectionView,
    entry: Box<Entry>,
    answer: Answer,
) {
    let (api, known) = connection.settled().await;
    let own = &entry.ask.id.own;
    if connection.was_aborted(own) {
        return reporter.tell(SourceReport::Gone { own: own.clone() });
    }
    let _under_way = api.send_answer();
    if entry.may_have_been_taken() && recheck::has_left_the_list(&api, &entry.ask).await {
        return send::tell_end_of_unanswered(&api, &reporter, &entry).await;
    }
    let is_vouched = connection.vouches_for(own);
    let is_doubtful = known == AskKnowledge::Before || entry.quiet_since.is_some() || !is_vouched;
    if is_doubtful && let Some(obstacle) = find_obstacle(&api, &entry, &answer).await {
        return reporter.tell(obstacle);
    }
    // An ask whose answer is tried again may be older than the list.
    let first = matches!(entry.state, AskState::Answering { attempts: ..=1, .. });
    let known = if first { known } else { AskKnowledge::Before };
    send::deliver(&api, &reporter, (&connection, known), &entry, &answer).await;
}

/// Looks whether the agent still waits for an answer, and returns the report to make in place of
/// sending it.
///
/// An agent carries out what is allowed even if its turn was stopped, so a yes is not sent without
/// this check. A yes that cannot be checked is kept, and the next try checks once more.
async fn find_obstacle(api: &OpenCodeApi, entry: &Entry, answer: &Answer) -> Option<SourceReport> {
    let own = entry.ask.id.own.clone();
    let is_yes = matches!(answer, Answer::Grant(Grant::Once | Grant::Always));
    match stopped::look_before_answer(api, &entry.ask).await {
        TurnState::Over | TurnState::Failed => Some(SourceReport::Gone { own }),
        TurnState::Unclear if is_yes => {
            let why = "it can't be checked whether the agent still waits for it".to_owned();
            let failure = DeliveryFailure::Other(why);
            Some(SourceReport::NotSent { own, failure })
        }
        TurnState::Waits | TurnState::Unsure => {
            let is_left = stopped::is_left(api, &entry.ask).await;
            is_left.then_some(SourceReport::Gone { own })
        }
        TurnState::Unclear => None,
    }
}

async fn inquire(reporter: OpenCodeReporter, mut connection: ConnectionView, entry: Box<Entry>) {
    let (api, _) = connection.settled().await;
    if let Some(report) = inquiry::inquire(&api, &entry).await {
        reporter.tell(report);
    }
}
