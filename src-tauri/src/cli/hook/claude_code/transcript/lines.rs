//! The lines of a transcript, read leniently. Not here: the file, and what follows from a line.

use super::super::ids::CallMark;
use super::super::input::ToolUse;
use super::super::input_paths::{PathOrigins, home};
use beckon_client::json::fields::{flag, list, string};
use beckon_client::json::{self, LenientJson};
use jiff::Timestamp;
use memchr::memmem;
use serde_json::Value;

/// The words of which a line of interest has one.
const TELLING: [&[u8]; 3] = [b"tool_use", b"tool_result", b"hook_permission_decision"];
/// The number of characters kept of what a tool returned: a refusal is at its beginning.
pub(in super::super) const KEPT: usize = 1_000;

/// The calls of tools that the end of a transcript tells of, in the order of its lines.
#[derive(Debug, Default)]
pub(in super::super) struct TranscriptTail {
    pub(in super::super) uses: Vec<RecordedUse>,
    pub(in super::super) results: Vec<RecordedResult>,
    pub(in super::super) allowed_by_hook: Vec<HookAllowance>,
}

/// The place and time at which something was written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct LineStamp {
    /// The offset of the line in bytes. It tells the order for sure, whatever the clocks do.
    pub(in super::super) offset: u64,
    /// The time that it bears, in milliseconds since 1970.
    pub(in super::super) at: Option<i64>,
}

/// A tool that Claude wants to use.
#[derive(Debug)]
pub(in super::super) struct RecordedUse {
    pub(in super::super) id: String,
    pub(in super::super) tool: String,
    /// The message that it is a part of; what is called in one message is under way at once.
    pub(in super::super) message: Option<String>,
    pub(in super::super) call: CallMark,
    pub(in super::super) written: LineStamp,
}

/// The end of a use.
#[derive(Debug)]
pub(in super::super) struct RecordedResult {
    pub(in super::super) of: String,
    pub(in super::super) written: LineStamp,
    /// The beginning of what the model reads.
    pub(in super::super) text: String,
    pub(in super::super) is_error: bool,
    /// Whether the tool was let run, where the line itself says so: newer versions do.
    pub(in super::super) is_accepted: Option<bool>,
    /// Whether the tool ran, guessed where the line doesn't say.
    pub(in super::super) has_run: bool,
    pub(in super::super) decider: Decider,
}

/// The one who decided whether a tool may run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Decider {
    Hook,
    /// A person at the terminal.
    User,
    /// A rule, or whatever else the line names.
    Other,
    /// An older version says nothing of it.
    Unsaid,
}

impl Decider {
    /// Whether the decision may have come from a hook of ours.
    pub(in super::super) fn may_be_ours(self) -> bool {
        matches!(self, Self::Hook | Self::Unsaid)
    }
}

/// A use that a hook has allowed. Claude Code notes that by the time the use has ended.
#[derive(Debug)]
pub(in super::super) struct HookAllowance {
    pub(in super::super) of: String,
    pub(in super::super) written: LineStamp,
}

impl TranscriptTail {
    /// Reads all lines of one thread.
    #[cfg(any(test, fuzzing))]
    pub(in super::super) fn parse(bytes: &[u8], agent: Option<&str>) -> Self {
        let mut tail = Self::default();
        let mut offset = 0;
        for line in bytes.split(|byte| *byte == b'\n') {
            tail.append(Self::of_line(line, offset, agent));
            offset += line.len() as u64 + 1;
        }
        tail
    }

    /// Reads one line. One that isn't whole, or is something else, or of another thread, is passed
    /// over.
    pub(super) fn of_line(line: &[u8], offset: u64, agent: Option<&str>) -> Self {
        let mut tail = Self::default();
        if !is_telling(line) {
            return tail;
        }
        let Some(LenientJson { value, flaws }) = json::read_exact(line) else {
            return tail;
        };

        if !flaws.hide_something() && is_of_thread(&value, agent) {
            let at = time(&value);
            tail.take(&value, LineStamp { offset, at });
        }
        tail
    }

    /// Adds what was written later.
    pub(super) fn append(&mut self, mut later: Self) {
        self.uses.append(&mut later.uses);
        self.results.append(&mut later.results);
        self.allowed_by_hook.append(&mut later.allowed_by_hook);
    }

    /// Keeps no more than the last ones of each.
    pub(super) fn forget_all_but(&mut self, most: usize) {
        drop_first(&mut self.uses, most);
        drop_first(&mut self.results, most);
        drop_first(&mut self.allowed_by_hook, most);
    }

    fn take(&mut self, line: &Value, written: LineStamp) {
        match line.get("type").and_then(Value::as_str) {
            Some("assistant") => self.take_uses(line, written),
            Some("user") => self.take_results(line, written),
            Some("attachment") => self.take_allowance(line, written),
            _ => {}
        }
    }

