//! `beckon`: reads the command line, runs the tray, the service or a command, and makes the exit
//! code.

use std::process::ExitCode;

fn main() -> ExitCode {
    beckon::cli::main()
}
