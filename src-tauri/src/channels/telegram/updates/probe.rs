//! The probe that finds out whether another program polls. It polls in a way that takes nothing:
//! without an offset nothing is acknowledged, and the other program gets all updates all the same
//! (<https://core.telegram.org/bots/api#getupdates>).

use crate::channels::telegram::api::{BotApi, CallError};
use crate::channels::telegram::updates::poll::kinds;
use beckon_core::hub::Probe;
use serde_json::Value;
use std::time::Duration;
use teloxide::payloads::{GetUpdates, GetUpdatesSetters};

/// The time for which it listens, in seconds: longer than another program waits that was disturbed.
const LISTEN: u32 = 12;
/// The pause after a call without a verdict.
const AGAIN: Duration = Duration::from_secs(5);

/// Listens for so long that any other program that polls would have been noticed.
pub(in crate::channels::telegram) async fn probe(api: &BotApi) -> Probe {
    loop {
        match listen(api).await {
            Ok(found) => return found,
            Err(CallError::OtherPoller | CallError::Webhook) => return Probe::Served,
            Err(trouble) => {
                tracing::debug!(%trouble, "the check for other pollers failed");
                tokio::time::sleep(AGAIN).await;
            }
        }
    }
}

/// Listens once. An update that waits is handed out at once: another program that polls takes it
/// meanwhile.
async fn listen(api: &BotApi) -> Result<Probe, CallError> {
    let Some(first) = first_update(api).await? else {
        return Ok(Probe::Free);
    };
    tokio::time::sleep(Duration::from_secs(LISTEN.into())).await;
    let is_there_still = first_update(api).await?.is_some_and(|still| still == first);
    Ok(if is_there_still {
        Probe::Free
    } else {
        Probe::Served
    })
}

async fn first_update(api: &BotApi) -> Result<Option<i64>, CallError> {
    let call = GetUpdates::new()
        .timeout(LISTEN)
        .limit(1)
        .allowed_updates(kinds());
    let updates: Vec<Value> = api.call(&call).await?;
    Ok(updates
        .first()
        .and_then(|update| update["update_id"].as_i64()))
}
