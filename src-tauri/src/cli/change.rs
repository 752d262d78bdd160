//! The change that a text is to undergo, as a card shows it. Not here: where the texts come from.

/// The number of unchanged lines shown on either side of a change.
const AROUND: usize = 3;

/// The difference of two texts: everything from the first line that differs to the last one.
pub(super) struct Change<'a> {
    above: Vec<&'a str>,
    removed: Vec<&'a str>,
    added: Vec<&'a str>,
    below: Vec<&'a str>,
}

impl<'a> Change<'a> {
    /// Returns the difference of two texts.
    pub(super) fn between(before: &'a str, after: &'a str) -> Self {
        let old: Vec<&str> = before.lines().collect();
        let new: Vec<&str> = after.lines().collect();

        let shorter = old.len().min(new.len());
        let is_same = |(old, new): &(&&str, &&str)| old == new;
        let above = old.iter().zip(&new).take_while(is_same).count();
        let from_end = old.iter().rev().zip(new.iter().rev());
        let below = from_end.take(shorter - above).take_while(is_same).count();

        Self {
            above: old[above.saturating_sub(AROUND)..above].to_vec(),
            removed: old[above..old.len() - below].to_vec(),
            added: new[above..new.len() - below].to_vec(),
            below: old[old.len() - below..]
                .iter()
                .take(AROUND)
                .copied()
                .collect(),
        }
    }

    /// Returns how many lines go away.
    pub(super) fn lines_removed(&self) -> usize {
        self.removed.len()
    }

    /// Returns it as lines with signs, and a few around it.
    pub(super) fn to_diff(&self) -> String {
        let parts = [
            signed(' ', self.above.iter().copied()),
            signed('-', self.removed.iter().copied()),
            signed('+', self.added.iter().copied()),
            signed(' ', self.below.iter().copied()),
        ];
        parts.concat().join("\n")
    }
}

/// Returns lines with their sign.
pub(super) fn signed<'a>(sign: char, lines: impl Iterator<Item = &'a str>) -> Vec<String> {
    lines.map(|line| format!("{sign}{line}")).collect()
}
