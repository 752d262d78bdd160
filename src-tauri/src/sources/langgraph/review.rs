//! Tool calls under review, as LangChain's human-in-the-loop middleware asks for leave: one decision
//! for each, and none that its graph does not allow.

use crate::sources::interrupts::wire::items;
use beckon_core::{Answer, AskContent, Choice, Grant, Permission, Question, Reply};
use serde_json::{Value, json};

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

    /// In the graph's words.
    fn word(self) -> &'static str {
        match self {
            Self::Approve => "approve",
            Self::Edit => "edit",
            Self::Reject => "reject",
            Self::Respond => "respond",
        }
    }
}

/// One call, and what may be decided about it.
struct CallReview<'a> {
    request: &'a Value,
    allowed: Vec<ReviewDecision>,
}

impl CallReview<'_> {
    fn allows(&self, decision: ReviewDecision) -> bool {
        self.allowed.contains(&decision)
    }

    fn name(&self) -> &str {
        self.request["name"].as_str().unwrap_or("tool")
    }

    fn call(&self) -> String {
        let arguments = self
            .request
            .get("args")
            .or_else(|| self.request.get("arguments"));
        let call = format!("{} {}", self.name(), arguments.unwrap_or(&Value::Null));
        match self.request["description"].as_str() {
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
            label: decision.word().to_owned(),
            value: Some(decision.word().to_owned()),
            ..Choice::default()
        };
        let words: Vec<&str> = self
            .allowed
            .iter()
            .map(|decision| decision.word())
            .collect();
        Question {
            header: self.name().to_owned(),
            question: format!("{}\n({})", self.call(), words.join(" / ")),
            custom: self
                .allowed
                .iter()
                .any(|decision| *decision != ReviewDecision::Approve),
            choices: plain.map(choice).collect(),
            ..Question::default()
        }
    }

    fn decide(&self, reply: &Reply) -> Result<Value, String> {
        let question = self.question();
        let chosen = reply
            .choices
            .first()
            .and_then(|&index| question.choices.get(index));
        match (chosen, &reply.text) {
            (Some(choice), _) => Ok(json!({ "type": choice.delivered() })),
            (None, Some(text)) => self.in_words(text),
            (None, None) => Err(self.refused("no decision")),
        }
    }

    fn in_words(&self, text: &str) -> Result<Value, String> {
        let arguments = serde_json::from_str::<Value>(text)
            .ok()
            .filter(Value::is_object);
        match arguments {
            Some(args) if self.allows(ReviewDecision::Edit) => {
                let edited = json!({ "name": self.name(), "args": args });
                Ok(json!({ "type": "edit", "edited_action": edited }))
            }
            _ if self.allows(ReviewDecision::Respond) => {
                Ok(json!({ "type": "respond", "message": text }))
            }
            _ => self.reject(Some(text)),
        }
    }

    fn approve(&self) -> Result<Value, String> {
        let yes = json!({ "type": "approve" });
        if self.allows(ReviewDecision::Approve) {
            Ok(yes)
        } else {
            Err(self.refused("approve"))
        }
    }

    fn reject(&self, reason: Option<&str>) -> Result<Value, String> {
        if !self.allows(ReviewDecision::Reject) {
            return Err(self.refused("reject"));
        }
        Ok(match reason {
            Some(reason) => json!({ "type": "reject", "message": reason }),
            None => json!({ "type": "reject" }),
        })
    }

    /// In the graph's own terms.
    fn refused(&self, what: &str) -> String {
        let allowed: Vec<&str> = self
            .allowed
            .iter()
            .map(|decision| decision.word())
            .collect();
        format!(
            "{}: {what} is not among allowed_decisions ({})",
            self.name(),
            allowed.join(", ")
        )
    }
}

/// The ask behind a review, if the value is one: a permission where there is one call and a plain yes
/// or no to it, else a question for each call.
pub(super) fn of(value: &Value) -> Option<AskContent> {
    let requests = items(value, "action_requests");
    let reviews = reviews(value, &requests);
    match reviews.as_slice() {
        [] => None,
        [one] if one.allowed == [ReviewDecision::Approve, ReviewDecision::Reject] => {
            let (permission, patterns) = (one.name().to_owned(), vec![one.call()]);
            Some(AskContent::Permission(Permission {
                permission,
                patterns,
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
    let requests = items(value, "action_requests");
    let reviews = reviews(value, &requests);
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
    Some(all.map(|decisions| json!({ "decisions": decisions })))
}

fn reviews<'a>(value: &Value, requests: &'a [Value]) -> Vec<CallReview<'a>> {
    let configs = items(value, "review_configs");
    let review = |request: &'a Value| {
        let named = |config: &&Value| config["action_name"] == request["name"];
        let words = configs
            .iter()
            .find(named)
            .map(|config| items(config, "allowed_decisions"));
        let allowed = match words {
            Some(words) => allowed(&words),
            // As the middleware's plainest setting.
            None => vec![ReviewDecision::Approve, ReviewDecision::Reject],
        };
        CallReview { request, allowed }
    };
    requests.iter().map(review).collect()
}

fn allowed(words: &[Value]) -> Vec<ReviewDecision> {
    let is_in = |decision: &ReviewDecision| words.iter().any(|word| word == decision.word());
    ReviewDecision::ALL.into_iter().filter(is_in).collect()
}

#[cfg(test)]
mod tests;
