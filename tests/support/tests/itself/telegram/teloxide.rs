//! Tests that the client that Beckon uses understands every answer.

use beckon_support::telegram::{Group, TOKEN, Telegram};
use teloxide_core::payloads::{
    AnswerCallbackQuerySetters, EditMessageReplyMarkupSetters, EditMessageTextSetters,
    GetUpdatesSetters, SendDocumentSetters, SendMessageSetters, SetMessageReactionSetters,
};
use teloxide_core::requests::Requester;
use teloxide_core::types::{
    AllowedUpdate, BotCommand, ChatAction, ChatId, ForceReply, InlineKeyboardButton,
    InlineKeyboardMarkup, InputFile, Message, MessageId, ParseMode, ReactionType, ReplyParameters,
    Update, UpdateKind,
};
use teloxide_core::{ApiError, Bot, RequestError};

fn bot(telegram: &Telegram) -> Bot {
    Bot::new(TOKEN).set_api_url(telegram.url().parse().unwrap())
}

fn keyboard(label: &str, data: &str) -> InlineKeyboardMarkup {
    InlineKeyboardMarkup::new([[InlineKeyboardButton::callback(label, data)]])
}

async fn next(bot: &Bot) -> Update {
    let mut updates = bot.get_updates().timeout(5).await.unwrap();
    assert_eq!(updates.len(), 1, "{updates:?}");
    let update = updates.remove(0);
    bot.get_updates()
        .offset(i32::try_from(update.id.0 + 1).unwrap())
        .await
        .unwrap();
    update
}

async fn next_message(bot: &Bot) -> Message {
    match next(bot).await.kind {
        UpdateKind::Message(message) => message,
        other => panic!("no message: {other:?}"),
    }
}

#[tokio::test]
async fn a_card_is_sent_tapped_answered_edited_and_deleted() {
    let telegram = Telegram::start();
    let (bot, anna) = (bot(&telegram), telegram.user("Anna"));
    let chat = telegram.private(anna);
    let card = bot
        .send_message(ChatId(chat.0), "<b>Which</b> database?")
        .parse_mode(ParseMode::Html)
        .disable_notification(true)
        .reply_markup(keyboard("SQLite", "s"))
        .await
        .unwrap();
    assert_eq!(card.text(), Some("Which database?"));
    assert_eq!(card.entities().unwrap().len(), 1);
    let shown = telegram.message(chat, i64::from(card.id.0)).unwrap();
    assert_eq!((shown.labels(), shown.silent), (vec![vec!["SQLite"]], true));

    let id = telegram.tap(anna, chat, shown.id, "SQLite");
    let UpdateKind::CallbackQuery(tap) = next(&bot).await.kind else {
        panic!("no tap")
    };
    assert_eq!((tap.id.0.clone(), tap.data.as_deref()), (id, Some("s")));
    assert_eq!(tap.from.id.0, anna.0.unsigned_abs());
    assert_eq!(tap.regular_message().unwrap().id, card.id);
    bot.answer_callback_query(tap.id.clone())
        .text("Taken")
        .await
        .unwrap();
    assert_eq!(telegram.alerts()[0].text.as_deref(), Some("Taken"));
    assert!(bot.answer_callback_query(tap.id).await.is_err());

    bot.edit_message_text(ChatId(chat.0), card.id, "SQLite")
        .reply_markup(keyboard("Undo", "u"))
        .await
        .unwrap();
    let unchanged = bot
        .edit_message_reply_markup(ChatId(chat.0), card.id)
        .reply_markup(keyboard("Undo", "u"))
        .await;
    let unchanged = unchanged.unwrap_err();
    assert!(
        matches!(unchanged, RequestError::Api(ApiError::MessageNotModified)),
        "{unchanged}"
    );
    bot.edit_message_reply_markup(ChatId(chat.0), card.id)
        .await
        .unwrap();
    let shown = telegram.message(chat, shown.id).unwrap();
    assert_eq!(
        (shown.text.as_str(), shown.edits, shown.keyboard().len()),
        ("SQLite", 2, 0)
    );

    bot.delete_message(ChatId(chat.0), card.id).await.unwrap();
    assert_eq!(telegram.messages(chat), []);
    let gone = bot
        .delete_message(ChatId(chat.0), card.id)
        .await
        .unwrap_err();
    assert!(
        matches!(gone, RequestError::Api(ApiError::MessageToDeleteNotFound)),
        "{gone}"
    );
    assert_eq!(telegram.complaints(), Vec::<String>::new());
}

