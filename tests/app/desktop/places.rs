//! Tests that it rings in the right place, once: sixteen lives of an ask with the real program. The
//! table of all sixty-four is the core's (`core/tests/stories/right_place.rs`).

use crate::common::phone::Phone;
use crate::common::{DIRECTORY, SESSION, SOON, config, yes_or_no};
use beckon_support::beckon::Beckon;
use beckon_support::bus::Bus;
use beckon_support::eventually;
use beckon_support::notifications::Notifications;
use beckon_support::presence::Logind;
use beckon_support::replay::{Kind, Replay};

/// The act of the human.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Move {
    Stays,
    Locks,
    /// Says that they are here, and locks the screen.
    SaysHere,
    SaysAway,
}

/// The moment of the act.
#[derive(Clone, Copy, Debug, PartialEq)]
enum At {
    Before,
    Asked,
}

/// The places where the ask is shown.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
struct Seen {
    desk: bool,
    phone: bool,
}

const NOWHERE: Seen = Seen {
    desk: false,
    phone: false,
};
const DESK: Seen = Seen {
    desk: true,
    phone: false,
};
const PHONE: Seen = Seen {
    desk: false,
    phone: true,
};
const BOTH: Seen = Seen {
    desk: true,
    phone: true,
};

/// A row of the table: the human sits at the desk and does the first at the second, and the third
/// says whether notifications work; then the places where the ask is shown when it is asked, and in
/// the end.
type Row = (Move, At, bool, Seen, Seen);

const TABLE: [Row; 16] = [
    (Move::Stays, At::Before, true, DESK, DESK),
    (Move::Stays, At::Asked, true, DESK, DESK),
    (Move::Stays, At::Before, false, PHONE, PHONE),
    (Move::Stays, At::Asked, false, PHONE, PHONE),
    (Move::Locks, At::Before, true, BOTH, BOTH),
    (Move::Locks, At::Asked, true, DESK, BOTH),
    (Move::Locks, At::Before, false, PHONE, PHONE),
    (Move::Locks, At::Asked, false, PHONE, PHONE),
    (Move::SaysHere, At::Before, true, DESK, DESK),
    (Move::SaysHere, At::Asked, true, DESK, DESK),
    (Move::SaysHere, At::Before, false, PHONE, PHONE),
    (Move::SaysHere, At::Asked, false, PHONE, PHONE),
    (Move::SaysAway, At::Before, true, BOTH, BOTH),
    (Move::SaysAway, At::Asked, true, DESK, BOTH),
    (Move::SaysAway, At::Before, false, PHONE, PHONE),
    (Move::SaysAway, At::Asked, false, PHONE, PHONE),
];

#[tokio::test(flavor = "multi_thread")]
async fn an_ask_rings_once_where_the_human_is_and_goes_from_everywhere_else() {
    for (moves, at, notifications, asked, finally) in TABLE {
        let row = format!("{moves:?} {at:?} notifications: {notifications}");
        let life = Life::start(notifications).await;
        if at == At::Before {
            life.go(moves).await;
        }
        life.ask().await;
        life.is_seen(asked, &row).await;
        if at == At::Asked {
            life.go(moves).await;
        }
        life.is_seen(finally, &row).await;
        life.ends(finally, &row).await;
    }
}

struct Life {
    beckon: Beckon,
    daemon: Option<Notifications>,
    replay: Replay,
    phone: Phone,
    logind: Logind,
    _buses: [Bus; 2],
}

impl Life {
    async fn start(notifications: bool) -> Self {
        let (replay, phone, session, system) =
            (Replay::start(), Phone::new(), Bus::start(), Bus::start());
        replay.session(SESSION, DIRECTORY, "A session");
        let logind = Logind::start(&system);
        logind.set_idle(false);
        let daemon = notifications.then(|| Notifications::start(&session));
        let program = Phone::knows_token(Beckon::builder(env!("CARGO_BIN_EXE_beckon")));
        let settings = config(&replay.url()) + &phone.config();
        let beckon = program
            .bus(&session)
            .system_bus(&system)
            .config(&settings)
            .start();
        beckon.wait_ready().await;
        logind.wait_watched().await;
        phone.pair(&beckon).await;
        let life = Self {
            beckon,
            daemon,
            replay,
            phone,
            logind,
            _buses: [session, system],
        };
        life.counts_as("here", false).await;
        life
    }

    async fn go(&self, moves: Move) {
        if matches!(moves, Move::SaysHere | Move::SaysAway) {
            let word = if moves == Move::SaysHere {
                "here"
            } else {
                "away"
            };
            assert_eq!(
                self.beckon.command(&["presence", word]).await.status,
                Some(0)
            );
        }
        if matches!(moves, Move::Locks | Move::SaysHere) {
            self.logind.set_locked(true);
            self.counts_as("locked", moves == Move::Locks).await;
        }
    }

    async fn counts_as(&self, state: &str, away: bool) {
        eventually(&format!("{state}, away: {away}"), SOON, async || {
            let presence = self.beckon.status().await["presence"].clone();
            (presence["state"] == state && presence["away"] == away).then_some(())
        })
        .await;
    }

    async fn ask(&self) {
        self.replay
            .ask(Kind::Question, DIRECTORY, yes_or_no("que_1", "Go on?"))
            .await;
        eventually("a listed ask", SOON, async || {
            (self.beckon.list().await.len() == 1).then_some(())
        })
        .await;
    }

    /// Waits until the ask is shown where it should be; that it was nowhere else is checked at the
    /// end.
    async fn is_seen(&self, seen: Seen, row: &str) {
        eventually(&format!("{row}: {seen:?}"), SOON, async || {
            (self.seen() == seen).then_some(())
        })
        .await;
    }

    fn seen(&self) -> Seen {
        let desk = self
            .daemon
            .as_ref()
            .is_some_and(|daemon| !daemon.open().is_empty());
        Seen {
            desk,
            phone: !self.phone.open_cards().is_empty(),
        }
    }

    /// Answers in a terminal: the ask must go from everywhere, and each place must have rung once
    /// or never.
    async fn ends(&self, seen: Seen, row: &str) {
        assert_eq!(
            self.beckon
                .command(&["answer", "que_1", "--choice", "1"])
                .await
                .status,
            Some(0)
        );
        self.is_seen(NOWHERE, row).await;
        let rang = eventually(
            &format!("{row}: the phone says how it ended"),
            SOON,
            async || {
                let messages = self.phone.telegram.messages(self.phone.chat);
                let about: Vec<_> = messages
                    .iter()
                    .filter(|it| it.text.contains("Go on?"))
                    .collect();
                let ended = about.iter().all(|it| it.text.contains("in a terminal"));
                ended.then_some(about.len())
            },
        )
        .await;
        assert_eq!(rang, usize::from(seen.phone), "{row}");
        let cards = self.daemon.as_ref().map_or(0, |daemon| daemon.all().len());
        assert_eq!(cards, usize::from(seen.desk), "{row}");
        assert_eq!(self.phone.telegram.complaints(), Vec::<String>::new());
    }
}
