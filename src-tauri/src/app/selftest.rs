//! The self-test: a pretend agent asks one question, and every stage that a real question goes
//! through is checked: the loop, the desktop, the answer's way back, the database, Telegram.

use super::inbox::{LoopInput, Mailbox, SetUp};
use super::snapshot::{Bulletin, Snapshot};
use crate::channels::desktop::ChannelState;
use crate::sources::selftest::{NAME, event};
use crate::store::{HistoryReader, HistoryRow};
use beckon_client::platform::clock;
use beckon_client::text::{Texts, Value};
use beckon_client::wire::Finding;
use beckon_client::wire::Standing;
use beckon_core::{
    Answer, Ask, AskContent, AskId, Channel, Choice, Event, News, Question, Reply, Session,
    SourceListing, SourceReport, SourceState, Surface,
};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::broadcast::Receiver;
use tokio::sync::oneshot;

/// The time limit for a stage; one that takes longer counts as not working.
const LEG_WITHIN: Duration = Duration::from_secs(5);
/// The pause before the next check whether a card is gone. It is removed a moment after its ask is
/// settled.
const LOOK_AGAIN: Duration = Duration::from_millis(50);

/// Runs the self-test, which takes a few seconds at most for each stage.
pub(crate) async fn run(mailbox: &Mailbox, history: &HistoryReader, texts: &Texts) -> Vec<Finding> {
    let test = RunningTest {
        mailbox,
        history,
        texts,
    };
    let news = mailbox.watch();
    let ask = test.ask();
    let id = ask.id.clone();
    mailbox.input(LoopInput::SelfTest(true));
    mailbox.post(event(SourceReport::State(SourceState::Live {
        version: None,
    })));
    let asks = vec![(ask, true)];
    mailbox.post(event(SourceReport::Listed(SourceListing {
        asks,
        ..SourceListing::default()
    })));
    let findings = test.follow(news, &id).await;
    mailbox.input(LoopInput::SelfTest(false));
    findings
}

struct RunningTest<'a> {
    mailbox: &'a Mailbox,
    history: &'a HistoryReader,
    texts: &'a Texts,
}

