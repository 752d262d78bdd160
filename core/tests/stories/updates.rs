//! Stories of when the project is asked for a newer Beckon, and how its answer is understood.

use beckon_core::{FeedFault, ReleaseFeed, Span, Timestamp, UpdateMemory, UpdateNews, Version};

const DAY: Span = hours(24);
const HOUR: Span = hours(1);
const MONDAY: Timestamp = Timestamp(1_790_000_000_000);
/// The random numbers that make the shortest wait and the longest.
const LOTS: [u16; 2] = [0, u16::MAX];

const fn hours(n: i64) -> Span {
    Span::minutes(60 * n)
}

const fn day(n: i64) -> Timestamp {
    Timestamp(MONDAY.0 + n * DAY.0)
}

fn version(text: &str) -> Version {
    Version::parse(text).unwrap()
}

fn feed(text: &str, on: i64) -> ReleaseFeed {
    ReleaseFeed {
        version: version(text),
        issued: day(on),
    }
}

/// Returns the memory after these feeds, one every second day.
fn after(feeds: &[ReleaseFeed]) -> UpdateMemory {
    let mut memory = UpdateMemory::default();
    for (nth, feed) in feeds.iter().enumerate() {
        memory.take(Ok(feed.clone()), day(2 * i64::try_from(nth).unwrap()), 0);
    }
    memory
}

#[test]
fn who_has_just_switched_it_on_is_told_at_once() {
    let memory = UpdateMemory::default();
    assert_eq!(memory.wait(MONDAY), Span(0));
    assert_eq!(memory.news(&version("0.1.0"), MONDAY), UpdateNews::NotAsked);
}

#[test]
fn nobody_is_asked_twice_in_a_day_and_not_all_at_the_same_time() {
    let waits = LOTS.map(|lot| {
        let mut memory = UpdateMemory::default();
        memory.take(Ok(feed("0.1.0", 0)), MONDAY, lot);
        memory.wait(MONDAY)
    });
    assert_eq!(waits[0], DAY);
    assert!(
        waits[1] > hours(29) && waits[1] < hours(30),
        "{:?}",
        waits[1]
    );
}

#[test]
fn an_answer_that_is_no_feed_counts_as_asked() {
    for fault in [FeedFault::NoFeed, FeedFault::Unsigned, FeedFault::Strange] {
        let mut memory = UpdateMemory::default();
        memory.take(Err(fault), MONDAY, 0);
        assert_eq!(memory.wait(MONDAY), DAY, "{fault:?}");
        assert_eq!(
            memory.news(&version("0.1.0"), MONDAY),
            UpdateNews::Unheard(fault)
        );
    }
}

#[test]
fn without_a_network_nobody_was_asked_and_an_hour_later_it_is_tried_again() {
    let mut memory = UpdateMemory::default();
    memory.take(Err(FeedFault::Unreachable), MONDAY, 0);
    assert_eq!(memory.wait(MONDAY), HOUR);
    assert_eq!(memory.wait(MONDAY + HOUR), Span(0));
}

#[test]
fn a_clock_that_was_set_back_by_a_year_keeps_nobody_waiting_for_a_year() {
    let memory = after(&[feed("0.1.0", 0)]);
    assert_eq!(memory.wait(Timestamp(MONDAY.0 - 365 * DAY.0)), Span(0));
    // A clock that was set back by only an hour is waited for.
    assert_eq!(memory.wait(Timestamp(MONDAY.0 - HOUR.0)), hours(25));
    assert_eq!(memory.wait(Timestamp(MONDAY.0 + 365 * DAY.0)), Span(0));
}

#[test]
fn versions_are_compared_as_numbers() {
    let news =
        |offered: &str, running: &str| after(&[feed(offered, 0)]).news(&version(running), MONDAY);
    let newer = |offered: &str| UpdateNews::Newer(version(offered));
    assert_eq!(news("0.10.0", "0.9.9"), newer("0.10.0"));
    assert_eq!(news("0.2.0", "0.2.0-rc.1"), newer("0.2.0"));
    assert_eq!(news("0.2.0-rc.2", "0.2.0-rc.1"), newer("0.2.0-rc.2"));
    assert_eq!(news("0.2.0", "0.2.0"), UpdateNews::Newest);
    // The build metadata of a version does not say how new it is.
    assert_eq!(news("0.2.0+9", "0.2.0+1"), UpdateNews::Newest);
}

#[test]
fn an_older_version_is_offered_to_nobody_and_one_that_is_tried_out_only_to_who_tries() {
    let news =
        |offered: &str, running: &str| after(&[feed(offered, 0)]).news(&version(running), MONDAY);
    assert_eq!(news("0.1.9", "0.2.0"), UpdateNews::Newest);
    assert_eq!(news("0.3.0-beta.1", "0.2.0"), UpdateNews::Newest);
}

#[test]
fn a_feed_that_is_played_back_is_said_and_changes_nothing() {
    let mut memory = after(&[feed("0.1.0", 0), feed("0.3.0", 7)]);
    memory.take(Ok(feed("0.2.0", 3)), day(9), 0);
    assert_eq!(
        memory.news(&version("0.1.0"), day(9)),
        UpdateNews::Newer(version("0.3.0"))
    );
    assert_eq!(
        memory.news(&version("0.3.0"), day(9)),
        UpdateNews::Unheard(FeedFault::Replayed)
    );
}

