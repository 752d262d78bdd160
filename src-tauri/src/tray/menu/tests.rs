//! Tests of the menu, line by line.

mod alike;
mod machines;
mod standing;

use super::*;
use beckon_core::{
    Answer, Ask, AskContent, AskId, AskState, Choice, Entry, Grant, Outcome, Permission, Presence,
    PresenceReading, PresenceSource, PresenceState, Question, QuestionConsent, Reply, Session,
    SourceFault, SourceId, Span, Surface,
};

const NOW: Timestamp = Timestamp(1_760_000_000_000);

fn question(text: &str, labels: &[&str]) -> Question {
    let choices = labels.iter().map(|label| Choice {
        label: (*label).into(),
        description: format!("about {label}"),
        value: None,
    });
    Question {
        header: format!("Head of {text}"),
        question: text.into(),
        choices: choices.collect(),
        ..Question::default()
    }
}

fn ask(serial: u64, kind: AskContent) -> AskView {
    let source = SourceId("local".into());
    let own = format!("que_{serial}");
    let session = Session {
        directory: "/home/me/shop-api/".into(),
        ..Session::default()
    };
    let id = AskId {
        source,
        own: own.clone(),
    };
    let asked_at = NOW + seconds(-240);
    AskView {
        name: own,
        entry: Entry::new(
            Ask {
                id,
                kind,
                session,
                call: None,
                asked_at,
            },
            serial,
        ),
    }
}

fn seconds(count: i64) -> Span {
    Span::seconds(count)
}

fn view(asks: Vec<AskView>) -> DeskView {
    let state = SourceState::Live { version: None };
    let sources = vec![SourceView {
        id: SourceId("local".into()),
        state,
    }];
    DeskView {
        asks,
        sources,
        ..DeskView::default()
    }
}

fn drawn(view: &DeskView) -> Vec<String> {
    drawn_with(view, &LatestAnswers::default())
}

fn drawn_with(view: &DeskView, latest: &LatestAnswers) -> Vec<String> {
    let menu = TraySnapshot::of(view, latest, OnePress::Unmarked).menu(
        &Texts::load("en"),
        &TimeZone::UTC,
        NOW,
    );
    let mut lines = Vec::new();
    describe(&menu.lines, "", &mut lines);
    lines
}

fn glimpse(view: &DeskView) -> TraySnapshot {
    TraySnapshot::of(view, &LatestAnswers::default(), OnePress::Unmarked)
}

fn icon(view: &DeskView) -> IconState {
    glimpse(view).icon()
}

/// Writes one line of text per line of the menu: `·` cannot be pressed, `▸` opens a submenu, `✓`
/// holds.
fn describe(lines: &[MenuLine], indent: &str, into: &mut Vec<String>) {
    for line in lines {
        let MenuLine::Item(item) = line else {
            into.push(format!("{indent}--"));
            continue;
        };
        let mark = match (item.enabled, item.children.is_empty(), item.checked) {
            (false, ..) => "· ",
            (true, false, _) => "▸ ",
            (true, true, Some(true)) => "✓ ",
            (true, true, _) => "",
        };
        into.push(format!("{indent}{mark}{}", item.label));
        describe(&item.children, &format!("{indent}  "), into);
    }
}

fn first(view: &DeskView) -> MenuEntry {
    let menu = glimpse(view).menu(&Texts::load("en"), &TimeZone::UTC, NOW);
    match menu.lines.into_iter().next() {
        Some(MenuLine::Item(item)) => item,
        other => panic!("the first line is {other:?}"),
    }
}

fn actions(item: &MenuEntry) -> Vec<MenuAction> {
    let items = item.children.iter().filter_map(|line| match line {
        MenuLine::Item(item) => item.action,
        MenuLine::Separator => None,
    });
    items.collect()
}

fn labels(item: &MenuEntry) -> Vec<&str> {
    let items = item.children.iter().map(|line| match line {
        MenuLine::Item(item) => item.label.as_str(),
        MenuLine::Separator => "--",
    });
    items.collect()
}

#[test]
fn with_nobody_waiting_the_menu_says_where_you_are_and_lets_you_pause_and_quit() {
    let expected = [
        "Open Beckon",
        "--",
        "▸ Presence: automatic",
        "  ✓ Automatic",
        "  Here",
        "  Away",
        "  Away for 1 h",
        "  --",
        "  · Can't tell; you're notified everywhere",
        "▸ Pause",
        "  30 min",
        "  Until tomorrow",
        "  --",
        "  · No notifications, nothing on Telegram",
        "--",
        "Settings…",
        "Quit Beckon",
    ];
    assert_eq!(drawn(&view(vec![])), expected);
}

