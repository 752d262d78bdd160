//! The parser of texts with markup, which makes plain text with entities or refuses them.
//!
//! The rules are those of <https://core.telegram.org/bots/api#html-style>. In one thing the
//! official server is milder: it lets a `&` pass that begins no entity, though its documentation
//! forbids it.

use std::cmp::Reverse;

use serde::{Deserialize, Serialize};

use super::refusal::Refusal;

/// A stretch of text that is shown in another way. Offset and length are in UTF-16 units.
/// <https://core.telegram.org/bots/api#messageentity>
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entity {
    /// The way in which the stretch is shown.
    #[serde(flatten)]
    pub kind: EntityKind,
    /// The beginning, in UTF-16 units.
    pub offset: usize,
    /// The length, in UTF-16 units.
    pub length: usize,
}

/// The ways in which a stretch of text is shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names are the documentation's")]
pub enum EntityKind {
    Bold,
    Italic,
    Underline,
    Strikethrough,
    Spoiler,
    Code,
    Pre {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        language: Option<String>,
    },
    TextLink {
        url: String,
    },
    CustomEmoji {
        custom_emoji_id: String,
    },
    Blockquote,
    ExpandableBlockquote,
    BotCommand,
    Mention,
}

/// A plain text with its entities.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Formatted {
    pub(super) text: String,
    pub(super) entities: Vec<Entity>,
}

/// Returns the length as Telegram counts it, in UTF-16 units.
pub(super) fn units(text: &str) -> usize {
    text.encode_utf16().count()
}

pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

pub(super) fn parse(html: &str) -> Result<Formatted, Refusal> {
    let wrong = |why: String| Refusal::mistake(&format!("can't parse entities: {why}"));
    let mut parser = Parser {
        html,
        at: 0,
        text: String::new(),
        open: Vec::new(),
        done: Vec::new(),
    };
    parser.run().map_err(wrong)?;
    may_nest(&parser.done).map_err(wrong)?;
    Ok(trimmed(Formatted {
        text: parser.text,
        entities: parser.done,
    }))
}

/// Checks that the entities may be nested as they are.
/// <https://core.telegram.org/bots/api#formatting-options>: "If two entities have common
/// characters, then one of them is fully contained inside another. bold, italic, underline,
/// strikethrough, and spoiler entities can contain and can be part of any other entities, except
/// pre and code. blockquote and expandable_blockquote entities can't be nested. All other entities
/// can't contain each other."
pub(super) fn may_nest(entities: &[Entity]) -> Result<(), String> {
    for (at, one) in entities.iter().enumerate() {
        for other in &entities[at + 1..] {
            let (end, other_end) = (one.offset + one.length, other.offset + other.length);
            let apart = end <= other.offset || other_end <= one.offset;
            let inside = (one.offset <= other.offset && other_end <= end)
                || (other.offset <= one.offset && end <= other_end);
            let free = (one.kind.goes_with_any() || other.kind.goes_with_any())
                && !one.kind.is_code()
                && !other.kind.is_code();
            if !(apart || inside && free) {
                return Err(format!(
                    "{:?} and {:?} can't be nested",
                    one.kind, other.kind
                ));
            }
        }
    }
    Ok(())
}

impl EntityKind {
    fn is_code(&self) -> bool {
        matches!(self, EntityKind::Code | EntityKind::Pre { .. })
    }

    fn goes_with_any(&self) -> bool {
        use EntityKind::{Bold, Italic, Spoiler, Strikethrough, Underline};
        matches!(self, Bold | Italic | Underline | Strikethrough | Spoiler)
    }
}

/// Removes the white space at both ends, and the entities that become empty by that.
pub(super) fn trimmed(formatted: Formatted) -> Formatted {
    let whole = formatted.text;
    let skipped = units(&whole) - units(whole.trim_start());
    let text = whole.trim().to_owned();
    let length = units(&text);
    let inside = |entity: Entity| {
        let end = (entity.offset + entity.length)
            .saturating_sub(skipped)
            .min(length);
        let offset = entity.offset.saturating_sub(skipped);
        (offset < end).then(|| Entity {
            offset,
            length: end - offset,
            kind: entity.kind,
        })
    };
    let mut entities: Vec<Entity> = formatted.entities.into_iter().filter_map(inside).collect();
    entities.sort_by_key(|entity| (entity.offset, Reverse(entity.length)));
    Formatted { text, entities }
}

/// A start tag whose end tag has not come yet.
struct Open {
    name: String,
    kind: EntityKind,
    offset: usize,
}

struct Parser<'a> {
    html: &'a str,
    at: usize,
    text: String,
    open: Vec<Open>,
    done: Vec<Entity>,
}

