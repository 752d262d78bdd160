//! The command `beckon outline`: every command with its arguments and its words, as JSON. The man
//! page and the shells' completions are made of it, so that they say what `--help` says.
//!
//! Not here: how those look (`xtask/src/package`).

use super::{CommandContext, CommandResult, say_json};
use clap::{Arg, ArgAction, Command};
use serde::Serialize;
use std::process::ExitCode;

/// A command, and those below it.
#[derive(Debug, Serialize)]
struct OutlinedCommand {
    name: String,
    about: String,
    /// The form of its call: `beckon show [OPTIONS] [ID]`.
    usage: String,
    arguments: Vec<OutlinedArgument>,
    commands: Vec<OutlinedCommand>,
}

/// A flag, option or positional argument.
#[derive(Debug, Serialize)]
struct OutlinedArgument {
    long: Option<String>,
    short: Option<char>,
    /// The name of its value; none for a flag.
    value: Option<String>,
    /// The only values that are taken; empty where any is.
    values: Vec<String>,
    /// Whether the value is the path of a file.
    is_file: bool,
    /// Whether it may be given more than once.
    repeats: bool,
    help: String,
}

pub(super) fn run(context: &CommandContext) -> CommandResult {
    say_json(&outlined(&super::spoken(&context.texts)));
    Ok(ExitCode::SUCCESS)
}

fn outlined(command: &Command) -> OutlinedCommand {
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage:").trim().to_owned();
    let shown = |below: &&Command| !below.is_hide_set() && below.get_name() != "help";
    let arguments = command
        .get_arguments()
        .filter(|argument| !argument.is_hide_set());
    OutlinedCommand {
        name: command.get_name().to_owned(),
        about: command
            .get_about()
            .map(ToString::to_string)
            .unwrap_or_default(),
        usage,
        arguments: arguments.map(outlined_argument).collect(),
        commands: command
            .get_subcommands()
            .filter(shown)
            .map(outlined)
            .collect(),
    }
}

fn outlined_argument(arg: &Arg) -> OutlinedArgument {
    let takes_value = arg.is_positional() || arg.get_action().takes_values();
    let names = arg.get_value_names().unwrap_or_default();
    let name = names
        .first()
        .map_or_else(|| arg.get_id().as_str(), |name| name.as_str());
    let values = if takes_value {
        arg.get_possible_values()
    } else {
        Vec::new()
    };
    OutlinedArgument {
        long: arg.get_long().map(str::to_owned),
        short: arg.get_short(),
        value: takes_value.then(|| name.to_owned()),
        values: values
            .iter()
            .map(|value| value.get_name().to_owned())
            .collect(),
        is_file: takes_value && name == "FILE",
        repeats: matches!(arg.get_action(), ArgAction::Append | ArgAction::Count),
        help: arg.get_help().map(ToString::to_string).unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use beckon_client::text::Texts;

    fn outline(language: &str) -> OutlinedCommand {
        outlined(&crate::cli::spoken(&Texts::load(language)))
    }

    fn find<'a>(command: &'a OutlinedCommand, path: &[&str]) -> &'a OutlinedCommand {
        path.iter().fold(command, |at, name| {
            at.commands
                .iter()
                .find(|below| below.name == *name)
                .unwrap()
        })
    }

    #[test]
    fn the_outline_has_each_command_with_its_words_and_not_itself() {
        let outline = outline("en");
        assert!(
            outline
                .commands
                .iter()
                .all(|command| !command.about.is_empty()),
            "{outline:?}"
        );
        assert!(
            outline
                .commands
                .iter()
                .all(|command| command.name != "outline")
        );
        assert_eq!(
            find(&outline, &["telegram", "pair"]).usage,
            "beckon telegram pair [OPTIONS]"
        );
    }

    #[test]
    fn the_outline_tells_flags_from_options_and_names_what_they_take() {
        let outline = outline("zh-CN");
        let argument = |path: &[&str], long: &str| {
            let arguments = &find(&outline, path).arguments;
            let found = arguments
                .iter()
                .find(|it| it.long.as_deref() == Some(long))
                .unwrap();
            (found.value.clone(), found.is_file)
        };
        assert_eq!(argument(&["list"], "json"), (None, false));
        assert_eq!(
            argument(&["telegram", "pair"], "svg"),
            (Some("FILE".into()), true)
        );
        let presence = &find(&outline, &["presence"]).arguments[0];
        assert_eq!(presence.values, ["auto", "here", "away"]);
        assert!(
            find(&outline, &["ask"]).about.contains("退出码"),
            "{outline:?}"
        );
    }
}
