//! Tests of what people do in the fake Telegram, and what the bot sees of it.

use beckon_support::telegram::{Group, Media, Telegram, USERNAME};
use serde_json::{Value, json};

use super::{done, send, send_buttons, updates};

#[tokio::test]
async fn a_bot_with_privacy_mode_sees_only_what_is_meant_for_it() {
    let telegram = Telegram::start();
    let anna = telegram.user("Anna");
    let group = telegram.group(&[anna], Group::default());
    let card = send(&telegram, group, "Which?").await;
    let chatter = telegram.text(anna, group, "lunch?");
    telegram.reply(anna, group, chatter, "yes");
    telegram.command(anna, group, "/status@other_bot");
    assert_eq!(telegram.pending(), 0);
    telegram.reply(anna, group, card, "SQLite");
    telegram.command(anna, group, "/status");
    telegram.command(anna, group, &format!("/status@{USERNAME}"));
    telegram.text(anna, group, &format!("hey @{USERNAME}"));
    let seen = updates(&telegram, 0).await;
    assert_eq!(seen.len(), 4);
    let command = json!({ "type": "bot_command", "offset": 0, "length": 7 });
    assert_eq!(seen[1]["message"]["entities"], json!([command]));
    let open = telegram.group(
        &[anna],
        Group {
            privacy_mode: false,
            ..Group::default()
        },
    );
    telegram.text(anna, open, "lunch?");
    assert_eq!(telegram.pending(), 5);
}

#[tokio::test]
async fn a_migration_is_announced_on_both_sides() {
    let telegram = Telegram::start();
    let anna = telegram.user("Anna");
    let old = telegram.group(&[anna], Group::default());
    let new = telegram.migrate(old);
    let told = updates(&telegram, 0).await;
    assert_eq!(told[0]["message"]["migrate_to_chat_id"], new.0);
    assert_eq!(told[1]["message"]["migrate_from_chat_id"], old.0);
    assert_eq!(told[1]["message"]["chat"]["type"], "supergroup");
}

#[tokio::test]
async fn a_number_of_a_supergroups_message_is_never_used_again() {
    let telegram = Telegram::start();
    let anna = telegram.user("Anna");
    let group = telegram.group(
        &[anna],
        Group {
            topics: true,
            ..Group::default()
        },
    );
    let first = send(&telegram, group, "x").await;
    let params = json!({ "chat_id": group.0, "message_id": first });
    done(&telegram, "deleteMessage", params).await;
    assert_eq!(send(&telegram, group, "x").await, first + 1);
}

#[tokio::test]
async fn in_a_topic_what_answers_nothing_answers_its_beginning() {
    let telegram = Telegram::start();
    let anna = telegram.user("Anna");
    let group = telegram.group(
        &[anna],
        Group {
            privacy_mode: false,
            topics: true,
        },
    );
    let topic = json!({ "chat_id": group.0, "name": "shop" });
    let topic = done(&telegram, "createForumTopic", topic).await["message_thread_id"].clone();
    telegram.text_in(anna, group, topic.as_i64().unwrap(), "lunch?");
    let told = &updates(&telegram, 0).await[0]["message"];
    assert_eq!(
        (&told["message_thread_id"], &told["is_topic_message"]),
        (&topic, &json!(true))
    );
    assert_eq!(told["reply_to_message"]["message_id"], topic);
}

#[tokio::test]
async fn in_a_supergroup_without_topics_replies_are_threads_but_no_topics() {
    let telegram = Telegram::start();
    let anna = telegram.user("Anna");
    let group = telegram.migrate(telegram.group(&[anna], Group::default()));
    let card = send(&telegram, group, "Which?").await;
    let reply = telegram.reply(anna, group, card, "SQLite");
    telegram.reply(anna, group, card, "no, the other");
    let told = updates(&telegram, 0).await;
    for told in &told[2..] {
        assert_eq!(told["message"]["message_thread_id"], card);
        assert_eq!(told["message"].get("is_topic_message"), None);
    }
    assert_ne!(reply, card);
}

#[tokio::test]
async fn pictures_and_words_of_others_look_as_documented() {
    let telegram = Telegram::start();
    let (anna, bob) = (telegram.user("Anna"), telegram.user("Bob"));
    let chat = telegram.private(anna);
    telegram.photo(
        anna,
        chat,
        Media {
            caption: "look",
            album: Some("7"),
            reply_to: None,
        },
    );
    telegram.forward(anna, chat, bob, "what Bob wrote");
    telegram.reply_elsewhere(anna, chat, bob, "to what Bob wrote");
    let told = updates(&telegram, 0).await;
    let photo = &told[0]["message"];
    assert_eq!(
        (&photo["caption"], &photo["media_group_id"]),
        (&json!("look"), &json!("7"))
    );
    assert!(
        photo["photo"][0]["file_id"].is_string() && photo.get("text").is_none(),
        "{photo}"
    );
    assert_eq!(
        told[1]["message"]["forward_origin"]["sender_user"]["first_name"],
        "Bob"
    );
    assert_eq!(
        told[2]["message"]["external_reply"]["origin"]["type"],
        "user"
    );
}

#[tokio::test]
async fn a_forged_tap_carries_what_it_is_given_by_whomever() {
    let telegram = Telegram::start();
    let (anna, mallory) = (telegram.user("Anna"), telegram.user("Mallory"));
    let chat = telegram.private(anna);
    let card = send_buttons(&telegram, chat, &["Yes"]).await;
    telegram.tap_data(mallory, chat, card, "forged");
    let tap: Value = updates(&telegram, 0).await.remove(0);
    assert_eq!(tap["callback_query"]["data"], "forged");
    assert_eq!(tap["callback_query"]["from"]["id"], mallory.0);
    assert_eq!(tap["callback_query"]["message"]["message_id"], card);
}

#[tokio::test]
#[should_panic(expected = "no button \"No\" among [[\"Yes\", \"Maybe\"]]")]
async fn a_button_that_is_not_there_cannot_be_tapped() {
    let telegram = Telegram::start();
    let anna = telegram.user("Anna");
    let chat = telegram.private(anna);
    let card = send_buttons(&telegram, chat, &["Yes", "Maybe"]).await;
    telegram.tap(anna, chat, card, "No");
}

#[tokio::test]
#[should_panic(expected = "no payload of a start link")]
async fn a_start_link_carries_only_what_links_can() {
    let telegram = Telegram::start();
    telegram.start_link(telegram.user("Anna"), "not/this");
}
