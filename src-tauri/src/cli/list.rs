//! The commands `beckon list` and `beckon show`.

use super::{CommandContext, CommandResult, fail, say, say_json};
use crate::platform::login;
use beckon_client::config::LOCAL_ASKS;
use beckon_client::connection::{ClientError, encode};
use beckon_client::platform::clock;
use beckon_client::text::words;
use beckon_client::text::{Texts, Value};
use beckon_client::wire::{
    Agreed, AlsoRejects, FileDeed, ListedAsk, NamedArgument, Page, PageRequest, Permission,
    Question, Returned, RiskMark, Session, Status,
};
use beckon_core::visible::exact;
use beckon_core::{CALL_LISTED_WITHIN, Fingerprint, LoginSession, Timestamp};
use std::collections::BTreeSet;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// How long until it is looked again whether a call is told, which takes milliseconds.
const LOOK_AGAIN: Duration = Duration::from_millis(20);

pub(super) async fn run(context: &CommandContext, json: bool) -> CommandResult {
    let client = context.client()?;
    let asks: Vec<ListedAsk> = once_told(async || client.get("/list").await).await?;
    if json {
        say_json(&asks);
    } else if asks.is_empty() {
        let status: Status = client.get("/status").await?;
        say(&context.texts.get(if status.is_deaf() {
            "list-deaf"
        } else {
            "list-empty"
        }));
    } else {
        let shown = asks.iter().filter(|ask| !ask.behind);
        shown.for_each(|ask| print(&context.texts, ask, ListDetail::Short));
    }
    Ok(ExitCode::SUCCESS)
}

pub(super) async fn show(context: &CommandContext, id: &str, json: bool) -> CommandResult {
    let ask = fetch(context, id).await?;
    if json {
        say_json(&ask);
    } else {
        print(&context.texts, &ask, ListDetail::Full);
    }
    Ok(ExitCode::SUCCESS)
}

/// Shows a window: `beckon list --window`, `beckon show [ID] --window`.
pub(super) async fn show_window(context: &CommandContext, page: Page) -> CommandResult {
    // A terminal that was started by a click may pass its right to the focus on.
    let activation = std::env::var("XDG_ACTIVATION_TOKEN").ok();
    // The terminal may be of another login than Beckon: the window is to come up where it is asked
    // for.
    let login = Some(login::own()).filter(LoginSession::has_screen);
    let wish = PageRequest {
        page,
        activation,
        login,
    };
    let comes: bool = context
        .client()?
        .post("/windows/open", &wish, Duration::ZERO)
        .await?;
    if comes {
        return Ok(ExitCode::SUCCESS);
    }
    Ok(fail(&context.texts.get("show-no-window"), 1))
}

/// Returns the ask of that name.
pub(super) async fn fetch(context: &CommandContext, id: &str) -> Result<ListedAsk, ClientError> {
    let client = context.client()?;
    let path = format!("/show/{}", name_in_path(context, id)?);
    once_told(async || client.get(&path).await).await
}

/// Reads asks until the call of each new one is told, or has had its time: if a human answers by an
/// id alone, `--seen` is asked for where the list may have shown less.
async fn once_told<T: ListedAsks>(
    read: impl AsyncFn() -> Result<T, ClientError>,
) -> Result<T, ClientError> {
    let deadline = Instant::now() + Duration::from_millis(CALL_LISTED_WITHIN.0.unsigned_abs());
    loop {
        let read = read().await?;
        let is_settled = !read.asks().iter().any(awaits_call);
        if is_settled || Instant::now() > deadline {
            return Ok(read);
        }
        tokio::time::sleep(LOOK_AGAIN).await;
    }
}

fn awaits_call(ask: &ListedAsk) -> bool {
    let is_partial = ask.permission.as_ref().is_some_and(|wish| wish.is_partial);
    is_partial && clock::now() - Timestamp(ask.asked_at) <= CALL_LISTED_WITHIN
}

trait ListedAsks {
    fn asks(&self) -> &[ListedAsk];
}

impl ListedAsks for ListedAsk {
    fn asks(&self) -> &[ListedAsk] {
        std::slice::from_ref(self)
    }
}

impl ListedAsks for Vec<ListedAsk> {
    fn asks(&self) -> &[ListedAsk] {
        self
    }
}

/// Returns the name of an ask as a part of a path. A name that would lead to another path, or to
/// none, is no ask's (<https://url.spec.whatwg.org/#double-dot-path-segment>).
pub(super) fn name_in_path(context: &CommandContext, id: &str) -> Result<String, ClientError> {
    match id.trim() {
        "" | "." | ".." => Err(ClientError::Said(context.texts.get("list-no-name"))),
        id => Ok(encode(id)),
    }
}

