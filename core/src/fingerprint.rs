//! The fingerprint of what a human saw of an ask, in ten characters. An answer names it again, so
//! it can only meet the ask, and the content of it, for which it was given.
//!
//! Not here: where buttons carry it (the channels), and what follows when it differs (`desk/`).

use crate::{
    AnswerLimits, Argument, Ask, AskContent, AskId, Choice, FileChange, LeftOut, MOST_COUNTED,
    NumberBound, Permission, Question, Reply, TextFormat, UnknownAsk, UnknownShape,
};
use alloc::format;
use alloc::string::String;
use core::fmt;
use core::str::FromStr;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest, Sha256};

/// The number that marks further limits, beyond those of all formats of own text.
const WITH_MORE: u64 = 16;

/// A hash of an ask's name and of everything in it that a human decides about. What is only beside
/// it (title, agent, times) is left out, since it may arrive later.
///
/// 60 bits: two asks of one source would have to share their source's own id as well, so this
/// guards against accidents and against what an agent can choose, not against a lying server, which
/// may run what it likes anyway.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Fingerprint(
    #[cfg_attr(
        feature = "schema",
        schemars(with = "alloc::string::String", extend("pattern" = "^[0-9A-Za-z_-]{10}$"))
    )]
    u64,
);

/// The ask that a button was made for. It names the ask without any database: a serial alone could
/// be given twice where rows are lost (a power cut, a full disk, a restored backup).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ButtonTarget {
    /// [`crate::Entry::serial`]
    pub serial: u64,
    /// The fingerprint of what was shown beside the button.
    pub fingerprint: Fingerprint,
}

impl ButtonTarget {
    /// Whether it names an ask of that number and content, shown alone or together with up to
    /// [`MOST_COUNTED`] equals. Of an ask that has ended no more is known.
    pub fn was_made_for(self, serial: u64, content: Fingerprint) -> bool {
        let shown = |count| content.times(count) == self.fingerprint;
        self.serial == serial && (1..=MOST_COUNTED + 1).any(shown)
    }
}

/// The digits, six bits each; none of them has a meaning in a URL, a file name or a D-Bus action.
const DIGITS: &[u8; 64] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_";
const LENGTH: usize = 10;
const BITS: u32 = 60;

impl Fingerprint {
    /// Returns the fingerprint of an ask with that name and content.
    pub fn of(id: &AskId, kind: &AskContent) -> Self {
        Self::with(ContentHash::new(), id, kind, None)
    }

    /// Returns the fingerprint of an ask that is answered by that way through another Beckon.
    pub(crate) fn by_way(id: &AskId, kind: &AskContent, way: &str) -> Self {
        Self::with(ContentHash::new(), id, kind, Some(way))
    }

    fn with(mut content: ContentHash, id: &AskId, kind: &AskContent, beyond: Option<&str>) -> Self {
        content.text(&id.source.0);
        content.text(&id.own);
        content.kind(kind);
        if let Some(beyond) = beyond {
            content.text(beyond);
        }
        content.fingerprint()
    }

    /// Returns the fingerprint of the content alone, whatever ask it is of.
    pub(crate) fn of_content(kind: &AskContent) -> Self {
        let mut content = ContentHash::new();
        content.kind(kind);
        content.fingerprint()
    }

    /// Returns the fingerprint of what is answered so far.
    pub(crate) fn of_replies(replies: &[Reply]) -> Self {
        let mut content = ContentHash::new();
        content.list(replies, ContentHash::reply);
        content.fingerprint()
    }

    /// Returns the fingerprint of an ask that is shown together with its equals, `count` in all.
    #[must_use]
    pub fn times(self, count: usize) -> Self {
        let more = (count as u64).saturating_sub(1);
        Self(self.0.wrapping_add(more) & ((1 << BITS) - 1))
    }
}

