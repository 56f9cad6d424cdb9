//! What an ingest is asked for, and what its threads share.

use crate::batch::Judge;
use crate::commit::Buffer;
use crate::generated::ManifestRow;
use crate::item::Archive;
use crate::known::{file_key, status};
use crate::names::{Names, first_64};
use crate::{Anonymity, FleetError, Shard, Since};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

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

/// Files by what became of them.
#[derive(Default)]
pub struct Counts {
    pub logs: AtomicU64,
    pub duplicates: AtomicU64,
    pub quarantined: AtomicU64,
    pub unreadable: AtomicU64,
    pub known: AtomicU64,
}

impl Counts {
    fn add(counter: &AtomicU64) {
        counter.fetch_add(1, Ordering::Relaxed);
    }
}

/// What all threads of an ingest share.
pub struct Shared<'s> {
    pub buffer: Mutex<Buffer<'s>>,
    pub names: Names,
    pub judge: Option<Judge>,
    pub counts: Counts,
    pub failed: Mutex<Option<FleetError>>,
    pub has_failed: AtomicBool,
    pub files: &'s AtomicU64,
    pub seen: i64,
}

impl Shared<'_> {
    /// Path as `manifest` shows it.
    pub fn shown<'p>(&self, path: &'p str) -> std::borrow::Cow<'p, str> {
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

    pub fn fail(&self, error: FleetError) {
        self.has_failed.store(true, Ordering::Relaxed);
        lock(&self.failed).get_or_insert(error);
    }
}

/// What a mutex guards, also after a panic of its owner.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
