//! The entry for Beckon in an MCP client's settings. Most clients take this form (`mcpServers`), as
//! Claude Desktop and Cursor document it.

use crate::platform::program;
use anyhow::Result;
use serde_json::json;

/// Returns the entry to be pasted, in several lines.
///
/// # Errors
/// When this program's own place cannot be told.
pub(crate) fn config() -> Result<String> {
    let command = program::path()?.display().to_string();
    let config = json!({ "mcpServers": { "beckon": { "command": command, "args": ["mcp"] } } });
    Ok(serde_json::to_string_pretty(&config)?)
}
