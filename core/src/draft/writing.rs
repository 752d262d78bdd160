//! The effect of written words on a draft: a button's number or label, or the human's own text.

use super::{AwaitedText, CardPage, Draft, DraftMove, SeenStep, WrittenText};
use crate::answer::digit;
use crate::visible::is_blank;
use crate::{Answer, Ask, AskContent, Grant, InvalidAnswer, Question};
use alloc::string::String;
use alloc::vec::Vec;

/// The characters that make a keycap of a digit, and an emoji of that
/// (<https://www.unicode.org/reports/tr51/#def_emoji_keycap_sequence>).
const KEYCAP: char = '\u{20E3}';
const AS_EMOJI: char = '\u{FE0F}';
/// The same that makes a plain sign of it.
const AS_TEXT: char = '\u{FE0E}';

impl Draft {
    /// Writes words as [`Draft::write`] does, if it is known what their human had before them: a
    /// reply to the card as it was a moment ago is no answer to what it asks now.
    ///
    /// # Errors
    /// When the card shows something else now, and as for [`Draft::write`].
    pub fn write_to(
        &mut self,
        ask: &Ask,
        seen: SeenStep,
        text: impl Into<WrittenText>,
    ) -> Result<DraftMove, InvalidAnswer> {
        if !self.is_still(seen) {
            return Err(InvalidAnswer::Passed);
        }
        if !matches!(seen, SeenStep::Page(_) | SeenStep::Sure) {
            return self.write(ask, text);
        }

        // The own words that another person was asked for are not these.
        let mut next = self.clone();
        next.awaits = None;
        let moved = next.write(ask, text)?;
        if next.page == self.page {
            next.awaits = self.awaits;
        }
        *self = next;
        Ok(moved)
    }

    /// Takes in what the human wrote:
    ///
    /// - Awaited text is taken as it stands.
    /// - The number of a choice, or several where several may be chosen. They replace what was
    ///   chosen, and it goes on, unless there are own words too: those are sent by "Done".
    /// - The whole label of one choice, or own text.
    /// - For a permission the numbers are 1 once, 2 always (asks first), 3 reject; for a confirm 1
    ///   continue, 2 cancel.
    ///
    /// A refused text leaves the draft as it was.
    ///
    /// # Errors
    /// When it is none of these.
    pub fn write(
        &mut self,
        ask: &Ask,
        text: impl Into<WrittenText>,
    ) -> Result<DraftMove, InvalidAnswer> {
        let mut next = self.clone();
        let moved = next.take_text(ask, &text.into())?;
        *self = next;
        Ok(moved)
    }

    fn take_text(&mut self, ask: &Ask, text: &WrittenText) -> Result<DraftMove, InvalidAnswer> {
        if is_blank(&text.full) {
            let question = if let CardPage::Question(index) = self.page {
                index + 1
            } else {
                1
            };
            return Err(InvalidAnswer::Empty { question });
        }
        match (&ask.kind, self.awaits) {
            (AskContent::Questions(_), Some(AwaitedText::Text { question })) => {
                self.own_text(ask, question, text)
            }
            (AskContent::Permission(_), Some(AwaitedText::Reason)) => {
                let reason = Some(text.full.clone());
                Ok(DraftMove::Answer(Answer::Grant(Grant::Reject { reason })))
            }
            (AskContent::Questions(_), _) => self.write_reply(ask, text),
            (_, _) if text.is_struck => Err(InvalidAnswer::WrongKind),
            (AskContent::Permission(_), _) => self.write_grant(&text.plain),
            (AskContent::Confirm(_), _) => write_confirm(&text.plain),
            (AskContent::Unknown(_), _) => Err(InvalidAnswer::WrongKind),
        }
    }

    fn write_reply(&mut self, ask: &Ask, text: &WrittenText) -> Result<DraftMove, InvalidAnswer> {
        let CardPage::Question(index) = self.page else {
            return Err(InvalidAnswer::WrongKind);
        };
        let (question, reply) = self.at(ask, index)?;
        let counts = !text.is_struck && !takes_numbers(question);
        let chosen = numbers(question, &text.plain).filter(|_| counts);
        if chosen
            .as_ref()
            .is_some_and(|chosen| is_label_elsewhere(question, &text.plain, chosen))
        {
            return Err(InvalidAnswer::AmbiguousNumber {
                question: index + 1,
            });
        }
        let called = if chosen.is_none() {
            called_by_either(question, text)
        } else {
            Vec::new()
        };
        if called.len() > 1 {
            return Err(InvalidAnswer::AmbiguousLabel {
                question: index + 1,
            });
        }
        match chosen.or_else(|| Some(called).filter(|called| !called.is_empty())) {
            Some(choices) => {
                reply.choices = choices;
                reply.text = reply.text.take().filter(|_| question.multiple);
                // The own words may be another person's, and newer than what this person saw.
                if reply.text.is_some() {
                    return Ok(self.turn_to(CardPage::Question(index)));
                }
                self.go_on(ask, index)
            }
            None if question.custom => self.own_text(ask, index, text),
            None => Err(InvalidAnswer::NoSuchLabel {
                question: index + 1,
            }),
        }
    }

