//! The text that a person typed into Telegram. Its apps take `__x__`, `**x**`, `` `x` ``, `~~x~~`,
//! `||x||` and links out of a text and send entities in their place. Here the signs are put back,
//! since an agent is to get what was typed: <https://core.telegram.org/bots/api#messageentity>.
//!
//! Not here: which words are an answer.

mod read;
mod signs;
pub(in crate::channels::telegram) mod taken_words;
#[cfg(test)]
mod tests;

use beckon_core::WrittenText;
pub(super) use read::{begins_with_command, read_marks};

/// A text and its formatted stretches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SentText {
    /// The text as Telegram gives it, without the signs.
    pub plain: String,
    /// The stretches that had signs.
    pub marks: Vec<TextMark>,
    /// Whether Telegram takes the first word for a command to a bot.
    pub begins_with_command: bool,
}

/// A formatted stretch of a text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TextMark {
    /// The beginning of the stretch, in UTF-16 units.
    pub start: usize,
    /// The end of the stretch, in UTF-16 units.
    pub end: usize,
    /// The kind of its format.
    pub kind: MarkKind,
}

/// The format of a stretch of text. A format that people cannot type is not among them: an
/// underline, the colour of an emoji; nor one that is in the text as it was typed: a bare link, a
/// command.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MarkKind {
    /// `> x`, a line at a time. It is outside of all others.
    Quote,
    /// `[x](url)`
    Link {
        /// The address that the link leads to.
        url: String,
    },
    /// `**x**`
    Bold,
    /// `__x__`
    Italic,
    /// `~~x~~`
    Strikethrough,
    /// `||x||`
    Spoiler,
    /// `` `x` ``
    Code,
    /// A block between fences.
    Block {
        /// The language, if it was named.
        language: String,
    },
}

impl SentText {
    /// Appends the next part of a text that an app has split, after what was between them.
    pub(super) fn append(&mut self, more: Self, between: &str) {
        self.plain.push_str(between);
        let offset = units(&self.plain);

        self.plain.push_str(&more.plain);
        self.marks
            .extend(more.marks.into_iter().map(|mark| TextMark {
                start: mark.start.saturating_add(offset),
                end: mark.end.saturating_add(offset),
                ..mark
            }));
    }

    /// Leaves out the bot's name where it is before or behind what is said to it.
    pub(super) fn without_mention(&self, bot: &str) -> Self {
        let is_bots = |word: &str| {
            let name = word.strip_prefix('@').unwrap_or_default();
            name.trim_end_matches([',', ':']).eq_ignore_ascii_case(bot)
        };
        let first = self.plain.split_whitespace().next().unwrap_or_default();
        let behind = if is_bots(first) {
            self.plain.trim_start()[first.len()..].trim_start()
        } else {
            self.plain.as_str()
        };
        let last = behind.split_whitespace().next_back().unwrap_or_default();
        let words = if is_bots(last) {
            behind[..behind.trim_end().len() - last.len()].trim_end()
        } else {
            behind
        };
        if words.is_empty() || words.len() == self.plain.len() {
            return self.clone();
        }

        let begins = units(&self.plain) - units(behind);
        let ends = begins + units(words);
        let marks = self
            .marks
            .iter()
            .filter(|mark| mark.start < ends && mark.end > begins);
        let marks = marks.map(|mark| TextMark {
            start: mark.start.max(begins) - begins,
            end: mark.end.min(ends) - begins,
            kind: mark.kind.clone(),
        });
        Self {
            plain: words.to_owned(),
            marks: marks.collect(),
            begins_with_command: self.begins_with_command && begins == 0,
        }
    }

    /// Returns the words without and with their signs.
    pub(super) fn written(&self) -> WrittenText {
        WrittenText {
            plain: self.plain.clone(),
            full: signs::put_back(&self.plain, &self.marks),
            is_struck: self
                .marks
                .iter()
                .any(|mark| mark.kind == MarkKind::Strikethrough),
        }
    }
}

impl From<&str> for SentText {
    fn from(text: &str) -> Self {
        Self {
            plain: text.to_owned(),
            ..Self::default()
        }
    }
}

/// Returns the length of a text as Telegram counts it.
fn units(text: &str) -> usize {
    text.encode_utf16().count()
}
