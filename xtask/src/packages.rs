//! The Debian packages for building and testing: their lists, which of them are missing, and their
//! installation.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use crate::shell;

/// The packages for building both programs.
pub(crate) const BUILD: &[&str] = &[
    "build-essential",
    "pkg-config",
    "libwebkit2gtk-4.1-dev",
    "libayatana-appindicator3-dev",
    "librsvg2-dev",
];

/// The packages for the whole-app tests: displays, daemons, a keyring, a terminal, and npm and pip
/// for the agents.
pub(crate) const TEST: &[&str] = &[
    "xvfb",
    "xauth",
    "openbox",
    "xfwm4",
    "xsettingsd",
    "xdotool",
    "imagemagick",
    "x11-utils",
    "x11-xserver-utils",
    "kwin-wayland",
    "dunst",
    "xfce4-notifyd",
    "mate-notification-daemon",
    "xfce4-panel",
    "gnome-keyring",
    "libsecret-tools",
    "libglib2.0-bin",
    "dconf-gsettings-backend",
    "gsettings-desktop-schemas",
    "python3-dbusmock",
    "python3-venv",
    "dbus",
    "dbus-x11",
    "libfaketime",
    "tzdata",
    "webkit2gtk-driver",
    "adwaita-icon-theme",
    "fonts-dejavu-core",
    "fonts-noto-cjk",
    "git",
    "tmux",
    "xterm",
];

/// The packages for pictures of the windows and the checks of their pages.
pub(crate) const SHOTS: &[&str] = &[
    "chromium",
    "imagemagick",
    "fonts-dejavu-core",
    "fonts-noto-core",
    "fonts-noto-cjk",
];

/// The package that the pictures of Telegram need in addition. The checks do without it, since a
/// desktop need not have it.
pub(crate) const EMOJI: &[&str] = &["fonts-noto-color-emoji"];

/// The packages for the trials of what people install.
pub(crate) const TRIALS: &[&str] = &[
    "appstream",
    "curl",
    "desktop-file-utils",
    "iproute2",
    "mmdebstrap",
    "rpm",
];

/// The package that makes the installer for Windows.
pub(crate) const INSTALLER_OF_WINDOWS: &[&str] = &["nsis"];

/// The packages for the trials of the packages for Windows; wine comes with the tool that builds
/// for it.
pub(crate) const TRIALS_OF_WINDOWS: &[&str] = &["curl", "nsis", "unzip", "xvfb"];

const APT: &[&str] = &[
    "install",
    "-y",
    "--no-install-recommends",
    "-o",
    "DPkg::Lock::Timeout=300",
];

/// Installs what is missing of `lists`; without root it prints the one command and goes on.
pub(crate) fn install(lists: &[&[&'static str]]) -> Result<()> {
    if !Path::new("/usr/bin/dpkg-query").exists() {
        println!("setup: no Debian here, system packages are left to you");
        return Ok(());
    }
    let missing = missing(&lists.concat());
    if missing.is_empty() {
        println!(
            "setup: all {} system packages are there",
            lists.concat().len()
        );
        return Ok(());
    }
    if !is_root() {
        println!(
            "setup: packages are missing; please run\n  {}",
            by_hand(&missing)
        );
        return Ok(());
    }
    apt(&["update", "-qq"])?;
    apt(&[APT, &missing].concat())
}

fn missing(wanted: &[&'static str]) -> Vec<&'static str> {
    // One query serves all: it fails when a package is unknown, but still lists the others.
    let mut query = Command::new("dpkg-query");
    query.args(["-W", "-f=${Package} ${Status}\n"]).args(wanted);
    let answer = query
        .output()
        .map(|output| output.stdout)
        .unwrap_or_default();
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let installed = |package: &str| {
        let line = format!("{package} install ok installed");
        answer.lines().any(|found| found == line)
    };
    wanted
        .iter()
        .copied()
        .filter(|name| !installed(name))
        .collect()
}

/// Returns Debian's npm, unless an npm from elsewhere is there already.
pub(crate) fn npm() -> &'static [&'static str] {
    if Command::new("npm").arg("--version").output().is_ok() {
        &[]
    } else {
        &["npm"]
    }
}

pub(crate) fn is_root() -> bool {
    shell::output(Command::new("id").arg("-u")).is_ok_and(|id| id.trim() == "0")
}

fn by_hand(missing: &[&str]) -> String {
    format!("sudo apt-get {} {}", APT.join(" "), missing.join(" "))
}

fn apt(arguments: &[&str]) -> Result<()> {
    let mut command = shell::command("apt-get", &["-o", "DPkg::Lock::Timeout=300"]);
    shell::execute(
        command
            .args(arguments)
            .env("DEBIAN_FRONTEND", "noninteractive"),
    )
}
