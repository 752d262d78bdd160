//! Updates of a newer server, and what is none.

use super::*;
use serde_json::json;

const BOT: UserId = UserId(1);

fn message(text: &str) -> Value {
    let ada = json!({ "id": 7, "is_bot": false, "first_name": "Ada" });
    let chat = json!({ "id": 7, "type": "private", "first_name": "Ada" });
    json!({ "message_id": 6, "from": ada, "chat": chat, "date": 1_795_000_000, "text": text })
}

#[test]
fn a_field_of_a_newer_server_does_not_hide_the_message_beside_it() {
    let update = json!({ "update_id": 9, "a_new_thing": {}, "message": message("Green") });
    let what = parse_update(update, BOT).map(|heard| heard.what);
    assert!(matches!(what, Some(UpdateContent::Text { text, .. }) if text == "Green".into()));
}

#[test]
fn an_update_that_cannot_be_read_has_its_number() {
    for odd in [
        json!({ "message": 7 }),
        json!({ "message": { "from": [] } }),
        json!({ "message": message("x")["date"] }),
        json!({ "callback_query": { "id": "1" } }),
        // Too large to be read whole: its number is all that is left.
        json!({}),
        json!({ "message": null }),
    ] {
        for number in [json!(9), json!("9"), json!(9.0)] {
            let mut update = odd.clone();
            update["update_id"] = number;
            let heard = parse_update(update, BOT).unwrap();
            assert_eq!((heard.update, heard.what), (9, UpdateContent::Unreadable));
        }
    }
    let edited = json!({ "update_id": 9, "edited_message": message("x") });
    let heard = parse_update(edited, BOT).map(|heard| heard.what);
    assert!(
        matches!(heard, Some(UpdateContent::Edited { .. })),
        "it answers nothing: {heard:?}"
    );
    for none in [
        json!(7),
        json!({ "message": message("x") }),
        json!({ "update_id": -1 }),
    ] {
        assert_eq!(parse_update(none, BOT), None);
    }
}

#[test]
fn a_field_that_is_null_or_missing_takes_no_words_along() {
    let mut bare = message("Green");
    bare["from"] = json!({ "id": 7, "first_name": null, "last_name": null });
    bare["reply_to_message"] = Value::Null;
    bare["is_topic_message"] = Value::Null;

    let heard = parse_update(json!({ "update_id": 9, "message": bare }), BOT).unwrap();
    assert!(matches!(heard.what, UpdateContent::Text { text, .. } if text == "Green".into()));
    assert_eq!(heard.from.map(|from| from.id), Some(UserId(7)));
}

fn user(id: u64, is_bot: bool) -> Value {
    json!({ "id": id, "is_bot": is_bot, "first_name": "Ada" })
}

fn group() -> Value {
    json!({ "id": -1_001_234, "type": "supergroup", "title": "Team", "is_forum": true })
}

/// Reads a message of Ada's that has these fields besides.
fn read(fields: Value) -> IncomingUpdate {
    let mut message = message("x");
    message.as_object_mut().unwrap().remove("text");
    message
        .as_object_mut()
        .unwrap()
        .extend(fields.as_object().unwrap().clone());
    parse_update(json!({ "update_id": 9, "message": message }), BOT).unwrap()
}

/// Returns what words with these fields answer.
fn answers(mut fields: Value) -> MessageRelation {
    fields["text"] = "x".into();
    match read(fields).what {
        UpdateContent::Text {
            relation,
            media: None,
            ..
        } => relation,
        other => panic!("{other:?}"),
    }
}

/// Makes a message of that person or bot, with that number.
fn of(from: u64, number: i32) -> Value {
    let from = user(from, from == 1 || from == 2);
    let chat = message("x")["chat"].clone();
    let keyboard = json!([[
        { "text": "Yes", "callback_data": "seal.1" },
        { "text": "No", "callback_data": "seal.2" }
    ]]);
    json!({
        "message_id": number, "from": from, "chat": chat, "date": 1_795_000_000, "text": "card",
        "reply_markup": { "inline_keyboard": keyboard }
    })
}

fn to_card(message: i32) -> MessageRelation {
    MessageRelation::ToBot(RepliedMessage {
        message,
        button: Some("seal.1".into()),
    })
}

