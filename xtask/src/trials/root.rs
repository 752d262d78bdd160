//! A Debian 12 that never saw Beckon: a folder, entered with processes, mounts and a loopback of
//! its own. Dropping it ends everything in it.

use super::{empty_folder, told};
use crate::shell;
use anyhow::{Context, Result, bail};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// The packages of a developer's desktop: a display, a bus, a notification daemon, a program that
/// heeds the autostart folder, git. Whatever else Beckon needs is left out: its package has to ask
/// for it.
const DESKTOP: &str = "ca-certificates,xvfb,dbus,dunst,dex,x11-utils,man-db,bash-completion,git";
const SOURCES: [&str; 3] = [
    "deb http://deb.debian.org/debian bookworm main",
    "deb http://deb.debian.org/debian bookworm-updates main",
    "deb http://deb.debian.org/debian-security bookworm-security main",
];
/// The user of the system.
const USER: &str = "ann";

/// A fresh Debian.
pub(super) struct DebianRoot {
    folder: PathBuf,
    keeper: Child,
    first_process: u32,
}

impl DebianRoot {
    /// Makes a fresh Debian with a user in it.
    pub(super) fn fresh(name: &str) -> Result<Self> {
        let folder = empty_folder(name)?;
        let base = base()?;
        shell::execute(
            shell::command("tar", &["-xf"])
                .arg(&base)
                .arg("-C")
                .arg(&folder),
        )?;
        fs::copy("/etc/resolv.conf", folder.join("etc/resolv.conf"))
            .context("failed to tell the root its name servers")?;
        let (keeper, first_process) = keep(&folder)?;
        let root = Self {
            folder,
            keeper,
            first_process,
        };
        root.as_root(&format!(
            "apt-get update -qq && useradd --create-home --shell /bin/bash {USER} && \
             install -d -o {USER} -m 700 /run/user/1000"
        ))?;
        Ok(root)
    }

    /// Returns the path outside of the root for a path inside.
    pub(super) fn path(&self, inside: &str) -> PathBuf {
        self.folder.join(inside.trim_start_matches('/'))
    }

    /// Returns the path outside of the root for a path in its user's home.
    pub(super) fn home(&self, inside: &str) -> PathBuf {
        self.path(&format!("/home/{USER}/{inside}"))
    }

    /// Copies a file of ours into the root; returns its path there.
    pub(super) fn take_in(&self, file: &Path) -> Result<String> {
        let inside = format!(
            "/srv/{}",
            file.file_name().unwrap_or_default().to_string_lossy()
        );
        fs::copy(file, self.path(&inside))
            .with_context(|| format!("failed to copy {}", file.display()))?;
        Ok(inside)
    }

    /// Copies a folder of ours into the root.
    pub(super) fn take_in_folder(&self, folder: &Path, inside: &str) -> Result<()> {
        let mut copy = shell::command("cp", &["--recursive", "--no-target-directory"]);
        shell::output(copy.arg(folder).arg(self.path(inside))).map(drop)
    }

    /// Runs a script as its administrator, who alone has a network; returns the output.
    pub(super) fn as_root(&self, script: &str) -> Result<String> {
        shell::output(&mut self.root_command(script))
    }

    /// Runs a script as its administrator, where a failure is a possible result.
    pub(super) fn try_as_root(&self, script: &str) -> Result<(bool, String)> {
        told(&mut self.root_command(script))
    }

    /// Prepares a script of its user, with these variables.
    pub(super) fn user_command(&self, variables: &[(String, String)], script: &str) -> Command {
        let mut command = self.enter(&["--net"]);
        command.args(["runuser", "-u", USER, "--", "env", "-i"]);
        let home = format!("HOME=/home/{USER}");
        command.args([
            home.as_str(),
            "PATH=/usr/local/bin:/usr/bin:/bin",
            "LANG=C.UTF-8",
        ]);
        command.args(
            variables
                .iter()
                .map(|(name, value)| format!("{name}={value}")),
        );
        command.args(["sh", "-c", &format!("cd; {script}")]);
        command
    }

    fn root_command(&self, script: &str) -> Command {
        let mut command = self.enter(&[]);
        command.args([
            "env",
            "-i",
            "PATH=/usr/sbin:/usr/bin:/sbin:/bin",
            "LANG=C.UTF-8",
        ]);
        command.args([
            "HOME=/root",
            "DEBIAN_FRONTEND=noninteractive",
            "sh",
            "-c",
            script,
        ]);
        command
    }

    fn enter(&self, also: &[&str]) -> Command {
        let process = self.first_process.to_string();
        let mut command = Command::new("nsenter");
        command
            .args(["--target", &process, "--mount", "--pid", "--root", "--wd"])
            .args(also);
        command
    }
}

impl Drop for DebianRoot {
    fn drop(&mut self) {
        // All processes of the namespace end with its first one.
        let _ = self.keeper.kill();
        let _ = self.keeper.wait();
    }
}

/// Returns the packed system from which each root is made; it is built once.
fn base() -> Result<PathBuf> {
    let base = shell::target().join("tools/debian-12-developer.tar");
    if !base.is_file() {
        let draft = base.with_extension("new.tar");
        let include = format!("--include={DESKTOP}");
        let mut command = shell::command("mmdebstrap", &["--variant=apt", &include, "bookworm"]);
        shell::execute(command.arg(&draft).args(SOURCES))?;
        fs::rename(&draft, &base).context("failed to keep the packed Debian")?;
    }
    Ok(base)
}

/// Starts a process that holds the namespaces open, and waits until they are there.
fn keep(folder: &Path) -> Result<(Child, u32)> {
    let archives = shell::target().join("tools/apt");
    fs::create_dir_all(archives.join("partial")).context("failed to make a folder for apt")?;
    let script = "ip link set lo up && mount --rbind /dev \"$0/dev\" && \
        mount --bind \"$1\" \"$0/var/cache/apt/archives\" && \
        exec chroot \"$0\" sh -c 'echo ready; exec sleep infinity'";
    // The keeper ends also when a trial is broken off, so that nothing is left behind.
    let mut command = Command::new("setpriv");
    command.args([
        "--pdeathsig",
        "KILL",
        "unshare",
        "--mount",
        "--pid",
        "--net",
        "--fork",
        "--kill-child",
    ]);
    command.arg(format!("--mount-proc={}", folder.join("proc").display()));
    command
        .args(["sh", "-c", script])
        .arg(folder)
        .arg(&archives);
    let mut keeper = command
        .stdout(Stdio::piped())
        .spawn()
        .context("failed to start unshare")?;
    let output = keeper.stdout.take().context("unshare has no output")?;
    let mut line = String::new();
    BufReader::new(output)
        .read_line(&mut line)
        .context("failed to hear of the root")?;
    if line.trim() != "ready" {
        bail!("the root could not be entered");
    }
    let id = keeper.id();
    let children = fs::read_to_string(format!("/proc/{id}/task/{id}/children"));
    let first = children.context("failed to find the root's first process")?;
    let first = first
        .trim()
        .parse()
        .context("failed to find the root's first process")?;
    Ok((keeper, first))
}
