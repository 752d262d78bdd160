//! The step of a card that its human had before them when they tapped or wrote, and what they meant
//! by it.
//!
//! Not here: what follows where the card has gone on since (the core).

use crate::channels::telegram::TelegramChannel;
use crate::channels::telegram::outbox::PostedCard;
use crate::channels::telegram::pairing::pairings::{ChatId, UserId};
use crate::channels::telegram::updates::edits::Editor;
use crate::channels::telegram::updates::update::{IncomingUpdate, RepliedMessage};
use crate::channels::telegram::words;
use beckon_core::{
    AnswerRefusal, AskState, AwaitedText, ButtonTarget, CardPage, CardTap, ChannelView, Draft,
    Entry, Fingerprint, InvalidAnswer, SeenStep,
};

impl TelegramChannel {
    /// Notes the person who acts on an open card. Theirs is the answer if this is one; a person who
    /// comes too late has not answered.
    pub(super) fn note_editor(
        &mut self,
        heard: &IncomingUpdate,
        target: ButtonTarget,
        view: ChannelView<'_>,
    ) {
        let open = view
            .entry_of(target)
            .filter(|entry| entry.state == AskState::Open);
        let Some((entry, from)) = open.zip(heard.from.as_ref()) else {
            return;
        };
        let Some(shown) = self.cards.get_mut(&entry.ask.id) else {
            return;
        };
        shown.by = Some(from.name.clone());
        let editor = Editor {
            user: from.id,
            name: from.name.clone(),
        };
        shown.edits.act(&draft_of(entry), editor);
    }

    /// Returns what a person means by a button, beyond its label.
    pub(super) fn meant_by(
        &self,
        heard: &IncomingUpdate,
        target: ButtonTarget,
        tap: CardTap,
        view: ChannelView<'_>,
    ) -> CardTap {
        let (Some(from), Some(entry)) = (&heard.from, view.entry_of(target)) else {
            return tap;
        };
        let is_writing = || {
            let written = self
                .writers
                .awaited(heard.place.chat, from.id, target.serial);
            written.is_some() || self.is_for_one_person()
        };
        // On the card of a person who has not asked to write, "Waiting for your reply" is about
        // another person.
        match tap {
            CardTap::NotOwn { question } if !is_writing() => CardTap::Own { question },
            CardTap::RejectWithoutReason if !is_writing() => CardTap::RejectWithReason,
            CardTap::Done { question, shown } => CardTap::Done {
                question,
                shown: self.known_to(from.id, shown, entry),
            },
            CardTap::Send { shown } => CardTap::Send {
                shown: self.known_to(from.id, shown, entry),
            },
            tap => tap,
        }
    }

    /// Returns the newest state that a person knows to whom the card showed `shown`: the present
    /// one if all changes since were their own.
    fn known_to(&self, user: UserId, shown: Fingerprint, entry: &Entry) -> Fingerprint {
        let edits = self.cards.get(&entry.ask.id).map(|card| &card.edits);
        let is_own = edits.is_some_and(|edits| edits.are_all_of(user, shown));
        if is_own {
            draft_of(entry).shown()
        } else {
            shown
        }
    }

    /// Whether only one person can see and answer cards.
    pub(in crate::channels::telegram) fn is_for_one_person(&self) -> bool {
        self.pairings.people.len() < 2 && self.pairings.group.is_none()
    }

    /// Returns the step that a message showed to a person who replies to it. Its buttons say it,
    /// whatever is to be there by now. The message that asks for words has none: what it asked them
    /// for counts.
    pub(super) fn seen_at(
        &self,
        heard: &IncomingUpdate,
        replied: &RepliedMessage,
        target: ButtonTarget,
        view: ChannelView<'_>,
    ) -> SeenStep {
        let Some(entry) = view.entry_of(target) else {
            return SeenStep::Whole;
        };
        let awaits = entry.draft.as_ref().and_then(|draft| draft.awaits);
        let own = heard.from.as_ref().and_then(|from| {
            self.writers
                .awaited(heard.place.chat, from.id, target.serial)
        });
        if let Some(prompt) = self.prompt_at(heard.place.chat, replied.message, view) {
            let asks = prompt.prompt_asks.or(own).or(awaits);
            return SeenStep::Prompt(asks);
        }
        let button = replied.button.as_deref();
        let tap = button.and_then(|data| self.read_button(data, view));
        let seen = match tap {
            Some((_, tap)) => seen_beside(tap),
            // A pointer or a file shows no page, and another person has turned it meanwhile.
            None if self.is_moved_by_another(heard, entry) => SeenStep::Prompt(None),
            None => SeenStep::Whole,
        };

        // A person who has asked to write their own words may as well write them to the card.
        let own = own.or(awaits.filter(|_| self.is_for_one_person()));
        match own {
            Some(awaited) if awaits == own && seen == SeenStep::Page(page_of(awaited)) => {
                SeenStep::Prompt(Some(awaited))
            }
            _ => seen,
        }
    }

