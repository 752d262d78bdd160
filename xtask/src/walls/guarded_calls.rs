//! The doors: calls that may stand in a few files only. Programs are started, and files written, in one
//! place each, which knows what may go wrong with it; every other file that does so has its reason here.

use crate::shape::source::{self, Source};
use anyhow::Result;

/// Calls, and the files in which they may stand.
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
            // Beckon itself, anew: with its secrets, and in its place.
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
            // Tests alone have it: what the pages know of the wire.
            "client/src/wire/bindings.rs",
            // Directories of our own.
            "client/src/platform/private/unix.rs",
            // Our own sockets and the endpoint's file.
            "src-tauri/src/api/address_file.rs",
            "src-tauri/src/api/serving/socket/unix.rs",
            "src-tauri/src/hub/serving/door/unix.rs",
            // Opened for reading, without waiting.
            "src-tauri/src/cli/hook/claude_code/transcript.rs",
            // Locks.
            "src-tauri/src/cli/resident.rs",
            "src-tauri/src/hub/serving.rs",
            // A picture of a code, where its human wants it: also a device.
            "src-tauri/src/cli/telegram/pair.rs",
            // Logs.
            "src-tauri/src/gui/window/main.rs",
            "src-tauri/src/hub/serving/program.rs",
            "src-tauri/src/platform/logs/rolling.rs",
            // Our own, put back as it was.
            "src-tauri/src/hub/membership.rs",
            // Whole files of ours among those of others: gone when they are not wanted.
            "src-tauri/src/integrations/autostart/file.rs",
            "src-tauri/src/sources/opencode/plugin.rs",
            // Empty ones, which say something by being there.
            "src-tauri/src/integrations/claude_code/usage.rs",
            "src-tauri/src/presence/marker.rs",
            "src-tauri/src/presence/marker/linux.rs",
            "src-tauri/src/presence/marker/plain.rs",
            "src-tauri/src/presence/marker/windows.rs",
            // The database.
            "src-tauri/src/store/aside.rs",
            "src-tauri/src/store/opening.rs",
        ],
    },
];

/// Whether it is a call that only few may make: the last two names of its path.
pub(crate) fn is_guarded(call: &str) -> bool {
    DOORS.iter().any(|door| door.calls.contains(&call))
}

/// What stands where it must not, and rows that nobody needs any more.
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
