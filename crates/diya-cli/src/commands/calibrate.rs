//! `diya calibrate DIR`: what requests cost on a file system.

use crate::entry::{Entry, Group, arguments};
use crate::failure::{Done, Failure};
use crate::options::Common;
use crate::output::{Content, to_file, to_stdout};
use clap::Args;
use diya::calibrate::{Calibration, Cost, Profile, calibrate};
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

pub const COMMANDS: &[Entry] = &[Entry {
    name: "calibrate",
    group: Group::SetUp,
    place: 1,
    help: "Measure the latency and bandwidth of a file system",
    examples: &[
        ("diya calibrate /scratch/me -o scratch.toml", "measure, and write a profile"),
        ("diya report app.diya --machine scratch.toml", "judge with it"),
    ],
    augment: CalibrateArgs::augment_args,
    run: |given, common| run(&arguments(given), common),
    ..Entry::USUAL
}];

#[derive(Debug, Args)]
pub struct CalibrateArgs {
    /// Directory on the file system; a temporary directory in it is created and removed
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// Write the profile to a file
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Number of threads for the parallel measurements
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(2..=256))]
    pub workers: u32,
    /// MiB that each thread writes and reads
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = clap::value_parser!(u64).range(4..=65536))]
    pub size: u64,
    /// Maximum time of each step, in seconds
    #[arg(long, value_name = "S", default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub step: u64,
}

pub fn run(args: &CalibrateArgs, common: &Common) -> Result<Done, Failure> {
    let how = Calibration {
        workers: args.workers,
        bytes: usize::try_from(args.size << 20).unwrap_or(usize::MAX),
        step: Duration::from_secs(args.step),
        ..Calibration::default()
    };
    let profile = calibrate(&args.folder, &how).map_err(|e| Failure::Input(e.to_string()))?;
    let write = |out: &mut dyn Write| match common.json {
        true => {
            serde_json::to_writer_pretty(&mut *out, &profile).map_err(std::io::Error::from)?;
            writeln!(out)
        }
        false => write!(out, "{}", profile.to_toml()),
    };
    let Some(path) = &args.output else {
        to_stdout(Content::of(common.json), |out| Ok(write(out)?))?;
        return Ok(Done { losses: false });
    };
    to_file(path, Content::Text, |out| Ok(write(out)?))?;
    if !common.quiet {
        to_stdout(Content::Text, |out| Ok(summary(out, &profile)?))?;
    }
    Ok(Done { losses: false })
}

/// One line per kind of request.
fn summary(out: &mut dyn Write, profile: &Profile) -> std::io::Result<()> {
    let mount = profile.mount.as_deref().unwrap_or("an unknown file system");
    writeln!(out, "{mount} ({})", profile.fs_type.as_deref().unwrap_or("of unknown type"))?;
    for cost in &profile.cost {
        let Cost { op, workers, latency_s, latency_low_s, latency_high_s, .. } = cost;
        let file = match (workers, cost.is_shared) {
            (1, _) => "alone",
            (_, false) => "own files",
            (_, true) => "one file",
        };
        let [low, middle, high] = [latency_low_s, latency_s, latency_high_s].map(|s| s * 1e6);
        write!(out, "{op:<7} {workers:>3} {file:<9} {middle:>10.1} us ({low:.1} to {high:.1})")?;
        match cost.bandwidth_bytes_per_s {
            Some(bandwidth) => writeln!(out, "  {:>9.1} MB/s each", bandwidth / 1e6)?,
            None => writeln!(out)?,
        }
    }
    Ok(())
}
