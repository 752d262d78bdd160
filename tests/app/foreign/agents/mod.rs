//! Reports about what connects a coding agent and its human: hooks, forms, interrupts, settings.

mod claude_code_75081;
mod claude_code_76808;
mod claude_code_81974;
mod gsd_core_976;
mod inspector_3228;
mod kotlin_sdk_661;
mod langgraph_8693;
mod pi_8943;
