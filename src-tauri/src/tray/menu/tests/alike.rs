//! Tests of rows that would say the same.

use super::*;

#[test]
fn rows_that_look_alike_are_told_apart_by_who_asks_and_others_stay_short() {
    let by = |serial, directory: &str, agent: Option<&str>, title: Option<&str>, text: &str| {
        let mut view = ask(
            serial,
            AskContent::Questions(vec![question(text, &["Yes"])]),
        );
        let [agent, title] = [agent, title].map(|text| text.map(str::to_owned));
        let directory = directory.to_owned();
        view.entry.ask.session = Session {
            directory,
            agent,
            title,
            ..Session::default()
        };
        view
    };
    let rows = |asks: Vec<AskView>| {
        let lines = glimpse(&view(asks))
            .menu(&Texts::load("en"), &TimeZone::UTC, NOW)
            .lines;
        let label = |line: MenuLine| match line {
            MenuLine::Item(item) => Some(item.label.replace(" · 4 min", "")),
            MenuLine::Separator => None,
        };
        lines.into_iter().map_while(label).collect::<Vec<_>>()
    };
    let (nightly, claude) = (Some("deploy.sh"), Some("Claude Code"));
    let asks = vec![
        by(1, "/src/shop", nightly, None, "Go on?"),
        by(2, "/src/shop", claude, Some("Release"), "Go on?"),
        by(3, "/src/shop", claude, Some("Release"), "Which one?"),
    ];
    let expected = [
        "shop (deploy.sh): Go on?",
        "shop (Claude Code): Go on?",
        "shop: Which one?",
    ];
    assert_eq!(rows(asks), expected);
    let asks = vec![
        by(1, "/src/shop", Some("build"), Some("Release 2"), "Go on?"),
        by(2, "/src/shop", Some("build"), Some("Clean up"), "Go on?"),
    ];
    assert_eq!(
        rows(asks),
        ["shop (Release 2): Go on?", "shop (Clean up): Go on?"]
    );
    let asks = vec![
        by(1, "/home/me/old/shop", None, None, "Go on?"),
        by(2, "/home/me/new/shop/", None, None, "Go on?"),
    ];
    assert_eq!(rows(asks), ["shop (old): Go on?", "shop (new): Go on?"]);
    let twin = || by(1, "/src/shop", claude, Some("Release"), "Go on?");
    assert_eq!(rows(vec![twin(), twin()]), ["shop: Go on?", "shop: Go on?"]);
}
