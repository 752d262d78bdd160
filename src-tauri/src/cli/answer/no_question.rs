//! The message for a human who answers a request by choice or text that has no questions: what it
//! asks, and the commands that answer it.

use crate::cli::list::title;
use beckon_client::text::{Texts, Value};
use beckon_client::wire::{ListedAsk, Permission};

pub(super) fn words(texts: &Texts, ask: &ListedAsk) -> String {
    let id = ("id", Value::from(ask.id.clone()));
    let asked = |what: String| [id.clone(), ("what", Value::from(what))];
    match (&ask.unknown, &ask.permission) {
        (Some(_), _) => texts.get("answer-unknown"),
        (None, Some(permission)) => texts.with(
            of_permission(permission),
            &asked(title(texts, ask, permission)),
        ),
        (None, None) => match ask.info.as_deref().and_then(|info| info.lines().next()) {
            Some(said) => texts.with("answer-confirm", &asked(said.to_owned())),
            None => texts.with("answer-confirm-plain", &[id]),
        },
    }
}

/// Returns the text for a permission. Nothing can be allowed for good that its agent doesn't offer.
fn of_permission(permission: &Permission) -> &'static str {
    if permission.always.is_empty() {
        "answer-permission-once"
    } else {
        "answer-permission"
    }
}
