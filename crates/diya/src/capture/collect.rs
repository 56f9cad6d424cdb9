//! Segments of all processes become one `.diya` file.

use super::symbols::Symbols;
use crate::diagnose::APPLIED;
use crate::{TableId, Tables, Threads, VERSION};
use diya_launch::{LeaderTime, Note, SegmentFile, find, keep_memory};
use diya_read::segment::{self, CallSink, Facts, NoResolver, Resolver, Segments};
use diya_tables::{CallTable, IssueKind, file, op_count, process, read_issue};
use diya_write::diya_file::{Block, Effort, Writer, encode_calls};
use std::collections::HashSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Bytes of a segment's header, with room for a longer one.
const HEAD_BYTES: u64 = 64 << 10;

/// Why no log was made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CollectError {
    /// A folder cannot be read.
    #[error("{}: {source}", .folder.display())]
    Folder {
        /// Which.
        folder: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// There are no segments.
    #[error(
        "no recording in {0}: no process of the run made an I/O call, or none could be recorded"
    )]
    Nothing(String),
    /// The log cannot be written.
    #[error("cannot write the log: {0}")]
    Output(#[from] io::Error),
}

/// How to collect.
#[derive(Debug, Clone, Default)]
pub struct CollectOptions {
    /// Name of the log, for table `job`.
    pub log_name: String,
    /// Threads; `None`: one per processor.
    pub threads: Option<Threads>,
    /// Leave call stacks as addresses.
    pub keeps_addresses: bool,
    /// This process ends soon: it need not give memory back to the system meanwhile.
    pub keeps_memory: bool,
    /// What the launcher knows; `None`: what it left in the folders.
    pub note: Option<Note>,
}

/// What was collected.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Summary {
    /// Processes that left a segment.
    pub processes: usize,
    /// Of them, ranks of MPI.
    pub mpi_ranks: usize,
    /// Nodes.
    pub hosts: usize,
    /// Calls, recorded or counted.
    pub calls: u64,
    /// Calls that are missing.
    pub dropped: u64,
    /// Bytes that POSIX and STDIO calls read from files.
    pub bytes_read: u64,
    /// Bytes that they wrote to files.
    pub bytes_written: u64,
    /// Processes that did not end by themselves.
    pub killed: usize,
    /// Rows of `read_issue`.
    pub issues: Vec<String>,
    /// Bytes of all segments.
    pub segment_bytes: u64,
}

/// Collects the segments of these folders, writing a `.diya` file to `out`.
pub fn collect(
    folders: &[PathBuf],
    out: &mut dyn Write,
    options: &CollectOptions,
) -> Result<Summary, CollectError> {
    let mut files = Vec::new();
    for folder in folders {
        let found = find(folder);
        files.extend(
            found.map_err(|source| CollectError::Folder { folder: folder.clone(), source })?,
        );
    }
    if files.is_empty() {
        let names: Vec<String> = folders.iter().map(|f| f.display().to_string()).collect();
        return Err(CollectError::Nothing(names.join(", ")));
    }
    let note = options.note.clone().unwrap_or_else(|| note_of(folders));
    let facts = facts(&note, options);
    let mut writer = Writer::new(out, &format!("diya {VERSION}"))?;
    let mut failed = None;
    let symbols = Symbols::default();
    let resolver: &dyn Resolver = if options.keeps_addresses { &NoResolver } else { &symbols };
    let threads = options.threads.unwrap_or_else(|| Threads::new(0));
    let bytes = files.iter().map(SegmentFile::bytes).sum();
    if options.keeps_memory {
        keep_memory(bytes, threads.count());
    }
    let mut take = |block: Block| {
        if failed.is_none() {
            failed = writer.push(&block).err();
        }
    };
    let tables = segment::collect(&Files(files), &facts, resolver, &threads, &Blocks, &mut take);
    if let Some(error) = failed {
        return Err(error.into());
    }
    writer.tables(&tables)?;
    writer.finish()?;
    let summary = summary(&tables, bytes);
    Ok(summary)
}

fn leading(of: &LeaderTime) -> segment::Leading {
    segment::Leading {
        program: of.program.clone(),
        activity: of.activity.clone(),
        place: of.place.clone(),
        started: of.started,
        time_s: of.time_ns as f64 * 1e-9,
        seen: i64::try_from(of.seen).unwrap_or(i64::MAX),
    }
}

fn note_of(folders: &[PathBuf]) -> Note {
    folders.iter().map(|f| Note::read(f)).find(|n| *n != Note::default()).unwrap_or_default()
}

fn facts(note: &Note, options: &CollectOptions) -> Facts {
    let mounts = if note.mounts.is_empty() { diya_launch::mounts() } else { note.mounts.clone() };
    let mut metadata: Vec<String> =
        note.applied.iter().map(|setting| format!("{APPLIED}{setting}")).collect();
    if let Some(code) = note.exit_code {
        metadata.push(format!("exit_code={code}"));
    }
    if let Some(signal) = note.signal {
        metadata.push(format!("signal={signal}"));
    }
    Facts {
        log: 0,
        log_name: options.log_name.clone(),
        command_line: (!note.command.is_empty()).then(|| note.command.join(" ")),
        start_ns: note.start_ns,
        end_ns: note.end_ns,
        mounts: mounts
            .into_iter()
            .map(|(path, fs_type)| segment::Mount { path, fs_type })
            .collect(),
        tool_version: if note.version.is_empty() { VERSION.into() } else { note.version.clone() },
        metadata: (!metadata.is_empty()).then(|| metadata.join("\n")),
        issues: note.obstacles.iter().map(|o| (IssueKind::MissingProcess, o.clone())).collect(),
        leader: note.leader.iter().map(leading).collect(),
    }
}

