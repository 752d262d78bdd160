//! `beckon list`, `beckon show`

use super::{Context, Done, fail, say, say_json};
use crate::client::encode;
use crate::clock;
use crate::texts::{Texts, Value};
use crate::wire::{Listed, Page, Question, Returned, Wish};
use crate::words;
use beckon_core::Timestamp;
use std::process::ExitCode;
use std::time::Duration;

pub(super) async fn run(context: &Context, json: bool) -> Done {
    let asks: Vec<Listed> = context.client()?.get("/list").await?;
    if json {
        say_json(&asks);
    } else if asks.is_empty() {
        say(&context.texts.get("list-empty"));
    } else {
        asks.iter().for_each(|ask| print(&context.texts, ask));
    }
    Ok(ExitCode::SUCCESS)
}

pub(super) async fn show(context: &Context, id: &str, json: bool) -> Done {
    let ask = fetch(context, id).await?;
    if json {
        say_json(&ask);
    } else {
        print(&context.texts, &ask);
    }
    Ok(ExitCode::SUCCESS)
}

/// `beckon show [ID] --window`
pub(super) async fn show_window(context: &Context, ask: Option<String>) -> Done {
    // A terminal that was started by a click may pass its right to the focus on.
    let activation = std::env::var("XDG_ACTIVATION_TOKEN").ok();
    let wish = Wish { page: Page::Answer { ask }, activation };
    let comes: bool = context.client()?.post("/windows/open", &wish, Duration::ZERO).await?;
    if comes {
        return Ok(ExitCode::SUCCESS);
    }
    Ok(fail(&context.texts.get("show-no-window"), 1))
}

/// The ask of that name.
pub(super) async fn fetch(context: &Context, id: &str) -> Result<Listed, crate::client::Refused> {
    context.client()?.get(&format!("/show/{}", encode(id))).await
}

fn print(texts: &Texts, ask: &Listed) {
    let waited = clock::now() - Timestamp(ask.asked_at);
    let title = ask.session.title.clone().unwrap_or_else(|| ask.session.directory.clone());
    let args = [
        ("id", Value::from(ask.id.clone())),
        ("title", Value::from(title)),
        ("state", Value::from(texts.get(&format!("list-state-{}", ask.state)))),
        ("waited", Value::from(words::age(texts, waited))),
    ];
    say(&texts.with("list-head", &args));
    for (number, question) in ask.questions.iter().enumerate() {
        print_question(texts, number + 1, ask.questions.len(), question);
    }
    if let Some(permission) = &ask.permission {
        say(&format!("  {}", permission.permission));
        let what = permission.command.clone().unwrap_or_else(|| permission.patterns.join(", "));
        say(&format!("  {what}"));
        if !permission.always.is_empty() {
            let always = Value::from(permission.always.join(", "));
            say(&format!("  {}", texts.with("list-always", &[("patterns", always)])));
        }
    }
    if let Some(info) = &ask.info {
        say(&format!("  {info}"));
    }
    if let Some(raw) = &ask.unknown {
        say(&format!("  {}", texts.get("list-unknown")));
        say(&format!("  {raw}"));
    }
    if let Some(Returned { reason, detail }) = &ask.returned {
        let why = Value::from(detail.clone().unwrap_or_default());
        say(&format!("  {}", texts.with(&format!("returned-{reason}"), &[("why", why)])));
    }
    if let Some(trouble) = &ask.undelivered {
        say(&format!("  {}", words::undelivered_told(texts, trouble)));
    }
}

fn print_question(texts: &Texts, number: usize, of: usize, question: &Question) {
    let head = if of > 1 { format!("({number}/{of}) ") } else { String::new() };
    say(&format!("  {head}{}", question.question));
    for (n, choice) in question.choices.iter().enumerate() {
        let plain = choice.description.is_empty();
        let key = if plain { "list-choice-plain" } else { "list-choice" };
        let args = [
            ("number", Value::from(n + 1)),
            ("label", Value::from(choice.label.clone())),
            ("description", Value::from(choice.description.clone())),
        ];
        say(&format!("    {}", texts.with(key, &args)));
    }
    if question.multiple {
        say(&format!("    {}", texts.get("list-multiple")));
    }
}
