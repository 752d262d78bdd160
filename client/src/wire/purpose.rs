//! The purpose of a permission, as other programs and the windows' pages get it.

use super::codes::WireWord;
use beckon_core::{PermissionPurpose, PermissionVerb};
use serde::{Deserialize, Serialize};

/// A kind of thing that an agent wants to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum VerbCode {
    /// Runs programs.
    Run,
    /// Changes files.
    Edit,
    /// Writes files.
    Write,
    /// Deletes files.
    Delete,
    /// Moves files.
    Move,
    /// Edits files, and moves or deletes some.
    Change,
    /// Reads files.
    Read,
    /// Reaches files outside the project.
    Leave,
    /// Fetches a web page.
    Fetch,
    /// Searches the web.
    Search,
    /// Uses a tool of an MCP server.
    Tool,
    /// Starts a subagent.
    Delegate,
    /// Uses a skill.
    Skill,
    /// Goes by a plan.
    Plan,
    /// Goes on with what it has been repeating.
    Repeat,
    /// Finds files by their names.
    Find,
    /// Searches in files.
    Grep,
    /// Lists a directory.
    List,
    /// Something that only its own name says.
    Other,
}

/// The purpose of a permission.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Purpose {
    /// The thing that is to be done.
    #[cfg_attr(test, ts(as = "VerbCode"))]
    pub verb: WireWord<VerbCode>,
    /// The objects of it, each once: programs, names of files, a host, a server and its tool, a
    /// name. Empty if it cannot be told.
    pub objects: Vec<String>,
}

impl VerbCode {
    /// All values.
    pub const ALL: [Self; 19] = [
        Self::Run,
        Self::Edit,
        Self::Write,
        Self::Delete,
        Self::Move,
        Self::Change,
        Self::Read,
        Self::Leave,
        Self::Fetch,
        Self::Search,
        Self::Tool,
        Self::Delegate,
        Self::Skill,
        Self::Plan,
        Self::Repeat,
        Self::Find,
        Self::Grep,
        Self::List,
        Self::Other,
    ];

    /// Returns the word in JSON.
    pub fn word(self) -> String {
        super::word(&self)
    }
}

impl From<PermissionVerb> for VerbCode {
    fn from(verb: PermissionVerb) -> Self {
        match verb {
            PermissionVerb::Run => Self::Run,
            PermissionVerb::Edit => Self::Edit,
            PermissionVerb::Write => Self::Write,
            PermissionVerb::Delete => Self::Delete,
            PermissionVerb::Move => Self::Move,
            PermissionVerb::Change => Self::Change,
            PermissionVerb::Read => Self::Read,
            PermissionVerb::Leave => Self::Leave,
            PermissionVerb::Fetch => Self::Fetch,
            PermissionVerb::Search => Self::Search,
            PermissionVerb::Tool => Self::Tool,
            PermissionVerb::Delegate => Self::Delegate,
            PermissionVerb::Skill => Self::Skill,
            PermissionVerb::Plan => Self::Plan,
            PermissionVerb::Repeat => Self::Repeat,
            PermissionVerb::Find => Self::Find,
            PermissionVerb::Grep => Self::Grep,
            PermissionVerb::List => Self::List,
            PermissionVerb::Other => Self::Other,
        }
    }
}

impl From<PermissionPurpose> for Purpose {
    fn from(purpose: PermissionPurpose) -> Self {
        let PermissionPurpose { verb, objects } = purpose;
        Self {
            verb: WireWord::Known(verb.into()),
            objects,
        }
    }
}
