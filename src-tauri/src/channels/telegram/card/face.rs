//! The parts that every page of a card shares: the ask with its draft, where it comes from, the
//! agent's last words.

use super::caution::Caution;
use super::sheet::Sheet;
use super::{CardButton, CardContext};
use crate::channels::telegram::button;
use crate::channels::telegram::html::{Html, cut, line, prose};
use beckon_client::text::Value;
use beckon_core::{CardTap, Draft, Entry, Reply, Session};
use std::borrow::Cow;

/// The length of the project's name, in UTF-16 units: a long directory or title must not push the
/// question out of sight.
pub(super) const PROJECT: usize = 40;
const TITLE: usize = 100;
const AGENT: usize = 30;
/// The name of OpenCode's default agent, which is not shown: most sessions have it.
const DEFAULT_AGENT: &str = "build";

/// An ask as it is to be drawn.
pub(super) struct CardContent<'a> {
    pub(super) entry: &'a Entry,
    pub(super) draft: &'a Draft,
    pub(super) scene: &'a CardContext<'a>,
    /// The reasons against a single tap, such as that the card does not show all that it may allow.
    pub(super) cautions: &'a [Caution],
}

/// Returns the answer under way; a new one if none was begun.
pub(super) fn draft(entry: &Entry) -> Cow<'_, Draft> {
    entry
        .draft
        .as_ref()
        .map_or_else(|| Cow::Owned(Draft::new(&entry.ask)), Cow::Borrowed)
}

impl CardContent<'_> {
    pub(super) fn say(&self, key: &str) -> String {
        self.scene.texts.get(key)
    }

    pub(super) fn with(&self, key: &str, args: &[(&str, Value<'_>)]) -> String {
        self.scene.texts.with(key, args)
    }

    pub(super) fn button(&self, label: impl Into<String>, tap: CardTap) -> CardButton {
        CardButton::tell(label, button::of(self.scene.seal, self.entry, tap))
    }

    /// Makes a button whose label is one of our texts.
    pub(super) fn press(&self, key: &str, tap: CardTap) -> CardButton {
        self.button(self.say(key), tap)
    }

    /// Returns what is chosen or written so far for a question.
    pub(super) fn reply(&self, question: usize) -> Option<&Reply> {
        self.draft
            .replies
            .get(question)
            .filter(|reply| **reply != Reply::default())
    }

    /// Writes where the ask comes from, plain: `shop-api · Pick a storage engine · plan`.
    pub(super) fn origin(&self, sheet: &mut Sheet) {
        let session = &self.entry.ask.session;
        let name = name(session).unwrap_or_else(|| line(&self.entry.ask.id.source.0));
        self.second_line([Some(name).filter(|name| !name.is_empty())], sheet);
    }

    /// Writes the line below the title: these parts, and who of the session asks.
    pub(super) fn second_line<const N: usize>(
        &self,
        parts: [Option<String>; N],
        sheet: &mut Sheet,
    ) {
        let parts: Vec<_> = parts
            .into_iter()
            .flatten()
            .chain(self.machine())
            .chain(self.who())
            .collect();
        if !parts.is_empty() {
            sheet.fixed(Html::plain(&parts.join(" · ")));
        }
    }

    /// Returns the name of the machine that asks, where it is another one.
    fn machine(&self) -> Option<String> {
        let machine = cut(&line(self.entry.ask.machine()?), AGENT);
        Some(self.with("place-machine", &[("machine", machine.into())]))
    }

    /// Returns the agent that asks, when its name says something, and whether it is a subagent.
    fn who(&self) -> impl Iterator<Item = String> {
        let session = &self.entry.ask.session;
        let agent = session.agent.as_deref().map(line);
        let agent = agent.filter(|agent| agent != DEFAULT_AGENT && !agent.is_empty());
        let parent = session
            .parent
            .as_ref()
            .map(|_| self.say("telegram-subagent"));
        agent
            .map(|name| cut(&name, AGENT))
            .into_iter()
            .chain(parent)
    }

    /// Writes what the agent said before it asked.
    pub(super) fn quote(&self, sheet: &mut Sheet) {
        sheet.quote(
            self.entry
                .ask
                .session
                .last_words
                .as_deref()
                .map(prose)
                .unwrap_or_default(),
        );
    }
}

/// Returns the session's project, and its title.
pub(super) fn names(session: &Session) -> [Option<String>; 2] {
    let project = cut(&line(session.project()), PROJECT);
    let title = cut(&line(session.title.as_deref().unwrap_or_default()), TITLE);
    [project, title].map(|name| Some(name).filter(|name| !name.is_empty()))
}

/// Returns `shop-api · Pick a storage engine`, as much of it as is known.
pub(in crate::channels::telegram) fn name(session: &Session) -> Option<String> {
    let parts: Vec<_> = names(session).into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(" · "))
}
