//! `beckon-window`: the only program that links a web view. Its parts lie in `windows/`.
#![cfg_attr(windows, windows_subsystem = "windows")]

#[path = "../windows/mod.rs"]
mod windows;

fn main() -> std::process::ExitCode {
    windows::main()
}