#[test]
fn words_answer_what_this_bot_wrote_and_nothing_else() {
    assert_eq!(answers(json!({})), MessageRelation::Alone);
    assert_eq!(answers(json!({ "reply_to_message": of(1, 5) })), to_card(5));
    let origin = json!({ "type": "hidden_user", "sender_user_name": "B", "date": 1_795_000_000 });
    let story = json!({ "id": 3, "chat": message("x")["chat"] });
    for elsewhere in [
        json!({ "reply_to_message": of(2, 5) }),
        json!({ "reply_to_message": of(8, 5) }),
        json!({ "external_reply": { "origin": origin, "message_id": 5 } }),
        json!({ "reply_to_story": story }),
    ] {
        assert_eq!(
            answers(elsewhere.clone()),
            MessageRelation::Elsewhere,
            "{elsewhere}"
        );
    }
    let forwarded = json!({ "reply_to_message": of(1, 5), "forward_origin": origin });
    assert_eq!(answers(forwarded), MessageRelation::Forwarded);
    let by_bot = json!({ "type": "user", "sender_user": user(1, true), "date": 1_795_000_000 });
    let from_afar = answers(json!({ "external_reply": { "origin": by_bot, "message_id": 5 } }));
    assert_eq!(from_afar, MessageRelation::ToBotElsewhere);
    let copies = json!({ "inline_keyboard": [[
        { "text": "Copy", "copy_text": { "text": "ls" } },
        { "text": "Yes", "callback_data": "seal.1" }
    ]] });
    let mut card = of(1, 5);
    card["reply_markup"] = copies;
    let replied = RepliedMessage {
        message: 5,
        button: None,
    };
    let relation = answers(json!({ "reply_to_message": card }));
    assert_eq!(
        relation,
        MessageRelation::ToBot(replied),
        "the first one tells"
    );
}

#[test]
fn words_count_whatever_a_newer_server_says_beside_them() {
    let odd = json!({ "type": "a_new_kind", "thing": [1] });
    for beside in [
        "entities",
        "link_preview_options",
        "quote",
        "via_bot",
        "effect_id",
    ] {
        assert_eq!(
            answers(json!({ beside: odd })),
            MessageRelation::Alone,
            "{beside}"
        );
    }
    let newer = json!({ "message_id": 5, "from": user(1, true), "a_new_thing": odd });
    let replied = RepliedMessage {
        message: 5,
        button: None,
    };
    let relation = answers(json!({ "reply_to_message": newer }));
    assert_eq!(relation, MessageRelation::ToBot(replied));
    let unreadable = json!({ "reply_to_message": { "message_id": "five" } });
    assert_eq!(
        answers(unreadable),
        MessageRelation::Elsewhere,
        "not of this bot"
    );
    let chat = json!({ "id": 7, "type": "a_new_kind" });
    assert!(!read(json!({ "text": "x", "chat": chat })).place.private);
}

#[test]
fn in_a_topic_what_answers_its_beginning_answers_nothing() {
    let thread = |thread: i32, topic: bool| {
        answers(json!({
            "chat": group(), "message_thread_id": thread, "is_topic_message": topic,
            "reply_to_message": of(1, 5)
        }))
    };
    assert_eq!(thread(5, true), MessageRelation::Alone);
    assert_eq!(thread(4, true), to_card(5));
    assert_eq!(thread(5, false), to_card(5), "a chain of replies");
}

#[test]
fn a_message_without_words_has_only_its_album() {
    let photo = json!([{ "file_id": "a", "file_unique_id": "b", "width": 1, "height": 1 }]);
    let album = |album: Option<&str>| MediaMessage {
        album: album.map(str::to_owned),
    };
    let relation = || MessageRelation::Alone;
    assert_eq!(
        read(json!({ "photo": photo, "media_group_id": "7" })).what,
        UpdateContent::Wordless {
            relation: relation(),
            media: album(Some("7"))
        }
    );
    assert_eq!(
        read(json!({ "dice": { "emoji": "🎲", "value": 3 } })).what,
        UpdateContent::Wordless {
            relation: relation(),
            media: album(None)
        }
    );
    assert_eq!(
        read(json!({ "photo": photo, "caption": "Green" })).what,
        UpdateContent::Text {
            relation: relation(),
            text: "Green".into(),
            media: Some(album(None)),
            at: Timestamp(1_795_000_000_000),
            number: message("x")["message_id"].as_i64().unwrap() as i32,
            end: TextEnd::Last,
        }
    );
}

#[test]
fn who_wrote_is_a_person_and_nobody_who_speaks_for_a_chat() {
    let ada = UpdateSender {
        id: UserId(7),
        name: "Ada".into(),
    };
    assert_eq!(read(json!({ "text": "x" })).from, Some(ada));
    assert_eq!(
        read(json!({ "text": "x", "from": user(8, true) })).from,
        None
    );
    assert_eq!(
        read(json!({ "text": "x", "sender_chat": group() })).from,
        None
    );
}

#[test]
fn where_it_was_written_is_known_with_its_title_and_its_topics() {
    let place = read(json!({ "text": "x", "chat": group() })).place;
    let chat = ChatId(-1_001_234);
    assert_eq!(
        place,
        UpdatePlace {
            chat,
            private: false,
            title: "Team".into(),
            topics: true,
            thread: None,
        }
    );
    let private = read(json!({ "text": "x" })).place;
    assert_eq!(
        (private.chat, private.private, private.topics),
        (ChatId(7), true, false)
    );
}