#[test]
fn a_release_that_was_taken_back_is_offered_no_longer() {
    let memory = after(&[feed("0.3.0", 0), feed("0.2.1", 1)]);
    assert_eq!(
        memory.news(&version("0.2.0"), day(2)),
        UpdateNews::Newer(version("0.2.1"))
    );
    assert_eq!(memory.news(&version("0.2.1"), day(2)), UpdateNews::Newest);
}

#[test]
fn what_was_heard_of_is_there_also_when_the_network_is_not() {
    let mut memory = after(&[feed("0.3.0", 0)]);
    memory.take(Err(FeedFault::Unreachable), day(2), 0);
    assert_eq!(
        memory.news(&version("0.1.0"), day(2)),
        UpdateNews::Newer(version("0.3.0"))
    );
    // After that version is installed, only the failed network is left to report.
    let unheard = UpdateNews::Unheard(FeedFault::Unreachable);
    assert_eq!(memory.news(&version("0.3.0"), day(2)), unheard);
}

#[test]
fn a_restart_forgets_nothing_of_it() {
    let memory = after(&[feed("0.3.0", 0), feed("0.3.1", 1)]);
    let kept = serde_json::to_string(&memory).unwrap();
    assert_eq!(serde_json::from_str::<UpdateMemory>(&kept).unwrap(), memory);
    assert_eq!(
        serde_json::from_str::<UpdateMemory>("{}").unwrap(),
        UpdateMemory::default()
    );
}

/// The feed is the project's own word, whichever version read it.
#[test]
fn what_another_version_could_not_read_is_no_news_of_this_one() {
    let [old, new] = ["0.1.0", "0.2.0"].map(version);
    let mut memory = UpdateMemory::default().continued_by(&old);
    memory.take(Ok(feed("0.3.0", 0)), MONDAY, 0);
    memory.take(Err(FeedFault::Strange), day(1), 0);
    assert_eq!(memory.clone().continued_by(&old), memory);
    let updated = memory.continued_by(&new);
    assert_eq!(updated.wait(day(1)), Span(0));
    assert_eq!(
        updated.news(&new, day(1)),
        UpdateNews::Newer(version("0.3.0"))
    );
}

#[test]
fn an_attempt_that_is_broken_off_is_not_begun_anew_at_once() {
    let mut memory = UpdateMemory::default();
    memory.begin(MONDAY);
    assert_eq!(memory.wait(MONDAY), HOUR);
    assert_eq!(memory.news(&version("0.1.0"), MONDAY), UpdateNews::NotAsked);
}

/// An attacker who lets nothing else through would keep everybody from hearing of a newer version.
#[test]
fn a_feed_that_is_never_replaced_says_no_longer_that_this_is_the_newest() {
    let running = version("0.3.0");
    let mut memory = after(&[feed("0.3.0", 0)]);
    let mut news_on = |date: Timestamp| {
        memory.take(Ok(feed("0.3.0", 0)), date, 0);
        memory.news(&running, date)
    };
    assert_eq!(news_on(day(62)), UpdateNews::Newest);
    assert_eq!(news_on(day(63)), UpdateNews::Outdated);
    // The news that it has stays true.
    let older = version("0.2.0");
    assert_eq!(
        memory.news(&older, day(63)),
        UpdateNews::Newer(running.clone())
    );
    memory.take(Ok(feed("0.3.0", 63)), day(64), 0);
    assert_eq!(memory.news(&running, day(64)), UpdateNews::Newest);
}

#[test]
fn a_clock_far_behind_cannot_tell_how_old_a_feed_is() {
    let news_on = |date: Timestamp| {
        let mut memory = UpdateMemory::default();
        memory.take(Ok(feed("0.3.0", 0)), date, 0);
        memory.news(&version("0.3.0"), date)
    };
    assert_eq!(news_on(day(-1)), UpdateNews::Newest);
    assert_eq!(news_on(day(-2)), UpdateNews::Outdated);
    assert_eq!(news_on(Timestamp(0)), UpdateNews::Outdated);
}

#[test]
fn what_was_heard_days_ago_is_said_only_where_it_is_still_true() {
    let mut faulty = UpdateMemory::default();
    faulty.take(Err(FeedFault::NoFeed), MONDAY, 0);
    for memory in [after(&[feed("0.3.0", 0)]), faulty] {
        let news = |date: Timestamp| memory.news(&version("0.3.0"), date);
        assert_ne!(news(MONDAY + hours(31)), UpdateNews::NotAsked);
        // The clock was set back since, or Beckon was off.
        for date in [day(-3), day(2), day(700)] {
            assert_eq!(news(date), UpdateNews::NotAsked);
        }
    }
    let behind = after(&[feed("0.3.0", 0)]);
    assert_eq!(
        behind.news(&version("0.2.0"), day(700)),
        UpdateNews::Newer(version("0.3.0"))
    );
}
