//! The command line as clap sees it; help, man pages and completions follow.

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::ops::RangeInclusive;
use std::path::PathBuf;

const EXIT_CODES: &str = "Exit codes:
  0    done
  1    done, but some of several logs could not be read (named on standard error)
  2    nothing could be read: no such file, not a log, or a wrong command line
  3    the SQL query is wrong or failed
  4    the result could not be written
  5    `diya check`: the run failed, for the reasons on standard error
  130  interrupted

Logs are files, `-` for standard input, or archives (.tar, .tar.gz, .zip) of logs;
gzip and bzip2 files are unpacked by themselves.";

/// Records the I/O of programs, and reads logs of it: its own, and Darshan 1.x, 2.x and 3.x.
#[derive(Debug, Parser)]
#[command(name = "diya", version, after_long_help = EXIT_CODES, propagate_version = true)]
pub struct Cli {
    #[command(flatten)]
    pub common: Common,
    #[command(subcommand)]
    pub command: Command,
}

/// Options of every command.
#[derive(Debug, Args)]
pub struct Common {
    /// Print JSON instead of text
    #[arg(long, global = true)]
    pub json: bool,
    /// Threads to use (default: one per processor)
    #[arg(long, global = true, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub threads: usize,
    /// No progress bar and no notes on standard error
    #[arg(long, short, global = true)]
    pub quiet: bool,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Record the I/O of a command into a log
    Run(RunArgs),
    /// Print the environment that records the programs of a batch script
    Env(EnvArgs),
    /// Make a log of recordings: of killed jobs, batch scripts, several nodes
    Collect(CollectArgs),
    /// What a log is, what is in it, and what is missing
    Info(InfoArgs),
    /// Print a log in the text layout of darshan-parser or darshan-dxt-parser
    Dump(DumpArgs),
    /// List the tables of a log, describe a table, or print its rows
    Tables(TablesArgs),
    /// Ask the tables of one or more logs in SQL
    Sql(SqlArgs),
    /// Diagnose: what costs time, how much, and what to do about it
    Report(crate::commands::report::ReportArgs),
    /// Compare runs of a job: is it faster, and why
    Compare(crate::commands::compare::CompareArgs),
    /// Fail when a run is slower than a baseline, or has findings: for CI
    Check(crate::commands::check::CheckArgs),
    /// Draw one view of a job as SVG or PNG
    Plot(crate::commands::plot::PlotArgs),
    /// Look at a job in the browser, whatever its size
    Open(crate::commands::serve::OpenArgs),
    /// Serve the jobs of a folder to your browser
    Serve(crate::commands::serve::ServeArgs),
    /// List the checks, or test those you write
    Checks(crate::commands::checks::ChecksArgs),
    /// What a check, a metric or a table is
    Explain(crate::commands::checks::ExplainArgs),
    /// I/O phases: when, how long, who held them up
    Phases(crate::commands::views::ViewArgs),
    /// Ranks: time, bytes, balance
    Ranks(crate::commands::views::ViewArgs),
    /// Files: time, small requests, metadata, redundant bytes, layers
    Files(crate::commands::views::ViewArgs),
    /// Storage targets: load and speed
    Targets(crate::commands::views::ViewArgs),
    /// Calls: by layer, function, size; the slowest
    Calls(crate::commands::views::ViewArgs),
    /// Measure what requests cost on a file system, for `report --machine`
    Calibrate(crate::commands::calibrate::CalibrateArgs),
    /// Write the tables as Parquet, Arrow or CSV, or the calls as a Chrome trace
    Export(ExportArgs),
    /// Write a log anew: other format or compression, fewer files, hidden names
    Convert(crate::commands::convert::ConvertArgs),
    /// Show what differs between two logs; the exit code is 1 when anything does
    Diff(crate::commands::diff::DiffArgs),
    /// Put the logs of one job together
    Merge(crate::commands::merge::MergeArgs),
    /// Print shell completions
    Completions {
        /// Shell to complete for
        shell: clap_complete::Shell,
    },
    /// Write the recorder's library, for an installation that all nodes see
    #[command(hide = true)]
    Recorder {
        /// Folder to write it to
        folder: PathBuf,
    },
    /// Write man pages
    #[command(hide = true)]
    Manual {
        /// Folder to write them to
        folder: PathBuf,
    },
}

