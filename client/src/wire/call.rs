//! The contents of a tool call beyond what its permission says, as other programs and the windows'
//! pages get them.

use super::codes::WireWord;
use beckon_core::{Argument, FileChange};
use serde::{Deserialize, Serialize};

/// A change of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FileDeed {
    /// The kind of the change: `add`, `update`, `delete` or `move`.
    #[cfg_attr(test, ts(as = "FileDeedCode"))]
    pub does: WireWord<FileDeedCode>,
    /// The path of the file.
    pub path: String,
    /// The new path, of a move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub to: Option<String>,
}

/// An argument of a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NamedArgument {
    /// The name of the argument.
    pub name: String,
    /// The value of the argument: a text as it is, anything else as JSON.
    pub value: String,
}

/// A kind of change of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum FileDeedCode {
    /// The file is made.
    Add,
    /// The content of the file changes.
    Update,
    /// The file is deleted.
    Delete,
    /// The file gets another path.
    Move,
}

impl From<FileChange> for FileDeed {
    fn from(change: FileChange) -> Self {
        let (does, path, to) = match change {
            FileChange::Add(path) => (FileDeedCode::Add, path, None),
            FileChange::Update(path) => (FileDeedCode::Update, path, None),
            FileChange::Delete(path) => (FileDeedCode::Delete, path, None),
            FileChange::Move { from, to } => (FileDeedCode::Move, from, Some(to)),
        };
        let does = WireWord::Known(does);
        Self { does, path, to }
    }
}

impl From<Argument> for NamedArgument {
    fn from(argument: Argument) -> Self {
        let Argument { name, value } = argument;
        Self { name, value }
    }
}

impl From<NamedArgument> for Argument {
    fn from(argument: NamedArgument) -> Self {
        let NamedArgument { name, value } = argument;
        Self { name, value }
    }
}
