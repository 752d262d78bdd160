//! The commands `beckon telegram …`: the bot's token, and who is paired.

mod pair;

use super::keychain::{self, ask_for, out_of_reach};
use super::{CommandContext, CommandResult, fail, say, say_json};
use crate::channels::telegram as channel;
use crate::platform::secrets::{self, Secret};
use beckon_client::config::Config;
use beckon_client::connection::{Client, ClientError};
use beckon_client::text::Value;
use beckon_client::wire::Paired;
use beckon_client::wire::Standing;
use beckon_client::wire::{CardTested, TelegramInfo};
use clap::Subcommand;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// How long the bot may be unknown right after a login or a start; Telegram answers within a second
/// or two.
const KNOWN_WITHIN: Duration = Duration::from_secs(10);
/// How long until it is looked again while waiting for that.
const LOOK: Duration = Duration::from_millis(100);

#[derive(Debug, Subcommand)]
pub(super) enum TelegramAction {
    Login,
    Pair {
        #[arg(long)]
        json: bool,
        #[arg(long, value_name = "FILE")]
        svg: Option<PathBuf>,
    },
    People {
        #[arg(long)]
        json: bool,
    },
    Unpair {
        // The id of a group is a negative number.
        #[arg(allow_negative_numbers = true)]
        id: String,
    },
    Test,
    Logout,
}

pub(super) async fn run(context: &CommandContext, action: TelegramAction) -> CommandResult {
    match action {
        TelegramAction::Login => login(context).await,
        TelegramAction::Pair { json, svg } => pair::run(context, json, svg).await,
        TelegramAction::People { json } => people(context, json).await,
        TelegramAction::Unpair { id } => unpair(context, &id).await,
        TelegramAction::Test => test(context).await,
        TelegramAction::Logout => logout(context).await,
    }
}

/// Stores a token, but only after Telegram has said whose it is.
async fn login(context: &CommandContext) -> CommandResult {
    let texts = &context.texts;
    let token = ask_for(context, &texts.get("login-prompt"), "secret-empty")?;
    let token = Secret::new(channel::token_in(token.expose()).to_owned());
    if !channel::is_token(token.expose()) {
        return Err(ClientError::Said(texts.get("login-no-token")));
    }
    let (config, _) = Config::read(&context.paths.config).map_err(anyhow::Error::from)?;
    let bot = match channel::check(&(&config.telegram).into(), &token).await {
        Ok(bot) => bot,
        Err(error) => return Err(ClientError::Said(channel::not_stored(&error, texts))),
    };
    keychain::store(context, channel::SECRET, token).await?;
    say(&texts.with("login-stored", &[("bot", Value::from(bot.name))]));
    tell_running(context, "login-hidden").await?;
    say(&texts.get("login-next"));
    Ok(ExitCode::SUCCESS)
}

async fn logout(context: &CommandContext) -> CommandResult {
    let removed = secrets::remove(channel::SECRET).await;
    let removed = removed.map_err(|trouble| out_of_reach(context, channel::SECRET, &trouble))?;
    say(&context.texts.get(if removed {
        "logout-removed"
    } else {
        "logout-none"
    }));
    tell_running(context, "logout-hidden").await?;
    Ok(ExitCode::SUCCESS)
}

/// Tells a running Beckon to read the token anew. A token in its environment goes before the one in
/// the keychain: then `hidden` is printed.
pub(super) async fn tell_running(
    context: &CommandContext,
    hidden: &str,
) -> Result<(), ClientError> {
    let from_environment = match reload(context).await {
        Ok(telegram) => telegram.status.token_from_environment,
        Err(ClientError::NotRunning) => secrets::from_environment(channel::SECRET).is_some(),
        Err(refused) => return Err(refused),
    };
    if from_environment {
        let variable = Value::from(secrets::variable(channel::SECRET));
        say(&context.texts.with(hidden, &[("variable", variable)]));
    }
    Ok(())
}

/// Tells a running Beckon to read Telegram's secrets anew, and returns how Telegram is then.
pub(super) async fn reload(context: &CommandContext) -> Result<TelegramInfo, ClientError> {
    let client = context.client()?;
    client
        .post::<_, bool>("/telegram/reload", &(), Duration::ZERO)
        .await?;
    look(&client).await
}

async fn look(client: &Client) -> Result<TelegramInfo, ClientError> {
    client.get("/telegram").await
}

