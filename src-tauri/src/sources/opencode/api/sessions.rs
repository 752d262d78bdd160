//! The requests about sessions: one of them, one of its messages, what it waits for, and the lists
//! of all. Their shapes are in `wire`.

use super::{DIRECTORY, OpenCodeApi, understood};
use crate::sources::http::HEADERS_WITHIN;
use crate::sources::opencode::dialect::ApiDialect;
use crate::sources::opencode::wire::QuestionRequest;
use crate::sources::opencode::wire::lenient::UnderstoodItems;
use crate::sources::opencode::wire::sessions::{SessionInfo, SessionMessage};
use crate::sources::opencode::wire::v2::{self, DataEnvelope};
use anyhow::{Context, Result};
use beckon_client::platform::percent::segment;
use beckon_core::Session;
use reqwest::RequestBuilder;
use std::time::Duration;

/// How long a list of sessions may take. A list of thousands takes a server seconds, and waiting
/// for it holds nobody up.
const SESSIONS_WITHIN: Duration = Duration::from_secs(30);

/// The query for all sessions. They are listed latest first, and 1.18.33 stops after 100 unless it
/// is told otherwise: a session that has been waiting for long would not be found.
const ALL_OF_THEM: [(&str, u32); 1] = [("limit", 1_000_000)];

/// The number of messages that tell whether a session has gone on since one of them: a turn is a
/// prompt and what the agent says to it.
const RECENT: u32 = 4;

impl OpenCodeApi {
    /// Reads the session, by the API that it goes by; `None` when it is not there.
    pub(in crate::sources::opencode) async fn session(
        &self,
        session: &Session,
    ) -> Result<Option<SessionInfo>> {
        if ApiDialect::of(session) == ApiDialect::First {
            let path = session_path(&session.id);
            return self
                .if_there(&path, self.get(&path, Some(&session.directory)))
                .await;
        }
        let path = v2::session_path(&session.id);
        let read = self
            .read_if_there::<DataEnvelope<v2::SessionDetails>>(&path)
            .await?;
        Ok(read.map(|details| details.data.into()))
    }

    /// Reads a message of the session, by the API that the session goes by.
    pub(in crate::sources::opencode) async fn message(
        &self,
        session: &Session,
        message: &str,
    ) -> Result<SessionMessage> {
        if ApiDialect::of(session) == ApiDialect::First {
            let path = message_path(&session.id, message);
            return self.read(&path, Some(&session.directory)).await;
        }
        let path = format!(
            "{}/message/{}",
            v2::session_path(&session.id),
            segment(message)
        );
        Ok(self
            .read::<DataEnvelope<v2::MessageDetails>>(&path, None)
            .await?
            .data
            .into())
    }

    /// Reads the last messages of a session of the first core, oldest first.
    pub(in crate::sources::opencode) async fn recent_messages(
        &self,
        session: &Session,
    ) -> Result<Vec<SessionMessage>> {
        let path = format!("{}/message", session_path(&session.id));
        let request = self
            .get(&path, Some(&session.directory))
            .query(&[("limit", RECENT)]);
        let read: UnderstoodItems<SessionMessage> = self.fetch(&path, request).await?;
        Ok(read.0)
    }

    /// Reads the questions that the session waits for, by the API that it goes by; for the first
    /// core those of its whole directory.
    pub(in crate::sources::opencode) async fn questions(
        &self,
        session: &Session,
    ) -> Result<Vec<QuestionRequest>> {
        if ApiDialect::of(session) == ApiDialect::First {
            let read = self.read::<UnderstoodItems<_>>("/question", Some(&session.directory));
            return Ok(read.await?.0);
        }
        let path = format!("{}/question", v2::session_path(&session.id));
        Ok(self
            .read::<DataEnvelope<UnderstoodItems<_>>>(&path, None)
            .await?
            .data
            .0)
    }

    /// Reads the sessions of all projects, on servers that have this path.
    pub(in crate::sources::opencode) async fn sessions_everywhere(
        &self,
    ) -> Result<UnderstoodItems<SessionInfo>> {
        let path = "/experimental/session";
        self.sessions(path, &self.get(path, None).query(&ALL_OF_THEM))
            .await
    }

    /// Reads the sessions of the project to which a worktree belongs, whatever directory they run
    /// in. Where the query names a directory, those of every other one are left out; where a header
    /// names it, they are not (seen on 1.1.53 and 1.18.33).
    pub(in crate::sources::opencode) async fn sessions_of_project(
        &self,
        worktree: &str,
    ) -> Result<UnderstoodItems<SessionInfo>> {
        let encoded = segment(worktree).to_string();
        let request = self.get("/session", None).header(DIRECTORY, encoded);
        self.sessions("/session", &request.query(&ALL_OF_THEM))
            .await
    }

    /// Reads a list of sessions. A request that has hung for as long as a healthy one takes is sent
    /// once more beside itself: the server may be slow, or may never answer this one (see
    /// [`HEADERS_WITHIN`]).
    async fn sessions(
        &self,
        path: &str,
        request: &RequestBuilder,
    ) -> Result<UnderstoodItems<SessionInfo>> {
        let _place = self.places.acquire().await;
        let read = || async {
            let request = request.try_clone().context("Failed to ask twice")?;
            let response = request.timeout(SESSIONS_WITHIN).send().await;
            understood(
                path,
                response.with_context(|| format!("Failed to read {path}"))?,
            )
            .await
        };
        let second = async {
            tokio::time::sleep(HEADERS_WITHIN).await;
            read().await
        };
        tokio::select! {
            first = read() => first,
            second = second => second,
        }
    }
}

/// Returns the path of a session of the first core.
pub(in crate::sources::opencode) fn session_path(session: &str) -> String {
    format!("/session/{}", segment(session))
}

/// Returns the path of a message of such a session.
pub(in crate::sources::opencode) fn message_path(session: &str, message: &str) -> String {
    format!("{}/message/{}", session_path(session), segment(message))
}
