//! Decides whether an answer may still be sent, for sources whose API names what is answered so
//! loosely that a late or a second answer could meet another question.
//!
//! An answer may be sent for a few seconds after a human gave it, and never again once it may have
//! arrived. Otherwise it comes back to the human.
//!
//! Not here: whether the source still waits for that very thing, which each source knows itself.

use beckon_core::{AskId, AskState, Entry, ReturnReason, SourceFault, Span, Surface, Timestamp};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// How long an answer may be on its way before it first arrives. It is shorter than the time after
/// which the desk says that Beckon keeps trying.
const WITHIN: Duration = Duration::from_secs(4);

/// A moment by both clocks. The steady one stands still while the machine sleeps, and the wall
/// clock may jump.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClockMoment {
    pub(super) wall: Timestamp,
    pub(super) steady: Instant,
}

impl ClockMoment {
    /// Reads both clocks.
    pub(super) fn now() -> Self {
        Self {
            wall: beckon_client::platform::clock::now(),
            steady: Instant::now(),
        }
    }

    /// Tells whether the machine slept since `before` (or the wall clock jumped): the wall clock
    /// has gained more than 3 s on the steady one.
    pub(super) fn slept_since(self, before: Self) -> bool {
        let steady = self.steady.saturating_duration_since(before.steady);
        (self.wall - before.wall).0.saturating_sub(span(steady).0) > Span::seconds(3).0
    }
}

/// The answers that are on their way: since when, and whether they may have arrived.
#[derive(Debug, Default)]
pub(super) struct Arrivals {
    underway: BTreeMap<AskId, PendingArrival>,
}

#[derive(Debug)]
struct PendingArrival {
    since: Instant,
    /// Whether the source may have taken the answer.
    arrived: bool,
    /// The fault that kept the answer back last.
    fault: SourceFault,
}

impl Arrivals {
    /// Checks whether the answer to this ask may be sent (again).
    ///
    /// # Errors
    /// The reason for which it comes back to the human instead.
    pub(super) fn may_send(&mut self, entry: &Entry, now: ClockMoment) -> Result<(), ReturnReason> {
        let AskState::Answering {
            by, at, attempts, ..
        } = &entry.state
        else {
            return Ok(());
        };
        let id = &entry.ask.id;
        // No human gave a refusal by the clock, so it cannot be too old: the ask has expired for
        // good.
        if *attempts <= 1 || (*by == Surface::Clock && !self.underway.contains_key(id)) {
            self.underway.insert(id.clone(), PendingArrival::new(now));
            return Ok(());
        }
        // Where nothing is known of an earlier attempt, it was made in an earlier run and may have
        // arrived.
        let Some(underway) = self.underway.get(id).filter(|it| !it.arrived) else {
            self.underway.remove(id);
            return Err(ReturnReason::Unproven);
        };
        let waited = now.steady.saturating_duration_since(underway.since);
        let by_the_clock = *by != Surface::Clock && now.wall - *at > span(WITHIN);
        if waited < WITHIN && !by_the_clock {
            return Ok(());
        }
        let fault = underway.fault.clone();
        self.underway.remove(id);
        Err(ReturnReason::Undelivered(fault))
    }

    /// Notes that the answer was not sent, or has certainly not arrived; it may be tried again.
    pub(super) fn kept(&mut self, id: &AskId, fault: SourceFault) {
        if let Some(underway) = self.underway.get_mut(id) {
            underway.fault = fault;
        }
    }

    /// Notes that the source said that it has the answer, which does not prove that it acts on it.
    pub(super) fn arrived(&mut self, id: &AskId) {
        if let Some(underway) = self.underway.get_mut(id) {
            underway.arrived = true;
        }
    }

    /// Forgets an answer of which nothing more is to be sent.
    pub(super) fn over(&mut self, id: &AskId) {
        self.underway.remove(id);
    }

    /// Forgets all answers but those to the asks that are still `open`.
    pub(super) fn retain(&mut self, open: impl Fn(&AskId) -> bool) {
        self.underway.retain(|id, _| open(id));
    }
}

impl PendingArrival {
    fn new(now: ClockMoment) -> Self {
        Self {
            since: now.steady,
            arrived: false,
            fault: SourceFault::Silent,
        }
    }
}

