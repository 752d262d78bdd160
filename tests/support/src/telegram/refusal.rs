//! The answers with `"ok": false`, each with a note of whether the client is to blame.
//!
//! The texts are those of the official server, as far as its source or users' reports show them.

use serde_json::{Value, json};

/// An error as the Bot API answers it: <https://core.telegram.org/bots/api#making-requests>.
#[derive(Clone, Debug)]
pub(super) struct Refusal {
    pub(super) code: u16,
    pub(super) description: String,
    /// The further parameters, or null: <https://core.telegram.org/bots/api#responseparameters>.
    pub(super) parameters: Value,
    /// Whether the client could have known better, whatever people did meanwhile. Such a refusal
    /// becomes a complaint.
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

    /// Refuses with 400 because of what people did: a message deleted, a chat gone.
    pub(super) fn bad_request(description: &str) -> Refusal {
        Refusal::new(400, format!("Bad Request: {description}"))
    }

    /// Refuses with 400 because the request is wrong in itself.
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

    /// Refuses a token that belongs to no bot.
    pub(super) fn unauthorized() -> Refusal {
        Refusal::new(401, "Unauthorized".to_owned())
    }

    /// Refuses a path that is not part of the API, such as one without a well-formed token.
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

    /// Refuses with 429; the client has to wait for `seconds`.
    pub(super) fn too_many_requests(seconds: u64) -> Refusal {
        let description = format!("Too Many Requests: retry after {seconds}");
        Refusal {
            parameters: json!({ "retry_after": seconds }),
            ..Refusal::new(429, description)
        }
    }

    /// Refuses because the group has become the supergroup `to`.
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
