//! The changes of the answer under way on a card: who made them, and what it was before. Several
//! people may look at one card, and what one of them did a moment ago is on nobody else's screen
//! yet. People know their own ticks before the card shows them, so a "Send" below an older state
//! counts from the person who made all changes since.
//!
//! Nothing of it outlives a restart: a press from before one is told to look again.

use crate::channels::telegram::pairing::pairings::UserId;
use beckon_core::{CardPage, Draft, Fingerprint};

/// The number of older states that are known of one person's changes. More ticks than that are not
/// made within the second that a redraw takes.
const MOST_KNOWN: usize = 32;

/// A person who taps or writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::channels::telegram) struct Editor {
    pub(in crate::channels::telegram) user: UserId,
    pub(in crate::channels::telegram) name: String,
}

/// The latest changes of one draft. The effect of an act is seen at the next look.
#[derive(Debug, Default)]
pub(in crate::channels::telegram) struct DraftEdits {
    state: Option<(CardPage, Fingerprint)>,
    /// The person who has acted since that state was looked at.
    acting: Option<Editor>,
    /// The person who made the last changes.
    by: Option<Editor>,
    /// The states that were shown before each of these changes.
    before: Vec<Fingerprint>,
    /// The person who had made the changes before those.
    previous: Option<Editor>,
}

impl DraftEdits {
    /// Notes that a person acts on the draft as it is.
    pub(in crate::channels::telegram) fn act(&mut self, draft: &Draft, who: Editor) {
        self.look(draft);
        self.acting = Some(who);
    }

    fn look(&mut self, draft: &Draft) {
        let now = (draft.page, draft.shown());
        let Some(before) = self.state.replace(now) else {
            return;
        };
        if before == now {
            return;
        }
        let is_same = self.by.as_ref().map(|by| by.user) == self.acting.as_ref().map(|it| it.user);
        if !is_same {
            self.previous = std::mem::replace(&mut self.by, self.acting.clone());
            self.before.clear();
        }
        if self.before.len() == MOST_KNOWN {
            self.before.remove(0);
        }
        self.before.push(before.1);
    }

    /// Whether all that was changed since that state was shown is this person's own doing.
    pub(in crate::channels::telegram) fn are_all_of(
        &self,
        user: UserId,
        since: Fingerprint,
    ) -> bool {
        self.by.as_ref().is_some_and(|by| by.user == user) && self.before.contains(&since)
    }

    /// Returns the name of the last other person who changed something.
    pub(in crate::channels::telegram) fn by_another(&self, user: UserId) -> Option<&str> {
        let latest_first = [&self.by, &self.previous].into_iter().flatten();
        let mut others = latest_first.filter(|by| by.user != user);
        others.next().map(|by| by.name.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use beckon_core::{Ask, AskContent, AskId, CardTap, Choice, Question, Session, Timestamp};

    fn editor(name: &str) -> Editor {
        Editor {
            user: UserId(name.len() as i64),
            name: name.into(),
        }
    }

    fn ask() -> Ask {
        let choice = |label: &str| Choice {
            label: label.into(),
            ..Choice::default()
        };
        let question = Question {
            choices: ["Red", "Green", "Blue"].map(choice).to_vec(),
            multiple: true,
            ..Question::default()
        };
        Ask {
            id: AskId::new("local", "que_1"),
            kind: AskContent::Questions(vec![question]),
            session: Session::default(),
            call: None,
            asked_at: Timestamp(0),
        }
    }

    fn tick(edits: &mut DraftEdits, draft: &mut Draft, who: &str, choice: usize) {
        edits.act(draft, editor(who));
        let tap = CardTap::Choose {
            question: 0,
            choice,
        };
        draft.tap(&ask(), tap).unwrap();
    }

    #[test]
    fn ones_own_ticks_are_known_before_the_card_shows_them_and_anothers_are_not() {
        let mut edits = DraftEdits::default();
        let mut draft = Draft::new(&ask());
        let drawn = draft.shown();
        let (ada, bob) = (editor("Ada"), editor("Benno"));
        tick(&mut edits, &mut draft, "Ada", 0);
        tick(&mut edits, &mut draft, "Ada", 1);
        edits.act(&draft, ada.clone());
        assert!(edits.are_all_of(ada.user, drawn));
        assert_eq!(edits.by_another(ada.user), None);
        assert!(!edits.are_all_of(bob.user, drawn));
        assert_eq!(edits.by_another(bob.user), Some("Ada"));

        tick(&mut edits, &mut draft, "Benno", 2);
        edits.act(&draft, ada.clone());
        assert!(!edits.are_all_of(ada.user, drawn));
        assert_eq!(edits.by_another(ada.user), Some("Benno"));
        assert_eq!(edits.by_another(bob.user), Some("Ada"));
    }

    #[test]
    fn who_is_refused_has_changed_nothing() {
        let mut edits = DraftEdits::default();
        let mut draft = Draft::new(&ask());
        let drawn = draft.shown();
        let (ada, bob) = (editor("Ada"), editor("Benno"));
        tick(&mut edits, &mut draft, "Ada", 0);
        edits.act(&draft, bob);
        edits.act(&draft, ada.clone());
        assert!(edits.are_all_of(ada.user, drawn));
    }
}
