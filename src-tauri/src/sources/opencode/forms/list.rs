//! Reads the whole open list of a 2.x server: where sessions run, the forms and permissions of those
//! directories. A server ends a form together with its turn, so what is listed is waited for.

use super::super::api::Api;
use super::super::dialect::Dialect;
use super::super::listing::Whole;
use super::super::v2::{Data, PermissionRequest, running};
use super::super::wire::Health;
use super::wire::Form;
use crate::clock;
use crate::texts::Texts;
use anyhow::Result;
use beckon_core::{Ask, Listing, SourceId};
use futures_util::{StreamExt, stream};
use std::collections::BTreeSet;

/// Directories read at once.
const AT_ONCE: usize = 8;

/// Fails when it cannot be found out where sessions run. `known` are directories that need not be
/// found out.
pub(in super::super) async fn read(
    api: &Api,
    source: &SourceId,
    texts: &Texts,
    known: &BTreeSet<String>,
) -> Result<Whole> {
    let version = super::version(api).await;
    let health = Some(Health { version, kin: None });
    let directories: BTreeSet<String> = running(api).await?.into_values().collect();
    let all: BTreeSet<String> = directories.union(known).cloned().collect();
    let reads = stream::iter(all).map(|directory| async move {
        let asks = in_directory(api, source, texts, &directory).await;
        (directory, asks)
    });
    let mut reads = reads.buffer_unordered(AT_ONCE);
    let mut listing = Listing::default();
    while let Some((directory, read)) = reads.next().await {
        match read {
            Ok(asks) => listing.asks.extend(asks.into_iter().map(|ask| (ask, true))),
            Err(error) => {
                let error = format!("{error:#}");
                tracing::warn!(%source, directory, error, "cannot be read");
                listing.unread.insert(directory);
            }
        }
    }
    Ok(Whole { listing, directories, health })
}

async fn in_directory(
    api: &Api,
    source: &SourceId,
    texts: &Texts,
    directory: &str,
) -> Result<Vec<Ask>> {
    let (forms, permissions) = tokio::try_join!(
        api.read_at::<Data<Vec<Form>>>("/api/form", directory),
        api.read_at::<Data<Vec<PermissionRequest>>>("/api/permission/request", directory),
    )?;
    let now = clock::now();
    let forms = forms.data.iter().map(|form| form.ask(source, directory, texts, now));
    let permissions = permissions.data.into_iter();
    let permissions = permissions.map(|asked| asked.into_ask(source, directory, now));
    Ok(forms.chain(permissions.map(|ask| Dialect::Forms.marks(ask))).collect())
}