/// The amount that is printed of an ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ListDetail {
    /// The parts that it takes to answer most of them.
    Short,
    /// The whole of it, however long.
    Full,
}

fn print(texts: &Texts, ask: &ListedAsk, detail: ListDetail) {
    let waited = clock::now() - Timestamp(ask.asked_at);
    let title = ask
        .session
        .title
        .clone()
        .unwrap_or_else(|| ask.session.directory.clone());
    let args = [
        ("id", Value::from(ask.id.clone())),
        ("title", Value::from(title)),
        (
            "state",
            Value::from(texts.get(&format!("list-state-{}", ask.state))),
        ),
        ("waited", Value::from(words::age(texts, waited))),
    ];
    say(&texts.with("list-head", &args));
    if let Some(machine) = machine(ask) {
        let machine = Value::from(exact(machine).text);
        say(&format!(
            "  {}",
            texts.with("list-machine", &[("machine", machine)])
        ));
    }
    if detail == ListDetail::Full || ask.source == LOCAL_ASKS {
        print_origin(texts, &ask.session);
    }
    for (number, question) in ask.questions.iter().enumerate() {
        print_question(texts, number + 1, ask.questions.len(), question);
    }
    if let Some(permission) = &ask.permission {
        print_permission(texts, ask, permission, detail);
        print_risks(texts, &ask.risks);
    }
    if let Some(times) = ask.times {
        say(&format!(
            "  {}",
            texts.with("asked-times", &[("count", Value::from(times))])
        ));
    }
    if let Some(also) = also_rejects(texts, ask) {
        say(&format!("  {also}"));
    }
    if let Some(info) = &ask.info {
        say(&format!("  {info}"));
    }
    if let Some(raw) = &ask.unknown {
        say(&format!("  {}", texts.get("list-unknown")));
        say(&format!("  {raw}"));
    }
    if let Some(held) = &ask.held {
        say(&format!("  {}", words::hold(texts, &held.into())));
    }
    if let Some(Agreed { people, said }) = ask.agreed.as_ref().filter(|_| ask.held.is_none()) {
        say(&format!("  {}", words::agreed(texts, people, *said)));
    }
    if ask.set_aside.is_some() {
        say(&format!(
            "  {}",
            words::set_aside(texts, ask.set_aside, clock::now())
        ));
    }
    if ask.changed {
        say(&format!("  {}", changed(texts, ask)));
    }
    if let Some(Returned { reason, detail }) = &ask.returned {
        let why = Value::from(detail.clone().unwrap_or_default());
        say(&format!(
            "  {}",
            texts.with(&format!("returned-{reason}"), &[("why", why)])
        ));
    }
    if let Some(trouble) = &ask.undelivered {
        say(&format!("  {}", words::undelivered_told(texts, trouble)));
    }
}

/// Returns the warning that something else was asked, or less was known, under its id before, and
/// how it is answered nevertheless.
pub(super) fn changed(texts: &Texts, ask: &ListedAsk) -> String {
    texts.with(
        "list-changed",
        &[("seen", Value::from(ask.fingerprint.to_string()))],
    )
}

/// Returns the warning that not all of its call is told, and how it is allowed nevertheless.
pub(super) fn untold(texts: &Texts, seen: Fingerprint) -> String {
    texts.with("list-untold", &[("seen", Value::from(seen.to_string()))])
}

/// Prints who asks, and where, as far as that is known.
fn print_origin(texts: &Texts, session: &Session) {
    let Some(agent) = session
        .agent
        .as_ref()
        .filter(|agent| !agent.trim().is_empty())
    else {
        return;
    };
    let args = [
        ("agent", Value::from(agent.clone())),
        ("directory", Value::from(session.directory.clone())),
    ];
    say(&format!("  {}", texts.with("list-origin", &args)));
}

