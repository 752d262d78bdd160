//! A request of an agent, as a list or a frame carries it, as an ask, whatever its shape: one that is
//! not understood becomes an ask that is shown and takes no answer from here.

use super::dialect::ApiDialect;
use super::wire::lenient::{self, shown};
use super::wire::peer::{self, PeerDetails};
use super::wire::v2;
use super::wire::{PermissionRequest, QuestionRequest, ToolRef};
use beckon_client::platform::clock;
use beckon_core::{
    Ask, AskContent, AskId, CallRef, Session, SourceId, Timestamp, UnknownAsk, UnknownShape,
};
use serde::Deserialize;
use serde_json::Value;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Where requests were found, and how their server speaks of them.
pub(super) struct RequestContext<'a> {
    pub(super) source: &'a SourceId,
    pub(super) directory: &'a str,
    pub(super) dialect: ApiDialect,
}

impl RequestContext<'_> {
    /// A question set, of either core.
    pub(super) fn question(&self, raw: &str) -> Ask {
        let now = clock::now();
        let read = serde_json::from_str::<QuestionRequest>(raw);
        let read = read.map(|asked| asked.into_ask(self.source, self.directory, now));
        self.or_unknown(read.ok(), raw, UnknownShape::Question, now)
    }

    /// A permission.
    pub(super) fn permission(&self, raw: &str) -> Ask {
        let (source, directory, now) = (self.source, self.directory, clock::now());
        let read = match self.dialect {
            ApiDialect::First => serde_json::from_str::<PermissionRequest>(raw)
                .map(|asked| asked.into_ask(source, directory, now)),
            ApiDialect::Second | ApiDialect::Forms => {
                serde_json::from_str::<v2::PermissionRequest>(raw)
                    .map(|asked| asked.into_ask(source, directory, now))
            }
        };
        self.or_unknown(read.ok(), raw, UnknownShape::Permission, now)
    }

    /// What another Beckon has that no dialect has a word for.
    pub(super) fn other(&self, raw: &str) -> Ask {
        let now = clock::now();
        let read = serde_json::from_str::<peer::PeerRequest>(raw);
        let read = read.map(|asked| asked.into_ask(self.source, now));
        self.or_unknown(read.ok(), raw, UnknownShape::Question, now)
    }

    /// As it was understood, or to be shown as it came.
    pub(super) fn or_unknown(
        &self,
        read: Option<Ask>,
        raw: &str,
        asked: UnknownShape,
        now: Timestamp,
    ) -> Ask {
        // Below `/api` an answer goes by the session.
        let placed = |ask: &Ask| self.dialect == ApiDialect::First || !ask.session.id.is_empty();
        let ask = read.filter(placed).unwrap_or_else(|| self.unknown(raw, asked, now));
        self.dialect.marks(ask)
    }

    fn unknown(&self, raw: &str, asked: UnknownShape, now: Timestamp) -> Ask {
        let value: Value = serde_json::from_str(raw).unwrap_or_default();
        let mut known: KnownFields = serde_json::from_value(value.clone()).unwrap_or_default();
        let own = Some(std::mem::take(&mut known.id)).filter(|id| !id.is_empty());
        let own = own.unwrap_or_else(|| name(&value));
        let kind = AskContent::Unknown(UnknownAsk { asked, raw: shown(&value.to_string()) });
        Ask {
            id: AskId { source: self.source.clone(), own },
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

/// What is found also in a request of unknown form.
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
    /// Another Beckon lists the asks of all directories at one place.
    #[serde(deserialize_with = "lenient::if_understood")]
    directory: String,
    #[serde(deserialize_with = "lenient::if_understood")]
    beckon: Option<PeerDetails>,
}

/// For one without an id: the same for as long as it is the same.
fn name(value: &Value) -> String {
    let mut hasher = DefaultHasher::new();
    value.to_string().hash(&mut hasher);
    format!("unknown-{:016x}", hasher.finish())
}

#[cfg(test)]
mod tests;
