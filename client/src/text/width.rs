//! The approximate width of a text as it is drawn. Not here: how much of a text is shown.

/// Returns the width in columns of a Latin letter: Han, Kana, Hangul and emoji take two.
pub fn columns(text: &str) -> usize {
    // Most emoji are two units of UTF-16, which makes two columns.
    text.encode_utf16().count() + text.chars().filter(|c| is_wide(*c)).count()
}

fn is_wide(c: char) -> bool {
    matches!(c, '\u{1100}'..='\u{115f}' | '\u{2e80}'..='\u{a4cf}' | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ff60}')
}

#[cfg(test)]
mod tests {
    use super::columns;

    #[test]
    fn han_and_emoji_are_as_wide_as_two_letters() {
        assert_eq!(["abc", "数据", "🔔a"].map(columns), [3, 4, 3]);
    }
}
