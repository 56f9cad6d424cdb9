//! `diya fleet ingest`: a walk finds files, threads turn batches of them into rows.

use crate::batch::{self, Log};
use crate::commit::Buffer;
use crate::dataset::{Lock, shard_name};
use crate::feed::{Archive, Item, find};
use crate::generated::ManifestRow;
use crate::known::{Known, Standing, file_key, path_key, status};
use crate::names::{Names, first_64};
use crate::open::open;
use crate::{Anonymity, Dataset, FleetError, Shard, Since};
use arrow::array::{AsArray, BooleanArray, RecordBatch};
use arrow::compute::filter_record_batch;
use arrow::datatypes::Int64Type;
use diya::diagnose::CheckSet;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

/// What to ingest, and how.
#[derive(Debug, Clone, Default)]
pub struct IngestOptions {
    /// Folders, files, archives.
    pub paths: Vec<PathBuf>,
    /// Files that list paths, one a line; `-`: standard input.
    pub lists: Vec<PathBuf>,
    /// Name of the machine that the logs come from.
    pub system: String,
    /// Only logs from this day on.
    pub since: Option<Since>,
    /// Only these files.
    pub shard: Shard,
    /// Zero: one per processor.
    pub threads: usize,
    /// Which names are shown.
    pub anonymity: Anonymity,
    /// Do not run the checks.
    pub skips_findings: bool,
    /// A commit after so many logs; zero: when a buffer is full. Many small commits lose
    /// less when they are killed, and make more files.
    pub logs_per_commit: usize,
}

/// What an ingest did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct Ingested {
    /// Logs whose rows are new.
    pub logs: u64,
    /// Logs that lie elsewhere, too.
    pub duplicates: u64,
    /// Files that are no logs, or damaged beyond reading.
    pub quarantined: u64,
    /// Files and folders that could not be looked at.
    pub unreadable: u64,
    /// Files that were looked at before.
    pub known: u64,
}

#[derive(Default)]
struct Counts {
    logs: AtomicU64,
    duplicates: AtomicU64,
    quarantined: AtomicU64,
    unreadable: AtomicU64,
    known: AtomicU64,
}

impl Counts {
    fn add(counter: &AtomicU64) {
        counter.fetch_add(1, Ordering::Relaxed);
    }
}

/// What all threads share.
pub struct Shared<'s> {
    buffer: Mutex<Buffer<'s>>,
    names: Names,
    checks: Option<CheckSet>,
    counts: Counts,
    failed: Mutex<Option<FleetError>>,
    pub has_failed: AtomicBool,
    files: &'s AtomicU64,
    seen: i64,
}

/// Reads logs into a dataset.
pub fn ingest(root: &Path, options: &IngestOptions) -> Result<Ingested, FleetError> {
    ingest_counted(root, options, &AtomicU64::new(0))
}

/// The same; `files` grows by each file or member of an archive that was looked at.
pub fn ingest_counted(
    root: &Path,
    options: &IngestOptions,
    files: &AtomicU64,
) -> Result<Ingested, FleetError> {
    let system = system_name(&options.system)?;
    let names = Names::new(&options.anonymity);
    let dataset = Dataset::create(root, &names)?;
    let _locks: [Lock; 2] = dataset.lock_shard(options.shard)?;
    dataset.recover(Some(&format!("{}-", shard_name(options.shard))))?;
    dataset.add_system(system)?;
    let known = Known::read(&dataset, &names)?;
    let checks = if options.skips_findings { None } else { Some(CheckSet::builtin()?) };
    let seen = now_ns();
    let prefix = format!("{}-{seen:x}-{:x}", shard_name(options.shard), std::process::id());
    let shared = Shared {
        buffer: Mutex::new(Buffer::new(&dataset, system, prefix, known, options.logs_per_commit)),
        names,
        checks,
        counts: Counts::default(),
        failed: Mutex::new(None),
        has_failed: AtomicBool::new(false),
        files,
        seen,
    };
    let threads = diya::Threads::new(options.threads).count();
    // A batch waits for each thread: members of archives are in memory while they wait.
    let (send, receive) = sync_channel::<Vec<Item>>(threads);
    let receive = Mutex::new(receive);
    let walked = std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| work(&shared, &receive));
        }
        find(options, &shared, threads, send)
    });
    if let Some(error) = lock(&shared.failed).take() {
        return Err(error);
    }
    lock(&shared.buffer).write()?;
    walked?;
    let of = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
    Ok(Ingested {
        logs: of(&shared.counts.logs),
        duplicates: of(&shared.counts.duplicates),
        quarantined: of(&shared.counts.quarantined),
        unreadable: of(&shared.counts.unreadable),
        known: of(&shared.counts.known),
    })
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

