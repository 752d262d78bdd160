//! The completion for zsh: a function for each command, which calls those of the commands below it.

use super::super::outline::{OutlinedArgument, OutlinedCommand, PlacedCommand};
use super::{REQUESTS, quoted};

pub(in super::super) fn script(outline: &OutlinedCommand) -> String {
    let functions: String = outline.all().iter().map(function).collect();
    format!(
        "#compdef beckon\n# Completion of beckon for zsh.\n\
         _beckon_requests() {{\n    local -a ids\n    ids=(${{(f)\"$({REQUESTS})\"}})\n    compadd -a ids\n}}\n\
         {functions}_beckon \"$@\"\n"
    )
}

fn name(placed: &PlacedCommand<'_>) -> String {
    ["_beckon"]
        .iter()
        .chain(&placed.path)
        .copied()
        .collect::<Vec<_>>()
        .join("_")
        .replace('-', "_")
}

fn function(placed: &PlacedCommand<'_>) -> String {
    let mut specs: Vec<String> = placed
        .command
        .arguments
        .iter()
        .map(|it| spec(it, placed.takes_a_request()))
        .collect();
    if placed.command.commands.is_empty() {
        let specs = specs.join(" \\\n        ");
        return format!(
            "{}() {{\n    _arguments \\\n        {specs}\n}}\n",
            name(placed)
        );
    }
    specs.extend([
        "'1:command:->command'".to_owned(),
        "'*::argument:->rest'".to_owned(),
    ]);
    format!(
        "{name}() {{\n    local state line\n    local -a commands\n    _arguments -C \\\n        {specs}\n\
         \x20   case $state in\n\
         \x20       command)\n            commands=({commands})\n            _describe command commands ;;\n\
         \x20       rest)\n            (( $+functions[{name}_${{line[1]//-/_}}] )) && {name}_${{line[1]//-/_}} ;;\n\
         \x20   esac\n}}\n",
        name = name(placed),
        specs = specs.join(" \\\n        "),
        commands = descriptions(placed.command).join(" "),
    )
}

fn descriptions(command: &OutlinedCommand) -> Vec<String> {
    let below = command.commands.iter();
    below
        .map(|it| quoted(&format!("{}:{}", it.name, it.about.replace(':', "\\:"))))
        .collect()
}

/// Returns the spec of one argument for `_arguments` (zshcompsys(1)).
fn spec(argument: &OutlinedArgument, takes_requests: bool) -> String {
    let help = argument.help.replace(['[', ']'], "").replace(':', "\\:");
    let value = argument.value.as_deref().unwrap_or_default().to_lowercase();
    let action = action(argument, takes_requests);
    if argument.is_positional() {
        return quoted(&format!("::{value}:{action}"));
    }
    let again = if argument.repeats { "*" } else { "" };
    let taken = argument
        .value
        .as_ref()
        .map(|_| format!(":{value}:{action}"))
        .unwrap_or_default();
    let specs = argument.flags().into_iter();
    specs
        .map(|flag| quoted(&format!("{again}{flag}[{help}]{taken}")))
        .collect::<Vec<_>>()
        .join(" ")
}

fn action(argument: &OutlinedArgument, takes_requests: bool) -> String {
    match argument {
        it if it.is_file => "_files".to_owned(),
        it if !it.values.is_empty() => format!("({})", it.values.join(" ")),
        it if takes_requests && it.is_request() => "_beckon_requests".to_owned(),
        _ => " ".to_owned(),
    }
}
