//! Reports about MCP servers, and about the clients that they meet.

mod agent_toolkit_648;
mod claude_code_95239;
mod jamulus_3421;
mod mcp_el_85;
mod python_sdk_961;
mod reasonix_2429;
mod typescript_sdk_2433;
mod x402_facilitator_199;
