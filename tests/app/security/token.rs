//! Tests that the bot's token is in the keychain, or in the environment variable that its owner
//! chose, and nowhere else: in no file, log line, argument, message on the bus, error or debug
//! text.
//!
//! The output of a panic is tested where the log is written, in `logs.rs`. `/proc/PID/environ`
//! shows the variable; that is its owner's choice.

use beckon::channels::telegram::{ApiAddress, check};
use beckon_client::connection::Client;

use crate::common::{self, DIRECTORY, SESSION, SOON, yes_or_no};
use beckon_client::config::{self, OpenCodeServer};
use beckon_client::connection::endpoint::Endpoint;
use beckon_client::platform::paths::Paths;
use beckon_client::platform::secret::Secret;
use beckon_support::beckon::{Beckon, Builder};
use beckon_support::bus::{Bus, Monitor};
use beckon_support::eventually;
use beckon_support::keyring::Keyring;
use beckon_support::replay::{Kind, Replay};
use beckon_support::telegram::{ChatId, Fault, Method, TOKEN, Telegram};
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A token that Telegram does not know; it must be kept secret as well.
const STRANGE: &str = "7000000001:AANobodyKnowsThisOneEither_0123456789";

/// Returns the parts that tell tokens apart: what follows the bot's number.
fn needles() -> [&'static [u8]; 2] {
    [TOKEN, STRANGE].map(|token| token.split_once(':').unwrap().1.as_bytes())
}

fn holds(bytes: &[u8]) -> bool {
    needles()
        .iter()
        .any(|needle| memchr::memmem::find(bytes, needle).is_some())
}

/// The stage: a Beckon that logs everything, an agent, a Telegram, and a bus whose messages are
/// recorded.
struct Stage {
    beckon: Beckon,
    telegram: Telegram,
    replay: Replay,
    monitor: Monitor,
    arguments: Arguments,
    bus: Bus,
}

impl Stage {
    fn new(set: impl FnOnce(Builder) -> Builder) -> Self {
        let (bus, telegram, replay) = (Bus::start(), Telegram::start(), Replay::start());
        replay.session(SESSION, DIRECTORY, "A session");
        let config = format!(
            "{}[telegram]\nforward = \"always\"\napi_url = \"{}\"\n",
            common::config(&replay.url()),
            telegram.url()
        );
        let beckon = Beckon::builder(env!("CARGO_BIN_EXE_beckon"))
            .bus(&bus)
            .config(&config);
        let beckon = set(beckon.env("BECKON_LOG", "trace")).build();
        let (monitor, arguments) = (bus.monitor(), Arguments::watch());
        Self {
            beckon,
            telegram,
            replay,
            monitor,
            arguments,
            bus,
        }
    }

    async fn start(&self) {
        self.beckon.start();
        self.beckon.wait_ready().await;
    }

    async fn wait_state(&self, state: &str) {
        eventually(&format!("Telegram is {state}"), SOON, async || {
            let status = self.beckon.status().await;
            (status["channels"]["telegram"]["state"] == state).then_some(())
        })
        .await;
    }

    /// Pairs a person and answers an ask, while Telegram fails in every way.
    async fn ordeal(&self) {
        self.wait_state("works").await;
        let link = self
            .beckon
            .command(&["telegram", "pair", "--json"])
            .await
            .json();
        let ann = self.telegram.user("Ann");
        self.telegram
            .start_link(ann, link["code"].as_str().unwrap());
        let chat = ChatId::from(ann);
        self.telegram
            .wait_for(chat, |card| card.text.contains("Paired"), SOON)
            .await;
        let faults = [
            Fault::ServerError(502),
            Fault::TooManyRequests(1),
            Fault::Cut,
        ];
        for method in [
            Method::SendMessage,
            Method::EditMessageText,
            Method::GetUpdates,
        ] {
            faults
                .iter()
                .for_each(|fault| self.telegram.fail(method, 1, *fault));
        }
        self.replay
            .ask(Kind::Question, DIRECTORY, yes_or_no("que_1", "Go on?"))
            .await;
        let card = self
            .telegram
            .wait_for(chat, |card| card.text.contains("Go on?"), SOON)
            .await;
        self.telegram.tap(ann, chat, card.id, "Yes");
        eventually("the answer arrives", SOON, async || {
            (self.replay.replies().len() == 1).then_some(())
        })
        .await;
        self.telegram.rival(true);
        self.wait_state("down").await;
    }

