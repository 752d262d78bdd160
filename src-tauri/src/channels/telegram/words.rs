//! The words for all else that Telegram says: toasts, reminders, finished turns, answers to
//! commands. In Telegram's HTML, strangers' texts escaped, unless a function says "plain".
//!
//! Not here: cards (`card.rs`).

mod overview;
mod standing;

use super::card::{CardContext, ending, says, time};
use super::html::{Html, cut, escape, line, prose_within};
use beckon_client::text::Value;
use beckon_client::text::words;
use beckon_core::{
    AnswerRefusal, Entry, FinishedTurn, InvalidAnswer, Outcome, PresenceOverride, Reminder, Reply,
    Timestamp, TurnEnd,
};
pub(crate) use overview::{nobody_waits, paused, status};
pub(crate) use standing::{menu, old_card, reason, trouble};

/// The length of a toast, Telegram's limit
/// (<https://core.telegram.org/bots/api#answercallbackquery>).
const TOAST: usize = 200;
const REASON: usize = 300;
const NAME: usize = 64;
/// The length of an agent's message, in UTF-16 units; more is for reading at the desk.
const REMARK: usize = 1_000;

/// Returns the answer to a person who changes words that were taken.
pub(crate) fn edited(scene: &CardContext<'_>) -> String {
    escape(&scene.texts.get("telegram-edited"))
}

/// Returns why a press or a text was not taken; plain, at most 200 characters. [`late`] says more
/// where the ask is at hand.
pub(crate) fn refusal(refusal: &AnswerRefusal, scene: &CardContext<'_>) -> String {
    let text = match refusal {
        AnswerRefusal::Unknown => scene.texts.get("telegram-refusal-unknown"),
        AnswerRefusal::Answering { by } => {
            place_in(scene, "telegram-refusal-answering", says::place(*by, scene))
        }
        AnswerRefusal::Settled { outcome } => settled(outcome, scene),
        AnswerRefusal::Changed => scene.texts.get("telegram-refusal-changed"),
        AnswerRefusal::Held(hold) => words::hold(scene.texts, hold),
        AnswerRefusal::NeedsAnother(hold) => words::needs_another(scene.texts, hold),
        AnswerRefusal::Invalid(invalid) => invalid_answer(invalid, scene),
    };
    cut(&text, TOAST)
}

/// Returns why a tap or words were refused that another person's answer has overtaken; plain, at
/// most 200 characters.
pub(crate) fn passed(
    entry: &Entry,
    question: Option<usize>,
    by: &str,
    scene: &CardContext<'_>,
) -> String {
    let given = question.and_then(|index| {
        let question = entry.ask.questions().get(index)?;
        let reply = entry.draft.as_ref()?.replies.get(index)?;
        let is_given = *reply != Reply::default();
        is_given.then(|| says::reply(question, reply, scene))
    });
    let name = Value::from(cut(&line(by), NAME));
    let text = match given {
        Some(reply) => {
            let reply = Value::from(cut(&line(&reply), NAME));
            let args = [("name", name), ("reply", reply)];
            scene.texts.with("telegram-passed-answered", &args)
        }
        None => scene.texts.with("telegram-passed-moved", &[("name", name)]),
    };
    cut(&text, TOAST)
}

/// Returns why a "Send" was refused below answers that another person has changed; plain, at most
/// 200 characters.
pub(crate) fn unseen(by: &str, scene: &CardContext<'_>) -> String {
    let name = Value::from(cut(&line(by), NAME));
    let text = scene.texts.with("telegram-unseen-by", &[("name", name)]);
    cut(&text, TOAST)
}

/// Returns why a press on the card of this ask comes too late; plain, at most 200 characters. Empty
/// while it is open.
pub(crate) fn late(entry: &Entry, scene: &CardContext<'_>) -> String {
    let text = says::given(entry, scene).map(|given| {
        let (key, name) = match says::named(entry, Some(given.by), scene) {
            Some(name) => ("telegram-late-by", name),
            None => ("telegram-late", String::new()),
        };
        let args = [
            ("what", Value::from(given.what)),
            ("place", Value::from(says::place(given.by, scene))),
            ("name", Value::from(name)),
            ("time", Value::from(time::at(scene, given.at))),
        ];
        scene.texts.with(key, &args)
    });
    cut(
        &text.unwrap_or_else(|| ending::of(entry, scene).plain()),
        TOAST,
    )
}

/// Turns a plain text into a part of a message in HTML.
pub(crate) fn html(plain: &str) -> String {
    escape(plain)
}

