//! Reads the open list of the second core of 1.18 ("v2"). Its sessions live below `/api`, beside
//! those of the first core in one server, and on the same stream.

use crate::sources::opencode::api::OpenCodeApi;
use crate::sources::opencode::dialect::ApiDialect;
use crate::sources::opencode::requests::RequestContext;
use crate::sources::opencode::wire::lenient::LenientItems;
use crate::sources::opencode::wire::v2::{DataEnvelope, SessionDetails, session_path};
use anyhow::Result;
use beckon_core::{Ask, SourceId};
use futures_util::{StreamExt, stream};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The number of requests at once.
const AT_ONCE: usize = 8;

/// The sessions that run, of the second core and of 2.x.
#[derive(Default)]
pub(in crate::sources::opencode) struct RunningSessions {
    /// The directory of each session, by the session's id.
    pub(in crate::sources::opencode) sessions: BTreeMap<String, String>,
    /// The reason for which it is not known where some of them run.
    pub(in crate::sources::opencode) trouble: Option<anyhow::Error>,
}

/// The part that was read of the second core.
#[derive(Default)]
pub(in crate::sources::opencode) struct SecondCore {
    pub(in crate::sources::opencode) asks: Vec<(Ask, bool)>,
    /// The reason for which that is not all of it.
    pub(in crate::sources::opencode) trouble: Option<anyhow::Error>,
}

/// Finds the sessions that run; none where there is no such core, whatever the version says. A
/// session that was deleted while it asked is listed as running for ever, and so is its question;
/// it is left out, since it cannot be read any more.
pub(in crate::sources::opencode) async fn running(api: &OpenCodeApi) -> Result<RunningSessions> {
    let listed = api
        .read_if_there::<DataEnvelope<BTreeMap<String, Value>>>("/api/session/active")
        .await?;
    let listed = listed.map(|listed| listed.data).unwrap_or_default();
    let sessions = stream::iter(listed.into_keys());
    let details = sessions.map(|session| async move {
        let details = api
            .read_if_there::<DataEnvelope<SessionDetails>>(&session_path(&session))
            .await?;
        anyhow::Ok(details.map(|details| (session, details.data.location.directory)))
    });
    let mut details = details.buffer_unordered(AT_ONCE);
    let mut running = RunningSessions::default();
    while let Some(read) = details.next().await {
        match read {
            Ok(session) => running.sessions.extend(session),
            Err(error) => running.trouble = Some(error),
        }
    }
    Ok(running)
}

/// Reads the asks of this core, each of which is waited for: only sessions that run can ask, and
/// those are few. A directory in which none runs is not read.
pub(in crate::sources::opencode) async fn open_asks(
    api: &OpenCodeApi,
    source: &SourceId,
) -> SecondCore {
    let RunningSessions {
        sessions,
        mut trouble,
    } = match running(api).await {
        Ok(running) => running,
        Err(error) => {
            return SecondCore {
                trouble: Some(error),
                ..SecondCore::default()
            };
        }
    };
    let directories: BTreeSet<String> = sessions.values().cloned().collect();
    let lists = stream::iter(directories).map(|directory| in_directory(api, source, directory));
    let mut lists = lists.buffer_unordered(AT_ONCE);
    let mut asks = Vec::new();
    while let Some(read) = lists.next().await {
        match read {
            Ok(read) => asks.extend(read.into_iter().map(|ask| (ask, true))),
            Err(error) => trouble = Some(error),
        }
    }
    // An ask without a session was not understood, and is kept.
    let runs = |ask: &Ask| ask.session.id.is_empty() || sessions.contains_key(&ask.session.id);
    asks.retain(|(ask, _)| runs(ask));
    SecondCore { asks, trouble }
}

/// Reads the asks of one directory.
pub(in crate::sources::opencode) async fn in_directory(
    api: &OpenCodeApi,
    source: &SourceId,
    directory: String,
) -> Result<Vec<Ask>> {
    let (questions, permissions) = tokio::try_join!(
        api.read_at::<DataEnvelope<LenientItems>>("/api/question/request", &directory),
        api.read_at::<DataEnvelope<LenientItems>>("/api/permission/request", &directory),
    )?;
    let found = RequestContext {
        source,
        directory: &directory,
        dialect: ApiDialect::Second,
    };
    let questions = questions.data.iter().map(|item| found.question(item.get()));
    let permissions = permissions
        .data
        .iter()
        .map(|item| found.permission(item.get()));
    Ok(questions.chain(permissions).collect())
}
