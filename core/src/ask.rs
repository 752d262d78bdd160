//! An ask: something that an agent waits for. Its life is Open → Answering → Settled.

mod always;
mod attention;
mod call;
mod left_out;
mod purpose;

pub use always::AlwaysUntil;
pub use attention::Attention;
pub use call::{Argument, CallInput, FileChange, MOST_ARGUMENTS};
pub use left_out::LeftOut;
pub use purpose::{PermissionPurpose, PermissionVerb, mcp_tool};

use crate::{Answer, AnswerLimits, Responder, Timestamp, visible};
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use serde::{Deserialize, Serialize};

/// The name of the pretend source of a self-test.
pub const SELF_TEST: &str = "self-test";

/// The configured or registered name of a source, e.g. `local`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SourceId(pub String);

impl SourceId {
    /// Whether it is the pretend source of a self-test, whose requests are no person's.
    pub fn is_self_test(&self) -> bool {
        self.0 == SELF_TEST
    }
}

impl fmt::Display for SourceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Names one ask: its source and the source's own request id.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct AskId {
    /// The source that asks.
    pub source: SourceId,
    /// The source's own id, e.g. `que_…`; opaque.
    pub own: String,
}

impl fmt::Display for AskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.source, self.own)
    }
}

/// Something an agent waits for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ask {
    /// The ask's name.
    pub id: AskId,
    /// The content: a question set, a permission, a confirm or something unknown.
    pub kind: AskContent,
    /// The session that asks.
    pub session: Session,
    /// The tool call that waits, when the source tells.
    pub call: Option<CallRef>,
    /// The time when Beckon first heard of it; a source may not tell when it was really asked.
    pub asked_at: Timestamp,
}

/// The kinds of ask.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AskContent {
    /// A question set; zero questions is legal.
    Questions(Vec<Question>),
    /// A permission.
    Permission(Permission),
    /// An interrupt without questions, to be continued or cancelled. Holds the agent's words.
    Confirm(String),
    /// An ask in a form that is not known here. It is shown, and takes no answer from here: what
    /// the human would consent to cannot be told.
    Unknown(UnknownAsk),
}

/// An ask in an unknown form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UnknownAsk {
    /// The kind of the ask, told by the place where it was found.
    pub asked: UnknownShape,
    /// The ask as it came, cut to what a person reads.
    pub raw: String,
}

/// The kind of an ask of unknown form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum UnknownShape {
    /// A question set.
    Question,
    /// A permission.
    Permission,
}

/// A question of a set.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// A few words, up to 30 characters by contract, longer in practice.
    pub header: String,
    /// The full question.
    pub question: String,
    /// Whether several choices may be taken.
    pub multiple: bool,
    /// Whether own text is allowed. Absent at the source means yes.
    pub custom: bool,
    /// The choices; none and equal labels are legal.
    pub choices: Vec<Choice>,
    /// The other demands that its source makes of the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<AnswerLimits>,
    /// Set if a choice lets something run. Then the answer is no mere opinion, and a question that
    /// hides or endangers something is not answered with one press.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub consent: Option<QuestionConsent>,
}

impl Question {
    /// Whether a choice lets something run, and the text could be taken for another one.
    pub fn hides_consent(&self) -> bool {
        self.consent.is_some() && visible::prose(&self.question).deceptive
    }

    /// Whether that choice may let something run.
    pub fn consents_by(&self, choice: usize) -> bool {
        self.consent
            .as_ref()
            .is_some_and(|consent| !consent.refusals.contains(&choice))
    }
}

/// The part of a question that tells what a choice lets run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuestionConsent {
    /// The command lines that are known of it, to be marked where they are dangerous.
    pub commands: Vec<String>,
    /// The choices that let nothing run, by their index: nothing that is hidden matters to them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refusals: Vec<usize>,
}

/// A choice of a question.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choice {
    /// The text that is shown.
    pub label: String,
    /// A sentence about it, possibly empty.
    pub description: String,
    /// The text that goes back when it is not the label (interrupt APIs).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
}

impl Choice {
    /// Returns the text that the agent gets when this is chosen.
    pub fn delivered(&self) -> &str {
        self.value.as_deref().unwrap_or(&self.label)
    }
}

