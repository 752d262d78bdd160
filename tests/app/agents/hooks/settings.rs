//! Tests of `beckon integrate claude-code` on settings as people have them: with hooks of their
//! own, access rights, links, other line ends, switches. The result is read as Claude Code reads
//! it.

use super::*;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::PathBuf;
use std::process::Command;

/// A time long enough for a program that responds, and too short for one that waits for something.
const PROMPT: Duration = Duration::from_secs(20);

/// A user with a Beckon and settings of Claude Code.
struct User {
    beckon: Beckon,
}

impl User {
    fn new() -> Self {
        let user = Self {
            beckon: Beckon::builder(env!("CARGO_BIN_EXE_beckon")).build(),
        };
        std::fs::create_dir_all(user.folder()).unwrap();
        user
    }

    fn folder(&self) -> PathBuf {
        self.beckon.folder().join("user/.claude")
    }

    fn file(&self) -> PathBuf {
        self.folder().join("settings.json")
    }

    fn write(&self, text: &str) {
        std::fs::write(self.file(), text).unwrap();
    }

    fn read(&self) -> String {
        std::fs::read_to_string(self.file()).unwrap()
    }

    async fn integrate(&self, arguments: &[&str]) -> Output {
        let arguments = [&["integrate", "claude-code"], arguments].concat();
        self.beckon.command(&arguments).await
    }

    async fn integrated(&self) -> Value {
        let output = self.integrate(&[]).await;
        assert_eq!(output.status, Some(0), "{output:?}");
        serde_json::from_str(self.read().trim_start_matches('\u{feff}')).unwrap()
    }

    async fn removed(&self) -> String {
        let output = self.integrate(&["--remove"]).await;
        assert_eq!(output.status, Some(0), "{output:?}");
        self.read()
    }

    fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder()).unwrap();
        let name = |entry: std::io::Result<std::fs::DirEntry>| {
            entry.unwrap().file_name().to_string_lossy().into_owned()
        };
        let mut names: Vec<String> = entries.map(name).collect();
        names.sort();
        names
    }

    /// Returns what `beckon doctor` finds about the hooks.
    async fn finding(&self) -> Value {
        let found = self.beckon.command(&["doctor", "--json"]).await.json();
        let found = found.as_array().unwrap().clone();
        found
            .into_iter()
            .find(|finding| finding["leg"] == "hooks")
            .unwrap_or_default()
    }
}

fn commands(settings: &Value, event: &str) -> Vec<String> {
    let entries = settings["hooks"][event].as_array().unwrap();
    let hooks = entries
        .iter()
        .flat_map(|it| it["hooks"].as_array().unwrap());
    hooks
        .map(|hook| hook["command"].as_str().unwrap_or_default().to_owned())
        .collect()
}

/// Hooks that contain our words and are not ours.
const THEIRS: &str = r#"{
    "permissions": { "deny": ["Read(.env)"],   "allow": [] },

    "hooks": {
        "PostToolUse": [
            { "matcher": "Bash", "hooks": [{ "type": "command", "command": "webhook claude-code --audit" }] },
            { "hooks": [{ "type": "command", "command": "/opt/guard-hook claude-code" }] },
            { "hooks": [{ "type": "command", "command": "echo 'beckon hook claude-code' >> ~/log" }] }
        ],
        "Stop": [{ "hooks": [
            { "type": "command", "command": "beckon hook claude-code | tee -a ~/log" },
            { "type": "command", "command": "my-beckon hook claude-code" },
            { "type": "http", "url": "https://example.org/hook claude-code" }
        ] }],
        "PreCompact": []
    },
    "model": "opus"
}
"#;

