//! `diya fleet ingest`: a walk finds files, threads turn batches of them into rows.

use crate::batch::{self, Judge, Log};
use crate::commit::Buffer;
use crate::dataset::{Lock, shard_name};
use crate::feed::find;
use crate::item::Item;
use crate::known::{Known, Standing, path_key, status};
use crate::live::LogHashes;
use crate::names::{Names, first_64};
use crate::open::open;
use crate::shared::{Counts, IngestOptions, Shared, lock};
use crate::{Dataset, FleetError};
use arrow::array::{BooleanArray, RecordBatch};
use arrow::compute::filter_record_batch;
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, sync_channel};
use std::time::{SystemTime, UNIX_EPOCH};

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
    let judge = if options.skips_findings { None } else { Some(Judge::builtin()?) };
    let seen = now_ns();
    let prefix = format!("{}-{seen:x}-{:x}", shard_name(options.shard), std::process::id());
    let shared = Shared {
        buffer: Mutex::new(Buffer::new(&dataset, system, prefix, known, options.logs_per_commit)),
        names,
        judge,
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
    let (rows, outcomes) = batch::read(&logs, shared.judge.as_ref(), &shared.names);
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
    let Some(read) = LogHashes::named(batch) else { return Ok(batch.clone()) };
    let keep: BooleanArray =
        read.log_hash.values().iter().map(|hash| Some(!logs.contains(hash))).collect();
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
