//! The command line: its commands, each of which is done by a file below, and the start of the
//! resident program when there is no command.

mod acp;
mod answer;
mod ask;
mod audit;
mod change;
mod doctor;
mod hook;
mod hub;
mod integrate;
mod keychain;
mod list;
mod mcp;
mod outline;
mod output;
mod piped;
mod presence;
mod resident;
mod secret;
mod status;
mod telegram;
mod usage;
mod watch;

#[cfg(any(test, fuzzing))]
pub(crate) use hook::fuzzing;

use crate::platform::fault::FormerFaults;
use crate::platform::part::{self, Part};
use crate::platform::{fault, login, logs};
use beckon_client::config;
use beckon_client::connection::{Client, ClientError};
use beckon_client::platform::paths::Paths;
use beckon_client::text::Texts;
use beckon_client::text::words;
use beckon_client::wire::Page;
use beckon_core::{Fingerprint, LoginSession, SecondStart};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use output::{fail, say, say_json, say_json_text, say_raw};
use reqwest::StatusCode;
use resident::{RunMode, ServiceEnd};
use std::process::ExitCode;

/// The exit code when no Beckon runs that could be talked to.
const NOT_RUNNING: u8 = 5;
/// The exit code for arguments that are refused; clap uses the same.
const WRONG_USE: u8 = 2;

#[derive(Debug, Parser)]
#[command(name = "beckon", version)]
struct CliArguments {
    #[arg(long)]
    headless: bool,
    #[arg(long)]
    demo: bool,
    /// Said by a Beckon that starts anew (`platform/fault.rs`), and by nobody else.
    #[arg(long = fault::ARGUMENT, hide = true, default_value_t = 0)]
    after_faults: u32,
    /// Likewise: the part that panicked last (`platform/part.rs`).
    #[arg(long = fault::SUSPECT, hide = true)]
    suspect: Option<String>,
    /// Likewise: a part that panics at each start, and is left out.
    #[arg(long = fault::WITHOUT, hide = true)]
    without: Vec<String>,
    /// Likewise: a part that had been left out and is tried again, once for each time.
    #[arg(long = fault::TRIED, hide = true)]
    tried: Vec<String>,
    #[command(subcommand)]
    command: Option<CliCommand>,
}

impl CliArguments {
    fn former_faults(&self) -> FormerFaults {
        FormerFaults {
            count: self.after_faults,
            suspect: self.suspect.as_deref().and_then(Part::read),
            tried: parts(&self.tried),
        }
    }

    fn mode(&self) -> RunMode {
        let Self {
            headless,
            demo,
            after_faults,
            ..
        } = *self;
        RunMode {
            headless,
            demo,
            after_faults,
            ..RunMode::default()
        }
    }
}

/// Returns the parts that this version knows, of those names.
fn parts(named: &[String]) -> Vec<Part> {
    named.iter().filter_map(|it| Part::read(it)).collect()
}

#[derive(Debug, Subcommand)]
enum CliCommand {
    Status {
        #[arg(long)]
        json: bool,
        #[arg(long, value_name = "SECONDS")]
        wait: Option<u64>,
    },
    List {
        #[arg(long)]
        json: bool,
        #[arg(long, conflicts_with = "json")]
        window: bool,
    },
    Show {
        #[arg(required_unless_present = "window")]
        id: Option<String>,
        #[arg(long)]
        json: bool,
        #[arg(long, conflicts_with = "json")]
        window: bool,
    },
    Answer(answer::AnswerArguments),
    Grant {
        id: String,
        #[arg(long)]
        always: bool,
        #[arg(long, value_name = "FINGERPRINT", allow_hyphen_values = true)]
        seen: Option<Fingerprint>,
        #[arg(long)]
        json: bool,
    },
    Deny {
        id: String,
        #[arg(long, allow_hyphen_values = true)]
        reason: Option<String>,
        #[arg(long, value_name = "FINGERPRINT", allow_hyphen_values = true)]
        seen: Option<Fingerprint>,
        #[arg(long)]
        json: bool,
    },
    Dismiss {
        id: String,
        #[arg(long, value_name = "FINGERPRINT", allow_hyphen_values = true)]
        seen: Option<Fingerprint>,
        #[arg(long)]
        json: bool,
    },
    Seen {
        id: String,
        #[arg(long)]
        undo: bool,
        #[arg(long)]
        json: bool,
    },
    Snooze(answer::attention::SnoozeArguments),
    Open {
        id: String,
        #[arg(long)]
        json: bool,
    },
    Ask(ask::AskArguments),
    Acp(acp::AcpArguments),
    Mcp,
    Hook {
        #[command(subcommand)]
        agent: hook::HookAgent,
    },
    Presence {
        #[arg(value_parser = ["auto", "here", "away"])]
        presence: Option<String>,
        #[arg(value_name = "TIME", conflicts_with = "span")]
        time: Option<String>,
        #[arg(long = "for", value_name = "TIME", requires = "presence")]
        span: Option<String>,
        #[arg(long)]
        json: bool,
    },
    Watch {
        #[arg(long)]
        json: bool,
    },
    Audit(audit::AuditArguments),
    Doctor {
        #[arg(long)]
        nearby: bool,
        #[arg(long)]
        probe: bool,
        #[arg(long)]
        json: bool,
    },
    Integrate {
        #[command(subcommand)]
        agent: integrate::IntegrationAgent,
    },
    Telegram {
        #[command(subcommand)]
        action: telegram::TelegramAction,
    },
    Secret {
        #[command(subcommand)]
        action: SecretCommand,
    },
    Hub {
        #[command(subcommand)]
        action: hub::HubAction,
    },
    #[command(hide = true)]
    Outline,
}

