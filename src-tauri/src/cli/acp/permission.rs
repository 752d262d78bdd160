//! A request of an agent of ACP as a permission of ours, and which of its options each decision is.
//! Not here: when it is asked, and who answers first.

use super::message::Message;
use crate::api::{AskerBody, PermissionBody, UnreadableBody, new_id};
use crate::cli::change::Change;
use beckon_client::json::exact;
use beckon_client::text::Texts;
use beckon_client::wire::{NamedArgument, PermissionDecision};
use beckon_core::UnknownShape;
use serde_json::Value;

/// The most characters that are shown of a request that is answered in the editor only.
const LONGEST_UNREADABLE: usize = 1_500;

/// A request, with all that was said of its call.
#[derive(Clone, Debug)]
pub(super) struct PermissionRequest {
    call: Value,
    options: Value,
    is_unsure: bool,
    /// The options that can be chosen from here; `None` if they are others than ours.
    choices: Option<Choices>,
    pub(super) directory: Option<String>,
    pub(super) agent: Option<String>,
}

/// The ids of the options that our decisions are.
#[derive(Clone, Debug)]
struct Choices {
    once: String,
    reject: String,
    always: Option<AlwaysOption>,
}

/// The option that allows more than this call, in the agent's words.
#[derive(Clone, Debug)]
struct AlwaysOption {
    id: String,
    name: String,
}

/// A request as Beckon is asked it.
#[derive(Clone, Debug)]
pub(super) struct AcpAsk {
    pub(super) id: String,
    /// `None` if it can only be answered in the editor.
    pub(super) permission: Option<PermissionBody>,
    pub(super) unreadable: UnreadableBody,
}

/// Reads a request. `known` is what the agent said of the call before.
pub(super) fn read_request(message: &Message, known: Option<&Value>) -> PermissionRequest {
    let params = message.params();
    let mut call = params["toolCall"].clone();
    let known = known.and_then(Value::as_object).into_iter().flatten();
    for (field, value) in known {
        if call.is_object() && call[field].is_null() {
            call[field] = value.clone();
        }
    }
    // An answer would have to be one in a batch.
    let choices = Choices::read(&params["options"]).filter(|_| !message.is_in_batch);
    PermissionRequest {
        call,
        options: params["options"].clone(),
        is_unsure: message.is_unsure,
        choices,
        directory: None,
        agent: None,
    }
}

impl Choices {
    /// Reads the options. Which of two that allow once is meant by our "once" nobody can say, and an
    /// option that rejects for ever is more than our "reject".
    fn read(options: &Value) -> Option<Self> {
        let once = only(options, "allow_once")?;
        let reject = only(options, "reject_once")?;
        let always = only(options, "allow_always").and_then(|option| {
            let name = option["name"].as_str()?.to_owned();
            let id = option_id(option)?;
            Some(AlwaysOption { id, name })
        });
        Some(Self {
            once: option_id(once)?,
            reject: option_id(reject)?,
            always: always.filter(|always| !always.name.trim().is_empty()),
        })
    }
}

/// Returns the option of a kind, if there is one alone.
fn only<'a>(options: &'a Value, kind: &str) -> Option<&'a Value> {
    let options = options.as_array()?.iter();
    let mut of_kind = options.filter(|option| option["kind"] == kind);
    let first = of_kind.next()?;
    of_kind.next().is_none().then_some(first)
}

fn option_id(option: &Value) -> Option<String> {
    option["optionId"].as_str().map(str::to_owned)
}

impl PermissionRequest {
    /// Returns the same as one that only the editor can answer.
    pub(super) fn unanswerable(mut self) -> Self {
        self.choices = None;
        self
    }

    /// Whether Claude Code asks, whichever program brings it into the editor.
    pub(super) fn is_of_claude(&self) -> bool {
        let agent = self.agent.as_deref().unwrap_or_default();
        agent.to_lowercase().contains("claude")
    }

    /// Returns the id of the option that a decision is.
    pub(super) fn option(&self, decision: PermissionDecision) -> Option<&str> {
        let choices = self.choices.as_ref()?;
        match decision {
            PermissionDecision::Once => Some(&choices.once),
            PermissionDecision::Always => choices.always.as_ref().map(|it| it.id.as_str()),
            PermissionDecision::Reject => Some(&choices.reject),
        }
    }

    /// Returns what Beckon is asked.
    pub(super) fn to_ask(&self, program: &str, texts: &Texts) -> AcpAsk {
        let id = new_id();
        let asker = AskerBody {
            id: Some(id.clone()),
            title: self.title(),
            agent: self.agent.clone().or_else(|| Some(program.to_owned())),
            directory: self.directory.clone(),
            project_root: self.directory.clone(),
            pid: Some(std::process::id()),
            receipts: true,
            ..AskerBody::default()
        };
        let permission = self.choices.as_ref();
        let permission = permission.map(|choices| self.to_permission(choices, &asker, texts));
        AcpAsk {
            id,
            permission,
            unreadable: self.to_unreadable(asker, texts),
        }
    }

    /// Returns what the call is for, in the agent's words, where the card has something else to
    /// name it by.
    fn title(&self) -> Option<String> {
        let said = self.call["rawInput"]["description"].as_str();
        said.filter(|_| self.command().is_some()).map(str::to_owned)
    }

