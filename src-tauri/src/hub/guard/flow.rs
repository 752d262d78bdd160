//! How much of what a server sends was read. The library keeps what nobody has read yet, however much that
//! is; a server that keeps to its own flow control never sends more than 32 MB ahead of its reader
//! (`JsFlowControlMaxPending` in <https://github.com/nats-io/nats-server/blob/main/server/consumer.go>).
//! It asks now and then, and the reader answers when it has come so far: that is seen here.
//!
//! Here is no IO.

use super::operations::ServerMessage;
use crate::hub::fault::OddServer;
use std::collections::BTreeMap;

/// The most that is kept for readers, in bytes: twice of what an honest server sends ahead of one.
pub(super) const MOST_UNREAD: u64 = 64 * 1024 * 1024;

/// A server may ask so often before an answer, for all readers; an honest one has one question open for
/// each.
const MOST_QUESTIONS: usize = 64;

/// How a server's question begins whether its reader keeps up.
const QUESTION: &str = "$JS.FC.";

/// Answers to requests go by this subscription of the library, which keeps none of them.
const REPLIES: u64 = 0;

/// What was sent to whom, and how much of it was read.
#[derive(Debug, Default)]
pub(super) struct Unread {
    sent: BTreeMap<u64, u64>,
    /// By the subject of the answer: who reads, and how much had been sent until then.
    questions: BTreeMap<String, (u64, u64)>,
}

impl Unread {
    /// Counts a message on its way to its reader.
    ///
    /// # Errors
    /// When more is unread than an honest server sends.
    pub(super) fn send(&mut self, message: &ServerMessage) -> Result<(), OddServer> {
        if message.subscription == REPLIES {
            return Ok(());
        }
        let size = u64::try_from(message.written.len()).unwrap_or(u64::MAX);
        let sent = self.sent.entry(message.subscription).or_default();
        *sent = sent.saturating_add(size);
        let sent = *sent;
        if let Some(question) = message.reply.as_ref().filter(|it| it.starts_with(QUESTION)) {
            let asked = (message.subscription, sent);
            self.questions.insert(question.clone(), asked);
        }
        let is_too_much = self.questions.len() > MOST_QUESTIONS || self.total() > MOST_UNREAD;
        if is_too_much {
            return Err(OddServer::TooMuch);
        }
        Ok(())
    }

    /// The library publishes to that subject: a reader may have answered a question.
    pub(super) fn answer(&mut self, subject: &str) {
        if let Some((subscription, read)) = self.questions.remove(subject) {
            let sent = self.sent.entry(subscription).or_default();
            *sent = sent.saturating_sub(read);
            self.questions
                .values_mut()
                .filter(|(of, _)| *of == subscription)
                .for_each(|(_, sent)| *sent = sent.saturating_sub(read));
        }
    }

    /// Nobody reads by that subscription any more.
    pub(super) fn end(&mut self, subscription: u64) {
        self.sent.remove(&subscription);
        self.questions.retain(|_, (of, _)| *of != subscription);
    }

    fn total(&self) -> u64 {
        self.sent
            .values()
            .fold(0, |sum, it| sum.saturating_add(*it))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(subscription: u64, reply: Option<&str>, size: usize) -> ServerMessage {
        ServerMessage {
            subscription,
            reply: reply.map(str::to_owned),
            written: vec![0; size],
        }
    }

    #[test]
    fn a_reader_that_keeps_up_reads_any_amount() {
        let mut unread = Unread::default();
        for round in 0..1000 {
            let question = format!("$JS.FC.BK_ASKS.x.{round}");
            unread.send(&message(1, None, 1_000_000)).unwrap();
            unread.send(&message(1, Some(&question), 10)).unwrap();
            unread.send(&message(1, None, 1_000_000)).unwrap();
            unread.answer(&question);
        }
    }

    #[test]
    fn what_nobody_reads_ends_at_the_most_that_is_kept() {
        let mut unread = Unread::default();
        let sent =
            (0..1000).take_while(|it| unread.send(&message(it % 3 + 1, None, 1 << 20)).is_ok());
        assert_eq!(sent.count(), 64);
        assert_eq!(unread.send(&message(1, None, 1)), Err(OddServer::TooMuch));
        unread.end(1);
        assert_eq!(unread.send(&message(2, None, 1)), Ok(()));
    }

    #[test]
    fn answers_to_requests_are_kept_by_nobody_and_questions_without_an_end_are_too_much() {
        let mut unread = Unread::default();
        for _ in 0..1000 {
            unread.send(&message(0, None, 1 << 20)).unwrap();
        }
        let asked = (0..1000).take_while(|it| {
            let question = format!("$JS.FC.BK_ASKS.x.{it}");
            unread.send(&message(1, Some(&question), 1)).is_ok()
        });
        assert_eq!(asked.count(), MOST_QUESTIONS);
    }
}
