//! What is asked of the router, one after the other.

/// The status, the request, and its body. `que_1` and `per_1` are open.
pub(super) const CONVERSATION: &[(u16, &str, &str)] = &[
    (200, "GET /global/health", ""),
    (200, "GET /global/event", ""),
    (200, "GET /path", ""),
    (200, "GET /project", ""),
    (200, "GET /experimental/session", ""),
    (200, "GET /session/status?directory=", ""),
    (200, "GET /session/que_1", ""),
    (404, "GET /session/none", ""),
    (200, "GET /session/que_1/message/m", ""),
    (200, "GET /question", ""),
    (200, "GET /permission", ""),
    (200, "GET /ask", ""),
    (200, "GET /status", ""),
    (200, "GET /status?blocked=true", ""),
    (200, "GET /list", ""),
    (200, "GET /show/que_1", ""),
    (404, "GET /show/none", ""),
    (400, "POST /question", "{}"),
    (400, "POST /question", r#"{"questions": 1}"#),
    (201, "POST /question", QUESTION),
    (201, "POST /question", QUESTION),
    (
        409,
        "POST /question",
        r#"{"id": "mine", "questions": [{"question": "Another?"}]}"#,
    ),
    (200, "GET /question/mine", ""),
    (202, "GET /question/mine?wait=0", ""),
    (404, "GET /question/none", ""),
    (
        404,
        "POST /question/none/receipt",
        r#"{"receipt": "taken"}"#,
    ),
    (200, "DELETE /question/mine", ""),
    (404, "DELETE /question/mine", ""),
    (200, "GET /question/mine", ""),
    (202, "POST /permission?wait=0", PERMISSION),
    (200, "GET /permission/ours", ""),
    (
        200,
        "POST /permission/ours/receipt",
        r#"{"receipt": "over"}"#,
    ),
    (200, "POST /permission?wait=0", PERMISSION),
    (404, "DELETE /permission/ours", ""),
    (
        200,
        "POST /attention/que_1",
        r#"{"is": "snoozed", "for": "15m"}"#,
    ),
    (
        400,
        "POST /attention/que_1",
        r#"{"is": "seen", "for": "15m"}"#,
    ),
    (
        409,
        "POST /attention/que_1",
        r#"{"is": "seen", "seen": "0123456789"}"#,
    ),
    (200, "GET /windows/view", ""),
    (200, "GET /windows/drafts", ""),
    (
        500,
        "POST /windows/drafts/que_1",
        r#"{"replies": [{"choices": [0]}]}"#,
    ),
    (404, "POST /open/que_1", ""),
    (400, "POST /question/que_1/reply", r#"{"answers": []}"#),
    (
        200,
        "POST /question/que_1/reply",
        r#"{"answers": [["Red"]]}"#,
    ),
    (409, "POST /question/que_1/reject", ""),
    (
        400,
        "POST /permission/per_1/reply",
        r#"{"reply": "perhaps"}"#,
    ),
    (
        200,
        "POST /answer/per_1",
        r#"{"answer": {"grant": {"reject": {}}}, "by": "api"}"#,
    ),
    (
        409,
        "POST /answer/per_1",
        r#"{"answer": {"grant": "once"}, "by": "cli"}"#,
    ),
    (
        409,
        "POST /permission/per_1/reply",
        r#"{"reply": "reject", "message": "No."}"#,
    ),
    (201, "POST /unreadable", UNREADABLE),
    (202, "POST /unreadable?wait=0", UNREADABLE),
    (200, "POST /notify", r#"{"message": "Done."}"#),
    (400, "POST /notify", "{}"),
    (
        200,
        "POST /presence",
        r#"{"presence": "away", "for": "1h"}"#,
    ),
    (
        400,
        "POST /presence",
        r#"{"presence": "auto", "for": "1h"}"#,
    ),
    (
        201,
        "POST /servers",
        r#"{"url": "http://127.0.0.1:1", "name": "lab", "pid": 1}"#,
    ),
    (
        409,
        "POST /servers",
        r#"{"url": "http://127.0.0.1:1", "name": "mine"}"#,
    ),
    (400, "POST /servers", r#"{"url": "lab"}"#),
    (200, "GET /servers", ""),
    (200, "POST /show", ""),
    (200, "POST /pause", r#"{"until": null}"#),
    (200, "GET /history", ""),
    (200, "GET /history?text=Which&by=api&limit=1", ""),
    (400, "GET /history?limit=many", ""),
    (200, "GET /history/activity", ""),
    (200, "GET /history/always", ""),
    (404, "DELETE /history/always/999", ""),
    (400, "DELETE /history/always/first", ""),
    (200, "GET /history/export?format=csv", ""),
    (400, "GET /history/export", ""),
    (503, "GET /windows/wish", ""),
    (
        200,
        "POST /windows/open",
        r#"{"page": {"window": "settings", "tab": "agents"}}"#,
    ),
    (
        404,
        "POST /windows/open",
        r#"{"page": {"window": "answer", "ask": "none"}}"#,
    ),
    (200, "GET /hub", ""),
    (400, "POST /hub/join", r#"{"code": "none"}"#),
    (409, "POST /hub/leave", ""),
    (409, "POST /hub/remove", r#"{"device": "tower"}"#),
    (200, "GET /settings", ""),
    (
        200,
        "PATCH /settings",
        r#"{"key": "language", "value": "en"}"#,
    ),
    (404, "PATCH /settings", r#"{"key": "none", "value": null}"#),
    (
        400,
        "POST /settings/servers",
        r#"{"url": "http://127.0.0.1:1"}"#,
    ),
    (404, "PATCH /settings/servers/none", r#"{"name": "other"}"#),
    (404, "DELETE /settings/servers/none", ""),
    (
        400,
        "POST /servers/test",
        r#"{"url": "http://127.0.0.1:1", "kind": "interrupts"}"#,
    ),
    (400, "POST /secrets/none", r#"{"value": "secret"}"#),
    (400, "DELETE /secrets/none", ""),
    (200, "GET /integrations/opencode", ""),
    (200, "GET /telegram", ""),
    (400, "POST /telegram/login", r#"{"token": "none"}"#),
    (200, "POST /telegram/reload", ""),
    (409, "POST /telegram/pair", ""),
    (404, "DELETE /telegram/people/1", ""),
    (200, "POST /telegram/test", ""),
    (200, NONCE, ""),
    (401, "GET /proof?nonce=short", ""),
];

const QUESTION: &str = r#"{"id": "mine", "title": "A script", "timeout": "5m", "questions":
    [{"question": "Which one?", "options": [{"label": "Red"}, {"label": "Blue"}]}]}"#;

const UNREADABLE: &str = r#"{"id": "odd", "agent": "Claude Code", "reason": "cut",
    "asked": "permission", "raw": "{"}"#;

const PERMISSION: &str = r#"{"id": "ours", "permission": "bash", "command": "rm -rf dist",
    "patterns": ["rm *"], "always": ["rm *"], "always_until": "session_ends", "receipts": true}"#;

const NONCE: &str =
    "GET /proof?nonce=0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

/// What would look into, or change, what belongs to whoever runs this; and what has nothing to tell
/// before its first heartbeat.
pub(super) const UNASKED: &[&str] = &[
    "GET /agents",
    "GET /integrations",
    "POST /integrations/claude-code",
    "POST /integrations/opencode",
    "GET /nearby",
    "POST /selftest",
    "POST /selftest/question",
    "POST /settings/autostart",
    "GET /watch",
];
