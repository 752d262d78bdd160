//! The facts of a tool call beyond what its permission says: its arguments, and the files that it
//! adds, deletes or moves.
//!
//! Not here: where they are read from (the sources), and what they are called in words (the
//! client).

use super::{AskContent, Permission};
use crate::cut::cut_arguments;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

/// The largest number of arguments that are kept. More are left out, and what they belong to is not
/// shown in full any more. A call of an agent has a handful.
pub const MOST_ARGUMENTS: usize = 64;

/// The input of a call, where that is more than its permission says.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallInput {
    /// The call's arguments, but for those that the command, the change or a pattern shows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<Argument>,
    /// Whether there may be more: its source has not told all of it yet, or cannot.
    pub is_partial: bool,
}

/// An argument of a call.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Argument {
    /// The argument's name.
    pub name: String,
    /// The argument's value: a text as it is, anything else as JSON.
    pub value: String,
}

impl Argument {
    /// Returns the argument on its own line: `path: src`. Further lines of it are indented, so that
    /// none looks like another argument.
    pub fn line(&self) -> String {
        format!("{}: {}", self.name, self.value).replace('\n', "\n  ")
    }
}

impl CallInput {
    /// Makes the input of a call whose source has not told its arguments yet.
    pub fn untold() -> Self {
        Self {
            arguments: Vec::new(),
            is_partial: true,
        }
    }

    /// Makes the input of a call whose source has told all of them.
    pub fn told(arguments: Vec<Argument>) -> Self {
        let mut input = Self {
            arguments,
            is_partial: false,
        };
        cut_arguments(&mut input);
        input
    }
}

/// The change of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileChange {
    /// A file that is made.
    Add(String),
    /// A file whose content changes.
    Update(String),
    /// A file that is deleted.
    Delete(String),
    /// A file that gets another place, and perhaps another content.
    Move {
        /// The path where it is.
        from: String,
        /// The path where it will be.
        to: String,
    },
}

impl FileChange {
    /// Returns the change on its own line, in the words of the tool: `delete: src/old.rs`.
    pub fn line(&self) -> String {
        match self {
            Self::Add(path) => format!("add: {path}"),
            Self::Update(path) => format!("update: {path}"),
            Self::Delete(path) => format!("delete: {path}"),
            Self::Move { from, to } => format!("move: {from} → {to}"),
        }
    }

    /// Returns the paths that it touches.
    pub fn paths(&self) -> Vec<&str> {
        match self {
            Self::Add(path) | Self::Update(path) | Self::Delete(path) => Vec::from([path.as_str()]),
            Self::Move { from, to } => Vec::from([from.as_str(), to.as_str()]),
        }
    }
}

impl Permission {
    /// Whether any file of it is added, deleted or moved, which the name of a file does not tell.
    pub fn has_more_than_updates(&self) -> bool {
        let is_update = |change: &FileChange| matches!(change, FileChange::Update(_));
        !self.files.iter().all(is_update)
    }
}

impl AskContent {
    /// Whether both ask for the same, whatever is known of their calls' arguments.
    pub fn is_same_request(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Permission(one), Self::Permission(other)) => one.is_same_request(other),
            _ => self == other,
        }
    }

    /// Returns what is known of its call; `None` unless it is a permission.
    pub fn input(&self) -> Option<&CallInput> {
        match self {
            Self::Permission(permission) => Some(&permission.input),
            Self::Questions(_) | Self::Confirm(_) | Self::Unknown(_) => None,
        }
    }

    /// Takes over what is known of the same call, where that is more.
    pub fn learn_input(&mut self, known: &Self) {
        if !self.is_same_request(known) {
            return;
        }
        if let (Self::Permission(one), Self::Permission(known)) = (self, known)
            && one.input.is_partial
            && (!known.input.is_partial || known.input.arguments.len() > one.input.arguments.len())
        {
            one.input = known.input.clone();
        }
    }
}

impl Permission {
    fn is_same_request(&self, other: &Self) -> bool {
        // Named one by one, so that a new field is not forgotten.
        let Self {
            permission,
            patterns,
            always,
            command,
            diff,
            files,
            root,
            input: _,
            left_out,
            rejects,
            always_until,
        } = self;
        *permission == other.permission
            && *patterns == other.patterns
            && *always == other.always
            && *command == other.command
            && *diff == other.diff
            && *files == other.files
            && *left_out == other.left_out
            && *root == other.root
            && *rejects == other.rejects
            && *always_until == other.always_until
    }
}