pub fn now_ns() -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(now.as_nanos()).unwrap_or(i64::MAX)
}

/// It becomes the name of a folder.
pub fn system_name(name: &str) -> Result<&str, FleetError> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let is_name = !name.is_empty() && !name.starts_with(['.', '_']) && name.chars().all(is_plain);
    if is_name { Ok(name) } else { Err(FleetError::System(name.to_owned())) }
}

impl Shared<'_> {
    /// Path as `manifest` shows it.
    fn shown<'p>(&self, path: &'p str) -> std::borrow::Cow<'p, str> {
        self.names.path("log", path)
    }

    pub fn is_known(&self, path: &str, size_bytes: u64, mtime: i64) -> bool {
        let mtime = self.names.moment(mtime);
        let key = file_key(&self.names, &self.shown(path), size_bytes, mtime);
        let is_known = lock(&self.buffer).known.has_file(key);
        if is_known {
            Counts::add(&self.counts.known);
            Counts::add(self.files);
        }
        is_known
    }

    /// Ends an archive when this was the last that needed it.
    pub fn end(&self, archive: Option<Arc<Archive>>) {
        if let Some(of) = archive.and_then(Arc::into_inner) {
            self.note(&of.path, Some(of.size_bytes), Some(of.mtime), None, status::ARCHIVE, None);
        }
    }

    /// A row of `manifest`.
    pub fn note(
        &self,
        path: &str,
        size_bytes: Option<u64>,
        mtime: Option<i64>,
        content: Option<u128>,
        state: &'static str,
        error: Option<&str>,
    ) {
        let counter = match state {
            status::OK => Some(&self.counts.logs),
            status::DUPLICATE => Some(&self.counts.duplicates),
            status::QUARANTINE => Some(&self.counts.quarantined),
            status::UNREADABLE => Some(&self.counts.unreadable),
            _ => None,
        };
        counter.into_iter().chain([self.files]).for_each(Counts::add);
        let has_rows = [status::OK, status::DUPLICATE].contains(&state);
        let text = content.map(|content| format!("{content:032x}"));
        let shown = self.shown(path);
        // A reason may quote what it could not read.
        let error = error.map(|error| if self.names.is_anonymous { "hidden" } else { error });
        ManifestRow {
            path: &shown,
            size_bytes: size_bytes.and_then(|size| i64::try_from(size).ok()),
            mtime: mtime.map(|ns| self.names.moment(ns)),
            log_hash: content.filter(|_| has_rows).map(first_64),
            content_hash: text.as_deref(),
            status: state,
            error,
            version: diya::VERSION,
            seen: self.seen,
        }
        .push(lock(&self.buffer).manifest());
    }

    fn fail(&self, error: FleetError) {
        self.has_failed.store(true, Ordering::Relaxed);
        lock(&self.failed).get_or_insert(error);
    }
}

/// One thread: batches until there are no more.
fn work(shared: &Shared<'_>, receive: &Mutex<Receiver<Vec<Item>>>) {
    loop {
        let next = lock(receive).recv();
        let Ok(items) = next else { return };
        // After a failure the walk must not wait until it sees it.
        if !shared.has_failed.load(Ordering::Relaxed)
            && let Err(error) = batch_of(shared, items)
        {
            shared.fail(error);
        }
    }
}

/// A file whose content is in memory or hashed.
struct Opened {
    item: Item,
    content: u128,
}

/// Why a log has no rows whose number (the first half of its hash) another log has.
const COLLISION: &str = "the first 64 bits of its content hash are those of another log, \
    so that rows of both could not be kept apart";

