//! The checks that are made on request.

use super::ApiState;
use super::local_asks::{self, AskerBody, QuestionBody};
use crate::app::selftest;
use crate::sources::opencode::wire::{OptionInfo, QuestionInfo};
use axum::Json;
use axum::extract::State;
use axum::response::Response;
use beckon_client::wire::{Finding, TEST_QUESTION_WITHIN};

/// Handles `POST /selftest`: a pretend question through every leg.
pub(super) async fn self_test(State(room): State<ApiState>) -> Json<Vec<Finding>> {
    Json(selftest::run(&room.mailbox, &room.history, &room.texts).await)
}

/// Handles `POST /selftest/question`: asks the human something, as an agent would; 200 with the
/// answer, as `POST /question?wait=` gives it.
pub(super) async fn test_question(State(room): State<ApiState>) -> Response {
    let text = |part: &str| room.texts.get(&format!("test-question{part}"));
    let option = |part| OptionInfo {
        label: text(part),
        description: String::new(),
    };
    let question = QuestionInfo {
        question: text(""),
        header: text("-title"),
        options: vec![option("-yes"), option("-no")],
        custom: Some(false),
        ..QuestionInfo::default()
    };
    let title = Some(text("-title"));
    let asker = AskerBody {
        directory: title.clone(),
        title,
        ..AskerBody::default()
    };
    let asking = QuestionBody {
        questions: vec![question],
        limits: Vec::new(),
        asker,
    };
    local_asks::ask_and_wait(&room, asking, TEST_QUESTION_WITHIN).await
}
