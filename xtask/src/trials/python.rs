//! The trial of the Python package: the wheel in an empty environment, and one built from the
//! sources beside it.

use super::{Trial, empty_folder, holds};
use crate::package::{make, tool};
use crate::shell;
use anyhow::Result;
use std::path::{Path, PathBuf};

pub(super) fn an_empty_environment(trial: &mut Trial) -> Result<()> {
    for file in make("python", &trial.release)? {
        let kind = file
            .extension()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let python = environment(&format!("python-{kind}"))?;
        let mut pip = shell::command(&python.to_string_lossy(), &["-m", "pip", "install"]);
        pip.args(["--quiet", "--no-index", "--no-build-isolation"]);
        shell::output(
            pip.arg(&file)
                .env("PYTHONPATH", site_packages(&tool("python")?)?),
        )?;
        let asked = "import beckon_ask, importlib.metadata as m, importlib.resources as r; \
            print(m.version('beckon-ask'), r.files(beckon_ask).joinpath('py.typed').is_file())";
        let told = shell::output(shell::command(&python.to_string_lossy(), &["-c"]).arg(asked))?;
        holds(
            &format!("the {kind} is installed with its types"),
            told.ends_with("True\n"),
            &told,
        )?;
    }
    Ok(())
}

/// Makes an environment with pip and nothing else.
fn environment(name: &str) -> Result<PathBuf> {
    let folder = empty_folder(name)?;
    let mut python = shell::command(&tool("python")?.to_string_lossy(), &["-m", "venv"]);
    shell::output(python.arg(&folder))?;
    Ok(folder.join("bin/python"))
}

/// Returns the folder of the build tools, which the environment borrows to build the sources.
fn site_packages(python: &Path) -> Result<String> {
    let script = "import sysconfig; print(sysconfig.get_path('purelib'))";
    let told = shell::output(shell::command(&python.to_string_lossy(), &["-c"]).arg(script))?;
    Ok(told.trim().to_owned())
}