/// What is recorded, and how.
#[derive(Debug, Args)]
pub struct RecordArgs {
    /// Keep counters only, in constant memory, instead of every call
    #[arg(long)]
    pub profile: bool,
    /// Bytes of records per process; later calls are counted, not recorded (512M, 4G; default 1G)
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub max_trace: Option<u64>,
    /// Record where in the program each call was made
    #[arg(long)]
    pub stacks: bool,
    /// Folder for the recording while the command runs: in memory or on a local disk of the node
    /// (default: /dev/shm)
    #[arg(long, value_name = "DIR")]
    pub segments: Option<PathBuf>,
    /// Programs not to record, by name
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub skip: Vec<String>,
}

/// How calls are seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Tracer {
    /// A library loaded into every program: tens of nanoseconds per call
    Preload,
    /// The kernel's tracing: about 20 microseconds per call, for static programs
    Ptrace,
}

#[derive(Debug, Args)]
#[command(after_help = "The exit code is the command's. Slurm and PBS: see `diya env --help`.")]
pub struct RunArgs {
    #[command(flatten)]
    pub record: RecordArgs,
    /// Name of the log (default: PROGRAM-DATE-TIME.diya)
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Replace the log if it exists
    #[arg(long)]
    pub force: bool,
    /// How calls are seen
    #[arg(long, value_enum, default_value_t = Tracer::Preload)]
    pub tracer: Tracer,
    /// Keep the recording of each process after the log was made
    #[arg(long)]
    pub keep: bool,
    /// The command with its arguments: ./app, mpirun -n 64 ./app, python3 train.py
    #[arg(
        required = true,
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "COMMAND"
    )]
    pub command: Vec<std::ffi::OsString>,
}

/// Shell whose language is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Shell {
    /// sh, bash, zsh, ksh
    Sh,
    /// csh, tcsh
    Csh,
    /// fish
    Fish,
}

const ENV_HELP: &str = "In a batch script:

  eval \"$(diya env --gather $PWD/recording)\"
  srun ./app                    # or mpirun ./app
  diya collect \"$DIYA_DIR\" $PWD/recording -o app.diya

If the job is killed, what it recorded is in DIYA_DIR on each node; bring it home with
  srun --ntasks-per-node=1 diya collect \"$DIYA_DIR\" --pack $PWD/recording";

#[derive(Debug, Args)]
#[command(after_help = ENV_HELP)]
pub struct EnvArgs {
    #[command(flatten)]
    pub record: RecordArgs,
    /// Folder that all nodes see, to which the last process of each node brings its recording
    #[arg(long, value_name = "DIR")]
    pub gather: Option<PathBuf>,
    /// Language to print
    #[arg(long, value_enum, default_value_t = Shell::Sh)]
    pub shell: Shell,
}

#[derive(Debug, Args)]
pub struct CollectArgs {
    /// Folders with recordings: DIYA_DIR, and that of --gather or --pack
    #[arg(required = true, value_name = "DIR")]
    pub folders: Vec<PathBuf>,
    /// Name of the log (default: run.diya)
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Replace the log if it exists
    #[arg(long)]
    pub force: bool,
    /// Only pack this node's recording into one file in this folder, for collecting elsewhere
    #[arg(long, value_name = "DIR", conflicts_with = "output")]
    pub pack: Option<PathBuf>,
    /// Leave call stacks as addresses, for collecting where the program is not
    #[arg(long)]
    pub keep_addresses: bool,
    /// Remove the recording when the log is made
    #[arg(long)]
    pub remove: bool,
}

