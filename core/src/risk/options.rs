//! Options as a program reads them: several letters in one word, a value in the same word or in the
//! next one. A value is never read as an option.

use super::shell::Word;
use alloc::vec::Vec;

/// The options that a program knows, blanks between them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Options {
    /// The options without a value.
    pub(super) flags: &'static str,
    /// The options with a value.
    pub(super) values: &'static str,
    /// The options whose value can only be in the same word.
    pub(super) attached: &'static str,
}

/// An option that was given.
#[derive(Clone, Copy, Debug)]
pub(super) struct Given<'a> {
    /// The name without its dashes.
    pub(super) name: &'a str,
    is_long: bool,
    /// The word of its value, and where the value begins in that word.
    pub(super) value: Option<(usize, usize)>,
    /// The place of its own word.
    pub(super) at: usize,
    /// Whether the program is known to have it.
    pub(super) is_known: bool,
}

/// All of a program's words after its name.
#[derive(Debug, Default)]
pub(super) struct Arguments<'a> {
    pub(super) options: Vec<Given<'a>>,
    /// The places of the words that are no options.
    pub(super) operands: Vec<usize>,
    /// The number of operands before `--`.
    pub(super) before_dashes: usize,
}

impl Given<'_> {
    /// Whether it is that long option. `--force` may be shortened.
    pub(super) fn is_long(&self, name: &str) -> bool {
        self.is_long && self.name.len() > 1 && name.starts_with(self.name)
    }

    pub(super) fn is_short(&self, letters: &str) -> bool {
        !self.is_long && letters.contains(self.name)
    }
}

impl<'a> Arguments<'a> {
    /// Returns the last word with one of these options.
    pub(super) fn last(&self, is_one: impl Fn(&Given<'a>) -> bool) -> Option<usize> {
        let found = self.options.iter().rfind(|given| is_one(given));
        found.map(|given| given.at)
    }

    pub(super) fn has(&self, is_one: impl Fn(&Given<'a>) -> bool) -> bool {
        self.options.iter().any(is_one)
    }
}

impl Options {
    /// Reads the option that begins in this word, and returns which word follows it; `None` if it
    /// is no option.
    pub(super) fn read<'a>(
        self,
        words: &'a [Word],
        at: usize,
        given: &mut Vec<Given<'a>>,
    ) -> Option<usize> {
        let word = words.get(at)?.text();
        let dashed = word.strip_prefix('-').filter(|rest| !rest.is_empty())?;
        match dashed.strip_prefix('-') {
            Some("") => None,
            Some(long) => Some(self.long(long, words, at, given)),
            None => Some(self.short(dashed, words, at, given)),
        }
    }

    /// Reads all words, wherever the options are among the others.
    pub(super) fn of<'a>(self, words: &'a [Word], from: usize) -> Arguments<'a> {
        let (mut all, mut at) = (Arguments::default(), from);
        while at < words.len() {
            if words[at].text() == "--" {
                all.before_dashes = all.operands.len();
                all.operands.extend(at + 1..words.len());
                return all;
            }
            at = self.read(words, at, &mut all.options).unwrap_or_else(|| {
                all.operands.push(at);
                at + 1
            });
        }
        all.before_dashes = all.operands.len();
        all
    }

    fn long<'a>(
        self,
        long: &'a str,
        words: &'a [Word],
        at: usize,
        given: &mut Vec<Given<'a>>,
    ) -> usize {
        let (name, attached) = match long.split_once('=') {
            Some((name, _)) => (name, Some((at, name.len() + 3))),
            None => (long, None),
        };
        let is_flag = has_long(self.flags, name) || has_long(self.attached, name);
        let takes_next = attached.is_none()
            && !has(self.flags, "--", name)
            && (has(self.values, "--", name) || !is_flag && has_long(self.values, name))
            && at + 1 < words.len();
        given.push(Given {
            name,
            is_long: true,
            value: attached.or_else(|| takes_next.then_some((at + 1, 0))),
            at,
            is_known: is_flag || has_long(self.values, name) || attached.is_some(),
        });
        at + 1 + usize::from(takes_next)
    }

    fn short<'a>(
        self,
        letters: &'a str,
        words: &'a [Word],
        at: usize,
        given: &mut Vec<Given<'a>>,
    ) -> usize {
        for (from, c) in letters.char_indices() {
            let end = from + c.len_utf8();
            let name = &letters[from..end];
            let (rest, has_value) = (end < letters.len(), has(self.values, "-", name));
            let takes_next = has_value && !rest && at + 1 < words.len();
            let takes_rest = rest && (has_value || has(self.attached, "-", name));
            let next = takes_next.then_some((at + 1, 0));
            given.push(Given {
                name,
                is_long: false,
                value: takes_rest.then_some((at, end + 1)).or(next),
                at,
                is_known: has_value || has(self.attached, "-", name) || has(self.flags, "-", name),
            });
            if has_value || takes_rest {
                return at + 1 + usize::from(takes_next);
            }
        }
        at + 1
    }
}

fn has(options: &str, dashes: &str, name: &str) -> bool {
    let mut options = options.split(' ');
    options.any(|option| option.strip_prefix(dashes) == Some(name))
}

/// Whether one of the long options has that name, which may be shortened.
fn has_long(options: &str, name: &str) -> bool {
    let is_one = |option: &str| {
        let long = option.strip_prefix("--");
        long.is_some_and(|long| long.starts_with(name))
    };
    !name.is_empty() && options.split(' ').any(is_one)
}
