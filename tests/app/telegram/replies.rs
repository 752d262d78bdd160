//! Tests of what words on Telegram are for: the card that they answer, and nothing else. A message
//! that is not the human's own text is refused with a reason.

use crate::common::SOON;
use crate::common::phone::{Outing, message, pairing_code, set};
use beckon_support::eventually;
use beckon_support::telegram::{ChatId, Group, Media, Message};
use serde_json::json;

/// Asks a question whose card waits for own words; returns the card.
async fn awaiting(outing: &Outing) -> Message {
    let card = outing.ask("que_1", "Which name?").await;
    outing.phone.tap(card.id, "✏️ Write my own").await;
    outing.phone.prompt().await;
    card
}

/// Checks that what was written led to nothing, and that the prompt still takes an answer.
async fn still_awaits(outing: &Outing, card: &Message) {
    outing.phone.telegram.wait_confirmed(SOON).await;
    assert_eq!(
        outing.stage.state_of("que_1").await.as_deref(),
        Some("open")
    );
    assert_eq!(outing.stage.replay.replies().len(), 0);
    outing.phone.reply(outing.phone.prompt().await.id, "beckon");
    outing.stage.answered_once("que_1", "beckon").await;
    outing.phone.ended(card.id, "beckon").await;
    outing.nothing_left().await;
}

/// Shows an agent's message that nobody has to answer.
async fn notice(outing: &Outing, text: &str) -> Message {
    outing.stage.beckon.command(&["presence", "away"]).await;
    let endpoint = outing.stage.beckon.endpoint().unwrap();
    let (url, token) = (
        endpoint["url"].as_str().unwrap(),
        endpoint["token"].as_str().unwrap(),
    );
    let notify = reqwest::Client::new()
        .post(format!("{url}/notify"))
        .bearer_auth(token);
    let answer = notify
        .json(&json!({ "title": "B", "message": text }))
        .send()
        .await
        .unwrap();
    assert!(answer.status().is_success(), "{answer:?}");
    outing.phone.says(text).await
}

async fn group_of(outing: &Outing, group: Group) -> ChatId {
    let chat = outing.phone.telegram.group(&[outing.phone.user], group);
    let code = pairing_code(&outing.stage.beckon).await;
    outing
        .phone
        .telegram
        .text(outing.phone.user, chat, &format!("/start {code}"));
    message(&outing.phone.telegram, chat, "Paired with").await;
    chat
}

