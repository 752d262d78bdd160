//! The rows that must be on the disk when a commit returns: those that somebody relies on from then
//! on. All others may be lost in a power cut, since they come back from the sources or are only a
//! trace.

use super::CommitRows;
use crate::channels::telegram::pairing::pairings::PairingChange;
use crate::sources::local_asks::messages;
use beckon_core::{AskState, Outcome, RowChange};

/// Whether somebody relies on any of the rows.
pub(super) fn relied_on(rows: &CommitRows<'_>) -> bool {
    rows.save.iter().any(is_promise)
        || rows.pairings.iter().any(is_pairing)
        || rows.asking.iter().any(is_ticket)
        // An answer that was refused or taken once must not be taken again after a power cut.
        || !rows.rounds.is_empty()
        || !rows.chats.is_empty()
}

/// Whether somebody relies on the row:
///
/// - a human has answered, has begun to, has said where they are, or was told that the agent has
///   the answer;
/// - an answer was sent, and must not be sent again to whatever is asked later;
/// - a card outlives a power cut, and must be found again.
fn is_promise(save: &RowChange) -> bool {
    match save {
        RowChange::Ask(entry) => match &entry.state {
            AskState::Answering {
                attempts, sent_at, ..
            } => *attempts <= 1 || sent_at.is_some(),
            AskState::Settled { outcome, .. } => matches!(outcome, Outcome::Answered { .. }),
            // The choices made so far are on the card, and a press on "Done" must send just these.
            AskState::Open => entry.returned.is_some() || entry.draft.is_some(),
        },
        RowChange::Standing { .. } => true,
        // A notification goes with its machine. A message in a chat stays, with its buttons, until
        // it is removed by its number.
        RowChange::Card {
            channel, handle, ..
        } => channel.stays_until_settled() && handle.is_some(),
        RowChange::NoCard { .. } | RowChange::Gone { .. } => false,
    }
}

/// Whether somebody relies on the change: it tells who may answer, or not any more, or where the
/// list is, of which there must be only one. How far updates were read, and the topics of a group,
/// can be found again.
fn is_pairing(entry: &PairingChange) -> bool {
    match entry {
        PairingChange::Person(_) | PairingChange::NoPerson(_) | PairingChange::Group(_) => true,
        PairingChange::List(_, message) => message.is_some(),
        PairingChange::Read(..) | PairingChange::Topic(..) => false,
    }
}

/// Whether the change is of an asker that does not wait by a connection. It may live on another
/// machine, and come back.
fn is_ticket(change: &messages::RecordChange) -> bool {
    matches!(change, messages::RecordChange::Put(record) if !record.attended || record.ended.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use beckon_core::{
        Answer, Ask, AskContent, AskId, AskState, Channel, Draft, Entry, PresenceOverride,
        Question, Session, Surface, Timestamp,
    };

    fn relies(state: AskState) -> bool {
        let (id, session) = (AskId::new("local", "int_1"), Session::default());
        let kind = AskContent::Confirm("Go on?".into());
        let ask = Ask {
            id,
            kind,
            session,
            call: None,
            asked_at: Timestamp(0),
        };
        let mut entry = Entry::new(ask, 1);
        entry.state = state;
        relied_on(&CommitRows {
            save: &[RowChange::Ask(Box::new(entry))],
            ..CommitRows::default()
        })
    }

    fn answering(attempts: u32, sent_at: Option<Timestamp>) -> AskState {
        let (answer, by, at) = (Answer::Continue, Surface::Cli, Timestamp(0));
        AskState::Answering {
            answer,
            by,
            at,
            attempts,
            tried_at: None,
            sent_at,
            unanswered: false,
        }
    }

    #[test]
    fn an_answer_is_relied_on_when_it_is_given_sent_and_taken_but_not_at_each_retry() {
        assert!(relies(answering(1, None)));
        assert!(!relies(answering(2, None)));
        assert!(
            relies(answering(2, Some(Timestamp(1)))),
            "it must not be sent to the next one"
        );
        let (answer, by) = (Answer::Continue, Surface::Cli);
        let outcome = Outcome::Answered { answer, by };
        assert!(relies(AskState::Settled {
            outcome,
            at: Timestamp(2)
        }));
    }

    #[test]
    fn what_comes_back_from_its_source_is_not() {
        assert!(!relies(AskState::Open));
        assert!(!relies(AskState::Settled {
            outcome: Outcome::Gone,
            at: Timestamp(2)
        }));
        let card = RowChange::NoCard {
            ask: AskId::new("local", "int_1"),
            channel: Channel::Telegram,
        };
        assert!(!relied_on(&CommitRows {
            save: &[card],
            ..CommitRows::default()
        }));
    }

    #[test]
    fn an_answer_under_way_is() {
        let (id, session) = (AskId::new("local", "que_1"), Session::default());
        let kind = AskContent::Questions(vec![Question::default()]);
        let ask = Ask {
            id,
            kind,
            session,
            call: None,
            asked_at: Timestamp(0),
        };
        let mut entry = Entry::new(ask, 1);
        entry.draft = Some(Draft::new(&entry.ask));
        let save = [RowChange::Ask(Box::new(entry))];
        assert!(relied_on(&CommitRows {
            save: &save,
            ..CommitRows::default()
        }));
    }

    #[test]
    fn where_a_message_stands_is_and_where_a_notification_does_is_not() {
        let relies = |channel, handle: Option<&str>| {
            let (ask, handle) = (AskId::new("local", "int_1"), handle.map(Into::into));
            let card = RowChange::Card {
                ask,
                serial: Some(1),
                channel,
                handle,
                closed: false,
            };
            relied_on(&CommitRows {
                save: &[card],
                ..CommitRows::default()
            })
        };
        assert!(relies(Channel::Telegram, Some("{}")));
        assert!(!relies(Channel::Telegram, None));
        assert!(!relies(Channel::Desktop, Some("1")));
    }

    #[test]
    fn what_a_human_has_said_of_themselves_is() {
        let (said, said_until, paused_until) = (PresenceOverride::Away, None, None);
        let save = [RowChange::Standing {
            said,
            said_until,
            paused_until,
        }];
        assert!(relied_on(&CommitRows {
            save: &save,
            ..CommitRows::default()
        }));
        let pairings = [PairingChange::NoPerson(
            crate::channels::telegram::pairing::pairings::UserId(7),
        )];
        assert!(relied_on(&CommitRows {
            pairings: &pairings,
            ..CommitRows::default()
        }));
    }
}