/// Returns a message that rings once more for a card.
pub(crate) fn reminder(entry: &Entry, reminder: Reminder, scene: &CardContext<'_>) -> String {
    let about = says::about(entry, scene);
    let sentence = |why: Option<String>| cut(&line(&why.unwrap_or_default()), REASON);
    let first = match reminder {
        Reminder::StillOpen => {
            let age = Value::from(time::age(scene, scene.now - entry.ask.asked_at));
            Html::bold(&scene.texts.with("telegram-still-waiting", &[("age", age)]))
        }
        Reminder::Undelivered => {
            let why = entry
                .undelivered
                .as_ref()
                .map(|it| words::undelivered(scene.texts, it));
            Html::plain(&format!("⚠️ {}", sentence(why)))
        }
        Reminder::Returned => {
            let why = entry
                .returned
                .as_ref()
                .map(|why| words::returned(scene.texts, why));
            let head = Html::bold(&scene.texts.get("telegram-returned"));
            head.and(Html::plain(&format!(" {}", sentence(why))))
        }
        Reminder::ExpiresAt(at) => {
            let time = Value::from(time::clock(scene, at));
            Html::bold(&scene.texts.with("telegram-expires-soon", &[("time", time)]))
        }
    };
    first.and(Html::plain(&format!("\n{about}"))).into_text()
}

/// Returns the message of a finished turn.
pub(crate) fn turn(turn: &FinishedTurn, scene: &CardContext<'_>) -> String {
    let name = super::card::name(&turn.session);
    let name = name.unwrap_or_else(|| scene.texts.get("telegram-turn-nameless"));
    let (sign, end) = match &turn.end {
        TurnEnd::Done => {
            let age = Value::from(time::age(scene, turn.took));
            (
                "🏁",
                scene.texts.with("telegram-turn-done", &[("age", age)]),
            )
        }
        TurnEnd::Failed(reason) => {
            let reason = Some(line(reason)).filter(|reason| !reason.is_empty());
            let reason = reason.unwrap_or_else(|| scene.texts.get("telegram-turn-failed"));
            ("⚠️", cut(&reason, REASON))
        }
    };
    let end = Html::plain(&format!("{sign} ")).and(Html::bold(&end));
    end.and(Html::plain(&format!("\n{name}"))).into_text()
}

/// Returns an agent's message that asks nothing.
pub(crate) fn message(title: &str, message: &str) -> String {
    let title = match line(title) {
        title if title.is_empty() => Html::plain("💬 "),
        title => Html::plain("💬 ")
            .and(Html::bold(&cut(&title, NAME)))
            .and(Html::plain(": ")),
    };
    title
        .and(Html::plain(&prose_within(message, REMARK)))
        .into_text()
}

/// Returns the message that an answer came too late.
pub(crate) fn too_late(title: &str, body: &str) -> String {
    let title = Html::plain("⚠️ ").and(Html::bold(&cut(&line(title), NAME)));
    title
        .and(Html::plain(&format!("\n{}", prose_within(body, REMARK))))
        .into_text()
}

/// Returns what can be written to the bot.
pub(crate) fn help(scene: &CardContext<'_>) -> String {
    escape(&scene.texts.get("telegram-help"))
}

/// Returns the message that this chat is paired now.
pub(crate) fn paired(name: &str, scene: &CardContext<'_>) -> String {
    let name = Value::from(cut(&line(name), NAME));
    escape(&scene.texts.with("telegram-paired", &[("name", name)]))
}

/// Returns the message that the chat has been unpaired.
pub(crate) fn unpaired(scene: &CardContext<'_>) -> String {
    escape(&scene.texts.get("telegram-unpaired"))
}

/// Returns the words in place of a card, in a chat that is not paired any more.
pub(crate) fn parted(scene: &CardContext<'_>) -> String {
    escape(&scene.texts.get("telegram-parted"))
}

/// Returns the message that no paired person is left to answer in the group.
pub(crate) fn nobody_left(scene: &CardContext<'_>) -> String {
    escape(&scene.texts.get("telegram-nobody-left"))
}

/// Returns the answer to a pairing link that is too old, or was used before.
pub(crate) fn code_expired(scene: &CardContext<'_>) -> String {
    escape(&scene.texts.get("telegram-code-expired"))
}

/// Returns the answer to a text that could be for several cards.
pub(crate) fn which_card(scene: &CardContext<'_>) -> String {
    escape(&scene.texts.get("telegram-which-card"))
}

/// Returns the answer to the rest of a long text, whose beginning was taken already.
pub(crate) fn left_out(scene: &CardContext<'_>) -> String {
    escape(&scene.texts.get("telegram-part-left-out"))
}

/// Returns the note that a text was taken as a whole although it looks like the first part of a
/// longer one.
pub(crate) fn looks_cut(scene: &CardContext<'_>) -> String {
    escape(&scene.texts.get("telegram-looks-cut"))
}

/// Returns the answer to a reply to a message that is no card, while cards are open.
pub(crate) fn no_card(scene: &CardContext<'_>) -> String {
    escape(&scene.texts.get("telegram-no-card"))
}

