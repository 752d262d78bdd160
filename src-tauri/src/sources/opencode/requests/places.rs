//! The paths of the files of a change, as a person in the session's folder reads them. OpenCode
//! names files from the root of the repository, or, where there is none, from the root of the disk
//! and without its slash. It also gives each file's whole path, and the two names tell the root
//! (measured on 1.1.53 and 1.18.33).
//!
//! Not here: what becomes of each file (`arguments.rs`), and what is dangerous about it (core's
//! `risk`).

use crate::sources::opencode::wire::lenient;
use beckon_core::{FileChange, Permission};
use serde_json::Value;

/// A file with both names: the whole path and the short one.
struct NamedFile {
    whole: String,
    relative: String,
}

/// Names the files of an edit as they are seen from the session's folder: below it by a relative
/// path, elsewhere by the whole path. Notes the repository's root if that is above the folder.
pub(in crate::sources::opencode) fn name_from_session<'a>(
    permission: &mut Permission,
    metadata: impl Fn(&str) -> Option<&'a Value>,
    directory: &str,
) {
    let known = files(permission, metadata);
    let place = |name: &str| {
        if is_whole(name) {
            return below(name, directory);
        }
        let listed = known.iter().find(|file| file.relative == name);
        let whole = match (listed, root(&known)) {
            (Some(file), _) => file.whole.clone(),
            (None, Some(root)) => join(&root, name),
            (None, None) => return name.to_owned(),
        };
        below(&whole, directory)
    };
    for pattern in &mut permission.patterns {
        *pattern = place(pattern);
    }
    for change in &mut permission.files {
        match change {
            FileChange::Add(path) | FileChange::Update(path) | FileChange::Delete(path) => {
                *path = place(path);
            }
            FileChange::Move { from, to } => {
                *from = place(from);
                *to = place(to);
            }
        }
    }

    let root = root(&known).unwrap_or_default();
    let is_above =
        !root.is_empty() && rest_below(directory, &root).is_some_and(|it| !it.is_empty());
    if is_above {
        permission.root = root;
    }
}

/// Returns the files that have both names: the one of an edit, or all of a patch.
fn files<'a>(
    permission: &Permission,
    metadata: impl Fn(&str) -> Option<&'a Value>,
) -> Vec<NamedFile> {
    let one = match permission.patterns.as_slice() {
        [pattern] => metadata("filepath")
            .map(lenient::text)
            .map(|whole| NamedFile {
                whole,
                relative: pattern.clone(),
            }),
        _ => None,
    };
    let listed = metadata("files").and_then(Value::as_array);
    let of_patch = listed.into_iter().flatten().filter_map(|file| {
        let text = |name: &str| file.get(name).map(lenient::text);
        // The short name of a moved file is that of its new place.
        let whole = text("movePath").or_else(|| text("filePath"))?;
        let relative = text("relativePath")?;
        Some(NamedFile { whole, relative })
    });
    let named = one.into_iter().chain(of_patch);
    named.filter(|file| is_whole(&file.whole)).collect()
}

/// Returns the folder that the short names start from; empty for the root of a disk.
fn root(files: &[NamedFile]) -> Option<String> {
    files.iter().find_map(|file| {
        let whole = slashed(&file.whole);
        let rest = whole.strip_suffix(&slashed(&file.relative))?;
        rest.strip_suffix('/').map(str::to_owned)
    })
}

