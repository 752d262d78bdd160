//! Stories of a team: who sees an ask, who decides it, from when on, and how many must agree.

use crate::common::*;
use beckon_core::hub::team::{
    Approvals, AskKind, FirstAnswers, Hold, Person, Route, RouteSeverity, Shift, Team, TeamDevice,
    TeamSeat, Who,
};
use beckon_core::{
    Answer, AnswerRefusal, Argument, Ask, AskContent, AskState, CallInput, Channel,
    DeliveryFailure, Effect, Event, Grant, News, Permission, Reply, Responder, ReturnReason,
    RowChange, SourceReport, Span, Step, Surface, TeamPart, Timestamp, Voucher,
};
use std::collections::{BTreeMap, BTreeSet};

const YES: Answer = Answer::Grant(Grant::Once);
const NO: Answer = Answer::Grant(Grant::Reject { reason: None });
const TEN_MINUTES: Span = Span::minutes(10);

/// Returns a team in which Ada and Cleo lead, and Ben does not.
fn team(route: Option<Route>) -> Team {
    let person = |roles: &[&str]| Person {
        roles: roles.iter().map(|it| (*it).into()).collect(),
    };
    let people = [
        ("ada", person(&["lead"])),
        ("ben", person(&[])),
        ("cleo", person(&["lead"])),
    ];
    let people = people
        .into_iter()
        .map(|(name, person)| (name.into(), person));
    Team {
        people: people.collect(),
        routes: route.into_iter().collect(),
        ..Team::default()
    }
}

fn route(answerers: &[&str]) -> Route {
    let answerers = answerers.iter().map(|who| who.parse().unwrap()).collect();
    serde_json::from_value::<Route>(serde_json::json!({}))
        .map(|route| Route { answerers, ..route })
        .unwrap()
}

/// Returns the seat of that person; each person has a laptop.
fn seat(person: &str, route: Option<Route>) -> TeamSeat {
    let laptop = |name: &&str| (format!("{name}'s laptop"), laptop_of(name));
    let devices = ["ada", "ben", "cleo"].iter().map(laptop).collect();
    TeamSeat {
        person: person.into(),
        key: Some(laptop_of(person).key),
        devices,
        team: team(route),
    }
}

fn laptop_of(person: &str) -> TeamDevice {
    TeamDevice {
        key: format!("key of {person}'s"),
        person: person.into(),
    }
}

/// Returns a desk of that person, with the rules of their team.
fn at(person: &str, route: Option<Route>) -> Story {
    let mut story = Story::new();
    story.feed(Event::User(Responder::new(
        Some(person),
        None,
        Voucher::Machine,
    )));
    story.feed(Event::Team(Some(seat(person, route))));
    story
}

/// Returns a permission of that person's machine.
fn started_by(person: &str) -> Ask {
    let mut ask = permission("p1");
    ask.session.team = Some(TeamPart {
        person: person.into(),
        ..TeamPart::default()
    });
    ask
}

fn by_device(story: &mut Story, person: &str, answer: Answer) -> Step {
    let vouched = Voucher::Device {
        name: Some(format!("{person}'s laptop")),
    };
    let responder = Some(Responder::new(Some(person), None, vouched));
    story.feed(Event::Answered {
        ask: id("p1"),
        answer,
        seen: None,
        by: Surface::Api,
        responder,
    })
}

fn refusal(step: &Step) -> &AnswerRefusal {
    step.verdict.as_ref().unwrap().as_ref().unwrap_err()
}

fn held(deciders: &[&str], agreed: &[&str]) -> Hold {
    let names = |names: &[&str]| names.iter().map(|name| (*name).into()).collect();
    Hold {
        deciders: names(deciders),
        agreed: names(agreed),
        ..Hold::default()
    }
}

#[test]
fn without_a_route_whoever_started_it_decides_alone() {
    let mut story = at("ada", None);
    assert!(!shows(&story.ask(permission("p1"))).is_empty());
    let stranger = by_device(&mut story, "ben", YES);
    assert_eq!(
        refusal(&stranger),
        &AnswerRefusal::Held(held(&["ada"], &[]))
    );
    assert!(
        story
            .answer("p1", YES, Surface::Window)
            .verdict
            .unwrap()
            .is_ok()
    );
}

