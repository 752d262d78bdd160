//! The purpose of a permission, as a title names it: what is done, and to what.
//!
//! Not here: the words for it (`text/words/wanting.rs` of the client), and everything else that is
//! to be allowed: a title never stands alone.

use super::{FileChange, Permission};
use crate::{risk, visible};
use alloc::borrow::ToOwned;
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The longest name that is shown whole, in characters.
const NAME: usize = 40;

/// The action that an agent wants to take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PermissionVerb {
    /// Runs programs.
    Run,
    /// Changes files.
    Edit,
    /// Writes files.
    Write,
    /// Deletes files.
    Delete,
    /// Moves files: from where, and to where.
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
    /// Uses a tool of an MCP server: the server, and the tool.
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

/// The purpose of a permission: an action and its objects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PermissionPurpose {
    /// The action.
    pub verb: PermissionVerb,
    /// The objects of the action, each once: programs, names of files, a host, a server and its
    /// tool, a name. Empty where they cannot be told. The words are a stranger's.
    pub objects: Vec<String>,
}

impl Permission {
    /// Reads the purpose from the permission's name, as OpenCode and Beckon's own hooks give them.
    pub fn purpose(&self) -> PermissionPurpose {
        use PermissionVerb as Verb;
        let (verb, objects) = match self.permission.as_str() {
            "bash" => (Verb::Run, self.programs()),
            "edit" if self.has_more_than_updates() => self.file_changes(),
            "edit" => (Verb::Edit, self.files()),
            "write" => (Verb::Write, self.files()),
            "read" => (Verb::Read, self.files()),
            "external_directory" => (Verb::Leave, Vec::new()),
            "webfetch" => (Verb::Fetch, self.host()),
            "websearch" => (Verb::Search, Vec::new()),
            "task" => (Verb::Delegate, Vec::new()),
            "skill" => (
                Verb::Skill,
                self.patterns.first().into_iter().cloned().collect(),
            ),
            "plan" => (Verb::Plan, Vec::new()),
            "doom_loop" => (Verb::Repeat, Vec::new()),
            "glob" => (Verb::Find, Vec::new()),
            "grep" => (Verb::Grep, Vec::new()),
            "list" => (Verb::List, Vec::new()),
            name => match mcp_tool(name) {
                Some((server, tool)) => (Verb::Tool, Vec::from([in_words(server), in_words(tool)])),
                None => (Verb::Other, Vec::from([in_words(name)])),
            },
        };
        PermissionPurpose {
            verb,
            objects: objects.into_iter().map(shortened).collect(),
        }
    }

    fn programs(&self) -> Vec<String> {
        let command = self
            .command
            .as_deref()
            .filter(|command| !command.trim().is_empty());
        let patterns = || self.patterns.iter().map(String::as_str).collect();
        let lines: Vec<&str> = command.map_or_else(patterns, |command| Vec::from([command]));
        each_once(risk::programs(&lines).into_iter())
    }

    fn files(&self) -> Vec<String> {
        // Where there are several files the pattern is shown whole; a star alone says nothing.
        let name = |path: &String| match path.rsplit(['/', '\\']).next() {
            Some(name) if !name.is_empty() && !path.contains('*') => name.to_owned(),
            _ => path.clone(),
        };
        if self.patterns.iter().any(|pattern| pattern == "*") {
            return Vec::new();
        }
        // Everything that a hook adds after the file has the form `name: value`, in Chinese with
        // its own colon.
        let is_added = |pattern: &str| pattern.contains(": ") || pattern.contains('：');
        let is_file = |(at, pattern): &(usize, &String)| *at == 0 || !is_added(pattern);
        let files = self
            .patterns
            .iter()
            .enumerate()
            .filter(is_file)
            .map(|(_, pattern)| name(pattern));
        each_once(files.filter(|name| !name.trim().is_empty()))
    }

    /// Returns the changes of files as one verb and its objects, first those of which a name alone
    /// tells too little.
    fn file_changes(&self) -> (PermissionVerb, Vec<String>) {
        let mut changes: Vec<&FileChange> = self.files.iter().collect();
        changes.sort_by_key(|change| change.rank());
        let objects = each_once(changes.iter().map(|change| change.object()));
        let are_all = |rank: u8| changes.iter().all(|change| change.rank() == rank);
        let verb = match changes.first() {
            Some(FileChange::Delete(_)) if are_all(0) => PermissionVerb::Delete,
            Some(FileChange::Move { .. }) if are_all(1) => PermissionVerb::Move,
            Some(FileChange::Add(_)) if are_all(2) => PermissionVerb::Write,
            Some(FileChange::Add(_) | FileChange::Update(_)) | None => PermissionVerb::Edit,
            Some(FileChange::Delete(_) | FileChange::Move { .. }) => PermissionVerb::Change,
        };
        (verb, objects)
    }

    fn host(&self) -> Vec<String> {
        let host = |url: &String| {
            let rest = url
                .strip_prefix("https://")
                .or_else(|| url.strip_prefix("http://"))?;
            let authority = rest.split(['/', '?', '#', '\\']).next()?;
            let host = authority.rsplit('@').next()?;
            (!host.is_empty()).then(|| ending(host))
        };
        self.patterns.first().and_then(host).into_iter().collect()
    }
}

impl FileChange {
    /// Returns the place in the title: the less the file's name tells of the change, the earlier it
    /// is named.
    fn rank(&self) -> u8 {
        match self {
            Self::Delete(_) => 0,
            Self::Move { .. } => 1,
            Self::Add(_) => 2,
            Self::Update(_) => 3,
        }
    }

    /// Returns the file's name for a title; for a move also the whole new place.
    fn object(&self) -> String {
        match self {
            Self::Add(path) | Self::Update(path) | Self::Delete(path) => file_name(path).to_owned(),
            Self::Move { from, to } => format!("{} → {to}", file_name(from)),
        }
    }
}

/// Returns the last part of a path.
fn file_name(path: &str) -> &str {
    let name = path.rsplit(['/', '\\']).next();
    name.filter(|name| !name.is_empty()).unwrap_or(path)
}

/// Returns the server and its tool in `mcp__SERVER__TOOL`, as Claude Code calls the tools of an MCP
/// server.
pub fn mcp_tool(name: &str) -> Option<(&str, &str)> {
    let (server, tool) = name.strip_prefix("mcp__")?.split_once("__")?;
    (!server.is_empty() && !tool.is_empty()).then_some((server, tool))
}

fn in_words(name: &str) -> String {
    name.replace('_', " ").trim().to_owned()
}

fn each_once(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let is_first = |name: &String| seen.insert(name.clone());
    names.filter(is_first).collect()
}

/// Shortens a host at its beginning: its end says to whom it belongs.
fn ending(host: &str) -> String {
    let long = host.chars().count();
    if long < NAME {
        return host.to_owned();
    }
    core::iter::once('…')
        .chain(host.chars().skip(long + 2 - NAME))
        .collect()
}

/// Returns a name with nothing hidden, on one line, and no longer than a title can bear.
fn shortened(name: String) -> String {
    let shown = visible::exact(&name).text;
    let mut words = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((end, _)) = words.char_indices().nth(NAME) {
        words.truncate(end);
        words.push('…');
    }
    words
}
