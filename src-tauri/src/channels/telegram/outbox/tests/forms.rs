//! Tests of the form in which a card goes, and of what is left out of it.

use super::*;

fn nonsense() -> CallError {
    CallError::Other("Bad Request: BUTTON_DATA_INVALID".into())
}

fn form(call: &OutboxCall) -> CardForm {
    match call {
        OutboxCall::Send { form, .. } | OutboxCall::Edit { form, .. } => *form,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_forms_that_have_markup_are_the_first_two() {
    let forms = [
        CardForm::Marked,
        CardForm::Unstyled,
        CardForm::Plain,
        CardForm::Bare,
    ];
    assert_eq!(forms.map(CardForm::is_marked), [true, true, false, false]);
}

#[test]
fn words_that_are_refused_for_their_markup_without_having_any_go_bare() {
    let mut desk = Desk::new();
    desk.want(&wanted(1, "a"));
    let markup = || CallError::Markup("can't parse entities".into());
    let forms = [Err(markup()), Err(markup()), Ok(())].map(|result| form(&desk.one(result).0));
    assert_eq!(forms, [CardForm::Marked, CardForm::Plain, CardForm::Bare]);
}

#[test]
fn a_token_that_is_refused_says_nothing_of_the_card() {
    let mut desk = Desk::new();
    desk.want(&wanted(1, "a"));
    desk.one(Err(CallError::Unauthorized));
    assert!(
        desk.outbox.due(desk.now).unwrap() > desk.now,
        "nobody is asked at once"
    );
    assert_eq!(form(&desk.one(Ok(())).0), CardForm::Marked);
}

#[test]
fn a_prompt_that_is_refused_is_left_out_until_another_is_wanted() {
    let mut desk = Desk::new();
    let awaiting = |words: &str, look: &str| {
        let mut wanted = wanted(1, look);
        let (html, placeholder) = (words.into(), "…".into());
        wanted.card.prompt = Some(ReplyPrompt {
            html,
            placeholder,
            selective: false,
            asks: AwaitedText::Text { question: 0 },
        });
        wanted
    };
    desk.want(&awaiting("Write", "a"));
    desk.one(Ok(()));
    assert!(matches!(
        desk.one(Err(nonsense())).0,
        OutboxCall::Ask { .. }
    ));
    desk.quiet();
    desk.want(&awaiting("Write", "b"));
    assert_eq!(desk.one(Ok(())).1, [], "and nothing is told of one");
    desk.quiet();
    desk.want(&awaiting("Write why", "b"));
    assert!(matches!(desk.one(Ok(())).0, OutboxCall::Ask { .. }));
}

#[test]
fn a_file_of_more_than_telegram_takes_is_not_sent_and_the_card_says_so() {
    let largest = "x".repeat(50_000_000);
    for (text, sent) in [(format!("{largest}x"), false), (largest, true)] {
        let mut desk = Desk::new();
        let document = CardDocument {
            text: text.into(),
            ..document("a")
        };
        let card = CardMessage {
            document: Some(document),
            ..card("a")
        };
        desk.want(&WantedCard {
            card,
            ..wanted(1, "a")
        });
        desk.all();
        assert_eq!(html(desk.calls()[0]), if sent { "a" } else { "a, unsent" });
        assert_eq!(desk.calls().len(), if sent { 2 } else { 1 });
    }
}

#[test]
fn a_card_that_got_through_at_last_has_its_prompt_before_new_cards_come() {
    let mut desk = Desk::new();
    let mut awaiting = wanted(1, "a");
    awaiting.card.prompt = Some(ReplyPrompt {
        html: "Write".into(),
        placeholder: "…".into(),
        selective: false,
        asks: AwaitedText::Text { question: 0 },
    });
    desk.want(&awaiting);
    (0..8).for_each(|_| _ = desk.one(Err(CallError::Server(502))));
    assert!(matches!(desk.one(Ok(())).0, OutboxCall::Send { .. }));
    desk.want(&wanted(2, "new"));
    assert!(matches!(desk.one(Ok(())).0, OutboxCall::Ask { .. }));
}