#[tokio::test]
async fn a_reply_to_a_forced_reply_names_what_it_answers() {
    let telegram = Telegram::start();
    let (bot, anna) = (bot(&telegram), telegram.user("Anna"));
    let chat = telegram.private(anna);
    let question = bot
        .send_message(ChatId(chat.0), "Your own words?")
        .reply_markup(ForceReply::new().input_field_placeholder("Answer".to_owned()))
        .await
        .unwrap();
    let shown = telegram.messages(chat).remove(0);
    assert_eq!(
        (shown.forces_reply(), shown.placeholder()),
        (true, Some("Answer"))
    );
    telegram.reply(anna, chat, i64::from(question.id.0), "Use both");
    let reply = next_message(&bot).await;
    assert_eq!(reply.text(), Some("Use both"));
    assert_eq!(reply.reply_to_message().unwrap().id, question.id);
    assert!(reply.chat.is_private());
    let thanks = bot.send_message(ChatId(chat.0), "Thanks");
    let thanks = thanks
        .reply_parameters(ReplyParameters::new(reply.id))
        .await
        .unwrap();
    assert_eq!(thanks.reply_to_message().unwrap().id, reply.id);
    bot.set_message_reaction(ChatId(chat.0), reply.id)
        .reaction([ReactionType::Emoji {
            emoji: "👍".to_owned(),
        }])
        .await
        .unwrap();
    assert_eq!(
        telegram
            .message(chat, i64::from(reply.id.0))
            .unwrap()
            .reactions,
        ["👍"]
    );
    assert_eq!(telegram.complaints(), Vec::<String>::new());
}

#[tokio::test]
async fn a_document_is_uploaded_with_its_caption() {
    let telegram = Telegram::start();
    let (bot, anna) = (bot(&telegram), telegram.user("Anna"));
    let chat = telegram.private(anna);
    let file = InputFile::memory("the whole diff").file_name("changes.diff");
    let request = bot.send_document(ChatId(chat.0), file);
    let sent = request
        .caption("<i>all</i>")
        .parse_mode(ParseMode::Html)
        .await
        .unwrap();
    assert_eq!(sent.caption(), Some("all"));
    assert_eq!(
        sent.document().unwrap().file_name.as_deref(),
        Some("changes.diff")
    );
    let shown = telegram.messages(chat).remove(0);
    assert_eq!(shown.document.unwrap().bytes, b"the whole diff");
    assert_eq!(telegram.complaints(), Vec::<String>::new());
}

#[tokio::test]
async fn the_bot_its_chats_commands_and_webhook_are_described() {
    let telegram = Telegram::start();
    let (bot, anna) = (bot(&telegram), telegram.user("Anna"));
    let chat = telegram.private(anna);
    let me = bot.get_me().await.unwrap();
    assert!(me.user.is_bot && !me.can_read_all_group_messages);
    let whole = bot.get_chat(ChatId(chat.0)).await.unwrap();
    assert!(whole.is_private());
    let group = telegram.group(&[anna], Group::default());
    assert!(bot.get_chat(ChatId(group.0)).await.unwrap().is_group());
    bot.send_chat_action(ChatId(chat.0), ChatAction::Typing)
        .await
        .unwrap();
    bot.set_my_commands([BotCommand::new("status", "Who waits")])
        .await
        .unwrap();
    let listed = telegram.commands().remove(0);
    assert_eq!(
        listed.commands,
        [("status".to_owned(), "Who waits".to_owned())]
    );
    telegram.set_webhook(Some("https://elsewhere.example/hook"));
    let info = bot.get_webhook_info().await.unwrap();
    assert_eq!(info.url.unwrap().host_str(), Some("elsewhere.example"));
    bot.delete_webhook().await.unwrap();
    assert_eq!(bot.get_webhook_info().await.unwrap().url, None);
    assert_eq!(telegram.complaints(), Vec::<String>::new());
}