#[derive(Debug, Subcommand)]
enum SecretCommand {
    Set { name: String },
    Remove { name: String },
}

/// The context that every command needs.
struct CommandContext {
    paths: Paths,
    texts: Texts,
}

impl CommandContext {
    fn client(&self) -> Result<Client, ClientError> {
        Client::new(&self.paths)
    }
}

/// The end of a command: its exit code, or why it could not be done.
type CommandResult = Result<ExitCode, ClientError>;

/// The reason why the program ends without having done anything, in words, with the exit code.
struct CommandFailure(String, u8);

/// Runs the program.
pub fn main() -> ExitCode {
    logs::sieve_panics();
    if hook::is_called() {
        return hook::silently(run);
    }
    run().unwrap_or_else(|CommandFailure(why, code)| fail(&why, code))
}

fn run() -> Result<ExitCode, CommandFailure> {
    let paths = Paths::from_env()
        .map_err(|error| CommandFailure(words::failure(&Texts::load("auto"), &error), 1))?;
    let texts = Texts::load(&config::language(&paths.config));
    let read = spoken(&texts).try_get_matches().and_then(|it| {
        let is_json = wants_json(&it);
        CliArguments::from_arg_matches(&it).map(|arguments| (arguments, is_json))
    });
    let (arguments, is_json) = read.map_err(|error| match usage::wrong(&error, &texts) {
        Some(why) => CommandFailure(why, WRONG_USE),
        None if error.use_stderr() => CommandFailure(error.to_string(), WRONG_USE),
        None => error.exit(),
    })?;
    let context = CommandContext { paths, texts };
    match arguments.command {
        Some(command) => {
            let is_answer = matches!(command, CliCommand::Ask(_));
            let code = run_command(command, &context, is_json)?;
            written(code, is_answer, &context.texts)
        }
        None => {
            part::leave_out(parts(&arguments.without));
            serve(arguments.mode(), &arguments.former_faults(), &context)
        }
    }
}

/// Returns true if a command was given `--json`.
fn wants_json(matches: &clap::ArgMatches) -> bool {
    let here = matches.try_get_one::<bool>("json").ok().flatten();
    let below = matches.subcommand().map(|(_, below)| wants_json(below));
    here.copied().unwrap_or_default() || below.unwrap_or_default()
}

/// Returns the end of a command that is done. If its output could not be written, that is no
/// success. A reader that closed the pipe early gets no message about it, unless it was to read an
/// answer.
fn written(code: ExitCode, is_answer: bool, texts: &Texts) -> Result<ExitCode, CommandFailure> {
    let Some(error) = output::failure() else {
        return Ok(code);
    };
    if error.kind() == std::io::ErrorKind::BrokenPipe && !is_answer {
        return Ok(ExitCode::FAILURE);
    }

    let why = [("why", error.to_string().into())];
    Err(CommandFailure(texts.with("cli-unwritten", &why), 1))
}

/// Returns the whole command line, in the language of these texts.
fn spoken(texts: &Texts) -> clap::Command {
    usage::helped(explained(CliArguments::command(), "cli", texts), texts)
}

/// Adds the texts of the text files to the commands and their arguments.
fn explained(mut command: clap::Command, key: &str, texts: &Texts) -> clap::Command {
    let words = |name: &str| texts.get(&format!("{key}-{name}"));
    if texts.has(&format!("{key}-about")) {
        command = command.about(words("about"));
    }
    let args: Vec<String> = command
        .get_arguments()
        .map(|arg| arg.get_id().to_string())
        .collect();
    for arg in args {
        if texts.has(&format!("{key}-{arg}")) {
            let help = words(&arg);
            command = command.mut_arg(arg, |arg| arg.help(help));
        }
    }
    command = usage::headed(command, texts);
    let names: Vec<String> = command
        .get_subcommands()
        .map(|c| c.get_name().to_owned())
        .collect();
    for name in names {
        let below = format!("{key}-{name}");
        command = command.mut_subcommand(name, |command| explained(command, &below, texts));
    }
    command
}

fn serve(
    mode: RunMode,
    former: &FormerFaults,
    context: &CommandContext,
) -> Result<ExitCode, CommandFailure> {
    match resident::run(&context.paths, mode, former.clone()) {
        Ok(ServiceEnd::Stopped) => Ok(ExitCode::SUCCESS),
        Ok(ServiceEnd::AlreadyRunning) => match met_another(mode, context) {
            SecondStart::GivesWay if !mode.takes_over => {
                let takes_over = true;
                serve(RunMode { takes_over, ..mode }, former, context)
            }
            SecondStart::StaysElsewhere => Ok(told(context, "cli-already-running-elsewhere")),
            SecondStart::ComesForward | SecondStart::GivesWay => {
                Ok(told(context, "cli-already-running"))
            }
        },
        Err(error) => Err(CommandFailure(words::failure(&context.texts, &error), 1)),
    }
}

