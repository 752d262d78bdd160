//! The words that were taken lately. A person who changes them afterwards is told that the first
//! ones count. Nothing of it outlives a restart.

use crate::channels::telegram::pairing::pairings::ChatId;
use std::collections::VecDeque;

/// The number of messages that are known. A slip is mended within a minute or two; more answers are
/// not written in that time.
const MOST_KNOWN: usize = 32;

/// The latest words that were taken, with the chat and the number of their message.
#[derive(Debug, Default)]
pub(in crate::channels::telegram) struct TakenWords {
    words: VecDeque<(ChatId, i32, String)>,
}

impl TakenWords {
    /// Notes the words of a message as they were taken.
    pub(in crate::channels::telegram) fn note(&mut self, words: (ChatId, i32, String)) {
        if self.words.len() == MOST_KNOWN {
            self.words.pop_front();
        }
        self.words.push_back(words);
    }

    /// Whether a message whose words were taken says something else now. Telegram also tells of an
    /// edit where nothing but a preview has come.
    pub(in crate::channels::telegram) fn is_another(
        &self,
        chat: ChatId,
        number: i32,
        text: &str,
    ) -> bool {
        let is_it = |(of, message, _): &&(ChatId, i32, String)| *of == chat && *message == number;
        let taken = self.words.iter().find(is_it);
        taken.is_some_and(|(_, _, was)| was != text)
    }
}
