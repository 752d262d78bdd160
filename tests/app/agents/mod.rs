//! Tests of all agents but OpenCode: Claude Code's hooks, MCP, ACP, Python, a shell, and services with
//! ask_user / resume.

mod acp;
mod asking;
#[cfg(target_arch = "x86_64")]
mod claude_code;
mod hooks;
mod interrupts;
mod mcp;
mod python;
