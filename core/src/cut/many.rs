//! The limits of how many patterns, rules, files, arguments, questions and choices of an ask are
//! kept, and of the bytes that they may have together. A frame of a source may hold millions of
//! them, and each is looked at on every surface.
//!
//! Not here: how a long text is cut (`cut.rs`).

use super::{NOTE, TEXT, cut, hash_of};
use crate::{
    Argument, AskContent, CallInput, Choice, FileChange, LeftOut, MOST_ARGUMENTS, Permission,
    Question, UnknownAsk, UnknownShape,
};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The most items of each list of a permission: a large patch has some hundred files, and no human
/// reads more.
const MOST_LISTED: usize = 1_000;
/// The most bytes that the patterns, files and rules of a permission have together.
const LISTED: usize = 128 * 1024;
/// The most bytes of its arguments. They do not share [`LISTED`], since a source may tell them
/// later.
const ARGUMENTS: usize = 128 * 1024;

/// The most questions of an ask; a longer form is answered where it comes from.
pub const MOST_QUESTIONS: usize = 200;
/// The most choices of a question: a list of countries has 250, one of time zones 600.
pub const MOST_CHOICES: usize = 2_000;
/// The most choices of all questions of an ask together.
pub const MOST_CHOICES_IN_ALL: usize = 2 * MOST_CHOICES;
/// The most bytes of labels and values. What goes back to the agent is never cut: an ask with more
/// is answered where it comes from.
pub const LABELS: usize = 256 * 1024;
/// The most bytes of one label in an ask through Beckon itself, whose asker can put more into the
/// description. A long label of another source is taken as it is.
pub const LONGEST_LABEL: usize = 8 * 1024;
/// The most bytes of an ask's prose, in its questions and beside its choices.
const PROSE: usize = 256 * 1024;

/// The bytes that are left of those that several texts share.
struct Room(usize);

impl Room {
    /// Takes a number of bytes, and tells whether they fit. After the first text that does not fit
    /// there is no room at all, so that what is kept is a beginning.
    fn takes(&mut self, bytes: usize) -> bool {
        let left = self.0.checked_sub(bytes);
        self.0 = left.unwrap_or_default();
        left.is_some()
    }
}

/// Cuts the lists of a permission, and notes how much of them is left out.
pub(super) fn cut_lists(permission: &mut Permission) {
    permission.patterns.iter_mut().for_each(|it| cut(it, TEXT));
    permission.always.iter_mut().for_each(|it| cut(it, TEXT));
    permission.files.iter_mut().for_each(cut_file);

    let mut room = Room(LISTED);
    let mut out = beyond(&mut permission.patterns, &mut room, String::len);
    let files = beyond(&mut permission.files, &mut room, |file| file.line().len());
    out.extend(files.iter().map(FileChange::line));
    out.extend(beyond(&mut permission.always, &mut room, String::len));
    if out.is_empty() {
        return;
    }

    let before = permission.left_out.unwrap_or_default();
    permission.left_out = Some(LeftOut {
        count: before.count.saturating_add(out.len()),
        hash: before.hash ^ hash_of(out.iter().map(String::as_str)),
    });
}

fn cut_file(change: &mut FileChange) {
    match change {
        FileChange::Add(path) | FileChange::Update(path) | FileChange::Delete(path) => {
            cut(path, TEXT);
        }
        FileChange::Move { from, to } => {
            cut(from, TEXT);
            cut(to, TEXT);
        }
    }
}

/// Takes off the list, and returns, what is beyond its length or has no room.
fn beyond<T>(list: &mut Vec<T>, room: &mut Room, size: impl Fn(&T) -> usize) -> Vec<T> {
    let first = list.iter().take(MOST_LISTED);
    let kept = first.take_while(|item| room.takes(size(item))).count();
    let out = list.split_off(kept);
    list.shrink_to_fit();
    out
}

/// Cuts the arguments of a call. What is left out is noted as one more argument at the end, and the
/// call counts as one that is not told whole.
pub(crate) fn cut_arguments(input: &mut CallInput) {
    for argument in &mut input.arguments {
        cut(&mut argument.name, TEXT);
        cut(&mut argument.value, TEXT);
    }
    let size = |argument: &Argument| argument.name.len() + argument.value.len();
    let bytes: usize = input.arguments.iter().map(size).sum();
    // The note of an earlier cut has a place among them.
    if input.arguments.len() <= MOST_ARGUMENTS && bytes <= ARGUMENTS + NOTE {
        return;
    }

    let mut room = Room(ARGUMENTS);
    let first = input.arguments.iter().take(MOST_ARGUMENTS - 1);
    let kept = first.take_while(|it| room.takes(size(it))).count();
    let out = input.arguments.split_off(kept);
    let texts = out.iter().flat_map(|it| [&it.name, &it.value]);
    let hash = hash_of(texts.map(String::as_str));
    input.arguments.push(Argument {
        name: "⋯".into(),
        value: format!("+{} #{hash:08x}", out.len()),
    });
    input.arguments.shrink_to_fit();
    input.is_partial = true;
}

