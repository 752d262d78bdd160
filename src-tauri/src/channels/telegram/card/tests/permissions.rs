//! Permissions: what is asked, what "always" means, and the file with all of it.

use super::*;
use beckon_core::{AlwaysUntil, AwaitedText, Draft};

fn asked(permission: Permission) -> Entry {
    let mut entry = entry(AskContent::Permission(permission));
    entry.ask.session.directory = "/home/me/shop-api".into();
    entry.ask.session.title = Some("Ship it".into());
    entry
}

fn on(page: CardPage, mut entry: Entry) -> CardMessage {
    entry.draft = Some(Draft {
        page,
        ..Draft::new(&entry.ask)
    });
    card(&entry, &scene(&Texts::load("en")))
}

fn front(permission: Permission) -> CardMessage {
    on(CardPage::Question(0), asked(permission))
}

fn npm() -> Permission {
    Permission {
        always: vec!["npm *".into(), "npx *".into()],
        ..bash("npm <test>")
    }
}

#[test]
fn a_permission_says_what_is_wanted_and_nothing_besides_its_buttons() {
    assert_eq!(
        front(npm()).html,
        "🔐 <b>shop-api wants to run npm</b>\nShip it\n<pre>npm &lt;test&gt;</pre>"
    );
    let labels = |card: &CardMessage| -> Vec<String> {
        card.keyboard
            .iter()
            .flatten()
            .map(|button| button.label.clone())
            .collect()
    };
    let named = |name: &str| {
        labels(&front(Permission {
            permission: name.into(),
            patterns: vec!["1. Move the table".into()],
            ..Permission::default()
        }))
    };
    assert_eq!(
        named("plan"),
        ["Start", "Keep planning", "Say what to change"]
    );
    assert_eq!(
        named("doom_loop"),
        ["Keep going", "Stop", "Stop and say why"]
    );
}

#[test]
fn always_says_what_it_allows_and_for_how_long() {
    let table = [
        (
            AlwaysUntil::Unsaid,
            "These run without asking. The agent decides for how long.",
        ),
        (
            AlwaysUntil::SessionEnds,
            "These run without asking for the rest of this session.",
        ),
        (
            AlwaysUntil::ServerStops,
            "These run without asking until OpenCode restarts.",
        ),
    ];
    for (always_until, said) in table {
        let sure = on(
            CardPage::SureAlways,
            asked(Permission {
                always_until,
                ..npm()
            }),
        );
        assert_eq!(
            sure.html,
            format!(
                "🔐 <b>Always allow this?</b>\nshop-api wants to run npm · Ship it\n\
                 <pre>npm &lt;test&gt;</pre>\n{said}\n<pre>npm *\nnpx *</pre>"
            )
        );
    }
}

#[test]
fn what_always_would_allow_is_cut_only_where_it_is_shown() {
    let long = Permission {
        always: vec!["x".repeat(5_000)],
        ..bash("make")
    };
    let rest = "Not all of it fits on this card.";
    assert_eq!(
        sight(&asked(long.clone()), &scene(&Texts::load("en"))),
        CardSight::Clear
    );
    let sure = on(CardPage::SureAlways, asked(long.clone()));
    assert!(sure.html.contains(rest), "{}", sure.html);
    let document = sure.document.unwrap();
    assert_eq!(document.name, "command.txt");
    let text = format!(
        "shop-api · Ship it\n\nmake\n\n“Always” would allow:\n{}\n",
        "x".repeat(5_000)
    );
    assert_eq!(&*document.text, text);
}

#[test]
fn the_file_of_what_is_too_long_is_named_after_what_is_in_it() {
    let edit = |diff: Option<String>| Permission {
        permission: "edit".into(),
        patterns: vec!["a.rs".into()],
        diff,
        ..Permission::default()
    };
    let change = "+b\n".repeat(3_000);
    let pattern = Permission {
        patterns: vec!["y".repeat(5_000)],
        ..edit(None)
    };
    for (permission, name, text) in [
        (bash(&"x".repeat(5_000)), "command.txt", "x".repeat(5_000)),
        (
            edit(Some(change.clone())),
            "change.diff",
            format!("a.rs\n\n{change}"),
        ),
        (pattern, "permission.txt", "y".repeat(5_000)),
    ] {
        let mut entry = asked(permission);
        entry.ask.session.last_words = Some("Ready.".into());
        let card = on(CardPage::Question(0), entry);
        let document = card.document.unwrap();
        assert_eq!(document.name, name);
        let whole = format!("shop-api · Ship it\n\n{text}\n\nWhat the agent said:\nReady.\n");
        assert_eq!(&*document.text, whole);
        assert!(card.html.contains(&format!("📎 All of it is in {name}")));
    }
}

#[test]
fn a_name_of_sixty_is_shown_whole() {
    let named = |name: String| {
        asked(Permission {
            permission: name,
            ..bash("make")
        })
    };
    let texts = Texts::load("en");
    let clear = |length| sight(&named("x".repeat(length)), &scene(&texts)) == CardSight::Clear;
    assert!(clear(60) && !clear(61));
}

#[test]
fn while_a_reason_is_awaited_its_button_says_so() {
    let mut entry = asked(npm());
    entry.draft = Some(Draft {
        awaits: Some(AwaitedText::Reason),
        ..Draft::new(&entry.ask)
    });
    let card = card(&entry, &scene(&Texts::load("en")));
    assert_eq!(card.keyboard[1][1].label, "✏️ Waiting for your reply…");
    let prompt = card.prompt.unwrap();
    assert_eq!(prompt.html, "✏️ Why? The agent will read your reason.");
    assert_eq!(prompt.placeholder, "The reason");
}
