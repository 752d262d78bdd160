//! The words that tell people what they have just done. They are held back until that is saved: a
//! person who reads "Paired with Ada." relies on it, also after a crash. If the disk goes on
//! refusing, the words say that it is not saved.
//!
//! Not here: what is saved, and how long that is waited for (`app/saving.rs`).

use super::update::UpdatePlace;
use crate::channels::telegram::TelegramChannel;
use crate::channels::telegram::html::escape;
use crate::channels::telegram::outbox::OutgoingNote;
use crate::channels::telegram::pairing::pairings::ChatId;

/// Words that tell of something that is not saved yet.
#[derive(Debug)]
pub struct HeldWords(WordsPlace);

/// The place where words go, with the words.
#[derive(Debug)]
enum WordsPlace {
    /// The answer to a tap, by its query.
    ///
    /// The text is plain, and may be empty.
    Tap { query: String, text: String },
    /// A reply where somebody wrote. Without a text it is sent only if it has to say that something
    /// is not saved.
    Reply(ChatId, OutgoingNote),
    /// A message that nobody there has asked for.
    Unasked(ChatId, OutgoingNote),
}

impl TelegramChannel {
    /// Answers a tap when what it did is saved.
    pub(in crate::channels::telegram) fn answer_once_saved(&mut self, query: &str, text: String) {
        let query = query.to_owned();
        let tap = WordsPlace::Tap { query, text };
        self.held_words.push(HeldWords(tap));
    }

    /// Answers what somebody wrote, where they wrote it, when what it did is saved.
    pub(in crate::channels::telegram) fn answer_note_once_saved(
        &mut self,
        place: &UpdatePlace,
        html: String,
    ) {
        let note = OutgoingNote {
            html,
            silent: true,
            thread: place.thread,
            ..OutgoingNote::default()
        };
        let reply = WordsPlace::Reply(place.chat, note);
        self.held_words.push(HeldWords(reply));
    }

    /// Says something unasked when what it tells of is saved.
    pub(in crate::channels::telegram) fn say_once_saved(
        &mut self,
        chat: ChatId,
        note: OutgoingNote,
    ) {
        let unasked = WordsPlace::Unasked(chat, note);
        self.held_words.push(HeldWords(unasked));
    }

    /// Returns the words that wait until something is saved. They go out by
    /// [`Self::say_held_words`].
    pub fn take_held_words(&mut self) -> Vec<HeldWords> {
        std::mem::take(&mut self.held_words)
    }

    /// Says words that were held back. If what they tell of is not saved, they say so.
    pub fn say_held_words(&mut self, words: Vec<HeldWords>, is_saved: bool) {
        let warning = (!is_saved).then(|| self.texts.get("telegram-not-saved"));
        for HeldWords(place) in words {
            match place {
                WordsPlace::Tap { query, text } => {
                    self.answer(&query, with_warning(text, warning.clone()));
                }
                WordsPlace::Reply(chat, note) => {
                    let note = warned(note, warning.as_deref());
                    if !note.html.is_empty() {
                        self.post(chat, note);
                    }
                }
                WordsPlace::Unasked(chat, note) => {
                    self.say(chat, warned(note, warning.as_deref()));
                }
            }
        }
    }
}

fn warned(note: OutgoingNote, warning: Option<&str>) -> OutgoingNote {
    let html = with_warning(note.html, warning.map(escape));
    OutgoingNote { html, ..note }
}

/// Returns the text with the warning below it, if there is one.
fn with_warning(text: String, warning: Option<String>) -> String {
    match warning {
        None => text,
        Some(warning) if text.is_empty() => warning,
        Some(warning) => format!("{text}\n{warning}"),
    }
}