/// Calls become blocks of the file.
struct Blocks;

impl CallSink<Block> for Blocks {
    fn encode(&self, calls: &CallTable) -> Vec<Block> {
        let chunks = calls.chunks().filter(|chunk| !chunk.is_empty());
        chunks.map(|chunk| encode_calls(calls, &chunk, Effort::Quick)).collect()
    }
}

struct Files(Vec<SegmentFile>);

impl Segments for Files {
    fn count(&self) -> usize {
        self.0.len()
    }

    fn name(&self, at: usize) -> &str {
        self.0.get(at).map_or("", |f| f.name.as_str())
    }

    fn bytes(&self, at: usize) -> usize {
        self.0.get(at).and_then(|f| usize::try_from(f.bytes()).ok()).unwrap_or(0)
    }

    fn head(&self, at: usize) -> Result<Vec<u8>, String> {
        let file = self.0.get(at).ok_or("no such segment")?;
        file.head(HEAD_BYTES).map_err(|e| e.to_string())
    }

    fn load(&self, at: usize) -> Result<Vec<u8>, String> {
        let file = self.0.get(at).ok_or("no such segment")?;
        file.load().map_err(|e| e.to_string())
    }
}

fn summary(tables: &Tables, segment_bytes: u64) -> Summary {
    let mut summary = Summary { segment_bytes, ..Summary::default() };
    let unsigned = |n: Option<i64>| n.and_then(|n| u64::try_from(n).ok()).unwrap_or(0);
    let mut hosts = Vec::new();
    if let Some(processes) = tables.table(TableId::Process) {
        summary.processes = processes.rows();
        for row in 0..processes.rows() {
            summary.mpi_ranks += usize::from(processes.i32(process::MPI_RANK, row).is_some());
            summary.calls =
                summary.calls.saturating_add(unsigned(processes.i64(process::CALLS_RECORDED, row)));
            summary.calls =
                summary.calls.saturating_add(unsigned(processes.i64(process::CALLS_COUNTED, row)));
            summary.dropped = summary
                .dropped
                .saturating_add(unsigned(processes.i64(process::CALLS_DROPPED, row)));
            let ended = processes.str(process::ENDED, row).unwrap_or_default();
            summary.killed += usize::from(ended.starts_with("killed"));
            hosts.extend(processes.str(process::HOST, row));
        }
    }
    hosts.sort_unstable();
    hosts.dedup();
    summary.hosts = hosts.len();
    let data = data_files(tables);
    if let Some(ops) = tables.table(TableId::OpCount) {
        for row in 0..ops.rows() {
            let is_data = ops.u64(op_count::FILE_ID, row).is_some_and(|id| data.contains(&id));
            if !is_data || !matches!(ops.str(op_count::LAYER, row), Some("posix" | "stdio")) {
                continue;
            }
            let bytes = unsigned(ops.i64(op_count::BYTES, row));
            match ops.str(op_count::OP, row) {
                Some("read") => summary.bytes_read = summary.bytes_read.saturating_add(bytes),
                Some("write") => {
                    summary.bytes_written = summary.bytes_written.saturating_add(bytes)
                }
                _ => {}
            }
        }
    }
    if let Some(issues) = tables.table(TableId::ReadIssue) {
        let text = |row| issues.str(read_issue::EFFECT, row).map(str::to_string);
        summary.issues = (0..issues.rows()).filter_map(text).collect();
    }
    summary
}

/// Files in the sense of people: no pipes, and nothing that the system shows of itself.
/// /dev/shm is a file system in memory like others.
fn data_files(tables: &Tables) -> HashSet<u64> {
    let Some(files) = tables.table(TableId::File) else { return HashSet::new() };
    let is_systems = |path: &str| {
        ["/dev/", "/proc/", "/sys/"].iter().any(|folder| path.starts_with(folder))
            && !path.starts_with("/dev/shm/")
    };
    let is_data = |row: &usize| {
        files.str(file::KIND, *row) != Some("pipe")
            && !files.str(file::PATH, *row).is_some_and(is_systems)
    };
    let rows = (0..files.rows()).filter(is_data);
    rows.filter_map(|row| files.u64(file::FILE_ID, row)).collect()
}

/// Packs the segments of a folder into one file, so that a node brings one file
/// to the shared file system, not one per process.
pub fn pack(folder: &Path, out: &mut dyn Write) -> Result<usize, CollectError> {
    let fail = |source| CollectError::Folder { folder: folder.to_path_buf(), source };
    let files = find(folder).map_err(fail)?;
    let mut archive = tar::Builder::new(out);
    for file in &files {
        let bytes = file.load()?;
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o600);
        archive.append_data(&mut header, &file.name, bytes.as_slice())?;
    }
    archive.finish()?;
    Ok(files.len())
}