    /// Returns the step that words without a reply are an answer to: what their writer has asked to
    /// write.
    pub(super) fn seen_by_writer(&self, heard: &IncomingUpdate, target: ButtonTarget) -> SeenStep {
        let awaited = |user: UserId| self.writers.awaited(heard.place.chat, user, target.serial);
        SeenStep::Prompt(heard.from.as_ref().and_then(|from| awaited(from.id)))
    }

    /// Whether another person has gone on in a set, so that another question may be shown by now.
    fn is_moved_by_another(&self, heard: &IncomingUpdate, entry: &Entry) -> bool {
        let edits = self.cards.get(&entry.ask.id).map(|card| &card.edits);
        let by_another = heard.from.as_ref().zip(edits).and_then(|(from, edits)| {
            let by = edits.by_another(from.id);
            by.map(str::to_owned)
        });
        entry.ask.questions().len() > 1 && by_another.is_some()
    }

    /// Returns the card beneath which that message asks for words, in this life or from an earlier
    /// one.
    fn prompt_at(&self, chat: ChatId, message: i32, view: ChannelView<'_>) -> Option<PostedCard> {
        let posted = match self.open_at(chat, message) {
            Some(shown) => shown.posted.get(&chat).copied(),
            None => self.noted_card_at(chat, message, view),
        };
        posted.filter(|posted| posted.prompt == Some(message))
    }

    /// Returns why an answer was refused that did not fit what the card shows by now: who was
    /// faster, and with what.
    pub(super) fn refused_as_passed(
        &self,
        heard: &IncomingUpdate,
        refusal: &AnswerRefusal,
        (target, seen): (Option<ButtonTarget>, SeenStep),
        view: ChannelView<'_>,
    ) -> Option<String> {
        let AnswerRefusal::Invalid(refused @ (InvalidAnswer::Passed | InvalidAnswer::Unseen)) =
            refusal
        else {
            return None;
        };
        let entry = view.entry_of(target?)?;
        let user = heard.from.as_ref()?.id;
        let by = self.cards.get(&entry.ask.id)?.edits.by_another(user)?;
        let text = if *refused == InvalidAnswer::Unseen {
            words::unseen(by, &self.card_context())
        } else {
            words::passed(entry, question_of(seen), by, &self.card_context())
        };
        Some(text)
    }
}

/// Returns the step that a card showed, by one of its buttons.
pub(super) fn seen_beside(tap: CardTap) -> SeenStep {
    match tap {
        CardTap::Choose { question, .. }
        | CardTap::Unchoose { question, .. }
        | CardTap::Done { question, .. }
        | CardTap::Own { question }
        | CardTap::NotOwn { question } => SeenStep::Page(CardPage::Question(question)),
        CardTap::Send { .. } => SeenStep::Page(CardPage::Review),
        CardTap::Once
        | CardTap::Always
        | CardTap::Reject
        | CardTap::RejectWithReason
        | CardTap::RejectWithoutReason
        | CardTap::Continue
        | CardTap::Cancel => SeenStep::Page(CardPage::Question(0)),
        CardTap::Keep | CardTap::Sure | CardTap::SureHidden => SeenStep::Sure,
        CardTap::Back { from } => SeenStep::Page(from),
        // These buttons are on several pages.
        CardTap::Review | CardTap::Dismiss => SeenStep::Whole,
    }
}

fn question_of(seen: SeenStep) -> Option<usize> {
    match seen {
        SeenStep::Page(CardPage::Question(question))
        | SeenStep::Prompt(Some(AwaitedText::Text { question })) => Some(question),
        SeenStep::Page(_) | SeenStep::Prompt(_) | SeenStep::Sure | SeenStep::Whole => None,
    }
}

fn page_of(awaited: AwaitedText) -> CardPage {
    match awaited {
        AwaitedText::Text { question } => CardPage::Question(question),
        AwaitedText::Reason => CardPage::Question(0),
    }
}

fn draft_of(entry: &Entry) -> Draft {
    let begun = entry.draft.clone();
    begun.unwrap_or_else(|| Draft::new(&entry.ask))
}
