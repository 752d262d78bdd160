//! Stories of machines that reach the hub and not Telegram.

use super::*;

/// Lets seconds pass in which these machines try Telegram every ten seconds, and reach it or not.
fn pass(world: &mut World, seconds: i64, reaches: impl Fn(usize) -> bool) {
    for _ in 0..seconds / 10 {
        world.pass(10);
        for number in 0..world.machines.len() {
            let (at, permit) = (world.at(number), permit(world, number));
            let tries = permit == Permit::Knock || permit.allows(at);
            let lease = &mut world.machines[number].lease;
            match reaches(number) {
                true if tries => lease.reached(at),
                false if tries => lease.unreached(true, at),
                _ => {}
            }
        }
    }
}

fn permit(world: &World, number: usize) -> Permit {
    world.machines[number].lease.permit(world.at(number))
}

/// Returns how often another machine took over the bot in that time.
fn handovers(world: &mut World, seconds: i64, reaches: impl Fn(usize) -> bool + Copy) -> usize {
    let (mut last, mut count) = (world.sender(), 0);
    for _ in 0..seconds / 10 {
        pass(world, 10, reaches);
        let now = world.sender();
        count += usize::from(now.is_some() && now != last);
        last = now.or(last);
    }
    count
}

#[test]
fn who_does_not_reach_telegram_for_a_minute_is_followed_by_who_does() {
    let mut world = World::of(3);
    pass(&mut world, 100, |_| true);
    assert_eq!(world.sender(), Some(0));
    pass(&mut world, 50, |number| number != 0);
    assert_eq!(world.sender(), Some(0), "that may be over in a moment");
    pass(&mut world, 80, |number| number != 0);
    assert_eq!(world.sender(), Some(1));
    pass(&mut world, 600, |number| number != 0);
    assert_eq!(world.sender(), Some(1));
    assert_eq!(permit(&world, 0), Permit::Knock);
    // The first machine is back, and disturbs nobody.
    pass(&mut world, 600, |_| true);
    assert_eq!(
        (world.sender(), permit(&world, 0)),
        (Some(1), Permit::Never)
    );
}

#[test]
fn who_is_alone_with_the_bot_keeps_it_whatever_telegram_does() {
    let mut lease = Lease::new("a", "laptop", "run", Span(0));
    lease.connect(None, Span(0));
    for at in (0..600).map(Span::seconds) {
        if let Some(claim) = lease.claim(at) {
            lease.end_claim(&claim, ClaimEnd::Written(7 + u64::try_from(at.0).unwrap()));
        }
        lease.unreached(false, at);
        assert!(lease.permit(at).allows(at), "{at:?}");
    }
}

#[test]
fn machines_that_all_fail_hand_it_round_once_and_whoever_gets_through_first_takes_it() {
    let mut world = World::of(3);
    pass(&mut world, 60, |_| true);
    let round = handovers(&mut world, 600, |_| false);
    assert_eq!(round, 2, "each of the others tries it once");
    assert_eq!(world.sender(), None);
    assert_eq!(
        handovers(&mut world, 3_600, |_| false),
        0,
        "and nobody tries it again"
    );
    let permits: Vec<Permit> = (0..3).map(|number| permit(&world, number)).collect();
    assert_eq!(permits, [Permit::Knock; 3]);
    pass(&mut world, 20, |number| number == 2);
    assert_eq!(world.sender(), Some(2));
}

#[test]
fn who_fails_again_and_again_waits_longer_each_time() {
    let mut lease = Lease::new("a", "laptop", "run", Span(0));
    let mut now = 0;
    for wait in [30, 60, 120, 240, 480, 600, 600].map(|seconds| seconds * 1_000) {
        lease.connect(None, Span(now));
        let claim = lease.claim(Span(now)).expect("it may try");
        lease.end_claim(&claim, ClaimEnd::Written(7));
        lease.unreached(true, Span(now));
        now += 60_000;
        lease.unreached(true, Span(now));
        assert_eq!(lease.claim(Span(now)), None, "it lets it run out");
        let just_before = Span(now + wait - 1);
        lease.reached(just_before);
        assert_eq!(lease.permit(just_before), Permit::Never, "after {wait} ms");
        now += wait;
        assert_eq!(lease.permit(Span(now)), Permit::Knock, "after {wait} ms");
        lease.reached(Span(now));
    }
    now += 600_000;
    lease.reached(Span(now));
    lease.unreached(true, Span(now));
    lease.connect(None, Span(now));
    let claim = lease.claim(Span(now)).expect("it may try");
    lease.end_claim(&claim, ClaimEnd::Written(8));
    lease.unreached(true, Span(now + 60_000));
    assert_eq!(
        lease.permit(Span(now + 90_000)),
        Permit::Knock,
        "who was well begins anew"
    );
}
