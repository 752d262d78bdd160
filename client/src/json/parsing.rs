//! The reader for what a strict one refuses. It never fails on a value that has begun: what makes
//! no sense is replaced, and what is missing at the end is left out.

use super::order::WrittenName;
use super::{Flaws, LenientJson, exact};
use serde_json::value::RawValue;
use serde_json::{Map, Number, Value};

/// The greatest depth, about that of serde_json. A value that is deeper is kept as the text that it
/// came in, since walking and dropping a value is recursive.
const DEEPEST: usize = 120;
const REPLACEMENT: char = '\u{fffd}';
/// The number of digits after `\u`.
const DIGITS: usize = 4;

/// The treatment of a number that would be written in other digits than it came in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Numbers {
    /// Keeps it a number; digits that do not fit are lost.
    ByValue,
    /// Makes it the text of its digits.
    AsWritten,
    /// Makes it the text of its digits between two seals (`exact.rs`). No other text keeps a seal.
    Sealed,
}

/// Reads the first value of the text. Returns `None` if no value begins there.
pub(super) fn parse(text: &str, numbers: Numbers) -> Option<LenientJson> {
    Parser::new(text, numbers).first_value()
}

/// Returns the names of all fields of the first value, in the order in which they were written.
pub(super) fn names(text: &str) -> Vec<WrittenName> {
    let mut parser = Parser::new(text, Numbers::ByValue);
    parser.names = Some(Vec::new());
    parser.first_value();
    parser.names.unwrap_or_default()
}

