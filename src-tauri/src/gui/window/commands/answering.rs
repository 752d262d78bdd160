//! Commands for answers, attention, sessions and drafts.

use crate::problem::{CommandResult, problem, verdict};
use crate::shared::SharedWindows;
use beckon_client::connection::{Client, encode};
use beckon_client::wire::{AnswerBody, AttentionBody, AttentionWord, ListedAsk};
use beckon_client::wire::{OpenedSession, Verdict, WindowDraft};
use beckon_core::visible::is_blank;
use beckon_core::{Answer, Fingerprint, Grant, Reply, Surface};
use std::collections::BTreeMap;
use std::time::Duration;
use tauri::State;

/// How long a window waits for the agent's proof before it says "sent".
const PROOF_WITHIN: Duration = Duration::from_secs(3);

#[tauri::command]
pub(super) async fn answer(
    shared: State<'_, SharedWindows>,
    id: String,
    seen: Fingerprint,
    replies: Vec<Reply>,
) -> CommandResult<Verdict> {
    give(&shared.client(), &id, seen, Answer::Replies(replies)).await
}

#[tauri::command]
pub(super) async fn grant(
    shared: State<'_, SharedWindows>,
    id: String,
    seen: Fingerprint,
    always: bool,
) -> CommandResult<Verdict> {
    let grant = if always { Grant::Always } else { Grant::Once };
    give(&shared.client(), &id, seen, Answer::Grant(grant)).await
}

#[tauri::command]
pub(super) async fn deny(
    shared: State<'_, SharedWindows>,
    id: String,
    seen: Fingerprint,
    reason: Option<String>,
) -> CommandResult<Verdict> {
    let reason = reason.filter(|reason| !is_blank(reason));
    give(
        &shared.client(),
        &id,
        seen,
        Answer::Grant(Grant::Reject { reason }),
    )
    .await
}

#[tauri::command]
pub(super) async fn dismiss(
    shared: State<'_, SharedWindows>,
    id: String,
    seen: Fingerprint,
) -> CommandResult<Verdict> {
    give(&shared.client(), &id, seen, Answer::Dismiss).await
}

#[tauri::command]
pub(super) async fn go_on(
    shared: State<'_, SharedWindows>,
    id: String,
    seen: Fingerprint,
    yes: bool,
) -> CommandResult<Verdict> {
    let answer = if yes {
        Answer::Continue
    } else {
        Answer::Cancel
    };
    give(&shared.client(), &id, seen, answer).await
}

/// Gives an answer. `seen` is what the page showed when the button was pressed.
async fn give(
    client: &Client,
    id: &str,
    seen: Fingerprint,
    answer: Answer,
) -> CommandResult<Verdict> {
    let path = format!("/answer/{}?wait={}", encode(id), PROOF_WITHIN.as_secs());
    let given = AnswerBody::new(answer, Some(seen), Surface::Window);
    verdict(client.post(&path, &given, PROOF_WITHIN).await)
}

/// Sets attention for an ask. A snooze without a span ends when the human is back.
#[tauri::command]
pub(super) async fn attend(
    shared: State<'_, SharedWindows>,
    id: String,
    seen: Fingerprint,
    is: AttentionWord,
    r#for: Option<String>,
) -> CommandResult<ListedAsk> {
    let path = format!("/attention/{}", encode(&id));
    let said = AttentionBody {
        is,
        until: None,
        span: r#for,
        seen: Some(seen),
    };
    shared
        .client()
        .post(&path, &said, Duration::ZERO)
        .await
        .map_err(problem)
}

#[tauri::command]
pub(super) async fn open_session(
    shared: State<'_, SharedWindows>,
    id: String,
) -> CommandResult<OpenedSession> {
    let path = format!("/open/{}", encode(&id));
    shared
        .client()
        .post(&path, &(), Duration::ZERO)
        .await
        .map_err(problem)
}

#[tauri::command]
pub(super) async fn keep_draft(
    shared: State<'_, SharedWindows>,
    id: String,
    seen: Fingerprint,
    replies: Vec<Reply>,
    page: u32,
) -> CommandResult<bool> {
    let path = format!("/windows/drafts/{}", encode(&id));
    let draft = WindowDraft {
        replies,
        page,
        seen: Some(seen),
    };
    shared
        .client()
        .post(&path, &draft, Duration::ZERO)
        .await
        .map_err(problem)
}

#[tauri::command]
pub(super) async fn drafts(
    shared: State<'_, SharedWindows>,
) -> CommandResult<BTreeMap<String, WindowDraft>> {
    shared
        .client()
        .get("/windows/drafts")
        .await
        .map_err(problem)
}