fn print_permission(texts: &Texts, ask: &ListedAsk, permission: &Permission, detail: ListDetail) {
    say(&format!("  {}", title(texts, ask, permission)));
    let files = permission.files.iter().map(told_deed);
    let arguments = permission.arguments.iter().map(told_argument);
    let wants = wants(permission).into_iter().chain(files).chain(arguments);
    wants
        .filter(|want| !want.is_empty())
        .flat_map(|want| {
            want.lines()
                .map(|line| exact(line).text)
                .collect::<Vec<_>>()
        })
        .for_each(|line| say(&format!("  {line}")));
    if permission.left_out > 0 {
        let count = [("count", Value::from(permission.left_out))];
        say(&format!("  ⚠ {}", texts.with("list-left-out", &count)));
    }
    if permission.is_partial {
        say(&format!("  ⚠ {}", texts.get("ui-partial")));
    }
    let change = permission.diff.as_ref();
    match change.filter(|diff| !diff.trim().is_empty()) {
        None => {}
        // The whole change is printed: a change that is allowed is one that was read.
        Some(diff) if detail == ListDetail::Full => print_change(texts, diff),
        Some(diff) => {
            let lines = Value::from(diff.lines().count());
            let args = [("count", lines), ("id", Value::from(ask.id.clone()))];
            say(&format!("  {}", texts.with("list-has-change", &args)));
        }
    }
    if !permission.always.is_empty() {
        let always = Value::from(exact(&permission.always.join(", ")).text);
        say(&format!(
            "  {}",
            texts.with("list-always", &[("patterns", always)])
        ));
    }
}

/// Returns the machine that shares the ask, if it is another one's.
fn machine(ask: &ListedAsk) -> Option<&str> {
    ask.source.strip_prefix(beckon_core::hub::HUB_SOURCE)
}

/// Returns a title. An older Beckon does not say what it is for.
pub(super) fn title(texts: &Texts, ask: &ListedAsk, permission: &Permission) -> String {
    let project = beckon_core::Session::project_in(&ask.session.directory);
    match &permission.purpose {
        Some(purpose) => {
            let place = words::place_on(texts, words::place(project), machine(ask));
            words::title(texts, &place, purpose)
        }
        None => words::wish(texts, &exact(&permission.permission).text),
    }
}

/// Prints a sentence for each kind of risk; of a kind that only a newer Beckon knows, the marked
/// words.
fn print_risks(texts: &Texts, marks: &[RiskMark]) {
    let said = |mark: &RiskMark| match mark.risk.known() {
        Some(_) => texts.get(&format!("risk-{}", mark.risk)),
        None => exact(&mark.words).text,
    };
    let lines: BTreeSet<String> = marks.iter().map(said).collect();
    lines.iter().for_each(|line| say(&format!("  ⚠ {line}")));
}

/// Prints a change. Tabs become blanks, since a terminal's tab stops are not the agent's.
fn print_change(texts: &Texts, diff: &str) {
    say(&format!("  {}", texts.get("list-change")));
    let lines = diff
        .lines()
        .map(|line| exact(&line.replace('\t', "    ")).text);
    lines.for_each(|line| say(&format!("      {line}")));
}

/// Returns the command and the patterns that are no part of it, or a line of patterns.
fn wants(permission: &Permission) -> Vec<String> {
    let Some(command) = &permission.command else {
        return vec![permission.patterns.join(", ")];
    };
    let is_flag = |pattern: &str| pattern.contains(": ");
    let more = permission.patterns.iter();
    let more = more.filter(|pattern| is_flag(pattern) || !command.contains(*pattern));
    [command].into_iter().chain(more).cloned().collect()
}

/// Returns a file's change, such as `delete: c.txt`; of a kind that only a newer Beckon knows, its
/// word.
fn told_deed(deed: &FileDeed) -> String {
    let FileDeed { does, path, to } = deed;
    match to {
        Some(to) => format!("{does}: {path} → {to}"),
        None => format!("{does}: {path}"),
    }
}

/// Returns an argument. Its further lines are indented, so that none looks like another argument.
fn told_argument(argument: &NamedArgument) -> String {
    let NamedArgument { name, value } = argument;
    format!("{name}: {value}").replace('\n', "\n  ")
}

fn also_rejects(texts: &Texts, ask: &ListedAsk) -> Option<String> {
    let AlsoRejects { count, certain } = ask.also_rejects?;
    let key = if certain {
        "also-rejects"
    } else {
        "also-rejects-perhaps"
    };
    Some(texts.with(key, &[("count", Value::from(count))]))
}

fn print_question(texts: &Texts, number: usize, of: usize, question: &Question) {
    let head = if of > 1 {
        format!("({number}/{of}) ")
    } else {
        String::new()
    };
    say(&format!("  {head}{}", question.question));
    for (n, choice) in question.choices.iter().enumerate() {
        let plain = choice.description.is_empty();
        let key = if plain {
            "list-choice-plain"
        } else {
            "list-choice"
        };
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