    fn write_grant(&mut self, text: &str) -> Result<DraftMove, InvalidAnswer> {
        match number(text) {
            Some(1) => Ok(DraftMove::Answer(Answer::Grant(Grant::Once))),
            Some(2) => Ok(self.ask_first(CardPage::SureAlways)),
            Some(3) => Ok(DraftMove::Answer(Answer::Grant(Grant::Reject {
                reason: None,
            }))),
            _ => Err(InvalidAnswer::WrongKind),
        }
    }
}

fn write_confirm(text: &str) -> Result<DraftMove, InvalidAnswer> {
    match number(text) {
        Some(1) => Ok(DraftMove::Answer(Answer::Continue)),
        Some(2) => Ok(DraftMove::Answer(Answer::Cancel)),
        _ => Err(InvalidAnswer::WrongKind),
    }
}

/// Whether the answer is a number, so that a number does not mean a choice.
fn takes_numbers(question: &Question) -> bool {
    question
        .limits
        .as_ref()
        .is_some_and(|limits| limits.format.is_number())
}

/// Returns the choices, from 0, that a text of nothing but numbers means; none if one of them does
/// not exist.
fn numbers(question: &Question, text: &str) -> Option<Vec<usize>> {
    let mut choices = Vec::new();
    for word in words(text) {
        let choice = number(word)?
            .checked_sub(1)
            .filter(|i| *i < question.choices.len())?;
        if !choices.contains(&choice) {
            choices.push(choice);
        }
    }
    let right = if question.multiple {
        !choices.is_empty()
    } else {
        choices.len() == 1
    };
    right.then_some(choices)
}

/// Whether the text is also the label of a choice other than the numbered one: where labels are
/// numbers themselves, "3" may mean the third choice or the one labelled "3".
fn is_label_elsewhere(question: &Question, text: &str, chosen: &[usize]) -> bool {
    let elsewhere = |text: &str, numbers: &[usize]| {
        called(question, text)
            .iter()
            .any(|index| !numbers.contains(index))
    };
    let by_number = |word: &str| number(word).and_then(|number| number.checked_sub(1));
    elsewhere(text, chosen) || words(text).any(|word| elsewhere(word, by_number(word).as_slice()))
}

/// Splits a text where people separate numbers: at white space, at a comma of whichever script, at
/// a semicolon.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let parts = |c: char| c.is_whitespace() || matches!(c, ',' | ';' | '،' | '、' | '，' | '；');
    text.split(parts).filter(|word| !word.is_empty())
}

fn same(label: &str, text: &str) -> bool {
    label.trim().to_lowercase() == text.trim().to_lowercase()
}

/// Whether both could be the same keys of a keyboard.
fn typed_alike(label: &str, text: &str) -> bool {
    as_typed(label) == as_typed(text)
}

/// Returns a label in the signs of a typewriter. Phones make typographic quotation marks, dashes
/// and ellipses of what is typed (<https://github.com/hubot-archive/hubot-pager-me/pull/45>), and
/// their apps send an emoji with its variation selector or without
/// (<https://github.com/tdlib/telegram-bot-api/issues/718>).
fn as_typed(text: &str) -> String {
    let mut typed = String::new();
    for sign in text.trim().chars().flat_map(char::to_lowercase) {
        let plain = match sign {
            AS_TEXT | AS_EMOJI => continue,
            '\u{2018}'..='\u{201B}' | '\u{2BC}' | '\u{2032}' | '´' => '\'',
            '\u{201C}'..='\u{201F}' | '\u{2033}' | '«' | '»' => '"',
            '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
            '…' => {
                typed.push_str("...");
                continue;
            }
            sign if sign.is_whitespace() => ' ',
            sign => sign,
        };
        // Two hyphens become one dash.
        let is_repeated = matches!(plain, '-' | ' ') && typed.ends_with(plain);
        if !is_repeated {
            typed.push(plain);
        }
    }
    typed
}

/// Returns the number of a choice, as people write it: `2`, `２`, `2.`, `2)`, `#2`, `2️⃣`.
fn number(text: &str) -> Option<usize> {
    let text = text.trim();
    let text = text.strip_prefix(['#', '(', '（']).unwrap_or(text);
    let end = ['.', ')', '）', '。', KEYCAP, AS_EMOJI];
    let text = text.trim_end_matches(end);
    let digits: Option<String> = text.chars().map(digit).collect();
    digits.filter(|digits| !digits.is_empty())?.parse().ok()
}

/// Returns the choices of that label: of it letter by letter, or else as a keyboard may write it.
fn called(question: &Question, text: &str) -> Vec<usize> {
    let by = |is_same: fn(&str, &str) -> bool| -> Vec<usize> {
        let is_called = |index: &usize| is_same(&question.choices[*index].label, text);
        (0..question.choices.len()).filter(is_called).collect()
    };
    let exactly = by(same);

    if exactly.is_empty() {
        by(typed_alike)
    } else {
        exactly
    }
}

/// Returns the choices that words name without their formatting signs, or with them: a label may
/// have such signs itself.
fn called_by_either(question: &Question, text: &WrittenText) -> Vec<usize> {
    let named = called(question, &text.plain);

    if named.is_empty() || text.is_struck {
        called(question, &text.full)
    } else {
        named
    }
}
