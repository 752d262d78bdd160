//! Tool calls under review, as LangChain's human-in-the-loop middleware and the Agent Inbox ask for leave: one
//! decision for each, and none that its graph does not allow.
//!
//! Not here: in which words they ask and are answered (`spelling`).

mod spelling;
#[cfg(test)]
mod tests;

use crate::sources::interrupts::wire::{ResumeChoice, meant};
use beckon_client::json::exact;
use beckon_core::{
    Answer, AskContent, Choice, Grant, Permission, Question, QuestionConsent, Reply,
};
use serde_json::Value;
use spelling::Spelling;

/// What may be decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ReviewDecision {
    Approve,
    Edit,
    Reject,
    Respond,
}

impl ReviewDecision {
    const ALL: [Self; 4] = [Self::Approve, Self::Edit, Self::Reject, Self::Respond];
}

/// One call, and what may be decided about it.
struct CallReview<'a> {
    spelling: Spelling,
    request: &'a Value,
    /// What the graph says about it.
    description: Option<&'a str>,
    allowed: Vec<ReviewDecision>,
}

impl CallReview<'_> {
    fn allows(&self, decision: ReviewDecision) -> bool {
        self.allowed.contains(&decision)
    }

    fn name(&self) -> &str {
        let name = &self.request[self.spelling.name()];
        name.as_str().unwrap_or("tool")
    }

    fn arguments(&self) -> &Value {
        let by_either_name = self
            .request
            .get("args")
            .or_else(|| self.request.get("arguments"));
        by_either_name.unwrap_or(&Value::Null)
    }

    fn call(&self) -> String {
        let arguments = exact::written(self.arguments());
        let call = format!("{} {arguments}", self.name());
        match self.description {
            // A description need not tell all that will run.
            Some(description) => format!("{description}\n{call}"),
            None => call,
        }
    }

    /// Approving and rejecting are choices. Own words are arguments where they are a JSON object,
    /// else what the agent reads in place of the result, or why not.
    fn question(&self) -> Question {
        let plain = [ReviewDecision::Approve, ReviewDecision::Reject]
            .into_iter()
            .filter(|d| self.allows(*d));
        let choice = |decision: ReviewDecision| Choice {
            label: self.spelling.word(decision).to_owned(),
            value: Some(self.spelling.word(decision).to_owned()),
            ..Choice::default()
        };
        Question {
            header: self.name().to_owned(),
            question: format!("{}\n({})", self.call(), self.words(" / ")),
            custom: self
                .allowed
                .iter()
                .any(|decision| self.spelling.takes_words(*decision)),
            choices: plain.map(choice).collect(),
            consent: self
                .allows(ReviewDecision::Approve)
                .then(|| QuestionConsent {
                    commands: commands(self.arguments()),
                }),
            ..Question::default()
        }
    }

    fn decide(&self, reply: &Reply) -> Result<Value, String> {
        let choices = self.question().choices;
        let chosen = reply.choices.first().and_then(|&index| choices.get(index));
        let is_yes =
            |choice: &Choice| choice.delivered() == self.spelling.word(ReviewDecision::Approve);
        match (chosen, &reply.text) {
            (Some(choice), _) if is_yes(choice) => self.approve(),
            (Some(_), _) => self.reject(None),
            (None, Some(text)) => self.in_words(text),
            (None, None) => Err(self.refused("no decision")),
        }
    }

    fn in_words(&self, text: &str) -> Result<Value, String> {
        let arguments = exact::read(text).filter(Value::is_object);
        match arguments {
            Some(args) if self.allows(ReviewDecision::Edit) => {
                Ok(self.spelling.edited(self.name(), args))
            }
            // A slip of the pen is no answer, and no reason for a no.
            _ if self.allows(ReviewDecision::Edit) && begins_as_json(text) => {
                Err(format!("{}: the arguments are no JSON object", self.name()))
            }
            _ if self.allows(ReviewDecision::Respond) => Ok(self.spelling.response(text)),
            _ if is_go_on(text) => self.approve(),
            _ => self.reject(Some(text)),
        }
    }

    fn approve(&self) -> Result<Value, String> {
        if self.allows(ReviewDecision::Approve) {
            Ok(self.spelling.approval(self.request))
        } else {
            Err(self.refused(self.spelling.word(ReviewDecision::Approve)))
        }
    }

    /// A no; where it has no room for a reason, the reason is the response.
    fn reject(&self, reason: Option<&str>) -> Result<Value, String> {
        let no = ReviewDecision::Reject;
        match reason {
            Some(reason) if !self.spelling.takes_words(no) => {
                if self.allows(ReviewDecision::Respond) {
                    Ok(self.spelling.response(reason))
                } else {
                    Err(self.refused(self.spelling.word(ReviewDecision::Respond)))
                }
            }
            _ if self.allows(no) => Ok(self.spelling.rejection(reason)),
            _ => Err(self.refused(self.spelling.word(no))),
        }
    }

    /// Whether a plain yes or no is all that there is to it, perhaps with a reason.
    fn is_plain(&self) -> bool {
        let plain = [ReviewDecision::Approve, ReviewDecision::Reject];
        let has_reasons = self.spelling == Spelling::Inbox;
        let rest = |decision: &&ReviewDecision| !plain.contains(decision);
        plain.iter().all(|decision| self.allows(*decision))
            && self
                .allowed
                .iter()
                .filter(rest)
                .all(|decision| has_reasons && *decision == ReviewDecision::Respond)
    }

    /// In the graph's own terms.
    fn refused(&self, what: &str) -> String {
        let (name, allowed) = (self.name(), self.words(", "));
        format!("{name}: {what} is not among what is allowed ({allowed})")
    }

    fn words(&self, between: &str) -> String {
        let words = self.allowed.iter();
        let words: Vec<&str> = words
            .map(|decision| self.spelling.word(*decision))
            .collect();
        words.join(between)
    }
}

