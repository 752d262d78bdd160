//! A desktop entry in the autostart folder: freedesktop's "Desktop Application Autostart
//! Specification" 0.5, escaped as the "Desktop Entry Specification" 1.5 wants its `Exec`.

use anyhow::{Context, Result};
use beckon_client::platform::failure::SystemFailure;
use std::path::{Path, PathBuf};

pub(super) fn is_on() -> Result<bool> {
    let file = file()?;
    match std::fs::read_to_string(&file) {
        Ok(entry) => Ok(!entry
            .lines()
            .any(|line| turns_off(line) || leads_nowhere(line))),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error).with_context(|| SystemFailure::Read(file)),
    }
}

/// Tells whether a line turns the entry off, by the desktop's own ways.
fn turns_off(line: &str) -> bool {
    let line = line
        .split_once('=')
        .map(|(key, value)| (key.trim(), value.trim()));
    matches!(
        line,
        Some(("Hidden", "true") | ("X-GNOME-Autostart-enabled", "false"))
    )
}

/// Tells whether a line names a program that is gone, removed or moved with its package. A desktop
/// passes such an entry by.
fn leads_nowhere(line: &str) -> bool {
    let program = line.strip_prefix("TryExec=").map(unescaped);
    program.is_some_and(|path| !Path::new(&path).is_file())
}

pub(super) fn turn_on(program: &Path) -> Result<()> {
    super::file::write(&file()?, |there| renewed(there, program))
}

pub(super) fn turn_off() -> Result<()> {
    super::file::remove(&file()?, starts_beckon)
}

/// Returns the entry, with what a person has added to it; `None` if it starts something else.
fn renewed(there: Option<&str>, program: &Path) -> Option<String> {
    let fresh = entry(program);
    let Some(there) = there.filter(|there| !there.trim().is_empty()) else {
        return Some(fresh);
    };
    let ours = |key: &str| fresh.lines().find(|line| line.starts_with(key));
    let lines = there.lines().filter(|line| !turns_off(line));
    let lines = lines.map(|line| {
        let key = ["Exec=", "TryExec="]
            .into_iter()
            .find(|key| line.starts_with(key));
        key.and_then(ours).unwrap_or(line)
    });
    starts_beckon(there).then(|| lines.map(|line| format!("{line}\n")).collect())
}

/// Tells whether the entry starts a Beckon, whichever it is.
fn starts_beckon(entry: &str) -> bool {
    let line = entry.lines().find_map(|line| line.strip_prefix("Exec="));
    let program = line.map(|line| match line.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next().unwrap_or_default(),
        None => line.split_whitespace().next().unwrap_or_default(),
    });
    let name = program.and_then(|program| program.rsplit('/').next());
    name.is_some_and(|name| name.to_lowercase().starts_with("beckon"))
}

fn file() -> Result<PathBuf> {
    // One that is not whole is to be passed over
    // (<https://specifications.freedesktop.org/basedir-spec/latest/#variables>).
    let var = |name: &str| {
        let value = std::env::var_os(name).map(PathBuf::from);
        value.filter(|value| value.is_absolute())
    };
    let config = var("XDG_CONFIG_HOME").or_else(|| Some(var("HOME")?.join(".config")));
    let config = config.ok_or(SystemFailure::NoHome("HOME"))?;
    Ok(config.join("autostart").join("beckon.desktop"))
}

fn entry(program: &Path) -> String {
    let program = program.display().to_string();
    format!(
        "[Desktop Entry]\nType=Application\nName=Beckon\nComment=The answer desk for coding agents\n\
         Exec={}\nTryExec={}\nTerminal=false\n",
        quoted(&program),
        // The value is a string of the specification, not a command line.
        escaped(&program),
    )
}

/// Quotes an argument. Within quotes these characters have a backslash before them. A percent sign
/// begins a field code.
fn quoted(argument: &str) -> String {
    let mut quoted = String::from('"');
    for c in argument.chars() {
        match c {
            '\\' | '"' | '`' | '$' => quoted.extend(['\\', c]),
            '%' => quoted.push_str("%%"),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    escaped(&quoted)
}

/// Escapes a string. A line's end in a path would make another key
/// (<https://github.com/redasgard/hashterm/issues/19>).
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '\\' => escaped.push_str(r"\\"),
            '\n' => escaped.push_str(r"\n"),
            '\r' => escaped.push_str(r"\r"),
            '\t' => escaped.push_str(r"\t"),
            c => escaped.push(c),
        }
    }
    escaped
}

/// Returns the text that was escaped so.
fn unescaped(escaped: &str) -> String {
    let mut text = String::new();
    let mut signs = escaped.chars();
    while let Some(c) = signs.next() {
        let plain = match c {
            '\\' => signs.next(),
            c => {
                text.push(c);
                continue;
            }
        };
        text.extend(plain.map(|c| match c {
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            's' => ' ',
            c => c,
        }));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_that_a_desktop_has_turned_off_is_off() {
        for line in [
            "Hidden=true",
            "Hidden = true",
            "X-GNOME-Autostart-enabled=false",
        ] {
            assert!(turns_off(line), "{line}");
        }
        assert!(!turns_off("Hidden=false") && !entry(Path::new("/x")).lines().any(turns_off));
    }

    #[test]
    fn an_entry_whose_program_is_gone_is_off() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("a \\\\ b\nHidden=true");
        let is_off = || entry(&program).lines().any(leads_nowhere);
        assert!(is_off());
        std::fs::write(&program, "").unwrap();
        assert!(!is_off());
    }

    #[test]
    fn what_a_person_has_added_stays_and_somebody_elses_entry_is_left_alone() {
        let program = Path::new("/new/beckon");
        let theirs = "[Desktop Entry]\n# mine\nExec=\"/old/beckon\"\nTryExec=/old/beckon\nHidden=true\nX-GNOME-Autostart-Delay=10\n";
        let kept = "[Desktop Entry]\n# mine\nExec=\"/new/beckon\"\nTryExec=/new/beckon\nX-GNOME-Autostart-Delay=10\n";
        assert_eq!(renewed(Some(theirs), program).as_deref(), Some(kept));
        assert_eq!(renewed(None, program), Some(entry(program)));
        let another = "[Desktop Entry]\nExec=/opt/other --for beckon\n";
        assert_eq!(renewed(Some(another), program), None);
        assert!(!starts_beckon(another) && starts_beckon(&entry(program)));
        assert!(starts_beckon("Exec=/me/Beckon-0.1.0.AppImage --headless"));
    }

    #[test]
    fn a_path_is_one_argument_whatever_stands_in_it() {
        for (path, exec) in [
            ("/usr/bin/beckon", r#"Exec="/usr/bin/beckon""#),
            (
                "/opt/My Apps/100%/beckon",
                r#"Exec="/opt/My Apps/100%%/beckon""#,
            ),
            (
                "/opt/a\nHidden=true\t/beckon",
                r#"Exec="/opt/a\nHidden=true\t/beckon""#,
            ),
            (
                r#"/opt/a"b$c`d\e/beckon"#,
                r#"Exec="/opt/a\\"b\\$c\\`d\\\\e/beckon""#,
            ),
        ] {
            let entry = entry(Path::new(path));
            assert!(entry.lines().any(|line| line == exec), "{entry}");
        }
    }
}
