//! The answers with `"ok": false`, and whose fault they are.
//!
//! The texts are those of the official server, as far as its source or users' reports show them.

use serde_json::{Value, json};

/// An error as the Bot API answers it: <https://core.telegram.org/bots/api#making-requests>.
#[derive(Clone, Debug)]
pub(super) struct Refusal {
    pub(super) code: u16,
    pub(super) description: String,
    /// <https://core.telegram.org/bots/api#responseparameters>, or null.
    pub(super) parameters: Value,
    /// The client could have known better, whatever people did meanwhile: a complaint.
    pub(super) mistake: bool,
}

impl Refusal {
    fn new(code: u16, description: String) -> Refusal {
        Refusal {
            code,
            description,
            parameters: Value::Null,
            mistake: false,
        }
    }

    /// 400 because of what people did: a message deleted, a chat gone.
    pub(super) fn bad_request(description: &str) -> Refusal {
        Refusal::new(400, format!("Bad Request: {description}"))
    }

    /// 400 because the request is wrong by itself.
    pub(super) fn mistake(description: &str) -> Refusal {
        Refusal {
            mistake: true,
            ..Refusal::bad_request(description)
        }
    }

    pub(super) fn forbidden(description: &str) -> Refusal {
        Refusal::new(403, format!("Forbidden: {description}"))
    }

    pub(super) fn conflict(description: &str) -> Refusal {
        Refusal::new(409, format!("Conflict: {description}"))
    }

    /// A token that no bot has.
    pub(super) fn unauthorized() -> Refusal {
        Refusal::new(401, "Unauthorized".to_owned())
    }

    /// A path that is none of the API, such as one without a well-formed token.
    pub(super) fn not_found() -> Refusal {
        Refusal {
            mistake: true,
            ..Refusal::new(404, "Not Found".to_owned())
        }
    }

    pub(super) fn unknown_method() -> Refusal {
        let description = "Not Found: method not found".to_owned();
        Refusal {
            mistake: true,
            ..Refusal::new(404, description)
        }
    }

    /// 429; `seconds` is what the client has to wait.
    pub(super) fn too_many_requests(seconds: u64) -> Refusal {
        let description = format!("Too Many Requests: retry after {seconds}");
        Refusal {
            parameters: json!({ "retry_after": seconds }),
            ..Refusal::new(429, description)
        }
    }

    /// The group has become the supergroup `to`.
    pub(super) fn migrated(to: i64) -> Refusal {
        let gone = Refusal::bad_request("group chat was upgraded to a supergroup chat");
        Refusal {
            parameters: json!({ "migrate_to_chat_id": to }),
            ..gone
        }
    }

    pub(super) fn json(&self) -> Value {
        let mut body =
            json!({ "ok": false, "error_code": self.code, "description": self.description });
        if !self.parameters.is_null() {
            body["parameters"] = self.parameters.clone();
        }
        body
    }
}
