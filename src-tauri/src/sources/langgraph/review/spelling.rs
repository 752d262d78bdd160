//! The spellings in which a review is asked for, and answered: that of LangChain in Python, that of LangChain.js,
//! and the older one of the Agent Inbox, `HumanInterrupt`.
//!
//! - <https://docs.langchain.com/oss/python/langchain/human-in-the-loop>
//! - <https://docs.langchain.com/oss/javascript/langchain/human-in-the-loop>
//! - <https://github.com/langchain-ai/agent-inbox>, "What do the fields mean?"

use super::{CallReview, ReviewDecision};
use crate::sources::interrupts::wire::items;
use serde_json::{Value, json};

/// In whose words a review is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spelling {
    /// `action_requests`
    Python,
    /// `actionRequests`
    JavaScript,
    /// `action_request` with a `config`
    Inbox,
}

impl Spelling {
    /// The word for a decision.
    pub(super) fn word(self, decision: ReviewDecision) -> &'static str {
        match (self, decision) {
            (Self::Inbox, ReviewDecision::Approve) => "accept",
            (Self::Inbox, ReviewDecision::Reject) => "ignore",
            (Self::Inbox, ReviewDecision::Respond) => "response",
            (_, ReviewDecision::Approve) => "approve",
            (_, ReviewDecision::Edit) => "edit",
            (_, ReviewDecision::Reject) => "reject",
            (_, ReviewDecision::Respond) => "respond",
        }
    }

    /// Whether own words can be that decision.
    pub(super) fn takes_words(self, decision: ReviewDecision) -> bool {
        match decision {
            ReviewDecision::Approve => false,
            ReviewDecision::Reject => self != Self::Inbox,
            ReviewDecision::Edit | ReviewDecision::Respond => true,
        }
    }

    /// The field of a call that has its name.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Python | Self::JavaScript => "name",
            Self::Inbox => "action",
        }
    }

    /// A yes. The inbox gives the call back with it.
    pub(super) fn approval(self, request: &Value) -> Value {
        match self {
            Self::Python | Self::JavaScript => json!({ "type": "approve" }),
            Self::Inbox => json!({ "type": "accept", "args": request }),
        }
    }

    /// A no.
    pub(super) fn rejection(self, reason: Option<&str>) -> Value {
        match (self, reason) {
            (Self::Inbox, _) => json!({ "type": "ignore", "args": null }),
            (_, Some(reason)) => json!({ "type": "reject", "message": reason }),
            (_, None) => json!({ "type": "reject" }),
        }
    }

    /// Words in place of a result.
    pub(super) fn response(self, text: &str) -> Value {
        match self {
            Self::Python | Self::JavaScript => json!({ "type": "respond", "message": text }),
            Self::Inbox => json!({ "type": "response", "args": text }),
        }
    }

    /// A yes with other arguments.
    pub(super) fn edited(self, name: &str, arguments: Value) -> Value {
        let call = json!({ self.name(): name, "args": arguments });
        match self {
            Self::Python => json!({ "type": "edit", "edited_action": call }),
            Self::JavaScript => json!({ "type": "edit", "editedAction": call }),
            Self::Inbox => json!({ "type": "edit", "args": call }),
        }
    }

    /// The decisions about all calls.
    pub(super) fn all(self, decisions: Vec<Value>) -> Value {
        match self {
            Self::Python | Self::JavaScript => json!({ "decisions": decisions }),
            Self::Inbox => Value::Array(decisions),
        }
    }
}

/// The calls under review; none where a value asks for no review.
pub(super) fn reviews(value: &Value) -> Vec<CallReview<'_>> {
    let named = [
        (Spelling::Python, "action_requests"),
        (Spelling::JavaScript, "actionRequests"),
    ];
    for (spelling, field) in named {
        if let Some(requests) = value[field].as_array().filter(|all| !all.is_empty()) {
            let configs = configs(value);
            let review = |request| of_middleware(spelling, request, &configs);
            return requests.iter().map(review).collect();
        }
    }

    let interrupts = value
        .as_array()
        .map_or(std::slice::from_ref(value), Vec::as_slice);
    let reviews: Option<Vec<_>> = interrupts.iter().map(of_inbox).collect();
    reviews.unwrap_or_default()
}

fn configs(value: &Value) -> Vec<Value> {
    let configs = ["review_configs", "reviewConfigs"].into_iter();
    configs.flat_map(|field| items(value, field)).collect()
}

fn of_middleware<'a>(spelling: Spelling, request: &'a Value, configs: &[Value]) -> CallReview<'a> {
    let field = |config: &Value, names: [&str; 2]| {
        let named = names.into_iter().find_map(|name| config.get(name));
        named.cloned().unwrap_or_default()
    };
    let is_named =
        |config: &&Value| field(config, ["action_name", "actionName"]) == request["name"];
    let words = configs
        .iter()
        .find(is_named)
        .map(|config| field(config, ["allowed_decisions", "allowedDecisions"]));
    let words = words.as_ref().and_then(Value::as_array);
    let words: Vec<String> = words
        .into_iter()
        .flatten()
        .filter_map(|word| Some(word.as_str()?.trim().to_lowercase()))
        .collect();
    let mut allowed = among(|decision| {
        let is_it = |word: &String| {
            word == spelling.word(decision) || word == Spelling::Inbox.word(decision)
        };
        words.iter().any(is_it)
    });
    // Where none can be read, as the middleware's plainest setting: a card that nobody can answer holds the
    // graph for ever.
    if allowed.is_empty() {
        allowed = PLAIN.into();
    }

    CallReview {
        spelling,
        request,
        description: request["description"].as_str(),
        allowed,
    }
}

/// What is allowed where nothing is said of it.
const PLAIN: [ReviewDecision; 2] = [ReviewDecision::Approve, ReviewDecision::Reject];

/// A `HumanInterrupt`. Some versions of LangChain.js write its fields in camel case.
fn of_inbox(interrupt: &Value) -> Option<CallReview<'_>> {
    let field = |names: [&str; 2]| names.into_iter().find_map(|name| interrupt.get(name));
    let request = field(["action_request", "actionRequest"]).filter(|call| call.is_object())?;
    let config = interrupt.get("config").unwrap_or(&Value::Null);
    let is_true = |value: &Value| *value == true || value.as_str() == Some("true");
    let is_allowed = |names: [&str; 2]| names.iter().any(|name| is_true(&config[*name]));
    let mut allowed = among(|decision| {
        is_allowed(match decision {
            ReviewDecision::Approve => ["allow_accept", "allowAccept"],
            ReviewDecision::Edit => ["allow_edit", "allowEdit"],
            ReviewDecision::Reject => ["allow_ignore", "allowIgnore"],
            ReviewDecision::Respond => ["allow_respond", "allowRespond"],
        })
    });
    if allowed.is_empty() {
        allowed = PLAIN.into();
    }

    Some(CallReview {
        spelling: Spelling::Inbox,
        request,
        description: interrupt["description"].as_str(),
        allowed,
    })
}

fn among(is_allowed: impl Fn(ReviewDecision) -> bool) -> Vec<ReviewDecision> {
    let all = ReviewDecision::ALL.into_iter();
    all.filter(|decision| is_allowed(*decision)).collect()
}
