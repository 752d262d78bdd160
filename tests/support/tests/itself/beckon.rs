//! How the program is run, tried with a shell script in its place.

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::time::Duration;

use beckon_support::beckon::Beckon;
use beckon_support::eventually;

const STAND_IN: &str = r#"#!/bin/sh
case "$1" in
  --headless) echo "started with $(cat "$BECKON_HOME/config.toml")" >&2
    mkdir -p "$BECKON_HOME/run"; echo "{\"pid\": $$}" >"$BECKON_HOME/run/endpoint.json"
    exec tail -f /dev/null ;;
  status) echo "{\"ready\": true, \"display\": \"$DISPLAY\"}" ;;
  list) echo '[]' ;;
  secret) cat; exit 3 ;;
esac
"#;

fn stand_in(folder: &tempfile::TempDir) -> PathBuf {
    let program = folder.path().join("beckon");
    std::fs::write(&program, STAND_IN).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    program
}

async fn endpoint_pid(beckon: &Beckon) -> Option<u32> {
    eventually("the endpoint", Duration::from_secs(5), async || {
        let pid = beckon.endpoint()?["pid"].as_u64()?;
        (Some(pid as u32) == beckon.pid()).then_some(beckon.pid())
    })
    .await
}

#[tokio::test]
async fn it_runs_in_a_home_of_its_own_survives_a_kill_and_takes_commands() {
    let folder = tempfile::tempdir().unwrap();
    let beckon = Beckon::builder(stand_in(&folder))
        .config("language = \"en\"")
        .start();
    let first = endpoint_pid(&beckon).await;
    assert!(beckon.is_running());
    beckon.kill9();
    assert!(!beckon.is_running());
    beckon.start();
    assert_ne!(endpoint_pid(&beckon).await, first);

    assert_eq!(beckon.wait_ready().await["display"], "");
    assert!(beckon.list().await.is_empty());
    let output = beckon.command_with_input(&["secret"], "hush").await;
    assert_eq!((output.status, output.stdout.as_str()), (Some(3), "hush"));
    assert!(beckon.command_blocking(&["status"]).json()["ready"] == true);
    eventually(
        "both starts are in the log",
        Duration::from_secs(5),
        async || (beckon.stderr().matches("language").count() == 2).then_some(()),
    )
    .await;
}
