//! The joining of long texts. Telegram's apps split a text of more than 4,096 characters into
//! several messages, within some 50 ms and without any mark. Here they become one text again: half
//! an answer is another answer.
//!
//! The apps' rules, by their published sources: the desktop app cuts at the best break in the
//! second half of the limit, Android's at a line end in the last 300 characters. What is at the cut
//! is trimmed, and each part may repeat the reply of the first.
//!
//! Between two parts may be anything: cards and edits of the bot in that chat, service messages,
//! and whatever happens in other chats. The message numbers tell no more than the order: the
//! private chats and small groups of a bot are numbered together, and a supergroup numbers what
//! everybody writes in it. So a part is known by its sender, chat and topic, its time, the length
//! of the part before it, and by answering no other message.

use super::bot_command::BotCommand;
use super::update::{IncomingUpdate, MessageRelation, TextEnd, UpdateContent};
use crate::channels::telegram::pairing::pairings::{ChatId, UserId};
use beckon_core::{Span, Timestamp};
use std::collections::{BTreeMap, BTreeSet};

/// The most UTF-16 units of a message (<https://core.telegram.org/bots/api#sendmessage>).
const LONGEST: usize = 4_096;
/// The number of UTF-16 units from which a text may be the first part of a longer one.
const MAY_GO_ON: usize = LONGEST / 2;
/// The number of UTF-16 units from which a text looks cut: Android's app looks for a line end in
/// the last 300 characters of a part.
const LOOKS_CUT: usize = LONGEST - 300;
/// The longest time between two parts, which are sent together. Telegram dates them in whole
/// seconds.
const SENT_WITHIN: Span = Span::seconds(2);
/// The longest time between the parts of a text, by Telegram's clock, over the slowest line.
const REST_WITHIN: Span = Span::seconds(5);
/// The longest time between the parts of a text that looks cut, if the next part answers the same
/// message. Another answer to that message within this time is refused, and its writer is told so.
const REPEATED_WITHIN: Span = Span::seconds(15);

/// Returns whether a text may be followed by more of it.
pub(super) fn end_of(text: &str) -> TextEnd {
    match text.encode_utf16().count() {
        LOOKS_CUT.. => TextEnd::LooksCut,
        MAY_GO_ON.. => TextEnd::MayGoOn,
        _ => TextEnd::Last,
    }
}

/// Returns what was between a part of so many units and the next one. It is nothing where the limit
/// cut it or the break is still there. Otherwise it is a line end, which people take for a blank,
/// too.
fn seam(units: usize, text: &str, next: &str) -> &'static str {
    let has_break = text.ends_with(char::is_whitespace) || next.starts_with(char::is_whitespace);
    if units >= LONGEST || has_break {
        ""
    } else {
        "\n"
    }
}

/// The last part of a text, as far as it is needed to recognize the next one.
#[derive(Clone, Debug)]
struct TextPart {
    /// The message's number.
    number: i32,
    /// The message that the text answers.
    relation: MessageRelation,
    /// The time at which it was sent, by Telegram's clock.
    at: Timestamp,
    end: TextEnd,
}

impl TextPart {
    /// Returns the last part of the text that an update is so far.
    fn of(update: &IncomingUpdate) -> Option<Self> {
        let UpdateContent::Text {
            relation,
            number,
            end,
            at,
            ..
        } = &update.what
        else {
            return None;
        };
        Some(Self {
            number: *number,
            relation: relation.clone(),
            at: *at,
            end: *end,
        })
    }
}

/// The texts that were taken as a whole, and of which more may come nevertheless. What others write
/// meanwhile ends none of them.
#[derive(Debug, Default)]
pub(in crate::channels::telegram) struct UnfinishedTexts {
    /// The last part of each, by its chat, topic and sender.
    parts: BTreeMap<(ChatId, Option<i32>, Option<UserId>), TextPart>,
}

impl UnfinishedTexts {
    /// Notes a text that is taken, if it may go on.
    fn note(&mut self, update: &IncomingUpdate) {
        let Some(last) = TextPart::of(update) else {
            return;
        };
        self.parts
            .retain(|_, part| last.at - part.at <= REPEATED_WITHIN);
        if last.end != TextEnd::Last {
            self.parts.insert(place(update), last);
        }
    }

    /// Forgets a text that was not taken: what comes after it is the rest of nothing.
    pub(in crate::channels::telegram) fn forget(&mut self, update: &IncomingUpdate) {
        let place = place(update);
        let number = TextPart::of(update).map(|part| part.number);
        let known = self.parts.get(&place).map(|part| part.number);
        if known.is_some() && known == number {
            self.parts.remove(&place);
        }
    }

