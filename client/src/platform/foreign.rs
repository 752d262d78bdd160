//! The reading and changing of other programs' files: settings of agents, desktop entries, a
//! person's own configuration. They are read with a limit. One writer changes their text, and
//! leaves everything else about them as it was.
//!
//! Not here: the changes themselves, and Beckon's own files (`paths.rs`).

#[cfg_attr(unix, path = "foreign/unix.rs")]
#[cfg_attr(not(unix), path = "foreign/windows.rs")]
mod platform;

use crate::platform::failure::SystemFailure;
use crate::platform::paths::sync_directory_of;
use anyhow::{Context, Result};
use std::fs::{File, OpenOptions};
use std::io::{Error, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

/// The largest file that is read, in bytes. No settings that a person writes come near it.
pub const LARGEST: u64 = 4 * 1024 * 1024;
/// The most links in a row that are followed, as on Linux (path_resolution(7)).
const MOST_LINKS: usize = 40;
/// The most attempts to change a file. One that changes each time meanwhile is some program's log.
const MOST_TRIES: usize = 5;
/// The most names that are tried for a draft. A taken name is an accident, or somebody who guesses
/// names.
const MOST_NAMES: usize = 16;

/// Reads a file of another program; `None` if there is none.
///
/// # Errors
/// When it cannot be read, is no plain file (a named pipe would be waited for without end), or is
/// larger than [`LARGEST`].
pub fn read(path: &Path) -> std::io::Result<Option<Vec<u8>>> {
    let file = match platform::open_at_once(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        opened => opened?,
    };
    let found = file.metadata()?;
    if !found.is_file() {
        return Err(Error::new(ErrorKind::InvalidInput, "it is no plain file"));
    }

    // The file may grow while it is read.
    let mut content = Vec::new();
    file.take(LARGEST + 1).read_to_end(&mut content)?;
    let is_whole = u64::try_from(content.len()).is_ok_and(|read| read <= LARGEST);
    if is_whole {
        Ok(Some(content))
    } else {
        Err(Error::new(ErrorKind::FileTooLarge, "it is too large"))
    }
}

/// Changes a file of another program, or makes it. `edit` gets the present content (`None`: no
/// file), and returns the new content (`None`: it stays as it is). Returns whether anything was
/// written.
///
/// - Mode, owner, group and access list stay; a file that is made is its owner's alone.
/// - A link stays a link, and the file behind it is changed. It is made where only it is missing.
/// - Readers see the old text or the new one, also after a power cut.
/// - What somebody else writes meanwhile is not lost: `edit` is asked again.
/// - On failure the file is as before, and nothing lies beside it.
///
/// # Errors
/// When `edit` refuses, or the file system does; when the file is write-protected, or its owner
/// cannot be kept.
pub fn change(
    path: &Path,
    mut edit: impl FnMut(Option<&[u8]>) -> Result<Option<Vec<u8>>>,
) -> Result<bool> {
    let file = behind_links(path).with_context(|| SystemFailure::Write(path.into()))?;
    for _ in 0..MOST_TRIES {
        let before = read(&file).with_context(|| SystemFailure::Read(file.clone()))?;
        let Some(after) = edit(before.as_deref())? else {
            return Ok(false);
        };
        let written = replace(&file, before.as_deref(), &after);
        if written.with_context(|| SystemFailure::Write(file.clone()))? {
            return Ok(true);
        }
    }
    Err(Error::other("it changes all the time")).with_context(|| SystemFailure::Write(file))
}

/// Returns the file that a path leads to. Its name is needed also if the file is missing, so links
/// are followed by hand. A link into a missing folder leads nowhere.
///
/// # Errors
/// When the links lead nowhere, or in a circle.
pub fn behind_links(path: &Path) -> std::io::Result<PathBuf> {
    let mut file = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(target) = std::fs::read_link(&file) else {
            return Ok(file);
        };
        let folder = file.parent().unwrap_or(Path::new("."));
        file = folder.join(target);
        let leads_somewhere = file.parent().is_some_and(Path::is_dir);
        if !leads_somewhere {
            let nowhere = format!(
                "it is a link to {}, and that folder is missing",
                file.display()
            );
            return Err(Error::new(ErrorKind::NotFound, nowhere));
        }
    }
    Err(Error::other("its links lead in a circle"))
}

/// Writes a draft beside the file, and renames it to the file. Returns `false`, and has changed
/// nothing, if the file is not as it was read.
fn replace(file: &Path, before: Option<&[u8]>, after: &[u8]) -> std::io::Result<bool> {
    match before {
        Some(_) => platform::check_writable(file)?,
        None => std::fs::create_dir_all(file.parent().unwrap_or(file))?,
    }
    let (mut draft, name) = Draft::beside(file)?;
    draft.write_all(after)?;
    if before.is_some() {
        platform::make_like(&draft, file)?;
    }
    draft.sync_all()?;
    drop(draft);

    if read(file)?.as_deref() != before {
        return Ok(false);
    }
    name.take_place_of(file)?;
    sync_directory_of(file)?;
    Ok(true)
}

/// The draft of a new content. Its file is removed when this is dropped, unless it has taken the
/// place of the old file.
struct Draft(Option<PathBuf>);

impl Draft {
    /// Makes a draft that nobody else can read. A name that exists already, also as a link, is
    /// never used.
    fn beside(file: &Path) -> std::io::Result<(File, Self)> {
        for _ in 0..MOST_NAMES {
            let mut name = file.as_os_str().to_owned();
            name.push(format!(".beckon-{:08x}", rand::random::<u32>()));
            let name = PathBuf::from(name);
            let mut options = OpenOptions::new();
            options.write(true).create_new(true);
            platform::keep_private(&mut options);
            match options.open(&name) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                opened => return opened.map(|draft| (draft, Self(Some(name)))),
            }
        }
        Err(ErrorKind::AlreadyExists.into())
    }

    fn take_place_of(mut self, file: &Path) -> std::io::Result<()> {
        let name = self.0.take();
        let renamed = name
            .as_ref()
            .map_or(Ok(()), |name| std::fs::rename(name, file));
        if renamed.is_err() {
            self.0 = name;
        }
        renamed
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if let Some(name) = &self.0 {
            let _ = std::fs::remove_file(name);
        }
    }
}

#[cfg(test)]
mod tests;