#[tokio::test(flavor = "multi_thread")]
async fn hooks_of_the_users_own_stay_whatever_they_run_and_so_does_every_other_byte() {
    let user = User::new();
    for text in [
        THEIRS.to_owned(),
        THEIRS.replace('\n', "\r\n"),
        THEIRS.replace("    ", "\t"),
        format!("\u{feff}{THEIRS}"),
        serde_json::from_str::<Value>(THEIRS).unwrap().to_string(),
        "{}".into(),
        "{\n  \"model\": \"opus\"\n}".into(),
    ] {
        user.write(&text);
        let settings = user.integrated().await;
        assert_eq!(commands(&settings, "PermissionRequest").len(), 1);
        if text.contains("webhook") {
            assert_eq!(commands(&settings, "PostToolUse").len(), 4);
            assert_eq!(commands(&settings, "Stop").len(), 4);
        }
        assert_eq!(user.removed().await, text);
        // There is nothing to remove, and nothing is removed.
        assert_eq!(user.removed().await, text);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_user_gave_our_entry_stays_when_it_is_renewed() {
    let user = User::new();
    let old = "\\\"/old/place/beckon\\\" hook claude-code";
    user.write(&format!(
        r#"{{"hooks": {{
            "PermissionRequest": [{{"matcher": "Bash|Edit", "hooks": [{{"type": "command", "command": "{old}", "timeout": 600}}]}}],
            "Stop": [{{"hooks": [
                {{"type": "command", "command": "say done"}},
                {{"type": "command", "command": "exec {old} --finished", "async": false}}
            ]}}]
        }}}}"#
    ));
    let settings = user.integrated().await;
    let asking = &settings["hooks"]["PermissionRequest"];
    assert_eq!(asking.as_array().unwrap().len(), 1, "{asking}");
    assert_eq!(asking[0]["matcher"], "Bash|Edit");
    assert_eq!(asking[0]["hooks"][0]["timeout"], 600);
    let stop = &settings["hooks"]["Stop"];
    assert_eq!(stop.as_array().unwrap().len(), 1, "{stop}");
    assert_eq!(stop[0]["hooks"][0]["command"], "say done");
    let ours = stop[0]["hooks"][1]["command"].as_str().unwrap();
    assert!(ours.ends_with(" hook claude-code --finished"), "{ours}");
    assert_eq!(stop[0]["hooks"][1]["async"], false);
    assert!(!user.read().contains("/old/place"), "{}", user.read());
    let removed: Value = serde_json::from_str(&user.removed().await).unwrap();
    let only =
        json!({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}});
    assert_eq!(removed, only);
}

