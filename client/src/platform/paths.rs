//! The paths of Beckon's files: all are below `BECKON_HOME` if that is set, otherwise in the
//! system's usual directories.

use crate::platform::failure::SystemFailure;
use crate::platform::private;
use anyhow::{Context, Result, ensure};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// The paths of the files of one Beckon.
#[derive(Clone, Debug)]
pub struct Paths {
    /// The path of `config.toml`.
    pub config: PathBuf,
    /// The path of `beckon.db`.
    pub database: PathBuf,
    /// The path of `logs/`.
    pub logs: PathBuf,
    /// The path of `run/endpoint.json`.
    pub endpoint: PathBuf,
}

impl Paths {
    /// Returns the paths that the environment asks for.
    ///
    /// # Errors
    /// When there is no home directory to derive them from.
    pub fn from_env() -> Result<Self> {
        match std::env::var_os("BECKON_HOME").filter(|home| !home.is_empty()) {
            Some(home) => Ok(Self::below(whole("BECKON_HOME", Path::new(&home))?)),
            None => Self::usual(),
        }
    }

    /// Returns the directory of the database.
    pub fn home(&self) -> &Path {
        self.database.parent().unwrap_or(Path::new("."))
    }

    /// Returns `run/`, which only its owner may use.
    pub fn run(&self) -> &Path {
        self.endpoint.parent().unwrap_or(Path::new("."))
    }

    /// Returns the paths of a Beckon with all of its files below one directory.
    pub fn below(home: &Path) -> Self {
        Self {
            config: home.join("config.toml"),
            database: home.join("beckon.db"),
            logs: home.join("logs"),
            endpoint: home.join("run").join("endpoint.json"),
        }
    }

    fn usual() -> Result<Self> {
        let config = base(
            "XDG_CONFIG_HOME",
            "APPDATA",
            ".config",
            "Library/Application Support",
        )?;
        let state = base(
            "XDG_STATE_HOME",
            "LOCALAPPDATA",
            ".local/state",
            "Library/Application Support",
        )?;
        let mut paths = Self::below(&state);
        paths.config = config.join("config.toml");
        Ok(paths)
    }

    /// Makes the directories, readable by their owner only.
    ///
    /// # Errors
    /// When the file system refuses.
    pub fn create(&self) -> Result<()> {
        for dir in self.directories() {
            private::create(dir).with_context(|| SystemFailure::NoPlace(dir.into()))?;
            own(dir)?;
        }
        self.close_run()
    }

    /// Returns the first of the directories that can't be made or written to, as in a home that
    /// isn't ours.
    pub fn first_out_of_reach(&self) -> Option<&Path> {
        self.directories().find(|dir| !private::may_create(dir))
    }

    fn directories(&self) -> impl Iterator<Item = &Path> {
        let files = [&self.config, &self.database, &self.endpoint].map(|file| file.parent());
        files.into_iter().flatten().chain([self.logs.as_path()])
    }

    /// Closes `run/` to others, as what is in it is trusted. A directory that was made with other
    /// rights is taken from the others.
    fn close_run(&self) -> Result<()> {
        let run = self.run();
        let failed = || SystemFailure::Create(run.into());
        private::close(run).with_context(failed)?;
        ensure!(
            private::is_private(run).with_context(failed)?,
            SystemFailure::Exposed(run.into())
        );
        Ok(())
    }
}

/// Makes sure that nobody else may write to that directory. Settings, database and logs are trusted
/// as well: whoever may replace them decides who answers. In a directory that was there before,
/// others may read, not write.
fn own(dir: &Path) -> Result<()> {
    let failed = || SystemFailure::Create(dir.into());
    // If the file system knows no rights, or refuses, only the check that follows counts.
    let _ = private::keep_to_ourselves(dir);
    ensure!(
        private::is_ours_to_write(dir).with_context(failed)?,
        SystemFailure::Exposed(dir.into())
    );
    Ok(())
}

/// Returns the path if it is absolute. A relative one would mean another place in each directory,
/// and a hook would trust what is in an agent's directory.
fn whole<'a>(variable: &'static str, path: &'a Path) -> Result<&'a Path> {
    ensure!(path.is_absolute(), SystemFailure::NotWhole(variable));
    Ok(path)
}

