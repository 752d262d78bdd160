//! Checks that somebody asks for.

use super::Room;
use crate::mailbox::Input;
use crate::selftest;
use crate::wire::Finding;
use axum::Json;
use axum::extract::State;

/// `POST /selftest`: a pretend question through every leg.
pub(super) async fn self_test(State(room): State<Room>) -> Json<Vec<Finding>> {
    Json(selftest::run(&room.mailbox, &room.history, &room.texts).await)
}

/// `POST /notifications/test`: a notification that nobody has to answer.
pub(super) async fn test_notification(State(room): State<Room>) -> Json<bool> {
    room.mailbox.input(Input::Hint);
    Json(true)
}
