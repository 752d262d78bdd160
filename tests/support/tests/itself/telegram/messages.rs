//! Tests of which messages may be written, and how others are refused.

use std::time::Duration;

use beckon_support::telegram::{ChatId, EntityKind, Group, Markup, Telegram, UserId};
use serde_json::{Value, json};

use super::{call, done, refused, send, send_buttons};

fn start() -> (Telegram, UserId, ChatId) {
    let telegram = Telegram::start();
    let anna = telegram.user("Anna");
    let chat = telegram.private(anna);
    (telegram, anna, chat)
}

async fn send_html(telegram: &Telegram, chat: ChatId, html: &str) -> Value {
    let params = json!({ "chat_id": chat.0, "text": html, "parse_mode": "HTML" });
    call(telegram, "sendMessage", params).await
}

#[tokio::test]
async fn html_becomes_text_with_entities() {
    let (telegram, _, chat) = start();
    let html = "🔐 <b>bold <i>both</i></b> &lt;&amp;&gt; <a href=\"https://a.example/?a=1&amp;b=2\">link</a>\n\
        <pre><code class=\"language-rust\">fn</code></pre><code>x</code><tg-spoiler>s</tg-spoiler>\
        <span class=\"tg-spoiler\">s</span><blockquote expandable>long</blockquote> &#x1F600; ";
    let answer = send_html(&telegram, chat, html).await;
    let text = "🔐 bold both <&> link\nfnxsslong 😀";
    assert_eq!(answer["result"]["text"], text);
    let shown = telegram.messages(chat).remove(0);
    let kinds: Vec<(EntityKind, usize, usize)> = shown
        .entities
        .into_iter()
        .map(|e| (e.kind, e.offset, e.length))
        .collect();
    let url = "https://a.example/?a=1&b=2".to_owned();
    let expected = [
        (EntityKind::Bold, 3, 9),
        (EntityKind::Italic, 8, 4),
        (EntityKind::TextLink { url }, 17, 4),
        (
            EntityKind::Pre {
                language: Some("rust".to_owned()),
            },
            22,
            2,
        ),
        (EntityKind::Code, 24, 1),
        (EntityKind::Spoiler, 25, 1),
        (EntityKind::Spoiler, 26, 1),
        (EntityKind::ExpandableBlockquote, 27, 4),
    ];
    assert_eq!(kinds, expected);
    assert_eq!(answer["result"]["entities"][3]["language"], "rust");
    assert_eq!(shown.html, html);
    assert_eq!(telegram.complaints(), Vec::<String>::new());
}

#[tokio::test]
async fn html_that_is_none_is_refused_with_its_place() {
    let (telegram, _, chat) = start();
    for (html, why) in [
        ("a < b", "Unsupported start tag \"\" at byte offset 2"),
        (
            "<div>x</div>",
            "Unsupported start tag \"div\" at byte offset 0",
        ),
        ("é<br/>", "Unsupported start tag \"br/\" at byte offset 2"),
        (
            "<b>x",
            "Can't find end tag corresponding to start tag \"b\"",
        ),
        (
            "<b><i>x</b></i>",
            "Unmatched end tag at byte offset 7, expected \"</i>\", found \"</b>\"",
        ),
        ("x</b>", "Unexpected end tag at byte offset 1"),
        ("x <b", "Unclosed start tag at byte offset 2"),
        (
            "<span>x</span>",
            "Unsupported start tag \"span\" at byte offset 0",
        ),
        ("you & me", "\"&\" at byte offset 4 begins no known entity"),
        ("&nbsp;", "\"&\" at byte offset 0 begins no known entity"),
    ] {
        let answer = send_html(&telegram, chat, html).await;
        let expected = format!("Bad Request: can't parse entities: {why}");
        assert_eq!(answer["description"], expected, "{html}");
    }
    assert_eq!(telegram.complaints().len(), 10);
    assert_eq!(telegram.messages(chat), []);
}