/// Cuts a set of questions. One that is too large to be answered here becomes one that is only
/// shown.
pub(super) fn cut_questions(mut questions: Vec<Question>) -> AskContent {
    if QuestionSurplus::beyond_answering(&questions).is_some() {
        return AskContent::Unknown(UnknownAsk {
            asked: UnknownShape::Question,
            raw: in_plain_text(&questions),
        });
    }

    questions.iter_mut().for_each(cut_choices);
    let mut room = Room(PROSE);
    for question in &mut questions {
        cut_prose(&mut question.header, &mut room);
        cut_prose(&mut question.question, &mut room);
    }
    let choices = questions.iter_mut().flat_map(|it| &mut it.choices);
    choices.for_each(|choice| cut_prose(&mut choice.description, &mut room));
    AskContent::Questions(questions)
}

/// The part of a set of questions that is more than is shown, or kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuestionSurplus {
    /// The questions: more than [`MOST_QUESTIONS`].
    Questions,
    /// The choices of the question with that number, from 1: more than [`MOST_CHOICES`].
    Choices(usize),
    /// The choices of all questions: more than [`MOST_CHOICES_IN_ALL`].
    AllChoices,
    /// A label of the question with that number, from 1: longer than [`LONGEST_LABEL`].
    Label(usize),
    /// All labels together: longer than [`LABELS`].
    AllLabels,
}

impl QuestionSurplus {
    /// Returns what is too much of an ask through Beckon itself, whose asker can ask in another
    /// way.
    pub fn of(questions: &[Question]) -> Option<Self> {
        let has_many = |question: &Question| question.choices.len() > MOST_CHOICES;
        let has_long = |question: &Question| {
            let mut choices = question.choices.iter();
            choices.any(|choice| size_of(choice) > LONGEST_LABEL)
        };
        let number = |is: &dyn Fn(&Question) -> bool| {
            let at = questions.iter().position(is)?;
            Some(at + 1)
        };
        let choices = || number(&has_many).map(Self::Choices);
        let label = || number(&has_long).map(Self::Label);
        choices()
            .or_else(|| Self::beyond_answering(questions))
            .or_else(label)
    }

    /// Returns what makes a set of questions too large to be answered here, whatever its source.
    fn beyond_answering(questions: &[Question]) -> Option<Self> {
        if questions.len() > MOST_QUESTIONS {
            return Some(Self::Questions);
        }
        let kept = |question: &Question| question.choices.len().min(MOST_CHOICES);
        if questions.iter().map(kept).sum::<usize>() > MOST_CHOICES_IN_ALL {
            return Some(Self::AllChoices);
        }
        let all = questions.iter();
        let first = all.flat_map(|question| question.choices.iter().take(MOST_CHOICES));
        let labels: usize = first.map(size_of).sum();
        (labels > LABELS).then_some(Self::AllLabels)
    }
}

/// Returns the bytes of a choice that go back to the agent, or may.
fn size_of(choice: &Choice) -> usize {
    choice.label.len() + choice.value.as_ref().map_or(0, String::len)
}

/// Returns the questions with their choices, a line each.
fn in_plain_text(questions: &[Question]) -> String {
    let mut text = String::new();
    for question in questions {
        text.push_str(&question.question);
        text.push('\n');
        for choice in &question.choices {
            text.push_str("- ");
            text.push_str(&choice.label);
            text.push('\n');
        }
    }
    cut(&mut text, TEXT);
    text
}

/// Takes off the choices that are too many, and says so in the question's text, like a text that
/// was cut.
fn cut_choices(question: &mut Question) {
    if question.choices.len() <= MOST_CHOICES {
        return;
    }
    let out = question.choices.split_off(MOST_CHOICES);
    question.choices.shrink_to_fit();
    let texts = out
        .iter()
        .flat_map(|it| [it.label.as_str(), it.delivered()]);
    let hash = hash_of(texts);

    // The note gets its place in the text first, so that it is not cut off again.
    cut(&mut question.question, TEXT - NOTE);
    let note = format!("\n⋯ +{} #{hash:08x} ⋯", out.len());
    question.question.push_str(&note);
    if let Some(limits) = &mut question.limits {
        limits.none = limits.none.filter(|none| *none < MOST_CHOICES);
    }
}

/// Cuts a text to what is left of the room that several share. A text as short as a note stays.
fn cut_prose(text: &mut String, room: &mut Room) {
    cut(text, TEXT);
    if !room.takes(text.len()) {
        cut(text, 0);
    }
}
