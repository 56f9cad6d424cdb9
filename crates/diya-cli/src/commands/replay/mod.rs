//! `diya replay LOG DIR`: the recorded requests again, on a real file system.

mod script;

use super::open_options;
use crate::entry::{Entry, Group, arguments};
use crate::failure::{Done, Failure};
use crate::options::{Common, Filter};
use crate::output::{Content, check, on_stderr, room, stop_on_interrupt, to_file, to_stdout};
use crate::progress::Bar;
use clap::{ArgMatches, Args, ValueEnum};
use diya::TableSet;
use diya::capture::asked_to_end;
use diya_replay::{
    Gaps, Nodes, Plan, ReplayError, ReplayFolder, Share, Summary, Transform, check_space, clean,
    estimate, plan, predict, prepare_files, prepare_folders, read, record, summary, write_estimate,
    write_summary,
};
use std::io::{IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
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
        ("diya replay app.diya /scratch/me --script slurm", "on several nodes"),
    ],
    augment: ReplayArgs::augment_args,
    run: |given, common| run(&arguments(given), given, common),
    ..Entry::USUAL
}];

/// Batch systems for which a script can be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum BatchSystem {
    Slurm,
}

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
    /// or read twice; drop-failed: nothing is opened or asked that is not there; drop-temporary:
    /// files that the job makes and removes are not there; batch-metadata: a process opens each
    /// file once; align[=SIZE]: requests start at multiples of SIZE; aggregate: one rank issues
    /// the requests of all; collective[=N]: N ranks (4) do, each for a part of the file;
    /// stripe=COUNT[xSIZE]: new files lie on COUNT targets of Lustre; fewer-files: files whose
    /// names differ only in digits become one; node-local[=FOLDER]: the files lie in /dev/shm or
    /// FOLDER
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
    /// Print the batch file for a replay on several nodes, and replay nothing
    #[arg(long, value_name = "SYSTEM", conflicts_with_all = ["model", "clean", "node"])]
    pub script: Option<BatchSystem>,
    /// Replay on so many nodes: start this command on each, with --node. All have to see LOG and
    /// DIR; node 0 prints the result
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub nodes: Option<u32>,
    /// Number of this node, from 0
    #[arg(long, value_name = "I", requires = "nodes", conflicts_with = "model")]
    pub node: Option<u32>,
    /// Name of the replay on several nodes, if DIR holds another one
    #[arg(long, value_name = "NAME", requires = "nodes", default_value = "0")]
    pub session: String,
    /// Name or number by which the other nodes reach node 0, if not by its host name
    #[arg(long, value_name = "HOST")]
    pub address: Option<String>,
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
            ReplayError::Folder { .. }
            | ReplayError::Space { .. }
            | ReplayError::Io { .. }
            | ReplayError::Node { .. } => Self::Output(error.to_string()),
            other => Self::Input(other.to_string()),
        }
    }
}