#[tokio::test]
async fn a_text_has_1_to_4096_units_after_its_markup_is_read() {
    let (telegram, _, chat) = start();
    let fits = format!("<b>{}</b>&amp;", "x".repeat(4095));
    assert_eq!(send_html(&telegram, chat, &fits).await["ok"], true);
    let wide = "😀".repeat(2048);
    let id = send(&telegram, chat, &wide).await;
    let too_long = json!({ "chat_id": chat.0, "text": format!("{wide}x"), "message_id": id });
    let why = refused(&telegram, "editMessageText", too_long.clone()).await;
    assert_eq!(why, "Bad Request: MESSAGE_TOO_LONG");
    let params = json!({ "chat_id": chat.0, "text": too_long["text"] });
    let why = refused(&telegram, "sendMessage", params).await;
    assert_eq!(why, "Bad Request: message is too long");
    for empty in ["", " \n ", "<b> </b>"] {
        let answer = send_html(&telegram, chat, empty).await;
        assert_eq!(answer["description"], "Bad Request: message text is empty");
    }
}

#[tokio::test]
async fn buttons_carry_1_to_64_bytes_and_do_one_thing() {
    let (telegram, _, chat) = start();
    let attempt = async |button: Value| {
        let params = json!({ "chat_id": chat.0, "text": "?",
            "reply_markup": { "inline_keyboard": [[button]] } });
        let answer = call(&telegram, "sendMessage", params).await;
        answer["description"].as_str().unwrap_or("ok").to_owned()
    };
    let data = |data: &str| json!({ "text": "A", "callback_data": data });
    assert_eq!(attempt(data(&"é".repeat(32))).await, "ok");
    assert_eq!(
        attempt(data(&"é".repeat(33))).await,
        "Bad Request: BUTTON_DATA_INVALID"
    );
    assert_eq!(attempt(data("")).await, "Bad Request: BUTTON_DATA_INVALID");
    let why = attempt(json!({ "text": "A" })).await;
    assert!(
        why.ends_with("Text buttons are unallowed in the inline keyboard"),
        "{why}"
    );
    let why =
        attempt(json!({ "text": "A", "callback_data": "a", "url": "https://a.example" })).await;
    assert!(why.ends_with("more than one action"), "{why}");
    let why = attempt(json!({ "text": "A", "callback_data": "a", "colour": "red" })).await;
    assert!(why.ends_with("field \"colour\" is not documented"), "{why}");
    assert_eq!(
        attempt(json!({ "text": "A", "callback_data": "a", "style": "danger" })).await,
        "ok"
    );
    let why = attempt(json!({ "text": "A", "callback_data": "a", "style": "green" })).await;
    assert!(why.ends_with("there is no style \"green\""), "{why}");
    let copy = |length: usize| json!({ "text": "A", "copy_text": { "text": "x".repeat(length) } });
    assert_eq!(attempt(copy(256)).await, "ok");
    assert_eq!(
        attempt(copy(257)).await,
        "Bad Request: BUTTON_COPY_TEXT_INVALID"
    );
    assert_eq!(
        attempt(json!({ "text": "A", "url": "nowhere" })).await,
        "Bad Request: BUTTON_URL_INVALID"
    );
    assert_eq!(telegram.complaints().len(), 8);
}

#[tokio::test]
async fn edits_need_a_change_and_an_own_message_that_is_there() {
    let (telegram, anna, chat) = start();
    let edit = |id: i64, text: &str| json!({ "chat_id": chat.0, "message_id": id, "text": text });
    let card = send_buttons(&telegram, chat, &["Yes"]).await;
    done(&telegram, "editMessageText", edit(card, "Yes")).await;
    assert_eq!(telegram.messages(chat)[0].markup, Markup::None);
    let why = refused(&telegram, "editMessageText", edit(card, "Yes")).await;
    assert!(
        why.starts_with("Bad Request: message is not modified: "),
        "{why}"
    );
    let theirs = telegram.text(anna, chat, "Hello");
    let why = refused(&telegram, "editMessageText", edit(theirs, "x")).await;
    assert_eq!(why, "Bad Request: message can't be edited");
    let forced = json!({ "chat_id": chat.0, "text": "?",
        "reply_markup": { "force_reply": true, "input_field_placeholder": "…" } });
    let forced = done(&telegram, "sendMessage", forced).await["message_id"]
        .as_i64()
        .unwrap();
    let why = refused(&telegram, "editMessageText", edit(forced, "x")).await;
    assert_eq!(why, "Bad Request: message can't be edited");
    telegram.delete_message(chat, card);
    let why = refused(&telegram, "editMessageText", edit(card, "x")).await;
    assert_eq!(why, "Bad Request: message to edit not found");
}

