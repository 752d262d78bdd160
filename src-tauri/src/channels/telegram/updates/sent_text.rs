//! What somebody typed into Telegram. Its apps take `__x__`, `**x**`, `` `x` ``, `~~x~~`, `||x||` and links out
//! of a text and send entities in their place; here the signs are put back, since an agent is to get what
//! was typed: <https://core.telegram.org/bots/api#messageentity>.
//!
//! Not here: which words are an answer.

mod read;
mod signs;
#[cfg(test)]
mod tests;

use beckon_core::WrittenText;
pub(super) use read::read_marks;

/// A text and where it was formatted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SentText {
    /// The text as Telegram gives it, without the signs.
    pub plain: String,
    /// Where the signs were.
    pub marks: Vec<TextMark>,
}

/// A formatted stretch of a text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TextMark {
    /// Where it begins, in UTF-16 units.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// How it is formatted.
    pub kind: MarkKind,
}

/// How a stretch of text is formatted. What people cannot type is not among them: an underline, the colour
/// of an emoji; nor what stands in the text as it was typed: a bare link, a command.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MarkKind {
    /// `> x`, a line at a time. It is outside of all others.
    Quote,
    /// `[x](url)`
    Link {
        /// Where it leads.
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
    /// Appends the next part of a text that an app has split, behind what stood between them.
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
            marks: Vec::new(),
        }
    }
}

/// The length of a text as Telegram counts it.
fn units(text: &str) -> usize {
    text.encode_utf16().count()
}
