//! `diya replay LOG DIR`: the recorded requests again, on a real file system.

use super::open_options;
use crate::entry::{Entry, Group, arguments};
use crate::failure::{Done, Failure};
use crate::options::{Common, Filter};
use crate::output::{Content, check, on_stderr, room, stop_on_interrupt, to_file, to_stdout};
use crate::progress::Bar;
use clap::Args;
use diya::TableSet;
use diya_replay::{
    Gaps, Plan, ReplayError, ReplayFolder, Summary, Transform, check_space, clean, estimate, plan,
    predict, prepare, read, record, summary, write_estimate, write_summary,
};
use std::io::{IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::SystemTime;

pub const COMMANDS: &[Entry] = &[Entry {
    name: "replay",
    group: Group::Fix,
    place: 2,
    help: "Issue the recorded requests again on a file system",
    examples: &[
        ("diya replay app.diya /scratch/me", "the requests as they were"),
        ("diya replay app.diya /scratch/me --transform align", "changed, to try a fix"),
        ("diya replay app.diya --model --transform no-fsync", "only estimate"),
    ],
    augment: ReplayArgs::augment_args,
    run: |given, common| run(&arguments(given), common),
    ..Entry::USUAL
}];

#[derive(Debug, Args)]
pub struct ReplayArgs {
    /// Log with single calls, then the folder on the file system to measure; with --clean, only
    /// the folder
    #[arg(required = true, num_args = 1..=2, value_names = ["LOG", "DIR"])]
    pub places: Vec<PathBuf>,
    #[command(flatten)]
    pub filter: Filter,
    /// Time between the calls of a rank: keep, drop, or a factor such as 0.1
    #[arg(long, value_name = "GAPS", default_value = "keep", value_parser = parse_gaps)]
    pub gaps: Gaps,
    /// Change the requests first; may be given several times. no-fsync: nothing is made durable;
    /// larger-requests[=SIZE]: contiguous requests are merged; drop-redundant: nothing is asked
    /// or read twice; batch-metadata: a process opens each file once; align[=SIZE]: requests
    /// start at multiples of SIZE; aggregate: one rank issues the writes of all; collective[=N]:
    /// N ranks (4) do, each for a part of the file; stripe=COUNT[xSIZE]: new files lie on COUNT
    /// targets of Lustre; fewer-files: files whose names differ only in digits become one;
    /// node-local[=FOLDER]: the files lie in /dev/shm or FOLDER
    #[arg(long = "transform", value_name = "NAME", value_parser = parse_transform)]
    pub transforms: Vec<Transform>,
    /// Estimate the times from those of the log; nothing is issued, and DIR is not needed
    #[arg(long, conflicts_with_all = ["record", "keep", "clean"])]
    pub model: bool,
    /// Write the calls that were issued, with their times, as a .diya file
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Prepared files are not in the page cache when the replay begins
    #[arg(long)]
    pub cold: bool,
    /// Start without asking
    #[arg(long, short)]
    pub yes: bool,
    /// Keep the files at the end
    #[arg(long)]
    pub keep: bool,
    /// Remove the files that killed replays left in DIR, or were asked to keep
    #[arg(long)]
    pub clean: bool,
}

impl From<ReplayError> for Failure {
    fn from(error: ReplayError) -> Self {
        match error {
            ReplayError::Open(error) => error.into(),
            ReplayError::Folder { .. } | ReplayError::Space { .. } | ReplayError::Io { .. } => {
                Self::Output(error.to_string())
            }
            other => Self::Input(other.to_string()),
        }
    }
}

pub fn run(args: &ReplayArgs, common: &Common) -> Result<Done, Failure> {
    let (log, dir) = match (args.places.as_slice(), args.clean) {
        ([dir], true) => return clean_up(dir),
        ([log] | [log, _], false) if args.model => return model(log, args, common),
        ([log, dir], false) => (log, dir),
        ([_], false) => {
            return Err(Failure::Input(
                "no folder was named; diya replay LOG DIR issues the requests below DIR".to_owned(),
            ));
        }
        _ => return Err(Failure::Input("--clean takes only a folder".to_owned())),
    };
    let node_local = |transform: &Transform| match transform {
        Transform::NodeLocal(folder) => Some(folder.clone()),
        _ => None,
    };
    let dir = &args.transforms.iter().find_map(node_local).unwrap_or_else(|| dir.clone());
    let plan = planned(log, args, common)?;
    check_space(&plan, dir)?;
    if let Some(path) = &args.record {
        check(path)?;
    }
    let estimate = estimate(&plan);
    let has_gaps = args.gaps != Gaps::Drop;
    if !args.yes {
        on_stderr(|out| write_estimate(out, &estimate, dir, has_gaps))?;
        confirm()?;
    }
    let stop = stop_on_interrupt();
    let mut replay_folder = ReplayFolder::make(dir)?;
    for transform in &args.transforms {
        if let Transform::Stripe(stripe) = transform {
            stripe.give_to(&replay_folder.files())?;
        }
    }
    prepare(&plan, &replay_folder, args.cold, stop)?;
    let began = SystemTime::now();
    let outcomes = diya_replay::run(&plan, &replay_folder, args.gaps, stop)?;
    ended(stop)?;
    if let Some(path) = &args.record {
        let log = record(&plan, &outcomes, &replay_folder.files(), began)?;
        to_file(path, Content::Binary, |out| Ok(out.write_all(&log)?))?;
    }
    if args.keep {
        replay_folder.keep();
        if !common.quiet {
            say!("the files are in {}; --clean removes them", replay_folder.files().display());
        }
    }
    let mut summary = summary(&plan, &outcomes);
    summary.gap_factor = factor(args.gaps);
    drop(replay_folder);
    show(&summary, common)
}

/// What the requests would take, by the costs of the log.
fn model(log: &Path, args: &ReplayArgs, common: &Common) -> Result<Done, Failure> {
    let plan = planned(log, args, common)?;
    let mut summary = summary(&plan, &predict(&plan, args.gaps));
    summary.is_predicted = true;
    summary.gap_factor = factor(args.gaps);
    show(&summary, common)
}

/// What gaps are multiplied by.
fn factor(gaps: Gaps) -> f64 {
    match gaps {
        Gaps::Times(factor) => factor,
        Gaps::Drop => 0.0,
    }
}

fn show(summary: &Summary, common: &Common) -> Result<Done, Failure> {
    to_stdout(Content::of(common.json), |out| {
        if common.json {
            let json = serde_json::to_string_pretty(summary).map_err(std::io::Error::from)?;
            return Ok(writeln!(out, "{json}")?);
        }
        Ok(write_summary(out, summary, room(false))?)
    })?;
    Ok(Done::WHOLE)
}

fn planned(log: &Path, args: &ReplayArgs, common: &Common) -> Result<Plan, Failure> {
    let bar = Bar::new(common);
    let options = open_options(common, Some(&args.filter), TableSet::NONE, &bar);
    let inputs = diya::input::logs(&[log])?;
    let [input] = inputs.as_slice() else {
        let logs = inputs.len();
        return Err(Failure::Input(format!(
            "{}: holds {logs} logs, a replay is of one: unpack it and name one",
            log.display()
        )));
    };
    Ok(bar.during("planning", || plan(read(input, &options)?, &args.transforms))?)
}

/// Asks at a terminal; without one, nobody can answer.
fn confirm() -> Result<(), Failure> {
    let refuse = |reason: &str| Err(Failure::Input(reason.to_owned()));
    if !std::io::stdin().is_terminal() {
        return refuse("nothing was replayed: add --yes to start without a question");
    }
    on_stderr(|out| write!(out, "Start? [y/N] "))?;
    let mut answer = String::new();
    std::io::stdin().read_line(&mut answer)?;
    match ["y", "yes"].contains(&answer.trim().to_lowercase().as_str()) {
        true => Ok(()),
        false => refuse("nothing was replayed"),
    }
}

/// Whether Ctrl-C ended the replay.
fn ended(stop: &AtomicBool) -> Result<(), Failure> {
    match stop.load(Ordering::SeqCst) {
        true => Err(Failure::Interrupted("interrupted; the files are removed".to_owned())),
        false => Ok(()),
    }
}

fn clean_up(dir: &Path) -> Result<Done, Failure> {
    let cleaned = clean(dir)?;
    to_stdout(Content::Text, |out| {
        for path in &cleaned.removed {
            writeln!(out, "removed {}", path.display())?;
        }
        for path in &cleaned.in_use {
            writeln!(out, "in use  {}", path.display())?;
        }
        if cleaned.removed.is_empty() && cleaned.in_use.is_empty() {
            writeln!(out, "{}: no files of replays", dir.display())?;
        }
        Ok(())
    })?;
    Ok(Done::WHOLE)
}

fn parse_transform(text: &str) -> Result<Transform, String> {
    text.parse().map_err(|error: ReplayError| error.to_string())
}

fn parse_gaps(text: &str) -> Result<Gaps, String> {
    match text {
        "keep" => Ok(Gaps::Times(1.0)),
        "drop" => Ok(Gaps::Drop),
        number => match number.parse::<f64>() {
            Ok(factor) if factor.is_finite() && factor >= 0.0 => Ok(Gaps::Times(factor)),
            _ => Err("expected keep, drop, or a factor such as 0.1".to_owned()),
        },
    }
}
