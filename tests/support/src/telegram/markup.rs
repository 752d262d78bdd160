//! The reply markup of a message, read and checked: keyboards, and the request for a reply.

use serde_json::{Map, Value, json};

use super::refusal::Refusal;

/// The longest `callback_data`, in bytes:
/// <https://core.telegram.org/bots/api#inlinekeyboardbutton>.
pub const CALLBACK_DATA_LIMIT: usize = 64;
/// The longest placeholder, in characters: <https://core.telegram.org/bots/api#forcereply>.
const PLACEHOLDER_LIMIT: usize = 64;
/// The longest text to copy, in characters: <https://core.telegram.org/bots/api#copytextbutton>.
const COPY_LIMIT: usize = 256;
/// The highest number of buttons; users report it, the documentation is silent.
const BUTTON_LIMIT: usize = 100;

/// The actions of a button besides `callback_data`, `url` and `copy_text`.
const OTHER_ACTIONS: [&str; 7] = [
    "web_app",
    "login_url",
    "switch_inline_query",
    "switch_inline_query_current_chat",
    "switch_inline_query_chosen_chat",
    "callback_game",
    "pay",
];
const BUTTON_LOOKS: [&str; 2] = ["icon_custom_emoji_id", "style"];
/// The styles of a button: <https://core.telegram.org/bots/api#inlinekeyboardbutton>, "Must be one
/// of".
const STYLES: [&str; 3] = ["danger", "success", "primary"];

/// The elements for its reader that a message can carry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Markup {
    /// Nothing.
    #[default]
    None,
    /// Buttons below the message, in rows.
    Keyboard(Vec<Vec<Button>>),
    /// A reply box that opens at the message.
    ForceReply {
        /// The grey text of the empty box.
        placeholder: Option<String>,
        /// Whether it opens only for people whom the message mentions, or whose message it answers.
        selective: bool,
    },
    /// Buttons instead of the phone's keyboard, or their removal; not imitated further.
    Other(Value),
}

/// A button below a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Button {
    /// The text on the button.
    pub label: String,
    /// The action of a tap.
    pub action: Action,
    /// `danger`, `success`, `primary`, or nothing.
    pub style: Option<String>,
}

/// The actions of a tap on a button.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Sends this data to the bot.
    Callback(String),
    /// Opens this address.
    Url(String),
    /// Copies this text.
    Copy(String),
    /// An action that is not imitated, by the name of its field.
    Other(&'static str),
}

impl Markup {
    /// Tells whether a message with this markup may be edited:
    /// <https://core.telegram.org/bots/api#updating-messages>.
    pub(super) fn is_editable(&self) -> bool {
        matches!(self, Markup::None | Markup::Keyboard(_))
    }

    /// Returns the markup as the JSON of a message contains it: only inline keyboards are included.
    pub(super) fn json(&self) -> Option<Value> {
        let Markup::Keyboard(rows) = self else {
            return None;
        };
        let row = |row: &Vec<Button>| Value::Array(row.iter().map(Button::json).collect());
        Some(json!({ "inline_keyboard": rows.iter().map(row).collect::<Vec<_>>() }))
    }
}

impl Button {
    fn json(&self) -> Value {
        let mut button = match &self.action {
            Action::Callback(data) => json!({ "text": self.label, "callback_data": data }),
            Action::Url(url) => json!({ "text": self.label, "url": url }),
            Action::Copy(text) => json!({ "text": self.label, "copy_text": { "text": text } }),
            Action::Other(name) => json!({ "text": self.label, *name: {} }),
        };
        if let Some(style) = &self.style {
            button["style"] = json!(style);
        }
        button
    }
}

/// Reads `reply_markup`: <https://core.telegram.org/bots/api#inlinekeyboardmarkup> and its kin.
pub(super) fn parse(markup: Option<Value>) -> Result<Markup, Refusal> {
    let Some(markup) = markup else {
        return Ok(Markup::None);
    };
    let Value::Object(fields) = markup else {
        return Err(Refusal::mistake("object expected as reply markup"));
    };
    if let Some(rows) = fields.get("inline_keyboard") {
        return inline(rows);
    }
    if fields.get("force_reply") == Some(&Value::Bool(true)) {
        return force_reply(&fields);
    }
    Ok(Markup::Other(Value::Object(fields)))
}

