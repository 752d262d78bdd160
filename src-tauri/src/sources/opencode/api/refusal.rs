//! The meaning of a server's refusal of an answer.

use beckon_core::{DeliveryFailure, ReturnReason};
use reqwest::StatusCode;
use serde::Deserialize;

/// The body of an error.
#[derive(Debug, Deserialize)]
struct FormRefusal {
    #[serde(rename = "_tag")]
    tag: String,
    message: String,
}

/// Returns what a refused delivery means.
///
/// 1. An answer that does not fit its form comes back to the human, with the server's reason.
/// 2. A request that is refused as such is tried again for a while: 4xx, except for statuses that
///    are about who asks or when (RFC 9110, 15.5).
/// 3. Where a server failed on the way, a proxy lost the request, or the answer is a redirection,
///    the human's answer may have been taken before.
/// 4. Anything else is tried again.
pub(in crate::sources::opencode) fn refusal(status: StatusCode, body: &str) -> DeliveryFailure {
    let refused: Option<FormRefusal> = serde_json::from_str(body).ok();
    match refused.filter(|refused| refused.tag == "FormInvalidAnswerError") {
        Some(refused) => DeliveryFailure::Returned(ReturnReason::Refused(refused.message)),
        None if status.is_client_error() && !may_pass(status) => {
            DeliveryFailure::Refused(format!("it answers {status}"))
        }
        None if has_failed_midway(status) || status.is_redirection() => {
            DeliveryFailure::Unanswered(format!("it answers {status}"))
        }
        None => DeliveryFailure::Other(format!("it answers {status}")),
    }
}

/// Tells whether the server may have begun with the request, or handed it on (RFC 9110, 15.6).
fn has_failed_midway(status: StatusCode) -> bool {
    matches!(
        status,
        StatusCode::INTERNAL_SERVER_ERROR | StatusCode::BAD_GATEWAY | StatusCode::GATEWAY_TIMEOUT
    )
}

/// Tells whether the same request may be taken later.
fn may_pass(status: StatusCode) -> bool {
    matches!(
        status,
        StatusCode::UNAUTHORIZED
            | StatusCode::FORBIDDEN
            | StatusCode::PROXY_AUTHENTICATION_REQUIRED
            | StatusCode::REQUEST_TIMEOUT
            | StatusCode::LOCKED
            | StatusCode::TOO_EARLY
            | StatusCode::TOO_MANY_REQUESTS
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_be_taken_later_is_tried_again_and_what_cannot_be_is_not_for_long() {
        let of = |status: StatusCode| refusal(status, "{}");
        for status in [
            StatusCode::BAD_REQUEST,
            StatusCode::NOT_FOUND,
            StatusCode::CONFLICT,
        ] {
            assert!(
                matches!(of(status), DeliveryFailure::Refused(_)),
                "{status}"
            );
        }
        for status in [
            StatusCode::UNAUTHORIZED,
            StatusCode::TOO_MANY_REQUESTS,
            StatusCode::REQUEST_TIMEOUT,
            StatusCode::SERVICE_UNAVAILABLE,
        ] {
            assert!(matches!(of(status), DeliveryFailure::Other(_)), "{status}");
        }
        for status in [
            StatusCode::INTERNAL_SERVER_ERROR,
            StatusCode::BAD_GATEWAY,
            StatusCode::GATEWAY_TIMEOUT,
            StatusCode::FOUND,
            StatusCode::TEMPORARY_REDIRECT,
        ] {
            let told = of(status);
            assert!(matches!(told, DeliveryFailure::Unanswered(_)), "{status}");
        }
    }

    #[test]
    fn an_answer_that_does_not_fit_comes_back_with_what_the_server_says() {
        let body = |tag: &str| format!(r#"{{"_tag":"{tag}","message":"no such colour"}}"#);
        let told = refusal(StatusCode::BAD_REQUEST, &body("FormInvalidAnswerError"));
        let why = ReturnReason::Refused("no such colour".into());
        assert_eq!(told, DeliveryFailure::Returned(why));
        let other = refusal(StatusCode::BAD_REQUEST, &body("BadRequest"));
        assert!(matches!(other, DeliveryFailure::Refused(_)), "{other:?}");
    }
}