fn span(duration: Duration) -> Span {
    Span(i64::try_from(duration.as_millis()).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use beckon_core::{Answer, Ask, AskContent, Session};

    const AT: Timestamp = Timestamp(1_000_000);

    fn entry(attempts: u32, by: Surface) -> Entry {
        let (id, kind) = (AskId::new("s", "t-1"), AskContent::Confirm("Go?".into()));
        let session = Session::default();
        let ask = Ask {
            id,
            kind,
            session,
            call: None,
            asked_at: AT,
        };
        let mut entry = Entry::new(ask, 1);
        let (tried_at, sent_at) = (Some(AT), None);
        let answer = Answer::Continue;
        entry.state = AskState::Answering {
            answer,
            by,
            at: AT,
            attempts,
            tried_at,
            sent_at,
            unanswered: false,
        };
        entry
    }

    struct Try(Arrivals, ClockMoment);

    impl Try {
        fn first() -> Self {
            let now = ClockMoment {
                wall: AT,
                steady: Instant::now(),
            };
            let mut arrivals = Arrivals::default();
            assert_eq!(arrivals.may_send(&entry(1, Surface::Cli), now), Ok(()));
            Self(arrivals, now)
        }

        fn after(&mut self, wall: i64, steady: u64) -> Result<(), ReturnReason> {
            let wall = Timestamp(AT.0 + wall * 1_000);
            let steady = self.1.steady + Duration::from_secs(steady);
            self.0
                .may_send(&entry(2, Surface::Cli), ClockMoment { wall, steady })
        }
    }

    #[test]
    fn what_has_not_arrived_is_tried_for_seconds_and_then_comes_back_with_what_kept_it() {
        let mut tried = Try::first();
        let fault = SourceFault::Other("Connection refused".into());
        tried.0.kept(&AskId::new("s", "t-1"), fault.clone());
        assert_eq!(tried.after(3, 3), Ok(()));
        assert_eq!(tried.after(5, 5), Err(ReturnReason::Undelivered(fault)));
    }

    #[test]
    fn neither_a_sleep_nor_a_clock_that_is_set_back_makes_it_good_for_longer() {
        assert!(matches!(
            Try::first().after(3_600, 1),
            Err(ReturnReason::Undelivered(_))
        ));
        assert!(matches!(
            Try::first().after(-3_600, 6),
            Err(ReturnReason::Undelivered(_))
        ));
        assert_eq!(Try::first().after(-3_600, 1), Ok(()));
        assert_eq!(
            Try::first().after(4, 1),
            Ok(()),
            "it may have been answered just then"
        );
        assert!(Try::first().after(4, 4).is_err());
    }

    #[test]
    fn what_may_have_arrived_is_never_sent_again() {
        let mut tried = Try::first();
        tried.0.arrived(&AskId::new("s", "t-1"));
        assert_eq!(tried.after(1, 1), Err(ReturnReason::Unproven));
        let mut restarted = Try(Arrivals::default(), tried.1);
        assert_eq!(
            restarted.after(1, 1),
            Err(ReturnReason::Unproven),
            "of an earlier run"
        );
    }

    #[test]
    fn another_answer_by_hand_is_another_answer() {
        let mut tried = Try::first();
        tried.0.arrived(&AskId::new("s", "t-1"));
        assert_eq!(tried.0.may_send(&entry(1, Surface::Tray), tried.1), Ok(()));
    }

    #[test]
    fn a_sleep_is_known_by_the_two_clocks() {
        let before = ClockMoment {
            wall: AT,
            steady: Instant::now(),
        };
        let after = |wall: i64, steady: u64| ClockMoment {
            wall: Timestamp(AT.0 + wall * 1_000),
            steady: before.steady + Duration::from_secs(steady),
        };
        assert!(after(600, 5).slept_since(before));
        assert!(!after(600, 600).slept_since(before));
        assert!(!after(3, 0).slept_since(before) && after(4, 0).slept_since(before));
        assert!(!after(-600, 5).slept_since(before));
    }

    #[test]
    fn what_is_over_or_gone_is_not_on_its_way_any_more() {
        let id = AskId::new("s", "t-1");
        let mut over = Try::first();
        over.0.over(&id);
        assert_eq!(
            over.after(1, 1),
            Err(ReturnReason::Unproven),
            "nothing is known of it"
        );
        let mut gone = Try::first();
        gone.0.retain(|_| false);
        assert_eq!(gone.after(1, 1), Err(ReturnReason::Unproven));
        let mut open = Try::first();
        open.0.retain(|open| *open == id);
        assert_eq!(open.after(1, 1), Ok(()));
    }

    #[test]
    fn a_refusal_by_the_clock_begins_anew_only_where_nothing_is_on_its_way() {
        let now = Try::first().1;
        let mut restarted = Arrivals::default();
        assert_eq!(restarted.may_send(&entry(2, Surface::Clock), now), Ok(()));
        let mut underway = Try::first();
        underway.0.arrived(&AskId::new("s", "t-1"));
        let again = underway.0.may_send(&entry(2, Surface::Clock), underway.1);
        assert_eq!(again, Err(ReturnReason::Unproven));
    }
}
