//! The completions of the shells: one file for each shell, all made from the same outline of the
//! commands.

mod bash;
mod fish;
mod zsh;

pub(super) use bash::script as bash;
pub(super) use fish::script as fish;
pub(super) use zsh::script as zsh;

/// The command that prints the ids of the waiting requests, one a line. In the list, a request's
/// first line begins with its id and two blanks.
const REQUESTS: &str = r"beckon list 2>/dev/null | sed -n 's/^\([^ ][^ ]*\)  .*/\1/p'";

/// Puts a text into single quotes, for a POSIX shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::super::outline::{OutlinedArgument, OutlinedCommand};
    use super::*;
    use std::process::{Command, Stdio};

    fn argument(long: Option<&str>, value: Option<&str>, values: &[&str]) -> OutlinedArgument {
        OutlinedArgument {
            long: long.map(str::to_owned),
            short: None,
            value: value.map(str::to_owned),
            values: values.iter().map(|it| (*it).to_owned()).collect(),
            is_file: value == Some("FILE"),
            repeats: false,
            help: "isn't [it]: \"quoted\" $(touch x)".into(),
        }
    }

    fn command(
        name: &str,
        arguments: Vec<OutlinedArgument>,
        commands: Vec<OutlinedCommand>,
    ) -> OutlinedCommand {
        let about = "it's `its` about".to_owned();
        OutlinedCommand {
            name: name.into(),
            about,
            usage: name.into(),
            arguments,
            commands,
        }
    }

    fn outline() -> OutlinedCommand {
        let presence = argument(None, Some("PRESENCE"), &["auto", "here", "away"]);
        let pair = command(
            "pair",
            vec![argument(Some("svg"), Some("FILE"), &[])],
            Vec::new(),
        );
        let telegram = command("telegram", Vec::new(), vec![pair]);
        let grant = vec![
            argument(None, Some("ID"), &[]),
            argument(Some("always"), None, &[]),
        ];
        let below = vec![
            command("presence", vec![presence], Vec::new()),
            telegram,
            command("grant", grant, Vec::new()),
        ];
        command("beckon", vec![argument(Some("demo"), None, &[])], below)
    }

    /// Returns what bash offers after these words, the last of which is being typed.
    fn offered(words: &[&str]) -> Vec<String> {
        let line = words
            .iter()
            .map(|word| quoted(word))
            .collect::<Vec<_>>()
            .join(" ");
        let at = words.len() - 1;
        let ask = format!(
            "{}\nbeckon() {{ printf 'que_1  a · waiting\\n  1  Yes\\nper_2  b\\n'; }}\n\
             COMP_WORDS=({line}); COMP_CWORD={at}; _beckon; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
            bash(&outline())
        );
        let output = Command::new("bash").args(["-c", &ask]).output().unwrap();
        assert!(
            output.stderr.is_empty(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        let told = String::from_utf8(output.stdout).unwrap();
        told.lines()
            .filter(|line| !line.is_empty())
            .map(str::to_owned)
            .collect()
    }

    #[test]
    fn bash_completes_commands_flags_values_and_what_waits() {
        assert_eq!(offered(&["beckon", "te"]), ["telegram"]);
        assert_eq!(offered(&["beckon", "telegram", ""]), ["pair"]);
        assert_eq!(offered(&["beckon", "--de"]), ["--demo"]);
        assert_eq!(offered(&["beckon", "presence", "a"]), ["auto", "away"]);
        assert_eq!(offered(&["beckon", "grant", "--a"]), ["--always"]);
        assert_eq!(
            offered(&["beckon", "grant", ""]),
            ["--always", "que_1", "per_2"]
        );
        assert_eq!(
            offered(&["beckon", "telegram", "pair", "--svg", "Cargo.tom"]),
            ["Cargo.toml"]
        );
    }

    #[test]
    fn the_shells_that_are_here_take_their_files() {
        let scripts = [
            ("bash", bash(&outline())),
            ("zsh", zsh(&outline())),
            ("fish", fish(&outline())),
        ];
        for (shell, script) in scripts {
            let Ok(found) = Command::new(shell)
                .arg("-c")
                .arg("true")
                .stdin(Stdio::null())
                .output()
            else {
                println!("{shell} is not installed, its file was not read");
                continue;
            };
            assert!(found.status.success());
            let folder =
                std::env::temp_dir().join(format!("beckon-{shell}-{}", std::process::id()));
            std::fs::write(&folder, &script).unwrap();
            let read = Command::new(shell).arg("-n").arg(&folder).output().unwrap();
            std::fs::remove_file(&folder).unwrap();
            assert!(
                read.status.success() && read.stderr.is_empty(),
                "{shell}: {read:?}\n{script}"
            );
        }
    }
}
