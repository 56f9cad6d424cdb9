//! `diya fleet watch DATASET --new PATH... --state FILE -o DIR`

use super::ask::OwnQuestions;
use super::ingest::{How, files_read};
use crate::command_line::examples;
use crate::failure::{Done, Failure};
use crate::options::Common;
use crate::output::{Content, to_file, to_stdout};
use crate::progress::Bar;
use clap::Args;
use diya::Threads;
use diya_fleet::{Dataset, Digest, Ingested, State, WatchOptions, ingest_counted};
use serde_json::{Value, json};
use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Digests that wait for the hook; older ones are dropped, their files stay.
const MAX_PENDING: usize = 30;

#[derive(Debug, Args)]
#[command(after_help = examples(&[
    ("diya fleet watch jobs/ --new /logs --state w.json -o digests/", "each day"),
    ("diya fleet watch jobs/ --state w.json -o digests/", "without new logs"),
]))]
pub struct WatchArgs {
    /// Folder that `diya fleet ingest` filled, or a new one
    #[arg(value_name = "DATASET")]
    dataset: PathBuf,
    /// Folder of the logs, as for `diya fleet ingest`; only new logs are read
    #[arg(long, value_name = "PATH", num_args = 1..)]
    new: Vec<PathBuf>,
    /// File that keeps the open problems and who was called when
    #[arg(long, value_name = "FILE")]
    state: PathBuf,
    /// Folder for the digests: Markdown, HTML and JSON lines
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    /// Call no user twice within so many days
    #[arg(long, value_name = "N", default_value_t = 14)]
    quiet_days: u32,
    /// Days before the latest job that count as now
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..=3650))]
    days: u32,
    /// Call at most so many users in one digest
    #[arg(long, value_name = "N", default_value_t = 10)]
    calls: usize,
    /// Command of a shell that gets each digest as JSON on its standard input, to send it on
    #[arg(long, value_name = "COMMAND")]
    hook: Option<String>,
    /// Seconds that the hook may take
    #[arg(long, value_name = "S", default_value_t = 60)]
    hook_timeout: u64,
    /// File for Prometheus: aggregates only, no series of a job or a user
    #[arg(long, value_name = "FILE")]
    prometheus: Option<PathBuf>,
    /// The day of the digest (default: now)
    #[arg(long, value_name = "TIME", hide = true)]
    now: Option<jiff::Timestamp>,
    #[command(flatten)]
    own: OwnQuestions,
    #[command(flatten)]
    how: How,
}

pub fn run(args: &WatchArgs, common: &Common) -> Result<Done, Failure> {
    let questions = args.own.all()?;
    std::fs::create_dir_all(&args.output).map_err(|e| output(&args.output, &e))?;
    let _lock = lock(&args.state)?;
    let mut state = state(&args.state, &args.dataset)?;
    let bar = Bar::new(common);
    let ingested = if args.new.is_empty() {
        Ingested::default()
    } else {
        let options = args.how.options(&args.new, None, common.threads)?;
        bar.counting(&files_read, |files| ingest_counted(&args.dataset, &options, files))?
    };
    let dataset = Dataset::open(&args.dataset)?;
    let options = WatchOptions {
        days: f64::from(args.days),
        quiet_days: args.quiet_days,
        most_calls: args.calls,
        now: args.now.unwrap_or_else(jiff::Timestamp::now),
    };
    let name = args.dataset.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let digest = bar.during("comparing", || {
        dataset
            .ask(Threads::new(common.threads))?
            .watch(&name, ingested, &questions, &mut state, &options)
    })?;
    let page = write(args, &digest, options.now)?;
    if args.hook.is_some() {
        state.pending.push(json!(digest));
        let old = state.pending.len().saturating_sub(MAX_PENDING);
        state.pending.drain(..old);
    }
    // Before the hook: what it sends must not be sent again because it was killed.
    keep(&args.state, &state)?;
    let sent = args.hook.as_ref().map_or(Ok(()), |hook| send(hook, args, &mut state));
    if common.json {
        to_stdout(Content::Json, |out| Ok(writeln!(out, "{}", json!(digest))?))?;
    } else if !common.quiet {
        to_stdout(Content::Text, |out| {
            Ok(writeln!(out, "{}\n{}", digest.summary(), page.display())?)
        })?;
    }
    if let Err(reason) = &sent {
        say!("the hook failed: {reason}; the next run sends the digest again");
    }
    for (question, reason) in digest.failed.iter().filter(|_| !common.quiet) {
        say!("question {question} has no answer: {reason}");
    }
    Ok(Done { losses: ingested.unreadable > 0 || !digest.failed.is_empty() || sent.is_err() })
}