/// Returns how Telegram is, once that is known.
pub(super) async fn settled(client: &Client) -> Result<TelegramInfo, ClientError> {
    let until = Instant::now() + KNOWN_WITHIN;
    loop {
        let telegram = look(client).await?;
        if telegram.status.state != Standing::Starting || Instant::now() >= until {
            return Ok(telegram);
        }
        tokio::time::sleep(LOOK).await;
    }
}

async fn people(context: &CommandContext, json: bool) -> CommandResult {
    let people = look(&context.client()?).await?.people;
    if json {
        say_json(&people);
    } else if people.is_empty() {
        say(&context.texts.get("people-none"));
    } else {
        people.iter().for_each(|paired| say(&line(context, paired)));
    }
    Ok(ExitCode::SUCCESS)
}

fn line(context: &CommandContext, paired: &Paired) -> String {
    let key = match (paired.group, paired.blocked) {
        (false, false) => "people-person",
        (false, true) => "people-person-blocked",
        (true, false) => "people-group",
        (true, true) => "people-group-removed",
    };
    // The number is given as text: it would otherwise be grouped by thousands.
    let args = [
        ("id", Value::from(paired.id.to_string())),
        ("name", paired.name.clone().into()),
    ];
    context.texts.with(key, &args)
}

async fn unpair(context: &CommandContext, wanted: &str) -> CommandResult {
    let client = context.client()?;
    let people = look(&client).await?.people;
    let found = match meant(&people, wanted)[..] {
        [one] => one,
        [] => return Ok(fail(&context.texts.get("unpair-nobody"), 1)),
        _ => return Ok(fail(&context.texts.get("unpair-several"), 1)),
    };
    client
        .delete::<bool>(&format!("/telegram/people/{}", found.id))
        .await?;
    say(&context
        .texts
        .with("unpair-done", &[("name", found.name.clone().into())]));
    let mut left = people.iter().filter(|paired| paired.id != found.id);
    // A group without a paired person can answer nothing.
    if let Some(group) = left.clone().find(|paired| paired.group)
        && left.all(|paired| paired.group)
    {
        let name = [("name", group.name.clone().into())];
        say(&context.texts.with("unpair-group-left", &name));
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the paired chats that a human may mean: by number, else by whole name, else by the
/// beginning of a name.
fn meant<'a>(people: &'a [Paired], wanted: &str) -> Vec<&'a Paired> {
    let wanted = wanted.to_lowercase();
    let those = |fits: &dyn Fn(&Paired) -> bool| -> Vec<&'a Paired> {
        people.iter().filter(|paired| fits(paired)).collect()
    };
    let by_number = those(&|paired| paired.id.to_string() == wanted);
    let by_name = || those(&|paired| paired.name.to_lowercase() == wanted);
    let by_beginning = || those(&|paired| paired.name.to_lowercase().starts_with(&wanted));
    [by_number, by_name(), by_beginning()]
        .into_iter()
        .find(|f| !f.is_empty())
        .unwrap_or_default()
}

async fn test(context: &CommandContext) -> CommandResult {
    let client = context.client()?;
    let TelegramInfo { status, .. } = look(&client).await?;
    let tested: CardTested = client.post("/telegram/test", &(), Duration::ZERO).await?;
    if tested.chats == 0 || status.state != Standing::Works {
        return Ok(fail(
            &context
                .texts
                .with("test-failed", &[("reason", why(context, status.error))]),
            1,
        ));
    }
    say(&context
        .texts
        .with("test-sent", &[("count", Value::from(tested.chats))]));
    Ok(ExitCode::SUCCESS)
}

fn why(context: &CommandContext, error: Option<String>) -> Value<'static> {
    error
        .unwrap_or_else(|| context.texts.get("telegram-starting"))
        .into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(wanted: &str) -> Vec<String> {
        let paired = |id, name: &str| Paired {
            id,
            name: name.into(),
            group: id < 0,
            blocked: false,
        };
        let people = [paired(7, "Ann"), paired(8, "Anna"), paired(-9, "Builders")];
        meant(&people, wanted)
            .into_iter()
            .map(|paired| paired.name.clone())
            .collect()
    }

    #[test]
    fn somebody_is_meant_by_number_by_name_or_by_its_beginning() {
        assert_eq!(names("8"), ["Anna"]);
        assert_eq!(names("-9"), ["Builders"]);
        assert_eq!(names("ann"), ["Ann"]);
        assert_eq!(names("an"), ["Ann", "Anna"]);
        assert_eq!(names("build"), ["Builders"]);
        assert!(names("70").is_empty());
    }
}
