//! The requests about the hub, on which machines share what they ask: this machine joins, leaves,
//! and takes others off where it may.

use super::error::ApiError;
use super::settings::{ONE_AT_A_TIME, file, take_over};
use super::{ApiState, problem};
use crate::hub::IS_BUILT;
use crate::hub::fault::{DeskRefusal, HubFault, MembershipFault};
use crate::hub::membership::{self, JoinedMachine};
use crate::platform::account;
use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use beckon_client::text::Texts;
use beckon_client::wire::{HubJoined, HubLeft, HubView, JoinBody, RemoveBody};

// The client waits until the join has come to an end.
#[cfg(feature = "hub")]
const _: () = assert!(crate::hub::joining::LONGEST < beckon_client::wire::HUB_WITHIN.as_secs());

/// Handles `GET /hub`.
pub(super) async fn look(State(room): State<ApiState>) -> Json<HubView> {
    Json(room.mailbox.hub().await)
}

/// Handles `POST /hub/join`.
pub(super) async fn join(State(room): State<ApiState>, Json(wish): Json<JoinBody>) -> Response {
    to_its_end(room.clone(), async move {
        if !IS_BUILT {
            return Err(MembershipFault::NotBuilt);
        }
        let _turn = ONE_AT_A_TIME.lock().await;
        let unnamed = || room.texts.get("hub-unnamed");
        let name = wish.name.or_else(account::machine).unwrap_or_else(unnamed);
        let joined = membership::join(&room.paths, &wish.code, name).await?;
        follow_settings(&room);
        let JoinedMachine {
            hub,
            device,
            person,
        } = joined;
        Ok(HubJoined {
            url: hub.url,
            device,
            person,
        })
    })
    .await
}

/// Leaves the hub (`POST /hub/leave`). If this machine serves the bot, it lets go of it before the
/// hub is told: otherwise the next one would have to wait until the hub forgets the lease.
pub(super) async fn leave(State(room): State<ApiState>) -> Response {
    to_its_end(room.clone(), async move {
        let _turn = ONE_AT_A_TIME.lock().await;
        let hub = membership::leave(&room.paths)?;
        room.mailbox.leave_hub().await;
        follow_settings(&room);
        let told = membership::tell(&hub).await;
        let bot = room.mailbox.glance().await.telegram.bot;
        Ok(HubLeft {
            bot,
            ..left(&room.texts, hub.url, told)
        })
    })
    .await
}

/// Handles `POST /hub/remove`.
pub(super) async fn remove(State(room): State<ApiState>, Json(wish): Json<RemoveBody>) -> Response {
    to_its_end(room.clone(), async move {
        membership::remove(&room.paths, wish.device).await?;
        Ok(true)
    })
    .await
}

/// Runs the work to its end, also if the client does not wait for it: half of it is worse than all.
async fn to_its_end<T: serde::Serialize + Send + 'static>(
    room: ApiState,
    work: impl Future<Output = Result<T, MembershipFault>> + Send + 'static,
) -> Response {
    match tokio::spawn(work).await {
        Ok(Ok(done)) => Json(done).into_response(),
        Ok(Err(fault)) => problem(&room, &ApiError::Hub(fault)),
        Err(_) => problem(&room, &ApiError::Stopping),
    }
}

/// Tells the loop to take over the settings file as it is now. If that fails, it is only logged:
/// the loop watches the file too.
fn follow_settings(room: &ApiState) {
    if let Err(error) = file(room).and_then(|file| take_over(room, &file)) {
        tracing::warn!(
            error = format!("{error:#}"),
            "the new settings can't be read"
        );
    }
}

/// Returns how leaving the hub at that address has ended.
pub(crate) fn left(texts: &Texts, url: String, told: Result<(), HubFault>) -> HubLeft {
    let (serves, untold) = match told {
        Ok(()) => (false, None),
        Err(HubFault::Refused(DeskRefusal::Admin)) => (true, None),
        Err(fault) => (false, Some(fault.words(texts))),
    };
    HubLeft {
        url,
        serves,
        untold,
        bot: None,
    }
}
