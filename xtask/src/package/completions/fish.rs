//! The completion for fish: a line for each word that may come somewhere, with the condition under
//! which it may.

use super::super::outline::{OutlinedArgument, OutlinedCommand, PlacedCommand};
use super::REQUESTS;

pub(in super::super) fn script(outline: &OutlinedCommand) -> String {
    let lines: Vec<String> = outline.all().iter().flat_map(lines).collect();
    format!(
        "# Completion of beckon for fish.\ncomplete -c beckon -f\n{}\n",
        lines.join("\n")
    )
}

fn lines(placed: &PlacedCommand<'_>) -> Vec<String> {
    let condition = quoted(&condition(placed));
    let start = format!("complete -c beckon -n {condition}");
    let below = placed.command.commands.iter();
    let below = below.map(|it| format!("{start} -a {} -d {}", it.name, quoted(&it.about)));
    let arguments = placed
        .command
        .arguments
        .iter()
        .filter_map(|it| argument(&start, it));
    let requests = placed
        .takes_a_request()
        .then(|| format!("{start} -a {}", quoted(&format!("({REQUESTS})"))));
    below.chain(arguments).chain(requests).collect()
}

/// Returns the condition that the words so far lead to this command, and no further.
fn condition(placed: &PlacedCommand<'_>) -> String {
    let here = placed
        .path
        .iter()
        .map(|word| format!("__fish_seen_subcommand_from {word}"));
    let below: Vec<&str> = placed
        .command
        .commands
        .iter()
        .map(|it| it.name.as_str())
        .collect();
    let not =
        (!below.is_empty()).then(|| format!("not __fish_seen_subcommand_from {}", below.join(" ")));
    here.chain(not).collect::<Vec<_>>().join("; and ")
}

fn argument(start: &str, argument: &OutlinedArgument) -> Option<String> {
    let help = quoted(&argument.help);
    if argument.is_positional() {
        let values = argument.values.join(" ");
        return (!values.is_empty()).then(|| format!("{start} -a {} -d {help}", quoted(&values)));
    }
    let long = argument.long.as_ref().map(|name| format!(" -l {name}"));
    let short = argument.short.map(|letter| format!(" -s {letter}"));
    let value = match (&argument.value, argument.is_file) {
        (Some(_), true) => " -r -F".to_owned(),
        (Some(_), false) => format!(" -x -a {}", quoted(&argument.values.join(" "))),
        (None, _) => String::new(),
    };
    let flags = format!("{}{}", long.unwrap_or_default(), short.unwrap_or_default());
    Some(format!("{start}{flags}{value} -d {help}"))
}

/// Puts a text into single quotes, in which fish wants a backslash before a quote and before a
/// backslash.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
}
