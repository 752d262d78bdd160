//! Reports about MCP servers, and about the clients that they meet.

mod agent_toolkit_648;
mod assistant_ui_5339;
mod bounty_challenge_9003;
mod claude_code_78762;
mod claude_code_95239;
mod gopher_mcp_183;
mod inspector_902;
mod jamulus_3421;
mod langchain4j_3689;
mod mcp_el_85;
mod midscene_2157;
mod python_sdk_1311;
mod python_sdk_2546;
mod python_sdk_961;
mod reasonix_2429;
mod rust_sdk_1109;
mod typescript_sdk_2433;
mod x402_facilitator_199;