/// Returns the command lines among a call's arguments, each with the words that are given beside it. No
/// tool is known here, so it goes by the names that tools give them.
fn commands(arguments: &Value) -> Vec<String> {
    const LINES: [&str; 7] = [
        "command",
        "cmd",
        "commands",
        "command_line",
        "script",
        "code",
        "bash",
    ];
    const WORDS: [&str; 3] = ["args", "arguments", "argv"];

    let given = |names: &[&str]| -> Vec<String> {
        let values = names.iter().filter_map(|name| arguments.get(name));
        values.flat_map(texts_of).collect()
    };
    let words = given(&WORDS).join(" ");
    let lines = given(&LINES).into_iter();
    lines
        .map(|line| format!("{line} {words}").trim().to_owned())
        .filter(|line| !line.is_empty())
        .collect()
}

/// A text, or the texts of a list.
fn texts_of(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => vec![text.clone()],
        Value::Array(all) => all
            .iter()
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect(),
        _ => Vec::new(),
    }
}

/// Whether words were meant for JSON. Phones write their own quotes.
fn begins_as_json(text: &str) -> bool {
    text.trim_start()
        .starts_with(['{', '[', '"', '\u{201c}', '\u{201d}', '\u{201e}'])
}

/// Whether words are a bare yes.
fn is_go_on(text: &str) -> bool {
    meant(&text.trim().to_lowercase()) == Some(ResumeChoice::GoOn)
}

/// The ask behind a review, if the value is one: a permission where there is one call and a plain yes
/// or no to it, else a question for each call.
pub(super) fn of(value: &Value) -> Option<AskContent> {
    let reviews = spelling::reviews(value);
    match reviews.as_slice() {
        [] => None,
        [one] if one.is_plain() => {
            let command = commands(one.arguments()).into_iter().next();
            Some(AskContent::Permission(Permission {
                permission: one.name().to_owned(),
                patterns: vec![one.call()],
                command,
                ..Permission::default()
            }))
        }
        several => Some(AskContent::Questions(
            several.iter().map(CallReview::question).collect(),
        )),
    }
}

/// What goes back for a review; `None` where the value is none.
pub(super) fn decisions(value: &Value, answer: &Answer) -> Option<Result<Value, String>> {
    let reviews = spelling::reviews(value);
    if reviews.is_empty() {
        return None;
    }
    let all: Result<Vec<Value>, String> = match answer {
        Answer::Replies(replies) if replies.len() == reviews.len() => reviews
            .iter()
            .zip(replies)
            .map(|(review, reply)| review.decide(reply))
            .collect(),
        Answer::Grant(Grant::Once) => reviews.iter().map(CallReview::approve).collect(),
        Answer::Grant(Grant::Reject { reason }) => reviews
            .iter()
            .map(|review| review.reject(reason.as_deref()))
            .collect(),
        Answer::Dismiss => reviews.iter().map(|review| review.reject(None)).collect(),
        _ => Err("no decision".to_owned()),
    };
    let spelling = reviews[0].spelling;
    Some(all.map(|decisions| spelling.all(decisions)))
}