#[test]
fn a_team_of_one_is_none() {
    let mut story = Story::new();
    let people = BTreeMap::from([("ada".into(), Person::default())]);
    let team = Team {
        people,
        ..Team::default()
    };
    story.feed(Event::Team(Some(TeamSeat {
        team,
        ..seat("ada", None)
    })));
    story.ask(started_by("somebody"));
    assert!(
        by_device(&mut story, "another", YES)
            .verdict
            .unwrap()
            .is_ok()
    );
}

#[test]
fn others_are_asked_after_the_time_that_whoever_started_it_has_alone() {
    let route = || {
        Some(Route {
            others_after: 10,
            ..route(&["role:lead"])
        })
    };
    let mut story = at("cleo", route());
    assert_eq!(shows(&story.ask(started_by("ben"))), [], "Ben's turn");
    assert_eq!(story.entry("p1").hold, Some(held(&["ben"], &[])));
    assert_eq!(story.waiting(), []);
    let early = story.answer("p1", YES, Surface::Window);
    assert_eq!(refusal(&early), &AnswerRefusal::Held(held(&["ben"], &[])));
    let due = story.next();
    assert_eq!(due.0, TEN_MINUTES);
    assert_eq!(shows(&due.1), [(Channel::Desktop, "p1", None)]);
    assert!(
        story
            .answer("p1", YES, Surface::Window)
            .verdict
            .unwrap()
            .is_ok()
    );
    let mut bens = at("ben", route());
    bens.ask(permission("p1"));
    assert!(by_device(&mut bens, "cleo", YES).verdict.unwrap().is_err());
    bens.wait(TEN_MINUTES);
    assert!(by_device(&mut bens, "cleo", YES).verdict.unwrap().is_ok());
}

#[test]
fn who_only_may_see_it_is_never_rung_and_told_who_can_decide() {
    let seen = Route {
        audience: vec![Who::Everyone],
        ..route(&["cleo"])
    };
    let mut story = at("ben", Some(seen));
    assert_eq!(shows(&story.ask(started_by("ada"))), []);
    assert_eq!(story.entry("p1").hold, Some(held(&["ada", "cleo"], &[])));
    story.wait(Span::minutes(60));
    assert_eq!(story.waiting(), []);
}

#[test]
fn the_audience_is_who_may_see_it_by_then_and_whoever_decides() {
    let route = Route {
        audience: vec![Who::Person("ben".into())],
        others_after: 10,
        ..route(&["role:lead"])
    };
    let team = team(Some(route));
    let names = |names: &[&str]| {
        names
            .iter()
            .map(|it| (*it).to_owned())
            .collect::<BTreeSet<_>>()
    };
    let ask = permission("p1");
    let first = team.rule(&ask, "ada", START);
    assert_eq!(
        (first.audience, first.answerers),
        (names(&["ada"]), names(&["ada"]))
    );
    let later = team.rule(&ask, "ada", START + TEN_MINUTES);
    assert_eq!(later.audience, names(&["ada", "ben", "cleo"]));
    assert_eq!(later.answerers, names(&["ada", "cleo"]));
    assert_eq!(
        (first.changes_at, later.changes_at),
        (Some(START + TEN_MINUTES), None)
    );
}

#[test]
fn the_first_route_that_fits_project_kind_and_severity_counts() {
    let of = |project: &str, kind, severity, who: &str| Route {
        projects: vec![project.to_owned().try_into().unwrap()],
        kinds: vec![kind],
        severity,
        ..route(&[who])
    };
    let routes = vec![
        of("docs", AskKind::Permission, RouteSeverity::Any, "everyone"),
        of("sh*", AskKind::Question, RouteSeverity::Any, "everyone"),
        of("sh*", AskKind::Permission, RouteSeverity::Dangerous, "cleo"),
        of("*", AskKind::Permission, RouteSeverity::Any, "ben"),
    ];
    let team = Team {
        routes,
        ..team(None)
    };
    let bash = |command: &str| {
        let permission = Permission {
            permission: "bash".into(),
            command: Some(command.into()),
            ..Permission::default()
        };
        ask("p1", AskContent::Permission(permission))
    };
    let deciders = |ask: &Ask| {
        team.rule(ask, "ada", START)
            .answerers
            .into_iter()
            .collect::<Vec<_>>()
    };
    assert_eq!(deciders(&bash("sudo rm -rf /")), ["ada", "cleo"]);
    assert_eq!(deciders(&bash("ls")), ["ada", "ben"]);
    assert_eq!(deciders(&single("q1")), ["ada", "ben", "cleo"]);
    assert_eq!(deciders(&confirm("c1")), ["ada"], "no route is for that");
}