    fn take_uses(&mut self, line: &Value, written: LineStamp) {
        let Some(message) = line.get("message") else {
            return;
        };
        let directory = string(line, "cwd").unwrap_or_default();
        let home = home();
        let origins = PathOrigins {
            directory: &directory,
            home: &home,
        };
        let blocks = list(message, "content").iter();
        for block in blocks.filter(|block| is_block(block, "tool_use")) {
            let (Some(id), Some(tool_name)) = (string(block, "id"), string(block, "name")) else {
                continue;
            };
            let call = ToolUse {
                tool_name,
                tool_input: block.get("input").cloned().unwrap_or_default(),
                id: None,
            };
            self.uses.push(RecordedUse {
                id,
                message: string(message, "id"),
                call: CallMark::of(&call, origins),
                tool: call.tool_name,
                written,
            });
        }
    }

    fn take_results(&mut self, line: &Value, written: LineStamp) {
        let Some(message) = line.get("message") else {
            return;
        };
        let blocks = list(message, "content").iter();
        for block in blocks.filter(|block| is_block(block, "tool_result")) {
            let Some(of) = string(block, "tool_use_id") else {
                continue;
            };
            let text = text_of(block);
            let is_error = flag(block, "is_error").unwrap_or_default();
            let is_accepted = is_accepted(line);
            self.results.push(RecordedResult {
                of,
                written,
                is_accepted,
                has_run: is_accepted.unwrap_or_else(|| seems_to_have_run(is_error, &text)),
                decider: decider(line),
                text,
                is_error,
            });
        }
    }

    fn take_allowance(&mut self, line: &Value, written: LineStamp) {
        let Some(attachment) = line.get("attachment") else {
            return;
        };
        let is = |name: &str, word: &str| string(attachment, name).as_deref() == Some(word);
        if !is("type", "hook_permission_decision") || !is("decision", "allow") {
            return;
        }
        if let Some(of) = string(attachment, "toolUseID") {
            self.allowed_by_hook.push(HookAllowance { of, written });
        }
    }
}

fn drop_first<T>(items: &mut Vec<T>, most: usize) {
    let surplus = items.len().saturating_sub(most);
    items.drain(..surplus);
}

fn is_telling(line: &[u8]) -> bool {
    TELLING
        .iter()
        .any(|word| memmem::find(line, word).is_some())
}

fn is_block(block: &Value, kind: &str) -> bool {
    block.get("type").and_then(Value::as_str) == Some(kind)
}

/// Whether a line is of that thread. Older versions write what subagents do among the lines of the
/// main thread.
fn is_of_thread(line: &Value, agent: Option<&str>) -> bool {
    let is_aside = flag(line, "isSidechain").unwrap_or_default();
    let named = string(line, "agentId");
    match agent {
        None => !is_aside,
        Some(agent) => is_aside && named.is_none_or(|named| named == agent),
    }
}

fn time(line: &Value) -> Option<i64> {
    let text = line.get("timestamp")?.as_str()?;
    let time: Timestamp = text.parse().ok()?;
    Some(time.as_millisecond())
}

/// Returns the text of a result, which is a text, or a list of parts.
fn text_of(block: &Value) -> String {
    let whole = block.get("content").and_then(Value::as_str);
    let parts = list(block, "content").iter();
    let texts = parts.filter_map(|part| part.get("text")?.as_str());
    let texts = whole.into_iter().chain(texts);
    texts.flat_map(str::chars).take(KEPT).collect()
}

fn decider(line: &Value) -> Decider {
    let source = line
        .get("permissionDecision")
        .and_then(|it| string(it, "source"));
    let denial = string(line, "toolDenialKind");
    match source.as_deref() {
        Some("hook") => Decider::Hook,
        Some(source) if source.starts_with("user") => Decider::User,
        Some(_) => Decider::Other,
        None if denial.as_deref() == Some("user-rejected") => Decider::User,
        None => Decider::Unsaid,
    }
}

/// Whether the tool was let run, if the line says so.
fn is_accepted(line: &Value) -> Option<bool> {
    let decision = line
        .get("permissionDecision")
        .and_then(|it| string(it, "decision"));
    match decision.as_deref() {
        Some("accept") => return Some(true),
        Some("reject") => return Some(false),
        _ => {}
    }

    match string(line, "toolDenialKind").as_deref() {
        // Stopped by its user: before it ran, or while it did.
        Some("user-rejected") => Some(!flag(line, "toolDenialBeforeRun").unwrap_or_default()),
        Some(_) => Some(false),
        None => None,
    }
}

/// Whether a tool seems to have run. Older versions show a refusal in the terminal by its sentence
/// alone, and one of a hook not at all.
fn seems_to_have_run(is_error: bool, text: &str) -> bool {
    !(is_error && text.starts_with("The user doesn't want to "))
}