struct Parser<'a> {
    text: &'a str,
    numbers: Numbers,
    at: usize,
    depth: usize,
    flaws: Flaws,
    /// The names of fields so far, if somebody wants to know them.
    names: Option<Vec<WrittenName>>,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str, numbers: Numbers) -> Self {
        Self {
            text,
            numbers,
            at: 0,
            depth: 0,
            flaws: Flaws::default(),
            names: None,
        }
    }

    fn first_value(&mut self) -> Option<LenientJson> {
        self.skip_blanks();
        let begins = self.peek().is_some_and(|c| matches!(c, '{' | '[' | '"'));
        if !begins {
            return None;
        }

        let value = self.value()?;
        self.flaws.reshaped |= super::is_torn_off(&self.text[self.at..]);
        Some(LenientJson {
            value,
            flaws: self.flaws,
        })
    }

    fn peek(&self) -> Option<char> {
        self.text.get(self.at..)?.chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    /// Skips what is between values: blanks, and control characters that nobody means.
    fn skip_blanks(&mut self) {
        while self
            .peek()
            .is_some_and(|c| c.is_whitespace() || c.is_control() || c == '\u{feff}')
        {
            self.next();
        }
    }

    /// Reads a value. Returns `None` at the end of the text, and before a bracket that closes.
    fn value(&mut self) -> Option<Value> {
        self.skip_blanks();
        match self.peek() {
            None => {
                self.flaws.cut = true;
                None
            }
            Some('"') => Some(Value::String(self.string())),
            Some('{' | '[') if self.depth >= DEEPEST => Some(self.too_deep()),
            Some('{') => Some(self.object()),
            Some('[') => Some(self.list()),
            Some('}' | ']' | ',' | ':') => None,
            Some(_) => Some(self.bare_word()),
        }
    }

    fn object(&mut self) -> Value {
        self.next();
        self.depth += 1;
        let mut fields = Map::new();

        loop {
            self.skip_between(fields.is_empty());
            match self.peek() {
                None => {
                    self.flaws.cut = true;
                    break;
                }
                Some('}') => {
                    self.next();
                    break;
                }
                // The bracket of something around it: this object was never closed.
                Some(']') => {
                    self.flaws.reshaped = true;
                    break;
                }
                Some(_) => self.field(&mut fields),
            }
        }

        self.depth -= 1;
        Value::Object(fields)
    }

    /// Reads one field. A name without a value, as at the end of a text that was cut, is left out.
    fn field(&mut self, fields: &mut Map<String, Value>) {
        let before = self.at;
        let name = match self.peek() {
            Some('"') => self.string(),
            _ => {
                self.flaws.reshaped = true;
                self.word().to_owned()
            }
        };
        self.note_name(&name);
        self.skip_blanks();

        if self.peek() == Some(':') {
            self.next();
        } else {
            self.flaws.reshaped = true;
        }

        match self.value() {
            Some(value) => _ = fields.insert(name, value),
            None => self.flaws.reshaped = true,
        }
        if self.at == before {
            self.next();
        }
    }

    fn note_name(&mut self, name: &str) {
        if let Some(names) = &mut self.names {
            names.push(WrittenName {
                depth: self.depth,
                name: name.to_owned(),
            });
        }
    }

    fn list(&mut self) -> Value {
        self.next();
        self.depth += 1;
        let mut items = Vec::new();

        loop {
            self.skip_between(items.is_empty());
            match self.peek() {
                None => {
                    self.flaws.cut = true;
                    break;
                }
                Some(']') => {
                    self.next();
                    break;
                }
                Some('}') => {
                    self.flaws.reshaped = true;
                    break;
                }
                Some(':') => {
                    self.flaws.reshaped = true;
                    self.next();
                }
                Some(_) => items.extend(self.value()),
            }
        }

        self.depth -= 1;
        Value::Array(items)
    }

    /// Skips the comma between two items, and those that are too many.
    fn skip_between(&mut self, is_first: bool) {
        self.skip_blanks();
        let mut is_parted = is_first;
        while self.peek() == Some(',') {
            self.next();
            self.skip_blanks();
            is_parted = true;
        }
        let goes_on = self.peek().is_some_and(|c| !matches!(c, '}' | ']'));
        self.flaws.reshaped |= goes_on && !is_parted;
    }

    /// Reads a string with whatever is in it, up to its closing quote.
    fn string(&mut self) -> String {
        self.next();
        let mut read = String::new();
        loop {
            match self.next() {
                Some(exact::SEAL) if self.numbers == Numbers::Sealed => read.push(REPLACEMENT),
                Some('"') => break,
                Some('\\') => self.escape(&mut read),
                Some(c) => read.push(c),
                None => {
                    self.flaws.cut = true;
                    break;
                }
            }
        }
        read
    }

    fn escape(&mut self, read: &mut String) {
        let Some(c) = self.next() else {
            self.flaws.cut = true;
            return;
        };
        match c {
            '"' | '\\' | '/' => read.push(c),
            'b' => read.push('\u{8}'),
            'f' => read.push('\u{c}'),
            'n' => read.push('\n'),
            'r' => read.push('\r'),
            't' => read.push('\t'),
            'u' => match self.unicode() {
                exact::SEAL if self.numbers == Numbers::Sealed => read.push(REPLACEMENT),
                c => read.push(c),
            },
            // An unescaped Windows path, for example. What was meant can only be guessed.
            other => {
                self.flaws.replaced = true;
                read.push('\\');
                read.push(REPLACEMENT);
                read.push(other);
            }
        }
    }

    /// Reads what follows `\u`: a character, or both halves of one.
    fn unicode(&mut self) -> char {
        let Some(first) = self.unit() else {
            self.flaws.replaced = true;
            return REPLACEMENT;
        };
        if let Some(c) = char::from_u32(u32::from(first)) {
            return c;
        }

        let after_first = self.at;
        let is_first_half = (0xd800..0xdc00).contains(&first);
        if is_first_half && self.text[self.at..].starts_with("\\u") {
            self.at += 2;
            let second = self.unit();
            let pair = second.map(|second| char::decode_utf16([first, second]).next());
            if let Some(Some(Ok(c))) = pair {
                return c;
            }
        }

        self.at = after_first;
        self.flaws.replaced = true;
        REPLACEMENT
    }

    fn unit(&mut self) -> Option<u16> {
        let digits = self.text.get(self.at..self.at + DIGITS)?;
        if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return None;
        }
        self.at += DIGITS;
        u16::from_str_radix(digits, 16).ok()
    }

    /// Reads a number, `true`, `false` or `null`. Any other word is kept as a text.
    fn bare_word(&mut self) -> Value {
        let numbers = self.numbers;
        let word = self.word();
        match word {
            "true" => return Value::Bool(true),
            "false" => return Value::Bool(false),
            "null" => return Value::Null,
            _ => {}
        }

        if let Ok(number) = serde_json::from_str::<Number>(word) {
            let is_same = number.to_string() == word;
            return match numbers {
                _ if is_same => Value::Number(number),
                Numbers::ByValue => Value::Number(number),
                Numbers::AsWritten => Value::String(word.to_owned()),
                Numbers::Sealed => exact::sealed(word),
            };
        }
        let word = word.to_owned();
        // A number of JSON, but beyond all bounds.
        let is_number = serde_json::from_str::<&RawValue>(&word).is_ok();
        if is_number && self.numbers == Numbers::Sealed {
            return exact::sealed(&word);
        }
        self.flaws.replaced = true;
        Value::String(word)
    }

    fn word(&mut self) -> &str {
        let rest = &self.text[self.at..];
        let ends =
            |c: char| c.is_whitespace() || matches!(c, ',' | ':' | '{' | '}' | '[' | ']' | '"');
        let length = rest.find(ends).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    /// Takes what is too deep as the text it is.
    fn too_deep(&mut self) -> Value {
        let from = self.at;
        let mut end = super::ValueEnd::of_text();
        while let Some(c) = self.next() {
            let mut bytes = [0; 4];
            if end.is_reached(c.encode_utf8(&mut bytes).as_bytes()) {
                break;
            }
        }
        self.flaws.replaced = true;
        Value::String(self.text[from..self.at].to_owned())
    }
}