/// Returns a team whose leads decide: on `docs` any of them, on `shop-*` none of them about their
/// own asks, and on all else two must agree.
fn of_projects() -> Team {
    let of = |project: &str| Route {
        projects: vec![project.to_owned().try_into().unwrap()],
        ..route(&["role:lead"])
    };
    let shop = Route {
        self_approval: false,
        ..of("shop-*")
    };
    let rest = Route {
        approve: Approvals::Two,
        ..of("*")
    };
    Team {
        routes: vec![of("docs"), shop, rest],
        ..team(None)
    }
}

/// Returns whether the person who started it may decide, and how many must agree.
fn rules_in(root: Option<&str>, directory: &str, is_claimed: bool) -> (bool, Approvals) {
    let mut ask = permission("p1");
    ask.session.project_root = root.map(Into::into);
    ask.session.directory = directory.into();
    ask.session.is_claimed = is_claimed;
    let ruling = of_projects().rule(&ask, "ada", START);
    (ruling.lets("ada"), ruling.approvals)
}

const OWN: (bool, Approvals) = (true, Approvals::One);
const NOT_OWN: (bool, Approvals) = (false, Approvals::One);
const TWO: (bool, Approvals) = (true, Approvals::Two);

#[test]
fn a_route_holds_wherever_in_its_project_a_session_stands() {
    for inside in [
        "/w/shop-api",
        "/w/shop-api/",
        "/w/shop-api/src",
        r"C:\w\shop-api\src\bin",
    ] {
        assert_eq!(rules_in(None, inside, false), NOT_OWN, "{inside}");
    }
    for exception in ["/w/docs", "/w/docs/en"] {
        assert_eq!(rules_in(None, exception, false), OWN, "{exception}");
    }
    assert_eq!(rules_in(None, "/w/shop-api/docs", false), NOT_OWN);
    assert_eq!(rules_in(None, "/w/docs/shop-api", false), NOT_OWN);
    assert_eq!(rules_in(None, "/w/tool", false), TWO);
    assert_eq!(rules_in(None, "", false), TWO);
}

#[test]
fn a_session_that_has_gone_elsewhere_is_still_its_projects() {
    assert_eq!(rules_in(Some("/w/shop-api"), "/tmp/x", false), NOT_OWN);
    assert_eq!(rules_in(Some("/w/shop-api"), "/w/docs", false), NOT_OWN);
    assert_eq!(rules_in(Some("/w/docs"), "/w/docs/en", false), OWN);
    assert_eq!(rules_in(Some("/w/docs"), "/w/shop-api/src", false), NOT_OWN);
    assert_eq!(rules_in(Some("/w/tool"), "/w/docs", false), TWO);
}

#[test]
fn a_name_that_an_asker_gives_itself_makes_the_rules_no_milder() {
    for claimed in ["/w/docs", "docs"] {
        assert_eq!(rules_in(None, claimed, true), TWO, "{claimed}");
    }
    assert_eq!(rules_in(Some("/w/docs"), "/w/docs", true), TWO);
    let (own, approvals) = rules_in(None, "/w/shop-api/src", true);
    assert_eq!(
        (own, approvals),
        (false, Approvals::Two),
        "the strictest of both"
    );
}

#[test]
fn where_nobody_is_left_to_decide_that_is_said_and_the_agent_itself_still_can_be_answered() {
    let nobody = Route {
        self_approval: false,
        ..route(&["role:admin"])
    };
    let mut story = at("ada", Some(nobody));
    story.ask(permission("p1"));
    let step = story.answer("p1", YES, Surface::Window);
    assert_eq!(refusal(&step), &AnswerRefusal::Held(held(&[], &[])));
    story.report(SourceReport::Replied {
        own: "p1".into(),
        answers: None,
    });
    assert!(story.desk.entry(&id("p1")).is_none());
}

