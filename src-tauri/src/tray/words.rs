//! Makes strangers' texts fit for one line of a menu.
//!
//! Not here: what is in the menu.

use beckon_core::Ask;
use beckon_core::visible::prose;

/// The most characters of a line. A menu as wide as the screen hides what it is about.
pub(super) const WIDTH: usize = 60;

/// Makes one line of a text, in which hidden characters are named.
pub(super) fn line(text: &str) -> String {
    prose(text)
        .text
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

/// Shortens a line to have room for one sign more, which says that the text goes on.
pub(super) fn marked_as_cut(line: &str) -> String {
    let kept: String = line.chars().take(WIDTH - 1).collect();
    format!("{}…", kept.trim_end())
}

/// Cuts a text to at most `width` characters, the last of them … when there were more.
pub(super) fn cut(text: &str, width: usize) -> String {
    let text = line(text);
    if text.chars().count() <= width {
        return text;
    }
    let kept: String = text.chars().take(width.saturating_sub(1)).collect();
    format!("{}…", kept.trim_end())
}

/// Breaks a text of which nothing is hidden into lines with all its blanks; `None` when it needs
/// more than `most`.
pub(super) fn whole(visible: &str, most: usize) -> Option<Vec<String>> {
    let mut lines = Vec::new();
    for part in visible.lines() {
        // A tab has a meaning of its own in a menu.
        let letters: Vec<char> = part.replace('\t', "    ").chars().collect();
        lines.extend(
            letters
                .chunks(WIDTH)
                .map(|chunk| chunk.iter().collect::<String>()),
        );
        if lines.len() > most {
            return None;
        }
    }
    Some(lines)
}

/// Breaks prose into lines, between words where there are some; `None` when it needs more than
/// `most`.
pub(super) fn whole_prose(visible: &str, most: usize) -> Option<Vec<String>> {
    let mut lines = Vec::new();
    for part in visible.lines() {
        lines.extend(wrapped(&part.replace('\t', "    ")));
        if lines.len() > most {
            return None;
        }
    }
    Some(lines)
}

/// Breaks a line of prose into lines that a menu has room for. A word that fills more than half a
/// line is broken, and so is a text without blanks, such as Chinese.
pub(super) fn wrapped(line: &str) -> Vec<String> {
    let letters: Vec<char> = line.chars().collect();
    let mut rest = letters.as_slice();
    let mut lines = Vec::new();
    while rest.len() > WIDTH {
        let blank = rest[..=WIDTH].iter().rposition(|letter| *letter == ' ');
        let blank = blank.filter(|at| *at > WIDTH / 2);
        let end = blank.unwrap_or(WIDTH);
        lines.push(rest[..end].iter().collect());
        rest = &rest[end + usize::from(blank.is_some())..];
    }
    lines.push(rest.iter().collect());
    lines
}

/// Returns the beginning of a text that may be megabytes long: more than any menu shows.
pub(super) fn beginning(text: &str) -> &str {
    text.char_indices()
        .nth(WIDTH * 16)
        .map_or(text, |(end, _)| &text[..end])
}

/// Returns the name of the place that asks: the last component of the session's directory.
pub(super) fn place(ask: &Ask) -> String {
    let directory = ask.session.directory.trim_end_matches(['/', '\\']);
    let name = line(directory.rsplit(['/', '\\']).next().unwrap_or_default());
    let title = || {
        ask.session
            .title
            .as_deref()
            .map(line)
            .filter(|title| !title.is_empty())
    };
    let named = Some(name).filter(|name| !name.is_empty()).or_else(title);
    cut(&named.unwrap_or_else(|| ask.id.source.0.clone()), WIDTH / 3)
}

/// Returns the part of an ask's origin that tells it from others that look like it: the agent or
/// program, the session's title, or else the directory's parent; nothing when all of that is the
/// same.
pub(super) fn unlike(ask: &Ask, others: &[&Ask]) -> Option<String> {
    let parts: [fn(&Ask) -> Option<String>; 3] = [who, title, parent];
    let differs = |part: &fn(&Ask) -> Option<String>| others.iter().any(|o| part(o) != part(ask));
    let said = parts
        .iter()
        .filter(|part| differs(part))
        .find_map(|part| part(ask));
    said.map(|said| cut(&said, WIDTH / 3))
}

fn who(ask: &Ask) -> Option<String> {
    ask.session.who().map(line)
}

fn title(ask: &Ask) -> Option<String> {
    ask.session
        .title
        .as_deref()
        .map(line)
        .filter(|title| !title.is_empty())
}

fn parent(ask: &Ask) -> Option<String> {
    let directory = ask.session.directory.trim_end_matches(['/', '\\']);
    let (parent, _) = directory.rsplit_once(['/', '\\'])?;
    parent
        .rsplit(['/', '\\'])
        .next()
        .map(line)
        .filter(|name| !name.is_empty())
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
    fn line_breaks_become_spaces_and_control_characters_are_named() {
        assert_eq!(
            line("Which\n\tdatabase\u{7}\r\n?"),
            "Which database⟨U+0007⟩ ?"
        );
    }

    #[test]
    fn a_text_cannot_be_turned_round_or_hidden() {
        assert_eq!(line("rm\u{202e} -rf\u{200b} /"), "rm⟨U+202E⟩ -rf⟨U+200B⟩ /");
    }

    #[test]
    fn prose_is_broken_between_words() {
        let text =
            "Which of the databases should the staging environment use from tomorrow morning on?";
        let lines = whole_prose(text, 3).unwrap();
        assert_eq!(lines.join(" "), text);
        assert!(lines.iter().all(|line| line.chars().count() <= WIDTH));
        let chinese = "数据库".repeat(30);
        assert_eq!(whole_prose(&chinese, 3).unwrap().concat(), chinese);
        let exact = format!("{} {}", "x".repeat(WIDTH), "y".repeat(WIDTH));
        assert_eq!(whole_prose(&exact, 2).unwrap().join(" "), exact);
    }

    #[test]
    fn a_text_is_shown_whole_or_not_at_all() {
        let lines = vec!["cd  /srv".into(), "    make".into()];
        assert_eq!(whole("cd  /srv\n\tmake", 3), Some(lines));
        assert_eq!(whole(&"x".repeat(WIDTH * 4), 3), None);
    }
}
