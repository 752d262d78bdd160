//! The words of a person on Telegram on where they are, or on a pause. They hold for everybody:
//! from then on nothing comes to the other people's phones either. So the others are told, in
//! silence, with a button that undoes it, and the list says who it was.
//!
//! Not here: what follows from it (the desk).

use crate::channels::telegram::TelegramChannel;
use crate::channels::telegram::button::{self, ListTap};
use crate::channels::telegram::card::{CardButton, CardContext, time};
use crate::channels::telegram::html::{cut, escape, line};
use crate::channels::telegram::outbox::OutgoingNote;
use crate::channels::telegram::updates::update::IncomingUpdate;
use beckon_client::text::Value;
use beckon_core::{Event, PresenceOverride, Timestamp};

/// The length of a name in a sentence, in UTF-16 units.
const NAME: usize = 64;

/// The presence and the pause that were said, as they hold now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::channels::telegram) struct SaidPresence {
    /// The presence that was said, and until when it holds.
    said: (PresenceOverride, Option<Timestamp>),
    /// The name of the person who said that, if it was on Telegram.
    said_by: Option<String>,
    /// The time until which nothing rings.
    paused_until: Option<Timestamp>,
    /// The name of the person who paused, if it was on Telegram.
    paused_by: Option<String>,
}

impl SaidPresence {
    /// Whether readings count for nothing because of what was said.
    pub(in crate::channels::telegram) fn is_said(&self) -> bool {
        self.said.0 != PresenceOverride::Auto
    }

    /// Whether nothing rings.
    pub(in crate::channels::telegram) fn is_paused(&self) -> bool {
        self.paused_until.is_some()
    }

    /// Returns what holds, and who said it, a sentence each; plain.
    pub(in crate::channels::telegram) fn words(&self, scene: &CardContext<'_>) -> Vec<String> {
        let said = self.is_said().then(|| {
            let (key, until) = key_of(self.said.0, self.said.1);
            sentence(
                &format!("telegram-list-{key}"),
                self.said_by.as_deref(),
                until,
                scene,
            )
        });
        let paused = self.paused_until.map(|until| {
            let by = self.paused_by.as_deref();
            sentence("telegram-list-paused", by, Some(until), scene)
        });
        said.into_iter().chain(paused).collect()
    }
}

impl TelegramChannel {
    /// Takes what a person says of where they are.
    pub(in crate::channels::telegram) fn say_presence(
        &mut self,
        heard: &IncomingUpdate,
        said: PresenceOverride,
        until: Option<Timestamp>,
    ) -> Event {
        let name = heard.from.as_ref().map(|from| from.name.clone());
        let (key, until_told) = key_of(said, until);
        let key = format!("telegram-other-{key}");
        let undo = (said != PresenceOverride::Auto).then_some(ListTap::Auto);
        self.tell_others(heard, (&key, until_told), undo);
        self.standing.said = (said, until);
        self.standing.said_by = name;
        self.list_changed();
        Event::Said { said, until }
    }

    /// Takes that a person pauses, or ends the pause.
    pub(in crate::channels::telegram) fn say_pause(
        &mut self,
        heard: &IncomingUpdate,
        until: Option<Timestamp>,
    ) -> Event {
        let name = heard.from.as_ref().map(|from| from.name.clone());
        let key = if until.is_some() {
            "telegram-other-paused"
        } else {
            "telegram-other-resumed"
        };
        self.tell_others(heard, (key, until), until.map(|_| ListTap::Resume));
        self.standing.paused_until = until;
        self.standing.paused_by = name;
        self.list_changed();
        Event::Pause(until)
    }

    /// Takes over what holds by now, whoever said it: it may have been said at the computer, or be
    /// over.
    pub fn note_standing(
        &mut self,
        said: (PresenceOverride, Option<Timestamp>),
        paused_until: Option<Timestamp>,
    ) {
        let mut now = self.standing.clone();
        if now.said != said {
            now.said = said;
            now.said_by = None;
        }
        if now.paused_until != paused_until {
            now.paused_until = paused_until;
            now.paused_by = None;
        }
        if self.standing != now {
            self.standing = now;
            self.list_changed();
        }
    }

    /// Tells everybody but the person who said it, where several people may answer.
    fn tell_others(
        &mut self,
        heard: &IncomingUpdate,
        (key, until): (&str, Option<Timestamp>),
        undo: Option<ListTap>,
    ) {
        let Some(from) = heard.from.as_ref().filter(|_| !self.is_for_one_person()) else {
            return;
        };
        let scene = self.card_context();
        let html = escape(&sentence(key, Some(&from.name), until, &scene));
        let button = undo.map(|tap| {
            let label = match tap {
                ListTap::Resume => self.texts.get("telegram-list-resume"),
                _ => self.texts.get("telegram-list-auto"),
            };
            CardButton::tell(label, button::list(&self.seal, tap))
        });
        let note = OutgoingNote {
            html,
            silent: true,
            keyboard: button.into_iter().map(|button| vec![button]).collect(),
            ..OutgoingNote::default()
        };
        let is_theirs = |chat: i64| chat == heard.place.chat.0 || chat == from.id.0;
        let mut others = self.chats();
        others.retain(|chat| !is_theirs(chat.0));
        for chat in others {
            self.say_once_saved(chat, note.clone());
        }
    }
}

/// Returns the end of a text's key, and the time that the text names.
fn key_of(said: PresenceOverride, until: Option<Timestamp>) -> (&'static str, Option<Timestamp>) {
    let key = match (said, until) {
        (PresenceOverride::Auto, _) => "auto",
        (PresenceOverride::Here, None) => "set-here",
        (PresenceOverride::Here, Some(_)) => "set-here-until",
        (PresenceOverride::Away, None) => "set-away",
        (PresenceOverride::Away, Some(_)) => "set-away-until",
    };
    (key, until)
}

/// Returns the sentence, without a name where that is not known.
fn sentence(
    key: &str,
    by: Option<&str>,
    until: Option<Timestamp>,
    scene: &CardContext<'_>,
) -> String {
    let name = by.map(|by| cut(&line(by), NAME)).unwrap_or_default();
    let is_known = if name.is_empty() { "no" } else { "yes" };
    let time = until.map_or_else(String::new, |at| time::clock(scene, at));
    let args = [
        ("known", Value::from(is_known)),
        ("name", Value::from(name)),
        ("time", Value::from(time)),
    ];
    scene.texts.with(key, &args)
}