#[test]
fn rules_that_too_few_can_ever_satisfy_are_known_beforehand_and_so_are_roles_of_nobody() {
    let stuck = |route: Route, people: &[&str]| {
        let people = people.iter().map(|it| (*it).to_owned()).collect();
        let team = team(Some(route));
        team.stuck(&people)
            .into_iter()
            .flat_map(|it| it.starters)
            .collect::<Vec<_>>()
    };
    let two = |route| Route {
        approve: Approvals::Two,
        ..route
    };
    let others = |route| Route {
        self_approval: false,
        ..route
    };
    let nobody: [&str; 0] = [];
    assert_eq!(
        stuck(others(route(&["ada"])), &["ada", "ben"]),
        ["ada"],
        "Ben's is Ada's to decide"
    );
    assert_eq!(
        stuck(two(route(&["role:lead"])), &["ada", "ben", "cleo"]),
        nobody
    );
    assert_eq!(
        stuck(two(route(&["role:lead"])), &["ada", "ben"]),
        ["ada"],
        "Cleo has no device"
    );
    assert_eq!(
        stuck(two(others(route(&["everyone"]))), &["ada", "ben"]),
        ["ada", "ben"]
    );
    assert_eq!(stuck(others(route(&["rota:nights"])), &["ada"]), ["ada"]);
    let strange = Route {
        audience: vec!["rota:days".parse().unwrap()],
        ..route(&["role:boss"])
    };
    let unknown: Vec<String> = team(Some(strange)).unknown_words().into_iter().collect();
    assert_eq!(unknown, ["role:boss", "rota:days"]);
    assert_eq!(
        team(Some(route(&["role:lead", "everyone"])))
            .unknown_words()
            .len(),
        0
    );
}

fn two_leads() -> Route {
    Route {
        approve: Approvals::Two,
        ..route(&["role:lead"])
    }
}

fn four_eyes(at_desk_of: &str) -> Story {
    at(at_desk_of, Some(two_leads()))
}

#[test]
fn who_agreed_to_a_call_before_its_arguments_were_known_agrees_once_more() {
    let mut story = four_eyes("ben");
    let mut untold = permission("p1");
    if let AskContent::Permission(permission) = &mut untold.kind {
        permission.input = CallInput::untold();
    }
    story.ask(untold);
    by_device(&mut story, "cleo", YES);
    assert_eq!(story.entry("p1").agreed.len(), 1);

    let argument = Argument {
        name: "table".into(),
        value: "users".into(),
    };
    story.report(SourceReport::CallTold {
        own: "p1".into(),
        input: CallInput::told(vec![argument]),
    });
    assert_eq!(story.entry("p1").agreed, []);
    let second = by_device(&mut story, "ada", YES);
    assert_eq!(deliveries(&second), [], "one of them has not seen it");
}

#[test]
fn a_yes_counts_as_long_as_whoever_gave_it_may_decide_with_the_device_that_they_gave_it_with() {
    let whole = || seat("ben", Some(two_leads()));
    let without_device = {
        let mut seat = whole();
        seat.devices.remove("cleo's laptop");
        seat
    };
    let without_role = {
        let mut seat = whole();
        seat.team.people.insert("cleo".into(), Person::default());
        seat
    };
    let renamed = {
        let mut seat = whole();
        let laptop = TeamDevice {
            person: "ada".into(),
            ..laptop_of("cleo")
        };
        seat.devices.insert("cleo's laptop".into(), laptop);
        seat
    };
    let unnamed = seat(
        "ben",
        Some(Route {
            answerers: vec![Who::Person("ada".into())],
            ..two_leads()
        }),
    );
    for later in [without_device, without_role, renamed, unnamed] {
        let mut story = four_eyes("ben");
        story.ask(permission("p1"));
        by_device(&mut story, "cleo", YES);
        let told = story.feed(Event::Team(Some(later)));
        assert!(
            told.news.contains(&News::Held(id("p1"))),
            "others hear of it: {told:?}"
        );
        assert_eq!(story.entry("p1").agreed, []);
        let second = by_device(&mut story, "ada", YES);
        assert!(
            matches!(refusal(&second), AnswerRefusal::NeedsAnother(_)),
            "{second:?}"
        );
        assert_eq!(deliveries(&second), []);
        assert_eq!(
            deliveries(&story.answer("p1", YES, Surface::Window)),
            [("p1", &YES)]
        );
    }
}