    fn to_permission(&self, choices: &Choices, asker: &AskerBody, texts: &Texts) -> PermissionBody {
        let changes = self.changes();
        let command = self.command();
        let paths = self.paths();
        let title = self.call["title"].as_str().unwrap_or_default();
        let is_named = command.is_some() || !changes.is_empty();
        let title = Some(title.to_owned()).filter(|title| !is_named && !title.trim().is_empty());
        let always = choices.always.iter().map(|always| always.name.clone());

        PermissionBody {
            permission: self.purpose().to_owned(),
            patterns: title
                .into_iter()
                .chain(paths)
                .chain([texts.get("acp-no-reason")])
                .collect(),
            always: always.collect(),
            diff: (!changes.is_empty()).then(|| changes.join("\n")),
            arguments: self.arguments(),
            is_partial: self.is_unsure || !self.is_whole(),
            command,
            asker: asker.clone(),
            ..PermissionBody::default()
        }
        .cut()
    }

    /// Whether the card shows all that the tool is given. Without its arguments there is only the
    /// title, which is the agent's summary; for a change that is shown it needs no more.
    fn is_whole(&self) -> bool {
        let input = &self.call["rawInput"];
        let has_input = input.as_object().is_some_and(|fields| !fields.is_empty());
        has_input || !self.changes().is_empty()
    }

    fn purpose(&self) -> &str {
        match self.call["kind"].as_str() {
            Some("execute") => "bash",
            Some("fetch") => "webfetch",
            Some("edit" | "delete" | "move") => "edit",
            Some("read") => "read",
            Some("search") => "grep",
            Some(kind) if !kind.trim().is_empty() => kind,
            _ => "other",
        }
    }

    /// Returns the command line. Gemini CLI only has it in the title.
    fn command(&self) -> Option<String> {
        let input = &self.call["rawInput"];
        let said = match &input["command"] {
            Value::String(command) => Some(command.clone()),
            Value::Array(words) => {
                let words: Option<Vec<&str>> = words.iter().map(Value::as_str).collect();
                words.map(|words| words.join(" "))
            }
            _ => None,
        };
        let runs = self.call["kind"] == "execute";
        let title = self.call["title"].as_str().filter(|_| runs);
        let command = said.or_else(|| title.map(str::to_owned));
        command.filter(|command| !command.trim().is_empty())
    }

    /// Returns the changes of files.
    fn changes(&self) -> Vec<String> {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let diffs = self.content("diff");
        let changes = diffs.map(|diff| {
            let old = text(&diff["oldText"]);
            let new = text(&diff["newText"]);
            let change = Change::between(&old, &new).to_diff();
            format!("--- {0}\n+++ {0}\n{change}", text(&diff["path"]))
        });
        changes.collect()
    }

    fn paths(&self) -> Vec<String> {
        let diffs = self.content("diff");
        let locations = self.call["locations"].as_array().into_iter().flatten();
        let mut paths: Vec<String> = Vec::new();
        for place in diffs.chain(locations) {
            let path = place["path"].as_str().map(str::to_owned);
            paths.extend(path.filter(|path| !paths.contains(path)));
        }
        paths
    }

    fn content<'a>(&'a self, kind: &'a str) -> impl Iterator<Item = &'a Value> {
        let content = self.call["content"].as_array().into_iter().flatten();
        content.filter(move |part| part["type"] == kind)
    }

    /// Returns what the card would not show otherwise.
    fn arguments(&self) -> Vec<NamedArgument> {
        let fields = self.call["rawInput"].as_object().into_iter().flatten();
        let fields = fields.filter(|(name, value)| !self.is_shown(name, value));
        let said = self.content("content");
        let said = said.filter_map(|part| part["content"]["text"].as_str());
        let said = said.filter(|text| self.call["rawInput"]["description"] != *text);
        let said = said.map(|text| NamedArgument {
            name: "content".to_owned(),
            value: text.to_owned(),
        });
        fields
            .map(|(name, value)| argument(name, value))
            .chain(said)
            .collect()
    }

    fn is_shown(&self, name: &str, value: &Value) -> bool {
        let runs = self.command().is_some();
        let is_elsewhere = runs && ["command", "description"].contains(&name);
        // A command in words is shown as it came as well.
        let text = value.as_str();
        let in_change = text.is_some_and(|text| {
            let mut diffs = self.content("diff");
            let is_same = |diff: &Value, field: &str| diff[field] == text;
            diffs.any(|diff| {
                ["path", "oldText", "newText"]
                    .iter()
                    .any(|field| is_same(diff, field))
            })
        });
        text.is_some() && is_elsewhere || in_change
    }

    fn to_unreadable(&self, asker: AskerBody, texts: &Texts) -> UnreadableBody {
        let says = texts.get("acp-in-editor");
        let names = self.options.as_array().into_iter().flatten();
        let names: Vec<&str> = names.filter_map(|option| option["name"].as_str()).collect();
        let title = self.call["title"].as_str().unwrap_or_default();
        let input = exact::written(&self.call["rawInput"]);
        let raw = format!("{says}\n\n{title}\n{input}\n{}", names.join(" · "));
        UnreadableBody {
            reason: "its options are others than once and reject, or its id is used twice".into(),
            asked: Some(UnknownShape::Permission),
            raw: raw.chars().take(LONGEST_UNREADABLE).collect(),
            asker,
        }
    }
}

fn argument(name: &str, value: &Value) -> NamedArgument {
    let value = match value {
        Value::String(text) => exact::plain(text),
        other => exact::written(other),
    };
    NamedArgument {
        name: name.to_owned(),
        value,
    }
}

#[cfg(test)]
mod tests;
