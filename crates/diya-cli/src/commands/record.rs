//! What `run` and `env` share: what is recorded, and where.

use crate::commands::apply::ApplyArgs;
use crate::failure::Failure;
use crate::options::parse_size;
use clap::{Args, ValueEnum};
use diya::capture::{Messages, Mode, Note, Settings, apply_library, library, mounts};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// What is recorded, and how.
#[derive(Debug, Args)]
pub struct RecordArgs {
    /// Record counters only, in constant memory, instead of every call
    #[arg(long)]
    pub profile: bool,
    /// Maximum recording size per process, for example 512M or 4G (default 1G). After that, calls
    /// are only counted
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub max_trace: Option<u64>,
    /// Record the source line of each call, and sample what each thread does between its calls
    /// (1,000 times per second). Adds microseconds to each call
    #[arg(long)]
    pub stacks: bool,
    /// Messages of MPI that are recorded one by one: those that take 10 us or more, all, or none; the
    /// others are counted
    #[arg(long, value_enum, value_name = "WHICH", default_value_t = MessagesAsked::Waits)]
    pub messages: MessagesAsked,
    /// Directory for temporary recording files, in memory or on a node-local disk
    /// (default: /dev/shm)
    #[arg(long, value_name = "DIR")]
    pub segments: Option<PathBuf>,
    #[command(flatten)]
    pub apply: ApplyArgs,
    /// Do not record these programs: NAME[,NAME...]
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub skip: Vec<String>,
}

/// As `--messages` takes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum MessagesAsked {
    /// Those of 10 us and more
    Waits,
    /// Every one
    All,
    /// None
    Off,
}

/// Settings of the recorder of each process, and of what `inside` applies there.
pub fn settings(
    args: &RecordArgs,
    inside: &[String],
    directory: PathBuf,
    host: &str,
    log: Option<&Path>,
) -> Result<Settings, Failure> {
    let absolute = log.and_then(|log| std::path::absolute(log).ok());
    Ok(Settings {
        library: library().map_err(input)?,
        directory,
        mode: if args.profile { Mode::Profile } else { Mode::Trace },
        max_trace_bytes: args.max_trace,
        has_stacks: args.stacks,
        messages: match args.messages {
            MessagesAsked::Waits => Messages::Waits,
            MessagesAsked::All => Messages::All,
            MessagesAsked::Off => Messages::Off,
        },
        skip: args.skip.clone(),
        apply: match inside {
            [] => None,
            entries => Some((apply_library().map_err(input)?, entries.join(";"))),
        },
        gather: absolute.map(|log| log.with_extension("segments")),
        home: Some(host.to_string()),
    })
}

/// What is known before the first program starts.
pub fn note() -> Note {
    Note {
        start_ns: now(),
        host: host(),
        version: diya::VERSION.into(),
        mounts: mounts(),
        ..Note::default()
    }
}

pub fn input(error: impl std::fmt::Display) -> Failure {
    Failure::Input(error.to_string())
}

pub fn now() -> Option<u64> {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).ok()?;
    u64::try_from(since.as_nanos()).ok()
}

fn host() -> String {
    std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default().trim().to_string()
}
