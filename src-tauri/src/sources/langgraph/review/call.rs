//! One call under review: what a person is shown of it, and what goes back for their decision.

use super::allowed::AllowedDecision;
use super::spelling::Spelling;
use super::{ReviewDecision, begins_as_json, commands, is_go_on};
use beckon_client::json::{exact, fields};
use beckon_core::visible::is_blank;
use beckon_core::{Choice, Question, QuestionConsent, Reply};
use serde_json::{Map, Value};

/// The fields in which services name what is called.
pub(super) const NAMES: [&str; 5] = ["name", "action", "tool", "tool_name", "toolName"];
/// The fields in which services give the arguments of a call.
const ARGUMENTS: [&str; 2] = ["args", "arguments"];

/// A call, and the decisions that may be made about it.
pub(super) struct CallReview {
    pub(super) spelling: Spelling,
    /// The call as it came: an object that says something.
    request: Value,
    /// The graph's words about the call, and the fields around it.
    pub(super) notes: Vec<String>,
    pub(super) allowed: Vec<AllowedDecision>,
}

impl CallReview {
    /// Reads a call, still without the decisions that may be made about it. Returns `None` for an
    /// item that says nothing.
    pub(super) fn read(spelling: Spelling, request: &Value) -> Option<Self> {
        let says_something = request.as_object().is_some_and(|fields| !fields.is_empty());
        says_something.then(|| Self {
            spelling,
            request: request.clone(),
            notes: Vec::new(),
            allowed: Vec::new(),
        })
    }

    /// Adds words about the call.
    pub(super) fn note(&mut self, said: Option<&Value>) {
        let text = match said {
            None | Some(Value::Null) => return,
            Some(Value::String(text)) => exact::plain(text),
            Some(other) => exact::written(other),
        };
        self.notes.push(text);
    }

    /// Returns the name of what is called, if the call gives one.
    pub(super) fn name(&self) -> Option<String> {
        let name = fields::text(&self.request, self.name_field()?)?;
        Some(exact::plain(&name))
    }

