//! What a tool call is given beyond what its permission says, as other programs and the windows' pages get
//! it.

use super::codes::WireWord;
use beckon_core::{Argument, FileChange};
use serde::{Deserialize, Serialize};

/// What becomes of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FileDeed {
    /// `add`, `update`, `delete` or `move`.
    #[cfg_attr(test, ts(as = "FileDeedCode"))]
    pub does: WireWord<FileDeedCode>,
    /// The file.
    pub path: String,
    /// Of a move: its new place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub to: Option<String>,
}

/// An argument of a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NamedArgument {
    /// Its name.
    pub name: String,
    /// Its value: a text as it is, anything else as JSON.
    pub value: String,
}

/// What is done with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum FileDeedCode {
    /// It is made.
    Add,
    /// Its content changes.
    Update,
    /// It is deleted.
    Delete,
    /// It gets another place.
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