#[tokio::test]
async fn replies_need_their_message_or_leave_to_do_without() {
    let (telegram, _, chat) = start();
    let gone = send(&telegram, chat, "x").await;
    telegram.delete_message(chat, gone);
    let reply = |lenient: bool| {
        json!({ "chat_id": chat.0, "text": "y", "reply_parameters":
            { "message_id": gone, "allow_sending_without_reply": lenient } })
    };
    let why = refused(&telegram, "sendMessage", reply(false)).await;
    assert_eq!(why, "Bad Request: message to be replied not found");
    let sent = done(&telegram, "sendMessage", reply(true)).await;
    assert_eq!(sent.get("reply_to_message"), None);
    assert!(sent["message_id"].as_i64().unwrap() > gone);
    assert_eq!(telegram.complaints(), Vec::<String>::new());
}

#[tokio::test]
async fn after_48_hours_a_message_stays() {
    let (telegram, _, chat) = start();
    let id = send(&telegram, chat, "x").await;
    telegram.advance(Duration::from_secs(48 * 3600));
    let params = json!({ "chat_id": chat.0, "message_id": id });
    let why = refused(&telegram, "deleteMessage", params).await;
    assert_eq!(why, "Bad Request: message can't be deleted");
}

#[tokio::test]
async fn who_may_be_written_to_depends_on_them() {
    let (telegram, anna, chat) = start();
    let stranger = telegram.user("Ben");
    let hello = |chat: i64| json!({ "chat_id": chat, "text": "Hello" });
    let why = refused(&telegram, "sendMessage", hello(stranger.0)).await;
    assert_eq!(
        why,
        "Forbidden: bot can't initiate conversation with a user"
    );
    assert_eq!(
        refused(&telegram, "sendMessage", hello(1)).await,
        "Bad Request: chat not found"
    );
    telegram.block(anna);
    let why = refused(&telegram, "sendMessage", hello(chat.0)).await;
    assert_eq!(why, "Forbidden: bot was blocked by the user");
    telegram.start_link(anna, "again");
    done(&telegram, "sendMessage", hello(chat.0)).await;
    let group = telegram.group(&[anna], Group::default());
    telegram.kick(anna, group);
    let why = refused(&telegram, "sendMessage", hello(group.0)).await;
    assert_eq!(why, "Forbidden: bot was kicked from the group chat");
    assert_eq!(telegram.complaints(), Vec::<String>::new());
}

#[tokio::test]
async fn topics_are_made_where_there_are_topics() {
    let (telegram, anna, chat) = start();
    let topic = |chat: ChatId| json!({ "chat_id": chat.0, "name": "shop-api" });
    let why = refused(&telegram, "createForumTopic", topic(chat)).await;
    assert_eq!(why, "Bad Request: BOT_FORUM_CREATE_FORBIDDEN");
    telegram.allow_private_topics(true);
    let made = done(&telegram, "createForumTopic", topic(chat)).await;
    let params = json!({ "chat_id": chat.0, "text": "x",
        "message_thread_id": made["message_thread_id"] });
    assert_eq!(
        done(&telegram, "sendMessage", params).await["is_topic_message"],
        true
    );
    let params = json!({ "chat_id": chat.0, "text": "x", "message_thread_id": 1 });
    let why = refused(&telegram, "sendMessage", params).await;
    assert_eq!(why, "Bad Request: message thread not found");
    let group = telegram.group(&[anna], Group::default());
    let why = refused(&telegram, "createForumTopic", topic(group)).await;
    assert_eq!(why, "Bad Request: the chat is not a forum");
}

#[tokio::test]
async fn what_the_documentation_does_not_know_is_complained_of() {
    let (telegram, _, chat) = start();
    let params = json!({ "chat_id": chat.0, "text": "x", "reply_to_message_id": 1 });
    done(&telegram, "SENDMESSAGE", params).await;
    let why = refused(&telegram, "sendRocket", json!({})).await;
    assert_eq!(why, "Not Found: method not found");
    let complaints = [
        "SendMessage: there is no parameter \"reply_to_message_id\"",
        "sendRocket: Not Found: method not found",
    ];
    assert_eq!(telegram.complaints(), complaints);
}

