//! The pairings as entries that the machines of one bot share, each with a name and a value.
//!
//! Not here: which of two entries holds (`beckon_core::hub`).

use super::pairings::{ChatId, PairedGroup, PairedPerson, PairingChange, Pairings, UserId};
use crate::channels::telegram::{TelegramChannel, words};
use beckon_core::hub::{ChatChange, MarkedEntry};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Serialize, Deserialize)]
struct SharedPerson {
    name: String,
    private: bool,
}

#[derive(Serialize, Deserialize)]
struct SharedGroup {
    chat: i64,
    title: String,
    topics: bool,
}

const PERSON: &str = "person:";
const GROUP: &str = "group";
const TOPIC: &str = "topic:";
const LIST: &str = "list:";

/// Returns the entries of this machine's pairings.
fn entries(pairings: &Pairings) -> BTreeMap<String, String> {
    let person = |person: &PairedPerson| {
        let PairedPerson { id, name, private } = person;
        let said = SharedPerson {
            name: name.clone(),
            private: *private,
        };
        (format!("{PERSON}{}", id.0), json(&said))
    };
    let group = |group: &PairedGroup| {
        let PairedGroup {
            chat,
            title,
            topics,
        } = group;
        let said = SharedGroup {
            chat: chat.0,
            title: title.clone(),
            topics: *topics,
        };
        (GROUP.to_owned(), json(&said))
    };
    let topic = |(project, thread): (&String, &i32)| (format!("{TOPIC}{project}"), json(thread));
    let list = |(chat, message): (&ChatId, &i32)| (format!("{LIST}{}", chat.0), json(message));
    let people = pairings
        .people
        .values()
        .map(person)
        .chain(pairings.group.iter().map(group));
    people
        .chain(pairings.topics.iter().map(topic))
        .chain(pairings.lists.iter().map(list))
        .collect()
}

/// Returns the change that an entry makes here. An entry whose value cannot be read counts as one
/// that was removed: nobody is paired by it.
fn change((name, MarkedEntry { value, .. }): &ChatChange) -> Option<PairingChange> {
    let value = value.as_deref();
    if name == GROUP {
        let group = value.and_then(read::<SharedGroup>);
        let group = group.map(
            |SharedGroup {
                 chat,
                 title,
                 topics,
             }| PairedGroup {
                chat: ChatId(chat),
                title,
                topics,
            },
        );
        return Some(PairingChange::Group(group));
    }
    if let Some(id) = name.strip_prefix(PERSON) {
        let id = UserId(id.parse().ok()?);
        let person = value.and_then(read::<SharedPerson>);
        return Some(match person {
            Some(SharedPerson { name, private }) => {
                PairingChange::Person(PairedPerson { id, name, private })
            }
            None => PairingChange::NoPerson(id),
        });
    }
    if let Some(project) = name.strip_prefix(TOPIC) {
        return Some(PairingChange::Topic(
            project.to_owned(),
            value.and_then(read),
        ));
    }
    let chat = ChatId(name.strip_prefix(LIST)?.parse().ok()?);
    Some(PairingChange::List(chat, value.and_then(read)))
}

impl TelegramChannel {
    /// Returns the entries for the machines that share the bot: who may answer, and which messages
    /// are the lists and topics.
    pub fn shared_chats(&self) -> BTreeMap<String, String> {
        entries(&self.pairings)
    }

    /// Takes over what another machine knows better. Returns what is to be committed here.
    pub fn take_over_chats(&mut self, changes: &[ChatChange]) -> Vec<PairingChange> {
        let (before, group) = (self.pairings.chats(), self.pairings.group.clone());
        let changes = self.apply_changes(changes.iter().filter_map(change).collect());
        let after = self.pairings.chats();
        for chat in before.iter().filter(|chat| !after.contains(chat)) {
            self.leave_chat(*chat);
            let is_group = self
                .pairings
                .group
                .as_ref()
                .is_some_and(|it| it.chat == *chat);
            let html = if is_group {
                words::nobody_left(&self.card_context())
            } else {
                words::unpaired(&self.card_context())
            };
            self.send_note_once_saved(*chat, html);
        }
        if self.pairings.group != group {
            self.send_topics();
        }
        if after.iter().any(|chat| !before.contains(chat)) {
            self.report_availability_anew();
        } else {
            self.report_availability();
        }
        changes
    }
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

fn read<T: DeserializeOwned>(text: &str) -> Option<T> {
    serde_json::from_str(text).ok()
}
