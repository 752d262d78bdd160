//! Reports about Telegram bots.

mod cc_connect_826;
mod dsh_im_206;
mod hermes_agent_60897;
mod hermes_agent_81183;
mod hermes_agent_89879;
mod hive_mind_469;
mod hubot_pager_me_45;
mod live_helper_chat_69;
mod opencode_telegram_bot_182;
