//! The most that is kept of an ask. What a human can read fits easily; a change of 20 MB, copied
//! for each card and written at each step, would keep everybody else waiting. What goes back to the
//! agent is never cut.
//!
//! Not here: how many items its lists keep (`cut/many.rs`).

mod many;

pub(crate) use many::cut_arguments;
pub use many::{
    LABELS, LONGEST_LABEL, MOST_CHOICES, MOST_CHOICES_IN_ALL, MOST_QUESTIONS, QuestionSurplus,
};

use crate::{Ask, AskContent, Permission, Session, SourceReport};
use alloc::format;
use alloc::string::String;
use sha2::{Digest, Sha256};

/// The most bytes of a change: a few thousand lines.
const DIFF: usize = 128 * 1024;
/// The most bytes of any other prose or code.
const TEXT: usize = 64 * 1024;
/// Room for the note about the missing rest, so that a text that was cut is not cut again.
const NOTE: usize = 64;

impl SourceReport {
    /// Cuts the long texts of its asks.
    pub fn cut(self) -> Self {
        match self {
            Self::Asked(ask) => Self::Asked(ask.cut()),
            Self::Listed(mut listing) => {
                let asks = listing.asks.into_iter();
                listing.asks = asks.map(|(ask, busy)| (ask.cut(), busy)).collect();
                Self::Listed(listing)
            }
            Self::Described(session) => Self::Described(session.cut()),
            Self::CallTold { own, mut input } => {
                cut_arguments(&mut input);
                Self::CallTold { own, input }
            }
            other => other,
        }
    }
}

impl Ask {
    /// Cuts the ask's long texts; each says itself how much is missing.
    pub fn cut(mut self) -> Self {
        self.kind = self.kind.cut();
        self.session = self.session.cut();
        self
    }
}

impl AskContent {
    /// Cuts long texts and lists. Cutting once more changes nothing.
    pub fn cut(mut self) -> Self {
        match &mut self {
            Self::Questions(questions) => return many::cut_questions(core::mem::take(questions)),
            Self::Permission(permission) => cut_permission(permission),
            Self::Confirm(info) => cut(info, TEXT),
            Self::Unknown(unknown) => cut(&mut unknown.raw, TEXT),
        }
        self
    }
}

impl Session {
    /// Cuts the long texts.
    pub fn cut(mut self) -> Self {
        [&mut self.title, &mut self.agent, &mut self.last_words]
            .into_iter()
            .flatten()
            .for_each(|text| cut(text, TEXT));
        self
    }
}

/// Cuts prose, code or a command that is too long to be kept whole.
pub fn cut_text(text: &mut String) {
    cut(text, TEXT);
}

/// Cuts a change that is too long to be kept whole.
pub fn cut_change(diff: &mut String) {
    cut(diff, DIFF);
}

fn cut_permission(permission: &mut Permission) {
    cut(&mut permission.permission, TEXT);
    cut(&mut permission.root, TEXT);
    permission.diff.iter_mut().for_each(|diff| cut(diff, DIFF));
    permission
        .command
        .iter_mut()
        .for_each(|command| cut(command, TEXT));
    many::cut_lists(permission);
    cut_arguments(&mut permission.input);
}

/// Cuts a text that is longer than `most`, and notes in no language how much is missing, with a
/// hash of that: two texts that differ only there still differ. Its memory is given back.
fn cut(text: &mut String, most: usize) {
    if text.len() <= most + NOTE {
        return;
    }
    let kept = text.floor_char_boundary(most);
    let missing = &text[kept..];
    let hash = short(Sha256::new_with_prefix(missing));
    let note = format!("\n⋯ +{} #{hash:08x} ⋯", size(missing.len()));
    text.truncate(kept);
    text.push_str(&note);
    text.shrink_to_fit();
}

