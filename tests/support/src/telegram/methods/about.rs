//! The methods about the bot itself, its webhook, its commands, and its chats.

use serde::Deserialize;
use serde_json::{Value, json};

use super::super::chats::{BOT, Kind, Message};
use super::super::html::units;
use super::super::params::Params;
use super::super::refusal::Refusal;
use super::super::{Commands, Data, shapes};

/// The longest name of a topic: <https://core.telegram.org/bots/api#createforumtopic>, "Topic name,
/// 1-128 characters".
const TOPIC_LIMIT: usize = 128;
/// The first of the six colours of topics: <https://core.telegram.org/bots/api#createforumtopic>.
const TOPIC_COLOUR: i64 = 0x006F_B9F0;
/// The highest number of commands: <https://core.telegram.org/bots/api#setmycommands>, "At most 100
/// commands".
const COMMANDS_LIMIT: usize = 100;
/// The longest name of a command: <https://core.telegram.org/bots/api#botcommand>.
const COMMAND_LIMIT: usize = 32;
/// The longest description of a command: <https://core.telegram.org/bots/api#botcommand>.
const DESCRIPTION_LIMIT: usize = 256;

/// Executes getMe: <https://core.telegram.org/bots/api#getme>.
pub(super) fn get_me(data: &Data) -> Value {
    shapes::me(data)
}

/// Executes getChat: <https://core.telegram.org/bots/api#getchat>.
pub(super) fn get_chat(data: &Data, params: &Params) -> Result<Value, Refusal> {
    let chat = data.chats.writable(params.chat()?)?;
    Ok(shapes::chat_full_info(data, chat))
}

/// A command of the bot: <https://core.telegram.org/bots/api#botcommand>.
#[derive(Deserialize)]
struct Command {
    command: String,
    description: String,
}

/// Executes setMyCommands: <https://core.telegram.org/bots/api#setmycommands>.
pub(super) fn set_my_commands(data: &mut Data, params: &Params) -> Result<Value, Refusal> {
    let missing = || Refusal::mistake("parameter \"commands\" is required");
    let commands: Vec<Command> = params
        .json("commands", "commands JSON object")?
        .ok_or_else(missing)?;
    if commands.len() > COMMANDS_LIMIT {
        return Err(Refusal::mistake("BOT_COMMANDS_TOO_MUCH"));
    }
    commands.iter().try_for_each(check_command)?;
    let scope = params.json::<Value>("scope", "BotCommandScope")?;
    let scope = scope.map_or("default".to_owned(), |scope| scope_name(&scope));
    let language = params.text("language_code").unwrap_or_default().to_owned();
    let listed = commands
        .into_iter()
        .map(|command| (command.command, command.description));
    let listed = listed.collect();
    data.commands
        .retain(|known| known.scope != scope || known.language != language);
    data.commands.push(Commands {
        scope,
        language,
        commands: listed,
    });
    Ok(json!(true))
}

fn check_command(command: &Command) -> Result<(), Refusal> {
    let name = &command.command;
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    if name.is_empty() || name.len() > COMMAND_LIMIT || !name.chars().all(fits) {
        return Err(Refusal::mistake("BOT_COMMAND_INVALID"));
    }
    if command.description.is_empty() || units(&command.description) > DESCRIPTION_LIMIT {
        return Err(Refusal::mistake("BOT_COMMAND_DESCRIPTION_INVALID"));
    }
    Ok(())
}

/// Names a scope: `default`, `all_private_chats`, or `chat 7300000001`.
fn scope_name(scope: &Value) -> String {
    let kind = scope["type"].as_str().unwrap_or("default");
    match &scope["chat_id"] {
        Value::Null => kind.to_owned(),
        chat => format!("{kind} {chat}"),
    }
}

/// Executes getWebhookInfo: <https://core.telegram.org/bots/api#getwebhookinfo>.
pub(super) fn get_webhook_info(data: &Data) -> Value {
    let mut info = json!({
        "url": data.queue.webhook.clone().unwrap_or_default(),
        "has_custom_certificate": false,
        "pending_update_count": data.queue.pending(data.clock.now()),
    });
    if data.queue.webhook.is_some() {
        info["max_connections"] = json!(40);
    }
    if let Some(kinds) = &data.queue.allowed {
        info["allowed_updates"] = json!(kinds);
    }
    info
}

/// Executes deleteWebhook: <https://core.telegram.org/bots/api#deletewebhook>.
pub(super) fn delete_webhook(data: &mut Data, params: &Params) -> Value {
    data.queue.webhook = None;
    if params.flag("drop_pending_updates") {
        data.queue.clear();
    }
    json!(true)
}

/// Executes createForumTopic: <https://core.telegram.org/bots/api#createforumtopic>.
///
/// In private chats the bot's owner must have allowed topics.
pub(super) fn create_forum_topic(data: &mut Data, params: &Params) -> Result<Value, Refusal> {
    let chat = data.chats.writable(params.chat()?)?;
    match chat.kind {
        Kind::Private if !data.private_topics => {
            return Err(Refusal::bad_request("BOT_FORUM_CREATE_FORBIDDEN"));
        }
        Kind::Group | Kind::Supergroup if !chat.has_topics => {
            return Err(Refusal::bad_request("the chat is not a forum"));
        }
        _ => {}
    }
    let name = params.text("name").unwrap_or_default().trim().to_owned();
    if name.is_empty() || name.chars().count() > TOPIC_LIMIT {
        return Err(Refusal::mistake("TOPIC_TITLE_INVALID"));
    }
    let colour = params.integer("icon_color").unwrap_or(TOPIC_COLOUR);
    let topic = json!({ "name": name, "icon_color": colour });
    let draft = data.chats.draft(params.chat()?, BOT, data.clock.date());
    let id = draft.id;
    let service = Some(("forum_topic_created", topic.clone()));
    data.chats.post(Message {
        thread: Some(id),
        service,
        ..draft
    });
    data.chats.get_mut(params.chat()?)?.topics.insert(id, name);
    Ok(json!({ "message_thread_id": id, "name": topic["name"], "icon_color": colour }))
}
