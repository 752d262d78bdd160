//! Whether a server still asks what was answered. After an outage it may be another one, or begun
//! anew, and what it asks by then under the same name is nothing that its human has seen.

use super::api::Api;
use super::dialect::Dialect;
use super::lenient::Items;
use super::requests::Found;
use super::{forms, v2};
use anyhow::{Context, Result};
use beckon_core::{Ask, Failure, AskContent, Returned};

/// One that is not listed, or whose list cannot be read, is left to the answer's own verdict.
///
/// # Errors
/// [`Returned::Changed`] when it asks something else.
pub(super) async fn recheck(api: &Api, ask: &Ask) -> Result<(), Failure> {
    let listed = listed(api, ask).await.unwrap_or_default();
    let named = listed.into_iter().map(Ask::cut).find(|listed| listed.id == ask.id);
    match named {
        Some(now) if now.kind != ask.kind => Err(Failure::Returned(Returned::Changed)),
        _ => Ok(()),
    }
}

/// What waits where that ask does, by the API that it came by.
async fn listed(api: &Api, ask: &Ask) -> Result<Vec<Ask>> {
    let (source, directory) = (&ask.id.source, ask.session.directory.as_str());
    match Dialect::of(&ask.session) {
        Dialect::First => {
            let found = Found { source, directory, dialect: Dialect::First };
            let permission = matches!(ask.kind, AskContent::Permission(_));
            let path = if permission { "/permission" } else { "/question" };
            let items: Items = api.read(path, Some(directory)).await?;
            let items = items.iter().map(|item| item.get());
            Ok(match permission {
                true => items.map(|item| found.permission(item)).collect(),
                false => items.map(|item| found.question(item)).collect(),
            })
        }
        Dialect::Second => v2::in_directory(api, source, directory.to_owned()).await,
        Dialect::Forms => {
            let context = api.forms().context("Failed to look: it is not known as one of 2.x")?;
            forms::list::in_directory(api, source, &context.texts, directory).await
        }
    }
}
