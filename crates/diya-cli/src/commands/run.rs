//! `diya run`: record a command.

use crate::commands::apply::injection;
use crate::commands::behind;
use crate::commands::collect::{CollectFailure, report, write_log};
use crate::commands::record::{RecordArgs, input, note, now, settings};
use crate::commands::verdict;
use crate::entry::{Entry, Group, arguments};
use crate::failure::Failure;
use crate::options::Common;
use crate::output;
use clap::{Args, ValueEnum};
use diya::capture::{
    CollectError, CollectOptions, Ended, LeaderTime, Note, Obstacle, RunError, SegmentDirectory,
    as_the_program_ended, inspect, install_library, run as start, still_running, trace_telling,
    variables,
};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

pub const COMMANDS: &[Entry] = &[
    Entry {
        name: "run",
        group: Group::Record,
        place: 1,
        help: "Record the I/O of a command into a log",
        examples: &[
            ("diya run -- mpirun -n 64 ./app", "an MPI program"),
            ("diya run -o app.diya -- python3 train.py", "name the log"),
            ("diya run --stacks -- ./app", "with the source line of each call"),
            ("diya run --apply tuned/ -- ./app", "with the settings of `diya tune`"),
        ],
        passes_interrupt_on: true,
        augment: RunArgs::augment_args,
        run: |given, common| run(&arguments(given), common).map(|never| match never {}),
        ..Entry::USUAL
    },
    Entry {
        name: "recorder",
        group: Group::SetUp,
        place: 9,
        help: "Write the recorder's library, for an installation that all nodes see",
        is_hidden: true,
        augment: RecorderArgs::augment_args,
        run: |given, _| recorder(&arguments(given)),
        ..Entry::USUAL
    },
];

/// Recording method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Tracer {
    /// A library loaded into every program: tens of nanoseconds per call
    Preload,
    /// ptrace: about 20 µs per call; also records statically linked programs
    Ptrace,
}