/// Returns the answer to a voice, a picture and the like, of which nothing can be read.
pub(crate) fn text_only(scene: &CardContext<'_>) -> String {
    escape(&scene.texts.get("telegram-text-only"))
}

/// Returns the answer to a picture and the like of which only the words below it went on.
pub(crate) fn caption_only(scene: &CardContext<'_>) -> String {
    escape(&scene.texts.get("telegram-caption-only"))
}

/// Returns the answer to a text that is for no card.
pub(crate) fn not_understood(scene: &CardContext<'_>) -> String {
    escape(&scene.texts.get("telegram-not-understood"))
}

/// Returns the answer to a person who writes in the name of a group.
pub(crate) fn anonymous(scene: &CardContext<'_>) -> String {
    escape(&scene.texts.get("telegram-anonymous"))
}

/// Returns the answer to a command that the bot does not have.
pub(crate) fn unknown_command(scene: &CardContext<'_>) -> String {
    escape(&scene.texts.get("telegram-unknown-command"))
}

/// Returns the answer to a person who writes a code in the name of a group or a channel.
pub(crate) fn code_exposed(scene: &CardContext<'_>) -> String {
    escape(&scene.texts.get("telegram-code-exposed"))
}

/// Returns the answer to a person who answers a card from another topic or chat.
pub(crate) fn reply_in_place(scene: &CardContext<'_>) -> String {
    escape(&scene.texts.get("telegram-reply-in-place"))
}

/// Returns the answer to a person who sends a command in reply to a card.
pub(crate) fn command_no_answer(text: &str, scene: &CardContext<'_>) -> String {
    let command = cut(text.split_whitespace().next().unwrap_or_default(), NAME);
    let args = [("command", command.into())];
    escape(&scene.texts.with("telegram-command-no-answer", &args))
}

/// Returns the answer to a command with a length of time that cannot be read.
pub(crate) fn unclear_length(scene: &CardContext<'_>) -> String {
    escape(&scene.texts.get("telegram-unclear-length"))
}

/// Returns the answer to a human who said where they are.
pub(crate) fn presence_set(
    said: PresenceOverride,
    until: Option<Timestamp>,
    scene: &CardContext<'_>,
) -> String {
    let key = match (said, until) {
        (PresenceOverride::Auto, _) => "telegram-presence-set-auto",
        (PresenceOverride::Here, None) => "telegram-presence-set-here",
        (PresenceOverride::Here, Some(_)) => "telegram-presence-set-here-until",
        (PresenceOverride::Away, None) => "telegram-presence-set-away",
        (PresenceOverride::Away, Some(_)) => "telegram-presence-set-away-until",
    };
    let time = until.map_or_else(String::new, |at| time::clock(scene, at));
    escape(&scene.texts.with(key, &[("time", time.into())]))
}

/// Returns the text of a test card.
pub(crate) fn test_card(scene: &CardContext<'_>) -> String {
    let time = Value::from(time::clock(scene, scene.now));
    escape(&scene.texts.with("telegram-test", &[("time", time)]))
}

/// Returns the label of the test card's button; plain.
pub(crate) fn test_button(scene: &CardContext<'_>) -> String {
    scene.texts.get("telegram-test-button")
}

/// Returns the text of the test card once it was tapped.
pub(crate) fn test_back(scene: &CardContext<'_>) -> String {
    let time = Value::from(time::clock(scene, scene.now));
    escape(&scene.texts.with("telegram-test-back", &[("time", time)]))
}

fn place_in(scene: &CardContext<'_>, key: &str, place: String) -> String {
    scene.texts.with(key, &[("place", place.into())])
}

fn settled(outcome: &Outcome, scene: &CardContext<'_>) -> String {
    let elsewhere = || scene.texts.get(says::ELSEWHERE);
    match outcome {
        Outcome::Answered { by, .. } => {
            place_in(scene, "telegram-refusal-answered", says::place(*by, scene))
        }
        Outcome::Elsewhere { .. } => place_in(scene, "telegram-refusal-answered", elsewhere()),
        Outcome::DismissedElsewhere => place_in(scene, "telegram-refusal-dismissed", elsewhere()),
        Outcome::Expired => scene.texts.get("telegram-refusal-expired"),
        Outcome::Gone => scene.texts.get("telegram-refusal-gone"),
    }
}

/// Returns why an answer is invalid. Two of the sentences tell how to answer on a card.
fn invalid_answer(invalid: &InvalidAnswer, scene: &CardContext<'_>) -> String {
    match *invalid {
        InvalidAnswer::WrongKind => scene.texts.get("telegram-invalid-kind"),
        InvalidAnswer::NoSuchLabel { question } => scene
            .texts
            .with("telegram-invalid-label", &[("question", question.into())]),
        _ => words::invalid_answer(scene.texts, invalid),
    }
}
