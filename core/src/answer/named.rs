//! The choices that a text means: the choices of a question by all texts that name one, made once
//! for a whole answer. Looking through them for each text took time by the cube of their number.
//!
//! Not here: what an answer is in texts (`texts.rs`).

use crate::{Choice, Question};
use alloc::borrow::ToOwned;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The part of a choice by which a text names it.
#[derive(Clone, Copy)]
pub(super) enum ChoiceNaming {
    /// A client of OpenCode's dialect, which knows labels: as [`Question::labels`] tells them
    /// apart, as they came, or, where no label is meant, by the value.
    Labels,
    /// A source, which tells what it got: the value, and nothing else.
    Values,
}

impl ChoiceNaming {
    /// Returns what must be equal in choices that one text names: for a client what the agent gets,
    /// for a source what a person reads.
    fn means(self, choice: &Choice) -> &str {
        match self {
            Self::Labels => choice.delivered(),
            Self::Values => &choice.label,
        }
    }
}

/// The choices of a question, by the texts that may mean them.
pub(super) struct NamedChoices(BTreeMap<String, MeantChoices>);

/// The choices that one text may mean.
struct MeantChoices {
    choices: Vec<usize>,
    /// Whether the choices differ in something that counts.
    is_ambiguous: bool,
    /// The number of them that were taken.
    taken: usize,
}

/// The refusal of a text that names choices with different values: it is never guessed at.
pub(super) struct AmbiguousText;

impl NamedChoices {
    pub(super) fn new(question: &Question, naming: ChoiceNaming) -> Self {
        let mut named = match naming {
            ChoiceNaming::Labels => by_label(question),
            ChoiceNaming::Values => BTreeMap::new(),
        };
        // A label goes before a value.
        for (text, choices) in by_value(question) {
            named.entry(text.to_owned()).or_insert(choices);
        }
        let meant = |choices: Vec<usize>| {
            let mut texts = choices.iter().filter_map(|at| question.choices.get(*at));
            let first = texts.next().map(|choice| naming.means(choice));
            let is_ambiguous = texts.any(|choice| Some(naming.means(choice)) != first);
            MeantChoices {
                choices,
                is_ambiguous,
                taken: 0,
            }
        };
        let named = named.into_iter();
        Self(
            named
                .map(|(text, choices)| (text, meant(choices)))
                .collect(),
        )
    }

    /// Takes the first choice of that name that is not chosen yet; `None` where there is none. Of
    /// choices that are equal in all, each is as good.
    pub(super) fn take(
        &mut self,
        text: &str,
        chosen: &BTreeSet<usize>,
    ) -> Result<Option<usize>, AmbiguousText> {
        let Some(meant) = self.0.get_mut(text) else {
            return Ok(None);
        };
        if meant.is_ambiguous {
            return Err(AmbiguousText);
        }
        let rest = meant.choices[meant.taken..].iter();
        meant.taken += rest.take_while(|choice| chosen.contains(choice)).count();
        Ok(meant.choices.get(meant.taken).copied())
    }
}

fn by_label(question: &Question) -> BTreeMap<String, Vec<usize>> {
    let mut named = BTreeMap::<String, Vec<usize>>::new();
    let labels = question.labels().into_iter().zip(&question.choices);
    for (index, (label, choice)) in labels.enumerate() {
        if label != choice.label {
            named.entry(choice.label.clone()).or_default().push(index);
        }
        named.entry(label).or_default().push(index);
    }
    named
}

fn by_value(question: &Question) -> BTreeMap<&str, Vec<usize>> {
    let mut named = BTreeMap::<&str, Vec<usize>>::new();
    for (index, choice) in question.choices.iter().enumerate() {
        named.entry(choice.delivered()).or_default().push(index);
    }
    named
}

impl Question {
    /// Returns the labels, for clients that tell choices apart by their text alone. A label that
    /// stands for several values gets a number: `Drop it (1)`, `Drop it (2)`.
    pub fn labels(&self) -> Vec<String> {
        let ambiguous = self.ambiguous_labels();
        let as_they_came = self.choices.iter().map(|choice| choice.label.clone());
        let mut taken: BTreeSet<String> = as_they_came.collect();
        let mut numbers = BTreeMap::<&str, usize>::new();

        let mut labels = Vec::new();
        for choice in &self.choices {
            let label = choice.label.as_str();
            if !ambiguous.contains(label) {
                labels.push(label.to_owned());
                continue;
            }
            // The first number with which it differs from all before, and from all labels as they
            // came.
            let number = numbers.entry(label).or_insert(1);
            let numbered = (*number..).map(|number| (number, format!("{label} ({number})")));
            let mut free = numbered.filter(|(_, text)| !taken.contains(text));
            if let Some((found, text)) = free.next() {
                *number = found + 1;
                taken.insert(text.clone());
                labels.push(text);
            }
        }
        labels
    }

    /// Returns the labels of choices that deliver different values.
    fn ambiguous_labels(&self) -> BTreeSet<&str> {
        let mut values = BTreeMap::<&str, &str>::new();
        let mut ambiguous = BTreeSet::new();
        for choice in &self.choices {
            let first = values.entry(&choice.label).or_insert(choice.delivered());
            if *first != choice.delivered() {
                ambiguous.insert(choice.label.as_str());
            }
        }
        ambiguous
    }
}
