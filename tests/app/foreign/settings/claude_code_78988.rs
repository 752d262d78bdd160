//! <https://github.com/anthropics/claude-code/issues/78988> and
//! <https://github.com/thedotmack/claude-mem/pull/3350>: a variable named a folder from a tilde on,
//! which nobody had expanded. All of it was written below a folder called "~" of wherever the
//! program was.

use beckon_support::beckon::Beckon;

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_that_is_another_one_everywhere_is_refused() {
    let beckon = Beckon::builder(env!("CARGO_BIN_EXE_beckon")).build();
    let cwd = beckon.folder().join("project");
    std::fs::create_dir(&cwd).unwrap();
    for folder in ["~/.claude-work", ".claude-config", "./x"] {
        let mut command = beckon.prepare(&["integrate", "claude-code"]);
        command.env("CLAUDE_CONFIG_DIR", folder).current_dir(&cwd);
        let output = tokio::process::Command::from(command)
            .output()
            .await
            .unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success(), "{folder}: {said}");
        assert!(said.contains("CLAUDE_CONFIG_DIR"), "{said}");
        assert_eq!(std::fs::read_dir(&cwd).unwrap().count(), 0, "{folder}");
    }

    // OpenCode takes this one as it is, too.
    let mut command = beckon.prepare(&["integrate", "opencode"]);
    command
        .env("XDG_CONFIG_HOME", "~/.config")
        .current_dir(&cwd);
    let output = tokio::process::Command::from(command)
        .output()
        .await
        .unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("XDG_CONFIG_HOME"), "{said}");
    assert_eq!(std::fs::read_dir(&cwd).unwrap().count(), 0);
}
