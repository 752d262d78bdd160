//! Reads what a card says of its session (title, agent, parent, last words), and what is reported
//! of a turn that has ended. When that is asked for is in `descriptions`, what the calls that wait
//! are given in `calls`.

pub(super) mod calls;
pub(super) mod descriptions;
pub(super) mod stopped;

use super::OpenCodeReporter;
use super::api::OpenCodeApi;
use super::api::sessions::{message_path, session_path};
use super::turns::EndedTurn;
use super::wire::sessions::{SessionInfo, SessionMessage};
use crate::platform::part;
use anyhow::{Context, Result};
use beckon_core::{Ask, FinishedTurn, Session, SourceReport, Span, TurnEnd};

/// Reads more about the session of an ask; `None` when there is no such session any more. What the
/// server has told of it already is not asked for.
pub(super) async fn describe(
    api: &OpenCodeApi,
    ask: &Ask,
    known: Option<SessionInfo>,
) -> Result<Option<Session>> {
    let info = match known {
        Some(info) => Some(info),
        None => api.session(&ask.session).await?,
    };
    let Some(info) = info else { return Ok(None) };
    let message = match &ask.call {
        Some(call) => api.message(&ask.session, &call.message).await.ok(),
        None => None,
    };
    Ok(Some(described(info, message, ask)))
}

/// Reports a turn, unless its session turns out to have been started by another one.
pub(super) fn tell_turn(api: &OpenCodeApi, reporter: &OpenCodeReporter, over: EndedTurn) {
    let (api, reporter) = (api.clone(), reporter.clone());
    part::spawn(async move {
        let session = over.session.clone();
        match turn(&api, over).await {
            Ok(Some(turn)) => {
                let (took, failed) = (turn.took.0, turn.end != TurnEnd::Done);
                tracing::debug!(source = %reporter.source, session, took, failed, "a turn has ended");
                reporter.tell(SourceReport::Turn(turn));
            }
            Ok(None) => {}
            Err(error) => {
                tracing::debug!(
                    session,
                    error = format!("{error:#}"),
                    "a finished turn can't be reported"
                );
            }
        }
    });
}

async fn turn(api: &OpenCodeApi, over: EndedTurn) -> Result<Option<FinishedTurn>> {
    let EndedTurn {
        session,
        directory,
        anchor,
        at,
        failed,
    } = over;
    let (path, prompt) = (
        session_path(&session),
        message_path(&session, &anchor.prompt),
    );
    let (info, prompt) = tokio::try_join!(
        api.read::<SessionInfo>(&path, Some(&directory)),
        api.read::<SessionMessage>(&prompt, Some(&directory)),
    )?;
    if info.parent_id.is_some() {
        return Ok(None);
    }
    let asked = prompt
        .info
        .time
        .context("Failed to tell how long it took: no time")?
        .created;
    let seen = i64::try_from(at.duration_since(anchor.at).as_millis())?;
    let took = Span(seen + (anchor.stamp - asked).max(0));
    let end = failed.map_or(TurnEnd::Done, TurnEnd::Failed);
    Ok(Some(FinishedTurn {
        session: Session {
            directory,
            ..renamed(info)
        },
        took,
        end,
    }))
}

/// Returns the changes that `session.updated` tells.
pub(super) fn renamed(info: SessionInfo) -> Session {
    Session {
        id: info.id,
        title: info.title,
        agent: info.agent,
        ..Session::default()
    }
}

fn described(info: SessionInfo, message: Option<SessionMessage>, ask: &Ask) -> Session {
    let (agent, last_words) = match message {
        Some(message) => {
            let words = last_words(&message);
            (message.info.agent, words)
        }
        None => (None, None),
    };
    Session {
        id: info.id,
        title: info.title,
        directory: ask.session.directory.clone(),
        agent: info.agent.or(agent),
        parent: info.parent_id,
        last_words,
        via: ask.session.via.clone(),
        ..Session::default()
    }
}

fn last_words(message: &SessionMessage) -> Option<String> {
    let texts = message.parts.iter().filter(|part| part.kind == "text");
    let last = texts
        .filter_map(|part| part.text.as_deref())
        .rfind(|text| !text.trim().is_empty());
    last.map(|text| text.trim().to_owned())
}
