//! Tests of answers while the connection to their server changes: each arrives, and arrives once.
//! They use the source alone, without a desk that would send an answer again.

use beckon::platform::sink::Sink;
use beckon::sources::Report;
use beckon::sources::opencode::{self, OpenCodeHandle};
use beckon_client::config::OpenCodeServer;
use beckon_client::text::Texts;
use beckon_core::{
    Answer, Ask, AskState, DeliveryFailure, Entry, Event, Reply, SourceReport, SourceState, Surface,
};
use beckon_support::eventually;
use beckon_support::replay::{Fault, Kind, OnReply, Replay, Streaming, question};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

const SOON: Duration = Duration::from_secs(30);
pub(super) const DIRECTORY: &str = "/work/shop";
pub(super) const SESSION: &str = "ses_1";
/// The time after a list at which it is read again, since the stream of a server that has greeted
/// may not report everything yet.
const FIRST_LOOK: Duration = Duration::from_millis(100);

/// A server that is watched.
pub(super) struct Watched {
    pub(super) replay: Replay,
    pub(super) handle: OpenCodeHandle,
    inbox: UnboundedReceiver<SourceReport>,
}

impl Watched {
    /// Starts with this many questions, `que_1` and on, and the stream open.
    async fn start(questions: usize) -> (Self, Vec<Ask>) {
        let replay = Replay::start();
        replay.session(SESSION, DIRECTORY, "Shop");
        for number in 1..=questions {
            let asked = question(&format!("que_{number}"), SESSION, "Go on?", &["Yes", "No"]);
            replay.open(Kind::Question, DIRECTORY, asked);
        }
        let mut watched = Self::of(replay);
        let asks = watched.listed().await;
        assert_eq!(asks.len(), questions, "{asks:?}");
        watched.live().await;
        (watched, asks)
    }

    pub(super) fn of(replay: Replay) -> Self {
        let server = OpenCodeServer {
            name: "local".into(),
            url: replay.url(),
            username: "opencode".into(),
            password: None,
            any_user: false,
            registered: None,
        };
        let (posted, inbox) = unbounded_channel();
        let reports = Sink::new(move |report| {
            if let Report::Event(event) = report
                && let Event::Source(_, report) = *event
            {
                let _ = posted.send(report);
            }
        });
        let texts = Arc::new(Texts::load("en"));
        let beside = opencode::SourceContext {
            reports,
            texts,
            instance: "us".into(),
        };
        Self {
            replay,
            handle: opencode::start(server, beside, BTreeSet::new()),
            inbox,
        }
    }

    pub(super) async fn next<T>(
        &mut self,
        what: &str,
        wanted: impl Fn(SourceReport) -> Option<T>,
    ) -> T {
        let inbox = &mut self.inbox;
        eventually(what, SOON, async || {
            std::iter::from_fn(|| inbox.try_recv().ok()).find_map(&wanted)
        })
        .await
    }

    /// Waits for the next whole list.
    pub(super) async fn listed(&mut self) -> Vec<Ask> {
        let wanted = |report| match report {
            SourceReport::Listed(listing) => Some(listing.asks.into_iter().map(|it| it.0)),
            _ => None,
        };
        self.next("a list", wanted).await.collect()
    }

    async fn live(&mut self) {
        let live =
            |report| matches!(report, SourceReport::State(SourceState::Live { .. })).then_some(());
        self.next("the stream is read", live).await;
    }

    /// Breaks the stream, and gives this status to every attempt to open another. Afterwards
    /// nothing that was read before is under way any more, and the reports about it are skipped.
    pub(super) async fn cut_off(&mut self, status: u16) {
        self.replay.streaming(Streaming::Status(status));
        self.replay.cut().await;
        let noticed = |report| {
            let SourceReport::State(SourceState::Connecting { error }) = report else {
                return None;
            };
            error.map(|_| ())
        };
        self.next("the outage is noticed", noticed).await;
    }

    fn answer(&self, ask: &Ask) {
        self.give(ask, Answer::Replies(vec![Reply::choice(0)]));
    }

    pub(super) fn give(&self, ask: &Ask, answer: Answer) {
        let mut entry = Entry::new(ask.clone(), 1);
        let by = Surface::Cli;
        let (at, attempts, tried_at, sent_at) = (ask.asked_at, 1, Some(ask.asked_at), None);
        let given = answer.clone();
        entry.state = AskState::Answering {
            answer: given,
            by,
            at,
            attempts,
            tried_at,
            sent_at,
            unanswered: false,
        };
        self.handle.deliver(Box::new(entry), answer);
    }
}

