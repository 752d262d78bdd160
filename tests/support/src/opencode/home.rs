//! The directories, environment and configuration that an OpenCode server runs in. Starting it is
//! in `opencode.rs`.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::model::{MODEL, PROVIDER};

/// A fresh directory with a home, XDG directories and projects; removed on drop.
#[derive(Debug)]
pub struct Home {
    root: TempDir,
}

impl Home {
    pub(super) fn new() -> Home {
        let home = Home {
            root: tempfile::Builder::new()
                .prefix("opencode-")
                .tempdir()
                .unwrap(),
        };
        for folder in ["home", "config", "data", "cache", "state", "tmp"] {
            fs::create_dir(home.path().join(folder)).unwrap();
        }
        home.make_project("project");
        home.have_plugin_library();
        home
    }

    /// Writes the files that a first use leaves behind when it has installed OpenCode's plugin
    /// library.
    ///
    /// Otherwise 1.18.33 installs the library with npm beside the test, which takes up to 11 s of a
    /// processor. Nothing here imports it, so the library's own folder stays empty.
    fn have_plugin_library(&self) {
        let folder = self.path().join("config/opencode");
        let dependencies = json!({ "dependencies": { "@opencode-ai/plugin": "*" } });
        let lock = json!({ "lockfileVersion": 3, "packages": { "": dependencies } });

        fs::create_dir_all(folder.join("node_modules")).unwrap();
        fs::write(folder.join("package.json"), dependencies.to_string()).unwrap();
        fs::write(folder.join("package-lock.json"), lock.to_string()).unwrap();
    }

    /// Returns the directory that holds everything of this server.
    pub fn path(&self) -> &Path {
        self.root.path()
    }

    /// Returns the folder of a project.
    pub(super) fn project(&self, name: &str) -> String {
        self.path().join(name).to_str().unwrap().to_owned()
    }

    pub(super) fn log(&self) -> PathBuf {
        self.path().join("server.log")
    }

    /// Makes a project with git and a first commit. Without these OpenCode would file the folder
    /// under the project `global`.
    pub(super) fn make_project(&self, name: &str) {
        let folder = self.path().join(name);
        if folder.join(".git").exists() {
            return;
        }
        fs::create_dir_all(&folder).unwrap();
        git(&folder, &["init", "--quiet"]);
        let author = ["-c", "user.name=Test", "-c", "user.email=test@localhost"];
        let commit = ["commit", "--quiet", "--allow-empty", "--message", "First"];
        git(&folder, &[author.as_slice(), commit.as_slice()].concat());
    }

    /// Writes the project's own configuration.
    pub(super) fn configure(&self, project: &str, configuration: &str) {
        fs::write(
            self.path().join(project).join("opencode.json"),
            configuration,
        )
        .unwrap();
    }

    /// Copies a plugin into the global folder, which OpenCode reads for every directory.
    pub(super) fn install_plugin(&self, file: &Path) {
        let folder = self.path().join("config/opencode/plugin");
        fs::create_dir_all(&folder).unwrap();
        fs::copy(file, folder.join(file.file_name().unwrap())).unwrap();
    }

    /// Builds the environment from nothing: only PATH is inherited.
    pub(super) fn environment(&self) -> Vec<(String, OsString)> {
        let folders = [
            ("HOME", "home"),
            ("OPENCODE_TEST_HOME", "home"),
            ("XDG_CONFIG_HOME", "config"),
            ("XDG_DATA_HOME", "data"),
            ("XDG_CACHE_HOME", "cache"),
            ("XDG_STATE_HOME", "state"),
            ("TMPDIR", "tmp"),
        ]
        .map(|(name, folder)| (name.to_owned(), self.path().join(folder).into_os_string()));
        let switches = [
            "AUTOUPDATE",
            "MODELS_FETCH",
            "LSP_DOWNLOAD",
            "DEFAULT_PLUGINS",
            "SHARE",
        ]
        .map(|what| (format!("OPENCODE_DISABLE_{what}"), OsString::from("1")));
        let plain = [
            ("LANG", "C.UTF-8"),
            ("TERM", "xterm-256color"),
            ("SHELL", "/bin/sh"),
        ]
        .map(|(name, value)| (name.to_owned(), OsString::from(value)));
        let path = std::env::var_os("PATH").map(|path| ("PATH".to_owned(), path));
        folders
            .into_iter()
            .chain(switches)
            .chain(plain)
            .chain(path)
            .collect()
    }
}

fn git(folder: &Path, arguments: &[&str]) {
    let status = Command::new("git")
        .args(arguments)
        .current_dir(folder)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .status()
        .expect("failed to start git");
    assert!(status.success(), "git {arguments:?} failed: {status}");
}

/// Returns the configuration for `OPENCODE_CONFIG_CONTENT`.
pub(super) fn configuration(model_url: &str, asker: bool) -> String {
    let model = format!("{PROVIDER}/{MODEL}");
    let mut configuration = json!({
        "autoupdate": false,
        "share": "disabled",
        "model": model,
        "small_model": model,
        "enabled_providers": [PROVIDER],
        "provider": { PROVIDER: provider(model_url) },
        "permission": { "bash": "ask", "edit": "ask", "external_directory": "ask",
            "webfetch": "deny", "websearch": "deny" },
    });
    if asker {
        configuration["agent"] = json!({ "asker": { "mode": "subagent",
            "description": "A subagent that may ask", "permission": { "question": "allow" } } });
    }
    configuration.to_string()
}

fn provider(model_url: &str) -> Value {
    json!({
        "npm": "@ai-sdk/openai-compatible",
        "name": "Scripted",
        "options": { "baseURL": model_url, "apiKey": "unused" },
        "models": { MODEL: { "name": "Scripted", "tool_call": true,
            "limit": { "context": 200_000, "output": 8_000 } } },
    })
}