    /// Makes Telegram unreachable and silent, and kills Beckon in between.
    async fn out_of_reach(&mut self) {
        self.telegram.down();
        self.beckon.kill9();
        self.start().await;
        self.wait_state("down").await;
        self.telegram.rival(false);
        self.telegram.up();
        self.wait_state("works").await;
        self.telegram.fail_next(1, Fault::Hang);
        self.beckon.command(&["telegram", "test"]).await;
        for arguments in [["status"], ["list"], ["doctor"]] {
            let output = self.beckon.command(&arguments).await;
            assert!(!holds(format!("{output:?}").as_bytes()), "{output:?}");
        }
    }

    /// Searches everything that was written and sent for the tokens.
    fn expect_nowhere(self) {
        assert_eq!(
            files_with_it(self.beckon.folder()),
            Vec::<PathBuf>::new(),
            "while it runs"
        );
        self.beckon.terminate();
        assert_eq!(files_with_it(self.beckon.folder()), Vec::<PathBuf>::new());
        let log = self.beckon.stderr();
        assert!(
            log.contains(" TRACE ") && log.contains("hyper"),
            "the libraries log too"
        );
        assert!(!log.contains("[redacted]"), "nobody even tried to log it");
        let logs = std::fs::read_dir(self.beckon.home().join("logs")).unwrap();
        assert!(logs.count() > 0, "and there is a file");
        let heard = self.monitor.heard();
        assert!(heard.len() > 10, "the bus was overheard: {}", heard.len());
        for message in &heard {
            assert!(!holds(message.data()), "{message:?}");
        }
        let (seen, with_it) = self.arguments.end();
        assert!(
            seen.iter().any(|line| line.contains("--headless")),
            "programs were seen: {seen:?}"
        );
        assert_eq!(with_it, Vec::<String>::new());
    }
}

fn files_with_it(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap().filter_map(Result::ok) {
        let path = entry.path();
        match entry.file_type().unwrap() {
            kind if kind.is_dir() => found.extend(files_with_it(&path)),
            kind if kind.is_file() && holds(&std::fs::read(&path).unwrap_or_default()) => {
                found.push(path);
            }
            _ => {}
        }
    }
    found
}

/// A watcher of the arguments of this process's children and theirs.
struct Arguments {
    seen: Arc<Mutex<BTreeSet<String>>>,
    over: Arc<AtomicBool>,
    watcher: std::thread::JoinHandle<()>,
}

impl Arguments {
    fn watch() -> Self {
        let (seen, over) = (Arc::<Mutex<BTreeSet<String>>>::default(), Arc::default());
        let (paper, stop) = (Arc::clone(&seen), Arc::<AtomicBool>::clone(&over));
        let watcher = std::thread::spawn(move || {
            while !stop.load(Ordering::Relaxed) {
                paper
                    .lock()
                    .unwrap()
                    .extend(arguments_below(std::process::id()));
                std::thread::sleep(Duration::from_millis(5));
            }
        });
        Self {
            seen,
            over,
            watcher,
        }
    }

    /// Ends the watcher; returns all arguments that were seen, and those that contain a token.
    fn end(self) -> (Vec<String>, Vec<String>) {
        self.over.store(true, Ordering::Relaxed);
        self.watcher.join().unwrap();
        let seen: Vec<String> = self.seen.lock().unwrap().iter().cloned().collect();
        let with_it = seen
            .iter()
            .filter(|line| holds(line.as_bytes()))
            .cloned()
            .collect();
        (seen, with_it)
    }
}

fn arguments_below(parent: u32) -> Vec<String> {
    let children = format!("/proc/{parent}/task");
    let tasks = std::fs::read_dir(children)
        .into_iter()
        .flatten()
        .filter_map(Result::ok);
    let children = tasks.filter_map(|t| std::fs::read_to_string(t.path().join("children")).ok());
    let mut found = Vec::new();
    for child in children.collect::<String>().split_whitespace() {
        let line = std::fs::read(format!("/proc/{child}/cmdline")).unwrap_or_default();
        found.push(String::from_utf8_lossy(&line).replace('\0', " "));
        found.extend(arguments_below(child.parse().unwrap()));
    }
    found
}