    /// Whether a message is the rest of a text that is taken already, also where its sender has done
    /// something else meanwhile: over a slow line the rest comes after that, and for another card it
    /// would be an answer. Notes what may go on itself.
    pub(in crate::channels::telegram) fn is_rest(&mut self, update: &IncomingUpdate) -> bool {
        let place = place(update);
        let known = self.parts.get(&place);
        let is_rest = known.is_some_and(|last| goes_on_late(last, &update.what));
        if is_rest {
            self.parts.remove(&place);
        }

        self.note(update);
        is_rest
    }
}

/// Whether a message goes on with a text that is taken already.
fn goes_on_late(last: &TextPart, next: &UpdateContent) -> bool {
    let repeats = last.end == TextEnd::LooksCut && answers_the_same(last, next);
    let within = if repeats {
        REPEATED_WITHIN
    } else {
        REST_WITHIN
    };
    continues(last, next, within)
}

/// Returns where texts of its sender go on.
fn place(update: &IncomingUpdate) -> (ChatId, Option<i32>, Option<UserId>) {
    let person = update.from.as_ref().map(|from| from.id);
    (update.place.chat, update.place.thread, person)
}

/// Returns the numbers of the updates that wait for the rest of a text: its parts so far, and what
/// the same person did in that chat after them. Updates of others do not wait for it.
pub(super) fn held_back(updates: &[IncomingUpdate]) -> BTreeSet<i64> {
    let mut held = BTreeSet::new();
    for first in unfinished(updates) {
        let whole = updates[first..].iter();
        let theirs = whole.filter(|update| updates[first].is_of_same_place(update));
        held.extend(theirs.map(|update| update.update));
    }
    held
}

/// Returns where texts begin that may go on.
fn unfinished(updates: &[IncomingUpdate]) -> Vec<usize> {
    struct OpenText {
        first: usize,
        last: usize,
    }

    let mut open: Vec<OpenText> = Vec::new();
    for (at, update) in updates.iter().enumerate() {
        open.retain(|text| !ends(&updates[text.last], update));
        let goes_on = may_go_on(update);
        let known = open
            .iter()
            .rposition(|text| follows(&updates[text.last], update));
        match known {
            Some(known) if goes_on => open[known].last = at,
            Some(known) => _ = open.remove(known),
            None if goes_on => open.push(OpenText {
                first: at,
                last: at,
            }),
            None => {}
        }
    }
    open.into_iter().map(|text| text.first).collect()
}

/// Joins the parts of each text. A part keeps its number among the updates: it was heard, and says
/// nothing by itself.
pub(super) fn join_parts(updates: Vec<IncomingUpdate>) -> Vec<IncomingUpdate> {
    let mut joined: Vec<IncomingUpdate> = Vec::new();
    // The units of the last part of each text.
    let mut lengths: Vec<usize> = Vec::new();
    for mut update in updates {
        let length = units(&update);
        let first = joined.iter().rposition(|first| follows(first, &update));
        let first = first.filter(|first| {
            let mut between = joined[first + 1..].iter();
            !between.any(|act| ends(&joined[*first], act))
        });
        if let Some(first) = first {
            append(&mut joined[first], lengths[first], &mut update);
            lengths[first] = length;
        }
        joined.push(update);
        lengths.push(length);
    }
    joined
}

fn units(update: &IncomingUpdate) -> usize {
    match &update.what {
        UpdateContent::Text { text, .. } => text.plain.encode_utf16().count(),
        _ => 0,
    }
}

fn may_go_on(update: &IncomingUpdate) -> bool {
    matches!(&update.what, UpdateContent::Text { end, .. } if *end != TextEnd::Last)
}

/// Whether somebody does something else after a text that may have been whole. Then it was.
fn ends(first: &IncomingUpdate, next: &IncomingUpdate) -> bool {
    let may_be_whole = TextPart::of(first).is_some_and(|part| part.end == TextEnd::MayGoOn);
    may_be_whole && first.is_of_same_place(next) && is_act(&next.what) && !follows(first, next)
}

/// Whether it is a tap or a message, which its sender made after whatever they had written.
fn is_act(what: &UpdateContent) -> bool {
    matches!(
        what,
        UpdateContent::Tap { .. } | UpdateContent::Text { .. } | UpdateContent::Wordless { .. }
    )
}