#[test]
fn a_single_choice_question_is_answered_with_one_press() {
    let kind = AskContent::Questions(vec![question("Which database?", &["PostgreSQL", "SQLite"])]);
    let ask = ask(7, kind);
    let target = ask.entry.target();
    let item = first(&view(vec![ask]));
    assert_eq!(item.label, "shop-api: Which database? · 4 min");
    let expected = [
        "PostgreSQL: about PostgreSQL",
        "SQLite: about SQLite",
        "--",
        "Answer in the window…",
        "Open session",
    ];
    assert_eq!(labels(&item), expected);
    let choose = |choice| MenuAction::Press {
        target,
        press: ButtonPress::Choose {
            question: 0,
            choice,
        },
    };
    assert_eq!(
        actions(&item),
        [
            choose(0),
            choose(1),
            MenuAction::Open(7),
            MenuAction::OpenSession(7)
        ]
    );
}

#[test]
fn a_choice_that_lets_something_run_is_pressed_only_beside_all_of_it() {
    let choices_of = |text: &str, commands: &[&str]| {
        let consent = QuestionConsent {
            commands: commands.iter().map(|it| (*it).to_owned()).collect(),
            refusals: vec![1],
        };
        let review = Question {
            choices: vec![plain("approve"), plain("reject")],
            consent: Some(consent),
            ..question(text, &[])
        };
        let item = first(&view(vec![ask(7, AskContent::Questions(vec![review]))]));
        let choices = ["approve", "reject"].into_iter();
        let offered: Vec<&str> = choices
            .filter(|choice| labels(&item).contains(choice))
            .collect();
        offered
    };
    assert_eq!(choices_of("ls {}", &["ls"]), ["approve", "reject"]);
    assert_eq!(choices_of("rm -rf ~", &["rm -rf ~"]), ["reject"]);
    assert_eq!(choices_of("pay \u{202e}001", &[]), ["reject"]);
    assert_eq!(choices_of(&"say more ".repeat(90), &[]), ["reject"]);
}

fn plain(label: &str) -> Choice {
    Choice {
        label: label.into(),
        ..Choice::default()
    }
}

#[test]
fn what_no_single_press_answers_opens_the_window_from_its_own_line() {
    let several = Question {
        multiple: true,
        ..question("Which features?", &["Auth", "Search"])
    };
    let set = vec![question("Database", &["a"]), question("Features", &["b"])];
    let own = question("What is it called?", &[]);
    let kinds = [
        (vec![several], "shop-api: Which features?… · 4 min"),
        (set, "shop-api: 2 questions… · 4 min"),
        (vec![own], "shop-api: What is it called?… · 4 min"),
    ];
    for (questions, label) in kinds {
        let item = first(&view(vec![ask(7, AskContent::Questions(questions))]));
        assert_eq!(
            (item.label.as_str(), item.action),
            (label, Some(MenuAction::Open(7)))
        );
        assert!(item.enabled && item.children.is_empty());
    }
}

#[test]
fn nothing_is_dismissed_from_the_menu() {
    let kinds = [
        AskContent::Questions(vec![question("Which?", &["a"])]),
        AskContent::Permission(run("ls")),
        AskContent::Confirm("Go?".into()),
    ];
    for kind in kinds {
        let ask = ask(7, kind);
        let target = ask.entry.target();
        let dismiss = MenuAction::Press {
            target,
            press: ButtonPress::Dismiss,
        };
        assert!(!actions(&first(&view(vec![ask]))).contains(&dismiss));
    }
}

#[test]
fn however_long_the_topic_its_age_stands_behind_it() {
    let long = "Should the orders table keep the old column until every client has moved over?";
    for asked in [vec![question(long, &["Yes"])], vec![question(long, &[])]] {
        let item = first(&view(vec![ask(7, AskContent::Questions(asked))]));
        assert!(
            item.label.ends_with("… · 4 min") && !item.label.contains("……"),
            "{}",
            item.label
        );
        assert_eq!(item.label.chars().count(), WIDTH);
    }
}

