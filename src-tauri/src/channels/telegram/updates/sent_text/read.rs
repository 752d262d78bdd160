//! The reading of a message's entities. An odd entity says nothing, and takes nobody's words away.

use super::{MarkKind, TextMark};
use serde::Deserialize;
use serde_json::Value;

/// An entity: <https://core.telegram.org/bots/api#messageentity>
#[derive(Deserialize)]
struct EntityFields {
    offset: usize,
    length: usize,
    #[serde(rename = "type")]
    kind: String,
    url: Option<String>,
    language: Option<String>,
}

/// Whether the first word of a text is a command, by the entity that Telegram makes of it. A path
/// has none.
pub(in super::super) fn begins_with_command(entities: Option<&Value>) -> bool {
    let entities = entities.and_then(Value::as_array);
    let is_first = |entity: &Value| {
        let begins = entity.get("offset").and_then(Value::as_u64);
        let kind = entity.get("type").and_then(Value::as_str);
        begins == Some(0) && kind == Some("bot_command")
    };

    entities.is_some_and(|entities| entities.iter().any(is_first))
}

/// Reads where a text is formatted.
pub(in super::super) fn read_marks(entities: Option<Value>) -> Vec<TextMark> {
    let Some(Value::Array(entities)) = entities else {
        return Vec::new();
    };

    entities.into_iter().filter_map(read_mark).collect()
}

fn read_mark(entity: Value) -> Option<TextMark> {
    let entity: EntityFields = serde_json::from_value(entity).ok()?;
    let end = entity.offset.checked_add(entity.length)?;

    let kind = match entity.kind.as_str() {
        "blockquote" | "expandable_blockquote" => MarkKind::Quote,
        "text_link" => MarkKind::Link { url: entity.url? },
        "bold" => MarkKind::Bold,
        "italic" => MarkKind::Italic,
        "strikethrough" => MarkKind::Strikethrough,
        "spoiler" => MarkKind::Spoiler,
        "code" => MarkKind::Code,
        "pre" => MarkKind::Block {
            language: entity.language.unwrap_or_default(),
        },
        _ => return None,
    };

    Some(TextMark {
        start: entity.offset,
        end,
        kind,
    })
}
