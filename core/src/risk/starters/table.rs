//! The facts about a program that starts another one, and how it is found.
//!
//! Not here: the programs themselves (`rows.rs`).

use super::super::options::Options;
use super::super::shell::Word;
use super::rows::STARTERS;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// A program that starts another one.
#[derive(Clone, Copy)]
pub(super) struct Starter {
    /// The program's names, and after a name the verbs with which it starts one; blanks between
    /// them.
    pub(super) names: &'static str,
    pub(super) verbs: &'static [&'static str],
    pub(super) options: Options,
    /// The number of words of its own that come before the other program.
    pub(super) operands: usize,
    pub(super) then: Then,
    /// The options that have a script as their value.
    pub(super) scripts: &'static str,
    /// The options with which it starts nothing.
    pub(super) asks: &'static str,
    /// Whether it gives an administrator's rights.
    pub(super) is_admin: bool,
    /// Whether `NAME=value` may be among its options.
    pub(super) has_settings: bool,
    /// Whether it gives the program words that are not in the line.
    pub(super) is_many: bool,
    /// Whether its options go on behind its operands.
    pub(super) is_mixed: bool,
    /// Whether all its options are listed here: after another one it is unknown where the program
    /// begins.
    pub(super) is_strict: bool,
    /// Whether it does something of its own, too.
    pub(super) is_named: bool,
    /// Whether it runs its input where no program follows.
    pub(super) takes_input: bool,
}

/// The words that follow a starter.
#[derive(Clone, Copy)]
pub(super) enum Then {
    /// A program and its words.
    Words,
    /// A script, in as many words as you like.
    Script,
}

pub(super) const PLAIN: Starter = Starter {
    names: "",
    verbs: &[],
    options: Options {
        flags: "",
        values: "",
        attached: "",
    },
    operands: 0,
    then: Then::Words,
    scripts: "",
    asks: "help version",
    is_admin: false,
    has_settings: false,
    is_many: false,
    is_mixed: false,
    is_strict: true,
    is_named: false,
    takes_input: false,
};

pub(super) const fn options(
    flags: &'static str,
    values: &'static str,
    attached: &'static str,
) -> Options {
    Options {
        flags,
        values,
        attached,
    }
}

pub(super) const fn starter(
    names: &'static str,
    flags: &'static str,
    values: &'static str,
) -> Starter {
    Starter {
        names,
        options: options(flags, values, ""),
        ..PLAIN
    }
}

pub(super) const fn admin(
    names: &'static str,
    flags: &'static str,
    values: &'static str,
) -> Starter {
    Starter {
        is_admin: true,
        has_settings: true,
        takes_input: true,
        ..starter(names, flags, values)
    }
}

/// Makes a starter that has verbs, and more options than can be listed: an unknown one is taken to
/// have no value.
pub(super) const fn runner(
    names: &'static str,
    verbs: &'static [&'static str],
    values: &'static str,
    operands: usize,
) -> Starter {
    Starter {
        verbs,
        operands,
        is_strict: false,
        is_named: true,
        ..starter(names, "", values)
    }
}

/// The starters by their names.
pub(in crate::risk) struct Table(BTreeMap<&'static str, Vec<&'static Starter>>);

impl Table {
    pub(in crate::risk) fn new() -> Table {
        let mut table: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for starter in STARTERS {
            for name in starter.names.split(' ') {
                table.entry(name).or_default().push(starter);
            }
        }
        for rows in table.values_mut() {
            // A row without verbs fits whatever follows, so it is asked last.
            rows.sort_by_key(|starter| starter.verbs.is_empty());
        }
        Table(table)
    }

    /// Returns the starter of this name, with the number of words that its verbs and the options
    /// before them are.
    pub(super) fn find(&self, name: &str, words: &[Word]) -> Option<(&'static Starter, usize)> {
        // A package may be named with its version.
        let name = name.split_once('@').map_or(name, |(name, _)| name);
        let starters = self.0.get(name)?;
        starters
            .iter()
            .find_map(|starter| Some((*starter, verbs(starter, words)?)))
    }
}

/// Returns the number of words up to the last of its verbs.
fn verbs(starter: &Starter, words: &[Word]) -> Option<usize> {
    if starter.verbs.is_empty() {
        return Some(0);
    }
    let find = |verbs: &&str| {
        let (mut at, mut given) = (0, Vec::new());
        for verb in verbs.split(' ') {
            while let Some(next) = starter.options.read(words, at, &mut given) {
                at = next;
            }
            words.get(at).filter(|word| word.text() == verb)?;
            at += 1;
        }
        Some(at)
    };
    starter.verbs.iter().find_map(find)
}

#[cfg(test)]
mod tests {
    use super::super::super::text::Text;
    use super::*;

    fn word(text: &str) -> Word {
        Word {
            script: Text::of_line(text),
            ..Word::default()
        }
    }

    #[test]
    fn every_row_is_reached_by_its_names_and_verbs() {
        let table = Table::new();
        for row in STARTERS {
            let verbs = match row.verbs {
                [] => &[""],
                verbs => verbs,
            };
            for (name, verb) in row
                .names
                .split(' ')
                .flat_map(|name| verbs.iter().map(move |verb| (name, verb)))
            {
                let words: Vec<Word> = verb.split_whitespace().map(word).collect();
                let found = table.find(name, &words).map(|(found, _)| found);
                let is_itself = found.is_some_and(|found| core::ptr::eq(found, row));
                assert!(is_itself, "{name} {verb}");
            }
        }
    }
}