#[test]
fn ages_change_words_alone_and_whoever_comes_changes_the_menu() {
    let menu = |asks: Vec<AskView>, now| {
        glimpse(&view(asks)).menu(&Texts::load("en"), &TimeZone::UTC, now)
    };
    let one = || {
        ask(
            7,
            AskContent::Questions(vec![question("Which?", &["a", "b"])]),
        )
    };
    let before = menu(vec![one()], NOW);
    let later = menu(vec![one()], NOW + seconds(3_600));
    assert!(before != later && later.has_shape_of(&before));
    let other = ask(
        8,
        AskContent::Questions(vec![question("Which?", &["a", "b"])]),
    );
    assert!(!menu(vec![other.clone()], NOW).has_shape_of(&before));
    assert!(!menu(vec![one(), other], NOW).has_shape_of(&before));
}

#[test]
fn a_permission_shows_what_is_allowed_and_is_never_dismissed() {
    let permission = Permission {
        permission: "bash".into(),
        command: Some("cd build\nmake all".into()),
        ..Permission::default()
    };
    let ask = ask(7, AskContent::Permission(permission));
    let target = ask.entry.target();
    let item = first(&view(vec![ask]));
    assert_eq!(item.label, "shop-api wants to run make · 4 min");
    let expected = [
        "cd build",
        "make all",
        "--",
        "Allow once",
        "Reject",
        "--",
        "Open…",
        "Open session",
    ];
    assert_eq!(labels(&item), expected);
    let press = |press| MenuAction::Press { target, press };
    assert_eq!(
        actions(&item),
        [
            press(ButtonPress::Once),
            press(ButtonPress::Reject),
            MenuAction::Open(7),
            MenuAction::OpenSession(7)
        ]
    );
}

#[test]
fn what_does_not_fit_cannot_be_allowed_from_the_menu() {
    let command = Some(format!("echo {} && rm -rf /", "x".repeat(400)));
    let permission = Permission {
        permission: "bash".into(),
        command,
        ..Permission::default()
    };
    let ask = ask(7, AskContent::Permission(permission));
    let target = ask.entry.target();
    let item = first(&view(vec![ask]));
    let reject = MenuAction::Press {
        target,
        press: ButtonPress::Reject,
    };
    assert_eq!(
        actions(&item),
        [reject, MenuAction::Open(7), MenuAction::OpenSession(7)]
    );
}

fn run(command: &str) -> Permission {
    let command = Some(command.to_owned());
    Permission {
        permission: "bash".into(),
        command,
        ..Permission::default()
    }
}

#[test]
fn a_command_that_hides_something_is_shown_as_it_is_and_cannot_be_allowed_from_the_menu() {
    let hiding = [
        ("cat x # \u{202e}'sl'", "cat x # ⟨U+202E⟩'sl'"),
        ("echo ok\rcat ~", "echo ok⟨U+000D⟩cat ~"),
        ("echo 'a  b'\u{a0}", "echo 'a  b'⟨U+00A0⟩"),
        (
            &format!("ls{}; cat ~/x", " ".repeat(30)),
            &format!("ls{}; cat ~/x", " ".repeat(30)),
        ),
    ];
    for (command, seen) in hiding {
        let item = first(&view(vec![ask(7, AskContent::Permission(run(command)))]));
        assert_eq!(
            labels(&item),
            [seen, "--", "Reject", "--", "Open…", "Open session"]
        );
    }
}

#[test]
fn a_dangerous_command_says_so_and_cannot_be_allowed_from_the_menu() {
    let item = first(&view(vec![ask(
        7,
        AskContent::Permission(run("rm -rf dist")),
    )]));
    let danger = "Deletes files, and can't be undone.";
    assert_eq!(
        labels(&item),
        [
            "rm -rf dist",
            danger,
            "--",
            "Reject",
            "--",
            "Open…",
            "Open session"
        ]
    );
}

#[test]
fn an_edit_of_which_only_the_name_is_in_sight_cannot_be_allowed_from_the_menu() {
    let (permission, patterns) = ("edit".to_owned(), vec!["src/a.rs".to_owned()]);
    let diff = Some("-a\n+b".to_owned());
    let edit = Permission {
        permission,
        patterns,
        diff,
        ..Permission::default()
    };
    let asks = vec![ask(7, AskContent::Permission(edit))];
    assert_eq!(
        labels(&first(&view(asks.clone()))),
        ["src/a.rs", "--", "Reject", "--", "Open…", "Open session"]
    );
    let all = TraySnapshot::of(&view(asks), &LatestAnswers::default(), OnePress::All);
    let menu = all.menu(&Texts::load("en"), &TimeZone::UTC, NOW);
    let Some(MenuLine::Item(item)) = menu.lines.first() else {
        panic!("no ask")
    };
    assert_eq!(labels(item)[2], "Allow once");
}

