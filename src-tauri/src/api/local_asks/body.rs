//! The bodies of `POST /question` and `POST /permission`, by which somebody asks through Beckon
//! itself, and the check of what can be asked.

use crate::api::error::AskRefusal;
use crate::platform::processes;
use crate::sources::local_asks::messages::NewAsk;
use crate::sources::opencode::wire::QuestionInfo;
use beckon_client::config::parse_span;
use beckon_client::wire::NamedArgument;
use beckon_core::cut::{QuestionSurplus, cut_change, cut_text};
use beckon_core::visible::is_blank;
use beckon_core::{
    AlwaysUntil, AnswerLimits, Argument, AskContent, AskerProcess, CallInput, NumberBound,
    Permission, Question, RejectionReach, Span, TextFormat, UnknownAsk, UnknownShape,
};
use rand::Rng;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The longest id of an ask; nobody needs a longer one.
const LONGEST_ID: usize = 64;
/// The most characters that are shown of something unreadable.
const LONGEST_UNREADABLE: usize = 2_000;

/// The body of `POST /question`
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(extend("required" = ["questions"])))]
#[serde(default)]
pub(crate) struct QuestionBody {
    /// The questions, as OpenCode's.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub questions: Vec<QuestionInfo>,
    /// The demands on the answers, in the order of the questions; there may be fewer.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub limits: Vec<LimitsBody>,
    /// The asker.
    #[serde(flatten)]
    pub asker: AskerBody,
}

/// The demands on one answer. An answer that does not meet them is refused, and the question stays
/// open. A bound with more digits than a double keeps is written as a text.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default)]
pub(crate) struct LimitsBody {
    /// The form of own text: `text`, `email`, `uri`, `date`, `date_time`, `number`, `integer`.
    #[cfg_attr(test, schemars(with = "String"))]
    pub format: TextFormat,
    /// The lower bound. For a number it limits the value, for a question with several answers how
    /// many there are, else the length of own text in characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Option<f64>"))]
    pub least: Option<NumberBound>,
    /// The upper bound, with the same meaning as `least`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Option<f64>"))]
    pub most: Option<NumberBound>,
    /// A bound that a number must exceed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Option<f64>"))]
    pub above: Option<NumberBound>,
    /// A bound that a number must stay below.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Option<f64>"))]
    pub below: Option<NumberBound>,
    /// A number of which every answer is a multiple.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Option<f64>"))]
    pub step: Option<NumberBound>,
    /// Whether a number goes on as a double, as in JavaScript. One that would be changed on that way is
    /// refused.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub as_double: bool,
    /// The pattern that own text has to match somewhere, as JavaScript writes patterns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// The choice, from 0, that means "no answer".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub none: Option<usize>,
}

impl From<LimitsBody> for AnswerLimits {
    fn from(limits: LimitsBody) -> Self {
        Self {
            format: limits.format,
            least: limits.least,
            most: limits.most,
            above: limits.above,
            below: limits.below,
            step: limits.step,
            as_double: limits.as_double,
            pattern: limits.pattern,
            none: limits.none,
        }
    }
}

/// The body of `POST /permission`
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(extend("required" = ["permission"])))]
#[serde(default)]
pub(crate) struct PermissionBody {
    /// The action in a word: `bash`, `edit`, `webfetch`, or the name of a tool.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub permission: String,
    /// The objects of the action: files, addresses.
    pub patterns: Vec<String>,
    /// The rules that "always" would allow; without any there is no "always".
    pub always: Vec<String>,
    /// The duration of "always", if the asker knows.
    pub always_until: AlwaysUntil,
    /// The exact command, for a shell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// The exact change, for a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diff: Option<String>,
    /// The call's other arguments, each with its name. Nothing but these fields is shown.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<NamedArgument>,
    /// Whether there may be more, so that a first press must not allow it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_partial: bool,
    /// The asker.
    #[serde(flatten)]
    pub asker: AskerBody,
}

/// The asker, and the time limit of the ask.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default)]
pub(crate) struct AskerBody {
    /// The asker's own id for the ask. A second request with the same id means the same ask, so an
    /// asker whose connection broke simply repeats its request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The asker's name for its work.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The asker's name for itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The directory in which the asker works.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub directory: Option<String>,
    /// The folder of the project that it works on, if its directory may be elsewhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub project_root: Option<String>,
    /// The process that the human would look for, on this machine: `beckon open` leads to its
    /// terminal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pid: Option<u32>,
    /// The time after which an unanswered ask ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout: Option<TimeLimit>,
    /// Whether the asker fetches the answer when it likes. Without `wait` that is always so. With
    /// `wait` and without a ticket, the ask ends when its asker has been without a connection for
    /// too long.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub ticket: bool,
    /// Whether the asker passes the answer on and says what became of it, by
    /// `POST /question/{id}/receipt`. That it has read the answer then proves nothing.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub receipts: bool,
}

