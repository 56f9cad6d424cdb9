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
    let outcome = match &cli.command {
        Command::Run(args) => commands::run::run(args, &cli.common).map(|never| match never {}),
        Command::Env(args) => commands::env::run(args, &cli.common),
        Command::Collect(args) => commands::collect::run(args, &cli.common),
        Command::Info(args) => commands::info::run(args, &cli.common),
        Command::Dump(args) => commands::dump::run(args, &cli.common),
        Command::Tables(args) => commands::tables::run(args, &cli.common),
        Command::Sql(args) => commands::sql::run(args, &cli.common),
        Command::Report(args) => commands::report::run(args, &cli.common),
        Command::Compare(args) => commands::compare::run(args, &cli.common),
        Command::Gate(args) => commands::gate::run(args, &cli.common),
        Command::Check(args) => {
            eprintln!(
                "diya: note: `diya check` is now `diya gate`; the old name goes with the next version"
            );
            commands::gate::run(args, &cli.common)
        }
        Command::Plot(args) => commands::plot::run(args, &cli.common),
        Command::Open(args) => commands::serve::open(args, &cli.common),
        Command::Serve(args) => commands::serve::serve(args, &cli.common),
        Command::Checks(args) => commands::checks::run(args, &cli.common),
        Command::Explain(args) => commands::checks::explain(args),
        Command::Phases(args) => commands::views::run("phases", args, &cli.common),
        Command::Ranks(args) => commands::views::run("ranks", args, &cli.common),
        Command::Files(args) => commands::views::run("files", args, &cli.common),
        Command::Targets(args) => commands::views::run("targets", args, &cli.common),
        Command::Calls(args) => commands::views::run("calls", args, &cli.common),
        Command::Export(args) => commands::export::run(args, &cli.common),
        Command::Convert(args) => commands::convert::run(args, &cli.common),
        Command::Calibrate(args) => commands::calibrate::run(args, &cli.common),
        Command::Diff(args) => commands::diff::run(args, &cli.common),
        Command::Merge(args) => commands::merge::run(args, &cli.common),
        Command::Fleet(args) => fleet::run(args, &cli.common),
        Command::Completions { shell } => commands::manual::completions(*shell),
        Command::Recorder { folder } => commands::run::recorder(folder),
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
