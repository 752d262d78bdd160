//! The operations that OpenCode has too.

use super::super::operation::{Operation, delete, get, post};
use crate::api::events::DialectFrame;
use crate::api::local_asks::{AskedId, PermissionBody, QuestionBody, UnreadableBody, WaitQuery};
use crate::api::reads::{
    DirectoryQuery, HealthDescription, MessageDescription, ProjectDescription, SessionActivity,
    SessionDescription, WorkingDirectory,
};
use crate::sources::opencode::wire::{PermissionRequest, QuestionReplyBody, QuestionRequest};
use beckon_client::wire::{LocalAskStatus, PermissionReply};
use std::collections::BTreeMap;

pub(super) fn operations() -> Vec<Operation> {
    [sessions(), questions(), permissions()]
        .into_iter()
        .flatten()
        .collect()
}

fn sessions() -> Vec<Operation> {
    vec![
        get(
            "/global/health",
            "Says that Beckon runs, and what it knows of other Beckons",
        )
        .answers::<HealthDescription>(),
        get(
            "/global/event",
            "Tells what is asked and how it ends, as OpenCode would",
        )
        .streams::<DialectFrame>("A frame in the `data` of each event, until the reader lags."),
        get("/path", "Says where a server works").answers::<WorkingDirectory>(),
        get("/project", "Lists the directories of what is open")
            .answers::<Vec<ProjectDescription>>(),
        get(
            "/experimental/session",
            "Lists the sessions of what is open",
        )
        .answers::<Vec<SessionDescription>>(),
        get("/session/status", "Tells which sessions wait, by their ids")
            .query::<DirectoryQuery>()
            .answers::<BTreeMap<String, SessionActivity>>(),
        get("/session/{id}", "Describes a session that waits")
            .answers::<SessionDescription>()
            .refuses(&[404]),
        get(
            "/session/{id}/message/{message}",
            "Says who asked, and what they said before",
        )
        .answers::<MessageDescription>()
        .refuses(&[404]),
    ]
}

fn questions() -> Vec<Operation> {
    vec![
        get("/question", "Lists the open questions")
            .query::<DirectoryQuery>()
            .answers::<Vec<QuestionRequest>>(),
        asked(post("/question", "Asks the human questions").takes::<QuestionBody>()),
        looked_at(get(
            "/question/{id}",
            "Tells how a question that was asked here stands",
        )),
        withdrawn(delete(
            "/question/{id}",
            "Withdraws a question that was asked here",
        )),
        answered(post("/question/{id}/reply", "Answers a question in words"))
            .takes::<QuestionReplyBody>(),
        answered(post("/question/{id}/reject", "Dismisses a question")),
    ]
}

fn permissions() -> Vec<Operation> {
    vec![
        get("/permission", "Lists the open permissions")
            .query::<DirectoryQuery>()
            .answers::<Vec<PermissionRequest>>(),
        asked(post("/permission", "Asks the human for a permission").takes::<PermissionBody>()),
        asked(
            post(
                "/unreadable",
                "Says that something was asked that could not be read: it is counted, and shown",
            )
            .takes::<UnreadableBody>(),
        ),
        looked_at(get(
            "/permission/{id}",
            "Tells how a permission that was asked for here stands",
        )),
        withdrawn(delete(
            "/permission/{id}",
            "Withdraws a permission that was asked for here",
        )),
        answered(post("/permission/{id}/reply", "Answers a permission")).takes::<PermissionReply>(),
    ]
}

fn asked(operation: Operation) -> Operation {
    operation
        .query::<WaitQuery>()
        .answers_when::<LocalAskStatus>(200, "With `wait`: it has ended.")
        .answers_when::<AskedId>(201, "Without `wait`: it is asked.")
        .answers_when::<LocalAskStatus>(202, "With `wait`: that ran out, and it is still open.")
        .refuses(&[409, 503])
}

fn looked_at(operation: Operation) -> Operation {
    operation
        .query::<WaitQuery>()
        .answers_when::<LocalAskStatus>(200, "It has ended, or nobody wanted to wait for that.")
        .answers_when::<LocalAskStatus>(202, "With `wait`: that ran out, and it is still open.")
        .refuses(&[404, 503])
}

fn withdrawn(operation: Operation) -> Operation {
    operation.answers::<bool>().refuses(&[404, 503])
}

fn answered(operation: Operation) -> Operation {
    operation.answers::<bool>().refuses(&[404, 409])
}
