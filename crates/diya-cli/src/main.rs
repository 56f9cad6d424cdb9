//! `diya`: the command line. Glue only; the work is in the facade crate.

mod args;
mod commands;
mod failure;
mod fleet;
mod output;
mod progress;
mod prompt;

use args::{Cli, Command};
use clap::Parser as _;
use failure::{Done, Failure};
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = Cli::parse();
    // A recorded command gets its own signals: see commands::run.
    if !matches!(cli.command, Command::Run(_)) {
        output::clean_up_on_interrupt();
    }
    match cli.command.run(&cli.common) {
        Ok(Done { losses: false }) => ExitCode::SUCCESS,
        Ok(Done { losses: true }) => ExitCode::from(failure::LOSSES),
        // Whoever reads our output has had enough, as `diya dump LOG | head`.
        Err(Failure::BrokenPipe) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("diya: {failure}");
            ExitCode::from(failure.exit_code())
        }
    }
}
