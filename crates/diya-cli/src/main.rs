//! `diya`: the command line. Glue only; the work is in the facade crate.

mod args;
mod commands;
mod failure;
mod output;
mod progress;
mod prompt;

use args::{Cli, Command};
use clap::Parser as _;
use failure::{Done, Failure};
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = Cli::parse();
    output::clean_up_on_interrupt();
    let outcome = match &cli.command {
        Command::Info(args) => commands::info::run(args, &cli.common),
        Command::Dump(args) => commands::dump::run(args, &cli.common),
        Command::Tables(args) => commands::tables::run(args, &cli.common),
        Command::Sql(args) => commands::sql::run(args, &cli.common),
        Command::Export(args) => commands::export::run(args, &cli.common),
        Command::Completions { shell } => commands::manual::completions(*shell),
        Command::Manual { folder } => commands::manual::pages(folder),
    };
    match outcome {
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
