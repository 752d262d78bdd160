//! A scene in which Beckon watches no server, so that all asks come through Beckon itself.

use super::{SOON, noted, restarted};
use beckon_support::beckon::Beckon;
use beckon_support::bus::Bus;
use beckon_support::eventually;
use beckon_support::notifications::{Notifications, Shown};
use serde_json::Value;
use std::process::Stdio;
use tokio::process::Child;

/// The running Beckon and its notification daemon.
pub(crate) struct Scene {
    pub(crate) beckon: Beckon,
    pub(crate) daemon: Notifications,
    _bus: Bus,
}

impl Scene {
    pub(crate) async fn start() -> Self {
        let bus = Bus::start();
        let daemon = Notifications::start(&bus);
        let beckon = super::beckon(&bus, "opencode = []\n");
        beckon.wait_ready().await;
        Self {
            beckon,
            daemon,
            _bus: bus,
        }
    }

    /// Starts `beckon ask` with these arguments.
    pub(crate) fn ask(&self, arguments: &[&str]) -> Child {
        let mut command = self.beckon.prepare(&[&["ask"], arguments].concat());
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        tokio::process::Command::from(command)
            .kill_on_drop(true)
            .spawn()
            .unwrap()
    }

    pub(crate) async fn shown(&self, title: &str) -> Shown {
        let shown = self
            .daemon
            .wait_for(|shown| shown.summary.ends_with(title), SOON)
            .await;
        noted(&self.beckon, &shown).await;
        shown
    }

    pub(crate) async fn press(&self, title: &str, label: &str) {
        self.daemon.press_titled(title, label, SOON).await;
    }

    /// Restarts Beckon, and presses a button once the notification is shown over the new
    /// connection.
    pub(crate) async fn press_anew(&self, title: &str, label: &str) {
        let shown = restarted(&self.beckon, &self.daemon, title).await;
        self.daemon.press(shown.id, shown.action(label).unwrap());
    }

    pub(crate) async fn one_open(&self) -> String {
        eventually("one open ask", SOON, async || {
            let list = self.beckon.list().await;
            let [only] = list.as_slice() else { return None };
            only["id"].as_str().map(str::to_owned)
        })
        .await
    }

    pub(crate) async fn nothing_left(&self) {
        eventually("an empty list", SOON, async || {
            self.beckon.list().await.is_empty().then_some(())
        })
        .await;
        self.daemon.wait_empty(SOON).await;
        assert_eq!(self.daemon.violations(), Vec::<String>::new());
    }

    pub(crate) async fn send(&self, method: &str, path: &str, body: Option<Value>) -> (u16, Value) {
        let endpoint = self.beckon.endpoint().unwrap();
        let (url, token) = (
            endpoint["url"].as_str().unwrap(),
            endpoint["token"].as_str().unwrap(),
        );
        let method = method.parse().unwrap();
        let mut request = reqwest::Client::new().request(method, format!("{url}{path}"));
        if let Some(body) = body {
            request = request.json(&body);
        }
        let response = request.bearer_auth(token).send().await.unwrap();
        (response.status().as_u16(), response.json().await.unwrap())
    }

    pub(crate) async fn ticket(&self, body: Value) -> String {
        let (status, asked) = self.send("POST", "/question", Some(body)).await;
        assert_eq!(status, 201, "{asked}");
        asked["id"].as_str().unwrap().to_owned()
    }

    pub(crate) async fn look(&self, id: &str) -> Value {
        let (status, seen) = self.send("GET", &format!("/question/{id}"), None).await;
        assert_eq!(status, 200, "{seen}");
        seen
    }
}