#[tokio::test]
async fn parameters_come_in_a_form_or_in_the_query_too() {
    let (telegram, _, chat) = start();
    let url = format!("{}/bot{}/", telegram.url(), beckon_support::telegram::TOKEN);
    let form = [
        ("chat_id", chat.0.to_string()),
        ("text", "a & b".to_owned()),
    ];
    let request = reqwest::Client::new()
        .post(format!("{url}sendMessage"))
        .form(&form);
    assert_eq!(request.send().await.unwrap().status(), 200);
    let query = format!("{url}sendMessage?chat_id={}&text=c", chat.0);
    assert_eq!(reqwest::get(query).await.unwrap().status(), 200);
    let texts: Vec<String> = telegram
        .messages(chat)
        .into_iter()
        .map(|it| it.text)
        .collect();
    assert_eq!(texts, ["a & b", "c"]);
    assert_eq!(telegram.messages(chat)[0].html, "a &amp; b");
}

#[tokio::test]
async fn commands_are_checked_and_kept_per_language() {
    let (telegram, _, _) = start();
    let set = |name: &str, language: &str| json!({ "commands": [{ "command": name, "description": "d" }], "language_code": language });
    done(&telegram, "setMyCommands", set("status", "")).await;
    done(&telegram, "setMyCommands", set("status", "zh")).await;
    let why = refused(&telegram, "setMyCommands", set("/Status", "")).await;
    assert_eq!(why, "Bad Request: BOT_COMMAND_INVALID");
    let languages: Vec<String> = telegram
        .commands()
        .into_iter()
        .map(|it| it.language)
        .collect();
    assert_eq!(languages, ["", "zh"]);
}

/// The rules are in <https://core.telegram.org/bots/api#formatting-options>.
#[tokio::test]
async fn what_may_not_be_nested_is_refused() {
    let (telegram, _, chat) = start();
    for html in [
        "<blockquote>a <pre>b</pre></blockquote>",
        "<blockquote>a <blockquote expandable>b</blockquote></blockquote>",
        "<b>a <code>b</code></b>",
        "<blockquote><a href=\"https://a.example/\">b</a></blockquote>",
    ] {
        let answer = send_html(&telegram, chat, html).await;
        let why = answer["description"].as_str().unwrap_or_default();
        assert!(
            why.contains("can't parse entities") && why.contains("nested"),
            "{html}: {answer}"
        );
    }
    let fine = "<blockquote expandable><b>a <i>b</i></b></blockquote><a href=\"https://a.example/\"><b>c</b></a>";
    assert_eq!(send_html(&telegram, chat, fine).await["ok"], true);
}

/// The rules are in <https://core.telegram.org/bots/api#pinchatmessage>.
#[tokio::test]
async fn pinning_takes_the_right_in_a_group_and_none_in_a_private_chat() {
    let (telegram, anna, chat) = start();
    let group = telegram.group(&[anna], Group::default());
    let pin = async |chat: ChatId, message: i64| {
        let params = json!({ "chat_id": chat.0, "message_id": message });
        call(&telegram, "pinChatMessage", params).await
    };
    let own = send(&telegram, chat, "own").await;
    for _ in 0..2 {
        assert_eq!(pin(chat, own).await["ok"], true);
    }
    assert_eq!(telegram.pinned(chat), [own]);
    assert_eq!(
        telegram.messages(chat).len(),
        1,
        "that it was pinned is no message of the bot's"
    );
    let there = send(&telegram, group, "there").await;
    let refused = pin(group, there).await;
    assert!(
        refused["description"]
            .as_str()
            .unwrap()
            .contains("not enough rights"),
        "{refused}"
    );
    telegram.let_pin(group, true);
    assert_eq!(pin(group, there).await["ok"], true);
    assert_eq!(pin(group, 1).await["ok"], false, "there is no such message");
    assert_eq!(telegram.complaints(), Vec::<String>::new());
}
