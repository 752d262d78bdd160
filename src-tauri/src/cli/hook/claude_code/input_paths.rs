//! The paths in a tool's input, in one form: Claude Code tells its hooks whole paths, and writes down
//! in its transcript what the model wrote, such as `~/notes.md` or `../a.rs`.
//!
//! Not here: what else makes two calls equal (`ids.rs`). Nothing is asked of the disk, so a link in a
//! path stays one.

use serde_json::Value;

/// The keys of Claude Code's own tools that hold a path.
const KEYS: [&str; 3] = ["file_path", "notebook_path", "path"];
/// The beginning of the names of other programs' tools. Claude Code leaves their input as it is.
const OTHERS: &str = "mcp__";

/// The folders that a path may start from.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PathOrigins<'a> {
    /// The folder in which Claude Code works.
    pub(super) directory: &'a str,
    /// The home folder of the user for whom Claude Code runs.
    pub(super) home: &'a str,
}

/// Returns the folder of the user for whom Claude Code and its hooks run; empty where none is known.
pub(super) fn home() -> String {
    std::env::var("HOME").unwrap_or_default()
}

impl PathOrigins<'_> {
    /// Returns the input of a tool with whole paths, each in its shortest form.
    pub(super) fn whole(self, tool: &str, input: &Value) -> Value {
        let mut whole = input.clone();
        if tool.starts_with(OTHERS) {
            return whole;
        }
        for key in KEYS {
            if let Some(Value::String(path)) = whole.get_mut(key) {
                *path = self.whole_path(path);
            }
        }
        whole
    }

    fn whole_path(self, path: &str) -> String {
        let path = path.trim();
        if cfg!(windows) {
            return path.to_owned();
        }
        let from_home = path.strip_prefix('~').filter(|rest| begins_anew(rest));
        match from_home {
            Some(rest) if !self.home.is_empty() => shortest(&[self.home, rest]),
            _ if path.starts_with('/') => shortest(&[path]),
            _ if self.directory.is_empty() => path.to_owned(),
            _ => shortest(&[self.directory, path]),
        }
    }
}

fn begins_anew(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with('/')
}

/// Returns the path of these parts without `.`, `..` and doubled slashes.
fn shortest(parts: &[&str]) -> String {
    let mut steps: Vec<&str> = Vec::new();
    for step in parts.iter().flat_map(|part| part.split('/')) {
        match step {
            "" | "." => {}
            ".." => _ = steps.pop(),
            step => steps.push(step),
        }
    }
    format!("/{}", steps.join("/"))
}

#[cfg(all(test, not(windows)))]
mod tests {
    use super::*;
    use serde_json::json;

    const ORIGINS: PathOrigins<'_> = PathOrigins {
        directory: "/work/app",
        home: "/home/ada",
    };

    #[test]
    fn a_path_is_the_same_however_the_model_writes_it() {
        for (written, whole) in [
            ("~/../outside/a.txt", "/home/outside/a.txt"),
            ("~", "/home/ada"),
            ("../b.rs", "/work/b.rs"),
            ("src/./c.rs", "/work/app/src/c.rs"),
            (" /etc//hosts ", "/etc/hosts"),
            ("/../..", "/"),
            ("~ada/x", "/work/app/~ada/x"),
            ("", "/work/app"),
        ] {
            let input = json!({ "file_path": written, "content": "~/x" });
            let expected = json!({ "file_path": whole, "content": "~/x" });
            assert_eq!(ORIGINS.whole("Write", &input), expected, "{written}");
        }
    }

    #[test]
    fn what_is_no_path_or_another_programs_stays() {
        for input in [json!({ "path": 7 }), json!(null), json!(["~/x"])] {
            assert_eq!(ORIGINS.whole("Read", &input), input);
        }
        let theirs = json!({ "path": "~/x" });
        assert_eq!(ORIGINS.whole("mcp__files__read", &theirs), theirs);
        let nowhere = PathOrigins::default();
        assert_eq!(nowhere.whole("Read", &theirs), theirs);
    }
}