#[test]
fn one_laptop_is_not_two_people_also_where_it_became_another_ones_meanwhile() {
    let mut story = four_eyes("ben");
    story.ask(permission("p1"));
    by_device(&mut story, "cleo", YES);
    let mut now_adas = seat("ben", Some(two_leads()));
    now_adas.devices.remove("cleo's laptop");
    now_adas.devices.remove("ada's laptop");
    let laptop = TeamDevice {
        person: "ada".into(),
        ..laptop_of("cleo")
    };
    now_adas.devices.insert("ada's laptop".into(), laptop);
    story.feed(Event::Team(Some(now_adas)));
    assert_eq!(deliveries(&by_device(&mut story, "ada", YES)), []);
}

#[test]
fn a_shift_that_ends_takes_with_it_the_yes_that_was_given_in_it() {
    let mut story = four_eyes("ben");
    let mut rota = seat(
        "ben",
        Some(Route {
            answerers: vec!["rota:now".parse().unwrap()],
            ..two_leads()
        }),
    );
    let [from, to] = ["fri 00:00", "sat 00:00"].map(|at| at.to_owned().try_into().unwrap());
    rota.team.rota.shifts = vec![Shift {
        rota: "now".into(),
        person: "cleo".into(),
        from,
        to,
    }];
    story.feed(Event::Team(Some(rota)));
    story.ask(permission("p1"));
    while !matches!(
        by_device(&mut story, "cleo", YES).verdict,
        Some(Err(AnswerRefusal::NeedsAnother(_)))
    ) {
        story.wait(Span::minutes(60));
    }
    story.wait(Span::minutes(24 * 60));
    assert_eq!(deliveries(&story.answer("p1", YES, Surface::Window)), []);
}

#[test]
fn an_owner_that_takes_back_somebodys_yes_is_believed_in_the_same_round() {
    let mut story = four_eyes("cleo");
    let mut agreed = started_by("ben");
    agreed.session.team = Some(TeamPart {
        person: "ben".into(),
        agreed: vec!["cleo".into()],
        apart: false,
    });
    story.ask(agreed);
    assert!(story.entry("p1").hold.is_some());
    story.ask(started_by("ben"));
    assert_eq!(story.entry("p1").hold, None);
}

#[test]
fn where_two_must_agree_the_first_yes_is_kept_and_the_second_one_goes_to_the_agent() {
    let mut story = four_eyes("ben");
    story.ask(permission("p1"));
    let first = story.answer("p1", YES, Surface::Window);
    let others = AnswerRefusal::NeedsAnother(held(&["ada", "cleo"], &["ben"]));
    assert_eq!((refusal(&first), deliveries(&first)), (&others, vec![]));
    assert!(first.news.contains(&News::Agreed(id("p1"))), "{first:?}");
    assert_eq!(
        withdraws(&first),
        [(Channel::Desktop, "p1", None)],
        "it waits for others now"
    );
    let again = story.answer("p1", YES, Surface::Window);
    assert_eq!(refusal(&again), &others, "nobody is two people");
    let second = by_device(&mut story, "cleo", YES);
    assert_eq!(deliveries(&second), [("p1", &YES)]);
    assert_eq!(
        story
            .entry("p1")
            .responder
            .as_ref()
            .unwrap()
            .person
            .as_deref(),
        Some("cleo")
    );
}

#[test]
fn whoever_may_give_the_second_answer_knows_of_the_first_one_and_whether_two_disagree() {
    let first = |story: &Story| story.entry("p1").first_answers();
    let of = |names: &[&str], said| Some((names.iter().map(|it| (*it).to_owned()).collect(), said));
    let mut story = four_eyes("ben");
    story.ask(permission("p1"));
    assert_eq!(first(&story), None);
    let yes = by_device(&mut story, "cleo", YES);
    assert_eq!(first(&story), of(&["cleo"], FirstAnswers::Yes));
    let is_redrawn =
        |effect: &Effect| matches!(effect, Effect::Update { entry, .. } if entry.hold.is_none());
    assert!(
        yes.effects.iter().any(is_redrawn),
        "the notification says so: {yes:?}"
    );
    let mut story = four_eyes("ben");
    story.ask(single("p1"));
    let choice = |at| Answer::Replies(vec![Reply::choice(at)]);
    by_device(&mut story, "cleo", choice(0));
    assert_eq!(first(&story), of(&["cleo"], FirstAnswers::Answer));
    by_device(&mut story, "ada", choice(1));
    assert_eq!(first(&story), of(&["ada", "cleo"], FirstAnswers::Apart));
    let mut story = four_eyes("ada");
    let mut told = started_by("ben");
    let (person, agreed) = ("ben".into(), vec!["ben".into(), "cleo".into()]);
    told.session.team = Some(TeamPart {
        person,
        agreed,
        apart: true,
    });
    story.ask(told);
    assert_eq!(first(&story), of(&["ben", "cleo"], FirstAnswers::Apart));
}

