//! The limit on what a server may send before it is read. The library keeps unread messages,
//! however many they are, so a hostile server could fill the memory. Therefore the guard asks each
//! reader now and then how far it has come. It uses the server's own question for flow control,
//! which the library answers in order, once its reader has come to it. A server that keeps to its
//! own flow control sends at most 32 MB ahead of a reader (`JsFlowControlMaxPending` in
//! <https://github.com/nats-io/nats-server/blob/main/server/consumer.go>).
//!
//! The server's own questions do not suffice: it asks after up to 16 MB for each reader, and never
//! counts its heartbeats.
//!
//! No IO happens here.

use super::operations::{QUESTION, ServerMessage};
use crate::hub::fault::OddServer;
use std::collections::BTreeMap;

/// The most bytes that are kept for all readers: twice what an honest server sends ahead of one.
pub(super) const MOST_UNREAD: u64 = 64 * 1024 * 1024;

/// The number of unread bytes after which a reader is asked.
const ASKED_AFTER: u64 = 256 * 1024;

/// The bytes that the library needs for a message in addition to its content, rounded up.
const BESIDE: u64 = 512;

/// The most unanswered pings. An honest server sends at most two before it gets an answer
/// (`ping_max`). The library keeps each answer until it is sent, and a hostile server need not read
/// them.
const MOST_PINGS: usize = 64;

/// The head of a question to a reader: the library answers every message that has this status and a
/// reply subject.
const QUESTION_HEAD: &str = "NATS/1.0 100 FlowControl Request\r\n\r\n";

/// The messages that were sent to each reader and not read.
#[derive(Debug, Default)]
pub(super) struct Unread {
    readers: BTreeMap<u64, Reader>,
    /// The number of questions asked so far.
    asked: u64,
    /// The number of pings that are not answered yet.
    pings: usize,
}

#[derive(Debug, Default)]
struct Reader {
    unread: u64,
    question: Option<Question>,
}

/// A question that is open.
#[derive(Debug)]
struct Question {
    number: u64,
    /// The unread bytes that came before the question.
    covers: u64,
}

impl Unread {
    /// Notes that a subscription begins.
    pub(super) fn begin(&mut self, subscription: u64) {
        self.readers.entry(subscription).or_default();
    }

    /// Counts a message on its way to its reader, and returns the question to send after it, if
    /// any. A message that has no reader is not counted.
    ///
    /// # Errors
    /// When more is unread than an honest server sends.
    pub(super) fn send(&mut self, message: &ServerMessage) -> Result<Option<Vec<u8>>, OddServer> {
        let Some(reader) = self.readers.get_mut(&message.subscription) else {
            return Ok(None);
        };
        reader.unread = reader.unread.saturating_add(size(message));
        let is_asked =
            message.is_of_stream && reader.question.is_none() && reader.unread >= ASKED_AFTER;
        let question = is_asked.then(|| reader.ask(message.subscription, &mut self.asked));
        if self.total() > MOST_UNREAD {
            return Err(OddServer::TooMuch);
        }
        Ok(question)
    }

    /// Takes in the library's answer to that question: its reader has come that far.
    pub(super) fn answer(&mut self, number: u64) {
        let is_it = |reader: &&mut Reader| {
            let question = reader.question.as_ref();
            question.is_some_and(|it| it.number == number)
        };
        if let Some(reader) = self.readers.values_mut().find(is_it)
            && let Some(question) = reader.question.take()
        {
            reader.unread = reader.unread.saturating_sub(question.covers);
        }
    }

    /// Whether somebody reads what comes for that subscription.
    pub(super) fn has_reader(&self, subscription: u64) -> bool {
        self.readers.contains_key(&subscription)
    }

    /// Forgets a subscription that has ended.
    pub(super) fn end(&mut self, subscription: u64) {
        self.readers.remove(&subscription);
    }

    /// Counts a ping of the server, which asks whether this end is there.
    ///
    /// # Errors
    /// When it has asked more often than an honest one does, and takes no answer.
    pub(super) fn ping(&mut self) -> Result<(), OddServer> {
        self.pings += 1;
        if self.pings > MOST_PINGS {
            return Err(OddServer::TooMuch);
        }
        Ok(())
    }

