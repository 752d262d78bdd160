//! The check whether own text matches the pattern that a form's schema demands. Schemas write
//! patterns as JavaScript does
//! (<https://json-schema.org/understanding-json-schema/reference/regular_expressions>), and are a
//! stranger's: they are matched in linear time, so that none can hold the loop up.
//!
//! A right answer must never be refused. So what only JavaScript has (a look ahead, a reference
//! back) and what it understands in another way is not checked here. The source checks it.

use alloc::format;
use alloc::string::String;
use core::iter::Peekable;
use core::str::Chars;
use regex::RegexBuilder;

/// More than any field's pattern takes, in bytes.
const LARGEST: usize = 1 << 20;
const DIGITS: &str = "0-9";
const LETTERS: &str = "0-9A-Za-z_";
/// White space and ends of lines (<https://tc39.es/ecma262/#prod-CharacterClassEscape>).
const SPACES: &str = r"\t\n\x0B\x0C\r \u{A0}\u{1680}\u{2000}-\u{200A}\u{2028}\u{2029}\u{202F}\u{205F}\u{3000}\u{FEFF}";
const ANY: &str = r"[^\n\r\u{2028}\u{2029}]";

/// Whether the text matches somewhere; true also if that cannot be told here.
pub(super) fn fits(pattern: &str, text: &str) -> bool {
    let Some(translated) = translate(pattern) else {
        return true;
    };
    let built = RegexBuilder::new(&translated).size_limit(LARGEST).build();
    built.map_or(true, |pattern| pattern.is_match(text))
}

/// Writes a pattern of JavaScript as one of ours. `None` where it may mean something else here.
fn translate(pattern: &str) -> Option<String> {
    let mut rest = pattern.chars().peekable();
    let mut written = String::new();
    while let Some(c) = rest.next() {
        match c {
            '\\' => written.push_str(&escape(&mut rest, false)?),
            '[' => class(&mut rest, &mut written)?,
            '.' => written.push_str(ANY),
            c => written.push(c),
        }
    }
    Some(written)
}

/// Writes the content of square brackets, where brackets, `&&`, `--` and `~~` mean more here.
fn class(rest: &mut Peekable<Chars<'_>>, written: &mut String) -> Option<()> {
    written.push('[');
    if rest.next_if_eq(&'^').is_some() {
        written.push('^');
    }
    // `[]` matches nothing in JavaScript; here the second bracket would be a character of the
    // class.
    if rest.peek() == Some(&']') {
        return None;
    }

    while let Some(c) = rest.next() {
        match c {
            ']' => {
                written.push(']');
                return Some(());
            }
            '\\' => written.push_str(&escape(rest, true)?),
            '-' if rest.peek() == Some(&'-') => return None,
            '[' | '&' | '~' => {
                written.push('\\');
                written.push(c);
            }
            c => written.push(c),
        }
    }
    None
}

fn escape(rest: &mut Peekable<Chars<'_>>, in_class: bool) -> Option<String> {
    let c = rest.next()?;
    let written = match c {
        'd' | 'w' | 's' if in_class => characters(c).into(),
        'd' | 'w' | 's' => format!("[{}]", characters(c)),
        'D' | 'W' | 'S' if !in_class => format!("[^{}]", characters(c)),
        'b' if in_class => r"\x08".into(),
        'b' | 'B' if !in_class => format!(r"(?-u:\{c})"),
        'n' | 'r' | 't' | 'f' | 'v' | 'x' | 'u' => escaped(c),
        '0' if !rest.peek().is_some_and(char::is_ascii_digit) => r"\x00".into(),
        // In JavaScript an escaped one is itself; with a backslash it would be the beginning or the
        // end of a word here.
        '<' | '>' => String::from(c),
        c if c.is_ascii_punctuation() => escaped(c),
        c if c.is_ascii_alphanumeric() => return None,
        c => String::from(c),
    };
    Some(written)
}

/// Returns the characters that a class letter stands for, whether it means them or all others.
fn characters(letter: char) -> &'static str {
    match letter.to_ascii_lowercase() {
        'd' => DIGITS,
        'w' => LETTERS,
        _ => SPACES,
    }
}

fn escaped(c: char) -> String {
    let mut written = String::from('\\');
    written.push(c);
    written
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn what_javascript_matches_is_matched_and_nothing_else() {
        for (pattern, matches, others) in [
            ("^[a-z]+$", &["abc"][..], &["", "Abc", "a b", "abc\n"][..]),
            ("b", &["abc"], &["ac"]),
            (r"^\d{3}$", &["123"], &["12", "1２3"]),
            (r"^[\w.-]+$", &["a_b-c.d"], &["é", "a b"]),
            (r"^\/usr\/", &["/usr/bin"], &["usr"]),
            ("^.$", &["é", "a"], &["\n", "\u{2028}", "ab"]),
            (r"^[\u0041-\u0043]$", &["B"], &["D"]),
            ("^[[&]$", &["[", "&"], &["a"]),
            (r"\bcat\b", &["a cat"], &["concat"]),
            (r"^\S+\s\S+$", &["a b", "a\u{a0}b"], &["ab", "a  b"]),
            (r"^[\s\d]*$", &["1 2", "\u{3000}"], &["a"]),
            ("^(?:a|b)$", &["a"], &["c"]),
            (r"^\<[a-z]+\>$", &["<abc>"], &["abc"]),
            (r"^[\<\>]$", &["<", ">"], &["a"]),
            ("^(?<year>[0-9]{4})$", &["2026"], &["26"]),
            ("", &["", "x"], &[]),
        ] {
            for text in matches {
                assert!(fits(pattern, text), "{pattern} {text:?}");
            }
            for text in others {
                assert!(!fits(pattern, text), "{pattern} {text:?}");
            }
        }
    }

    #[test]
    fn what_is_understood_by_javascript_alone_is_left_to_the_source() {
        for pattern in [
            "^(?=.*[0-9]).+$",
            "^(?!root$)",
            r"^(a)\1$",
            r"^(?<x>a)\k<x>$",
            r"^\p{Lu}$",
            r"^[^\D]$",
            "[]",
            "[^]",
            "[+--]",
            "(",
            "a{9999}{9999}{99}",
            r"\",
            r"\cA",
            "[a",
        ] {
            assert!(fits(pattern, "anything"), "{pattern}");
        }
    }

    #[test]
    fn a_pattern_that_others_take_for_ever_with_is_matched_at_once() {
        let text = alloc::format!("{}!", "a".repeat(10_000));
        assert!(!fits("^(a+)+$", &text));
    }
}
