//! `diya fleet join DATASET --slurm FILE... --pbs FILE... --peaks FILE --servers FILE...`

use super::ingest::Key;
use crate::command_line::examples;
use crate::failure::{Done, Failure};
use crate::options::Common;
use crate::output::{Content, Out, to_stdout};
use crate::progress::Bar;
use clap::Args;
use diya_fleet::{JoinOptions, Joined, Source, join};
use std::io::Write as _;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = examples(&[
    ("diya fleet join jobs/ --slurm sacct.txt", "accounting of Slurm"),
    ("diya fleet join jobs/ --peaks peaks.csv", "peak bandwidths of file systems"),
]))]
pub struct JoinArgs {
    /// Folder that `diya fleet ingest` filled
    #[arg(value_name = "DATASET")]
    dataset: PathBuf,
    /// Output of `sacct --parsable2`, with a header
    #[arg(long, value_name = "FILE", num_args = 1..)]
    slurm: Vec<PathBuf>,
    /// Accounting logs of PBS
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pbs: Vec<PathBuf>,
    /// Peaks of file systems by date: CSV (mount,since,op,bytes_per_s) or TOML ([[peak]])
    #[arg(long, value_name = "FILE", num_args = 1..)]
    peaks: Vec<PathBuf>,
    /// Metrics of storage servers: CSV, Prometheus JSON, OpenMetrics, `lctl get_param`,
    /// mysqldump of LMT, h5dump of TOKIO
    #[arg(long, value_name = "FILE", num_args = 1..)]
    servers: Vec<PathBuf>,
    /// Switches of the nodes: topology.conf, topology.yaml, `scontrol show topology`, CSV or TOML
    #[arg(long, value_name = "FILE", num_args = 1..)]
    topology: Vec<PathBuf>,
    /// Name of the machine, as for `diya fleet ingest`
    #[arg(long, value_name = "NAME", default_value = "default")]
    system: String,
    /// Zone of times that name none, for example Europe/Berlin
    #[arg(long, value_name = "ZONE", default_value = "UTC", value_parser = zone)]
    time_zone: jiff::tz::TimeZone,
    #[command(flatten)]
    key: Key,
}

pub fn run(args: &JoinArgs, common: &Common) -> Result<Done, Failure> {
    let kinds = [
        (Source::Slurm, &args.slurm),
        (Source::Pbs, &args.pbs),
        (Source::Peaks, &args.peaks),
        (Source::Servers, &args.servers),
        (Source::Topology, &args.topology),
    ];
    let files = kinds.iter().flat_map(|(source, paths)| paths.iter().map(|p| (*source, p.clone())));
    let files: Vec<_> = files.collect();
    if files.is_empty() {
        let what = "name files: --slurm, --pbs, --peaks, --servers or --topology";
        return Err(Failure::Input(what.to_owned()));
    }
    let options = JoinOptions {
        files,
        system: args.system.clone(),
        zone: args.time_zone.clone(),
        anonymity: args.key.anonymity()?,
    };
    let bar = Bar::new(common);
    let done = bar.during("reading", || join(&args.dataset, &options))?;
    to_stdout(Content::of(common.json), |out| summary(out, &done, common))?;
    Ok(Done { losses: done.bad_lines > 0 || done.refused > 0 })
}

fn summary(out: &mut Out, done: &Joined, common: &Common) -> Result<(), Failure> {
    if common.json {
        writeln!(out, "{}", serde_json::to_string(done).unwrap_or_default())?;
        return Ok(());
    }
    if common.quiet {
        return Ok(());
    }
    writeln!(
        out,
        "{} new rows, {} known ones; {} files read, {} unchanged",
        done.rows, done.old_rows, done.files, done.known
    )?;
    if done.left_out > 0 {
        writeln!(
            out,
            "{} records left out: jobs that have not ended, steps of jobs",
            done.left_out
        )?;
    }
    if let Some(why) = &done.first_refused {
        writeln!(
            out,
            "files of another form, whose rows are not kept: {}; the first: {why}",
            done.refused
        )?;
    }
    if let Some(why) = &done.first_bad {
        writeln!(out, "{} lines cannot be read; the first: {why}", done.bad_lines)?;
    }
    Ok(())
}

fn zone(name: &str) -> Result<jiff::tz::TimeZone, String> {
    match name {
        "UTC" => Ok(jiff::tz::TimeZone::UTC),
        name => jiff::tz::TimeZone::get(name).map_err(|e| e.to_string()),
    }
}