/// Logs in at a terminal, which must not show what is typed; returns its output.
fn login_at_a_terminal(beckon: &Beckon, token: &str) -> String {
    let login = beckon.prepare(&["telegram", "login"]);
    let line = format!("{} telegram login", login.get_program().display());
    let mut command = Command::new("script");
    command.env_clear().envs(
        login
            .get_envs()
            .filter_map(|(name, value)| Some((name, value?))),
    );
    command.args(["--quiet", "--return", "--command", &line, "/dev/null"]);
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = piped.spawn().unwrap();
    let mut screen = BufReader::new(child.stdout.take().unwrap());
    let mut shown = Vec::new();
    screen.read_until(b':', &mut shown).unwrap();
    let mut keyboard = child.stdin.take().unwrap();
    keyboard.write_all(format!("{token}\n").as_bytes()).unwrap();
    screen.read_to_end(&mut shown).unwrap();
    drop(keyboard);
    let shown = String::from_utf8_lossy(&shown).into_owned();
    assert!(child.wait().unwrap().success(), "{shown}");
    shown
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_from_the_keychain_is_nowhere_else() {
    let mut stage = Stage::new(|builder| builder);
    let keyring = Keyring::start(&stage.bus);
    stage.start().await;
    let faults = [
        Fault::ServerError(502),
        Fault::TooManyRequests(1),
        Fault::Cut,
    ];
    for fault in faults {
        stage.telegram.fail(Method::GetMe, 1, fault);
        let login = stage
            .beckon
            .command_with_input(&["telegram", "login"], TOKEN)
            .await;
        assert_eq!(login.status, Some(1), "{fault:?}: {login:?}");
        assert!(!holds(login.stderr.as_bytes()), "{login:?}");
    }
    let login = stage
        .beckon
        .command_with_input(&["telegram", "login"], STRANGE)
        .await;
    assert!(
        login.status == Some(1) && !holds(login.stderr.as_bytes()),
        "{login:?}"
    );
    let shown = login_at_a_terminal(&stage.beckon, TOKEN);
    assert!(
        shown.contains("is in the keychain") && !holds(shown.as_bytes()),
        "{shown}"
    );

    stage.ordeal().await;
    stage.out_of_reach().await;
    assert_eq!(
        files_with_it(keyring.home()),
        Vec::<PathBuf>::new(),
        "the keyring is encrypted"
    );
    let heard = stage.monitor.heard();
    for member in ["CreateItem", "GetSecret"] {
        let called = heard
            .iter()
            .any(|m| m.header().member().is_some_and(|m| m == member));
        assert!(called, "{member} was overheard");
    }
    stage.expect_nowhere();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_from_the_environment_is_nowhere_else() {
    let mut stage = Stage::new(|builder| builder.env("BECKON_TELEGRAM_TOKEN", TOKEN));
    stage.start().await;
    stage.ordeal().await;
    stage.out_of_reach().await;
    stage.expect_nowhere();
}

fn at(url: &str) -> ApiAddress {
    (&config::TelegramConfig {
        api_url: url.into(),
        ..config::TelegramConfig::default()
    })
        .into()
}

#[tokio::test(flavor = "multi_thread")]
async fn no_error_names_it() {
    let mut telegram = Telegram::start();
    let (token, address) = (Secret::new(TOKEN.into()), telegram.url());
    let mut errors = Vec::new();
    for fault in [
        Fault::ServerError(502),
        Fault::TooManyRequests(1),
        Fault::Cut,
    ] {
        telegram.fail(Method::GetMe, 1, fault);
        errors.push(check(&at(&address), &token).await.unwrap_err());
    }
    errors.push(
        check(&at(&address), &Secret::new(STRANGE.into()))
            .await
            .unwrap_err(),
    );
    errors.push(check(&at("http://no such host"), &token).await.unwrap_err());
    telegram.down();
    errors.push(check(&at(&address), &token).await.unwrap_err());
    for error in errors {
        let text = format!("{error} {error:#} {error:?} {error:#?}");
        assert!(!holds(text.as_bytes()), "{text}");
    }
}

#[test]
fn no_type_that_holds_a_secret_prints_it() {
    let token = Secret::new(TOKEN.into());
    let server = OpenCodeServer {
        password: Some(token.clone()),
        ..OpenCodeServer::default()
    };
    let (url, version) = ("http://127.0.0.1:1".to_owned(), "1".to_owned());
    let socket = None;
    let endpoint = Endpoint {
        url,
        token: TOKEN.into(),
        pid: 1,
        version,
        socket,
    };
    let home = tempfile::tempdir().unwrap();
    let paths = Paths::below(home.path());
    paths.create().unwrap();
    std::fs::write(&paths.endpoint, serde_json::to_string(&endpoint).unwrap()).unwrap();
    let client = Client::new(&paths).unwrap();
    let printed = [
        format!("{token:?} {token:#?}"),
        format!("{server:?} {server:#?}"),
        format!("{endpoint:?} {endpoint:#?}"),
        format!("{client:?} {client:#?}"),
    ];
    for text in printed {
        assert!(!holds(text.as_bytes()), "{text}");
    }
}
