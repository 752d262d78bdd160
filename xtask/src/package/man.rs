//! The man page: the texts of `xtask/package/man` in each language, with the commands as `--help`
//! describes them. Its format is man(7).

use super::outline::{OutlinedArgument, OutlinedCommand, PlacedCommand};
use super::{Release, layout, template};
use anyhow::Result;

/// Makes the page in `language`, which is also the language of the outline.
pub(super) fn page(language: &str, outline: &OutlinedCommand, release: &Release) -> Result<String> {
    let page = template(&format!("man/{language}.1"))?;
    let commands: String = outline.all().iter().skip(1).map(command).collect();
    Ok(page
        .replace("@DATE@", &layout::day(release))
        .replace("@VERSION@", &release.version)
        .replace("@ABOUT@", &escaped(&outline.about))
        .replace("@OPTIONS@\n", &arguments(&outline.arguments))
        .replace("@COMMANDS@\n", &commands))
}

/// Describes a command. A command that only groups others is left out: these describe it.
fn command(placed: &PlacedCommand<'_>) -> String {
    if !placed.command.commands.is_empty() {
        return String::new();
    }
    let usage = escaped(&placed.command.usage);
    let about = escaped(&placed.command.about);
    format!(
        ".SS {usage}\n{about}\n{}",
        arguments(&placed.command.arguments)
    )
}

/// Describes the arguments. `--help`, which every command has, is left out.
fn arguments(arguments: &[OutlinedArgument]) -> String {
    let told = arguments
        .iter()
        .filter(|argument| argument.long.as_deref() != Some("help"));
    told.map(argument).collect()
}

fn argument(argument: &OutlinedArgument) -> String {
    let flags = argument.flags().join(", ");
    let value = argument.value.as_deref().map(|value| format!("<{value}>"));
    let words: Vec<&str> = [flags.as_str(), value.as_deref().unwrap_or_default()]
        .into_iter()
        .filter(|w| !w.is_empty())
        .collect();
    format!(
        ".TP\n.B {}\n{}\n",
        escaped(&words.join(" ")),
        escaped(&argument.help)
    )
}

/// Escapes a text: hyphens may be typed, backslashes are literal, and no line is taken for a
/// request.
fn escaped(text: &str) -> String {
    let text = text.replace('\\', "\\e").replace('-', "\\-");
    if text.starts_with(['.', '\'']) {
        format!("\\&{text}")
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_a_text_is_never_a_request_of_the_formatter() {
        assert_eq!(escaped(".so /etc/passwd"), "\\&.so /etc/passwd");
        assert_eq!(escaped("write \\= for --an ="), "write \\e= for \\-\\-an =");
    }

    #[test]
    fn an_option_says_what_it_takes() {
        let wait = OutlinedArgument {
            long: Some("wait".into()),
            short: None,
            value: Some("SECONDS".into()),
            values: Vec::new(),
            is_file: false,
            repeats: false,
            help: "Wait".into(),
        };
        assert_eq!(argument(&wait), ".TP\n.B \\-\\-wait <SECONDS>\nWait\n");
    }
}
