//! Fetches, lazily, what a card says of its session: title, agent, parent, last words.

use super::Reporter;
use super::api::Api;
use super::wire::{Message, SessionInfo};
use beckon_core::{Ask, Session, SourceReport};

/// Asks the server beside everything else; a failure leaves the card as it is.
pub(super) fn describe(api: &Api, reporter: &Reporter, ask: &Ask) {
    let (api, reporter, ask) = (api.clone(), reporter.clone(), ask.clone());
    tokio::spawn(async move {
        let directory = Some(ask.session.directory.as_str());
        let path = format!("/session/{}", ask.session.id);
        let session = api.read::<SessionInfo>(&path, directory).await;
        let message = match &ask.call {
            Some(call) => api
                .read::<Message>(&format!("{path}/message/{}", call.message), directory)
                .await
                .ok(),
            None => None,
        };
        match session {
            Ok(info) => reporter.tell(SourceReport::Described(described(info, message, &ask))),
            Err(error) => {
                tracing::debug!(ask = %ask.id, error = format!("{error:#}"), "no details");
            }
        }
    });
}

/// What `session.updated` says anew.
pub(super) fn renamed(info: SessionInfo) -> Session {
    Session { id: info.id, title: info.title, agent: info.agent, ..Session::default() }
}

fn described(info: SessionInfo, message: Option<Message>, ask: &Ask) -> Session {
    let (agent, last_words) = match message {
        Some(message) => {
            let words = last_words(&message);
            (message.info.agent, words)
        }
        None => (None, None),
    };
    Session {
        id: info.id,
        title: info.title,
        directory: ask.session.directory.clone(),
        agent: info.agent.or(agent),
        parent: info.parent_id,
        last_words,
    }
}

fn last_words(message: &Message) -> Option<String> {
    let texts = message.parts.iter().filter(|part| part.kind == "text");
    let last = texts.filter_map(|part| part.text.as_deref()).rfind(|text| !text.trim().is_empty());
    last.map(|text| text.trim().to_owned())
}