fn join(root: &str, name: &str) -> String {
    let mut parts: Vec<&str> = root.split('/').collect();
    let name = slashed(name);
    for part in name.split('/') {
        match part {
            "." => {}
            ".." if parts.len() > 1 => _ = parts.pop(),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// Returns a whole path as it is seen from that folder.
fn below(path: &str, directory: &str) -> String {
    match rest_below(path, directory) {
        Some(rest) if !rest.is_empty() => rest,
        _ => path.to_owned(),
    }
}

fn rest_below(path: &str, directory: &str) -> Option<String> {
    let directory = slashed(directory);
    let directory = directory.trim_end_matches('/');
    let path = slashed(path);
    let rest = path
        .strip_prefix(directory)
        .filter(|_| !directory.is_empty())?;
    if rest.is_empty() {
        return Some(String::new());
    }
    rest.strip_prefix('/').map(str::to_owned)
}

fn is_whole(path: &str) -> bool {
    let path = slashed(path);
    path.starts_with('/') || path.as_bytes().get(1..3) == Some(b":/")
}

fn slashed(path: &str) -> String {
    path.replace('\\', "/")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn named(patterns: &[&str], metadata: Value, directory: &str) -> Permission {
        let mut permission = Permission {
            permission: "edit".into(),
            patterns: patterns.iter().map(|&pattern| pattern.into()).collect(),
            ..Permission::default()
        };
        permission.files =
            super::super::arguments::files(metadata.get("files"), &permission.patterns);
        name_from_session(&mut permission, |name| metadata.get(name), directory);
        permission
    }

    fn edit(pattern: &str, file: &str, directory: &str) -> Permission {
        named(&[pattern], json!({ "filepath": file }), directory)
    }

    #[test]
    fn without_a_repository_a_path_gets_its_slash_back_or_is_seen_from_its_folder() {
        let outside = edit("etc/hosts", "/etc/hosts", "/home/me/notes");
        assert_eq!(outside.patterns, ["/etc/hosts"]);
        assert!(!outside.risks("/home/me/notes").is_empty());
        let inside = edit(
            "home/me/notes/a/b.txt",
            "/home/me/notes/a/b.txt",
            "/home/me/notes",
        );
        assert_eq!(inside.patterns, ["a/b.txt"]);
        assert!(inside.risks("/home/me/notes").is_empty());
        assert_eq!(inside.root, "");
    }

    #[test]
    fn below_a_repositorys_root_a_path_is_seen_from_the_sessions_folder() {
        let same_name = edit("b.txt", "/repo/b.txt", "/repo/sub");
        assert_eq!(same_name.patterns, ["/repo/b.txt"]);
        assert!(
            same_name.risks("/repo/sub").is_empty(),
            "it is in the project"
        );
        let here = edit("sub/b.txt", "/repo/sub/b.txt", "/repo/sub");
        assert_eq!(here.patterns, ["b.txt"]);
        let out = edit("../other/b.txt", "/other/b.txt", "/repo/sub");
        assert_eq!(out.patterns, ["/other/b.txt"]);
        assert!(!out.risks("/repo/sub").is_empty());
    }

    #[test]
    fn each_file_of_a_patch_is_named_so() {
        let metadata = json!({ "filepath": "a.txt, sub/c.txt, ../x.txt", "files": [
            { "filePath": "/repo/a.txt", "relativePath": "a.txt", "type": "delete" },
            { "filePath": "/repo/b.txt", "relativePath": "sub/c.txt", "type": "move",
              "movePath": "/repo/sub/c.txt" },
            { "filePath": "/x.txt", "relativePath": "../x.txt", "type": "add" },
        ] });
        let patch = named(&["a.txt", "sub/c.txt", "../x.txt"], metadata, "/repo/sub");
        assert_eq!(patch.patterns, ["/repo/a.txt", "c.txt", "/x.txt"]);
        let lines: Vec<String> = patch.files.iter().map(FileChange::line).collect();
        assert_eq!(
            lines,
            [
                "delete: /repo/a.txt",
                "move: /repo/b.txt → c.txt",
                "add: /x.txt"
            ]
        );
    }

    #[test]
    fn what_is_named_in_one_way_only_stays_as_it_came() {
        for metadata in [
            json!({}),
            json!({ "filepath": "a.txt" }),
            json!({ "files": [{}, 7] }),
        ] {
            let strange = named(&["src/a.txt", "*"], metadata, "/repo");
            assert_eq!(strange.patterns, ["src/a.txt", "*"]);
        }
        let windows = edit(r"sub\b.txt", r"C:\repo\sub\b.txt", r"C:\repo\sub");
        assert_eq!(windows.patterns, ["b.txt"]);
    }
}