#[test]
fn what_is_no_part_of_the_command_is_shown_beside_it() {
    let patterns = vec!["ls".to_owned(), "run_in_background: true".to_owned()];
    let item = first(&view(vec![ask(
        7,
        AskContent::Permission(Permission {
            patterns,
            ..run("ls -l")
        }),
    )]));
    assert_eq!(
        labels(&item)[..4],
        ["ls -l", "run_in_background: true", "--", "Allow once"]
    );
}

#[test]
fn what_is_not_in_sight_cannot_be_continued_from_the_menu() {
    for info in [
        "a long story ".repeat(40),
        format!("Deploy?{}now", " ".repeat(40)),
    ] {
        let item = first(&view(vec![ask(7, AskContent::Confirm(info))]));
        assert!(!labels(&item).contains(&"Continue"), "{item:?}");
    }
}

#[test]
fn what_a_rejection_takes_along_is_said_in_the_menu() {
    let rejects = beckon_core::RejectionReach::Session;
    let mut ask = ask(
        7,
        AskContent::Permission(Permission {
            rejects,
            ..run("ls")
        }),
    );
    ask.entry.also_rejects = 2;
    let item = first(&view(vec![ask]));
    assert_eq!(
        labels(&item)[4],
        "Rejecting this also rejects 2 other requests of this session."
    );
}

#[test]
fn what_was_asked_twice_says_so_in_the_menu() {
    let mut ask = ask(7, AskContent::Permission(run("ls")));
    ask.entry.also_asked = 1;
    let item = first(&view(vec![ask]));
    assert_eq!(
        labels(&item)[4],
        "Asked 2 times; one answer goes to all of them."
    );
}

#[test]
fn an_unknown_permission_is_called_by_its_own_name() {
    let permission = Permission {
        permission: "set".into(),
        ..Permission::default()
    };
    let item = first(&view(vec![ask(7, AskContent::Permission(permission))]));
    assert_eq!(item.label, "shop-api wants to use set · 4 min");
}

#[test]
fn a_confirm_is_continued_or_cancelled() {
    let item = first(&view(vec![ask(
        7,
        AskContent::Confirm("Deploy to production".into()),
    )]));
    assert_eq!(item.label, "shop-api: Deploy to production · 4 min");
    assert_eq!(
        labels(&item),
        [
            "Continue",
            "Stop here",
            "--",
            "Answer in the window…",
            "Open session"
        ]
    );
}

#[test]
fn a_question_too_long_for_its_title_stands_in_full_below_it() {
    let long = "Should the orders table keep the old column until every client has moved over?";
    let item = first(&view(vec![ask(
        7,
        AskContent::Questions(vec![question(long, &["Yes"])]),
    )]));
    let below = labels(&item)[..2].join(" ");
    assert_eq!(below, long);
}

#[test]
fn no_label_carries_line_breaks_or_is_longer_than_the_width() {
    let wild = question(
        &"Wild\n\u{202e}\ttext ".repeat(40),
        &[&"label\n".repeat(60)],
    );
    let lines = drawn(&view(vec![ask(7, AskContent::Questions(vec![wild]))]));
    let text = |line: &String| line.trim_start_matches([' ', '·', '▸', '✓']).to_owned();
    assert!(lines.iter().all(|line| text(line).chars().count() <= WIDTH));
    assert!(!lines.concat().contains(['\n', '\t', '\u{202e}']));
}

#[test]
fn after_twenty_asks_the_menu_counts_the_rest() {
    let asks = (1..=23).map(|serial| ask(serial, AskContent::Confirm("Go".into())));
    let lines = drawn(&view(asks.collect()));
    assert_eq!(
        lines
            .iter()
            .filter(|line| line.contains("shop-api"))
            .count(),
        MOST_ASKS
    );
    assert!(lines.contains(&"and 3 more…".into()));
}