/// Waits until this many answers have arrived, and checks that each ask got one.
async fn each_once(replay: &Replay, count: usize) {
    let replies = replay.wait_replies(count, SOON).await;
    let ids: BTreeSet<&str> = replies.iter().map(|reply| reply.id.as_str()).collect();
    assert_eq!((replies.len(), ids.len()), (count, count), "{replies:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_given_in_an_outage_are_sent_at_once_and_once() {
    let (mut watched, asks) = Watched::start(3).await;
    watched.cut_off(503).await;
    asks.iter().for_each(|ask| watched.answer(ask));
    each_once(&watched.replay, 3).await;
    watched.replay.streaming(Streaming::Open);
    watched.live().await;
    each_once(&watched.replay, 3).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_given_while_the_stream_comes_and_goes_arrive_once_each() {
    let (watched, asks) = Watched::start(24).await;
    for ask in &asks {
        watched.answer(ask);
        watched.replay.cut().await;
    }
    each_once(&watched.replay, 24).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_is_sent_while_the_server_does_not_let_the_stream_begin() {
    let (mut watched, asks) = Watched::start(1).await;
    watched.cut_off(503).await;
    watched.replay.streaming(Streaming::Hang);
    let before = watched.replay.count("/global/event");
    eventually("it connects", SOON, async || {
        (watched.replay.count("/global/event") > before).then_some(())
    })
    .await;
    watched.answer(&asks[0]);
    each_once(&watched.replay, 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_given_before_their_source_is_removed_arrive() {
    let (watched, asks) = Watched::start(8).await;
    asks.iter().for_each(|ask| watched.answer(ask));
    let Watched { replay, handle, .. } = watched;
    drop(handle);
    each_once(&replay, 8).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_is_on_its_way_outlives_its_source() {
    let (watched, asks) = Watched::start(1).await;
    let path = "/question/que_1/reply";
    watched
        .replay
        .fault(path, Some(Fault::Slow(Duration::from_millis(300))));
    watched.answer(&asks[0]);
    let on_its_way = async || (watched.replay.count(path) == 1).then_some(());
    eventually("it is on its way", SOON, on_its_way).await;
    drop(watched.handle);
    each_once(&watched.replay, 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_source_that_is_removed_reports_nothing_more() {
    let (watched, _) = Watched::start(0).await;
    let Watched { handle, inbox, .. } = watched;
    drop(handle);
    let ended = async || inbox.is_closed().then_some(());
    eventually("nobody is left who could report", SOON, ended).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hanging_answer_holds_up_no_other() {
    let (watched, asks) = Watched::start(2).await;
    watched
        .replay
        .fault("/question/que_1/reply", Some(Fault::Hang));
    asks.iter().for_each(|ask| watched.answer(ask));
    let replies = watched.replay.wait_replies(1, SOON).await;
    assert_eq!(replies[0].id, "que_2");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_waits_until_it_is_known_in_which_dialect_the_server_is_to_be_asked() {
    const LONG: Duration = Duration::from_millis(700);
    let (mut watched, asks) = Watched::start(1).await;
    watched
        .replay
        .fault("/global/health", Some(Fault::Slow(LONG)));
    watched.cut_off(404).await;
    let before = watched.replay.count("/global/health");
    eventually("it is asked what it is", SOON, async || {
        (watched.replay.count("/global/health") > before).then_some(())
    })
    .await;
    watched.answer(&asks[0]);
    let replies = watched.replay.wait_replies(1, SOON).await;
    let calls = watched.replay.calls();
    let asked = calls
        .iter()
        .filter(|call| call.path == "/global/health")
        .nth(before)
        .unwrap();
    assert!(
        replies[0].at >= asked.at + LONG,
        "{:?}",
        replies[0].at - asked.at
    );
    watched
        .next("the answer has arrived", |report| match report {
            SourceReport::Sent { .. } | SourceReport::Replied { .. } => Some(()),
            SourceReport::NotSent { failure, .. } => panic!("{failure:?}"),
            _ => None,
        })
        .await;
    each_once(&watched.replay, 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_to_a_server_that_is_down_is_not_kept_but_reported() {
    let (mut watched, asks) = Watched::start(1).await;
    watched.replay.down();
    watched.answer(&asks[0]);
    let failure = watched.next("it is reported", |report| match report {
        SourceReport::NotSent { failure, .. } => Some(failure),
        _ => None,
    });
    // A connection that was kept open may break only when the answer is written to it.
    assert!(matches!(
        failure.await,
        DeliveryFailure::Other(_) | DeliveryFailure::Unanswered(_)
    ));
    watched.replay.up();
    watched.live().await;
    assert_eq!(watched.replay.replies().len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_requested_while_the_stream_is_there_is_read() {
    let (mut watched, asks) = Watched::start(1).await;
    watched.handle.refresh();
    assert_eq!(watched.listed().await[0].id, asks[0].id);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_requested_in_an_outage_is_the_first_of_the_next_connection() {
    let (mut watched, asks) = Watched::start(1).await;
    watched.cut_off(503).await;
    (0..3).for_each(|_| watched.handle.refresh());
    // Commands are processed in turn: once this one has failed, the earlier ones are done.
    watched.replay.on_reply(OnReply::Status(500));
    watched.answer(&asks[0]);
    let failed = |report| matches!(report, SourceReport::NotSent { .. }).then_some(());
    watched.next("the answer is refused", failed).await;
    let before = watched.replay.calls().len();
    watched.replay.streaming(Streaming::Open);
    assert_eq!(watched.listed().await.len(), 1);
    let read = eventually("it is read a second time", SOON, async || {
        let calls = watched.replay.calls().split_off(before);
        let read = calls
            .into_iter()
            .filter(|call| call.path == "/question")
            .map(|call| call.at);
        let read: Vec<Instant> = read.collect();
        (read.len() > 1).then_some(read)
    });
    let read = read.await;
    // The second reading is the connection's own second look, not one that was requested before.
    assert!(read[1] - read[0] >= FIRST_LOOK, "{:?}", read[1] - read[0]);
}