#[derive(Debug, Args)]
pub struct InfoArgs {
    /// Logs or archives of logs; `-` reads standard input
    #[arg(required = true, value_name = "LOG")]
    pub logs: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub struct DumpArgs {
    /// A log; `-` reads standard input
    #[arg(value_name = "LOG")]
    pub log: PathBuf,
    /// All counters of all records (the default)
    #[arg(long)]
    pub base: bool,
    /// Counters summed over all records
    #[arg(long)]
    pub total: bool,
    /// Derived performance
    #[arg(long)]
    pub perf: bool,
    /// Number of files by kind of access
    #[arg(long)]
    pub file: bool,
    /// One line per file
    #[arg(long)]
    pub file_list: bool,
    /// One long line per file
    #[arg(long)]
    pub file_list_detailed: bool,
    /// All of the above that darshan-parser prints with --all
    #[arg(long)]
    pub all: bool,
    /// Also modules for which Darshan ran out of memory
    #[arg(long)]
    pub show_incomplete: bool,
    /// The traced calls, in the layout of darshan-dxt-parser
    #[arg(long, conflicts_with_all = ["base", "total", "perf", "file", "file_list", "file_list_detailed", "all"])]
    pub dxt: bool,
}

/// Which records are wanted.
#[derive(Debug, Args)]
pub struct Filter {
    /// Only these ranks: N or FIRST-LAST; records of all ranks always come
    #[arg(long, value_name = "RANKS", value_parser = parse_ranks)]
    pub ranks: Option<RangeInclusive<i32>>,
    /// Only files whose path contains this text (may be given several times)
    #[arg(long = "path", value_name = "TEXT")]
    pub paths: Vec<String>,
}

#[derive(Debug, Args)]
pub struct TablesArgs {
    /// Logs, and at last the name of a table; without a log the tables are described
    #[arg(value_name = "LOG|TABLE")]
    pub names: Vec<PathBuf>,
    /// Print at most this many rows; 0: all
    #[arg(long, value_name = "N", default_value_t = 40)]
    pub limit: usize,
    /// Format of the rows
    #[arg(long, value_enum, default_value_t = RowFormat::Table)]
    pub format: RowFormat,
    #[command(flatten)]
    pub filter: Filter,
}

#[derive(Debug, Args)]
pub struct SqlArgs {
    /// Logs, and at last the query; without a query a prompt opens
    #[arg(required = true, value_name = "LOG|QUERY")]
    pub names: Vec<PathBuf>,
    /// Read the query from a file
    #[arg(long, short = 'f', value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// Format of the rows
    #[arg(long, value_enum, default_value_t = RowFormat::Table)]
    pub format: RowFormat,
    /// Write the rows to a file
    #[arg(long, short = 'o', value_name = "FILE")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub filter: Filter,
}

#[derive(Debug, Args)]
pub struct ExportArgs {
    /// Logs or archives of logs; `-` reads standard input
    #[arg(required = true, value_name = "LOG")]
    pub logs: Vec<PathBuf>,
    /// Folder for one file per table; for chrome the trace file itself
    #[arg(long, short = 'o', value_name = "DIR|FILE")]
    pub output: PathBuf,
    /// Format of the files
    #[arg(long, value_enum, default_value_t = FileFormat::Parquet)]
    pub format: FileFormat,
    /// Only these tables and metrics
    #[arg(long, value_name = "TABLE", value_delimiter = ',')]
    pub tables: Vec<String>,
    /// Also every metric
    #[arg(long)]
    pub metrics: bool,
    #[command(flatten)]
    pub filter: Filter,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RowFormat {
    Table,
    Csv,
    Json,
    Parquet,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FileFormat {
    Parquet,
    Arrow,
    Csv,
    /// Chrome trace JSON, which Perfetto opens: processes are ranks, threads are layers
    Chrome,
}

fn parse_ranks(text: &str) -> Result<RangeInclusive<i32>, String> {
    let number = |t: &str| t.parse::<i32>().ok().filter(|n| *n >= 0);
    let range = match text.split_once('-') {
        Some((first, last)) => number(first).zip(number(last)),
        None => number(text).map(|n| (n, n)),
    };
    range
        .map(|(first, last)| first..=last)
        .ok_or_else(|| "expected N or FIRST-LAST, for example 0-3".into())
}

/// A number of bytes, with K, M, G or T for powers of 1024.
pub(crate) fn parse_size(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = text.get(digits.len()..).unwrap_or_default().to_ascii_uppercase();
    let shift = match unit.trim_end_matches("IB").trim_end_matches('B') {
        "" => 0,
        "K" => 10,
        "M" => 20,
        "G" => 30,
        "T" => 40,
        _ => return Err(format!("{text} is no size: 512M, 4G")),
    };
    let number: u64 = digits.parse().map_err(|_| format!("{text} is no size: 512M, 4G"))?;
    number.checked_mul(1 << shift).ok_or_else(|| format!("{text} is too large"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn ranks_are_one_number_or_two() {
        assert_eq!(parse_ranks("3"), Ok(3..=3));
        assert_eq!(parse_ranks("0-15"), Ok(0..=15));
        assert!(parse_ranks("-1").is_err());
        assert!(parse_ranks("a-b").is_err());
    }

    #[test]
    fn sizes_have_binary_units() {
        assert_eq!(parse_size("512M"), Ok(512 << 20));
        assert_eq!(parse_size("1GiB"), Ok(1 << 30));
        assert_eq!(parse_size("64"), Ok(64));
        assert!(parse_size("4 apples").is_err());
    }
}
