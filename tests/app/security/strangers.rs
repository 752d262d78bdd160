//! Tests of other users of the same machine. They take the port of a Beckon that was killed, or
//! crowd that of a running one, or take that of an OpenCode that does not run. None of them is told
//! anything, or keeps a human from answering.

use beckon_support::beckon::{Beckon, Output};
use beckon_support::eventually;
use beckon_support::ports::free_port;
use beckon_support::process::Process;
use beckon_support::stranger::{Stranger, crowd, is_another_user};
use serde_json::{Value, json};
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const SOON: Duration = Duration::from_secs(20);
/// A number of connections above the files that a program may have open by default.
const CROWD: usize = 1_100;

/// A Beckon whose socket's path fits, or is longer than a path of a socket may be.
struct Scene {
    beckon: Beckon,
    home: PathBuf,
}

impl Scene {
    async fn start(home: &str) -> Self {
        let beckon = Beckon::builder(env!("CARGO_BIN_EXE_beckon"))
            .config("opencode = []\n")
            .build();
        let home = beckon.home().join(home);
        std::fs::create_dir_all(&home).unwrap();
        std::fs::write(home.join("config.toml"), "opencode = []\n").unwrap();
        beckon.set_env("BECKON_HOME", home.to_str().unwrap());
        beckon.start();
        beckon.wait_ready().await;
        Self { beckon, home }
    }

    async fn with_socket() -> Self {
        let scene = Self::start("").await;
        assert!(
            scene.endpoint()["socket"].is_string(),
            "{}",
            scene.endpoint()
        );
        scene
    }

    async fn without_socket() -> Self {
        let scene = Self::start(&"long/".repeat(30)).await;
        assert!(scene.endpoint()["socket"].is_null(), "{}", scene.endpoint());
        scene
    }

    fn endpoint(&self) -> Value {
        let text = std::fs::read(self.home.join("run/endpoint.json")).unwrap();
        serde_json::from_slice(&text).unwrap()
    }

    fn port(&self) -> u16 {
        let url = self.endpoint()["url"].as_str().unwrap().to_owned();
        url.rsplit(':').next().unwrap().parse().unwrap()
    }

    async fn hook(&self) -> Output {
        let event = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/tests/app/agents/hooks/written/permission_request.json"
        );
        let event = std::fs::read_to_string(event).unwrap();
        self.beckon
            .command_with_input(&["hook", "claude-code"], &event)
            .await
    }

    fn python(&self) -> std::process::Output {
        self.python_command().output().unwrap()
    }

    fn python_command(&self) -> Command {
        let mut python = Command::new("python3");
        python.args([
            "-c",
            "from beckon_ask import ask; print(ask('Deploy now?', ['yes']))",
        ]);
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/integrations/python/src");
        python
            .env("PYTHONPATH", source)
            .env("BECKON_HOME", &self.home);
        python
    }

    /// Starts the plugin in Node, which registers its door as soon as it finds a Beckon.
    fn plugin(&self) -> Process {
        let plugin = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/integrations/opencode/beckon.js"
        );
        let copy = self.beckon.folder().join("beckon.mjs");
        std::fs::copy(plugin, &copy).unwrap();
        let program = format!(
            "const {{ Beckon }} = await import({copy:?});
             await Beckon({{ client: {{}}, directory: '/home/me/project' }});
             setInterval(() => {{}}, 1_000);"
        );
        let mut node = Command::new("node");
        node.args(["--input-type=module", "--eval", &program])
            .env("BECKON_HOME", &self.home);
        Process::spawn(node)
    }

    async fn registered(&self) -> usize {
        let status = self.beckon.status().await;
        status["sources"].as_array().map_or(0, Vec::len)
    }
}