/// A request for permission to do something.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Permission {
    /// The source's word for it: `bash`, `edit`, `external_directory`, …
    pub permission: String,
    /// The patterns that it is asked for.
    pub patterns: Vec<String>,
    /// The patterns that "always" would allow.
    pub always: Vec<String>,
    /// The exact command, for a shell.
    pub command: Option<String>,
    /// The exact change, for an edit.
    pub diff: Option<String>,
    /// The changes of each file, where the source tells them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<FileChange>,
    /// The project's root, where that is above the folder of the session.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub root: String,
    /// The other arguments of the call. An asker that does not know of this field, such as an older
    /// Beckon, may not have told all.
    #[serde(default = "CallInput::untold")]
    pub input: CallInput,
    /// The patterns, files and rules that are not kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_out: Option<LeftOut>,
    /// The other permissions that its source rejects with it.
    #[serde(default, skip_serializing_if = "RejectionReach::is_itself")]
    pub rejects: RejectionReach,
    /// The end of what "always" would allow there.
    #[serde(default, skip_serializing_if = "AlwaysUntil::is_unsaid")]
    pub always_until: AlwaysUntil,
}

/// The reach of a rejection at its source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RejectionReach {
    /// The rejected permission alone.
    #[default]
    Itself,
    /// Every permission that its session waits for.
    Session,
    /// Perhaps every permission that its session waits for: its source has not said.
    PerhapsSession,
}

impl RejectionReach {
    fn is_itself(&self) -> bool {
        *self == Self::Itself
    }
}

impl Permission {
    /// Returns what is to be allowed, but for the change: the command, the patterns that are no
    /// part of it, what becomes of files where the change does not show it, and the arguments.
    /// OpenCode's patterns of a command are the command, or its parts.
    pub fn wants(&self) -> Vec<Cow<'_, str>> {
        let command = self
            .command
            .as_deref()
            .filter(|command| !command.trim().is_empty());
        let is_said = |at: usize, pattern: &str| {
            command.is_some_and(|command| says(command, at, pattern)) && !is_flag(pattern)
        };
        let patterns = self.patterns.iter().map(String::as_str).enumerate();
        let more = patterns.filter(|(at, it)| !it.trim().is_empty() && !is_said(*at, it));
        let more = more.map(|(_, pattern)| pattern);

        let mut wants: Vec<Cow<'_, str>> = command.into_iter().chain(more).map(Cow::from).collect();
        if self.has_more_than_updates() || self.shows_no_change() {
            wants.extend(self.files.iter().map(|change| Cow::from(change.line())));
        }
        let arguments = self.input.arguments.iter();
        wants.extend(arguments.map(|argument| Cow::from(argument.line())));
        wants.extend(self.left_out.map(|left_out| Cow::from(left_out.line())));
        wants
    }

    fn shows_no_change(&self) -> bool {
        self.diff.as_ref().is_none_or(|diff| diff.trim().is_empty())
    }

    /// Whether it asks to change files. Then the change is what counts, and no name says it.
    pub fn is_edit(&self) -> bool {
        let named = matches!(
            self.permission.as_str(),
            "edit" | "write" | "patch" | "apply_patch"
        );
        named || self.diff.is_some()
    }

    /// Whether any of it could be taken for something else than it is.
    pub fn is_deceptive(&self) -> bool {
        let wants = self.wants();
        let texts = wants
            .iter()
            .map(Cow::as_ref)
            .chain([self.permission.as_str()]);
        texts.chain(self.diff.as_deref()).any(visible::is_deceptive)
    }
}

/// The number of bytes of a command that are looked through for its parts: some hundred parts of a
/// command that a human would read, and sixteen of the longest one.
const MOST_LOOKED_THROUGH: usize = 1024 * 1024;

/// Whether a command says the pattern at that place of the list as well.
fn says(command: &str, at: usize, pattern: &str) -> bool {
    let read = command.len().saturating_mul(at);
    read < MOST_LOOKED_THROUGH && command.contains(pattern)
}

/// Whether a pattern is a flag of a tool. It is no part of its command, whatever the command's text
/// says.
fn is_flag(pattern: &str) -> bool {
    pattern.contains(": ")
}

/// The session that asks. Titles and agents arrive late; absent is not an error.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Session {
    /// The source's session id; opaque.
    pub id: String,
    /// The session's title.
    pub title: Option<String>,
    /// The session's directory: an opaque key that goes back byte for byte.
    pub directory: String,
    /// The folder of the project to which the session belongs, if its agent works elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_root: Option<String>,
    /// Whether the asker names its folders itself: it is a program with a name of its own, and not
    /// an agent's server.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub is_claimed: bool,
    /// The agent's name.
    pub agent: Option<String>,
    /// The session that started this one, for subagents.
    pub parent: Option<String>,
    /// The agent's last words before it asked.
    pub last_words: Option<String>,
    /// The Beckons that it came through, the first one first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub via: Vec<String>,
    /// The team's part of an ask of another machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<TeamPart>,
    /// The API of its source that the session goes by, if there is more than one; opaque, the
    /// source's own word, and its to read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub api: Option<String>,
    /// The process on this machine that its human would look for, if the asker has named it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub process: Option<AskerProcess>,
}

