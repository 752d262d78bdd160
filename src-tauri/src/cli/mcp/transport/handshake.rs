//! The beginning of a session. The library takes an `initialize` only with all of its fields, each
//! of the right type, and ends where anything but a request comes before it. Clients write flat
//! names, no capabilities, or lists where objects belong
//! (<https://github.com/GopherSecurity/gopher-mcp/issues/183>,
//! <https://github.com/php-mcp/schema/issues/2>).
//!
//! Not here: which version is spoken, which the library settles.

use beckon_client::json::fields::text;
use serde_json::{Value, json};

/// The version of a client that names none
/// (<https://modelcontextprotocol.io/specification/2025-06-18/basic/transports#protocol-version-header>).
const UNNAMED: &str = "2025-03-26";

/// The place of the version in a request of a protocol without handshake
/// (<https://modelcontextprotocol.io/specification/2026-07-28/basic>).
const VERSION: &str = "/params/_meta/io.modelcontextprotocol~1protocolVersion";

/// Whether a request begins a session: from then on, what is told means something.
pub(super) fn begins_session(message: &Value) -> bool {
    let is_probe = message["method"] == "server/discover" || message["method"] == "ping";
    is_initialize(message) || !is_probe && message.pointer(VERSION).is_some()
}

/// Leaves of an `initialize` what is looked at here, in the form that the library takes: the
/// version, and who the client is. What it can do is asked of no client.
pub(super) fn mend(message: &mut Value) {
    if !is_initialize(message) {
        return;
    }

    let params = &message["params"];
    let version = params["protocolVersion"].as_str().unwrap_or(UNNAMED);
    let about = &params["clientInfo"];
    let name = text(about, "name").or_else(|| text(params, "clientName"));
    let client_version = text(about, "version").or_else(|| text(params, "clientVersion"));
    let mut client = json!({ "name": name.unwrap_or_default(),
        "version": client_version.unwrap_or_default() });
    if let Some(title) = about["title"].as_str() {
        client["title"] = json!(title);
    }

    let mended = json!({ "protocolVersion": version, "capabilities": {}, "clientInfo": client });
    message["params"] = mended;
}

fn is_initialize(message: &Value) -> bool {
    message["method"] == "initialize"
}
