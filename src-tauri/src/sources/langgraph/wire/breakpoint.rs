//! A thread that stands at a breakpoint: before or after a node, where its graph was told to stop.
//! Its ask is whether it goes on.

use super::{ListedThread, session};
use beckon_core::{Ask, AskContent, AskId, SourceId, Timestamp};
use serde::Deserialize;
use serde_json::Value;

/// The state of a thread, by `GET /threads/{id}/state`.
#[derive(Debug, Deserialize)]
pub(in crate::sources::langgraph) struct ThreadStand {
    /// The nodes that would run next.
    #[serde(default)]
    next: Vec<String>,
    #[serde(default)]
    checkpoint: Checkpoint,
    #[serde(default)]
    tasks: Vec<ThreadTask>,
}

#[derive(Debug, Default, Deserialize)]
struct Checkpoint {
    checkpoint_id: Option<String>,
}

#[derive(Debug, Deserialize)]
struct ThreadTask {
    #[serde(default)]
    interrupts: Vec<Value>,
    error: Option<Value>,
}

impl ThreadStand {
    /// Returns the id of the ask of this breakpoint; `None` where the thread stands at none.
    pub(in crate::sources::langgraph) fn own(&self) -> Option<String> {
        let busy = |task: &ThreadTask| !task.interrupts.is_empty() || task.error.is_some();
        let waits = !self.next.is_empty() && !self.tasks.iter().any(busy);
        let checkpoint = self.checkpoint.checkpoint_id.as_ref().filter(|_| waits)?;
        Some(format!("{BREAKPOINT}{checkpoint}"))
    }
}

/// The prefix of such an id, before the checkpoint's id.
const BREAKPOINT: &str = "breakpoint-";

/// Tells whether an ask is that of a breakpoint.
pub(in crate::sources::langgraph) fn is_breakpoint(ask: &Ask) -> bool {
    ask.id.own.starts_with(BREAKPOINT)
}

/// Makes the ask of a thread that has stopped at a breakpoint.
pub(in crate::sources::langgraph) fn breakpoint(
    source: &SourceId,
    thread: &ListedThread,
    stand: &ThreadStand,
    now: Timestamp,
) -> Option<Ask> {
    let id = AskId {
        source: source.clone(),
        own: stand.own()?,
    };
    let kind = AskContent::Confirm(format!("→ {}", stand.next.join(", ")));
    Some(Ask {
        id,
        kind,
        session: session(source, thread),
        call: None,
        asked_at: now,
    })
}
