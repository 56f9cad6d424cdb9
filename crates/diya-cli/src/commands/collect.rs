//! `diya collect`: make a log of what killed or distant processes left.

use super::verdict;
use crate::entry::{Entry, Group, arguments};
use crate::failure::{Done, Failure};
use crate::options::Common;
use crate::output;
use crate::progress::Bar;
use clap::Args;
use diya::capture::{CollectError, CollectOptions, Summary, collect, pack};
use diya::model::bytes_text;
use std::path::{Path, PathBuf};

pub const COMMANDS: &[Entry] = &[Entry {
    name: "collect",
    group: Group::Record,
    place: 3,
    help: "Combine recordings (killed jobs, several nodes) into one log",
    examples: &[
        ("diya collect \"$DIYA_DIR\" -o app.diya", "after the programs of a batch script"),
        ("diya collect recording/ -o app.diya", "the recordings of several nodes"),
        ("diya collect \"$DIYA_DIR\" --pack $PWD/recording", "only pack this node"),
    ],
    augment: CollectArgs::augment_args,
    run: |given, common| run(&arguments(given), common),
    ..Entry::USUAL
}];

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
    /// Only pack the recording of this node into one file in this folder, to collect it elsewhere
    #[arg(long, value_name = "DIR", conflicts_with = "output")]
    pub pack: Option<PathBuf>,
    /// Keep call stacks as addresses; use this on a machine without the program file
    #[arg(long)]
    pub keep_addresses: bool,
    /// Remove the recording after the log is written
    #[arg(long)]
    pub remove: bool,
}

/// Why collecting failed.
pub enum CollectFailure {
    /// There was nothing to collect, or it could not be written.
    Collect(CollectError),
    /// The output file could not be made.
    Output(Failure),
}

impl std::fmt::Display for CollectFailure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Collect(error) => error.fmt(f),
            Self::Output(failure) => failure.fmt(f),
        }
    }
}

/// Collects the segments of these folders, or packs those of one.
pub fn run(args: &CollectArgs, common: &Common) -> Result<Done, Failure> {
    if let Some(folder) = &args.pack {
        return pack_node(args, folder, common);
    }
    if let Some(missing) = args.folders.iter().find(|folder| !folder.exists()) {
        return Err(Failure::Input(format!(
            "{}: no such folder; expected the folder of a recording: DIYA_DIR, or that of --gather \
             or --pack",
            missing.display()
        )));
    }
    let log = args.output.clone().unwrap_or_else(|| PathBuf::from("run.diya"));
    if log.exists() && !args.force {
        return Err(Failure::Output(format!(
            "{} exists already; --force replaces it",
            log.display()
        )));
    }
    let options = CollectOptions {
        log_name: log.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        keeps_addresses: args.keep_addresses,
        keeps_memory: true,
        ..CollectOptions::default()
    };
    let summary =
        write_log(&args.folders, &log, &options, common).map_err(|failure| match failure {
            CollectFailure::Collect(CollectError::Output(error)) => error.into(),
            CollectFailure::Collect(error) => Failure::Input(error.to_string()),
            CollectFailure::Output(failure) => failure,
        })?;
    report(&summary, &log, common);
    verdict::write(&log, summary.calls, common);
    if args.remove {
        for folder in &args.folders {
            std::fs::remove_dir_all(folder)
                .map_err(|e| Failure::Output(format!("{}: {e}", folder.display())))?;
        }
    }
    Ok(Done::WHOLE)
}

/// One file of all segments of this node.
fn pack_node(args: &CollectArgs, target: &Path, common: &Common) -> Result<Done, Failure> {
    std::fs::create_dir_all(target)
        .map_err(|e| Failure::Output(format!("{}: {e}", target.display())))?;
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    for folder in args.folders.iter().filter(|f| f.is_dir()) {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let file = target.join(format!("{}-{name}.tar", host.trim()));
        let mut packed = 0;
        output::to_file(&file, output::Content::Binary, |out| {
            packed = pack(folder, out).map_err(|e| Failure::Output(e.to_string()))?;
            Ok(())
        })?;
        if !common.quiet {
            say!("packed {packed} processes of {} into {}", host.trim(), file.display());
        }
    }
    Ok(Done::WHOLE)
}

/// Writes the log of these folders.
pub fn write_log(
    folders: &[PathBuf],
    log: &Path,
    options: &CollectOptions,
    common: &Common,
) -> Result<Summary, CollectFailure> {
    let bar = Bar::new(common);
    let mut outcome = None;
    let written = output::to_file(log, output::Content::Binary, |out| {
        let result = bar.during("collecting the recording", || collect(folders, out, options));
        let is_done = result.is_ok();
        outcome = Some(result);
        if is_done { Ok(()) } else { Err(Failure::Output(String::new())) }
    });
    match (outcome, written) {
        (Some(Ok(summary)), Ok(())) => Ok(summary),
        (Some(Err(error)), _) => Err(CollectFailure::Collect(error)),
        (_, Err(failure)) => Err(CollectFailure::Output(failure)),
        (None, Ok(())) => Ok(Summary::default()),
    }
}

/// Says in a few lines what was recorded.
pub fn report(summary: &Summary, log: &Path, common: &Common) {
    if common.quiet {
        return;
    }
    let size = std::fs::metadata(log).map_or(0, |m| m.len());
    let who = match (summary.mpi_ranks, summary.processes) {
        (0, 1) => "1 process".to_string(),
        (0, n) => format!("{n} processes"),
        (ranks, n) if n > ranks => format!("{ranks} MPI ranks, {} other processes", n - ranks),
        (ranks, _) => format!("{ranks} MPI ranks"),
    };
    let hosts =
        if summary.hosts > 1 { format!(" on {} nodes", summary.hosts) } else { String::new() };
    say!(
        "{who}{hosts}, {} calls, {} read, {} written -> {} ({})",
        diya::model::calls_text(summary.calls),
        bytes_text(summary.bytes_read),
        bytes_text(summary.bytes_written),
        log.display(),
        bytes_text(size)
    );
    for issue in summary.issues.iter().take(5) {
        say!("note: {issue}");
    }
    if summary.issues.len() > 5 {
        say!("and {} more notes in table read_issue", summary.issues.len() - 5);
    }
}
