//! OpenCode as an editor starts it: speaking the Agent Client Protocol on its streams. Not here: the
//! editor.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Home, Version, binary, home};
use crate::cores::Core;
use crate::model::Model;
use crate::ports::free_port;

/// OpenCode, ready to be started by an editor; its directories go on drop.
pub struct AcpAgent {
    home: Home,
    _core: Arc<Core>,
}

impl AcpAgent {
    /// Prepares `version` with `model`, in fresh directories.
    pub fn prepare(version: Version, model: &Model) -> AcpAgent {
        let agent = AcpAgent {
            home: Home::new(),
            _core: Core::take(),
        };
        let configuration = home::configuration(&model.url(), false);
        let configuration = ("OPENCODE_CONFIG_CONTENT".to_owned(), configuration.into());
        let environment = agent.home.environment().into_iter().chain([configuration]);
        let text = script(version, environment);
        fs::write(agent.program(), text).unwrap();
        fs::set_permissions(agent.program(), fs::Permissions::from_mode(0o755)).unwrap();
        agent
    }

    /// Returns the program that starts it, whatever the environment of the caller.
    pub fn program(&self) -> PathBuf {
        self.home.path().join("agent")
    }

    /// Returns the folder in which it is to work.
    pub fn directory(&self) -> PathBuf {
        Path::new(&self.home.project("project")).to_owned()
    }
}

/// Returns the text of that program. Beside its streams this OpenCode listens on a port; it gets
/// one where nobody looks for it.
fn script(version: Version, environment: impl Iterator<Item = (String, OsString)>) -> String {
    let variables = environment.map(|(name, value)| {
        let value = value.into_string().unwrap().replace('\'', r"'\''");
        format!("{name}='{value}'")
    });
    let variables = variables.collect::<Vec<_>>().join(" ");
    let program = binary(version);
    let port = free_port();
    format!(
        "#!/bin/sh\nexec env -i {variables} '{}' acp --port {port}\n",
        program.display()
    )
}