    fn name_field(&self) -> Option<&'static str> {
        let own = self.spelling.name();
        let mut names = [own].into_iter().chain(NAMES);
        names.find(|field| {
            let name = fields::text(&self.request, field);
            name.is_some_and(|name| !is_blank(&name))
        })
    }

    fn arguments_field(&self) -> Option<&'static str> {
        let has = |field: &&str| self.request.get(*field).is_some();
        ARGUMENTS.into_iter().find(has)
    }

    /// Returns the arguments, also where they are JSON in a text.
    pub(super) fn arguments(&self) -> Value {
        let given = self
            .arguments_field()
            .map_or(&Value::Null, |field| &self.request[field]);
        let read = given.as_str().and_then(exact::read);
        read.filter(Value::is_object)
            .unwrap_or_else(|| given.clone())
    }

    /// Returns the title of the call's card.
    pub(super) fn title(&self) -> String {
        self.name().unwrap_or_else(|| "tool".to_owned())
    }

    /// Returns all that will run, since a description need not tell it.
    pub(super) fn call(&self) -> String {
        let mut lines = self.notes.clone();
        lines.push(self.line());
        lines.extend(self.other_fields());
        lines.join("\n")
    }

    fn line(&self) -> String {
        let given = self
            .arguments_field()
            .map(|field| exact::written(&self.request[field]));
        match (self.name(), given) {
            (Some(name), Some(given)) => format!("{name} {given}"),
            (Some(name), None) => name,
            (None, Some(given)) => given,
            (None, None) => String::new(),
        }
    }

    fn other_fields(&self) -> Option<String> {
        let shown = [self.name_field(), self.arguments_field()];
        let is_other = |key: &str| key != "description" && !shown.contains(&Some(key));
        let others: Map<String, Value> = self
            .request
            .as_object()?
            .iter()
            .filter(|(key, value)| is_other(key) && !value.is_null())
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect();
        (!others.is_empty()).then(|| exact::written(&Value::Object(others)))
    }

    /// Makes the question about the call. Approving and rejecting are its choices. A text of the
    /// human's own is new arguments where it is a JSON object. Otherwise it is what the agent reads
    /// in place of the result, or the reason for a no.
    pub(super) fn question(&self) -> Question {
        let plain = [ReviewDecision::Approve, ReviewDecision::Reject];
        let choice = |word: &str| Choice {
            label: word.to_owned(),
            value: Some(word.to_owned()),
            ..Choice::default()
        };
        let takes_words = |allowed: &AllowedDecision| self.spelling.takes_words(allowed.decision);
        let choices = plain
            .iter()
            .filter_map(|decision| self.word(*decision))
            .map(choice)
            .collect();
        // Rejecting stands last.
        let approval = self.word(ReviewDecision::Approve);
        let rejection = self.word(ReviewDecision::Reject);
        let refusals = rejection.map(|_| usize::from(approval.is_some()));
        Question {
            header: self.title(),
            question: format!("{}\n({})", self.call(), self.words(" / ")),
            custom: self.allowed.iter().any(takes_words),
            choices,
            consent: approval.map(|_| QuestionConsent {
                commands: commands(&self.arguments()),
                refusals: refusals.into_iter().collect(),
            }),
            ..Question::default()
        }
    }

    /// Returns the decision of one reply, in the graph's form.
    pub(super) fn decide(&self, reply: &Reply) -> Result<Value, String> {
        let choices = self.question().choices;
        let chosen = reply.choices.first().and_then(|&index| choices.get(index));
        let yes = self.word(ReviewDecision::Approve);
        match (chosen, &reply.text) {
            (Some(choice), _) if Some(choice.delivered()) == yes => self.approve(),
            (Some(_), _) => self.reject(None),
            (None, Some(text)) => self.in_words(text),
            (None, None) => Err(self.refused("no decision")),
        }
    }

    fn in_words(&self, text: &str) -> Result<Value, String> {
        let arguments = exact::read(text).filter(Value::is_object);
        let edit = self.word(ReviewDecision::Edit);
        let respond = self.word(ReviewDecision::Respond);
        match (arguments, edit, respond) {
            (Some(arguments), Some(word), _) => {
                Ok(self.spelling.edited(word, self.edited_call(arguments)))
            }
            // Broken JSON is a slip of the pen: it is neither an answer nor a reason for a no.
            (None, Some(_), _) if begins_as_json(text) => Err(format!(
                "{}: the arguments are no JSON object",
                self.title()
            )),
            (_, _, Some(word)) => Ok(self.spelling.response(word, text)),
            _ if is_go_on(text) => self.approve(),
            _ => self.reject(Some(text)),
        }
    }

    /// Returns the call with other arguments, in the fields and the form in which it came.
    fn edited_call(&self, arguments: Value) -> Value {
        let name_field = self.name_field().unwrap_or(self.spelling.name());
        let field = self.arguments_field().unwrap_or("args");
        let came_as_text = self.request[field].is_string();
        let arguments = if came_as_text {
            Value::String(exact::written(&arguments))
        } else {
            arguments
        };

        let mut call = Map::new();
        call.insert(name_field.to_owned(), self.request[name_field].clone());
        call.insert(field.to_owned(), arguments);
        Value::Object(call)
    }

    /// Returns a yes.
    pub(super) fn approve(&self) -> Result<Value, String> {
        let yes = ReviewDecision::Approve;
        match self.word(yes) {
            Some(word) => Ok(self.spelling.approval(word, &self.request)),
            None => Err(self.refused(self.spelling.word(yes))),
        }
    }

    /// Returns a no. Where a no has no room for a reason, the reason is sent as the response.
    pub(super) fn reject(&self, reason: Option<&str>) -> Result<Value, String> {
        let no = ReviewDecision::Reject;
        let has_room = reason.is_none() || self.spelling.takes_words(no);
        let decision = if has_room {
            no
        } else {
            ReviewDecision::Respond
        };
        match (self.word(decision), reason) {
            (Some(word), Some(reason)) if !has_room => Ok(self.spelling.response(word, reason)),
            (Some(word), _) => Ok(self.spelling.rejection(word, reason)),
            (None, _) => Err(self.refused(self.spelling.word(decision))),
        }
    }

    /// Tells whether a plain yes or no, perhaps with a reason, is all that can be decided.
    pub(super) fn is_plain(&self) -> bool {
        let plain = [ReviewDecision::Approve, ReviewDecision::Reject];
        let has_reasons = self.spelling == Spelling::Inbox;
        let is_of_reason = |allowed: &AllowedDecision| {
            plain.contains(&allowed.decision)
                || has_reasons && allowed.decision == ReviewDecision::Respond
        };
        plain.iter().all(|decision| self.word(*decision).is_some())
            && self.allowed.iter().all(is_of_reason)
    }

    /// Returns the graph's word for a decision that it allows.
    fn word(&self, decision: ReviewDecision) -> Option<&str> {
        let mut allowed = self.allowed.iter();
        allowed
            .find(|allowed| allowed.decision == decision)
            .map(|allowed| allowed.word.as_str())
    }

    /// Returns the reason for which a decision is refused, in the graph's own words.
    fn refused(&self, what: &str) -> String {
        let name = self.title();
        let allowed = self.words(", ");
        format!("{name}: {what} is not among what is allowed ({allowed})")
    }

    fn words(&self, between: &str) -> String {
        let words = self.allowed.iter();
        let words: Vec<&str> = words.map(|allowed| allowed.word.as_str()).collect();
        words.join(between)
    }
}