impl RunningTest<'_> {
    fn ask(&self) -> Ask {
        let choice = |label: String| Choice {
            label,
            ..Choice::default()
        };
        let question = Question {
            question: self.texts.get("selftest-question"),
            choices: vec![choice(self.texts.get("selftest-choice"))],
            ..Question::default()
        };
        let title = Some(self.texts.get("selftest-title"));
        let session = Session {
            id: "selftest".into(),
            title,
            ..Session::default()
        };
        let id = AskId::new(NAME, format!("que_selftest_{}", clock::now().0));
        let kind = AskContent::Questions(vec![question]);
        Ask {
            id,
            kind,
            session,
            call: None,
            asked_at: clock::now(),
        }
    }

    async fn follow(&self, mut news: Receiver<Arc<Bulletin>>, id: &AskId) -> Vec<Finding> {
        let is_asked = |news: &News| matches!(news, News::Asked(asked) if asked == id);
        let asked = wait_for_news(&mut news, is_asked).await;
        let rings = self.rings().await;
        let shown = match rings {
            Ok(()) => {
                wait_for_news(&mut news, |news| {
                    *news == News::Shown(id.clone(), Channel::Desktop)
                })
                .await
            }
            Err(_) => false,
        };
        let answered = self.answer(id).await;
        let settled = |news: &News| matches!(news, News::Settled(settled, _) if settled == id);
        let taken = answered && wait_for_news(&mut news, settled).await;
        vec![
            self.finding("loop", asked.then_some(()).ok_or_else(String::new)),
            self.desktop(rings, shown, id).await,
            self.finding("answer", taken.then_some(()).ok_or_else(String::new)),
            self.store(id).await,
            self.telegram().await,
        ]
    }

    async fn answer(&self, id: &AskId) -> bool {
        let answer = Answer::Replies(vec![Reply::choice(0)]);
        let event = Event::Answered {
            ask: id.clone(),
            answer,
            seen: None,
            by: Surface::Window,
            responder: None,
        };
        self.mailbox.answer(event).await.is_ok()
    }

    /// Checks that a notification would come at all; an error with the reason if not.
    async fn rings(&self) -> Result<(), String> {
        let snapshot = self.mailbox.look().await;
        match (&snapshot.desktop, snapshot.view.paused_until) {
            (ChannelState::Down(why, reason), _) => Err(why.words(self.texts, reason)),
            (_, Some(_)) => Err(self.texts.get("selftest-paused")),
            _ => Ok(()),
        }
    }

    async fn desktop(&self, rings: Result<(), String>, shown: bool, id: &AskId) -> Finding {
        let outcome = match rings {
            Err(reason) => Err(reason),
            Ok(()) if !shown => Err(self.texts.get("selftest-not-shown")),
            Ok(()) if !self.left_nothing(id).await => Err(self.texts.get("selftest-not-withdrawn")),
            Ok(()) => Ok(()),
        };
        self.finding("desktop", outcome)
    }

    /// Whether the card of the settled ask has gone.
    async fn left_nothing(&self, id: &AskId) -> bool {
        let gone = async {
            while self.leftover(id).await.is_none_or(|left| left.cards > 0) {
                tokio::time::sleep(LOOK_AGAIN).await;
            }
        };
        tokio::time::timeout(LEG_WITHIN, gone).await.is_ok()
    }

    async fn store(&self, id: &AskId) -> Finding {
        let settled = self.leftover(id).await.is_some_and(|left| left.settled);
        self.finding("store", settled.then_some(()).ok_or_else(String::new))
    }

    async fn leftover(&self, id: &AskId) -> Option<HistoryRow> {
        let (history, id) = (self.history.clone(), id.clone());
        let read = tokio::task::spawn_blocking(move || history.leftover(&id)).await;
        read.ok()?.ok()
    }

    /// Sends a test card to every paired chat, if there is one. Nobody has to tap it.
    async fn telegram(&self) -> Finding {
        let Snapshot { telegram, .. } = self.mailbox.look().await;
        match telegram.state {
            Standing::Works if !telegram.paired.is_empty() => {
                let (reply, sent) = oneshot::channel();
                self.mailbox.input(LoopInput::SetUp(SetUp::Test(reply)));
                let chats = sent.await.map_or(0, |card| card.chats);
                self.finding(
                    "telegram",
                    (chats > 0).then_some(()).ok_or_else(String::new),
                )
            }
            Standing::Works => self.plain("selftest-telegram-nobody"),
            Standing::Standby => self.plain("selftest-telegram-elsewhere"),
            Standing::Off => self.plain("selftest-telegram-off"),
            Standing::Starting | Standing::Down => {
                self.finding("telegram", Err(telegram.error.unwrap_or_default()))
            }
        }
    }

    /// Makes a finding for a stage where nothing is wrong, but nothing can be tested.
    fn plain(&self, key: &str) -> Finding {
        Finding {
            leg: "telegram".into(),
            ok: true,
            note: true,
            text: self.texts.get(key),
            hint: None,
        }
    }

    fn finding(&self, leg: &str, outcome: Result<(), String>) -> Finding {
        let word = if outcome.is_ok() { "ok" } else { "bad" };
        let text = self.texts.get(&format!("selftest-{leg}-{word}"));
        let hint = outcome.err().filter(|reason| !reason.is_empty());
        let hint = hint.map(|reason| {
            self.texts
                .with("selftest-reason", &[("reason", Value::from(reason))])
        });
        Finding {
            leg: leg.into(),
            ok: word == "ok",
            note: false,
            text,
            hint,
        }
    }
}

async fn wait_for_news(news: &mut Receiver<Arc<Bulletin>>, wanted: impl Fn(&News) -> bool) -> bool {
    let heard = async {
        while let Ok(bulletin) = news.recv().await {
            if wanted(&bulletin.news) {
                return true;
            }
        }
        false
    };
    tokio::time::timeout(LEG_WITHIN, heard)
        .await
        .unwrap_or(false)
}