#[tokio::test(flavor = "multi_thread")]
async fn words_about_another_agents_notice_are_not_the_answer_of_the_waiting_card() {
    let outing = Outing::start().await;
    let card = awaiting(&outing).await;
    let notice = notice(&outing, "Shall I also delete the staging data?").await;
    outing.phone.reply(notice.id, "no, for heaven's sake");
    outing.phone.says("that message is not an open card").await;
    still_awaits(&outing, &card).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn words_of_others_and_words_for_elsewhere_are_no_answer() {
    let outing = Outing::start().await;
    let (phone, card) = (&outing.phone, awaiting(&outing).await);
    let eve = phone.telegram.user("Eve");
    let own = phone.telegram.text(phone.user, phone.chat, "/help");
    phone.says("A card is answered").await;
    phone.reply(own, "to my own words");
    phone
        .telegram
        .forward(phone.user, phone.chat, eve, "what Eve wrote");
    phone
        .telegram
        .reply_elsewhere(phone.user, phone.chat, eve, "to what Eve wrote");
    eventually("each is told so", SOON, async || {
        (phone.sent("that message is not an open card") == 3).then_some(())
    })
    .await;
    still_awaits(&outing, &card).await;
}

/// The human replies to a message of another bot in the group.
#[tokio::test(flavor = "multi_thread")]
async fn in_a_group_words_for_another_bot_are_its_own() {
    let outing = Outing::start().await;
    let (phone, card) = (&outing.phone, awaiting(&outing).await);
    let group = group_of(
        &outing,
        Group {
            privacy_mode: false,
            topics: false,
        },
    )
    .await;
    message(&phone.telegram, group, "Which name?").await;
    let before = phone.telegram.messages(group).len();
    let chat = json!({ "id": group.0, "type": "group", "title": "A group" });
    let bot = json!({ "id": 8_000_000_001_i64, "is_bot": true, "first_name": "GitHub",
        "username": "githubbot" });
    let ada = json!({ "id": phone.user.0, "is_bot": false, "first_name": "Ada" });
    let opened = json!({ "message_id": 90, "date": 1_700_000_000, "chat": chat, "from": bot,
        "text": "PR #12 opened" });
    let reply = json!({ "message_id": 91, "date": 1_700_000_001, "chat": chat, "from": ada,
        "text": "please revert that", "reply_to_message": opened });
    phone.telegram.push_update("message", &reply);
    phone.telegram.wait_confirmed(SOON).await;
    assert_eq!(
        phone.telegram.messages(group).len(),
        before,
        "it is none of our business"
    );
    still_awaits(&outing, &card).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reply_to_a_card_from_another_topic_is_refused_in_words_where_it_was_written() {
    let outing = Outing::start().await;
    let phone = &outing.phone;
    let topics = Group {
        privacy_mode: false,
        topics: true,
    };
    let group = group_of(&outing, topics).await;
    outing.begin("que_1", "Go on?").await;
    let card = message(&phone.telegram, group, "Go on?").await;
    assert!(card.thread.is_some(), "it has a topic of its own");
    let reply = "1";
    phone
        .telegram
        .reply_from_topic(phone.user, (group, card.id), None, reply);
    let told = message(&phone.telegram, group, "Reply to it where it is").await;
    assert_eq!(told.thread, None);
    assert_eq!(outing.stage.replay.replies().len(), 0);
    phone.telegram.reply(phone.user, group, card.id, reply);
    outing.stage.answered_once("que_1", "Yes").await;
}

/// A reply there comes with the number of its thread, which is that of the card.
#[tokio::test(flavor = "multi_thread")]
async fn in_a_supergroup_without_topics_a_reply_to_a_card_answers_it() {
    let outing = Outing::start().await;
    let phone = &outing.phone;
    let group = group_of(&outing, Group::default()).await;
    let supergroup = phone.telegram.migrate(group);
    outing.begin("que_1", "Go on?").await;
    let card = message(&phone.telegram, supergroup, "Go on?").await;
    phone.telegram.reply(phone.user, supergroup, card.id, "2");
    outing.stage.answered_once("que_1", "No").await;
    outing.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn in_a_topic_words_that_answer_nothing_are_for_nobody() {
    let outing = Outing::start().await;
    let phone = &outing.phone;
    let group = group_of(
        &outing,
        Group {
            privacy_mode: false,
            topics: true,
        },
    )
    .await;
    let own = awaiting(&outing).await;
    let card = message(&phone.telegram, group, "Which name?").await;
    let before = phone.telegram.messages(group).len();
    phone
        .telegram
        .text_in(phone.user, group, card.thread.unwrap(), "lunch?");
    phone.telegram.wait_confirmed(SOON).await;
    assert_eq!(phone.telegram.messages(group).len(), before);
    still_awaits(&outing, &own).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_caption_counts_and_what_has_no_words_is_told_so() {
    let outing = Outing::start().await;
    let phone = &outing.phone;
    let card = outing
        .ask_with(set("que_1", &["First?", "Second?"]), "First?")
        .await;
    let reply = Media {
        reply_to: Some(card.id),
        ..Media::default()
    };
    phone.telegram.voice(phone.user, phone.chat, reply);
    phone.says("I can only read text. Nothing was sent").await;
    phone.telegram.photo(
        phone.user,
        phone.chat,
        Media {
            caption: "like this",
            ..reply
        },
    );
    phone.shows(card.id, "Second?").await;
    phone.says("your caption counts").await;
    for caption in ["", "and like that", ""] {
        let part = Media {
            caption,
            album: Some("1"),
            ..reply
        };
        phone.telegram.photo(phone.user, phone.chat, part);
    }
    phone.shows(card.id, "Review").await;
    phone.tap(card.id, "Send").await;
    let replies = outing.stage.replies("que_1", 1).await;
    assert_eq!(
        replies[0].body,
        json!({ "answers": [["like this"], ["and like that"]] })
    );
    eventually("once for all of an album", SOON, async || {
        (phone.sent("I can only read text") == 3).then_some(())
    })
    .await;
    outing.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_captions_of_an_album_are_one_answer_and_a_late_one_answers_nothing() {
    let outing = Outing::start().await;
    let phone = &outing.phone;
    let card = outing
        .ask_with(set("que_1", &["First?", "Second?"]), "First?")
        .await;
    let part = |caption| Media {
        caption,
        album: Some("13579"),
        reply_to: Some(card.id),
    };
    for caption in ["before it", "", "after it"] {
        phone.telegram.photo(phone.user, phone.chat, part(caption));
    }
    phone.shows(card.id, "Second?").await;
    phone.says("your caption counts").await;

    phone
        .telegram
        .photo(phone.user, phone.chat, part("years later"));
    phone.says("came too late and was left out").await;
    phone.reply(card.id, "something else");
    phone.shows(card.id, "Review").await;
    phone.tap(card.id, "Send").await;
    let replies = outing.stage.replies("que_1", 1).await;
    assert_eq!(
        replies[0].body,
        json!({ "answers": [["before it\nafter it"], ["something else"]] })
    );
    outing.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn in_a_group_pictures_that_answer_nothing_are_for_people() {
    let outing = Outing::start().await;
    let phone = &outing.phone;
    let group = group_of(
        &outing,
        Group {
            privacy_mode: false,
            topics: false,
        },
    )
    .await;
    let before = phone.telegram.messages(group).len();
    phone.telegram.photo(
        phone.user,
        group,
        Media {
            caption: "lunch",
            ..Media::default()
        },
    );
    phone.telegram.voice(phone.user, group, Media::default());
    phone.telegram.wait_confirmed(SOON).await;
    assert_eq!(phone.telegram.messages(group).len(), before);
    outing.nothing_left().await;
}

/// The log follows the answer from the tap to the agent, with its text at DEBUG only.
#[tokio::test(flavor = "multi_thread")]
async fn the_log_tells_the_way_of_an_answer_when_it_is_asked_to() {
    let outing = Outing::talkative().await;
    let card = awaiting(&outing).await;
    outing
        .phone
        .reply(outing.phone.prompt().await.id, "a secret name");
    outing.stage.answered_once("que_1", "a secret name").await;
    outing.phone.ended(card.id, "a secret name").await;
    let log = outing.log();
    let of = |part: &str| {
        log.lines()
            .find(|line| line.contains(part))
            .unwrap_or_else(|| panic!("{part}"))
            .to_owned()
    };
    let tapped = of("a button was tapped");
    assert!(
        tapped.contains(&format!("card={}", card.id)) && tapped.contains("Own"),
        "{tapped}"
    );
    let ask = of("it is for that ask");
    assert!(ask.contains("que_1"), "{ask}");
    let words = of("words have come");
    assert!(
        words.contains("ToBot") && words.contains("ask=1"),
        "{words}"
    );
    let sent = of("an answer goes to its agent");
    assert!(sent.contains("que_1"), "{sent}");
    let telling = log.lines().filter(|line| line.contains("a secret name"));
    assert!(
        telling
            .clone()
            .all(|line| line.contains("DEBUG") || line.contains("TRACE"))
    );
    outing.nothing_left().await;
}
