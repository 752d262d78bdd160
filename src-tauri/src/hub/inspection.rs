//! The inspection of a hub, part by part, for a person who wants to know what is amiss.

use super::fault::HubFault;
use super::login::WITHIN;
use super::reaching::{Member, NewestDesk};
use super::streams;
use beckon_client::config::HubConfig;
use beckon_client::platform::clock;
use beckon_core::hub::DeskRecord;
use beckon_core::{Span, Timestamp};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use tokio::time::timeout;

/// The findings at a hub that lets this device in.
#[derive(Debug)]
pub(crate) struct HubFindings {
    /// The server's version.
    pub(crate) version: String,
    /// The time that an answer of the server takes.
    pub(crate) takes: Duration,
    /// The time by which its clock is ahead of this one's, if it tells.
    pub(crate) ahead: Option<Span>,
    /// The streams that are missing, or have other rules.
    pub(crate) odd_streams: Result<Vec<String>, HubFault>,
    /// The record of who belongs to the desk, where somebody administers one.
    pub(crate) desk: Result<NewestDesk, HubFault>,
    /// The devices that were heard of lately, each with the version of its Beckon.
    pub(crate) there: Result<BTreeMap<String, Option<String>>, HubFault>,
    /// Whether this device administers the hub.
    pub(crate) is_admin: bool,
}

/// Connects to the hub and checks all its parts.
///
/// # Errors
/// When the hub is not reached, or does not let this device in.
pub(crate) async fn inspect(
    config: &HubConfig,
    known: Option<DeskRecord>,
) -> Result<HubFindings, HubFault> {
    let member = Member::reach(config).await?;
    let began = Instant::now();
    let flushed = async {
        match timeout(WITHIN, member.hub.client.flush()).await {
            Ok(Ok(())) => Ok(()),
            _ => Err(HubFault::Unreachable("it does not answer".into())),
        }
    };
    member.hub.unless_forbidden(flushed).await?;
    let takes = began.elapsed();
    let desk = member.newest_desk(known).await;
    let listed = desk.as_ref().ok().and_then(|newest| newest.desk.as_ref());
    let there = member.there(listed).await;
    Ok(HubFindings {
        version: member.hub.client.server_info().version,
        takes,
        ahead: ahead(&member).await,
        odd_streams: odd_streams(&member, config.admin.is_some()).await,
        desk,
        there,
        is_admin: member.is_admin(),
    })
}

async fn odd_streams(member: &Member, has_desk: bool) -> Result<Vec<String>, HubFault> {
    let jetstream = member.hub.jetstream();
    let looked = async { Ok(streams::odd(&jetstream, has_desk).await?) };
    member.hub.unless_forbidden(looked).await
}

/// Returns by how much the server's clock is ahead, by the time in its answers; an old server has
/// none there.
async fn ahead(member: &Member) -> Option<Span> {
    #[derive(Deserialize)]
    struct Stamped {
        ts: String,
    }
    let subject = format!("$JS.API.STREAM.INFO.{}", streams::ASKS);
    let sent = clock::now();
    let asked = timeout(WITHIN, member.hub.client.request(subject, "".into())).await;
    let middle = Timestamp(sent.0.midpoint(clock::now().0));
    let stamped: Stamped = serde_json::from_slice(&asked.ok()?.ok()?.payload).ok()?;
    let there: jiff::Timestamp = stamped.ts.parse().ok()?;
    Some(Timestamp(there.as_millisecond()) - middle)
}