/// Returns a short hash of texts, each with its length.
fn hash_of<'a>(texts: impl Iterator<Item = &'a str>) -> u32 {
    let mut hash = Sha256::new();
    for text in texts {
        hash.update((text.len() as u64).to_be_bytes());
        hash.update(text);
    }
    short(hash)
}

fn short(hash: Sha256) -> u32 {
    let bytes = hash.finalize();
    let first = bytes.iter().take(4);
    first.fold(0, |sum, &byte| (sum << 8) | u32::from(byte))
}

fn size(bytes: usize) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{} kB", bytes / 1_000),
        _ => format!("{}.{} MB", bytes / 1_000_000, bytes / 100_000 % 10),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AskId, Choice, Question, Timestamp};
    use alloc::borrow::ToOwned;
    use alloc::string::ToString;
    use alloc::vec;

    fn ask(kind: AskContent) -> Ask {
        let (id, session) = (AskId::new("local", "1"), Session::default());
        Ask {
            id,
            kind,
            session,
            call: None,
            asked_at: Timestamp(0),
        }
    }

    #[test]
    fn a_huge_change_keeps_its_beginning_and_says_how_much_is_missing() {
        let diff = Some("+ä\n".repeat(5_000_000));
        let kind = AskContent::Permission(Permission {
            diff,
            ..Permission::default()
        });
        let AskContent::Permission(permission) = ask(kind).cut().kind else {
            panic!("a permission")
        };
        let diff = permission.diff.unwrap();
        assert!(diff.capacity() <= DIFF + 40, "{}", diff.capacity());
        assert!(diff.starts_with("+ä\n+ä\n") && diff.contains("\n⋯ +19.8 MB #"));
    }

    #[test]
    fn what_was_cut_is_not_cut_again() {
        let cut = AskContent::Confirm("é".repeat(TEXT)).cut();
        assert_eq!(cut.clone().cut(), cut);
    }

    #[test]
    fn what_differs_only_where_it_is_cut_differs_still() {
        let of = |end: &str| AskContent::Confirm("x".repeat(2 * TEXT) + end).cut();
        assert_ne!(of("a"), of("b"));
        assert_eq!(of("a"), of("a"));
    }

    #[test]
    fn the_mark_of_what_was_cut_tells_hundreds_apart() {
        let of = |end: usize| AskContent::Confirm("x".repeat(TEXT + NOTE) + &end.to_string()).cut();
        let marks = (0..300).map(|end| match of(end) {
            AskContent::Confirm(info) => info[TEXT..].to_owned(),
            other => panic!("{other:?}"),
        });
        let marks: alloc::collections::BTreeSet<_> = marks.collect();
        assert_eq!(marks.len(), 300);
        assert!(
            marks
                .iter()
                .all(|mark| mark.starts_with("\n⋯ +6") && mark.contains(" B #"))
        );
    }

    #[test]
    fn of_a_session_only_what_is_long_is_cut() {
        let title = Some("x".repeat(2 * TEXT));
        let session = Session {
            id: "ses_1".into(),
            title,
            ..Session::default()
        };
        let cut = session.cut();
        assert_eq!(cut.id, "ses_1");
        assert!(cut.title.unwrap().ends_with(" ⋯"));
    }

    #[test]
    fn what_goes_back_to_the_agent_is_never_cut() {
        let label = "x".repeat(2 * TEXT);
        let choices = vec![Choice {
            label: label.clone(),
            ..Choice::default()
        }];
        let question = Question {
            question: label.clone(),
            choices,
            ..Question::default()
        };
        let AskContent::Questions(questions) =
            ask(AskContent::Questions(vec![question])).cut().kind
        else {
            panic!("questions")
        };
        assert_eq!(questions[0].choices[0].delivered(), label);
        assert!(questions[0].question.contains("⋯ +65 kB #"));
    }

    #[test]
    fn what_is_not_too_long_stays_as_it_is() {
        let kind = AskContent::Confirm("x".repeat(TEXT));
        assert_eq!(ask(kind.clone()).cut().kind, kind);
    }
}