pub fn run(args: &ReplayArgs, given: &ArgMatches, common: &Common) -> Result<Done, Failure> {
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
    let node_local = args.transforms.iter().find_map(|transform| match transform {
        Transform::NodeLocal(folder) => Some(folder.clone()),
        _ => None,
    });
    if args.script.is_some() {
        return script::write((log, dir), args, given, common);
    }
    let nodes = place(args)?;
    let plan = planned(log, args, nodes.map_or(1, |(_, nodes)| nodes), common)?;
    plan.check_lanes()?;
    let on = node_local.as_ref().unwrap_or(dir);
    if nodes.is_none_or(|(node, _)| node == 0) || node_local.is_some() {
        check_space(&plan, on)?;
    }
    if let Some(path) = &args.record {
        check(path)?;
    }
    let estimate = estimate(&plan);
    let has_gaps = args.gaps != Gaps::Drop;
    if !args.yes {
        on_stderr(|out| write_estimate(out, &estimate, on, has_gaps))?;
        confirm()?;
    }
    let interrupted = stop_on_interrupt();
    let terminated = asked_to_end().map_err(|e| Failure::Input(format!("signals: {e}")))?;
    let is_over = || interrupted.load(Ordering::SeqCst) || terminated.load(Ordering::SeqCst);
    let ended = || match is_over() {
        true => Err(Failure::Interrupted("interrupted; the files are removed".to_owned())),
        false => Ok(()),
    };
    // Node 0 has the folder, and another one where each node has its own.
    let (group, mut replay_folder, own_folder) = match nodes {
        None => (None, ReplayFolder::make(on)?, None),
        Some((0, nodes)) => {
            let folder = ReplayFolder::make_for_nodes(dir, &args.session)?;
            let own = node_local.as_ref().map(|own| ReplayFolder::make(own)).transpose()?;
            set_up(&plan, own.as_ref().unwrap_or(&folder), args, &is_over)?;
            let group = (nodes, args.address.as_deref());
            (Some(Nodes::lead(&plan, args.gaps, &folder, group, &is_over)?), folder, own)
        }
        Some((node, _)) => {
            let session = (dir.as_path(), args.session.as_str());
            let joined = Nodes::join(&plan, args.gaps, session, node, &is_over);
            ended()?;
            let (group, folder) = joined?;
            let own = node_local.as_ref().map(|own| ReplayFolder::make(own)).transpose()?;
            if let Some(own) = &own {
                set_up(&plan, own, args, &is_over)?;
            }
            (Some(group), folder, own)
        }
    };
    let share = match nodes {
        None => {
            set_up(&plan, &replay_folder, args, &is_over)?;
            Share::All
        }
        Some((node, _)) if own_folder.is_some() => Share::Used(node),
        Some((node, _)) => Share::First(node),
    };
    let files = own_folder.as_ref().unwrap_or(&replay_folder);
    prepare_files(&plan, files, share, args.cold, &is_over)?;
    if let Some(group) = &group {
        group.meet(&is_over)?;
    }
    let began = SystemTime::now();
    let outcomes = diya_replay::run(&plan, files, args.gaps, group.as_ref(), &is_over)?;
    ended()?;
    if nodes.is_some_and(|(node, _)| node > 0) {
        return Ok(Done::WHOLE);
    }
    if let Some(path) = &args.record {
        let log = record(&plan, &outcomes, &files.files(), began)?;
        to_file(path, Content::Binary, |out| Ok(out.write_all(&log)?))?;
    }
    if args.keep {
        if !common.quiet {
            say!("the files are in {}; --clean removes them", files.files().display());
        }
        replay_folder.keep();
    }
    let mut summary = summary(&plan, &outcomes);
    summary.gap_factor = factor(args.gaps);
    drop((own_folder, replay_folder));
    show(&summary, common)
}

/// Number of this node, and of all; `None`: the replay is on this node alone.
fn place(args: &ReplayArgs) -> Result<Option<(u32, u32)>, Failure> {
    let refuse = |reason: String| Err(Failure::Input(reason));
    match (args.node, args.nodes) {
        (_, None) => Ok(None),
        (None, Some(_)) => refuse(
            "which node is this? --node I, from 0; --script slurm writes the batch file that \
             starts all nodes"
                .to_owned(),
        ),
        (Some(node), Some(nodes)) if node >= nodes => {
            refuse(format!("--node {node}: expected 0 to {}", nodes - 1))
        }
        (Some(_), Some(_)) if !args.yes => {
            refuse("nothing was replayed: on several nodes, add --yes on each".to_owned())
        }
        (Some(node), Some(nodes)) => Ok(Some((node, nodes))),
    }
}

/// The folders of the recording, with the layout that was asked for.
fn set_up(
    plan: &Plan,
    folder: &ReplayFolder,
    args: &ReplayArgs,
    is_over: &dyn Fn() -> bool,
) -> Result<(), Failure> {
    for transform in &args.transforms {
        if let Transform::Stripe(stripe) = transform {
            stripe.give_to(&folder.files())?;
        }
    }
    Ok(prepare_folders(plan, folder, is_over)?)
}

/// What the requests would take, by the costs of the log.
fn model(log: &Path, args: &ReplayArgs, common: &Common) -> Result<Done, Failure> {
    let plan = planned(log, args, args.nodes.unwrap_or(1), common)?;
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

fn planned(log: &Path, args: &ReplayArgs, nodes: u32, common: &Common) -> Result<Plan, Failure> {
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
    let recording = bar.during("reading", || read(input, &options))?;
    Ok(bar.during("planning", || plan(recording, &args.transforms, nodes)))
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
