//! Strangers' texts made fit for one line of a menu.
//!
//! Not here: what is in the menu.

use beckon_core::Ask;

/// What is longer is cut: a menu as wide as the screen hides what it is about.
pub(super) const WIDTH: usize = 60;

/// One line without characters that draw nothing, break it or turn it round.
pub(super) fn line(text: &str) -> String {
    let clean: String = text.chars().filter(|c| !is_invisible(*c)).map(flat).collect();
    clean.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// At most `width` characters, the last of them … when there were more.
pub(super) fn cut(text: &str, width: usize) -> String {
    let text = line(text);
    if text.chars().count() <= width {
        return text;
    }
    let kept: String = text.chars().take(width.saturating_sub(1)).collect();
    format!("{}…", kept.trim_end())
}

/// The whole text over several lines, or `None` when it needs more than `most`.
pub(super) fn whole(text: &str, most: usize) -> Option<Vec<String>> {
    let mut lines = Vec::new();
    for part in text.lines() {
        let letters: Vec<char> = line(part).chars().collect();
        lines.extend(letters.chunks(WIDTH).map(|chunk| chunk.iter().collect::<String>()));
        if lines.len() > most {
            return None;
        }
    }
    Some(lines)
}

/// The name of the place that asks: the last component of the session's directory.
pub(super) fn place(ask: &Ask) -> String {
    let directory = ask.session.directory.trim_end_matches(['/', '\\']);
    let name = line(directory.rsplit(['/', '\\']).next().unwrap_or_default());
    let title = || ask.session.title.as_deref().map(line).filter(|title| !title.is_empty());
    let named = Some(name).filter(|name| !name.is_empty()).or_else(title);
    cut(&named.unwrap_or_else(|| ask.id.source.0.clone()), WIDTH / 3)
}

fn flat(c: char) -> char {
    if c.is_control() || c.is_whitespace() { ' ' } else { c }
}

/// Zero-width characters and those that change the writing direction: they make a text look like
/// another one.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_cut_between_characters_and_says_so() {
        let text = "数据库".repeat(40);
        let short = cut(&text, WIDTH);
        assert_eq!(short.chars().count(), WIDTH);
        assert!(short.ends_with('…'));
    }

    #[test]
    fn line_breaks_and_control_characters_become_spaces() {
        assert_eq!(line("Which\n\tdatabase\u{7}\r\n?"), "Which database ?");
    }

    #[test]
    fn a_text_cannot_be_turned_round_or_hidden() {
        assert_eq!(line("rm\u{202e} -rf\u{200b} /"), "rm -rf /");
    }

    #[test]
    fn a_text_is_shown_whole_or_not_at_all() {
        assert_eq!(whole("cd /srv\nmake", 3), Some(vec!["cd /srv".into(), "make".into()]));
        assert_eq!(whole(&"x".repeat(WIDTH * 4), 3), None);
    }
}
