//! A message of many parts that must fit Telegram's limit: the long parts are cut, evenly.
//!
//! Not here: the content of the parts.

use crate::channels::telegram::html::{Html, Style, cut, units};

/// The length of a message, in UTF-16 units after the tags are read
/// (<https://core.telegram.org/bots/api#sendmessage>).
pub(in crate::channels::telegram) const LIMIT: usize = 4_096;
/// The number of lines of a list that are shown; more would leave no room for any.
const MOST_LINES: usize = 150;
/// The length that the agent's last words have on any card, in UTF-16 units.
const LEAST_QUOTED: usize = 300;
/// The length that they have where there is room, in UTF-16 units: they are unfolded by a tap.
const MOST_QUOTED: usize = 1_000;

/// The parts of a message, a line or more each.
#[derive(Clone, Debug, Default)]
pub(super) struct Sheet {
    parts: Vec<SheetPart>,
    cut: bool,
}

#[derive(Clone, Debug)]
enum SheetPart {
    /// A part that is not cut; it is short by itself.
    Fixed(Html),
    /// A part that is cut if it is too long.
    Text {
        lead: Html,
        text: String,
        style: Style,
    },
    /// The agent's last words. They take the room that the others leave, and the rest of them is no
    /// loss.
    Quote(String),
}

impl Sheet {
    /// Adds a line that stays whole; the caller has seen to its length.
    pub(super) fn fixed(&mut self, html: Html) {
        self.parts.push(SheetPart::Fixed(html));
    }

    /// Adds a text that may be cut; nothing if it is empty.
    pub(super) fn text(&mut self, style: Style, text: impl Into<String>) {
        let text = text.into();
        if !text.is_empty() {
            self.parts.push(SheetPart::Text {
                lead: Html::default(),
                text,
                style,
            });
        }
    }

    /// Adds the first line, in bold behind its sign. It may be cut.
    pub(super) fn title(&mut self, sign: &str, text: impl Into<String>) {
        let lead = Html::plain(&format!("{sign} "));
        self.parts.push(SheetPart::Text {
            lead,
            text: text.into(),
            style: Style::Bold,
        });
    }

    /// Adds words that only help to decide; nothing if there are none.
    pub(super) fn quote(&mut self, text: impl Into<String>) {
        let text = text.into();
        if !text.is_empty() {
            self.parts.push(SheetPart::Quote(text));
        }
    }

    /// Adds numbered lines, each of which may be cut. Returns how many had no place.
    pub(super) fn list(&mut self, lines: Vec<String>) -> usize {
        let hidden = lines.len().saturating_sub(MOST_LINES);
        self.cut |= hidden > 0;
        for (index, text) in lines.into_iter().take(MOST_LINES).enumerate() {
            let lead = Html::plain(&format!("  {}  ", index + 1));
            self.parts.push(SheetPart::Text {
                lead,
                text,
                style: Style::Plain,
            });
        }
        hidden
    }

    /// Returns the message, and whether anything of it was cut.
    pub(super) fn finish(self) -> (String, bool) {
        let (most, quoted) = self.share();
        let mut is_cut = self.cut;
        let mut lines = Vec::new();
        for part in self.parts {
            lines.push(match part {
                SheetPart::Fixed(html) => html.into_text(),
                SheetPart::Text { lead, text, style } => {
                    is_cut |= units(&text) > most;
                    lead.and(Html::styled(style, &cut(&text, most))).into_text()
                }
                SheetPart::Quote(text) => {
                    Html::styled(Style::Quote, &cut(&text, quoted)).into_text()
                }
            });
        }
        (lines.join("\n"), is_cut)
    }

    /// Returns the length to which the longest texts are cut so that all fits, and that of what is
    /// quoted. A text shorter than that loses nothing.
    fn share(&self) -> (usize, usize) {
        let mut room = LIMIT.saturating_sub(self.fixed_units());
        let mut lengths: Vec<usize> = self.parts.iter().filter_map(SheetPart::flexible).collect();
        lengths.sort_unstable();
        for (index, length) in lengths.iter().enumerate() {
            let even = room / (lengths.len() - index);
            if *length > even {
                return (even, LEAST_QUOTED);
            }
            room -= length;
        }
        (LIMIT, (LEAST_QUOTED + room).min(MOST_QUOTED))
    }

    fn fixed_units(&self) -> usize {
        let own = self.parts.iter().map(|part| match part {
            SheetPart::Fixed(html) => html.units(),
            SheetPart::Text { lead, .. } => lead.units(),
            SheetPart::Quote(text) => units(text).min(LEAST_QUOTED),
        });
        own.sum::<usize>() + self.parts.len().saturating_sub(1)
    }
}

impl SheetPart {
    fn flexible(&self) -> Option<usize> {
        match self {
            Self::Fixed(_) | Self::Quote(_) => None,
            Self::Text { text, .. } => Some(units(text)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_is_left_alone() {
        let mut sheet = Sheet::default();
        sheet.fixed(Html::bold("head"));
        sheet.text(Style::Code, "make");
        sheet.text(Style::Plain, "");
        assert_eq!(
            sheet.finish(),
            ("<b>head</b>\n<pre>make</pre>".to_owned(), false)
        );
    }

    #[test]
    fn the_longest_gives_way_first_and_the_message_is_full() {
        let mut sheet = Sheet::default();
        sheet.text(Style::Plain, "short");
        sheet.text(Style::Plain, "x".repeat(9_000));
        sheet.text(Style::Plain, "y".repeat(9_000));
        let (html, cut) = sheet.finish();
        assert!(cut && html.starts_with("short\nxxx"));
        assert!(
            (LIMIT - 2..=LIMIT).contains(&units(&html)),
            "{}",
            units(&html)
        );
    }

    #[test]
    fn what_fills_the_message_is_whole_and_what_one_leaves_over_is_anothers() {
        let sheet_of = |lengths: &[usize]| {
            let mut sheet = Sheet::default();
            lengths
                .iter()
                .for_each(|length| sheet.text(Style::Plain, "x".repeat(*length)));
            let (html, cut) = sheet.finish();
            (units(&html), cut)
        };
        assert_eq!(sheet_of(&[LIMIT]), (LIMIT, false));
        assert_eq!(sheet_of(&[LIMIT + 1]), (LIMIT, true));
        // Two line ends beside three texts: 1,364 each, and two left over.
        assert_eq!(sheet_of(&[1_364, 9_000, 9_000]), (LIMIT, true));
    }

    #[test]
    fn what_is_quoted_takes_what_the_others_leave_and_counts_as_nothing_cut() {
        for (length, cut_of_it) in [(10, false), (3_700, false), (3_900, true)] {
            let mut sheet = Sheet::default();
            sheet.text(Style::Code, "x".repeat(length));
            sheet.quote("y".repeat(5_000));
            let (html, cut) = sheet.finish();
            assert_eq!(cut, cut_of_it, "{length}");
            let quoted = html.matches('y').count();
            assert_eq!(
                quoted,
                if length < 1_000 {
                    999
                } else {
                    quoted.clamp(299, 395)
                }
            );
            assert!(
                units(&html) <= LIMIT + "<pre></pre><blockquote expandable></blockquote>".len()
            );
        }
    }

    #[test]
    fn of_an_endless_list_the_beginning_is_shown() {
        let mut sheet = Sheet::default();
        assert_eq!(sheet.list(vec!["one".into(); 9_999]), 9_849);
        let (html, cut) = sheet.finish();
        assert!(cut && html.starts_with("  1  one\n  2  one\n"));
    }
}