/// Returns the hash that a device signs: of what a human sees of an ask, and of its owner's
/// fingerprint for it. The hash is whole, since a signed value must not be met by chance or by
/// search.
pub fn shown_hash(kind: &AskContent, seen: Fingerprint) -> String {
    let mut content = ContentHash::new();
    content.number(seen.0);
    content.kind(kind);
    content
        .hash
        .finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

impl Ask {
    /// Returns the fingerprint of what its human sees and decides about. For an ask through another
    /// Beckon it covers also what that one holds: behind the same labels there may be other values.
    pub fn fingerprint(&self) -> Fingerprint {
        Fingerprint::with(ContentHash::new(), &self.id, &self.kind, self.beyond())
    }

    /// Returns the fingerprint without the arguments of its call, which a source may tell later, or
    /// not again.
    pub fn request_fingerprint(&self) -> Fingerprint {
        // The other Beckon's own fingerprint covers them.
        if self.beyond().is_some() {
            return self.fingerprint();
        }
        Fingerprint::with(ContentHash::of_request(), &self.id, &self.kind, None)
    }

    fn beyond(&self) -> Option<&str> {
        let way = self.session.api.as_deref();
        way.filter(|_| !self.session.via.is_empty())
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for place in (0..LENGTH).rev() {
            let digit = (self.0 >> (6 * place)) & 0x3f;
            fmt::Write::write_char(f, char::from(DIGITS[digit as usize]))?;
        }
        Ok(())
    }
}

/// The error for a text that is not ten digits of a fingerprint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this is no fingerprint of a request")]
pub struct NoFingerprint;

impl FromStr for Fingerprint {
    type Err = NoFingerprint;

    fn from_str(text: &str) -> Result<Self, NoFingerprint> {
        if text.len() != LENGTH {
            return Err(NoFingerprint);
        }
        let digit = |byte| {
            DIGITS
                .iter()
                .position(|digit| *digit == byte)
                .ok_or(NoFingerprint)
        };
        let add = |sum, byte| Ok((sum << 6) | digit(byte)? as u64);
        text.bytes().try_fold(0, add).map(Self)
    }
}

impl Serialize for Fingerprint {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Fingerprint {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <alloc::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// A hash that writes content so that no two contents are written alike: every text with its
/// length, every list with its count, every choice of a type with a number. Values are
/// destructured, so that a new field is not forgotten.
struct ContentHash {
    hash: Sha256,
    /// Whether the arguments of a call are part of it. They may arrive after the request.
    has_input: bool,
}

impl ContentHash {
    fn new() -> Self {
        Self {
            hash: Sha256::new(),
            has_input: true,
        }
    }

    /// Returns the hash of what a source asks, without the arguments of the call.
    fn of_request() -> Self {
        Self {
            has_input: false,
            ..Self::new()
        }
    }

    fn fingerprint(self) -> Fingerprint {
        let hash = self.hash.finalize();
        let first = hash
            .iter()
            .take(8)
            .fold(0, |sum, &byte| (sum << 8) | u64::from(byte));
        Fingerprint(first >> (u64::BITS - BITS))
    }

    fn number(&mut self, number: u64) {
        self.hash.update(number.to_be_bytes());
    }

    fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.hash.update(text);
    }

    fn optional(&mut self, text: Option<&str>) {
        self.number(u64::from(text.is_some()));
        self.text(text.unwrap_or_default());
    }

    fn list<T>(&mut self, items: &[T], write: impl Fn(&mut Self, &T)) {
        self.number(items.len() as u64);
        items.iter().for_each(|item| write(self, item));
    }

    /// Adds a reply. Choices count as a set: the order of the ticks is on no card.
    fn reply(&mut self, reply: &Reply) {
        let Reply { choices, text } = reply;
        let mut ticked = choices.clone();
        ticked.sort_unstable();
        self.list(&ticked, |content, choice| content.number(*choice as u64));
        self.optional(text.as_deref());
    }

    fn kind(&mut self, kind: &AskContent) {
        match kind {
            AskContent::Questions(questions) => {
                self.number(0);
                self.list(questions, Self::question);
            }
            AskContent::Permission(permission) => {
                self.number(1);
                self.permission(permission);
            }
            AskContent::Confirm(info) => {
                self.number(2);
                self.text(info);
            }
            AskContent::Unknown(unknown) => {
                self.number(3);
                self.unknown(unknown);
            }
        }
    }

    fn unknown(&mut self, unknown: &UnknownAsk) {
        let UnknownAsk { asked, raw } = unknown;
        self.number(match asked {
            UnknownShape::Question => 0,
            UnknownShape::Permission => 1,
        });
        self.text(raw);
    }

    fn question(&mut self, question: &Question) {
        let Question {
            header,
            question,
            multiple,
            custom,
            choices,
            limits,
            // The consent is read out of the same text.
            consent: _,
        } = question;
        self.text(header);
        self.text(question);
        self.number(u64::from(*multiple));
        self.number(u64::from(*custom));
        self.list(choices, Self::choice);
        self.number(u64::from(limits.is_some()));
        if let Some(limits) = limits {
            self.limits(limits);
        }
    }

    fn choice(&mut self, choice: &Choice) {
        let Choice {
            label,
            description,
            value,
        } = choice;
        self.text(label);
        self.text(description);
        self.optional(value.as_deref());
    }

    fn limits(&mut self, limits: &AnswerLimits) {
        let AnswerLimits {
            format,
            least,
            most,
            above,
            below,
            step,
            // How the answer travels, and no part of what is asked.
            as_double: _,
            pattern,
            none,
        } = limits;
        let has_more = above.is_some() || below.is_some() || step.is_some() || pattern.is_some();
        let format = match format {
            TextFormat::Text => 0,
            TextFormat::Email => 1,
            TextFormat::Uri => 2,
            TextFormat::Date => 3,
            TextFormat::DateTime => 4,
            TextFormat::Number => 5,
            TextFormat::Integer => 6,
        };
        // Without any of the newer limits the fingerprint is the same as before they existed.
        self.number(if has_more { WITH_MORE + format } else { format });
        self.bounds([least, most]);
        self.number(none.map_or(0, |none| none as u64 + 1));
        if has_more {
            self.bounds([above, below, step]);
            self.optional(pattern.as_deref());
        }
    }

    fn bounds<const COUNT: usize>(&mut self, bounds: [&Option<NumberBound>; COUNT]) {
        /// The mark of a bound that no double keeps.
        const WRITTEN: u64 = 2;

        for bound in bounds {
            let double = bound.as_ref().map(NumberBound::as_double);
            match (bound, double) {
                (Some(bound), Some(None)) => {
                    self.number(WRITTEN);
                    self.text(bound.written());
                }
                (_, double) => {
                    let double = double.flatten();
                    self.number(u64::from(double.is_some()));
                    self.number(double.map_or(0, f64::to_bits));
                }
            }
        }
    }

    fn permission(&mut self, permission: &Permission) {
        // The other asks that the source rejects with it, and what the source does with an answer,
        // are no part of what is decided about.
        let Permission {
            permission,
            patterns,
            always,
            command,
            diff,
            files,
            input,
            left_out,
            rejects: _,
            always_until: _,
            // The paths themselves are in the hash.
            root: _,
        } = permission;
        self.text(permission);
        self.list(patterns, |content, pattern| content.text(pattern));
        self.list(always, |content, pattern| content.text(pattern));
        self.optional(command.as_deref());
        self.optional(diff.as_deref());
        // Without files nothing is written, so that Beckons that do not know of them write the
        // same.
        if !files.is_empty() {
            self.list(files, Self::file);
        }
        if let Some(LeftOut { count, hash }) = left_out {
            // No list has this many items.
            self.number(u64::MAX);
            self.number(*count as u64);
            self.number(u64::from(*hash));
        }
        if self.has_input && !input.arguments.is_empty() {
            self.list(&input.arguments, Self::argument);
        }
    }

    fn file(&mut self, change: &FileChange) {
        self.text(&change.line());
        self.list(&change.paths(), |content, path| content.text(path));
    }

    fn argument(&mut self, argument: &Argument) {
        let Argument { name, value } = argument;
        self.text(name);
        self.text(value);
    }
}

#[cfg(test)]
mod tests;
