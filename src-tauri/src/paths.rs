//! Where Beckon's files live: all below `BECKON_HOME` when that is set, else in the system's usual
//! directories.

use crate::failed::Failed;
use crate::private;
use anyhow::{Context, Result, ensure};
use std::path::{Path, PathBuf};

/// The places of one Beckon.
#[derive(Clone, Debug)]
pub struct Paths {
    /// `config.toml`.
    pub config: PathBuf,
    /// `beckon.db`.
    pub database: PathBuf,
    /// `logs/`.
    pub logs: PathBuf,
    /// `run/endpoint.json`.
    pub endpoint: PathBuf,
}

impl Paths {
    /// The places that the environment asks for.
    ///
    /// # Errors
    /// When there is no home directory to derive them from.
    pub fn from_env() -> Result<Self> {
        match std::env::var_os("BECKON_HOME").filter(|home| !home.is_empty()) {
            Some(home) => Ok(Self::below(Path::new(&home))),
            None => Self::usual(),
        }
    }

    /// Where the database lies.
    pub fn home(&self) -> &Path {
        self.database.parent().unwrap_or(Path::new("."))
    }

    /// `run/`, which is the owner's alone.
    pub fn run(&self) -> &Path {
        self.endpoint.parent().unwrap_or(Path::new("."))
    }

    /// All below one directory.
    pub fn below(home: &Path) -> Self {
        Self {
            config: home.join("config.toml"),
            database: home.join("beckon.db"),
            logs: home.join("logs"),
            endpoint: home.join("run").join("endpoint.json"),
        }
    }

    fn usual() -> Result<Self> {
        let config = base("XDG_CONFIG_HOME", "APPDATA", ".config", "Library/Application Support")?;
        let state =
            base("XDG_STATE_HOME", "LOCALAPPDATA", ".local/state", "Library/Application Support")?;
        let mut paths = Self::below(&state);
        paths.config = config.join("config.toml");
        Ok(paths)
    }

    /// Makes the directories, readable by their owner only.
    ///
    /// # Errors
    /// When the file system refuses.
    pub fn create(&self) -> Result<()> {
        let files = [&self.config, &self.database, &self.endpoint].map(|file| file.parent());
        for dir in files.into_iter().flatten().chain([self.logs.as_path()]) {
            private::create(dir).with_context(|| Failed::Create(dir.into()))?;
        }
        self.close_run()
    }

    /// What lies in `run/` is trusted. One that was made with other rights is taken from the others.
    fn close_run(&self) -> Result<()> {
        let run = self.run();
        let failed = || Failed::Create(run.into());
        private::close(run).with_context(failed)?;
        ensure!(private::is_private(run).with_context(failed)?, Failed::Exposed(run.into()));
        Ok(())
    }
}

fn base(xdg: &str, windows: &'static str, unix: &str, mac: &str) -> Result<PathBuf> {
    let var = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    let home = || var("HOME").ok_or(Failed::NoHome("HOME"));
    let dir = if cfg!(windows) {
        var(windows).ok_or(Failed::NoHome(windows))?
    } else if cfg!(target_os = "macos") {
        home()?.join(mac)
    } else {
        match var(xdg) {
            Some(dir) => dir,
            None => home()?.join(unix),
        }
    };
    Ok(dir.join("beckon"))
}

/// Writes a file that only its owner can read, in one step: readers see the old one or the new.
///
/// # Errors
/// When the file system refuses.
pub fn write_private(path: &Path, content: &[u8]) -> Result<()> {
    let draft = path.with_extension("new");
    let write = || -> std::io::Result<()> {
        use std::io::Write;
        let mut options = std::fs::OpenOptions::new();
        options.write(true).create(true).truncate(true);
        #[cfg(unix)]
        {
            use std::os::unix::fs::OpenOptionsExt;
            options.mode(0o600);
        }
        options.open(&draft)?.write_all(content)?;
        std::fs::rename(&draft, path)
    };
    write().with_context(|| Failed::Write(path.into()))
}
