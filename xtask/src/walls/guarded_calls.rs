//! The calls that are allowed in a few files only. Programs are started, and files written, in one
//! place each, which knows what may go wrong with that; every other file that does so has its
//! reason here.

use crate::shape::source::{self, Source};
use anyhow::Result;

/// A set of calls, and the files that may make them.
struct Door {
    what: &'static str,
    calls: &'static [&'static str],
    files: &'static [&'static str],
}

const DOORS: &[Door] = &[
    Door {
        what: "start programs: client/src/platform/children.rs does",
        calls: &["Command::new", "StdCommand::new"],
        files: &[
            "client/src/platform/children.rs",
            // Starts Beckon itself anew, with its secrets, in its own place.
            "src-tauri/src/platform/fault.rs",
            "src-tauri/src/platform/fault/linux.rs",
        ],
    },
    Door {
        what: "write, open for writing or remove files: client/src/platform/foreign.rs does for those of \
               others, client/src/platform/paths.rs for our own",
        calls: &[
            "File::create",
            "File::create_new",
            "File::options",
            "OpenOptions::new",
            "fs::copy",
            "fs::hard_link",
            "fs::remove_dir_all",
            "fs::remove_file",
            "fs::rename",
            "fs::set_permissions",
            "fs::symlink",
            "fs::write",
        ],
        files: &[
            "client/src/platform/foreign.rs",
            "client/src/platform/paths.rs",
            // Only in tests: writes the pages' types of the wire.
            "client/src/wire/bindings.rs",
            // Makes our own directories.
            "client/src/platform/private/unix.rs",
            // Makes our own sockets and the endpoint's file.
            "src-tauri/src/api/address_file.rs",
            "src-tauri/src/api/serving/socket/unix.rs",
            "src-tauri/src/hub/serving/door/unix.rs",
            // Opens a file for reading, without waiting.
            "src-tauri/src/cli/hook/claude_code/transcript.rs",
            // Makes lock files.
            "src-tauri/src/cli/resident/home_lock.rs",
            "src-tauri/src/hub/serving.rs",
            // Writes the picture of a code to where its human wants it, which may be a device.
            "src-tauri/src/cli/telegram/pair.rs",
            // Writes logs.
            "src-tauri/src/gui/window/main.rs",
            "src-tauri/src/hub/serving/program.rs",
            "src-tauri/src/platform/logs/rolling.rs",
            // Restores our own file as it was.
            "src-tauri/src/hub/membership.rs",
            // Writes and removes whole files of ours among those of others.
            "src-tauri/src/integrations/autostart/file.rs",
            "src-tauri/src/sources/opencode/plugin.rs",
            // Makes empty files whose presence is the message.
            "src-tauri/src/integrations/claude_code/usage.rs",
            "src-tauri/src/presence/marker.rs",
            "src-tauri/src/presence/marker/linux.rs",
            "src-tauri/src/presence/marker/plain.rs",
            "src-tauri/src/presence/marker/windows.rs",
            // Handles the database.
            "src-tauri/src/store/aside.rs",
            "src-tauri/src/store/opening.rs",
        ],
    },
];

/// Tells whether a call is allowed in a few files only, by the last two names of its path.
pub(crate) fn is_guarded(call: &str) -> bool {
    DOORS.iter().any(|door| door.calls.contains(&call))
}

/// Returns the calls in files that must not make them, and the rows that are not needed any more.
pub(super) fn objections() -> Result<Vec<String>> {
    let sources = source::all()?;
    Ok(DOORS
        .iter()
        .flat_map(|door| door.objections(&sources))
        .collect())
}

impl Door {
    fn objections(&self, sources: &[Source]) -> Vec<String> {
        let users: Vec<&Source> = sources
            .iter()
            .filter(|source| self.is_used_in(source))
            .collect();
        let outside = users
            .iter()
            .filter(|source| !self.files.contains(&source.path.as_str()));
        let outside = outside.map(|source| format!("{} must not {}", source.path, self.what));
        let unused = self
            .files
            .iter()
            .filter(|file| users.iter().all(|source| source.path != **file));
        let unused =
            unused.map(|file| format!("{file} may do what it no longer does: {:?}", self.calls));
        outside.chain(unused).collect()
    }

    fn is_used_in(&self, source: &Source) -> bool {
        source
            .guarded
            .iter()
            .any(|call| self.calls.contains(&call.as_str()))
    }
}
