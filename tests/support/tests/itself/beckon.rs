//! Tests of how the program is run, with a shell script in its place.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::time::Duration;

use beckon_support::beckon::Beckon;
use beckon_support::eventually;

const STAND_IN: &str = r#"#!/bin/sh
case "$1" in
  --headless) echo "started with $(cat "$BECKON_HOME/config.toml")" >&2
    mkdir -p "$BECKON_HOME/run"
    echo "{\"pid\": $$, \"url\": \"URL\", \"token\": \"t\"}" >"$BECKON_HOME/run/endpoint.json"
    exec tail -f /dev/null ;;
  status) echo "{\"ready\": true, \"display\": \"$DISPLAY\"}" ;;
  secret) cat; exit 3 ;;
esac
"#;

fn stand_in(folder: &tempfile::TempDir) -> PathBuf {
    let program = folder.path().join("beckon");
    std::fs::write(&program, STAND_IN.replace("URL", &api())).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    program
}

/// Serves as the local API of a Beckon that is ready and has nothing to list; returns the URL.
fn api() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            answer(stream.unwrap());
        }
    });
    url
}

fn answer(mut stream: TcpStream) {
    let mut request = String::new();
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    while !request.ends_with("\r\n\r\n") {
        if reader.read_line(&mut request).unwrap_or_default() == 0 {
            return;
        }
    }

    let body = if request.starts_with("GET /list") {
        "[]"
    } else {
        r#"{"ready": true}"#
    };
    let length = body.len();
    let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close";
    // The client may have gone.
    let _ = write!(stream, "{head}\r\nContent-Length: {length}\r\n\r\n{body}");
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

    assert_eq!(beckon.wait_ready().await["ready"], true);
    assert!(beckon.list().await.is_empty());
    let output = beckon.command_with_input(&["secret"], "hush").await;
    assert_eq!((output.status, output.stdout.as_str()), (Some(3), "hush"));
    assert_eq!(beckon.command_blocking(&["status"]).json()["display"], "");
    eventually(
        "both starts are in the log",
        Duration::from_secs(5),
        async || (beckon.stderr().matches("language").count() == 2).then_some(()),
    )
    .await;
}