/// A time limit: seconds, or `30s`, `5m`, `1h`.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub(crate) enum TimeLimit {
    /// Seconds.
    Seconds(f64),
    /// A number with its unit.
    Text(String),
}

impl QuestionBody {
    /// Checks the body, and makes an ask of it, with an id.
    pub(in crate::api) fn into_new(self, waits: bool) -> Result<NewAsk, AskRefusal> {
        if self.questions.is_empty() {
            return Err(AskRefusal::NoQuestions);
        }
        let mut questions: Vec<Question> = self.questions.into_iter().map(Question::from).collect();
        for (question, limits) in questions.iter_mut().zip(self.limits) {
            let limits = AnswerLimits::from(limits);
            question.limits = Some(limits).filter(|limits| *limits != AnswerLimits::default());
        }
        if let Some(number) = questions.iter().position(|q| !answerable(q)) {
            return Err(AskRefusal::Question(number + 1));
        }
        if let Some(surplus) = QuestionSurplus::of(&questions) {
            return Err(AskRefusal::Surplus(surplus));
        }
        self.asker.into_new(AskContent::Questions(questions), waits)
    }
}

impl QuestionBody {
    /// Returns the same with its long texts cut, as they would be kept. Labels stay whole: they may be
    /// what goes back.
    pub(crate) fn cut(mut self) -> Self {
        for question in &mut self.questions {
            cut_text(&mut question.question);
            cut_text(&mut question.header);
            question
                .options
                .iter_mut()
                .for_each(|option| cut_text(&mut option.description));
        }
        self.asker = self.asker.cut();
        self
    }
}

impl PermissionBody {
    /// Returns the same with its long texts cut, as they would be kept: a change of many megabytes is
    /// more than the API takes, and more than anybody reads. Each text says itself what is missing,
    /// and none that was cut is allowed by one press.
    pub(crate) fn cut(mut self) -> Self {
        self.patterns = within(self.patterns);
        self.always = within(self.always);
        self.command.iter_mut().for_each(cut_text);
        self.diff.iter_mut().for_each(cut_change);
        let input = call_input(self.arguments, self.is_partial);
        self.is_partial = input.is_partial;
        self.arguments = input.arguments.into_iter().map(Into::into).collect();
        self.asker = self.asker.cut();
        self
    }
}

/// Returns the arguments of a call as they are kept. If they are more than there is room for, the
/// call counts as one that is not told whole.
fn call_input(arguments: Vec<NamedArgument>, is_partial: bool) -> CallInput {
    let arguments = arguments.into_iter().map(Argument::from).collect();
    let mut input = CallInput::told(arguments);
    input.is_partial |= is_partial;
    input
}

/// Returns the texts, cut. Beyond a number of bytes the rest of them becomes one text, which is cut
/// again.
fn within(texts: Vec<String>) -> Vec<String> {
    const MOST: usize = 256 * 1024;
    let mut room = MOST;
    let mut kept = Vec::new();
    let mut rest = String::new();

    for mut text in texts {
        cut_text(&mut text);
        if text.len() <= room && rest.is_empty() {
            room -= text.len();
            kept.push(text);
        } else {
            rest.push_str(&text);
            rest.push('\n');
        }
    }
    if !rest.is_empty() {
        cut_text(&mut rest);
        kept.push(rest);
    }
    kept
}

impl AskerBody {
    fn cut(mut self) -> Self {
        self.title.iter_mut().for_each(cut_text);
        self.agent.iter_mut().for_each(cut_text);
        self.directory.iter_mut().for_each(cut_text);
        self
    }
}

impl PermissionBody {
    /// Checks the body, and makes an ask of it, with an id.
    pub(in crate::api) fn into_new(self, waits: bool) -> Result<NewAsk, AskRefusal> {
        let Self {
            permission,
            patterns,
            always,
            always_until,
            command,
            diff,
            arguments,
            is_partial,
            asker,
        } = self;
        if is_blank(&permission) {
            return Err(AskRefusal::NoPermission);
        }
        let wish = Permission {
            permission,
            patterns,
            always,
            command,
            diff,
            input: call_input(arguments, is_partial),
            rejects: RejectionReach::Itself,
            always_until,
            ..Permission::default()
        };
        asker.into_new(AskContent::Permission(wish), waits)
    }
}

