//! The properties of everything that Claude Code gives its hooks.

use super::elicitation::ElicitationInput;
use super::equals::EqualUses;
use super::ids::{IdBeginnings, id};
use super::permission::PermissionContext;
use super::questions::QuestionCall;
use super::register::RunningClaude;
use super::suggestions::AlwaysRules;
use super::transcript::TranscriptTail;
use super::{HookDecision, HookEvent, HookInput, HookThread, ThreadIds, ToolUse, permission};
use crate::api::{self, AskerBody, PermissionBody, QuestionBody};
use crate::sources::local_asks::messages::{AnsweredQuestions, AskEnd};
use beckon_client::json::exact;
use beckon_client::text::Texts;
use beckon_client::wire::LocalAskStatus;
use serde_json::Value;
use std::sync::LazyLock;

static TEXTS: LazyLock<Texts> = LazyLock::new(|| Texts::load("en"));

pub(crate) fn hooks(data: &[u8]) {
    recorded(data);
    let Ok(HookInput {
        session_id,
        agent_id,
        event,
        ..
    }) = HookInput::read(data)
    else {
        return;
    };
    let thread = agent_id
        .as_deref()
        .map_or(HookThread::Main, HookThread::Subagent);
    let ids = ThreadIds::new(&session_id, thread, "", &RunningClaude::unknown());
    match event {
        HookEvent::PermissionRequest { call, suggestions } => {
            permits(&call, &suggestions, &ids);
            answers(&call, &ids);
        }
        HookEvent::PreToolUse(call) => answers(&call, &ids),
        HookEvent::Elicitation(form) => fills_in(&form, &ids),
        _ => {}
    }
}

/// Reads a transcript: whatever Claude Code writes into it, reading it must end.
fn recorded(data: &[u8]) {
    let tail = TranscriptTail::parse(data, None);
    let asked = ToolUse {
        tool_name: "Bash".into(),
        tool_input: Value::Null,
        id: tail.uses.first().map(|first| first.id.clone()),
    };
    let known = EqualUses::of(&asked, &tail).is_some();
    assert_eq!(known, asked.id.is_some());
}

fn asker(beginnings: &IdBeginnings) -> AskerBody {
    AskerBody {
        id: Some(id(beginnings)),
        ..AskerBody::default()
    }
}

/// Asserts that an ask is not refused for its id: whatever Claude Code calls its session, an id of
/// ours must be valid.
fn has_an_id(refused: &str) {
    assert!(!refused.starts_with("Id("), "{refused}");
}

/// Asserts that a permission shows everything that it allows.
fn permits(call: &ToolUse, suggestions: &[Value], ids: &ThreadIds) {
    let always = AlwaysRules::suggested(suggestions, &TEXTS);
    let beginnings = ids.of_call(call);
    let own = id(&beginnings);
    assert!(
        ids.of_tools().fit(&own) && ids.of_session().fit(&own),
        "{own}"
    );
    let context = PermissionContext {
        always: always.as_ref(),
        existing: None,
        texts: &TEXTS,
    };
    let asked = permission::requesting(call, &context, asker(&beginnings));
    if let Err(refused) = api::fuzzing::permission(&asked) {
        has_an_id(&refused);
    }
    let shown = shown(&asked);
    let mut texts = Vec::new();
    collect(&call.tool_input, "", &mut texts);
    for (key, line) in texts {
        let line = exact::plain(line);
        let escaped = Value::from(line.as_str()).to_string();
        let is_shown = shown.contains(&line) || shown.contains(escaped.trim_matches('"'));
        // A cell that is deleted is named by its id.
        let is_deleted = call.tool_input["edit_mode"] == "delete";
        let goes_away = key == "new_source" && is_deleted;
        assert!(is_shown || goes_away, "{key}: {line:?} is not in {shown:?}");
    }
}

fn shown(asked: &PermissionBody) -> String {
    let parts = [&asked.command, &asked.diff, &asked.asker.title];
    let arguments = asked.arguments.iter().map(|argument| &argument.value);
    let parts = parts
        .into_iter()
        .flatten()
        .chain(&asked.patterns)
        .chain(arguments)
        .map(String::as_str);
    parts.collect::<Vec<_>>().join("\n")
}

/// Collects the lines of all texts, each with its key.
fn collect<'a>(value: &'a Value, key: &'a str, lines: &mut Vec<(&'a str, &'a str)>) {
    match value {
        Value::String(text) => lines.extend(text.lines().map(|line| (key, line))),
        Value::Array(items) => items.iter().for_each(|item| collect(item, key, lines)),
        Value::Object(object) => {
            object
                .iter()
                .for_each(|(key, value)| collect(value, key, lines));
        }
        _ => {}
    }
}

/// Asserts that a question that can be asked can be answered, and that the rest of the input stays
/// as it was.
fn answers(call: &ToolUse, ids: &ThreadIds) {
    let Some(questions) = QuestionCall::read(&call.tool_input) else {
        return;
    };
    let asking = questions.asking(asker(&ids.of_call(call)));
    match api::fuzzing::question(&asking) {
        Err(refused) => has_an_id(&refused),
        Ok(_) => {
            let decision = questions.decision(&answered(&asking));
            let Some(HookDecision::Allow {
                input: Some(mut input),
                ..
            }) = decision
            else {
                panic!("no answer: {decision:?}")
            };
            let (given, mut before) = (input["answers"].take(), call.tool_input.clone());
            before["answers"] = Value::Null;
            assert_eq!(input, before);
            let given = given.as_object().map(serde_json::Map::len);
            assert_eq!(given, Some(asking.questions.len()));
        }
    }
}

/// Asserts that a form that can be asked can be filled in.
fn fills_in(elicitation: &ElicitationInput, ids: &ThreadIds) {
    let Some(form) = elicitation.form(&TEXTS) else {
        return;
    };
    let asking = form.asking(
        elicitation,
        asker(&ids.of_server(&elicitation.mcp_server_name)),
        &TEXTS,
    );
    match api::fuzzing::question(&asking) {
        Err(refused) => has_an_id(&refused),
        Ok(_) => assert!(form.decision(&answered(&asking)).is_some(), "{form:?}"),
    }
}

/// Answers with the first choice of each question, else with a number, which is a text too.
fn answered(asking: &QuestionBody) -> LocalAskStatus {
    let first = |question: &crate::sources::opencode::wire::QuestionInfo| {
        let label = question.options.first().map(|option| option.label.clone());
        vec![label.unwrap_or_else(|| "1".into())]
    };
    let texts = asking.questions.iter().map(first).collect();
    let answered = AnsweredQuestions {
        texts,
        replies: None,
    };
    api::local_ask_ended("id".into(), AskEnd::Answered(answered))
}
