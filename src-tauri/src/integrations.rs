//! What Beckon puts into the settings of others, or hands out for them: Claude Code's hooks, the lines
//! of an MCP client, and that it starts at login. OpenCode's plugin lies beside its source (`sources/opencode/plugin.rs`).
//!
//! Not here: what the hooks do when they are run (`cli/hook`), and who asks for them.

pub(crate) mod autostart;
pub(crate) mod claude_code;
pub(crate) mod claude_home;
pub(crate) mod mcp;