#[test]
fn whoever_has_said_yes_decides_it_when_one_is_enough_again() {
    let mut story = four_eyes("ben");
    story.ask(permission("p1"));
    story.answer("p1", YES, Surface::Window);
    assert!(story.entry("p1").hold.is_some());
    story.feed(Event::Team(Some(seat("ben", None))));
    assert_eq!(
        (&story.entry("p1").hold, story.entry("p1").first_answers()),
        (&None, None)
    );
    assert!(
        story
            .answer("p1", YES, Surface::Window)
            .verdict
            .unwrap()
            .is_ok()
    );
}

#[test]
fn a_yes_that_is_said_again_is_noted_with_whose_it_is() {
    let mut story = four_eyes("ben");
    story.ask(permission("p1"));
    by_device(&mut story, "cleo", YES);
    let again = by_device(&mut story, "cleo", YES);
    assert!(again.news.contains(&News::Agreed(id("p1"))));
    let is_cleos = |row: &RowChange| match row {
        RowChange::Ask(entry) => entry.agreed.last().is_some_and(|it| it.person == "cleo"),
        _ => false,
    };
    assert!(again.save.iter().any(is_cleos), "{again:?}");
}

#[test]
fn two_who_want_different_things_do_not_agree_and_one_no_is_enough() {
    let mut story = four_eyes("ben");
    story.ask(permission("p1"));
    story.answer("p1", YES, Surface::Window);
    let always = by_device(&mut story, "cleo", Answer::Grant(Grant::Always));
    assert!(
        matches!(refusal(&always), AnswerRefusal::NeedsAnother(_)),
        "{always:?}"
    );
    assert_eq!(deliveries(&by_device(&mut story, "ada", NO)), [("p1", &NO)]);
}

#[test]
fn a_yes_outlives_a_restart_and_not_another_content() {
    let mut story = four_eyes("ben");
    story.ask(permission("p1"));
    story.answer("p1", YES, Surface::Window);
    let kept = stored(story.entry("p1"));
    story.restart(vec![kept]);
    story.feed(Event::Team(Some(seat("ben", Some(two_leads())))));
    assert_eq!(
        deliveries(&by_device(&mut story, "cleo", YES)),
        [("p1", &YES)]
    );
    let mut story = four_eyes("ben");
    story.ask(permission("p1"));
    story.answer("p1", YES, Surface::Window);
    let mut other = permission("p1");
    other.kind = AskContent::Permission(Permission {
        permission: "edit".into(),
        ..Permission::default()
    });
    let anew = story.ask(other);
    assert_eq!(
        shows(&anew),
        [(Channel::Desktop, "p1", None)],
        "Ben is asked anew"
    );
    assert_eq!(deliveries(&by_device(&mut story, "cleo", YES)), []);
}

#[test]
fn the_yes_that_was_sent_to_another_machine_comes_back_to_be_held_and_rings_nobody() {
    let mut story = four_eyes("cleo");
    story.ask(started_by("ben"));
    assert!(
        story
            .answer("p1", YES, Surface::Window)
            .verdict
            .unwrap()
            .is_ok(),
        "it goes to its owner"
    );
    let failure = DeliveryFailure::Returned(ReturnReason::NeedsAnother);
    let back = story.report(SourceReport::NotSent {
        own: "p1".into(),
        failure,
    });
    assert_eq!((shows(&back), reminders(&back)), (vec![], vec![]));
    assert_eq!(story.entry("p1").state, AskState::Open);
    assert_eq!(
        story.entry("p1").hold,
        Some(held(&["ada", "ben"], &["cleo"]))
    );
}

