//! Checks whether a server still asks what was answered. After an outage it may be another server,
//! or have started anew, and what it then asks under the same id is nothing that the human has
//! seen.

use crate::sources::opencode::api::OpenCodeApi;
use crate::sources::opencode::dialect::ApiDialect;
use crate::sources::opencode::forms;
use crate::sources::opencode::listing::second_core;
use crate::sources::opencode::peer;
use crate::sources::opencode::requests::RequestContext;
use crate::sources::opencode::sessions::calls;
use crate::sources::opencode::wire::lenient::LenientItems;
use anyhow::{Context, Result};
use beckon_core::{Ask, AskContent, DeliveryFailure, ReturnReason};

/// Checks that the server still asks the same. An ask that is not listed, or whose list is refused
/// or odd, is left to the server's verdict on the answer.
///
/// # Errors
/// [`ReturnReason::Changed`] when it asks something else; [`DeliveryFailure::Other`] when the
/// server cannot be reached, since one that can a moment later may have started anew.
pub(in crate::sources::opencode) async fn recheck(
    api: &OpenCodeApi,
    ask: &Ask,
) -> Result<(), DeliveryFailure> {
    let listed = match listed(api, ask).await {
        Ok(listed) => listed,
        Err(error) if is_nobody_there(&error) => {
            return Err(DeliveryFailure::Other(format!("{error:#}")));
        }
        Err(_) => Vec::new(),
    };
    let named = listed
        .into_iter()
        .map(Ask::cut)
        .find(|listed| listed.id == ask.id);
    match named {
        Some(now) if !is_the_same(api, ask, &now).await => {
            Err(DeliveryFailure::Returned(ReturnReason::Changed))
        }
        _ => Ok(()),
    }
}

/// Tells whether an ask is certainly not asked any more: neither under its own id nor for the same
/// call.
pub(in crate::sources::opencode) async fn has_left_the_list(api: &OpenCodeApi, ask: &Ask) -> bool {
    if peer::is_from_peer(&ask.session) {
        return false;
    }
    let Ok(listed) = listed(api, ask).await else {
        return false;
    };
    let is_it = |listed: &Ask| {
        let is_of_its_call = ask.call.is_some() && listed.call == ask.call;
        listed.id == ask.id || is_of_its_call || listed.session.id.is_empty()
    };
    !listed.iter().any(is_it)
}

/// Tells whether a request found no server, or one that went away before it answered.
pub(super) fn is_nobody_there(error: &anyhow::Error) -> bool {
    let mut causes = error.chain();
    causes.any(|cause| {
        let failed = cause.downcast_ref::<reqwest::Error>();
        failed.is_some_and(reqwest::Error::is_request)
    })
}

/// Tells whether the listed ask is the same as before, and its call is given the same. A call that
/// cannot be read counts as the same.
async fn is_the_same(api: &OpenCodeApi, before: &Ask, now: &Ask) -> bool {
    if !now.kind.is_same_request(&before.kind) {
        return false;
    }
    let known = before.kind.input().filter(|known| !known.is_partial);
    let Some(known) = known else { return true };
    let given = calls::read(api, now).await;
    given.is_none_or(|given| given == *known)
}

/// Lists the asks that wait where that ask does, by the API that it came by.
async fn listed(api: &OpenCodeApi, ask: &Ask) -> Result<Vec<Ask>> {
    let (source, directory) = (&ask.id.source, ask.session.directory.as_str());
    match ApiDialect::of(&ask.session) {
        ApiDialect::First => {
            let found = RequestContext {
                source,
                directory,
                dialect: ApiDialect::First,
            };
            let permission = matches!(ask.kind, AskContent::Permission(_));
            let path = if permission {
                "/permission"
            } else {
                "/question"
            };
            let items: LenientItems = api.read(path, Some(directory)).await?;
            let items = items.iter().map(|item| item.get());
            Ok(if permission {
                items.map(|item| found.permission(item)).collect()
            } else {
                items.map(|item| found.question(item)).collect()
            })
        }
        ApiDialect::Second => second_core::in_directory(api, source, directory.to_owned()).await,
        ApiDialect::Forms => {
            let context = api
                .forms()
                .context("Failed to look: it is not known as one of 2.x")?;
            forms::list::in_directory(api, source, &context.texts, directory).await
        }
    }
}
