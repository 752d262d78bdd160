//! The words for what an agent asks permission for, the same on every surface: titles that name the
//! object, and questions if only the agent's name for the permission is known.
//! `ui/src/answer/names.ts` reads the same texts.

use crate::text::{Texts, Value};
use crate::wire::{Purpose, VerbCode};
use beckon_core::visible::exact;
use beckon_core::{Ask, Entry, mcp_tool};

/// The most objects for which a title has room.
const MOST_OBJECTS: usize = 3;
/// The most characters of a directory: a long one must not push the rest out of a title.
const PROJECT: usize = 24;

/// The permissions that have words of their own: OpenCode's names, and the hook's names for Claude
/// Code's tools.
const NAMES: [&str; 14] = [
    "bash",
    "edit",
    "write",
    "read",
    "webfetch",
    "websearch",
    "external_directory",
    "plan",
    "doom_loop",
    "task",
    "skill",
    "glob",
    "grep",
    "list",
];

/// Says what an ask is about, in a line. A request for permission is said without the agent's own
/// name for it.
pub fn topic(texts: &Texts, entry: &Entry) -> String {
    match entry.purpose() {
        Some(purpose) => {
            let place = place_of(texts, &entry.ask);
            title(texts, &place, &purpose.clone().into())
        }
        None => entry.topic().to_owned(),
    }
}

/// Returns the project, and the machine if it is another one.
pub fn place_of(texts: &Texts, ask: &Ask) -> String {
    place_on(texts, place(ask.session.project()), ask.machine())
}

/// Adds the machine to a place if the agent runs on another one.
pub fn place_on(texts: &Texts, place: String, machine: Option<&str>) -> String {
    let Some(machine) = machine else { return place };
    let project = if place.trim().is_empty() {
        texts.get("title-nobody")
    } else {
        place
    };
    let args = [
        ("project", Value::from(project)),
        ("machine", Value::from(line(machine))),
    ];
    texts.with("place-on", &args)
}

/// Returns a project's name as a title shows it: nothing hidden, on one line, not too long.
pub fn place(project: &str) -> String {
    line(project)
}

fn line(name: &str) -> String {
    let shown = exact(name).text;
    let line = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(PROJECT) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

/// Says what is to be allowed, with the project and the object: `shop-api wants to run npm`. The
/// project is given as it is to be shown.
pub fn title(texts: &Texts, project: &str, purpose: &Purpose) -> String {
    let key = format!(
        "title-{}",
        purpose.verb.known().unwrap_or(VerbCode::Other).word()
    );
    let project = match project.trim() {
        "" => texts.get("title-nobody"),
        project => project.to_owned(),
    };
    let project = Value::from(project);
    match objects(texts, purpose) {
        Some(what) => texts.with(&key, &[("project", project), ("what", Value::from(what))]),
        None => {
            let unknown = format!("{key}-unknown");
            let key = if texts.has(&unknown) { &unknown } else { &key };
            texts.with(key, &[("project", project)])
        }
    }
}

/// Returns the objects in a row: `npm, rm`, or `GitHub: create issue`.
fn objects(texts: &Texts, purpose: &Purpose) -> Option<String> {
    let objects = &purpose.objects;
    if let (Some(VerbCode::Tool), [server, tool]) = (purpose.verb.known(), objects.as_slice()) {
        let args = [
            ("server", Value::from(server.as_str())),
            ("tool", Value::from(tool.as_str())),
        ];
        return Some(texts.with("title-tool-of", &args));
    }
    let shown = objects
        .iter()
        .take(MOST_OBJECTS)
        .filter(|object| !object.is_empty());
    let shown: Vec<&str> = shown.map(String::as_str).collect();
    let said = shown.join(&texts.get("title-comma"));
    match objects.len().saturating_sub(MOST_OBJECTS) {
        0 => Some(said).filter(|said| !said.is_empty()),
        more => {
            let args = [("what", Value::from(said)), ("count", Value::from(more))];
            Some(texts.with("title-more", &args))
        }
    }
}

/// Says the wish as a question: `Run this command?`. The caller cuts the name.
pub fn wish(texts: &Texts, name: &str) -> String {
    if NAMES.contains(&name) {
        return texts.get(&format!("ui-wants-{name}"));
    }
    match mcp_tool(name) {
        Some((server, tool)) => {
            let args = [("server", Value::from(server)), ("tool", Value::from(tool))];
            texts.with("ui-wants-mcp", &args)
        }
        None => texts.with("ui-wants", &[("name", Value::from(name))]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_said_by_every_surface_in_every_language() {
        let window = include_str!("../../../../ui/src/answer/names.ts");
        for texts in ["en", "zh-CN"].map(Texts::load) {
            let listed = window
                .split("KNOWN = [")
                .nth(1)
                .and_then(|rest| rest.split(']').next());
            assert_eq!(
                listed.unwrap().matches(',').count(),
                NAMES.len(),
                "the window has others"
            );
            for name in NAMES {
                assert!(texts.has(&format!("ui-wants-{name}")), "{name}");
                assert!(
                    window.contains(&format!("\"{name}\"")),
                    "the window lacks {name}"
                );
            }
        }
    }

    #[test]
    fn a_title_says_who_wants_what_in_every_language() {
        let running = |command: &str| -> Purpose {
            let command = Some(command.to_owned());
            let permission = beckon_core::Permission {
                permission: "bash".into(),
                command,
                ..beckon_core::Permission::default()
            };
            permission.purpose().into()
        };
        let (english, chinese) = (Texts::load("en"), Texts::load("zh-CN"));
        for (command, title_en, title_zh) in [
            ("npm ci", "shop-api wants to run npm", "shop-api 想运行 npm"),
            (
                "cd x && npm ci && rm -r x",
                "shop-api wants to run npm, rm",
                "shop-api 想运行 npm、rm",
            ),
            (
                "cd ..",
                "shop-api wants to run a command",
                "shop-api 想运行命令",
            ),
        ] {
            assert_eq!(title(&english, "shop-api", &running(command)), title_en);
            assert_eq!(title(&chinese, "shop-api", &running(command)), title_zh);
        }
        let many = title(&english, "shop-api", &running("a; b; c; d; e"));
        assert_eq!(many, "shop-api wants to run a, b, c and 2 more");
        assert_eq!(
            title(&english, "", &running("ls")),
            "An agent wants to run ls"
        );
        assert_eq!(place(&"x".repeat(90)), format!("{}…", "x".repeat(24)));
        assert_eq!(place("a\nb\u{202e}"), "a b⟨U+202E⟩");
    }

    #[test]
    fn every_verb_has_its_titles() {
        for texts in ["en", "zh-CN"].map(Texts::load) {
            for verb in VerbCode::ALL {
                let key = format!("title-{}", verb.word());
                assert!(texts.has(&key), "{key}");
                let names = texts.with(&key, &[("what", "@".into())]).contains('@');
                assert_eq!(
                    names,
                    texts.has(&format!("{key}-unknown")) || verb == VerbCode::Tool,
                    "{key}"
                );
            }
        }
    }

    #[test]
    fn what_nobody_knows_keeps_its_own_name() {
        let texts = Texts::load("en");
        assert_eq!(wish(&texts, "plan"), "Start with this plan?");
        assert_eq!(
            wish(&texts, "mcp__mail__send_all"),
            "Use “send_all” of mail?"
        );
        // Texts of that name are about something else.
        for name in ["confirm", "mcp", "mcp__", "mcp____", "of_tomorrow", ""] {
            assert_eq!(wish(&texts, name), format!("Allow “{name}”?"));
        }
    }
}
