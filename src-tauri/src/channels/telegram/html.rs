//! Functions that make strangers' texts fit for Telegram: cleaned, cut, escaped, and measured as
//! Telegram measures them.
//!
//! Not here: what is said, and what a text hides (`beckon_core::visible`).

use beckon_core::visible;

/// A piece of a message in Telegram's HTML, with its length.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Html {
    text: String,
    units: usize,
}

/// The style of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    Plain,
    Bold,
    /// The words of another person or program, a few lines of which are shown before they are
    /// unfolded: `expandable_blockquote` (<https://core.telegram.org/bots/api#html-style>). Nothing
    /// of the kind of [`Style::Code`] may stand in it.
    Quote,
    /// Text as it is, every character visible.
    Code,
    /// Text as it is, coloured as a change.
    Diff,
}

impl Html {
    pub(super) fn plain(text: &str) -> Self {
        Self::styled(Style::Plain, text)
    }

    pub(super) fn bold(text: &str) -> Self {
        Self::styled(Style::Bold, text)
    }

    /// Makes a piece: the text is escaped and wrapped, not cleaned. What comes from outside went
    /// through [`line()`], [`prose`] or [`exact`] before.
    pub(super) fn styled(style: Style, text: &str) -> Self {
        let (open, close) = match style {
            Style::Plain => ("", ""),
            Style::Bold => ("<b>", "</b>"),
            Style::Quote => ("<blockquote expandable>", "</blockquote>"),
            Style::Code => ("<pre>", "</pre>"),
            Style::Diff => ("<pre><code class=\"language-diff\">", "</code></pre>"),
        };
        Self {
            text: format!("{open}{}{close}", escape(text)),
            units: units(text),
        }
    }

    /// Makes words that lead to an address of ours.
    pub(super) fn link(text: &str, url: &str) -> Self {
        let html = format!("<a href=\"{}\">{}</a>", escape(url), escape(text));
        Self {
            text: html,
            units: units(text),
        }
    }

    pub(super) fn and(mut self, other: Self) -> Self {
        self.text.push_str(&other.text);
        self.units += other.units;
        self
    }

    /// Returns the length in UTF-16 units after the tags are read, which is what Telegram counts.
    pub(super) fn units(&self) -> usize {
        self.units
    }

    pub(super) fn into_text(self) -> String {
        self.text
    }
}

/// Escapes a text as part of a message in HTML.
pub(super) fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            c => safe.push(c),
        }
    }
    safe
}

/// Returns the length of a text in UTF-16 units.
pub(super) fn units(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}

