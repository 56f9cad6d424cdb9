//! The command line as clap sees it; help, man pages and completions follow.

use crate::commands;
use crate::failure::{Done, Failure};
use crate::options::Common;
use clap::{Parser, Subcommand};

const EXIT_CODES: &str = "Exit codes:
  0    done
  1    done, but some logs could not be read (see standard error)
  2    nothing could be read: no such file, not a log, or a wrong command line
  3    the SQL query is wrong or failed
  4    the result could not be written
  5    `diya gate`: the run is slower, or has findings (see standard error)
  130  interrupted

Logs are files, `-` for standard input, or archives (.tar, .tar.gz, .zip) of logs;
gzip and bzip2 files are unpacked automatically.";

/// Records and analyses the I/O of parallel programs. Reads logs of diya, of Darshan (1.x, 2.x,
/// 3.x) and of other tools.
#[derive(Debug, Parser)]
#[command(name = "diya", version, after_long_help = EXIT_CODES, propagate_version = true)]
pub struct Cli {
    #[command(flatten)]
    pub common: Common,
    #[command(subcommand)]
    pub command: Command,
}

/// The commands: help, the type of the arguments, and what runs them.
macro_rules! commands {
    ($($(#[$help:meta])* $name:ident($args:ty) => $run:expr,)*) => {
        #[derive(Debug, Subcommand)]
        pub enum Command {
            $($(#[$help])* $name($args),)*
        }

        impl Command {
            /// Does what the command says.
            pub fn run(&self, common: &Common) -> Result<Done, Failure> {
                match self {
                    $(Self::$name(args) => {
                        let run: fn(&$args, &Common) -> Result<Done, Failure> = $run;
                        run(args, common)
                    })*
                }
            }
        }
    };
}

commands! {
    /// Record the I/O of a command into a log
    Run(commands::run::RunArgs) => |args, common| commands::run::run(args, common).map(|never| match never {}),
    /// Print environment variables for a batch script, so that its programs are recorded
    Env(commands::env::EnvArgs) => commands::env::run,
    /// Combine recordings (killed jobs, batch scripts, several nodes) into one log
    Collect(commands::collect::CollectArgs) => commands::collect::run,
    /// Show the header, contents and missing parts of a log
    Info(commands::info::InfoArgs) => commands::info::run,
    /// Print a log in the text layout of darshan-parser or darshan-dxt-parser
    Dump(commands::dump::DumpArgs) => commands::dump::run,
    /// List the tables of a log, describe a table, or print its rows
    Tables(commands::tables::TablesArgs) => commands::tables::run,
    /// Run SQL queries on the tables of one or more logs
    Sql(commands::sql::SqlArgs) => commands::sql::run,
    /// Diagnose a job: findings, estimated savings and fixes
    Report(commands::report::ReportArgs) => commands::report::run,
    /// Write settings that fix findings: MPI-IO hints, striping, buffers, staging
    Tune(commands::tune::TuneArgs) => commands::tune::run,
    /// Compare runs of a job: what changed, and whether it is faster
    Compare(commands::compare::CompareArgs) => commands::compare::run,
    /// Fail if a run is slower than a baseline or has findings (for CI)
    Gate(commands::gate::GateArgs) => commands::gate::run,
    // Its name in the first version: one letter from `checks`, which does another thing.
    #[command(hide = true)]
    Check(commands::gate::GateArgs) => commands::gate::run_by_its_old_name,
    /// Draw one view of a job as SVG or PNG
    Plot(commands::plot::PlotArgs) => commands::plot::run,
    /// Open a log of any size in the browser
    Open(commands::serve::OpenArgs) => commands::serve::open,
    /// Open all logs of a folder in the browser
    Serve(commands::serve::ServeArgs) => commands::serve::serve,
    /// Serve an AI assistant over the Model Context Protocol (MCP): reports, SQL and pictures
    Mcp(commands::mcp::McpArgs) => commands::mcp::run,
    /// List the checks, or test your own checks
    Checks(commands::checks::ChecksArgs) => commands::checks::run,
    /// Describe a check, a metric or a table
    Explain(commands::checks::ExplainArgs) => |args, _| commands::checks::explain(args),
    /// List I/O phases: start, duration, straggler
    Phases(commands::views::ViewArgs) => |args, common| commands::views::run("phases", args, common),
    /// List ranks: time, bytes, balance
    Ranks(commands::views::ViewArgs) => |args, common| commands::views::run("ranks", args, common),
    /// List files: time, small requests, metadata, redundant bytes, layers
    Files(commands::views::ViewArgs) => |args, common| commands::views::run("files", args, common),
    /// List storage targets: load and speed
    Targets(commands::views::ViewArgs) => |args, common| commands::views::run("targets", args, common),
    /// List calls by layer, function and size, and the slowest calls
    Calls(commands::views::ViewArgs) => |args, common| commands::views::run("calls", args, common),
    /// Measure latency and bandwidth of a file system, for `report --machine`
    Calibrate(commands::calibrate::CalibrateArgs) => commands::calibrate::run,
    /// Issue the recorded requests again on a file system, and measure them
    Replay(commands::replay::ReplayArgs) => commands::replay::run,
    /// Write the tables as Parquet, Arrow or CSV, or the calls as a Chrome trace
    Export(commands::export::ExportArgs) => commands::export::run,
    /// Convert a log: format, compression, selected files, anonymised names
    Convert(commands::convert::ConvertArgs) => commands::convert::run,
    /// Show the differences between two logs; the exit code is 1 if there are any
    Diff(commands::diff::DiffArgs) => commands::diff::run,
    /// Merge several logs of one job into one log (see `collect` for recordings)
    Merge(commands::merge::MergeArgs) => commands::merge::run,
    /// Analyse many logs together: ingest, ask, watch, report
    Fleet(crate::fleet::FleetArgs) => crate::fleet::run,
    /// Print shell completions
    Completions(commands::manual::CompletionsArgs) => |args, _| commands::manual::completions(args),
    /// Write the recorder's library, for an installation that all nodes see
    #[command(hide = true)]
    Recorder(commands::run::RecorderArgs) => |args, _| commands::run::recorder(args),
    /// Write man pages
    #[command(hide = true)]
    Manual(commands::manual::ManualArgs) => |args, _| commands::manual::pages(args),
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