/// Whether one update is the next part of another: of the same person in the same chat and topic,
/// soon after it, and no answer or caption of its own.
fn follows(first: &IncomingUpdate, next: &IncomingUpdate) -> bool {
    let has_caption = !matches!(&first.what, UpdateContent::Text { media: None, .. });
    let Some(part) = TextPart::of(first).filter(|part| part.end != TextEnd::Last) else {
        return false;
    };
    let is_of_same_topic = first.place.thread == next.place.thread;
    let is_its = !has_caption && first.is_of_same_place(next) && is_of_same_topic;
    is_its && continues(&part, &next.what, SENT_WITHIN)
}

/// Whether a message goes on with a text whose last part was `part`, sent at most `within` before.
fn continues(part: &TextPart, next: &UpdateContent, within: Span) -> bool {
    let UpdateContent::Text {
        relation,
        number,
        media: None,
        text,
        at,
        ..
    } = next
    else {
        return false;
    };
    let is_behind = *number > part.number;
    let is_soon = *at >= part.at && *at - part.at <= within;
    let answers_no_other = *relation == MessageRelation::Alone || answers_the_same(part, next);
    is_behind && is_soon && answers_no_other && !BotCommand::is_any(&text.plain)
}

/// Whether a message answers the same one as a part does. The card there may have other buttons by
/// now.
fn answers_the_same(part: &TextPart, next: &UpdateContent) -> bool {
    let UpdateContent::Text { relation, .. } = next else {
        return false;
    };
    match (&part.relation, relation) {
        (MessageRelation::ToBot(one), MessageRelation::ToBot(other)) => {
            one.message == other.message
        }
        (MessageRelation::Alone, _) => false,
        (one, other) => one == other,
    }
}

fn append(first: &mut IncomingUpdate, length: usize, next: &mut IncomingUpdate) {
    let part = std::mem::replace(&mut next.what, UpdateContent::Nothing);
    let UpdateContent::Text {
        text: more,
        number: last,
        end: its_end,
        at: sent,
        ..
    } = part
    else {
        return;
    };
    if let UpdateContent::Text {
        text,
        number,
        end,
        at,
        ..
    } = &mut first.what
    {
        let between = seam(length, &text.plain, &more.plain);
        text.append(more, between);
        *number = last;
        *end = its_end;
        *at = sent;
    }
}

#[cfg(test)]
mod tests {
    use super::super::update::{RepliedMessage, UpdatePlace, UpdateSender};
    use super::*;

    fn text(update: i64, user: i64, number: i32, text: &str) -> IncomingUpdate {
        IncomingUpdate {
            update,
            anonymous: false,
            from: Some(UpdateSender {
                id: UserId(user),
                name: "Ada".into(),
            }),
            place: UpdatePlace {
                chat: ChatId(user),
                private: true,
                title: String::new(),
                topics: false,
                thread: None,
            },
            what: UpdateContent::Text {
                relation: MessageRelation::Alone,
                text: text.into(),
                media: None,
                at: Timestamp(0),
                number,
                end: end_of(text),
            },
        }
    }

    fn words(updates: &[IncomingUpdate]) -> Vec<String> {
        let words = updates.iter().filter_map(|update| match &update.what {
            UpdateContent::Text { text, .. } => Some(text.plain.clone()),
            _ => None,
        });
        words.collect()
    }

    fn held(updates: &[IncomingUpdate]) -> Vec<i64> {
        held_back(updates).into_iter().collect()
    }

    #[test]
    fn only_who_writes_at_length_waits_for_the_rest_of_it() {
        let part = "x".repeat(4_096);
        let tap = |update: i64, user: i64| {
            with(text(update, user, 0, ""), |content| {
                *content = UpdateContent::Nothing;
            })
        };
        let elsewhere = |mut update: IncomingUpdate| {
            update.place.chat = ChatId(-5);
            update
        };
        let updates = vec![
            tap(1, 7),
            text(2, 7, 10, &part),
            tap(3, 8),
            text(4, 8, 11, "from somebody else"),
            tap(5, 7),
            elsewhere(text(6, 7, 12, "in another chat")),
            text(7, 7, 11, &part),
            tap(8, 8),
        ];
        assert_eq!(held(&updates), [2, 5, 7]);
    }

    #[test]
    fn the_parts_of_a_long_text_are_one_text() {
        let part = "word ".repeat(819);
        let updates = vec![
            text(1, 7, 10, &part),
            text(2, 7, 11, &part),
            text(3, 7, 12, "/etc and the end"),
            text(4, 7, 13, "another thing"),
        ];
        assert_eq!(held(&updates[..2]), [1, 2]);
        assert!(held(&updates).is_empty());
        let joined = join_parts(updates);
        let whole = format!("{part}{part}/etc and the end");
        assert_eq!(words(&joined), [whole, "another thing".into()]);
        let numbers: Vec<i64> = joined.iter().map(|update| update.update).collect();
        assert_eq!(numbers, [1, 2, 3, 4]);
    }