    /// Counts an answer of the library to a ping.
    pub(super) fn pong(&mut self) {
        self.pings = self.pings.saturating_sub(1);
    }

    fn total(&self) -> u64 {
        let unread = self.readers.values().map(|it| it.unread);
        unread.fold(0, u64::saturating_add)
    }
}

/// Returns the bytes that a message takes in the library.
pub(super) fn size(message: &ServerMessage) -> u64 {
    let size = u64::try_from(message.written.len()).unwrap_or(u64::MAX);
    size.saturating_add(BESIDE)
}

impl Reader {
    fn ask(&mut self, subscription: u64, asked: &mut u64) -> Vec<u8> {
        *asked += 1;
        let number = *asked;
        let covers = self.unread;
        self.question = Some(Question { number, covers });
        let size = QUESTION_HEAD.len();
        let line = format!("HMSG {QUESTION}ASKED {subscription} {QUESTION}{number} {size} {size}");
        format!("{line}\r\n{QUESTION_HEAD}\r\n").into_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(subscription: u64, size: usize) -> ServerMessage {
        ServerMessage {
            subscription,
            is_of_stream: true,
            written: vec![0; size],
        }
    }

    fn read_by(subscriptions: impl IntoIterator<Item = u64>) -> Unread {
        let mut unread = Unread::default();
        subscriptions.into_iter().for_each(|it| unread.begin(it));
        unread
    }

    fn number(question: &[u8]) -> u64 {
        let text = std::str::from_utf8(question).unwrap();
        let reply = text.split(' ').nth(3).unwrap();
        reply.strip_prefix(QUESTION).unwrap().parse().unwrap()
    }

    #[test]
    fn readers_that_keep_up_read_any_amount_in_messages_of_any_size() {
        let mut unread = read_by(1..=8);
        for round in 0..500_000 {
            let size = if round % 100 == 0 { 100_000 } else { 80 };
            let question = unread.send(&record(round % 8 + 1, size)).unwrap();
            if let Some(question) = question {
                unread.answer(number(&question));
            }
        }
        assert!(unread.total() < 8 * (ASKED_AFTER + 200_000), "{unread:?}");
    }

    #[test]
    fn an_answer_that_comes_late_counts_for_what_was_sent_before_its_question() {
        let mut unread = read_by([1]);
        let question = unread.send(&record(1, 1 << 20)).unwrap().unwrap();
        assert_eq!(unread.send(&record(1, 1 << 20)), Ok(None));
        unread.answer(number(&question) + 1);
        assert_eq!(unread.total(), 2 * ((1 << 20) + BESIDE));
        unread.answer(number(&question));
        assert_eq!(unread.total(), (1 << 20) + BESIDE);
    }

    #[test]
    fn what_nobody_reads_ends_at_the_most_that_is_kept() {
        let mut unread = read_by(1..=3);
        let sent = (0..1000).take_while(|it| unread.send(&record(it % 3 + 1, 1 << 20)).is_ok());
        assert_eq!(sent.count(), 63);
        assert_eq!(unread.send(&record(1, 1)), Err(OddServer::TooMuch));
        unread.end(1);
        assert!(unread.send(&record(2, 1)).is_ok());
    }

    #[test]
    fn what_is_of_no_stream_is_asked_nothing_and_kept_to_the_same_limit() {
        let mut unread = read_by([1]);
        let plain = |subscription| ServerMessage {
            is_of_stream: false,
            ..record(subscription, 1 << 20)
        };
        let sent = (0..1000).take_while(|_| unread.send(&plain(1)) == Ok(None));
        assert_eq!(sent.count(), 63);
        unread.end(1);
        assert!(!unread.has_reader(1));
        assert_eq!(unread.send(&plain(1)), Ok(None), "nobody keeps it");
    }

    #[test]
    fn a_server_that_asks_on_without_an_answer_asks_too_much() {
        let mut unread = Unread::default();
        for _ in 0..1000 {
            unread.ping().unwrap();
            unread.pong();
        }
        let asked = (0..1000).take_while(|_| unread.ping().is_ok());
        assert_eq!(asked.count(), MOST_PINGS);
    }
}
