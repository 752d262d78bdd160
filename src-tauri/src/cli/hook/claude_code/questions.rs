//! Claude Code's `AskUserQuestion`: its questions as ours, and the answers in the form that the
//! tool takes them in. They go back in its input, beside the questions as they were: `answers` maps
//! a question's text to the chosen label, several labels joined by commas, as the terminal joins them.

use super::HookDecision;
use crate::api::{AskerBody, QuestionBody};
use crate::sources::opencode::wire::{OptionInfo, QuestionInfo};
use beckon_client::json::fields::{flag, list, text};
use beckon_client::wire::{AskedState, LocalAskStatus};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// The reason of a dismissal. It is read by the model, so it is here and not among the texts.
const DISMISSED: &str = "The user dismissed this question without answering it.";

#[derive(Debug)]
struct InputQuestion {
    question: String,
    header: String,
    options: Vec<OptionInfo>,
    multi_select: bool,
}

impl InputQuestion {
    /// Reads a question. Returns `None` if it hides what is asked or what can be chosen.
    fn read(item: &Value) -> Option<Self> {
        let options = match item.get("options") {
            None | Some(Value::Null) => Vec::new(),
            Some(Value::Array(options)) => options.iter().map(option).collect::<Option<_>>()?,
            Some(_) => return None,
        };
        Some(Self {
            question: text(item, "question").filter(|text| !text.trim().is_empty())?,
            header: text(item, "header").unwrap_or_default(),
            options,
            multi_select: flag(item, "multiSelect").unwrap_or_default(),
        })
    }

    /// Joins several answers. A label with a comma or a quotation mark is put in quotation marks,
    /// since it would read as two. Own words stay as they are.
    fn joined(&self, texts: &[String]) -> String {
        let is_label = |text: &String| self.options.iter().any(|option| option.label == **text);
        let quoted = |text: &String| {
            let ambiguous = self.multi_select && text.contains([',', '"']) && is_label(text);
            if ambiguous {
                Value::from(text.as_str()).to_string()
            } else {
                text.clone()
            }
        };
        texts.iter().map(quoted).collect::<Vec<_>>().join(", ")
    }
}

/// Reads an option. A bare text is its own label.
fn option(item: &Value) -> Option<OptionInfo> {
    let label = item.as_str().map(str::to_owned);
    Some(OptionInfo {
        label: label.or_else(|| text(item, "label"))?,
        description: text(item, "description").unwrap_or_default(),
    })
}

/// The questions of one call, and its input as it was.
#[derive(Debug)]
pub(super) struct QuestionCall<'a> {
    input: &'a Map<String, Value>,
    questions: Vec<InputQuestion>,
}

impl<'a> QuestionCall<'a> {
    /// Reads the questions. `None` when they cannot be understood, or not be answered: of two with
    /// the same text only one answer could go back.
    pub(super) fn read(input: &'a Value) -> Option<Self> {
        let questions: Vec<InputQuestion> = list(input, "questions")
            .iter()
            .map(InputQuestion::read)
            .collect::<Option<_>>()?;
        let texts: BTreeSet<&str> = questions
            .iter()
            .map(|asked| asked.question.as_str())
            .collect();
        let answerable = !questions.is_empty() && texts.len() == questions.len();
        let input = input.as_object().filter(|_| answerable)?;
        Some(Self { input, questions })
    }

    pub(super) fn asking(&self, asker: AskerBody) -> QuestionBody {
        let question = |asked: &InputQuestion| QuestionInfo {
            question: asked.question.clone(),
            header: asked.header.clone(),
            options: asked.options.clone(),
            multiple: Some(asked.multi_select),
            // The tool always offers an answer of one's own.
            custom: Some(true),
        };
        QuestionBody {
            questions: self.questions.iter().map(question).collect(),
            limits: Vec::new(),
            asker,
        }
    }

    /// Returns the decision, if somebody has answered.
    pub(super) fn decision(&self, asked: &LocalAskStatus) -> Option<HookDecision> {
        match (asked.state, &asked.answers) {
            (AskedState::Dismissed, _) => Some(HookDecision::Deny(DISMISSED.into())),
            (AskedState::Answered, Some(answers)) => {
                let input = Some(self.answered(answers)?);
                Some(HookDecision::Allow {
                    input,
                    always: Vec::new(),
                })
            }
            _ => None,
        }
    }

    /// Tells whether the questions have ended with those answers; `None` where the call has none.
    pub(super) fn has_ended_with(&self, answers: &[Vec<String>]) -> Option<bool> {
        let given = self.input.get("answers")?.as_object()?;
        let handed = self.answered(answers)?;
        Some(handed["answers"].as_object() == Some(given))
    }

    fn answered(&self, answers: &[Vec<String>]) -> Option<Value> {
        let whole = answers.len() == self.questions.len();
        let pairs = self.questions.iter().zip(answers).filter(|_| whole);
        let pair = |(asked, texts): (&InputQuestion, &Vec<String>)| {
            (asked.question.clone(), Value::from(asked.joined(texts)))
        };
        let mut input = self.input.clone();
        input.insert("answers".into(), Value::Object(pairs.map(pair).collect()));
        whole.then_some(Value::Object(input))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// The joined labels must be those of Claude Code 2.1.330 in its terminal, for the same call
    /// and the same choices.
    #[test]
    fn labels_with_commas_are_joined_as_the_terminal_joins_them() {
        let option = |label: &str| json!({ "label": label, "description": "x" });
        let several = ["Auth, \"login\"", "Say \"hi\"", "Plain"];
        let input = json!({ "questions": [
            { "question": "Which features?", "header": "Features", "multiSelect": true,
              "options": several.map(option) },
            { "question": "One only?", "header": "One", "multiSelect": false,
              "options": (["A, b", "C"].map(option)) },
        ]});
        let questions = QuestionCall::read(&input).unwrap();
        let given = |features: &[&str]| {
            let answers =
                [features, &["A, b"]].map(|texts| texts.iter().map(|t| (*t).to_owned()).collect());
            questions.answered(&answers).unwrap()["answers"].clone()
        };
        assert_eq!(
            given(&several),
            json!({ "Which features?": "\"Auth, \\\"login\\\"\", \"Say \\\"hi\\\"\", Plain",
                    "One only?": "A, b" })
        );
        let own = given(&["Plain", "and, well, \"more\""]);
        assert_eq!(own["Which features?"], "Plain, and, well, \"more\"");
    }
}
