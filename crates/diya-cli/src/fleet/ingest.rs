//! `diya fleet ingest PATH... -o DATASET`

use crate::args::Common;
use crate::failure::{Done, Failure};
use crate::progress::Bar;
use clap::Args;
use diya_fleet::{Anonymity, IngestOptions, Shard, Since, ingest};
use std::io::Write as _;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub struct IngestArgs {
    /// Folders, logs, archives of logs (.tar, .tar.gz, .zip), or @FILE with a path per line
    #[arg(value_name = "PATH", required_unless_present = "files_from")]
    paths: Vec<PathBuf>,
    /// Folder of the dataset; it is made where it is missing
    #[arg(short, long, value_name = "DATASET")]
    output: PathBuf,
    /// File with a path per line; `-` reads standard input
    #[arg(long, value_name = "FILE")]
    files_from: Vec<PathBuf>,
    /// Name of the machine that the logs come from
    #[arg(long, value_name = "NAME", default_value = "default")]
    system: String,
    /// Only logs from this day on: of folders YYYY/M/D by their names, of others by time of change
    #[arg(long, value_name = "YYYY-MM-DD")]
    since: Option<Since>,
    /// Only one of n equal parts of the files, for job arrays
    #[arg(long, value_name = "i/n", default_value = "1/1", hide_default_value = true)]
    shard: Shard,
    /// Replace users, paths, programs and hosts by hashes under this key
    #[arg(long, value_name = "KEY")]
    anonymise: Option<String>,
    /// Also leave out what could lead back to a person, for a dataset that is published
    #[arg(long, requires = "anonymise")]
    release: bool,
    /// Do not run the checks: numbers only
    #[arg(long)]
    no_findings: bool,
    /// Commit after so many logs (default: when 64 MiB of rows wait)
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    logs_per_commit: usize,
}

pub fn run(args: &IngestArgs, common: &Common) -> Result<Done, Failure> {
    let (mut paths, mut lists) = (Vec::new(), args.files_from.clone());
    for path in &args.paths {
        match path.to_str().and_then(|path| path.strip_prefix('@')) {
            Some(list) => lists.push(PathBuf::from(list)),
            None => paths.push(path.clone()),
        }
    }
    let options = IngestOptions {
        paths,
        lists,
        system: args.system.clone(),
        since: args.since,
        shard: args.shard,
        threads: common.threads,
        anonymity: Anonymity { key: args.anonymise.clone(), is_release: args.release },
        skips_findings: args.no_findings,
        logs_per_commit: args.logs_per_commit,
    };
    let bar = Bar::new(common);
    let done = bar.during("reading logs", || ingest(&args.output, &options))?;
    let mut out = std::io::stdout().lock();
    if common.json {
        writeln!(out, "{}", serde_json::to_string(&done).unwrap_or_default())?;
    } else if !common.quiet {
        writeln!(
            out,
            "{} new logs, {} duplicates, {} in quarantine, {} unreadable, {} looked at before",
            done.logs, done.duplicates, done.quarantined, done.unreadable, done.known
        )?;
        if done.quarantined + done.unreadable > 0 {
            writeln!(out, "The reasons are in table manifest: column error.")?;
        }
    }
    Ok(Done { losses: done.unreadable > 0 })
}
