//! From the walk to the threads: files and members of archives, in batches.

use crate::FleetError;
use crate::item::{Archive, Item, ItemSource};
use crate::known::status;
use crate::shared::{IngestOptions, Shared};
use crate::walk::{Candidate, Found, walk};
use diya::input;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::SyncSender;

/// Logs that all threads together read at once. They share the planning of every query,
/// and their tables are in memory together.
const LOGS_AT_ONCE: usize = 2048;

/// The same of their bytes as stored: tables take ten times as much.
const BYTES_AT_ONCE: u64 = 32 << 20;

/// Logs of a batch, however many threads there are.
const LOGS_PER_BATCH: std::ops::RangeInclusive<usize> = 256..=1024;

/// Logs of a batch without checks: nothing is planned, so that few logs, whose tables stay in
/// memory that is used again, are faster.
const LOGS_WITHOUT_CHECKS: usize = 64;

/// Bytes of a batch, likewise.
const BYTES_PER_BATCH: std::ops::RangeInclusive<u64> = (2 << 20)..=(16 << 20);

/// Walks over the paths and hands out batches.
pub fn find(
    options: &IngestOptions,
    shared: &Shared<'_>,
    threads: usize,
    send: SyncSender<Vec<Item>>,
) -> Result<(), FleetError> {
    let (least, most) = (*LOGS_PER_BATCH.start(), *LOGS_PER_BATCH.end());
    let logs = match options.skips_findings {
        true => LOGS_WITHOUT_CHECKS,
        false => (LOGS_AT_ONCE / threads.max(1)).clamp(least, most),
    };
    let (least, most) = (*BYTES_PER_BATCH.start(), *BYTES_PER_BATCH.end());
    let most_bytes = (BYTES_AT_ONCE / threads.max(1) as u64).clamp(least, most);
    let most = if options.logs_per_commit > 0 { logs.min(options.logs_per_commit) } else { logs };
    let mut batch = Batch { items: Vec::new(), bytes: 0, most, most_bytes, send };
    let mut paths = options.paths.clone();
    for list in &options.lists {
        paths.extend(crate::walk::listed(list)?);
    }
    walk(&paths, options.since, &mut |found| {
        if shared.has_failed.load(Ordering::Relaxed) {
            return false;
        }
        let path = match &found {
            Found::File(file) => file.path.to_string_lossy(),
            Found::Unreadable(path, _) => path.to_string_lossy(),
        };
        if !options.shard.holds(&path) {
            return true;
        }
        match &found {
            Found::Unreadable(path, error) => {
                let path = path.to_string_lossy();
                shared.note(&path, None, None, None, status::UNREADABLE, Some(&error.to_string()));
                true
            }
            Found::File(file) if shared.is_known(&path, file.size_bytes, file.mtime) => true,
            Found::File(file) if file.is_archive => archive(file, shared, &mut batch),
            Found::File(file) => batch.push(Item {
                path: path.into_owned(),
                size_bytes: file.size_bytes,
                mtime: file.mtime,
                source: ItemSource::File(file.path.clone()),
                archive: None,
            }),
        }
    })?;
    batch.flush();
    Ok(())
}

/// Items on their way to a thread.
struct Batch {
    items: Vec<Item>,
    bytes: u64,
    /// Items and bytes that fill it.
    most: usize,
    most_bytes: u64,
    send: SyncSender<Vec<Item>>,
}

impl Batch {
    /// False when the reader of the rows has ended.
    fn push(&mut self, item: Item) -> bool {
        self.bytes += item.size_bytes;
        self.items.push(item);
        let is_full = self.items.len() >= self.most || self.bytes >= self.most_bytes;
        !is_full || self.flush()
    }

    fn flush(&mut self) -> bool {
        self.bytes = 0;
        let items = std::mem::take(&mut self.items);
        items.is_empty() || self.send.send(items).is_ok()
    }
}

/// Hands out the members of an archive.
fn archive(file: &Candidate, shared: &Shared<'_>, batch: &mut Batch) -> bool {
    let path = file.path.to_string_lossy().into_owned();
    let whole =
        Arc::new(Archive { path: path.clone(), size_bytes: file.size_bytes, mtime: file.mtime });
    let (mut goes_on, mut is_archive) = (true, true);
    let read = input::each(&file.path, &mut |member| {
        let size_bytes = member.size_bytes();
        if member.bytes().is_none() {
            // Its name says archive, its first bytes do not.
            is_archive = false;
            goes_on = batch.push(Item {
                path: path.clone(),
                size_bytes: file.size_bytes,
                mtime: file.mtime,
                source: ItemSource::File(file.path.clone()),
                archive: None,
            });
        } else if !shared.is_known(&member.name, size_bytes, file.mtime) {
            goes_on = batch.push(Item {
                path: member.name.clone(),
                size_bytes,
                mtime: file.mtime,
                source: ItemSource::Member(member),
                archive: Some(Arc::clone(&whole)),
            });
        }
        goes_on && !shared.has_failed.load(Ordering::Relaxed)
    });
    let about = (Some(file.size_bytes), Some(file.mtime));
    match read {
        // Its members are looked at again by every run until all of it can be read.
        Err(error) => {
            shared.note(
                &path,
                about.0,
                about.1,
                None,
                status::UNREADABLE,
                Some(&error.to_string()),
            );
        }
        Ok(()) if is_archive => shared.end(Some(whole)),
        Ok(()) => {}
    }
    goes_on
}
