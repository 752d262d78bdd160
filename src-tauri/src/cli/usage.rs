//! The words of clap, which are English by themselves, in the words of the text files: the headings
//! of the help, and why arguments are not taken.
//!
//! Not here: what each command and argument is for (`explained` in `cli.rs`).

use beckon_client::text::{Texts, Value};
use clap::error::{ContextKind, ErrorKind};
use clap::{Arg, ArgAction, Command};
use std::error::Error as _;

/// A reason why a value is not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum WrongValue {
    /// The choice has no label.
    #[error("a choice needs a label")]
    Label,
    /// The text is no length of time.
    #[error("a time is 30s, 5m, 1h and the like")]
    Time,
    /// The text is no moment of the past.
    #[error("a moment is 2h, 7d, 2026-01-31 and the like")]
    When,
    /// The text is no list of choices' numbers.
    #[error("choices are numbers from 1, as in 1,3")]
    Numbers,
}

/// Sets the headings of one command's help.
pub(super) fn headed(command: Command, texts: &Texts) -> Command {
    let say = |key: &str| texts.get(key);
    // The usage looks as clap's own, which has its headings bold where the terminal can.
    let usage = format!("\u{1b}[1m\u{1b}[4m{}\u{1b}[0m", say("cli-usage"));
    let template = format!("{{about-with-newline}}\n{usage}{{usage}}\n\n{{all-args}}");
    let flag = |name: &'static str, short, action, key| {
        Arg::new(name)
            .short(short)
            .long(name)
            .action(action)
            .help(say(key))
    };
    let versioned = command.get_version().is_some();
    let mut command = command
        .help_template(template)
        .subcommand_help_heading(say("cli-commands"))
        .disable_help_flag(true)
        .disable_version_flag(true)
        .arg(flag("help", 'h', ArgAction::Help, "cli-print-help"));
    if versioned {
        command = command.arg(flag(
            "version",
            'V',
            ArgAction::Version,
            "cli-print-version",
        ));
    }
    let args: Vec<_> = command
        .get_arguments()
        .map(|arg| arg.get_id().clone())
        .collect();
    for arg in args {
        command = command.mut_arg(arg, |arg| {
            let key = if arg.is_positional() {
                "cli-arguments"
            } else {
                "cli-options"
            };
            // The help text names the values, in words.
            let valued = arg.get_action().takes_values();
            arg.help_heading(say(key)).hide_possible_values(valued)
        });
    }
    command
}

/// Sets the words of `beckon help`, which clap makes by itself.
pub(super) fn helped(mut command: Command, texts: &Texts) -> Command {
    command.build();
    with_help(command, texts)
}

fn with_help(mut command: Command, texts: &Texts) -> Command {
    let names: Vec<String> = command
        .get_subcommands()
        .map(|c| c.get_name().to_owned())
        .collect();
    for name in names {
        command = command.mut_subcommand(&name, |below| match name.as_str() {
            "help" => below.about(texts.get("cli-help-about")),
            _ => with_help(below, texts),
        });
    }
    command
}

/// Returns why the arguments are not taken; `None` where clap has to say more than that.
pub(super) fn wrong(error: &clap::Error, texts: &Texts) -> Option<String> {
    let told = |kind| error.get(kind).map(ToString::to_string);
    let value = told(ContextKind::InvalidValue).unwrap_or_default();
    let valid = told(ContextKind::ValidValue).unwrap_or_default();
    let key = match error.kind() {
        ErrorKind::InvalidValue if value.is_empty() => "cli-wrong-no-value",
        ErrorKind::InvalidValue if !valid.is_empty() => "cli-wrong-one-of",
        ErrorKind::InvalidValue => "cli-wrong-value",
        ErrorKind::TooManyValues => "cli-wrong-too-many",
        ErrorKind::ValueValidation => unfit(error),
        ErrorKind::UnknownArgument => "cli-wrong-argument",
        ErrorKind::InvalidSubcommand => "cli-wrong-command",
        ErrorKind::MissingRequiredArgument => "cli-wrong-missing",
        ErrorKind::ArgumentConflict => "cli-wrong-conflict",
        _ => return None,
    };
    let command = told(ContextKind::InvalidSubcommand);
    let argument = told(ContextKind::InvalidArg)
        .or(command)
        .unwrap_or_default();
    let other = told(ContextKind::PriorArg).unwrap_or_default();
    let args = [
        ("argument", argument),
        ("value", value),
        ("valid", valid),
        ("other", other),
    ];
    let args = args.map(|(name, text)| (name, Value::from(text)));
    Some(format!(
        "{}\n{}",
        texts.with(key, &args),
        texts.get("cli-wrong-more")
    ))
}

fn unfit(error: &clap::Error) -> &'static str {
    match error.source().and_then(|source| source.downcast_ref()) {
        Some(WrongValue::Label) => "cli-wrong-label",
        Some(WrongValue::Time) => "cli-wrong-time",
        Some(WrongValue::When) => "cli-wrong-when",
        Some(WrongValue::Numbers) => "cli-wrong-numbers",
        None => "cli-wrong-value",
    }
}