fn base(xdg: &str, windows: &'static str, unix: &str, mac: &str) -> Result<PathBuf> {
    let var = |name: &str| {
        std::env::var_os(name)
            .filter(|v| !v.is_empty())
            .map(PathBuf::from)
    };
    let home = || var("HOME").ok_or(SystemFailure::NoHome("HOME"));
    let dir = if cfg!(windows) {
        var(windows).ok_or(SystemFailure::NoHome(windows))?
    } else if cfg!(target_os = "macos") {
        home()?.join(mac)
    } else {
        // A relative path is to be passed over
        // (<https://specifications.freedesktop.org/basedir-spec/latest/#variables>).
        match var(xdg).filter(|dir| dir.is_absolute()) {
            Some(dir) => dir,
            None => whole("HOME", &home()?)?.join(unix),
        }
    };
    Ok(dir.join("beckon"))
}

/// Writes a file that only its owner can read, in one step: readers see the old content or the new,
/// also after a power cut. Several writers at once do not get into each other's draft.
///
/// # Errors
/// When the file system refuses; the old file stands then.
pub fn write_private(path: &Path, content: &[u8]) -> Result<()> {
    let draft = draft_of(path);
    let written = write_new(&draft, content).and_then(|()| std::fs::rename(&draft, path));
    if written.is_err() {
        let _ = std::fs::remove_file(&draft);
    }
    written
        .and_then(|()| sync_directory_of(path))
        .with_context(|| SystemFailure::Write(path.into()))
}

/// Returns a name for a draft beside the file, which no other writer uses.
fn draft_of(path: &Path) -> PathBuf {
    static DRAFTS: AtomicU32 = AtomicU32::new(0);
    let number = DRAFTS.fetch_add(1, Ordering::Relaxed);
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{}-{number}.new", std::process::id()));
    name.into()
}

/// Writes a new file through to the disk. If a rename reached the disk before the bytes, the file
/// would be empty.
fn write_new(path: &Path, content: &[u8]) -> std::io::Result<()> {
    use std::io::Write;
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    let mut file = options.open(path)?;
    file.write_all(content)?;
    file.sync_all()
}

/// Writes the directory of that file through to the disk: a new name is on the disk only when its
/// directory is. On other systems than Unix a directory cannot be opened, but the file system has a
/// journal of names.
///
/// # Errors
/// When the file system refuses.
pub fn sync_directory_of(path: &Path) -> std::io::Result<()> {
    match path.parent() {
        Some(directory) if cfg!(unix) => std::fs::File::open(directory)?.sync_all(),
        _ => Ok(()),
    }
}

/// Returns the path of another one of Beckon's programs: all are in one directory.
///
/// # Errors
/// When the system does not say where this program lies.
pub fn beside_us(name: &str) -> Result<PathBuf> {
    let own = std::env::current_exe().context("Failed to find out where Beckon lies")?;
    Ok(own.with_file_name(format!("{name}{}", std::env::consts::EXE_SUFFIX)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writers_at_once_leave_one_whole_file_and_nothing_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("endpoint.json");
        std::thread::scope(|scope| {
            for writer in 0..8_u8 {
                let path = &path;
                scope.spawn(move || {
                    for _ in 0..20 {
                        write_private(path, &vec![writer; 10_000]).unwrap();
                        let read = std::fs::read(path).unwrap();
                        assert!(read.len() == 10_000 && read.iter().all(|b| *b == read[0]));
                    }
                });
            }
        });
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_file_that_cannot_be_written_leaves_no_draft() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("taken");
        std::fs::create_dir_all(path.join("by a directory")).unwrap();
        assert!(write_private(&path, b"no").is_err());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_home_that_cannot_be_made_is_out_of_reach_and_one_that_can_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a file");
        std::fs::write(&file, "").unwrap();
        let (good, bad) = (folder.path().join("not yet/home"), file.join("home"));
        assert_eq!(Paths::below(&good).first_out_of_reach(), None);
        assert!(!good.exists(), "looking makes nothing");
        let bad_paths = Paths::below(&bad);
        assert_eq!(
            bad_paths.first_out_of_reach(),
            cfg!(unix).then_some(bad.as_path())
        );
        let failure = bad_paths.create().unwrap_err();
        assert!(matches!(failure.downcast_ref(), Some(SystemFailure::NoPlace(dir)) if *dir == bad));
    }
}