#[test]
fn the_rest_leads_to_the_list_of_all() {
    let asks = (1..=23).map(|serial| ask(serial, AskContent::Confirm("Go".into())));
    let latest = LatestAnswers::default();
    let menu = TraySnapshot::of(&view(asks.collect()), &latest, OnePress::Unmarked);
    let menu = menu.menu(&Texts::load("en"), &TimeZone::UTC, NOW);
    let rest = menu.lines.iter().find_map(|line| match line {
        MenuLine::Item(entry) if entry.label == "and 3 more…" => entry.action,
        _ => None,
    });
    assert_eq!(rest, Some(MenuAction::OpenInbox));
}

#[test]
fn an_ask_that_is_being_answered_or_has_gone_quiet_is_not_in_the_menu() {
    let mut quiet = ask(7, AskContent::Confirm("Go".into()));
    quiet.entry.quiet_since = Some(NOW);
    let view = view(vec![quiet]);
    assert!(!drawn(&view).concat().contains("shop-api"));
    assert_eq!(icon(&view), IconState::Quiet);
}

#[test]
fn presence_is_said_with_its_evidence_and_what_the_human_said_is_checked() {
    let mut view = view(vec![]);
    let last_input = Some(NOW + seconds(-12));
    let reading = PresenceReading {
        presence: Presence::Here,
        evidence: PresenceSource::X11,
        last_input,
    };
    view.presence.standing = PresenceState {
        reading,
        said: PresenceOverride::Auto,
    };
    assert_eq!(drawn(&view)[2], "▸ You're here");
    assert!(drawn(&view).contains(&"  · Keyboard or mouse 12 s ago, X11".into()));
    view.presence.standing.said = PresenceOverride::Away;
    view.presence.away = true;
    assert_eq!(drawn(&view)[2], "▸ You're away");
    assert_eq!(drawn(&view)[5], "  ✓ Away");
    assert!(drawn(&view).contains(&"  · Set by you".into()));
}

#[test]
fn what_was_said_for_a_while_says_until_when_and_an_hour_can_be_said_again() {
    let mut view = view(vec![]);
    view.presence.standing.said = PresenceOverride::Away;
    view.presence.away = true;
    // 09:53:20 UTC.
    let end = NOW + seconds(3_600);
    view.presence.said_until = Some(end);
    let expected = [
        "▸ You're away",
        "  Automatic",
        "  Here",
        "  Away",
        "  ✓ Away until 09:53",
        "  Away for 1 h",
        "  --",
        "  · Set by you until 09:53",
    ];
    assert_eq!(drawn(&view)[2..10], expected);
    let away = |until| MenuAction::Said {
        said: PresenceOverride::Away,
        until,
    };
    let menu = glimpse(&view).menu(&Texts::load("en"), &TimeZone::UTC, NOW);
    let MenuLine::Item(item) = &menu.lines[2] else {
        panic!("no presence")
    };
    assert_eq!(
        actions(item)[2..],
        [
            OverrideUntil::Further,
            OverrideUntil::At(end),
            OverrideUntil::AnHour
        ]
        .map(away)
    );
    assert_eq!(OverrideUntil::AnHour.end(NOW), Some(end));
    view.presence.standing.said = PresenceOverride::Here;
    assert_eq!(drawn(&view)[5], "  ✓ Here until 09:53");
}

#[test]
fn the_last_answers_stand_in_plain_words_and_open_the_history() {
    let permission = || AskContent::Permission(Permission::default());
    let database = AskContent::Questions(vec![question("Which?", &["PostgreSQL", "SQLite"])]);
    let mut latest = LatestAnswers::default();
    let mut end = |mut ask: AskView, outcome, ago: i64| {
        let at = NOW + seconds(-ago);
        ask.entry.state = AskState::Settled { outcome, at };
        latest.note(&ask.entry);
    };
    let (always, by) = (Answer::Grant(Grant::Always), Surface::Telegram);
    end(
        ask(1, permission()),
        Outcome::Answered { answer: always, by },
        86_400,
    );
    end(
        ask(2, database),
        Outcome::Elsewhere {
            answers: Some(vec![vec!["SQLite".into()]]),
        },
        60,
    );
    end(ask(3, permission()), Outcome::Expired, 0);
    let lines = drawn_with(&view(vec![]), &latest);
    let expected = [
        "▸ Recent answers",
        "  shop-api: Expired after 4 min · 08:53",
        "  shop-api: SQLite · elsewhere, 08:52",
        "  shop-api: Always allowed · on Telegram, yesterday 08:53",
        "--",
    ];
    let at = lines
        .iter()
        .position(|line| line == expected[0])
        .expect("it is in the menu");
    assert_eq!(lines[at..at + 5], expected);
    let menu = TraySnapshot::of(&view(vec![]), &latest, OnePress::Unmarked);
    let menu = menu.menu(&Texts::load("en"), &TimeZone::UTC, NOW);
    let MenuLine::Item(item) = &menu.lines[at] else {
        panic!("no submenu")
    };
    assert_eq!(actions(item), [MenuAction::OpenHistory; 3]);
}