#[derive(Debug, Args)]
#[command(
    after_help = "The exit code is that of the command; 4 if that is 0 and the log could not \
        be written. Slurm and PBS: put `diya run` before `srun` or `mpiexec`; for scripts with \
        several steps see `diya env --help`."
)]
pub struct RunArgs {
    #[command(flatten)]
    pub record: RecordArgs,
    /// Name of the log (default: PROGRAM-DATE-TIME.diya)
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Replace the log if it exists
    #[arg(long)]
    pub force: bool,
    /// Recording method (default: preload; of a statically linked program, ptrace)
    #[arg(long, value_enum)]
    pub tracer: Option<Tracer>,
    /// Do not diagnose at the end; `diya report` does so at any time
    #[arg(long)]
    pub no_verdict: bool,
    /// Keep the temporary recording files after the log is written
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

/// Records a command; ends this process as the command ended.
pub fn run(args: &RunArgs, common: &Common) -> Result<std::convert::Infallible, Failure> {
    refuse_unknown_option(&args.command)?;
    let log = args.output.clone().unwrap_or_else(|| default_name(&args.command));
    let rank = behind::rank(|name| std::env::var(name).ok());
    let log = rank.map_or(log.clone(), |rank| behind::log_of(rank, &log));
    if rank == Some(0) {
        say!(
            "each rank is recorded separately; for one log of all ranks: diya run -- LAUNCHER COMMAND"
        );
    }
    if args.output.is_some() && log.exists() && !args.force {
        let what = format!("{} exists already; --force replaces it", log.display());
        return Err(Failure::Output(what));
    }
    output::check(&log)?;
    if args.tracer == Some(Tracer::Ptrace) && !args.record.apply.apply.is_empty() {
        return Err(Failure::Input(
            "--apply needs --tracer preload; with ptrace, export the variables before diya run"
                .into(),
        ));
    }
    let injection = injection(&args.record.apply)?;
    let directory = SegmentDirectory::create(args.record.segments.as_deref()).map_err(input)?;
    if let (Some(why), false) = (directory.passed_over(), common.quiet) {
        say!("note: {why}; recording to {}", directory.path().display());
    }
    let command = args.command.iter().map(|a| a.to_string_lossy().into_owned()).collect();
    let mut note = Note { command, applied: injection.applied, ..note() };
    let program = args.command.first().and_then(|c| inspect(c));
    let obstacle =
        program.as_ref().and_then(|of| Some((of.obstacle?, of.obstacle?.text(&of.path))));
    let can_be_traced = obstacle.as_ref().is_some_and(|(of, _)| of.can_be_traced());
    // Settings are applied by what is preloaded.
    let chosen = can_be_traced && args.record.apply.apply.is_empty();
    let tracer = args.tracer.unwrap_or(if chosen { Tracer::Ptrace } else { Tracer::Preload });
    let is_traced = tracer == Tracer::Ptrace && can_be_traced;
    if let Some((_, text)) = obstacle.as_ref().filter(|_| !is_traced) {
        say!("{text}");
        note.obstacles.push(text.clone());
    } else if let (None, true, Some(program)) = (args.tracer, is_traced && !common.quiet, &program)
    {
        let name = program.path.display();
        let why = match program.obstacle {
            Some(Obstacle::OwnCalls) => "is a Go program",
            _ => "is statically linked",
        };
        say!("note: {name} {why}: ptrace records it, at about 20 µs per call");
    }
    note.write(directory.path()).map_err(|e| Failure::Output(format!("{e}")))?;
    let folder = directory.path().to_path_buf();
    let settings = settings(&args.record, &injection.inside, folder, &note.host, Some(&log))?;
    let mut leader = Vec::new();
    let preloaded = |leader: &mut Vec<LeaderTime>| {
        let mut all = variables(&settings, &|name| std::env::var_os(name));
        all.extend(injection.variables.into_iter().map(|(name, value)| (name, value.into())));
        start(&args.command, &all, leader)
    };
    let outcome = match tracer {
        Tracer::Preload => preloaded(&mut leader),
        Tracer::Ptrace => {
            let mut tell = |obstacle| {
                say!("{obstacle}");
                note.obstacles.push(obstacle);
            };
            let traced = trace_telling(&args.command, &settings, &mut tell, &mut leader);
            match (traced, obstacle, args.tracer) {
                // The user did not ask for it, and the program has not begun: it runs as if ptrace were not there.
                (Err(RunError::NotPermitted { source }), Some((_, text)), None) => {
                    say!("{text}; ptrace is not permitted here: {source}");
                    note.obstacles.push(text);
                    preloaded(&mut leader)
                }
                (traced, ..) => traced,
            }
        }
    };
    output::clean_up_on_interrupt();
    let ended = match outcome {
        Ok(ended) => ended,
        Err(error) => {
            let _ = directory.remove();
            say!("{error}");
            std::process::exit(i32::from(error.exit_code()));
        }
    };
    note.end_ns = now();
    note.leader = leader;
    match ended {
        Ended::Code(code) => note.exit_code = Some(code),
        Ended::Signal(number) => note.signal = Some(number),
    }
    if !Note::is_in(directory.path()) {
        let folder = directory.path().display();
        note.obstacles.push(format!(
            "files of the recording were removed from {folder} while the program ran: processes and calls are missing"
        ));
    }
    // Later collecting, should ours fail, knows how the command ended.
    let _ = note.write(directory.path());
    let saved = save(args, common, &directory, note, &log, settings.gather.as_deref());
    match (saved, ended) {
        // A script that goes on to the log has to know that there is none.
        (Err(failure), Ended::Code(0)) => std::process::exit(i32::from(failure.exit_code())),
        _ => as_the_program_ended(ended),
    }
}

/// Everything behind the options is the command, so a misspelt option would be
/// taken for it. After `--` a command may be called as it likes.
fn refuse_unknown_option(command: &[OsString]) -> Result<(), Failure> {
    let Some(first) = command.first().filter(|c| c.as_encoded_bytes().starts_with(b"-")) else {
        return Ok(());
    };
    let given: Vec<OsString> = std::env::args_os().collect();
    if given.iter().zip(given.iter().skip(1)).any(|(one, next)| one == "--" && next == first) {
        return Ok(());
    }
    Err(Failure::Input(format!(
        "unknown option {}: see `diya run --help`; a command of this name goes after `--`",
        first.to_string_lossy()
    )))
}

/// Collects; the exit code of a program that failed stands whatever comes of it.
fn save(
    args: &RunArgs,
    common: &Common,
    directory: &SegmentDirectory,
    mut note: Note,
    log: &Path,
    gather: Option<&Path>,
) -> Result<(), Failure> {
    let running = still_running(directory.path());
    for process in &running {
        note.obstacles.push(format!(
            "{} (process {}) was still running when the log was written: its later calls are missing",
            process.name, process.pid
        ));
    }
    let mut folders = vec![directory.path().to_path_buf()];
    folders.extend(gather.filter(|g| g.is_dir()).map(Path::to_path_buf));
    let options = CollectOptions {
        log_name: log.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        note: Some(note),
        keeps_memory: true,
        ..CollectOptions::default()
    };
    match write_log(&folders, log, &options, common) {
        Ok(summary) => {
            report(&summary, log, common);
            if !running.is_empty() {
                say!(
                    "the recording continues; when they have ended, run: diya collect {} -o NAME.diya",
                    directory.path().display()
                );
            } else if !args.keep {
                let _ = directory.remove();
                let _ = gather.map(std::fs::remove_dir_all);
            }
            if !args.no_verdict {
                verdict::write(log, summary.calls, common);
            }
            Ok(())
        }
        Err(CollectFailure::Collect(CollectError::Folder { .. })) if !directory.path().exists() => {
            let what = format!(
                "no log: {} was removed while the program ran, and the recording with it",
                directory.path().display()
            );
            say!("{what}");
            Err(Failure::Output(what))
        }
        Err(CollectFailure::Collect(CollectError::Nothing(_))) => {
            match directory.is_full() {
                Some(why) => say!(
                    "nothing was recorded: cannot write to {} ({why}); use another directory with --segments",
                    directory.path().display()
                ),
                None => say!(
                    "nothing was recorded: the command made no I/O call that can be recorded, \
                     removed LD_PRELOAD from its environment, or deleted the recording"
                ),
            }
            let _ = directory.remove();
            Ok(())
        }
        Err(failure) => {
            say!("{failure}");
            say!("the recording is kept: diya collect {} -o NAME.diya", directory.path().display());
            Err(Failure::Output(failure.to_string()))
        }
    }
}

#[derive(Debug, Args)]
pub struct RecorderArgs {
    /// Folder to write it to
    folder: PathBuf,
}

/// Writes the recorder's library where an installation has it.
pub fn recorder(args: &RecorderArgs) -> Result<crate::failure::Done, Failure> {
    let folder = &args.folder;
    install_library(folder).map_err(|e| Failure::Output(format!("{}: {e}", folder.display())))?;
    Ok(crate::failure::Done::WHOLE)
}

/// `PROGRAM-DATE-TIME.diya` here, with the program behind launchers and wrappers
/// left out: the name is for people looking for yesterday's run.
fn default_name(command: &[OsString]) -> PathBuf {
    let program = command.first().map_or(OsStr::new("run"), |c| c.as_os_str());
    let name = Path::new(program).file_name().unwrap_or(program).to_string_lossy().into_owned();
    let stamp = jiff::Zoned::now().strftime("%Y%m%d-%H%M%S").to_string();
    let plain = PathBuf::from(format!("{name}-{stamp}.diya"));
    // Two runs in one second.
    let others = (2..100).map(|n| PathBuf::from(format!("{name}-{stamp}-{n}.diya")));
    std::iter::once(plain.clone()).chain(others).find(|path| !path.exists()).unwrap_or(plain)
}
