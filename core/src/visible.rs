//! A stranger's text as a person can judge it: characters that draw nothing, turn the writing round
//! or steer a terminal are named, `⟨U+202E⟩`; and whether it could be taken for another text.
//!
//! Every surface shows texts through here, so that none of them shows another command than the one
//! it allows. The windows' pages do the same in `ui/src/lib/hidden.ts`; `tests/visible.json` holds
//! what both must answer. Letters that merely look like others are left alone.

use alloc::string::String;
use core::fmt::Write;

/// The number of blanks inside a line that push what follows out of sight.
const BLANKS: usize = 16;
/// The number of blanks that do so at the beginning of a line: indented code begins further to the
/// right than any sentence, but not that far.
const INDENT: usize = 48;
/// The width of a tab, in blanks; roughly.
const TAB: usize = 8;
/// The number of line breaks in a row that leave a hole at which a text seems to end.
const BREAKS: usize = 4;

/// The braille pattern without dots: a letter for Unicode, and a blank for the eye.
const BRAILLE_BLANK: char = '\u{2800}';

/// A text that is fit to be shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VisibleText {
    /// The text with every hidden character named.
    pub text: String,
    /// Whether it could be taken for another text: something had to be named, or white space or
    /// letters that run from right to left move parts of it.
    pub deceptive: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum TextCare {
    /// Every unusual character matters.
    Exact,
    /// Emoji and some scripts need joiners, direction marks and wide blanks.
    Prose,
}

/// Shows a command, a path or a change, character by character.
pub fn exact(text: &str) -> VisibleText {
    VisibleText {
        text: named(text, TextCare::Exact),
        deceptive: is_deceptive(text),
    }
}

/// Shows sentences: the characters of which emoji and scripts are made stay as they are.
pub fn prose(text: &str) -> VisibleText {
    let shown = named(text, TextCare::Prose);
    let deceptive = shown.len() != text.len() || has_holes(text);
    VisibleText {
        text: shown,
        deceptive,
    }
}

/// Whether a command, a path or a change could be taken for another one.
pub fn is_deceptive(text: &str) -> bool {
    let mut before = None;
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        if runs_to_the_left(c) || is_hidden(c, before, rest.peek().copied(), TextCare::Exact) {
            return true;
        }
        before = Some(c);
    }
    has_holes(text)
}

/// Whether a terminal or a viewer acts on the character, or draws nothing for it. Such characters
/// are escaped in JSON that a person may look at.
pub fn is_unprintable(c: char) -> bool {
    c.is_control() || is_ignorable(c) || is_format(c) || is_line_separator(c)
}

/// Whether nothing of it is drawn: it is all blanks, and characters that have no shape. Such a text
/// is no answer and no label.
pub fn is_blank(text: &str) -> bool {
    text.chars()
        .all(|c| c.is_whitespace() || is_unprintable(c) || c == BRAILLE_BLANK)
}

fn named(text: &str, care: TextCare) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut before = None;
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        if is_hidden(c, before, rest.peek().copied(), care) {
            _ = write!(shown, "⟨U+{:04X}⟩", u32::from(c))
        } else {
            shown.push(c)
        }
        before = Some(c);
    }
    shown
}

fn is_hidden(c: char, before: Option<char>, next: Option<char>, care: TextCare) -> bool {
    match c {
        ' ' | '\n' | '\t' => false,
        // A carriage return is part of Windows' line break; alone it begins its line anew, over
        // what is there.
        '\r' => next != Some('\n'),
        c if is_selector(c) => !before.is_some_and(|base| selects(base, c, care)),
        '\u{200c}'..='\u{200f}' | '\u{61c}' => care == TextCare::Exact,
        // A character that could not be read is not what the agent uses.
        '\u{fffd}' | BRAILLE_BLANK => care == TextCare::Exact,
        c if is_line_separator(c) => true,
        c if c.is_whitespace() => c.is_control() || care == TextCare::Exact,
        c if is_format(c) => care == TextCare::Exact || matches!(c, '\u{fff9}'..='\u{fffb}'),
        c => c.is_control() || is_ignorable(c),
    }
}

/// Whether a variation selector belongs to the character before it: an emoji has one, a letter of a
/// command none. Several in a row are a text within the text.
fn selects(base: char, selector: char, care: TextCare) -> bool {
    match care {
        TextCare::Exact => selector == '\u{fe0f}' && is_symbol(base),
        TextCare::Prose => !(is_selector(base) || base.is_whitespace() || base.is_control()),
    }
}

fn is_symbol(c: char) -> bool {
    matches!(c, '\u{2190}'..='\u{27bf}' | '\u{2900}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}')
        && c != BRAILLE_BLANK
}

fn is_selector(c: char) -> bool {
    matches!(c, '\u{180b}'..='\u{180d}' | '\u{180f}' | '\u{fe00}'..='\u{fe0f}'
        | '\u{e0100}'..='\u{e01ef}')
}

fn is_line_separator(c: char) -> bool {
    matches!(c, '\u{2028}' | '\u{2029}')
}

/// Whether it is in `Default_Ignorable_Code_Point` of Unicode 16, which has the tag characters.
fn is_ignorable(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
        | '\u{ffa0}' | '\u{fff0}'..='\u{fff8}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// Whether it is one of the other characters of the category `Cf`.
fn is_format(c: char) -> bool {
    matches!(c,
        '\u{600}'..='\u{605}' | '\u{6dd}' | '\u{70f}' | '\u{890}'..='\u{891}' | '\u{8e2}'
        | '\u{fff9}'..='\u{fffb}' | '\u{110bd}' | '\u{110cd}' | '\u{13430}'..='\u{1343f}')
}

/// Whether it is a letter that turns the order of what is around it.
fn runs_to_the_left(c: char) -> bool {
    matches!(c,
        '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}'
        | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1eeff}')
}

/// Whether white space pushes a part of it out of sight.
fn has_holes(text: &str) -> bool {
    let (mut blanks, mut breaks, mut indented) = (0, 0, true);
    for c in text.chars() {
        match c {
            '\n' => (breaks, blanks, indented) = (breaks + 1, 0, true),
            '\r' => {}
            '\t' => blanks += TAB,
            c if c.is_whitespace() => blanks += 1,
            _ => {
                let pushed = blanks >= if indented { INDENT } else { BLANKS };
                if pushed || breaks >= BREAKS {
                    return true;
                }
                (breaks, blanks, indented) = (0, 0, false);
            }
        }
    }
    false
}
