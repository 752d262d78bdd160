//! Telegram's apps split a text of more than 4,096 characters into several messages, within some 50 ms and
//! without any mark. Here they become one text again: half an answer is another answer.

use super::update::{IncomingUpdate, UpdateContent};

/// A text of so many UTF-16 units may be the first part of a longer one: apps cut it at a word before the
/// limit of 4,096 (<https://core.telegram.org/bots/api#sendmessage>).
const MAY_GO_ON: usize = 4_000;
/// Between two parts the bot may have said something itself, which takes a number as well.
const GAP: i32 = 3;

/// Whether a text may be followed by more of it.
pub(super) fn is_cut(text: &str) -> bool {
    text.encode_utf16().count() >= MAY_GO_ON
}

/// Whether the last thing that somebody wrote may be followed by more of it.
pub(super) fn may_go_on(updates: &[IncomingUpdate]) -> bool {
    let mut open: Vec<&IncomingUpdate> = Vec::new();
    for update in updates {
        open.retain(|first| !follows(first, update));
        if matches!(update.what, UpdateContent::Text { goes_on: true, .. }) {
            open.push(update);
        }
    }
    !open.is_empty()
}

/// Joins the parts of each text, with nothing between. A part keeps its number among the updates: it was
/// heard, and says nothing by itself.
pub(super) fn join_parts(updates: Vec<IncomingUpdate>) -> Vec<IncomingUpdate> {
    let mut joined: Vec<IncomingUpdate> = Vec::new();
    for mut update in updates {
        let first = joined
            .iter_mut()
            .rev()
            .find(|first| follows(first, &update));
        if let Some(first) = first {
            append(first, &mut update);
        }
        joined.push(update);
    }
    joined
}

/// Whether one update is the next part of another: of the same person in the same chat, the next message
/// there, and no answer or caption of its own.
fn follows(first: &IncomingUpdate, next: &IncomingUpdate) -> bool {
    let UpdateContent::Text {
        number,
        goes_on: true,
        media: None,
        ..
    } = &first.what
    else {
        return false;
    };
    let is_same = first.from.as_ref().map(|from| from.id) == next.from.as_ref().map(|from| from.id)
        && first.place.chat == next.place.chat;
    is_same && continues(*number, &next.what)
}

/// Whether a message goes on with a text whose last part had that number.
pub(super) fn continues(number: i32, next: &UpdateContent) -> bool {
    use super::update::MessageRelation;

    let UpdateContent::Text {
        relation: MessageRelation::Alone,
        number: next,
        media: None,
        ..
    } = next
    else {
        return false;
    };
    (1..=GAP).contains(&next.saturating_sub(number))
}

fn append(first: &mut IncomingUpdate, next: &mut IncomingUpdate) {
    let part = std::mem::replace(&mut next.what, UpdateContent::Nothing);
    let UpdateContent::Text {
        text: more,
        number: last,
        goes_on: more_follows,
        ..
    } = part
    else {
        return;
    };
    if let UpdateContent::Text {
        text,
        number,
        goes_on,
        ..
    } = &mut first.what
    {
        text.append(more);
        *number = last;
        *goes_on = more_follows;
    }
}

#[cfg(test)]
mod tests {
    use super::super::update::{MessageRelation, UpdatePlace, UpdateSender};
    use super::*;
    use crate::channels::telegram::pairing::pairings::{ChatId, UserId};
    use beckon_core::Timestamp;

    fn text(update: i64, user: i64, number: i32, text: &str) -> IncomingUpdate {
        IncomingUpdate {
            update,
            from: Some(UpdateSender {
                id: UserId(user),
                name: "Ada".into(),
            }),
            place: UpdatePlace {
                chat: ChatId(user),
                private: true,
                title: String::new(),
                topics: false,
            },
            what: UpdateContent::Text {
                relation: MessageRelation::Alone,
                text: text.into(),
                media: None,
                at: Timestamp(0),
                number,
                goes_on: is_cut(text),
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

    #[test]
    fn the_parts_of_a_long_text_are_one_text_with_nothing_between() {
        let part = "word ".repeat(819);
        let updates = vec![
            text(1, 7, 10, &part),
            text(2, 7, 11, &part),
            text(3, 7, 12, "/etc and the end"),
            text(4, 7, 13, "another thing"),
        ];
        assert!(may_go_on(&updates[..2]));
        assert!(!may_go_on(&updates));
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
        assert!(may_go_on(&others));
        assert_eq!(
            words(&join_parts(others)),
            [part.clone(), "and I say".into()]
        );
        let later = vec![text(1, 7, 10, &part), text(2, 7, 20, "good morning")];
        assert_eq!(words(&join_parts(later)), [part, "good morning".into()]);
    }

    #[test]
    fn units_count_as_telegram_counts_them() {
        assert!(!is_cut(&"x".repeat(3_999)));
        assert!(is_cut(&"😀".repeat(2_000)));
    }
}