fn inline(rows: &Value) -> Result<Markup, Refusal> {
    let shape = || Refusal::mistake("field \"inline_keyboard\" must be an Array of Arrays");
    let rows = rows.as_array().ok_or_else(shape)?;
    let row = |row: &Value| -> Result<Vec<Button>, Refusal> {
        row.as_array()
            .ok_or_else(shape)?
            .iter()
            .map(button)
            .collect()
    };
    let mut rows = rows.iter().map(row).collect::<Result<Vec<_>, _>>()?;
    rows.retain(|row| !row.is_empty());
    if rows.iter().map(Vec::len).sum::<usize>() > BUTTON_LIMIT {
        return Err(Refusal::mistake("reply markup is too long"));
    }
    Ok(if rows.is_empty() {
        Markup::None
    } else {
        Markup::Keyboard(rows)
    })
}

fn button(button: &Value) -> Result<Button, Refusal> {
    let wrong =
        |why: String| Refusal::mistake(&format!("can't parse inline keyboard button: {why}"));
    let fields = button
        .as_object()
        .ok_or_else(|| wrong("an Object was expected".to_owned()))?;
    let label = fields
        .get("text")
        .and_then(Value::as_str)
        .unwrap_or_default();
    if label.trim().is_empty() {
        return Err(wrong(
            "field \"text\" must be a non-empty String".to_owned(),
        ));
    }
    if let Some(name) = fields.keys().find(|name| !is_button_field(name)) {
        return Err(wrong(format!("field \"{name}\" is not documented")));
    }
    let style = fields
        .get("style")
        .map(|style| style.as_str().unwrap_or_default().to_owned());
    if let Some(style) = style
        .as_ref()
        .filter(|style| !STYLES.contains(&style.as_str()))
    {
        return Err(wrong(format!("there is no style \"{style}\"")));
    }
    Ok(Button {
        label: label.to_owned(),
        action: action(fields)?,
        style,
    })
}

fn is_button_field(name: &str) -> bool {
    let known = ["text", "callback_data", "url", "copy_text"];
    known.contains(&name) || OTHER_ACTIONS.contains(&name) || BUTTON_LOOKS.contains(&name)
}

/// Reads the action of a button; exactly one must be there.
fn action(fields: &Map<String, Value>) -> Result<Action, Refusal> {
    let text = |name: &str| {
        fields
            .get(name)
            .and_then(Value::as_str)
            .map(ToOwned::to_owned)
    };
    let copied = fields
        .get("copy_text")
        .map(|copy| copy["text"].as_str().unwrap_or_default());
    if fields
        .get("copy_text")
        .and_then(Value::as_object)
        .is_some_and(|copy| copy.len() != 1)
    {
        return Err(Refusal::mistake(
            "can't parse inline keyboard button: no CopyTextButton",
        ));
    }
    let other = OTHER_ACTIONS
        .into_iter()
        .filter(|name| fields.contains_key(*name));
    let mut actions = other.map(Action::Other).collect::<Vec<_>>();
    actions.extend(text("callback_data").map(Action::Callback));
    actions.extend(text("url").map(Action::Url));
    actions.extend(copied.map(|copied| Action::Copy(copied.to_owned())));
    match (actions.pop(), actions.is_empty()) {
        (Some(action), true) => checked(action),
        (None, _) => Err(Refusal::mistake(
            "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard",
        )),
        _ => Err(Refusal::mistake(
            "can't parse inline keyboard button: more than one action",
        )),
    }
}

fn checked(action: Action) -> Result<Action, Refusal> {
    match &action {
        Action::Callback(data) if data.is_empty() || data.len() > CALLBACK_DATA_LIMIT => {
            Err(Refusal::mistake("BUTTON_DATA_INVALID"))
        }
        Action::Url(url)
            if !["http://", "https://", "tg://"]
                .iter()
                .any(|s| url.starts_with(s)) =>
        {
            Err(Refusal::mistake("BUTTON_URL_INVALID"))
        }
        Action::Copy(text) if text.is_empty() || text.chars().count() > COPY_LIMIT => {
            Err(Refusal::mistake("BUTTON_COPY_TEXT_INVALID"))
        }
        _ => Ok(action),
    }
}

fn force_reply(fields: &Map<String, Value>) -> Result<Markup, Refusal> {
    let placeholder = fields
        .get("input_field_placeholder")
        .and_then(Value::as_str);
    if placeholder.is_some_and(|text| text.is_empty() || text.chars().count() > PLACEHOLDER_LIMIT) {
        return Err(Refusal::mistake(
            "input field placeholder must have 1-64 characters",
        ));
    }
    Ok(Markup::ForceReply {
        placeholder: placeholder.map(ToOwned::to_owned),
        selective: fields.get("selective") == Some(&Value::Bool(true)),
    })
}
