//! The integrations with other programs: what Beckon puts into their settings, or hands out for
//! them. These are Claude Code's hooks, the lines of an MCP client, and the start at login.
//! OpenCode's plugin lies beside its source (`sources/opencode/plugin.rs`).
//!
//! Not here: what the hooks do when they are run (`cli/hook`), and who asks for them.

pub(crate) mod autostart;
pub(crate) mod claude_code;
pub(crate) mod claude_home;
pub(crate) mod mcp;