/// Cleans a text and puts it on one line; characters that hide something are named.
pub(super) fn line(text: &str) -> String {
    prose(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Cleans a text of several lines; characters that hide something are named.
pub(super) fn prose(text: &str) -> String {
    visible::prose(&unix(text)).text.trim().to_owned()
}

/// Cleans a text as [`prose`] does, and cuts it to `most` units. The part that is cut off is not
/// looked at: it may be megabytes.
pub(super) fn prose_within(text: &str, most: usize) -> String {
    let text = text.trim();
    let end = text.char_indices().nth(most + 1);
    let beginning = &text[..end.map_or(text.len(), |(at, _)| at)];
    cut(&prose(beginning), most)
}

/// Cleans a command or a change, letter by letter: what would draw nothing or turn the writing
/// round is named, so that nobody allows what they do not see.
pub(super) fn exact(text: &str) -> String {
    visible::exact(&unix(text)).text
}

/// Cuts a text to `most` units, the last of them … when there were more; at the border of a word or
/// a line when one is near.
pub(super) fn cut(text: &str, most: usize) -> String {
    if units(text) <= most {
        return text.to_owned();
    }
    let mut room = most.saturating_sub(1);
    let mut end = 0;
    for (at, c) in text.char_indices() {
        if room < c.len_utf16() {
            break;
        }
        room -= c.len_utf16();
        end = at + c.len_utf8();
    }
    let end = near_border(text, whole_letter(text, end));
    let mut kept = text[..end].trim_end().to_owned();
    if most > 0 {
        kept.push('…');
    }
    kept
}

/// Returns the place where a letter or an emoji of several characters begins, if `end` would cut
/// through one.
fn whole_letter(text: &str, mut end: usize) -> usize {
    let goes_on = |end: usize| text[end..].chars().next().is_some_and(joins);
    let open = |end: usize| text[..end].ends_with('\u{200d}');
    while end > 0 && (goes_on(end) || open(end)) {
        end -= text[..end].chars().next_back().map_or(0, char::len_utf8);
    }
    end
}

/// Returns the place of the last white space, unless that costs more than a quarter of the text.
fn near_border(text: &str, end: usize) -> usize {
    let at_border = text[end..].starts_with(char::is_whitespace);
    let border = text[..end].rfind(char::is_whitespace);
    border
        .filter(|border| !at_border && end - border <= end / 4)
        .unwrap_or(end)
}

/// Whether a character is drawn together with the one before it.
fn joins(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{200d}' | '\u{20d0}'..='\u{20ff}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{1f3fb}'..='\u{1f3ff}')
}

fn unix(text: &str) -> String {
    text.replace("\r\n", "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_html_needs_is_escaped() {
        assert_eq!(
            Html::bold("<b>&\"'_*").into_text(),
            "<b>&lt;b&gt;&amp;&quot;'_*</b>"
        );
    }

    #[test]
    fn a_length_counts_letters_as_telegram_does_and_no_tags() {
        let html = Html::bold("a<").and(Html::styled(Style::Diff, "🦀!"));
        assert_eq!(html.units(), 5);
    }

    #[test]
    fn a_text_is_cut_at_a_word() {
        assert_eq!(cut("one two three four", 15), "one two three…");
        assert_eq!(cut("one two three", 13), "one two three");
        assert_eq!(cut("one twothreefour", 10), "one twoth…");
        assert_eq!(cut("one two three four", 16), "one two three…");
        assert_eq!(cut("one two three four", 17), "one two three…");
        assert_eq!(cut("one two threefourfive", 17), "one two threefou…");
        assert_eq!(cut("aaaa bbbb cccc dd ee", 18), "aaaa bbbb cccc dd…");
        assert_eq!(cut("one", 0), "");
    }

    #[test]
    fn no_letter_is_cut_through() {
        assert_eq!(cut("🦀🦀🦀", 4), "🦀…");
        assert_eq!(cut("aa👩\u{200d}💻bbb", 6), "aa…");
        assert_eq!(cut("ae\u{301}xx", 3), "a…");
        assert_eq!(
            cut("\u{301}xx", 1),
            "…",
            "nor one that nothing stands before"
        );
    }

    #[test]
    fn prose_shows_what_it_hides_and_keeps_emoji_whole() {
        assert_eq!(
            prose("a\u{1b}[31m\u{202e}b\r\nc\u{200b}"),
            "a⟨U+001B⟩[31m⟨U+202E⟩b\nc⟨U+200B⟩"
        );
        assert_eq!(line("👩\u{200d}💻\n ok\u{7}"), "👩\u{200d}💻 ok⟨U+0007⟩");
    }

    #[test]
    fn the_beginning_of_a_long_text_shows_what_it_hides() {
        assert_eq!(prose_within(" a\u{202e}b ", 20), "a⟨U+202E⟩b");
        assert_eq!(prose_within("a\u{200b}bcd", 5), "a⟨U+…");
        assert_eq!(prose_within(&"🦀".repeat(900_000), 5), "🦀🦀…");
        assert_eq!(prose_within("", 5), "");
    }

    #[test]
    fn a_command_shows_what_it_hides() {
        assert_eq!(
            exact("rm\u{202e} -rf\u{1b}\t/\r\n"),
            "rm⟨U+202E⟩ -rf⟨U+001B⟩\t/\n"
        );
    }
}