/// Runs every client of ours, at a port that a stranger has taken; returns what the stranger got.
async fn tells_nothing(scene: Scene) -> String {
    let (port, token) = (
        scene.port(),
        scene.endpoint()["token"].as_str().unwrap().to_owned(),
    );
    scene.beckon.kill9();
    let stranger = Stranger::listen(port, scene.beckon.folder());
    let asked = scene
        .beckon
        .command(&["ask", "--question", "Deploy now?"])
        .await;
    assert_eq!(
        (asked.status, asked.stdout.as_str()),
        (Some(5), ""),
        "{asked:?}"
    );
    let status = scene.beckon.command(&["status"]).await;
    assert_eq!(
        (status.status, status.stdout.as_str()),
        (Some(5), ""),
        "{status:?}"
    );
    let hook = scene.hook().await;
    assert_eq!(
        (hook.status, hook.stdout.as_str()),
        (Some(0), ""),
        "{hook:?}"
    );
    let python = scene.python();
    assert!(
        !python.status.success() && python.stdout.is_empty(),
        "{python:?}"
    );
    assert!(
        String::from_utf8_lossy(&python.stderr).contains("NotRunning"),
        "{python:?}"
    );
    let plugin = scene.plugin();
    // The plugin looks for a Beckon as soon as its door is open.
    eventually("the plugin's door is open", SOON, async || {
        (!beckon::platform::processes::ports(plugin.pid()?).is_empty()).then_some(())
    })
    .await;
    scene.beckon.start();
    scene.beckon.wait_ready().await;
    eventually("the plugin has found its Beckon", SOON, async || {
        (scene.registered().await == 1).then_some(())
    })
    .await;
    let heard = stranger.heard();
    assert!(!heard.contains(&token), "{heard}");
    for word in ["uthorization", "POST", "password", "Deploy"] {
        assert!(!heard.contains(word), "{word}: {heard}");
    }
    heard
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_takes_the_port_of_a_killed_beckon_hears_nothing() {
    let heard = tells_nothing(Scene::with_socket().await).await;
    assert_eq!(heard, "", "nobody even comes");
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_socket_it_hears_that_it_is_to_prove_itself_and_no_more() {
    let heard = tells_nothing(Scene::without_socket().await).await;
    let nonces: Vec<&str> = heard.matches("GET /proof?nonce=").collect();
    // The clients are ask, status, hook, python and plugin.
    assert!(nonces.len() >= 5, "{heard}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_directory_that_others_may_use_is_closed_by_beckon_and_not_trusted_by_its_clients() {
    use std::os::unix::fs::PermissionsExt;
    let scene = Scene::with_socket().await;
    let run = scene.home.join("run");
    let open = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(&run, open).unwrap();
    let refused = scene.beckon.command(&["list"]).await;
    assert_eq!(refused.status, Some(1), "{refused:?}");
    assert!(refused.stderr.contains("chmod 700"), "{refused:?}");
    assert!(!scene.python().status.success());
    scene.beckon.start();
    scene.beckon.wait_ready().await;
    assert_eq!(
        std::fs::metadata(&run).unwrap().permissions().mode() & 0o777,
        0o700
    );
}

/// The owner of the directory with settings and database could replace them.
#[tokio::test(flavor = "multi_thread")]
async fn a_home_that_belongs_to_another_user_is_not_used() {
    use std::os::unix::fs::{PermissionsExt, chown};
    if !is_another_user() {
        eprintln!("skipped: only root gives a directory away");
        return;
    }
    let beckon = Beckon::builder(env!("CARGO_BIN_EXE_beckon")).build();
    let (theirs, ours) = (beckon.folder().join("theirs"), beckon.folder().join("ours"));
    for home in [&theirs, &ours] {
        std::fs::create_dir(home).unwrap();
        std::fs::write(home.join("config.toml"), "opencode = []\n").unwrap();
        std::fs::set_permissions(home, std::fs::Permissions::from_mode(0o777)).unwrap();
    }
    chown(&theirs, Some(65_534), None).unwrap();
    beckon.set_env("BECKON_HOME", theirs.to_str().unwrap());
    let refused = beckon.command(&["--headless"]).await;
    assert_eq!(refused.status, Some(1), "{refused:?}");
    assert!(
        refused.stderr.contains("Other users of this machine"),
        "{refused:?}"
    );
    let left = std::fs::read_dir(&theirs)
        .unwrap()
        .map(|file| file.unwrap().file_name());
    assert_eq!(left.collect::<Vec<_>>(), ["config.toml"]);
    beckon.set_env("BECKON_HOME", ours.to_str().unwrap());
    beckon.start();
    let ready = beckon.command(&["status", "--wait", "10", "--json"]).await;
    assert_eq!(ready.json()["ready"], true);
    assert_eq!(
        std::fs::metadata(&ours).unwrap().permissions().mode() & 0o777,
        0o755
    );
}

/// An agent's directory may contain anything that calls itself Beckon's.
#[tokio::test(flavor = "multi_thread")]
async fn a_place_that_depends_on_the_directory_is_not_trusted() {
    let scene = Scene::with_socket().await;
    let folder = scene.home.parent().unwrap().to_path_buf();
    scene.beckon.set_env("BECKON_HOME", "home");
    let refused = scene.beckon.command(&["list"]).await;
    assert_eq!(refused.status, Some(1), "{refused:?}");
    assert!(refused.stderr.contains("absolute path"), "{refused:?}");
    let hook = scene.hook().await;
    assert_eq!(
        (hook.status, hook.stdout.as_str()),
        (Some(0), ""),
        "{hook:?}"
    );
    let mut python = scene.python_command();
    let asked = python
        .env("BECKON_HOME", "home")
        .current_dir(&folder)
        .output()
        .unwrap();
    assert!(
        String::from_utf8_lossy(&asked.stderr).contains("NotRunning"),
        "{asked:?}"
    );
    std::fs::create_dir(folder.join("state")).unwrap();
    std::fs::rename(&scene.home, folder.join("state/beckon")).unwrap();
    let asked = python
        .env_remove("BECKON_HOME")
        .env("XDG_STATE_HOME", "state");
    let asked = asked.env("HOME", folder.join("user")).output().unwrap();
    assert!(
        String::from_utf8_lossy(&asked.stderr).contains("NotRunning"),
        "{asked:?}"
    );
    scene.beckon.set_env("BECKON_HOME", "");
    scene.beckon.set_env("XDG_STATE_HOME", "state");
    let list = scene.beckon.command(&["list"]).await;
    assert_eq!(
        list.status,
        Some(5),
        "not running, where it belongs: {list:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_proof_is_told_to_anybody_and_nothing_else_is() {
    let scene = Scene::with_socket().await;
    let (url, token) = (
        scene.endpoint()["url"].clone(),
        scene.endpoint()["token"].clone(),
    );
    let (url, token) = (url.as_str().unwrap(), token.as_str().unwrap());
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let nonce = beckon_client::connection::proof::nonce();
    let proof = client
        .get(format!("{url}/proof?nonce={nonce}"))
        .send()
        .await
        .unwrap();
    assert_eq!(proof.status(), 200);
    let proof = proof.text().await.unwrap();
    assert!(
        beckon_client::connection::proof::is_answer(token, &nonce, proof.as_bytes()),
        "{proof}"
    );
    for path in [
        "/proof",
        "/proof?nonce=",
        "/proof?nonce=0",
        "/proof/",
        "/status",
    ] {
        let refused = client.get(format!("{url}{path}")).send().await.unwrap();
        assert_eq!(refused.status(), 401, "{path}");
    }
    let posted = client
        .post(format!("{url}/proof?nonce={nonce}"))
        .send()
        .await
        .unwrap();
    assert_eq!(posted.status(), 401);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_crowd_of_silent_connections_keeps_nobody_out() {
    let scene = Scene::with_socket().await;
    let pid = scene.beckon.pid().unwrap();
    let _crowd = crowd(scene.port(), CROWD, scene.beckon.folder());
    let begun = Instant::now();
    let list = scene.beckon.command(&["list", "--json"]).await;
    assert_eq!(list.status, Some(0), "{list:?}");
    assert!(
        begun.elapsed() < Duration::from_secs(4),
        "{:?}",
        begun.elapsed()
    );
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let url = format!("{}/status", scene.endpoint()["url"].as_str().unwrap());
    let token = scene.endpoint()["token"].as_str().unwrap().to_owned();
    let status = client
        .get(url)
        .bearer_auth(token)
        .timeout(Duration::from_secs(4))
        .send()
        .await;
    assert_eq!(
        status.unwrap().status(),
        200,
        "others' clients are let in too"
    );
    assert!(open_files(pid) < 600, "{} files are open", open_files(pid));
    eventually("the crowd is turned out", SOON, async || {
        (open_files(pid) < 50).then_some(())
    })
    .await;
}

fn open_files(pid: u32) -> usize {
    std::fs::read_dir(format!("/proc/{pid}/fd"))
        .unwrap()
        .count()
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_does_not_show_the_token_is_turned_out_and_who_has_may_stay() {
    let scene = Scene::with_socket().await;
    let token = scene.endpoint()["token"].as_str().unwrap().to_owned();
    let connect = || TcpStream::connect(("127.0.0.1", scene.port())).unwrap();
    let health = |token: &str| {
        format!("GET /global/health HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {token}\r\n\r\n")
    };
    let mut admitted = connect();
    admitted.write_all(health(&token).as_bytes()).unwrap();
    assert!(answer(&mut admitted).starts_with("HTTP/1.1 200"));
    let mut silent = connect();
    let mut refused = connect();
    refused.write_all(health("wrong").as_bytes()).unwrap();
    assert!(answer(&mut refused).starts_with("HTTP/1.1 401"));
    for stranger in [&mut silent, &mut refused] {
        stranger.set_read_timeout(Some(SOON)).unwrap();
        let ended = stranger.read(&mut [0; 64]);
        let reset = ended
            .as_ref()
            .is_err_and(|e| e.kind() == ErrorKind::ConnectionReset);
        assert!(
            reset || ended.as_ref().is_ok_and(|read| *read == 0),
            "{ended:?}"
        );
    }
    admitted.write_all(health(&token).as_bytes()).unwrap();
    assert!(
        answer(&mut admitted).starts_with("HTTP/1.1 200"),
        "it was there before them"
    );
}

fn answer(stream: &mut TcpStream) -> String {
    let mut told = [0; 4_096];
    let read = stream.read(&mut told).unwrap();
    String::from_utf8_lossy(&told[..read]).into_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_password_is_not_shown_to_another_user_who_listens_at_its_port() {
    if !is_another_user() {
        eprintln!("skipped: only root can be somebody else");
        return;
    }
    let port = free_port();
    let config = |more: &str| {
        format!("[[opencode]]\nname = \"local\"\nurl = \"http://127.0.0.1:{port}\"\n{more}")
    };
    let beckon = Beckon::builder(env!("CARGO_BIN_EXE_beckon")).config(&config(""));
    let beckon = beckon
        .env("BECKON_OPENCODE_PASSWORD_LOCAL", "hunter2")
        .build();
    let stranger = Stranger::listen(port, beckon.folder());
    beckon.start();
    beckon.wait_ready().await;
    let error = eventually("it is said who listens there", SOON, async || {
        let error = beckon.status().await["sources"][0]["error"]
            .as_str()
            .map(str::to_owned)?;
        error.contains("another user").then_some(error)
    })
    .await;
    assert!(error.contains("any_user = true"), "{error}");
    let doctor = beckon.command(&["doctor"]).await.stdout;
    assert!(doctor.contains("another user"), "{doctor}");
    assert_eq!(stranger.heard(), "");

    beckon.write_config(&config("any_user = true\n"));
    eventually("the settings allow it", SOON, async || {
        stranger.heard().contains("/global/event").then_some(())
    })
    .await;
}

/// A Bot API server of one's own may be down like any other server.
#[tokio::test(flavor = "multi_thread")]
async fn the_bots_token_is_not_shown_to_another_user_who_listens_at_its_port() {
    if !is_another_user() {
        eprintln!("skipped: only root can be somebody else");
        return;
    }
    let port = free_port();
    let config = |more: &str| {
        format!("opencode = []\n[telegram]\napi_url = \"http://127.0.0.1:{port}\"\n{more}")
    };
    let beckon = Beckon::builder(env!("CARGO_BIN_EXE_beckon")).config(&config(""));
    let beckon = beckon.env("BECKON_TELEGRAM_TOKEN", "123456:secret").build();
    // A proxy of the environment is not used for connections within this machine.
    beckon.set_env("HTTP_PROXY", &format!("http://127.0.0.1:{port}"));
    let stranger = Stranger::listen(port, beckon.folder());
    beckon.start();
    beckon.wait_ready().await;
    let error = eventually("it is said who listens there", SOON, async || {
        let status = beckon.status().await;
        let error = status["channels"]["telegram"]["error"]
            .as_str()
            .map(str::to_owned)?;
        error.contains("another user").then_some(error)
    })
    .await;
    assert!(error.contains("any_user = true"), "{error}");
    assert_eq!(stranger.heard(), "");

    beckon.write_config(&config("any_user = true\n"));
    eventually("the settings allow it", SOON, async || {
        stranger.heard().contains("/getMe").then_some(())
    })
    .await;
}

/// Plays Beckon at its socket, and returns what is registered there.
async fn registration(run: &Path) -> Value {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let listener = tokio::net::UnixListener::bind(run.join("beckon.sock")).unwrap();
    let endpoint = json!({ "url": "http://127.0.0.1:1", "token": "t", "socket": "beckon.sock" });
    std::fs::write(run.join("endpoint.json"), endpoint.to_string()).unwrap();
    let (mut stream, _) = listener.accept().await.unwrap();
    let mut heard = Vec::new();
    loop {
        stream.read_buf(&mut heard).await.unwrap();
        let text = String::from_utf8_lossy(&heard).into_owned();
        let Some((_, body)) = text.split_once("\r\n\r\n") else {
            continue;
        };
        if let Ok(registration) = serde_json::from_str(body) {
            stream
                .write_all(b"HTTP/1.0 201 Created\r\n\r\n{}")
                .await
                .unwrap();
            return registration;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_door_in_node_reads_nothing_of_a_stranger_and_only_so_much_of_beckon() {
    use std::os::unix::fs::DirBuilderExt;
    let beckon = Beckon::builder(env!("CARGO_BIN_EXE_beckon")).build();
    let scene = Scene {
        home: beckon.home(),
        beckon,
    };
    let run = scene.home.join("run");
    std::fs::DirBuilder::new().mode(0o700).create(&run).unwrap();
    let plugin = scene.plugin();
    let door = tokio::time::timeout(SOON, registration(&run))
        .await
        .unwrap();
    let address = door["url"]
        .as_str()
        .unwrap()
        .trim_start_matches("http://")
        .to_owned();
    let secret = door["password"].as_str().unwrap();

    let before = memory(plugin.pid().unwrap());
    let (sent, status) = pour(&address, "authorization: Basic eDp5\r\n");
    assert!(sent < 32 << 20, "{sent} bytes were taken from a stranger");
    assert!(
        status.is_empty() || status.starts_with("HTTP/1.1 401"),
        "{status}"
    );
    let grown = memory(plugin.pid().unwrap()).saturating_sub(before);
    assert!(grown < 64 << 10, "{grown} KiB for a stranger");

    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let post = |body: Vec<u8>| {
        let post = client.post(format!("http://{address}/question/que_1/reply"));
        post.basic_auth("opencode", Some(secret)).body(body).send()
    };
    assert_eq!(
        post(b"{}".to_vec()).await.unwrap().status(),
        404,
        "no such question"
    );
    // A body that is too large is refused, or the connection is closed while it is still being
    // sent.
    match post(vec![b' '; 5 << 20]).await {
        Ok(response) => assert_eq!(response.status(), 413),
        Err(error) => assert!(error.is_request(), "{error:?}"),
    }
    assert_eq!(
        post(b"{}".to_vec()).await.unwrap().status(),
        404,
        "the door still stands"
    );
}

/// Sends up to 256 MB; returns how much was taken, and the response.
fn pour(address: &str, login: &str) -> (usize, String) {
    let mut stream = TcpStream::connect(address).unwrap();
    stream
        .set_write_timeout(Some(Duration::from_secs(5)))
        .unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(5)))
        .unwrap();
    let head = format!("POST /a HTTP/1.1\r\nhost: x\r\n{login}content-length: 268435456\r\n\r\n");
    stream.write_all(head.as_bytes()).unwrap();
    let chunk = vec![b'x'; 1 << 20];
    let sent = (0..256)
        .take_while(|_| stream.write_all(&chunk).is_ok())
        .count();
    let mut told = String::new();
    let _ = stream.read_to_string(&mut told);
    (sent << 20, told)
}

/// Returns how much memory a process occupies, in KiB.
fn memory(pid: u32) -> usize {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))
        .unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

/// The files that a running Beckon leaves in `run/`.
const LEFT: [&str; 3] = ["endpoint.json", "beckon.sock", "here"];

async fn here(scene: &Scene) {
    scene.beckon.command(&["presence", "here"]).await;
    eventually("the marker is there", SOON, async || {
        LEFT.iter()
            .all(|file| scene.home.join("run").join(file).exists())
            .then_some(())
    })
    .await;
}

fn signal(pid: u32, signal: &str) {
    let sent = Command::new("kill")
        .args([signal, &pid.to_string()])
        .status()
        .unwrap();
    assert!(sent.success());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_terminal_that_closes_ends_it_tidily() {
    for word in ["-HUP", "-QUIT", "-TERM", "-INT"] {
        let scene = Scene::with_socket().await;
        here(&scene).await;
        signal(scene.beckon.pid().unwrap(), word);
        eventually("it has ended", SOON, async || {
            (!scene.beckon.is_running()).then_some(())
        })
        .await;
        for file in LEFT {
            assert!(
                std::fs::symlink_metadata(scene.home.join("run").join(file)).is_err(),
                "{word}: {file}"
            );
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_beckon_leaves_nobody_here() {
    let scene = Scene::with_socket().await;
    here(&scene).await;
    scene.beckon.kill9();
    assert!(
        !scene.home.join("run/here").exists(),
        "Claude Code would send no push"
    );
    scene.beckon.start();
    scene.beckon.wait_ready().await;
    here(&scene).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn under_nohup_it_outlives_its_terminal() {
    let beckon = Beckon::builder(env!("CARGO_BIN_EXE_beckon"))
        .config("opencode = []\n")
        .build();
    let prepared = beckon.prepare(&[]);
    let mut shell = Command::new("sh");
    shell
        .args(["-c", "trap '' HUP; exec \"$0\" --headless"])
        .arg(prepared.get_program());
    shell.env_clear().envs(
        prepared
            .get_envs()
            .filter_map(|(name, value)| Some((name, value?))),
    );
    let mut process = Process::spawn({
        shell
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        shell
    });
    beckon.wait_ready().await;
    signal(process.pid().unwrap(), "-HUP");
    let status = beckon.command(&["status", "--json"]).await;
    assert!(
        status.status == Some(0) && process.is_running(),
        "{status:?}"
    );
    signal(process.pid().unwrap(), "-TERM");
    eventually("it has ended", SOON, async || {
        (!process.is_running()).then_some(())
    })
    .await;
}
