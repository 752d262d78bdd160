//! The completion for bash: one function that follows the words to a command, and offers what may
//! come next.

use super::super::outline::{OutlinedArgument, OutlinedCommand, PlacedCommand};
use super::{REQUESTS, quoted};
use std::fmt::Write as _;

pub(in super::super) fn script(outline: &OutlinedCommand) -> String {
    let all = outline.all();
    let paths: Vec<String> = all
        .iter()
        .skip(1)
        .map(|placed| quoted(&path(placed)))
        .collect();
    let offers: String = all.iter().map(offer).collect();
    format!(
        "# Completion of beckon for bash.\n\
         _beckon() {{\n\
         \x20   local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}} at=beckon word\n\
         \x20   COMPREPLY=()\n\
         \x20   for word in \"${{COMP_WORDS[@]:1:COMP_CWORD-1}}\"; do\n\
         \x20       case \"$at $word\" in\n\
         \x20           {}) at=\"$at $word\" ;;\n\
         \x20       esac\n\
         \x20   done\n\
         \x20   case \"$at $prev\" in\n{}    esac\n\
         \x20   case $at in\n{offers}    esac\n\
         }}\n\
         complete -F _beckon beckon\n",
        paths.join("|"),
        all.iter().map(values).collect::<String>(),
    )
}

fn path(placed: &PlacedCommand<'_>) -> String {
    ["beckon"]
        .iter()
        .chain(&placed.path)
        .copied()
        .collect::<Vec<_>>()
        .join(" ")
}

/// Offers the values of an option that takes one, after that option; nothing where any value will
/// do.
fn values(placed: &PlacedCommand<'_>) -> String {
    let options = placed.command.arguments.iter();
    let options = options.filter(|it| !it.is_positional() && it.value.is_some());
    options.fold(String::new(), |mut text, option| {
        let flags = option.flags();
        let at: Vec<String> = flags
            .iter()
            .map(|flag| quoted(&format!("{} {flag}", path(placed))))
            .collect();
        let _ = writeln!(
            text,
            "        {}) {}return ;;",
            at.join("|"),
            offered_values(option)
        );
        text
    })
}

fn offered_values(option: &OutlinedArgument) -> String {
    if option.is_file {
        return "mapfile -t COMPREPLY < <(compgen -f -- \"$cur\"); ".to_owned();
    }
    if option.values.is_empty() {
        return String::new();
    }
    let values = quoted(&option.values.join(" "));
    format!("mapfile -t COMPREPLY < <(compgen -W {values} -- \"$cur\"); ")
}

fn offer(placed: &PlacedCommand<'_>) -> String {
    let command = placed.command;
    let flags = command.arguments.iter().flat_map(OutlinedArgument::flags);
    let below = command.commands.iter().map(|below| below.name.clone());
    let positional = command.arguments.iter().filter(|it| it.is_positional());
    let values = positional.flat_map(|it| it.values.iter().cloned());
    let words: Vec<String> = below.chain(values).chain(flags).collect();
    let mut list = quoted(&words.join(" "));
    if placed.takes_a_request() {
        let _ = write!(list, "\" $({REQUESTS})\"");
    }
    let at = quoted(&path(placed));
    format!("        {at}) mapfile -t COMPREPLY < <(compgen -W {list} -- \"$cur\") ;;\n")
}
