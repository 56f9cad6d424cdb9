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
  130  interrupted

Logs are files, `-` for standard input, or archives (.tar, .tar.gz, .zip) of logs;
gzip and bzip2 files are unpacked by themselves.";

/// Reads logs of parallel I/O: Darshan 1.x, 2.x and 3.x.
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
    /// What a log is, what is in it, and what is missing
    Info(InfoArgs),
    /// Print a log in the text layout of darshan-parser or darshan-dxt-parser
    Dump(DumpArgs),
    /// List the tables of a log, describe a table, or print its rows
    Tables(TablesArgs),
    /// Ask the tables of one or more logs in SQL
    Sql(SqlArgs),
    /// Write the tables as Parquet, Arrow or CSV, or the calls as a Chrome trace
    Export(ExportArgs),
    /// Print shell completions
    Completions {
        /// Shell to complete for
        shell: clap_complete::Shell,
    },
    /// Write man pages
    #[command(hide = true)]
    Manual {
        /// Folder to write them to
        folder: PathBuf,
    },
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
    /// Only these tables
    #[arg(long, value_name = "TABLE", value_delimiter = ',')]
    pub tables: Vec<String>,
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
}