#[test]
fn a_long_answer_leaves_room_for_where_and_when() {
    let mut asked = ask(
        1,
        AskContent::Questions(vec![question("Which?", &[&"long ".repeat(40)])]),
    );
    asked.entry.ask.session.directory = "/srv/a-directory-with-a-very-long-name".into();
    let outcome = Outcome::Answered {
        answer: Answer::Replies(vec![Reply::choice(0)]),
        by: Surface::Notification,
    };
    asked.entry.state = AskState::Settled {
        outcome,
        at: NOW + seconds(-86_400),
    };
    let mut latest = LatestAnswers::default();
    latest.note(&asked.entry);
    for language in beckon_client::text::languages() {
        let menu = TraySnapshot::of(&view(vec![]), &latest, OnePress::Unmarked);
        let menu = menu.menu(&Texts::load(language), &TimeZone::UTC, NOW);
        let mut lines = Vec::new();
        describe(&menu.lines, "", &mut lines);
        let line = lines
            .iter()
            .find(|line| line.contains("08:53"))
            .expect("the time is there");
        assert!(
            line.trim().chars().count() <= WIDTH && line.contains("lon"),
            "{line}"
        );
    }
}

#[test]
fn while_paused_the_way_out_is_the_first_thing_in_the_menu() {
    let mut view = view(vec![ask(7, AskContent::Confirm("Deploy?".into()))]);
    // 08:53:20 UTC.
    view.paused_until = Some(NOW + seconds(1_800));
    let expected = [
        "· Paused until 09:23",
        "Resume",
        "--",
        "▸ shop-api: Deploy? · 4 min",
    ];
    assert_eq!(drawn(&view)[..4], expected);
    assert!(!drawn(&view).contains(&"▸ Pause".into()));
    view.paused_until = PauseFor::UntilTomorrow.until_in(&TimeZone::UTC, NOW);
    assert_eq!(drawn(&view)[0], "· Paused until tomorrow 08:00");
}

#[test]
fn a_source_in_trouble_has_a_line_and_only_hopeless_ones_change_the_icon() {
    let mut view = view(vec![]);
    let error = Some(SourceFault::Other("connection refused".into()));
    let gone = SourceView {
        id: SourceId("lab".into()),
        state: SourceState::Connecting { error },
    };
    view.sources.push(gone);
    assert!(drawn(&view).contains(&"· lab: unreachable".into()));
    assert_eq!(icon(&view), IconState::Quiet);
    view.sources[0].state = SourceState::Unauthorized;
    assert!(drawn(&view).contains(&"· local: the password or token is wrong or missing".into()));
    assert_eq!(icon(&view), IconState::NoSource);
}

#[test]
fn an_answer_that_does_not_arrive_is_said_and_can_be_given_to_nothing_else() {
    let mut stuck = ask(7, AskContent::Confirm("Go on?".into()));
    let answer = beckon_core::Answer::Continue;
    stuck.entry.state = beckon_core::AskState::Answering {
        answer,
        by: beckon_core::Surface::Tray,
        at: NOW,
        attempts: 9,
        tried_at: Some(NOW),
        sent_at: None,
        unanswered: false,
    };
    assert_eq!(
        TraySnapshot::of(
            &view(vec![stuck.clone()]),
            &LatestAnswers::default(),
            OnePress::default()
        )
        .waiting,
        0
    );
    let why = Some("it answers 400".to_owned());
    stuck.entry.undelivered = Some(beckon_core::UndeliveredAnswer { since: NOW, why });
    let item = first(&view(vec![stuck]));
    assert_eq!(
        labels(&item),
        ["The answer hasn't reached the agent yet: it answers 400. Beckon keeps trying."]
    );
    assert!(actions(&item).is_empty());
}