#[test]
fn an_answer_that_its_owner_no_longer_counts_is_not_said_to_count() {
    let mut story = four_eyes("cleo");
    story.ask(started_by("ben"));
    story.answer("p1", YES, Surface::Window);
    let failure = DeliveryFailure::Returned(ReturnReason::NeedsAnother);
    story.report(SourceReport::NotSent {
        own: "p1".into(),
        failure,
    });
    assert_eq!(
        story.entry("p1").returned,
        Some(ReturnReason::NeedsAnother)
    );
    let mut agreed = started_by("ben");
    agreed.session.team = Some(TeamPart {
        person: "ben".into(),
        agreed: vec!["cleo".into()],
        apart: false,
    });
    story.ask(agreed);
    assert_eq!(
        story.entry("p1").returned,
        Some(ReturnReason::NeedsAnother)
    );

    story.ask(started_by("ben"));
    assert_eq!(story.entry("p1").hold, None);
    assert_eq!(story.entry("p1").returned, None);
}

#[test]
fn rules_that_change_free_what_was_held_and_hold_what_was_free() {
    let mut story = at("cleo", None);
    story.ask(started_by("ben"));
    let seat = |route| Event::Team(Some(seat("cleo", route)));
    let freed = story.feed(seat(Some(route(&["cleo"]))));
    assert_eq!(shows(&freed), [(Channel::Desktop, "p1", None)]);
    let again = story.feed(seat(None));
    assert_eq!(withdraws(&again), [(Channel::Desktop, "p1", None)]);
    assert_eq!(
        shows(&story.feed(Event::Team(None))),
        [(Channel::Desktop, "p1", None)],
        "she left"
    );
}

#[test]
fn expiry_is_nobodys_decision() {
    let mut story = at(
        "ada",
        Some(Route {
            self_approval: false,
            ..route(&["cleo"])
        }),
    );
    story.set(|policy| policy.expire_after = Some(TEN_MINUTES));
    story.ask(single("q1"));
    let mut step = story.next().1;
    while deliveries(&step).is_empty() {
        step = story.next().1;
    }
    assert_eq!(deliveries(&step), [("q1", &Answer::Dismiss)]);
    assert_eq!(story.now, Timestamp(START.0 + TEN_MINUTES.0));
}

/// Returns a desk of which nobody can tell whose it is, since its key is out of reach.
fn at_nobodys(route: Option<Route>) -> Story {
    let mut story = Story::new();
    story.feed(Event::User(Responder::new(
        Some("ada"),
        None,
        Voucher::Machine,
    )));
    let seat = TeamSeat {
        devices: seat("ada", None).devices,
        ..TeamSeat::of_nobody(team(route))
    };
    story.feed(Event::Team(Some(seat)));
    story
}

#[test]
fn as_long_as_nobody_can_tell_whose_machine_it_is_no_rule_is_passed_by() {
    let two = Route {
        approve: Approvals::Two,
        ..route(&["role:lead"])
    };
    let mut story = at_nobodys(Some(two));
    story.ask(permission("p1"));
    let refused = story.answer("p1", YES, Surface::Window);
    assert_eq!(
        refusal(&refused),
        &AnswerRefusal::Held(held(&["ada", "cleo"], &[]))
    );
    assert_eq!(
        story.entry("p1").agreed,
        [],
        "nobody's yes is not one of two"
    );
    by_device(&mut story, "cleo", YES);
    assert!(
        by_device(&mut story, "ada", YES).verdict.unwrap().is_ok(),
        "two others are two"
    );
    let others = Route {
        self_approval: false,
        ..route(&["cleo"])
    };
    let mut story = at_nobodys(Some(others));
    story.ask(permission("p1"));
    let refused = story.answer("p1", YES, Surface::Window);
    assert_eq!(
        refusal(&refused),
        &AnswerRefusal::Held(held(&["cleo"], &[]))
    );
}

#[test]
fn whoever_sits_there_has_started_what_is_asked_there_and_decides_it_where_one_may() {
    for route in [None, Some(route(&["cleo"]))] {
        let mut story = at_nobodys(route);
        story.ask(permission("p1"));
        assert!(
            story
                .answer("p1", YES, Surface::Window)
                .verdict
                .unwrap()
                .is_ok()
        );
    }
    let mut story = at_nobodys(Some(route(&["everyone"])));
    story.ask(started_by("ben"));
    assert!(
        story
            .answer("p1", YES, Surface::Window)
            .verdict
            .unwrap()
            .is_err(),
        "what others started is theirs"
    );
}
