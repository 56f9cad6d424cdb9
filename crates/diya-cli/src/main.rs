//! `diya`: the program.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(diya_cli::main(std::env::args_os().collect()))
}