impl Parser<'_> {
    fn run(&mut self) -> Result<(), String> {
        while let Some(next) = self.html[self.at..].chars().next() {
            match next {
                '<' if self.html[self.at..].starts_with("</") => self.end_tag()?,
                '<' => self.start_tag()?,
                '&' => self.character()?,
                other => {
                    self.text.push(other);
                    self.at += other.len_utf8();
                }
            }
        }
        let unclosed = |open: &Open| {
            format!(
                "Can't find end tag corresponding to start tag \"{}\"",
                open.name
            )
        };
        self.open.last().map_or(Ok(()), |open| Err(unclosed(open)))
    }

    fn character(&mut self) -> Result<(), String> {
        let rest = &self.html[self.at + 1..];
        let end = rest.find(';').filter(|end| *end <= 10);
        let decoded = end.and_then(|end| decode(&rest[..end]).map(|character| (character, end)));
        let wrong = || format!("\"&\" at byte offset {} begins no known entity", self.at);
        let (character, end) = decoded.ok_or_else(wrong)?;
        self.text.push(character);
        self.at += end + 2;
        Ok(())
    }

    fn start_tag(&mut self) -> Result<(), String> {
        let start = self.at;
        let end = self.html[start..].find('>').map(|end| start + end);
        let inner = &self.html[start + 1..end.unwrap_or(self.html.len())];
        let (name, attributes) = inner.split_once(char::is_whitespace).unwrap_or((inner, ""));
        let name = name.to_lowercase();
        let unsupported = || format!("Unsupported start tag \"{name}\" at byte offset {start}");
        let kind = kind_of(&name, attributes, self.open.last()).ok_or_else(unsupported)?;
        let end = end.ok_or_else(|| format!("Unclosed start tag at byte offset {start}"))?;
        self.open.push(Open {
            name,
            kind,
            offset: units(&self.text),
        });
        self.at = end + 1;
        Ok(())
    }

    fn end_tag(&mut self) -> Result<(), String> {
        let start = self.at;
        let unexpected = || format!("Unexpected end tag at byte offset {start}");
        let open = self.open.pop().ok_or_else(unexpected)?;
        let unclosed = || format!("Unclosed end tag at byte offset {start}");
        let end = start + self.html[start..].find('>').ok_or_else(unclosed)?;
        let name = self.html[start + 2..end].trim_end().to_lowercase();
        // An end tag without a name ends whichever tag is open.
        if !name.is_empty() && name != open.name {
            return Err(format!(
                "Unmatched end tag at byte offset {start}, expected \"</{}>\", found \"</{name}>\"",
                open.name
            ));
        }
        self.at = end + 1;
        self.close(open);
        Ok(())
    }

    fn close(&mut self, open: Open) {
        let length = units(&self.text) - open.offset;
        if let EntityKind::Pre { language: Some(_) } = &open.kind {
            // `<code class="language-…">` belongs to the `<pre>` around it.
            if let Some(Open {
                kind: outer @ EntityKind::Pre { .. },
                ..
            }) = self.open.last_mut()
            {
                *outer = open.kind;
                return;
            }
        }
        self.done.push(Entity {
            kind: open.kind,
            offset: open.offset,
            length,
        });
    }
}

fn kind_of(name: &str, attributes: &str, parent: Option<&Open>) -> Option<EntityKind> {
    Some(match name {
        "b" | "strong" => EntityKind::Bold,
        "i" | "em" => EntityKind::Italic,
        "u" | "ins" => EntityKind::Underline,
        "s" | "strike" | "del" => EntityKind::Strikethrough,
        "tg-spoiler" => EntityKind::Spoiler,
        "span" if attribute(attributes, "class")? == "tg-spoiler" => EntityKind::Spoiler,
        "code" => code(attributes, parent),
        "pre" => EntityKind::Pre { language: None },
        "a" => EntityKind::TextLink {
            url: attribute(attributes, "href")?,
        },
        "tg-emoji" => EntityKind::CustomEmoji {
            custom_emoji_id: attribute(attributes, "emoji-id")?,
        },
        "blockquote"
            if attributes
                .split_whitespace()
                .any(|word| word == "expandable") =>
        {
            EntityKind::ExpandableBlockquote
        }
        "blockquote" => EntityKind::Blockquote,
        _ => return None,
    })
}

fn code(attributes: &str, parent: Option<&Open>) -> EntityKind {
    let in_pre = parent.is_some_and(|open| open.name == "pre");
    let class = attribute(attributes, "class").filter(|_| in_pre);
    match class
        .as_deref()
        .and_then(|class| class.strip_prefix("language-"))
    {
        Some(language) => EntityKind::Pre {
            language: Some(language.to_owned()),
        },
        None => EntityKind::Code,
    }
}

fn attribute(attributes: &str, wanted: &str) -> Option<String> {
    let (_, value) = attributes.trim().split_once(&format!("{wanted}="))?;
    let quote = value
        .chars()
        .next()
        .filter(|first| matches!(first, '"' | '\''));
    let raw = match quote {
        Some(quote) => value[1..].split(quote).next()?,
        None => value.split_whitespace().next()?,
    };
    let mut value = Parser {
        html: raw,
        at: 0,
        text: String::new(),
        open: vec![],
        done: vec![],
    };
    value.run().ok()?;
    Some(value.text)
}

/// Decodes the four named entities that are supported, and all numeric ones.
fn decode(name: &str) -> Option<char> {
    match name {
        "lt" => Some('<'),
        "gt" => Some('>'),
        "amp" => Some('&'),
        "quot" => Some('"'),
        _ => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix(['x', 'X']) {
                Some(hexadecimal) => u32::from_str_radix(hexadecimal, 16).ok()?,
                None => number.parse().ok()?,
            };
            char::from_u32(code).filter(|character| *character != '\0')
        }
    }
}
