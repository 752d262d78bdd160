//! Reads an agent's request, from a list or a frame, as an ask, whatever its shape. One that is not
//! understood becomes an ask that is shown and takes no answer from here.

pub(super) mod arguments;
pub(super) mod places;

use super::dialect::ApiDialect;
use super::wire::lenient;
use super::wire::peer::{self, PeerDetails};
use super::wire::v2;
use super::wire::{PermissionRequest, QuestionRequest, ToolRef};
use crate::sources::unknown_form;
use beckon_client::platform::clock;
use beckon_core::{
    Ask, AskContent, AskId, CallRef, Session, SourceId, Timestamp, UnknownAsk, UnknownShape,
};
use serde::Deserialize;
use serde_json::Value;

/// The place where requests were found, and the dialect of their server.
pub(super) struct RequestContext<'a> {
    pub(super) source: &'a SourceId,
    pub(super) directory: &'a str,
    pub(super) dialect: ApiDialect,
}

impl RequestContext<'_> {
    /// Reads a question set, of either core.
    pub(super) fn question(&self, raw: &str) -> Ask {
        let now = clock::now();
        let read = serde_json::from_str::<QuestionRequest>(raw);
        let read = read.map(|asked| asked.into_ask(self.source, self.directory, now));
        self.or_unknown(read.ok(), raw, UnknownShape::Question, now)
    }

    /// Reads a permission.
    pub(super) fn permission(&self, raw: &str) -> Ask {
        let (source, directory, now) = (self.source, self.directory, clock::now());
        let read = match self.dialect {
            ApiDialect::First => serde_json::from_str::<PermissionRequest>(raw)
                .map(|asked| asked.into_ask(source, directory, now)),
            ApiDialect::Second | ApiDialect::Forms => {
                serde_json::from_str::<v2::PermissionRequest>(raw)
                    .map(|asked| asked.into_ask(self.dialect, source, directory, now))
            }
        };
        self.or_unknown(read.ok(), raw, UnknownShape::Permission, now)
    }

    /// Reads a request of another Beckon that no dialect has a word for.
    pub(super) fn other(&self, raw: &str) -> Ask {
        let now = clock::now();
        let read = serde_json::from_str::<peer::PeerRequest>(raw);
        let read = read.map(|asked| asked.into_ask(self.source, now));
        self.or_unknown(read.ok(), raw, UnknownShape::Question, now)
    }

    /// Returns the ask as it was understood, or else one that is shown as it came.
    pub(super) fn or_unknown(
        &self,
        read: Option<Ask>,
        raw: &str,
        asked: UnknownShape,
        now: Timestamp,
    ) -> Ask {
        // Below `/api` the path of an answer names the session.
        let placed = |ask: &Ask| self.dialect == ApiDialect::First || !ask.session.id.is_empty();
        let read = read.filter(|ask| placed(ask) && says_something(ask));
        let mut ask = read.unwrap_or_else(|| self.unknown(raw, asked, now));
        if let AskContent::Unknown(unknown) = &mut ask.kind {
            unknown.raw = unknown_form::shown(&unknown.raw);
        }
        self.dialect.marks(ask)
    }

    fn unknown(&self, raw: &str, asked: UnknownShape, now: Timestamp) -> Ask {
        let text = unknown_form::text(raw);
        let mut known = KnownFields::of(raw);
        let own = Some(std::mem::take(&mut known.id)).filter(|id| !id.is_empty());
        // The id stays the same for as long as the content does.
        let own = own.unwrap_or_else(|| format!("unknown-{:016x}", unknown_form::hash(&text)));
        let kind = AskContent::Unknown(UnknownAsk { asked, raw: text });
        Ask {
            id: AskId {
                source: self.source.clone(),
                own,
            },
            kind,
            session: self.session(&mut known),
            call: known.tool.map(CallRef::from),
            asked_at: now,
        }
    }

    fn session(&self, known: &mut KnownFields) -> Session {
        let directory = Some(self.directory).filter(|directory| !directory.is_empty());
        let mut session = Session {
            id: std::mem::take(&mut known.session_id),
            directory: directory.unwrap_or(&known.directory).to_owned(),
            via: std::mem::take(&mut known.via),
            ..Session::default()
        };
        if let Some(beside) = known.beckon.take().filter(|_| peer::is_from_peer(&session)) {
            beside.fill(&mut session);
        }
        session
    }
}

/// Tells whether an ask has something to show. Another Beckon may know as little of it as this one,
/// and say less.
fn says_something(ask: &Ask) -> bool {
    !matches!(&ask.kind, AskContent::Unknown(unknown) if unknown.raw.trim().is_empty())
}

/// The fields that are read even from a request of unknown form.
#[derive(Default, Deserialize)]
#[serde(default)]
struct KnownFields {
    #[serde(deserialize_with = "lenient::if_understood")]
    id: String,
    #[serde(rename = "sessionID", deserialize_with = "lenient::if_understood")]
    session_id: String,
    #[serde(deserialize_with = "lenient::if_understood")]
    tool: Option<ToolRef>,
    #[serde(deserialize_with = "lenient::if_understood")]
    via: Vec<String>,
    /// The directory, since another Beckon lists the asks of all directories at one place.
    #[serde(deserialize_with = "lenient::if_understood")]
    directory: String,
    #[serde(deserialize_with = "lenient::if_understood")]
    beckon: Option<PeerDetails>,
}

impl KnownFields {
    /// Reads the fields, also out of a text that as a whole has no known shape. If a key stands
    /// there twice, the last one counts.
    fn of(raw: &str) -> Self {
        let whole = || serde_json::from_value(serde_json::from_str::<Value>(raw).ok()?).ok();
        serde_json::from_str(raw)
            .ok()
            .or_else(whole)
            .unwrap_or_default()
    }
}

#[cfg(test)]
mod tests;