#[test]
fn a_tap_says_what_its_button_carries_and_on_which_message() {
    let query = json!({
        "id": "77", "from": user(7, false), "message": of(1, 5), "chat_instance": "c",
        "data": "seal.1"
    });
    let heard = parse_update(json!({ "update_id": 9, "callback_query": query }), BOT).unwrap();
    let (query, data) = ("77".to_owned(), "seal.1".to_owned());
    assert_eq!(
        heard.what,
        UpdateContent::Tap {
            query,
            message: Some(5),
            accessible: true,
            data
        }
    );
    assert_eq!(
        (heard.place.chat, heard.from.unwrap().id),
        (ChatId(7), UserId(7))
    );
}

/// <https://core.telegram.org/bots/api#inaccessiblemessage>: always dated 0.
#[test]
fn a_tap_on_a_message_that_is_gone_says_so() {
    let message = json!({ "message_id": 5, "chat": of(1, 5)["chat"], "date": 0 });
    let query = json!({
        "id": "77", "from": user(7, false), "message": message, "chat_instance": "c",
        "data": "seal.1"
    });
    let heard = parse_update(json!({ "update_id": 9, "callback_query": query }), BOT).unwrap();
    let (query, data) = ("77".to_owned(), "seal.1".to_owned());
    assert_eq!(
        heard.what,
        UpdateContent::Tap {
            query,
            message: Some(5),
            accessible: false,
            data
        }
    );
    assert_eq!(heard.place.chat, ChatId(7));
}

#[test]
fn eyes_are_put_on_a_message_and_taken_away_beside_whatever_else_is_said_of_it() {
    let say = |emoji: &[&str]| -> Value {
        emoji
            .iter()
            .map(|emoji| json!({ "type": "emoji", "emoji": emoji }))
            .collect()
    };
    let change = |before: &[&str], after: &[&str]| {
        let change = json!({
            "chat": group(), "message_id": 5, "user": user(7, false), "date": 1_795_000_000,
            "old_reaction": say(before), "new_reaction": say(after)
        });
        let update = json!({ "update_id": 9, "message_reaction": change });
        let heard = parse_update(update, BOT).unwrap();
        assert_eq!(heard.place.chat, ChatId(-1_001_234));
        heard.what
    };
    let by_another_chat = json!({
        "chat": group(), "message_id": 5, "actor_chat": message("x")["chat"],
        "date": 1_795_000_000, "old_reaction": [], "new_reaction": []
    });
    let update = json!({ "update_id": 9, "message_reaction": by_another_chat });
    assert_eq!(
        parse_update(update, BOT).unwrap().place.chat,
        ChatId(-1_001_234)
    );
    let eyes = |seen| UpdateContent::Eyes { message: 5, seen };
    assert_eq!(change(&[], &["👀"]), eyes(true));
    assert_eq!(change(&["👍"], &["👍", "👀"]), eyes(true));
    assert_eq!(change(&["👀"], &[]), eyes(false));
    assert_eq!(change(&["👀"], &["👀", "👍"]), UpdateContent::Nothing);
    assert_eq!(change(&[], &["👍"]), UpdateContent::Nothing);
}

#[test]
fn whoever_blocks_the_bot_or_throws_it_out_bars_it_and_everything_else_lets_it_in() {
    let becomes = |status: Value| {
        let mut member = json!({ "user": user(1, true) });
        member
            .as_object_mut()
            .unwrap()
            .extend(status.as_object().unwrap().clone());
        let change = json!({
            "chat": message("x")["chat"], "from": user(7, false), "date": 1_795_000_000,
            "old_chat_member": { "user": user(1, true), "status": "member" },
            "new_chat_member": member
        });
        parse_update(json!({ "update_id": 9, "my_chat_member": change }), BOT)
            .unwrap()
            .what
    };
    let barred = [
        json!({ "status": "kicked", "until_date": 0 }),
        json!({ "status": "left" }),
    ];
    assert_eq!(
        barred.map(becomes),
        [UpdateContent::Barred, UpdateContent::Barred]
    );
    assert_eq!(
        becomes(json!({ "status": "member" })),
        UpdateContent::Unbarred
    );
}

#[test]
fn the_signs_of_a_text_and_of_a_caption_are_those_of_their_own_entities() {
    let italic = json!([{ "type": "italic", "offset": 0, "length": 4 }]);
    let bold = json!([{ "type": "bold", "offset": 0, "length": 7 }]);
    let photo = json!([{ "file_id": "p", "width": 1, "height": 1 }]);
    let full = |fields: Value| match read(fields).what {
        UpdateContent::Text { text, .. } => text.written().full,
        other => panic!("{other:?}"),
    };
    let both = json!({ "text": "init.py", "entities": italic, "caption_entities": bold });
    assert_eq!(full(both), "__init__.py");
    let both = json!({ "photo": photo, "caption": "init.py", "entities": bold,
        "caption_entities": italic });
    assert_eq!(full(both), "__init__.py");
}
