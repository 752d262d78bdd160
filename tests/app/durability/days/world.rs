//! The world of a day: the real program between a real OpenCode, a strict notification daemon, a
//! strict Telegram and a logind that does as the script says. A log tells what happens there.

use super::script::{Event, KillKind, Script, Sign};
use crate::common::phone::Phone;
use crate::common::{SOON, config};
use beckon_support::beckon::{Beckon, Builder};
use beckon_support::bus::Bus;
use beckon_support::eventually;
use beckon_support::model::{Model, Step, script};
use beckon_support::notifications::{Notifications, Shown};
use beckon_support::opencode::{OpenCode, Version};
use beckon_support::presence::Logind;
use beckon_support::telegram::{self, Message};
use beckon_support::wiretap::Wiretap;
use reqwest::Method;
use serde_json::Value;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The factor by which Telegram's limits pass faster, so that a day is short.
const HURRY: u32 = 100;

/// The agent's server, which lives through many days: only Beckon is killed.
pub(super) struct Office {
    pub(super) opencode: OpenCode,
    _model: Model,
}

impl Office {
    pub(super) async fn open() -> Self {
        let model = Model::start();
        let opencode = OpenCode::start(Version::V1_18_33, &model).await;
        let office = Self {
            opencode,
            _model: model,
        };
        // The first turn of a server takes seconds.
        let session = office.begin(&[Step::Text("Good morning".to_owned())]).await;
        eventually("a first turn", SOON, async || {
            office.is_over(&session).await.then_some(())
        })
        .await;
        office
    }

    /// Begins a session in which the model plays these steps; returns its id.
    pub(super) async fn begin(&self, steps: &[Step]) -> String {
        let directory = self.opencode.directory();
        let session = self.opencode.session(directory, "A day").await;
        self.opencode
            .prompt(&session, directory, &script(steps))
            .await;
        session
    }

    /// Tells whether the session is idle, and the last message is the model's.
    pub(super) async fn is_over(&self, session: &str) -> bool {
        let Some(busy) = self.ask("/session/status").await else {
            return false;
        };
        if busy.get(session).is_some() {
            return false;
        }
        let messages = self
            .ask(&format!("/session/{session}/message"))
            .await
            .unwrap_or_default();
        let last = messages.as_array().and_then(|messages| messages.last());
        last.is_some_and(|message| message["info"]["role"] == "assistant")
    }

    /// Reads a path of the server; `None` if the server is too busy to respond.
    async fn ask(&self, path: &str) -> Option<Value> {
        let request = self.opencode.request(Method::GET, path);
        let request = request.query(&[("directory", self.opencode.directory())]);
        let response = request.timeout(Duration::from_secs(5)).send().await.ok()?;
        response.json().await.ok()
    }
}

pub(super) struct World {
    pub(super) beckon: Beckon,
    pub(super) phone: Phone,
    pub(super) wire: Wiretap,
    pub(super) logind: Logind,
    pub(super) office: Arc<Office>,
    pub(super) began: Instant,
    /// The number of the human's answers.
    pub(super) answered: AtomicUsize,
    daemon: Mutex<Notifications>,
    log: Mutex<Vec<String>>,
    _buses: [Bus; 2],
}

impl World {
    /// Begins a day: everything runs, and the phone is paired.
    pub(super) async fn begin(office: Arc<Office>, script: &Script) -> Self {
        let world = Self::with(office, "", |program| match script.kill.kind {
            KillKind::PowerCut => program.cuttable(),
            KillKind::Kill9 | KillKind::Stop => program,
        });
        let world = world.await;
        world.wire.slow(script.wire.0, script.wire.1);
        world
    }

    /// Begins likewise, with more settings, and the program as `tune` makes it.
    pub(super) async fn with(
        office: Arc<Office>,
        more: &str,
        tune: impl FnOnce(Builder) -> Builder,
    ) -> Self {
        let (phone, session, system) = (Phone::new(), Bus::start(), Bus::start());
        phone.telegram.hurry_rates(HURRY);
        let (daemon, logind) = (Notifications::start(&session), Logind::start(&system));
        let wire = Wiretap::start(&office.opencode.url());
        let program = std::env::var("BECKON_DAYS_PROGRAM");
        let program = program.unwrap_or_else(|_| env!("CARGO_BIN_EXE_beckon").to_owned());
        let program = Beckon::builder(program);
        let program = Phone::knows_token(program.bus(&session).system_bus(&system))
            .env("BECKON_TEST_TELEGRAM_TIMES", HURRY.to_string())
            .config(&(config(&wire.url()) + more + &phone.config()));
        let beckon = tune(program).start();
        beckon.wait_ready().await;
        phone.pair(&beckon).await;
        phone.telegram.wait_polled(SOON).await;
        Self {
            beckon,
            phone,
            wire,
            logind,
            office,
            began: Instant::now(),
            answered: AtomicUsize::new(0),
            daemon: Mutex::new(daemon),
            log: Mutex::default(),
            _buses: [session, system],
        }
    }

    pub(super) fn daemon(&self) -> MutexGuard<'_, Notifications> {
        self.daemon.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn tell(&self, what: &str) {
        let line = format!("{:>6} ms  {what}", self.began.elapsed().as_millis());
        self.log
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(line);
    }

    /// Clears the log, which is of no interest any more.
    pub(super) fn forget(&self) {
        self.log
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clear();
    }

    pub(super) fn log(&self) -> String {
        self.log
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .join("\n")
    }

    /// Returns the number of signs of all kinds so far.
    pub(super) fn happened(&self) -> usize {
        let signs = [
            Sign::Asked,
            Sign::Notified,
            Sign::Sent,
            Sign::Answered,
            Sign::Posted,
        ];
        signs.into_iter().map(|sign| self.count(sign)).sum()
    }

    /// Returns how often that sign was seen so far.
    pub(super) fn count(&self, sign: Sign) -> usize {
        match sign {
            Sign::Asked => self.wire.asked_count(),
            Sign::Notified => self.daemon().count(),
            // The first message greets the person who was paired.
            Sign::Sent => self
                .phone
                .telegram
                .count_of(telegram::Method::SendMessage)
                .saturating_sub(1),
            Sign::Answered => self.answered.load(Ordering::Relaxed),
            Sign::Posted => self.wire.posted_count(),
        }
    }

    /// Returns the notifications with a button; a hint has none.
    pub(super) fn notifications(&self) -> Vec<Shown> {
        let mut open = self.daemon().open();
        open.retain(|shown| !shown.actions.is_empty());
        open
    }

    /// Returns the messages with a button.
    pub(super) fn messages(&self) -> Vec<Message> {
        self.phone.open_cards()
    }

    pub(super) async fn befall(&self, event: Event) {
        self.tell(&format!("{event:?}"));
        match event {
            Event::Lock(locked) => self.logind.set_locked(locked),
            Event::Sleep(asleep) => self.logind.prepare_for_sleep(asleep),
            Event::DaemonRestarts => self.daemon().start_again(),
            Event::TelegramFails(method, fault) => self.phone.telegram.fail(method, 1, fault),
            Event::ServerHangs(span) => {
                self.office.opencode.stop();
                tokio::time::sleep(span).await;
                self.office.opencode.cont();
            }
        }
    }
}