fn told(context: &CommandContext, key: &str) -> ExitCode {
    say(&context.texts.get(key));
    ExitCode::SUCCESS
}

/// Tells the Beckon that runs already of this start, and of the login that it was made in. Returns
/// what that Beckon does; one that is about to end does not answer, and then counts as coming
/// forward.
fn met_another(mode: RunMode, context: &CommandContext) -> SecondStart {
    // A service without a screen of its own belongs to no login.
    let login = if mode.headless {
        LoginSession::default()
    } else {
        login::own()
    };
    let said = run_async(async {
        let client = context.client()?;
        client
            .post("/show", &login, std::time::Duration::ZERO)
            .await
    });
    said.unwrap_or(SecondStart::ComesForward)
}

fn run_command(
    command: CliCommand,
    context: &CommandContext,
    is_json: bool,
) -> Result<ExitCode, CommandFailure> {
    let done = run_async(async {
        match command {
            CliCommand::Status { json, wait } => status::run(context, json, wait).await,
            CliCommand::List { window: true, .. } => {
                list::show_window(context, Page::inbox()).await
            }
            CliCommand::List { json, .. } => list::run(context, json).await,
            CliCommand::Show {
                id, window: true, ..
            } => list::show_window(context, Page::answer(id)).await,
            CliCommand::Show { id, json, .. } => {
                list::show(context, &id.unwrap_or_default(), json).await
            }
            CliCommand::Answer(arguments) => answer::run(context, arguments).await,
            CliCommand::Grant {
                id,
                always,
                seen,
                json,
            } => answer::grant(context, &id, seen, always, json).await,
            CliCommand::Deny {
                id,
                reason,
                seen,
                json,
            } => answer::deny(context, &id, seen, reason, json).await,
            CliCommand::Dismiss { id, seen, json } => {
                answer::dismiss(context, &id, seen, json).await
            }
            CliCommand::Seen { id, undo, json } => {
                answer::attention::seen(context, &id, undo, json).await
            }
            CliCommand::Snooze(arguments) => answer::attention::snooze(context, arguments).await,
            CliCommand::Open { id, json } => answer::opening::open(context, &id, json).await,
            CliCommand::Acp(arguments) => acp::run(context, arguments).await,
            CliCommand::Mcp => mcp::run(context).await,
            CliCommand::Hook { agent } => hook::run(context, agent).await,
            CliCommand::Ask(arguments) => ask::run(context, arguments).await,
            CliCommand::Presence {
                presence,
                time,
                span,
                json,
            } => presence::run(context, presence, time.or(span), json).await,
            CliCommand::Watch { json } => watch::run(context, json).await,
            CliCommand::Audit(arguments) => audit::run(context, &arguments).await,
            CliCommand::Doctor {
                nearby,
                probe,
                json,
            } => doctor::run(context, doctor::ExtraChecks { nearby, probe }, json).await,
            CliCommand::Integrate { agent } => integrate::run(context, &agent),
            CliCommand::Telegram { action } => telegram::run(context, action).await,
            CliCommand::Secret {
                action: SecretCommand::Set { name },
            } => secret::set(context, &name).await,
            CliCommand::Secret {
                action: SecretCommand::Remove { name },
            } => secret::remove(context, &name).await,
            CliCommand::Hub { action } => hub::run(context, action).await,
            CliCommand::Outline => outline::run(context),
        }
    });
    done.map_err(|refused| {
        let words = refused.words(&context.texts);
        if is_json {
            say_json(&refusal(&refused, &words));
        }
        CommandFailure(words, exit_code(&refused))
    })
}

/// Returns the exit code of a command that could not be done.
fn exit_code(refused: &ClientError) -> u8 {
    match refused {
        ClientError::NotRunning | ClientError::Unproven => NOT_RUNNING,
        ClientError::Misused(_) | ClientError::Problem(StatusCode::BAD_REQUEST, _) => WRONG_USE,
        _ => 1,
    }
}

/// Returns a refusal in the form of the API's, for programs.
fn refusal(refused: &ClientError, words: &str) -> serde_json::Value {
    let code = match refused {
        ClientError::Problem(_, problem) => serde_json::json!(problem.code),
        ClientError::NotRunning | ClientError::Unproven => "not running".into(),
        ClientError::Misused(_) => "invalid".into(),
        _ => "failed".into(),
    };
    serde_json::json!({ "code": code, "message": words })
}

fn run_async<T>(work: impl Future<Output = Result<T, ClientError>>) -> Result<T, ClientError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    match runtime {
        Ok(runtime) => {
            let done = runtime.block_on(work);
            // A keychain that waits for its owner must not keep a command from ending.
            runtime.shutdown_background();
            done
        }
        Err(error) => Err(ClientError::Other(error.into())),
    }
}

#[cfg(test)]
mod tests;