fn batch_of(shared: &Shared<'_>, items: Vec<Item>) -> Result<(), FleetError> {
    let mut opened = Vec::with_capacity(items.len());
    let mut logs: Vec<Log> = Vec::with_capacity(items.len());
    let mut archives = Vec::new();
    let mut collided = HashSet::new();
    for item in items {
        archives.push(item.archive.clone());
        match open(&item, &shared.names) {
            Err(error) => {
                let about = (Some(item.size_bytes), Some(item.mtime));
                let reason = error.to_string();
                shared.note(&item.path, about.0, about.1, None, status::UNREADABLE, Some(&reason));
            }
            Ok((input, content)) => {
                let is_first = logs.iter().all(|log| log.content != content);
                if is_first && lock(&shared.buffer).known.standing(content) == Standing::New {
                    let (path, size_bytes) = (item.path.clone(), item.size_bytes);
                    let is_taken = |log: &Log| first_64(log.content) == first_64(content);
                    match logs.iter().any(is_taken) {
                        true => drop(collided.insert(content)),
                        false => logs.push(Log { input, path, size_bytes, content }),
                    }
                }
                opened.push(Opened { item, content });
            }
        }
    }
    let (rows, outcomes) = batch::read(&logs, shared.checks.as_ref(), &shared.names);
    let outcomes: HashMap<u128, (&str, Result<(), String>)> = logs
        .iter()
        .zip(outcomes)
        .map(|(log, outcome)| (log.content, (log.path.as_str(), outcome)))
        .collect();
    commit(shared, &outcomes, rows)?;
    for Opened { item, content } in &opened {
        let outcome = outcomes.get(content).map(|(_, outcome)| outcome);
        state_of(shared, item, *content, outcome, collided.contains(content));
    }
    // The items held their archives: now the last of them can end.
    drop(opened);
    archives.into_iter().for_each(|archive| shared.end(archive));
    lock(&shared.buffer).write_if_full()
}

/// Puts the rows into the buffer, but for logs that another thread was first with.
fn commit(
    shared: &Shared<'_>,
    outcomes: &HashMap<u128, (&str, Result<(), String>)>,
    rows: Vec<(usize, RecordBatch)>,
) -> Result<(), FleetError> {
    let mut buffer = lock(&shared.buffer);
    let mut late = HashSet::new();
    for (content, (path, outcome)) in outcomes {
        if outcome.is_ok() {
            let key = path_key(&shared.names, &shared.shown(path));
            match buffer.known.standing(*content) {
                Standing::New => buffer.known.insert(*content, key),
                _ => drop(late.insert(first_64(*content))),
            }
        }
    }
    for (table, batch) in rows {
        let batch = if late.is_empty() { batch } else { without(&batch, &late)? };
        buffer.add(table, batch);
    }
    Ok(())
}

fn without(batch: &RecordBatch, logs: &HashSet<i64>) -> Result<RecordBatch, FleetError> {
    let hashes = batch.column(0).as_primitive::<Int64Type>();
    let keep: BooleanArray =
        hashes.iter().map(|hash| Some(hash.is_some_and(|hash| !logs.contains(&hash)))).collect();
    filter_record_batch(batch, &keep)
        .map_err(|error| FleetError::Parquet { path: "rows".into(), reason: error.to_string() })
}

/// The row of `manifest` of a file that was read.
fn state_of(
    shared: &Shared<'_>,
    item: &Item,
    content: u128,
    outcome: Option<&Result<(), String>>,
    is_collided: bool,
) {
    let note = |state, error| {
        let about = (Some(item.size_bytes), Some(item.mtime));
        shared.note(&item.path, about.0, about.1, Some(content), state, error);
    };
    if let Some(Err(reason)) = outcome {
        return note(status::QUARANTINE, Some(reason.as_str()));
    }
    let own = path_key(&shared.names, &shared.shown(&item.path));
    let standing = lock(&shared.buffer).known.standing(content);
    match standing {
        Standing::Collides => note(status::QUARANTINE, Some(COLLISION)),
        Standing::New if is_collided => note(status::QUARANTINE, Some(COLLISION)),
        Standing::Known(path) if path != own => note(status::DUPLICATE, None),
        Standing::Known(_) | Standing::New => note(status::OK, None),
    }
}