#[tokio::test(flavor = "multi_thread")]
async fn settings_with_keys_stay_their_owners_alone_also_when_the_disk_is_full() {
    let user = User::new();
    let text = format!(
        r#"{{"env": {{"KEY": "secret"}}, "long": "{}"}}"#,
        "x".repeat(9_000)
    );
    user.write(&text);
    std::fs::set_permissions(user.file(), std::fs::Permissions::from_mode(0o600)).unwrap();
    let mut command = Command::new("sh");
    // The limit allows files of eight blocks, so longer ones cannot be written completely.
    command.args([
        "-c",
        "trap '' XFSZ; umask 0; ulimit -f 8; exec \"$@\"",
        "sh",
    ]);
    let integrate = user.beckon.prepare(&["integrate", "claude-code"]);
    command
        .arg(integrate.get_program())
        .args(integrate.get_args());
    command.env_clear().envs(
        integrate
            .get_envs()
            .filter_map(|(name, value)| Some((name, value?))),
    );
    let refused = tokio::process::Command::from(command)
        .output()
        .await
        .unwrap();
    assert_eq!(refused.status.code(), Some(1), "{refused:?}");
    assert_eq!(user.names(), ["settings.json"]);
    assert_eq!(user.read(), text);
    user.integrated().await;
    assert_eq!(user.names(), ["settings.json"]);
    let mode = std::fs::metadata(user.file()).unwrap().mode() & 0o777;
    assert_eq!(mode, 0o600);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_stays_one_and_an_empty_file_is_as_none() {
    let user = User::new();
    let dotfiles = user.beckon.folder().join("dotfiles");
    std::fs::create_dir(&dotfiles).unwrap();
    symlink(dotfiles.join("claude.json"), user.file()).unwrap();
    user.integrated().await;
    assert!(user.file().is_symlink(), "the link was replaced");
    assert!(dotfiles.join("claude.json").is_file());
    for empty in ["", "\n", "\u{feff}"] {
        user.write(empty);
        user.integrated().await;
    }
    std::fs::remove_dir_all(&dotfiles).unwrap();
    let refused = user.integrate(&[]).await;
    assert_eq!(refused.status, Some(1), "{refused:?}");
    assert!(refused.stderr.contains("link"), "{refused:?}");
    assert!(user.file().is_symlink());
}

#[tokio::test(flavor = "multi_thread")]
async fn hooks_that_are_switched_off_are_not_praised() {
    let user = User::new();
    user.write(r#"{"disableAllHooks": true}"#);
    let output = user.integrate(&[]).await;
    assert_eq!(output.status, Some(1), "{output:?}");
    let said = format!("{}{}", output.stdout, output.stderr);
    assert!(!said.contains("asks through Beckon now"), "{said}");
    assert!(said.contains("disableAllHooks"), "{said}");
    assert!(said.contains(user.file().to_str().unwrap()), "{said}");
    let finding = user.finding().await;
    assert_eq!(finding["note"], true, "{finding}");
    assert!(
        finding["text"]
            .as_str()
            .unwrap()
            .contains("disableAllHooks"),
        "{finding}"
    );
    let again = user.integrate(&[]).await;
    assert_eq!(again.status, Some(1), "{again:?}");
}

/// `JSON.parse` uses the last of two equal keys.
#[tokio::test(flavor = "multi_thread")]
async fn of_two_keys_of_one_name_the_one_is_changed_that_counts() {
    let user = User::new();
    let text =
        r#"{"hooks": {"Stop": []}, "model": "opus", "h\u006foks": {"Idle": [], "Idle": []}}"#;
    user.write(text);
    let settings = user.integrated().await;
    assert_eq!(
        commands(&settings, "PermissionRequest").len(),
        1,
        "{settings}"
    );
    assert_eq!(commands(&settings, "Stop").len(), 1, "{settings}");
    assert_eq!(user.removed().await, text);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_version_is_asked_without_secrets_and_nobody_is_waited_for_who_stays_behind() {
    let user = User::new();
    let programs = user.beckon.folder().join("programs");
    std::fs::create_dir(&programs).unwrap();
    let told = programs.join("told");
    let script = format!(
        "#!/bin/sh\nenv > '{0}'; sleep 1000 & echo $! > '{0}.pid'\necho '2.1.330 (Claude Code)'\n",
        told.display()
    );
    let claude = programs.join("claude");
    std::fs::write(&claude, script).unwrap();
    std::fs::set_permissions(&claude, std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = std::env::var("PATH").unwrap();
    let path = format!("{}:{path}", programs.display());
    user.beckon.set_env("PATH", &path);
    user.beckon.set_env("BECKON_TELEGRAM_TOKEN", "123:secret");
    let settings = tokio::time::timeout(PROMPT, user.integrated()).await;
    let settings = settings.expect("nobody is waited for");
    assert!(settings["hooks"]["StopFailure"].is_array(), "{settings}");
    let environment = std::fs::read_to_string(&told).unwrap();
    assert!(!environment.contains("secret"), "{environment}");
    let pid = std::fs::read_to_string(told.with_extension("pid")).unwrap();
    let stat = Path::new("/proc").join(pid.trim()).join("stat");
    eventually("what it left behind ends", SOON, async || {
        let stat = std::fs::read_to_string(&stat).unwrap_or_default();
        (stat.is_empty() || stat.contains(") Z ")).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_stands_in_its_path_the_program_is_what_the_hook_runs() {
    let scene = Scene::start().await;
    let folder = scene.beckon.folder().join(r#"a b$HOME`id`"c'd\e"#);
    std::fs::create_dir(&folder).unwrap();
    let program = folder.join("beckon");
    // A hard link: by a symbolic link the program would find itself in another place.
    if std::fs::hard_link(env!("CARGO_BIN_EXE_beckon"), &program).is_err() {
        std::fs::copy(env!("CARGO_BIN_EXE_beckon"), &program).unwrap();
    }
    let mut integrate = Command::new(&program);
    let prepared = scene.beckon.prepare(&["integrate", "claude-code"]);
    integrate.args(prepared.get_args()).env_clear().envs(
        prepared
            .get_envs()
            .filter_map(|(name, value)| Some((name, value?))),
    );
    let done: Output = tokio::process::Command::from(integrate)
        .output()
        .await
        .unwrap()
        .into();
    assert_eq!(done.status, Some(0), "{done:?}");
    let file = scene.beckon.folder().join("user/.claude/settings.json");
    let settings: Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    let line = commands(&settings, "PermissionRequest").remove(0);
    let mut hook = Command::new("/bin/sh");
    hook.args(["-c", &line]).env_clear().envs(
        prepared
            .get_envs()
            .filter_map(|(name, value)| Some((name, value?))),
    );
    hook.stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut hook = tokio::process::Command::from(hook)
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let whole = event("permission_request").to_string();
    hook.stdin
        .take()
        .unwrap()
        .write_all(whole.as_bytes())
        .await
        .unwrap();
    let shown = eventually("the hook asks", SOON, async || {
        scene.beckon.list().await.first().cloned()
    })
    .await;
    // There is no dialog that could confirm the answer.
    let deny = ["deny", shown["id"].as_str().unwrap()];
    let _ = scene.beckon.command(&deny).await;
    assert_eq!(decision(hook).await["decision"]["behavior"], "deny");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_line_that_does_not_run_is_not_written() {
    let user = User::new();
    let image = user.beckon.folder().join("Beckon.AppImage");
    std::fs::write(&image, "").unwrap();
    let mount = Path::new(env!("CARGO_BIN_EXE_beckon")).parent().unwrap();
    user.beckon.set_env("APPDIR", mount.to_str().unwrap());
    user.beckon.set_env("APPIMAGE", image.to_str().unwrap());
    let refused = user.integrate(&[]).await;
    assert_eq!(refused.status, Some(1), "{refused:?}");
    assert!(!user.file().exists(), "{}", user.read());
}