/// A team's knowledge of an ask of another machine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TeamPart {
    /// The person on whose machine it runs.
    pub person: String,
    /// The people who have agreed there, where two must.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub agreed: Vec<String>,
    /// Whether they did not say the same.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub apart: bool,
}

/// A process of this machine. Numbers are used again; a process with another time of birth is a
/// different one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AskerProcess {
    /// The process's number.
    pub pid: u32,
    /// The time when it began, in the system's own count; opaque.
    pub born: u64,
}

/// OpenCode's usual agent, whose name says nothing.
const USUAL_AGENT: &str = "build";

impl Session {
    /// Returns the agent or program that asks, if its name says something.
    pub fn who(&self) -> Option<&str> {
        self.agent
            .as_deref()
            .map(str::trim)
            .filter(|name| !name.is_empty() && *name != USUAL_AGENT)
    }

    /// Returns the last part of the directory: what people call a project.
    pub fn project(&self) -> &str {
        Self::project_in(&self.directory)
    }

    /// Returns the folder of its project: where it works, if nothing else is known.
    pub fn project_path(&self) -> &str {
        self.project_root.as_ref().unwrap_or(&self.directory)
    }

    /// Returns the names of all folders of a path.
    pub fn folders_of(path: &str) -> impl Iterator<Item = &str> {
        path.split(['/', '\\']).filter(|name| !name.is_empty())
    }

    /// Returns the last part of a directory, or the directory itself if it has none.
    pub fn project_in(directory: &str) -> &str {
        let name = directory
            .trim_end_matches(['/', '\\'])
            .rsplit(['/', '\\'])
            .next();
        name.filter(|name| !name.is_empty()).unwrap_or(directory)
    }
}

/// The tool call behind an ask.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallRef {
    /// The message that holds the call.
    pub message: String,
    /// The call's id.
    pub call: String,
}

/// The surface on which a human answered, or Beckon's own clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Surface {
    /// A button of a desktop notification.
    Notification,
    /// The tray menu.
    Tray,
    /// The answer window.
    Window,
    /// The command line.
    Cli,
    /// Another program, by the local API.
    Api,
    /// Telegram.
    Telegram,
    /// The clock: `questions.expire_after` ran out, and nobody answered.
    Clock,
}

/// The life of an ask.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AskState {
    /// The ask has no answer.
    Open,
    /// An answer is taken and on its way.
    Answering {
        /// The answer, of which there is only this one.
        answer: Answer,
        /// The surface where it was given.
        by: Surface,
        /// The time when it was given.
        at: Timestamp,
        /// The number of tries to deliver it, counted before each try.
        attempts: u32,
        /// The time when the last try began.
        tried_at: Option<Timestamp>,
        /// The time when the source last said 200; not a proof.
        sent_at: Option<Timestamp>,
        /// Whether a try was written to its source and nothing came back, so that the source may
        /// have taken it.
        #[serde(default, skip_serializing_if = "core::ops::Not::not")]
        unanswered: bool,
    },
    /// The ask is over.
    Settled {
        /// The ask's end.
        outcome: Outcome,
        /// The time when it ended.
        at: Timestamp,
    },
}

/// The end of an ask.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The ask was answered here, and the source took the answer.
    Answered {
        /// The answer.
        answer: Answer,
        /// The surface where it was given.
        by: Surface,
    },
    /// The ask was answered at the source itself, or by another client of it.
    Elsewhere {
        /// The answer as the source told it, one list per question.
        answers: Option<Vec<Vec<String>>>,
    },
    /// The ask was dismissed at the source itself.
    DismissedElsewhere,
    /// The time `questions.expire_after` ran out, and the ask was rejected at the source.
    Expired,
    /// The agent has stopped waiting, or has forgotten the ask.
    Gone,
}

impl Outcome {
    /// Whether an answer of ours ended it.
    pub fn is_ours(&self) -> bool {
        matches!(self, Self::Answered { .. })
    }

    /// Whether a human decided it, here or elsewhere.
    pub fn is_decided(&self) -> bool {
        match self {
            Self::Answered { .. } | Self::Elsewhere { .. } | Self::DismissedElsewhere => true,
            Self::Expired | Self::Gone => false,
        }
    }

    /// Returns the person whose decision it was: of our answer the giver.
    pub(crate) fn responder(
        &self,
        ours: Option<Responder>,
        elsewhere: Option<Responder>,
    ) -> Option<Responder> {
        match self {
            Self::Answered { .. } => ours,
            Self::Elsewhere { .. } | Self::DismissedElsewhere => elsewhere,
            Self::Expired | Self::Gone => None,
        }
    }
}

impl AskState {
    /// Whether it has ended.
    pub fn is_settled(&self) -> bool {
        matches!(self, Self::Settled { .. })
    }
}
