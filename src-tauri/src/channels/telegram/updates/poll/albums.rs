//! The joining of albums. Several pictures that are sent together come as a message each, and each
//! may have a caption (<https://core.telegram.org/bots/api#message>, `media_group_id`). Nothing
//! says how many there are. Here they become one: the captions are one answer.
//!
//! Not here: for how long the next one is waited for (`poll`), and what becomes of one that comes
//! later.

use crate::channels::telegram::updates::update::{IncomingUpdate, MediaMessage, UpdateContent};
use std::collections::BTreeSet;

/// Returns the numbers of the updates that wait for the rest of an album: its parts so far, and what the same
/// person did in that chat after them.
pub(super) fn held_back(updates: &[IncomingUpdate]) -> BTreeSet<i64> {
    let mut held = BTreeSet::new();
    for (at, first) in updates.iter().enumerate() {
        if !is_meant(first) {
            continue;
        }
        let behind = updates[at..].iter();
        let theirs = behind.filter(|update| first.is_of_same_place(update));
        held.extend(theirs.map(|update| update.update));
    }
    held
}

/// Joins the parts of each album into its first one. A part keeps its number among the updates: it was heard,
/// and says nothing by itself.
pub(super) fn join_albums(updates: Vec<IncomingUpdate>) -> Vec<IncomingUpdate> {
    let mut joined: Vec<IncomingUpdate> = Vec::new();
    for mut update in updates {
        let first = joined
            .iter_mut()
            .find(|first| is_same_album(first, &update));
        if let Some(first) = first {
            let part = std::mem::replace(&mut update.what, UpdateContent::Nothing);
            append(&mut first.what, part);
        }
        joined.push(update);
    }
    joined
}

/// Whether it is a part of an album that is for the bot.
fn is_meant(update: &IncomingUpdate) -> bool {
    let is_to_bot = match &update.what {
        UpdateContent::Text { relation, .. } | UpdateContent::Wordless { relation, .. } => {
            relation.is_to_bot()
        }
        _ => false,
    };
    album(update).is_some() && (is_to_bot || update.place.private)
}

fn is_same_album(one: &IncomingUpdate, other: &IncomingUpdate) -> bool {
    let of_one = album(one);
    of_one.is_some() && of_one == album(other) && one.is_of_same_place(other)
}

fn album(update: &IncomingUpdate) -> Option<&str> {
    let media = match &update.what {
        UpdateContent::Text { media, .. } => media.as_ref(),
        UpdateContent::Wordless { media, .. } => Some(media),
        _ => None,
    };
    media.and_then(|MediaMessage { album }| album.as_deref())
}

fn append(first: &mut UpdateContent, part: UpdateContent) {
    if matches!(first, UpdateContent::Wordless { .. }) {
        *first = part;
        return;
    }
    let UpdateContent::Text {
        text: more,
        number: last,
        ..
    } = part
    else {
        return;
    };
    if let UpdateContent::Text { text, number, .. } = first {
        text.append(more, "\n");
        *number = last;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::channels::telegram::pairing::pairings::{ChatId, UserId};
    use crate::channels::telegram::updates::update::{
        MessageRelation, TextEnd, UpdatePlace, UpdateSender,
    };
    use beckon_core::Timestamp;

    fn part(update: i64, user: i64, album: Option<&str>, caption: &str) -> IncomingUpdate {
        let media = MediaMessage {
            album: album.map(str::to_owned),
        };
        let relation = MessageRelation::Alone;
        let what = if caption.is_empty() {
            UpdateContent::Wordless { relation, media }
        } else {
            UpdateContent::Text {
                relation,
                text: caption.into(),
                media: Some(media),
                at: Timestamp(0),
                number: i32::try_from(update).unwrap(),
                end: TextEnd::Last,
            }
        };
        IncomingUpdate {
            update,
            from: Some(UpdateSender {
                id: UserId(user),
                name: "Ada".into(),
            }),
            anonymous: false,
            place: UpdatePlace {
                chat: ChatId(user),
                private: true,
                title: String::new(),
                topics: false,
                thread: None,
            },
            what,
        }
    }

    fn said(updates: Vec<IncomingUpdate>) -> Vec<Option<String>> {
        let joined = join_albums(updates);
        let said = joined.into_iter().filter_map(|update| match update.what {
            UpdateContent::Text { text, .. } => Some(Some(text.plain)),
            UpdateContent::Wordless { .. } => Some(None),
            _ => None,
        });
        said.collect()
    }

    #[test]
    fn the_captions_of_an_album_are_one_text_whichever_pictures_have_some() {
        let album = |captions: [&str; 3]| {
            let numbered = (1..).zip(captions);
            let parts = numbered.map(|(number, caption)| part(number, 7, Some("a"), caption));
            said(parts.collect())
        };
        let one = |words: &str| vec![Some(words.to_owned())];
        assert_eq!(album(["before", "after", ""]), one("before\nafter"));
        assert_eq!(album(["", "before", "after"]), one("before\nafter"));
        assert_eq!(album(["", "", "after"]), one("after"));
        assert_eq!(album(["", "", ""]), [None]);
    }

    #[test]
    fn what_is_of_another_album_or_person_or_of_none_stands_by_itself() {
        let parts = vec![
            part(1, 7, Some("a"), "one"),
            part(2, 8, Some("a"), "two"),
            part(3, 7, Some("b"), "three"),
            part(4, 7, None, "four"),
            part(5, 7, None, "five"),
        ];
        assert_eq!(said(parts).len(), 5);
    }

    #[test]
    fn whatever_its_sender_does_after_an_album_waits_for_its_rest_and_nobody_else_does() {
        let parts = [
            part(1, 7, None, "before"),
            part(2, 7, Some("a"), ""),
            part(3, 8, None, "another's"),
            part(4, 7, None, "after"),
        ];
        assert_eq!(held_back(&parts), BTreeSet::from([2, 4]));
    }
}
