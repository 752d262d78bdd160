//! The limit on what a server says although nobody asked: errors, greetings, confirmations, answers
//! to no question, and messages for nobody. None of it fills the memory, since the library drops it
//! at once. But reading it takes processor time, and a hostile server could go on for ever.
//!
//! An honest server says little of it: an error for what it forbids, a greeting when its cluster
//! changes, and what was on its way to a subscription when that ended. Answers that are waited for
//! show that the server still does its work, so each of them makes up for some of the rest. So
//! there is no need for a clock, and a connection may last for years.
//!
//! No IO happens here.

use super::flow::MOST_UNREAD;
use crate::hub::fault::OddServer;

/// The most lines that nobody asked for. The largest clusters have some hundred servers, each of
/// which may be told of in a greeting when all of them are started anew.
const MOST_WORDS: u64 = 512;
/// The number of such lines that an answer makes up for.
const WORDS_AN_ANSWER: u64 = 16;
/// The number of bytes for nobody that an answer makes up for.
const BYTES_AN_ANSWER: u64 = 1024 * 1024;

/// What a server has said although nobody asked.
#[derive(Debug, Default)]
pub(super) struct Unasked {
    /// The answers that the library waits for: to requests and pings.
    awaited: u64,
    words: u64,
    bytes: u64,
}

impl Unasked {
    /// Notes that the library asks something that is answered.
    pub(super) fn ask(&mut self) {
        self.awaited = self.awaited.saturating_add(1);
    }

    /// Counts an answer of the server.
    ///
    /// # Errors
    /// When nobody waits for it, and the server has said too much of that kind.
    pub(super) fn answer(&mut self) -> Result<(), OddServer> {
        let Some(awaited) = self.awaited.checked_sub(1) else {
            return self.word();
        };
        self.awaited = awaited;
        self.words = self.words.saturating_sub(WORDS_AN_ANSWER);
        self.bytes = self.bytes.saturating_sub(BYTES_AN_ANSWER);
        Ok(())
    }

    /// Counts a line that nobody asked for.
    ///
    /// # Errors
    /// When there were too many.
    pub(super) fn word(&mut self) -> Result<(), OddServer> {
        self.words += 1;
        if self.words > MOST_WORDS {
            return Err(OddServer::TooMuch);
        }
        Ok(())
    }

    /// Counts a message for a subscription that has ended, or that there never was.
    ///
    /// # Errors
    /// When there were more than an honest server has on its way.
    pub(super) fn for_nobody(&mut self, bytes: u64) -> Result<(), OddServer> {
        self.bytes = self.bytes.saturating_add(bytes);
        if self.bytes > MOST_UNREAD {
            return Err(OddServer::TooMuch);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_only_answers_may_go_on_for_ever_and_say_a_little_besides() {
        let mut unasked = Unasked::default();
        for _ in 0..100_000 {
            unasked.ask();
            unasked.word().unwrap();
            unasked.for_nobody(1_000).unwrap();
            unasked.answer().unwrap();
        }
    }

    #[test]
    fn lines_that_nobody_asked_for_end_soon_also_as_answers_to_no_question() {
        let said = |mut unasked: Unasked, say: fn(&mut Unasked) -> Result<(), OddServer>| {
            (0..10_000)
                .take_while(|_| say(&mut unasked).is_ok())
                .count()
        };
        assert_eq!(said(Unasked::default(), Unasked::word), 512);
        assert_eq!(said(Unasked::default(), Unasked::answer), 512);
        let mut has_asked = Unasked::default();
        has_asked.ask();
        assert_eq!(said(has_asked, Unasked::answer), 513);
    }

    #[test]
    fn what_was_on_its_way_when_its_reader_left_is_made_up_for_by_answers() {
        let mut unasked = Unasked::default();
        for _ in 0..100 {
            // The most that an honest server sends ahead.
            unasked.for_nobody(MOST_UNREAD / 2).unwrap();
            (0..40).for_each(|_| unasked.ask());
            (0..40).for_each(|_| unasked.answer().unwrap());
        }
        let for_nobody = (0..1_000).take_while(|_| unasked.for_nobody(1 << 20).is_ok());
        assert_eq!(for_nobody.count(), 64);
    }
}
