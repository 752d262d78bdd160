//! Reports of programs that put themselves into somebody's settings: variables, desktop entries.

mod claude_code_78988;