    #[test]
    fn what_is_of_somebody_else_or_comes_later_is_no_part_of_it() {
        let part = "x".repeat(4_096);
        let others = vec![text(1, 7, 10, &part), text(2, 8, 11, "and I say")];
        assert_eq!(held(&others), [1]);
        assert_eq!(
            words(&join_parts(others)),
            [part.clone(), "and I say".into()]
        );
        let elsewhere = with_place(text(2, 7, 11, "another topic"), |place| {
            place.thread = Some(3);
        });
        let topics = vec![text(1, 7, 10, &part), elsewhere];
        assert_eq!(words(&join_parts(topics)), [part, "another topic".into()]);
    }

    #[test]
    fn however_many_messages_are_between_two_parts_they_are_one_text() {
        let part = "x".repeat(4_096);
        let service = with(text(2, 7, 11, ""), |content| {
            *content = UpdateContent::Timer(60);
        });
        let edit = with(text(3, 7, 12, ""), |content| {
            *content = UpdateContent::Edited {
                number: 10,
                text: "y".into(),
            };
        });
        let updates = vec![
            text(1, 7, 10, &part),
            service,
            edit,
            text(4, 8, 500, "from somebody else"),
            text(5, 7, 100_000, "and the end"),
        ];
        assert_eq!(held(&updates[..4]), [1, 2, 3]);
        assert!(held(&updates).is_empty());
        let whole = part + "and the end";
        assert_eq!(
            words(&join_parts(updates)),
            [whole, "from somebody else".into()]
        );
    }

    #[test]
    fn a_part_goes_on_with_the_latest_text_that_it_may_belong_to() {
        let part = "x".repeat(4_096);
        let updates = vec![
            reply(text(1, 7, 10, &part), 5),
            reply(text(2, 7, 11, &part), 6),
            text(3, 7, 12, "and the end"),
        ];
        assert_eq!(held(&updates), [1, 2, 3], "the first may go on");
        let whole = part.clone() + "and the end";
        assert_eq!(words(&join_parts(updates)), [part, whole]);
    }

    #[test]
    fn the_rest_of_a_text_that_was_taken_is_known_whatever_others_write() {
        let part = "x".repeat(4_096);
        let mut texts = UnfinishedTexts::default();
        assert!(!texts.is_rest(&text(1, 7, 10, &part)));
        assert!(!texts.is_rest(&text(2, 8, 11, &part)));
        assert!(!texts.is_rest(&reply(text(3, 7, 12, "yes"), 5)));
        assert!(texts.is_rest(&later(text(4, 7, 90, &part), 5)));
        assert!(texts.is_rest(&later(text(5, 7, 91, "the end"), 9)));
        assert!(!texts.is_rest(&later(text(6, 7, 92, "thanks"), 9)));
        assert!(!texts.is_rest(&later(text(7, 8, 93, "good morning"), 36_000)));
        assert!(texts.parts.is_empty(), "{texts:?}");
    }

    #[test]
    fn a_text_that_was_not_taken_has_no_rest() {
        let first = text(1, 7, 10, &"x".repeat(4_096));
        let mut texts = UnfinishedTexts::default();
        assert!(!texts.is_rest(&first));
        texts.forget(&first);
        assert!(!texts.is_rest(&later(text(2, 7, 11, "by the way"), 3)));
    }

    #[test]
    fn the_rest_answers_the_same_card_also_after_that_has_other_buttons() {
        let part = "x".repeat(4_096);
        let first = reply(text(1, 7, 10, &part), 5);
        let rest = with_button(reply(text(2, 7, 11, "the rest"), 5), "next");
        let joined = join_parts(vec![first.clone(), rest.clone()]);
        assert_eq!(words(&joined), [part + "the rest"]);

        let mut texts = UnfinishedTexts::default();
        assert!(!texts.is_rest(&first));
        assert!(!texts.is_rest(&later(text(3, 7, 12, "alone"), 8)));
        assert!(texts.is_rest(&later(rest.clone(), 8)));
        assert!(!texts.is_rest(&first));
        assert!(
            !texts.is_rest(&later(rest, 20)),
            "an answer to what is asked now"
        );
    }