/// Writes all files of the digest; the page among them.
fn write(args: &WatchArgs, digest: &Digest, now: jiff::Timestamp) -> Result<PathBuf, Failure> {
    let stamp = now.strftime("%Y-%m-%dT%H%M%SZ");
    let path = |ending: &str| args.output.join(format!("digest-{stamp}.{ending}"));
    let put = |path: &Path, content: Content, text: String| {
        to_file(path, content, |out| Ok(out.write_all(text.as_bytes())?))
    };
    put(&path("md"), Content::Text, digest.markdown())?;
    put(&path("jsonl"), Content::Json, digest.json_lines())?;
    put(&path("html"), Content::Text, digest.html())?;
    if let Some(file) = &args.prometheus {
        put(file, Content::Text, digest.prometheus(now.as_second() as f64))?;
    }
    Ok(path("html"))
}

/// What the last run remembered.
fn state(path: &Path, dataset: &Path) -> Result<State, Failure> {
    let named = |why: &str| Failure::Input(format!("{}: {why}", path.display()));
    let dataset = std::path::absolute(dataset).map_err(|e| named(&e.to_string()))?;
    let fresh = State::new(&dataset);
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(fresh),
        Err(error) => return Err(named(&error.to_string())),
    };
    let state = State::parse(&text).map_err(|why| {
        named(&format!(
            "no state of `diya fleet watch`: {why}; without the file all open problems are new"
        ))
    })?;
    if state.dataset != fresh.dataset {
        return Err(named(&format!(
            "the state of another dataset, {}; name another file",
            state.dataset
        )));
    }
    Ok(state)
}

fn keep(path: &Path, state: &State) -> Result<(), Failure> {
    to_file(path, Content::Json, |out| Ok(out.write_all(state.text().as_bytes())?))
}

/// One watch at a time: two would call a user twice.
fn lock(state: &Path) -> Result<File, Failure> {
    let mut name = state.as_os_str().to_owned();
    name.push(".lock");
    let path = PathBuf::from(name);
    // Nothing is cut: a link that somebody planted here leads to a file of another.
    let file = File::options().write(true).create(true).truncate(false).open(&path);
    let file = file.map_err(|e| output(&path, &e))?;
    match file.try_lock() {
        Err(std::fs::TryLockError::WouldBlock) => Err(Failure::Input(format!(
            "{}: another watch uses it; wait until it has ended",
            state.display()
        ))),
        // File systems without locks.
        Ok(()) | Err(std::fs::TryLockError::Error(_)) => Ok(file),
    }
}

fn output(path: &Path, error: &std::io::Error) -> Failure {
    Failure::Output(format!("{}: {error}", path.display()))
}

/// Gives the hook all digests that wait, the oldest first.
fn send(hook: &str, args: &WatchArgs, state: &mut State) -> Result<(), String> {
    let mut result = Ok(());
    while let (Some(first), Ok(())) = (state.pending.first(), &result) {
        result = give(hook, first, Duration::from_secs(args.hook_timeout));
        if result.is_ok() {
            state.pending.remove(0);
        }
        keep(&args.state, state).map_err(|failure| failure.to_string())?;
    }
    result
}

fn give(hook: &str, digest: &Value, limit: Duration) -> Result<(), String> {
    let mut command = Command::new("sh");
    // Nothing of a digest is ever part of a command line.
    command.args(["-c", hook]).stdin(Stdio::piped()).stdout(Stdio::null());
    let mut child = command.spawn().map_err(|e| e.to_string())?;
    let input = child.stdin.take();
    let text = digest.to_string();
    // A hook that reads nothing must not hold the writer.
    let writer =
        std::thread::spawn(move || input.map(|mut input| input.write_all(text.as_bytes())));
    let start = Instant::now();
    loop {
        match child.try_wait().map_err(|e| e.to_string())? {
            Some(status) if status.success() => break,
            Some(status) => return Err(status.to_string()),
            None if start.elapsed() > limit => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(format!("it took more than {} s", limit.as_secs()));
            }
            None => std::thread::sleep(Duration::from_millis(20)),
        }
    }
    // A hook may end without reading all: a broken pipe is no fault of it.
    drop(writer);
    Ok(())
}