#[tokio::test]
async fn a_group_with_topics_has_threads() {
    let telegram = Telegram::start();
    let (bot, anna) = (bot(&telegram), telegram.user("Anna"));
    let group = telegram.group(
        &[anna],
        Group {
            topics: true,
            ..Group::default()
        },
    );
    let topic = bot
        .create_forum_topic(ChatId(group.0), "shop-api")
        .await
        .unwrap();
    let request = bot
        .send_message(ChatId(group.0), "Here")
        .message_thread_id(topic.thread_id);
    let sent = request.await.unwrap();
    assert_eq!(sent.thread_id, Some(topic.thread_id));
    telegram.reply(anna, group, i64::from(sent.id.0), "There");
    let reply = next_message(&bot).await;
    assert_eq!(
        (reply.thread_id, reply.is_topic_message),
        (Some(topic.thread_id), true)
    );
    assert!(reply.chat.is_supergroup());
    assert_eq!(telegram.complaints(), Vec::<String>::new());
}

#[tokio::test]
async fn every_kind_of_update_is_understood() {
    let telegram = Telegram::start();
    let (bot, anna) = (bot(&telegram), telegram.user("Anna"));
    let chat = telegram.private(anna);
    let kinds = [
        AllowedUpdate::Message,
        AllowedUpdate::EditedMessage,
        AllowedUpdate::CallbackQuery,
        AllowedUpdate::MessageReaction,
        AllowedUpdate::MyChatMember,
    ];
    bot.get_updates().allowed_updates(kinds).await.unwrap();
    let card = bot.send_message(ChatId(chat.0), "Hello").await.unwrap();
    let started = telegram.start_link(anna, "abc_123");
    assert_eq!(next_message(&bot).await.text(), Some("/start abc_123"));
    telegram.edit_text(anna, chat, started, "/start");
    assert!(matches!(
        next(&bot).await.kind,
        UpdateKind::EditedMessage(_)
    ));
    telegram.react(anna, chat, i64::from(card.id.0), Some("👍"));
    assert!(matches!(
        next(&bot).await.kind,
        UpdateKind::MessageReaction(_)
    ));
    bot.delete_message(ChatId(chat.0), card.id).await.unwrap();
    telegram.tap_data(anna, chat, i64::from(card.id.0), "old");
    let UpdateKind::CallbackQuery(tap) = next(&bot).await.kind else {
        panic!("no tap")
    };
    assert_eq!(tap.message.unwrap().id(), MessageId(card.id.0));
    telegram.block(anna);
    assert!(matches!(next(&bot).await.kind, UpdateKind::MyChatMember(_)));
    let refused = bot.send_message(ChatId(chat.0), "Hello").await.unwrap_err();
    assert!(
        matches!(refused, RequestError::Api(ApiError::BotBlocked)),
        "{refused}"
    );
    assert_eq!(telegram.complaints(), Vec::<String>::new());
}

#[tokio::test]
async fn waiting_times_and_new_group_numbers_reach_the_client() {
    let telegram = Telegram::start();
    let (bot, anna) = (bot(&telegram), telegram.user("Anna"));
    let group = telegram.group(&[anna], Group::default());
    let supergroup = telegram.migrate(group);
    let moved = bot
        .send_message(ChatId(group.0), "Hello")
        .await
        .unwrap_err();
    let to = ChatId(supergroup.0);
    assert!(
        matches!(moved, RequestError::MigrateToChatId(id) if id == to),
        "{moved}"
    );
    telegram.fail_next(1, beckon_support::telegram::Fault::TooManyRequests(7));
    let slow = bot.send_message(to, "Hello").await.unwrap_err();
    assert!(
        matches!(slow, RequestError::RetryAfter(pause) if pause.seconds() == 7),
        "{slow}"
    );
}

#[tokio::test]
async fn a_wrong_token_and_a_revoked_one_are_told_as_such() {
    let telegram = Telegram::start();
    let wrong = Bot::new("1:wrong").set_api_url(telegram.url().parse().unwrap());
    let bot = bot(&telegram);
    bot.get_me().await.unwrap();
    telegram.revoke_token(true);
    for bot in [wrong, bot] {
        let refused = bot.get_me().await.unwrap_err();
        assert!(
            matches!(refused, RequestError::Api(ApiError::InvalidToken)),
            "{refused}"
        );
    }
}