    #[test]
    fn a_text_that_may_be_whole_ends_with_what_its_writer_does_next() {
        let first = || reply(text(1, 7, 10, &"x".repeat(2_500)), 5);
        let tap = with(text(2, 7, 0, ""), |content| {
            *content = UpdateContent::Tap {
                query: "q".into(),
                message: Some(6),
                accessible: true,
                data: "pencil".into(),
            };
        });
        let another = reply(text(2, 7, 11, "no"), 6);
        for act in [tap, another] {
            let updates = vec![first(), act.clone(), text(3, 7, 12, "for the other one")];
            assert!(held(&updates).is_empty());
            let said = words(&join_parts(updates));
            assert_eq!(said.last().unwrap(), "for the other one");

            let mut texts = UnfinishedTexts::default();
            assert!(!texts.is_rest(&first()));
            assert!(!texts.is_rest(&act));
            let alone = later(text(3, 7, 12, "for the other one"), 3);
            assert!(texts.is_rest(&alone), "its sender has to say for which");
        }
    }

    /// Changes the first button of the message that the text answers.
    fn with_button(update: IncomingUpdate, button: &str) -> IncomingUpdate {
        with(update, |content| {
            if let UpdateContent::Text {
                relation: MessageRelation::ToBot(replied),
                ..
            } = content
            {
                replied.button = Some(button.into());
            }
        })
    }

    /// Makes the text a reply to that message.
    fn reply(update: IncomingUpdate, message: i32) -> IncomingUpdate {
        with(update, |content| {
            if let UpdateContent::Text { relation, .. } = content {
                *relation = MessageRelation::ToBot(RepliedMessage {
                    message,
                    button: None,
                });
            }
        })
    }

    /// Dates the text to so many seconds later.
    fn later(update: IncomingUpdate, seconds: i64) -> IncomingUpdate {
        with(update, |content| {
            if let UpdateContent::Text { at, .. } = content {
                *at = Timestamp(seconds * 1_000);
            }
        })
    }

    fn with_place(
        mut update: IncomingUpdate,
        change: impl FnOnce(&mut UpdatePlace),
    ) -> IncomingUpdate {
        change(&mut update.place);
        update
    }

    fn with(mut update: IncomingUpdate, change: impl FnOnce(&mut UpdateContent)) -> IncomingUpdate {
        change(&mut update.what);
        update
    }

    #[test]
    fn parts_that_were_cut_early_and_trimmed_get_a_line_end_between() {
        for length in [2_100, 3_830, 4_090] {
            let part = "x".repeat(length);
            let updates = vec![text(1, 7, 10, &part), text(2, 7, 11, "and the end")];
            assert_eq!(held(&updates[..1]), [1], "{length}");
            assert_eq!(words(&join_parts(updates)), [part + "\nand the end"]);
        }
        let full = "x".repeat(4_096);
        let updates = vec![text(1, 7, 10, &full), text(2, 7, 11, "and the end")];
        assert_eq!(words(&join_parts(updates)), [full + "and the end"]);
    }

    #[test]
    fn each_part_may_repeat_the_reply_and_none_answers_another_message() {
        let part = "x".repeat(4_096);
        let first = reply(text(1, 7, 10, &part), 5);
        let same = reply(text(2, 7, 11, "the end"), 5);
        let updates = vec![first.clone(), same];
        assert_eq!(words(&join_parts(updates)), [part.clone() + "the end"]);
        let other = reply(text(2, 7, 11, "yes"), 6);
        assert_eq!(words(&join_parts(vec![first, other])), [part, "yes".into()]);
    }

    #[test]
    fn words_of_another_time_and_commands_are_no_part() {
        let part = "x".repeat(4_096);
        for next in [
            later(text(2, 7, 11, "good morning, forget it all"), 36_000),
            text(2, 7, 11, "/away 1h"),
            text(2, 7, 11, "/pending@some_bot"),
        ] {
            let updates = vec![text(1, 7, 10, &part), next];
            assert_eq!(words(&join_parts(updates)).len(), 2);
        }
        let path = text(2, 7, 11, "/etc/hosts");
        let updates = vec![text(1, 7, 10, &part), path];
        assert_eq!(words(&join_parts(updates)), [part + "/etc/hosts"]);
    }

    #[test]
    fn units_count_as_telegram_counts_them() {
        assert_eq!(end_of(&"x".repeat(2_047)), TextEnd::Last);
        assert_eq!(end_of(&"😀".repeat(1_024)), TextEnd::MayGoOn);
        assert_eq!(end_of(&"x".repeat(3_795)), TextEnd::MayGoOn);
        assert_eq!(end_of(&"😀".repeat(1_898)), TextEnd::LooksCut);
    }
}
