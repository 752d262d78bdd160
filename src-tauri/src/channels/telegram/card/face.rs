//! What every page of a card shares: the ask with its draft, the head line, the agent's last words.

use super::caution::Caution;
use super::sheet::Sheet;
use super::{CardButton, CardContext};
use crate::channels::telegram::button;
use crate::channels::telegram::html::{Html, Style, cut, line};
use beckon_client::text::Value;
use beckon_core::{Ask, CardTap, Draft, Entry, Reply, Session};
use std::borrow::Cow;

/// A long directory or title must not push the question out of sight. In UTF-16 units.
const PROJECT: usize = 40;
const TITLE: usize = 100;
const AGENT: usize = 30;
const QUOTE: usize = 300;
/// OpenCode's own; said of every session it says nothing.
const DEFAULT_AGENT: &str = "build";

/// An ask as it is to be drawn.
pub(super) struct CardContent<'a> {
    pub(super) entry: &'a Entry,
    pub(super) draft: &'a Draft,
    pub(super) scene: &'a CardContext<'a>,
    /// What it does not show of what it may allow.
    pub(super) cautions: &'a [Caution],
}

/// The answer under way; a new one where nobody has begun.
pub(super) fn draft(entry: &Entry) -> Cow<'_, Draft> {
    entry.draft.as_ref().map_or_else(|| Cow::Owned(Draft::new(&entry.ask)), Cow::Borrowed)
}

impl CardContent<'_> {
    pub(super) fn say(&self, key: &str) -> String {
        self.scene.texts.get(key)
    }

    pub(super) fn with(&self, key: &str, args: &[(&str, Value<'_>)]) -> String {
        self.scene.texts.with(key, args)
    }

    pub(super) fn button(&self, label: impl Into<String>, tap: CardTap) -> CardButton {
        let data = button::data(self.scene.seal, self.entry.target(), tap);
        CardButton { label: label.into(), data }
    }

    /// A button whose label is one of our texts.
    pub(super) fn press(&self, key: &str, tap: CardTap) -> CardButton {
        self.button(self.say(key), tap)
    }

    /// What is under way for a question.
    pub(super) fn reply(&self, question: usize) -> Option<&Reply> {
        self.draft.replies.get(question).filter(|reply| **reply != Reply::default())
    }

    /// Who asks: project, title, and which agent when that says something.
    pub(super) fn head(&self, emoji: &str) -> Html {
        let session = &self.entry.ask.session;
        let name = name(session).unwrap_or_else(|| line(&self.entry.ask.id.source.0));
        let head = Html::plain(&format!("{emoji} ")).and(Html::bold(&name));
        let agent = session.agent.as_deref().map(line);
        let agent = agent.filter(|agent| agent != DEFAULT_AGENT && !agent.is_empty());
        let parent = session.parent.as_ref().map(|_| self.say("telegram-subagent"));
        let who: Vec<_> = agent.iter().map(|name| cut(name, AGENT)).chain(parent).collect();
        match who.is_empty() {
            true => head,
            false => head.and(Html::plain(&format!(" ({})", who.join(", ")))),
        }
    }

    /// What the agent said before it asked.
    pub(super) fn quote(&self, sheet: &mut Sheet) {
        let words = self.entry.ask.session.last_words.as_deref().map(line);
        if let Some(words) = words.filter(|words| !words.is_empty()) {
            let quoted = self.with("telegram-quote", &[("text", cut(&words, QUOTE).into())]);
            sheet.fixed(Html::styled(Style::Italic, &quoted));
        }
    }
}

/// `shop-api · Pick a storage engine`, as much of it as is known.
pub(in crate::channels::telegram) fn name(session: &Session) -> Option<String> {
    let project = cut(&line(session.project()), PROJECT);
    let title = cut(&line(session.title.as_deref().unwrap_or_default()), TITLE);
    let parts: Vec<_> = [project, title].into_iter().filter(|part| !part.is_empty()).collect();
    (!parts.is_empty()).then(|| parts.join(" · "))
}

/// The shortest name of where an ask comes from.
pub(in crate::channels::telegram) fn place(ask: &Ask) -> String {
    let session = &ask.session;
    let names = [session.project(), session.title.as_deref().unwrap_or_default(), &ask.id.source.0];
    let named = names.into_iter().map(line).find(|name| !name.is_empty());
    cut(&named.unwrap_or_default(), PROJECT)
}
