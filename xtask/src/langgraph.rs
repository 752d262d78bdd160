//! Installation by pip of the real LangGraph server that the whole-app tests run against. The test
//! support crate says where the tests look for it; the two must agree.

use std::fs::{self, File};
use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::shell;

/// Installs what is missing into `target/langgraph`.
pub(crate) fn install() -> Result<()> {
    if !cfg!(target_os = "linux") {
        println!("setup: the whole-app tests run on Linux only, LangGraph is not installed");
        return Ok(());
    }
    let folder = install_root();
    fs::create_dir_all(&folder).with_context(|| format!("failed to make {}", folder.display()))?;
    // The tests install too if they must; the same lock keeps the two apart.
    let lock = File::create(folder.join(".lock")).context("failed to open the install lock")?;
    lock.lock().context("failed to take the install lock")?;
    let wanted = shell::root().join("tests/support/langgraph/requirements.txt");
    let wanted = fs::read_to_string(wanted).context("failed to read what to install")?;
    let done = folder.join("installed.txt");
    if fs::read_to_string(&done).is_ok_and(|text| text == wanted) {
        println!("setup: LangGraph is there");
        return Ok(());
    }
    pip(&folder.join("venv"), &wanted)?;
    fs::write(done, wanted).context("failed to note what is installed")
}

fn install_root() -> PathBuf {
    let named = std::env::var_os("BECKON_TEST_LANGGRAPH_DIR").map(PathBuf::from);
    named.unwrap_or_else(|| shell::root().join("target/langgraph"))
}

/// Makes a fresh virtual environment and installs these requirements.
pub(crate) fn pip(venv: &std::path::Path, wanted: &str) -> Result<()> {
    let place = venv.to_string_lossy();
    shell::execute(&mut shell::command(
        "python3",
        &["-m", "venv", "--clear", &place],
    ))?;
    let requirements = venv.join("requirements.txt");
    fs::write(&requirements, wanted)?;
    let python = venv.join("bin/python");
    let list = requirements.to_string_lossy();
    let quiet = ["-m", "pip", "install", "--quiet", "--requirement", &list];
    shell::execute(&mut shell::command(&python.to_string_lossy(), &quiet))
}