/// The body of `POST /unreadable`
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(extend("required" = ["reason"])))]
#[serde(default)]
pub(crate) struct UnreadableBody {
    /// The reason why it could not be read or asked. It goes into the log, so it must quote
    /// nothing.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub reason: String,
    /// The kind of ask, if it is known that something is asked. Without it nothing is shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked: Option<UnknownShape>,
    /// The part of it that can be shown.
    pub raw: String,
    /// The asker.
    #[serde(flatten)]
    pub asker: AskerBody,
}

impl UnreadableBody {
    /// Returns the ask that is shown in its place; `None` if nothing was asked.
    pub(in crate::api) fn into_new(self, waits: bool) -> Option<Result<NewAsk, AskRefusal>> {
        let raw = self.raw.chars().take(LONGEST_UNREADABLE).collect();
        let asked = self.asked?;
        let kind = AskContent::Unknown(UnknownAsk { asked, raw });
        Some(self.asker.into_new(kind, waits))
    }
}

impl AskerBody {
    fn into_new(self, kind: AskContent, waits: bool) -> Result<NewAsk, AskRefusal> {
        let is_named = self.id.is_some();
        let own = self.id.unwrap_or_else(new_id);
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        if own.is_empty() || own.len() > LONGEST_ID || !own.chars().all(plain) {
            return Err(AskRefusal::Id(LONGEST_ID));
        }
        // A card names the place that asks; without a directory there is no better name than the
        // title.
        let named = self.directory.or_else(|| self.title.clone());
        Ok(NewAsk {
            own,
            is_named,
            attended: waits && !self.ticket,
            receipts: self.receipts,
            kind,
            title: self.title,
            agent: self.agent,
            directory: named.unwrap_or_else(|| "beckon ask".into()),
            project_root: self.project_root,
            process: self.pid.and_then(process),
            timeout: self.timeout.map(TimeLimit::span).transpose()?,
        })
    }
}

/// Returns the process; `None` if there is none of that number here.
fn process(pid: u32) -> Option<AskerProcess> {
    processes::born(pid).map(|born| AskerProcess { pid, born })
}

fn answerable(question: &Question) -> bool {
    !is_blank(&question.question) && (question.custom || !question.choices.is_empty())
}

impl TimeLimit {
    fn span(self) -> Result<Span, AskRefusal> {
        let span = match &self {
            Self::Seconds(seconds) => milliseconds(*seconds).map(Span::millis),
            Self::Text(text) => parse_span(text),
        };
        span.ok_or(AskRefusal::Timeout)
    }
}

fn milliseconds(seconds: f64) -> Option<i64> {
    let duration = Duration::try_from_secs_f64(seconds)
        .ok()
        .filter(|d| !d.is_zero())?;
    // Ten years are as good as for ever, and no sum overflows.
    let most = Duration::from_secs(10 * 366 * 86_400);
    i64::try_from(duration.min(most).as_millis().max(1)).ok()
}

/// Returns an id that no other ask has.
pub(crate) fn new_id() -> String {
    format!("ask_{:024x}", rand::rng().random::<u128>() >> 32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn question(choices: usize, label: usize) -> Value {
        let choice = |number: usize| {
            let label = format!("{number:0>label$}");
            json!({"label": label, "description": ""})
        };
        let options: Vec<Value> = (0..choices).map(choice).collect();
        json!({"question": "Which?", "header": "Which", "options": options})
    }

    fn refusal(questions: Vec<Value>) -> Option<AskRefusal> {
        let body: QuestionBody = serde_json::from_value(json!({"questions": questions})).unwrap();
        body.into_new(true).err()
    }

    #[test]
    fn more_than_is_shown_or_kept_is_refused_and_named() {
        use QuestionSurplus as Surplus;
        let small = || question(2, 10);
        for (questions, expected) in [
            (vec![small()], None),
            (vec![question(2_000, 1); 2], None),
            (vec![small(); 200], None),
            (vec![small(); 201], Some(Surplus::Questions)),
            (vec![small(), question(2_001, 1)], Some(Surplus::Choices(2))),
            (vec![question(1_400, 1); 3], Some(Surplus::AllChoices)),
            (vec![small(), question(2, 8 * 1024)], None),
            (
                vec![small(), question(2, 8 * 1024 + 1)],
                Some(Surplus::Label(2)),
            ),
            (vec![question(40, 8 * 1024)], Some(Surplus::AllLabels)),
        ] {
            let asked = format!("{} questions", questions.len());
            assert_eq!(
                refusal(questions),
                expected.map(AskRefusal::Surplus),
                "{asked}"
            );
        }
    }
}
