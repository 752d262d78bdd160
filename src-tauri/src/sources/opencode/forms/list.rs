//! Reads the whole open list of a 2.x server: the directories where sessions run, and the forms and
//! permissions of those. A server ends a form together with its turn, so an agent waits for each
//! that is listed.

use super::super::api::OpenCodeApi;
use super::super::listing::second_core::{RunningSessions, running};
use super::super::requests::RequestContext;
use super::super::wire::ServerHealth;
use super::super::wire::lenient::LenientItems;
use super::super::wire::v2::DataEnvelope;
use crate::sources::UnreadParts;
use crate::sources::opencode::dialect::ApiDialect;
use anyhow::Result;
use beckon_client::text::Texts;
use beckon_core::{Ask, SourceId, SourceListing};
use futures_util::{StreamExt, stream};
use std::collections::BTreeSet;

/// The number of directories that are read at once.
const AT_ONCE: usize = 8;

/// The open list of a 2.x server.
pub(in super::super) struct FormList {
    pub(in super::super) listing: SourceListing,
    /// The directories where sessions run.
    pub(in super::super) directories: BTreeSet<String>,
    pub(in super::super) health: Option<ServerHealth>,
    pub(in super::super) gaps: UnreadParts,
}

/// Reads the list. `known` are directories that need not be found out. Fails when it cannot be
/// found out which sessions run.
pub(in super::super) async fn read(
    api: &OpenCodeApi,
    source: &SourceId,
    texts: &Texts,
    known: &BTreeSet<String>,
) -> Result<FormList> {
    let version = super::version(api).await;
    let health = Some(ServerHealth { version, kin: None });
    let RunningSessions { sessions, trouble } = running(api).await?;
    let directories: BTreeSet<String> = sessions.into_values().collect();
    let all: BTreeSet<String> = directories.union(known).cloned().collect();
    let reads = stream::iter(all).map(|directory| async move {
        let asks = in_directory(api, source, texts, &directory).await;
        (directory, asks)
    });
    let mut reads = reads.buffer_unordered(AT_ONCE);
    let (mut listing, mut reason) = (SourceListing::default(), trouble);
    let projects = usize::from(reason.is_some());
    while let Some((directory, read)) = reads.next().await {
        match read {
            Ok(asks) => listing.asks.extend(asks.into_iter().map(|ask| (ask, true))),
            Err(error) => {
                listing.unread.insert(directory);
                reason = Some(error);
            }
        }
    }
    let reason = reason.map(|error| format!("{error:#}"));
    let gaps = UnreadParts {
        directories: listing.unread.len(),
        projects,
        reason,
    };
    Ok(FormList {
        listing,
        directories,
        health,
        gaps,
    })
}

/// Reads what waits in one directory.
pub(in super::super) async fn in_directory(
    api: &OpenCodeApi,
    source: &SourceId,
    texts: &Texts,
    directory: &str,
) -> Result<Vec<Ask>> {
    let (forms, permissions) = tokio::try_join!(
        api.read_at::<DataEnvelope<LenientItems>>("/api/form", directory),
        api.read_at::<DataEnvelope<LenientItems>>("/api/permission/request", directory),
    )?;
    let found = RequestContext {
        source,
        directory,
        dialect: ApiDialect::Forms,
    };
    let forms = forms.data.iter().map(|form| found.form(form.get(), texts));
    let permissions = permissions
        .data
        .iter()
        .map(|item| found.permission(item.get()));
    Ok(forms.chain(permissions).collect())
}
