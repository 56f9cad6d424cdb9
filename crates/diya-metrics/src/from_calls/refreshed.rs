//! Reads of what another process has written since: the bytes are new, though somebody has
//! read at this place before. Processes that update records in turns read so.

use super::call_batch::batches;
use super::calls::{Calls, Stream};
use diya_tables::{Layer, Op};
use std::collections::BTreeMap;

/// A file as one layer uses it: log, file, layer.
pub(super) type FileOfLayer = (i32, u64, Layer);

/// A read or a write at one place of a file.
#[derive(Debug, Clone, Copy)]
struct Event {
    file: u32,
    rank: i32,
    from: i64,
    bytes: i64,
    start_s: f64,
    is_write: bool,
}

/// Bytes of these files (sorted) that were read again after another rank had written there,
/// with at most about `most` calls at a time.
pub(super) fn refreshed_bytes(
    calls: &Calls,
    files: &[FileOfLayer],
    most: usize,
) -> BTreeMap<FileOfLayer, i64> {
    let place = |s: &Stream| files.binary_search(&(s.log, s.file_id, s.layer)).ok();
    let file_of: Vec<Option<usize>> =
        calls.streams.iter().map(|s| place(s).filter(|_| s.is_transfer())).collect();
    let mut counts = vec![0; files.len()];
    for (file, count) in file_of.iter().zip(calls.counts()) {
        file.iter().for_each(|file| counts[*file] += count);
    }
    let mut found = BTreeMap::new();
    for batch in batches(&counts, most) {
        let count: usize = counts[batch.clone()].iter().sum();
        // Calls at one place stay together, so that a part of the places is worked on alone.
        let parts = count.div_ceil(most.max(1)).max(1) as u64;
        for part in 0..parts {
            let mut events = Vec::new();
            calls.each_of(
                |stream| file_of[stream].is_some_and(|file| batch.contains(&file)),
                |call| {
                    let (Some(file), Some((from, to))) =
                        (file_of[call.stream as usize], call.extent())
                    else {
                        return;
                    };
                    if mixed(from) % parts == part {
                        let stream = calls.stream(call);
                        events.push(Event {
                            file: file as u32,
                            rank: stream.rank,
                            from,
                            bytes: to - from,
                            start_s: call.start_s,
                            is_write: stream.op == Op::Write,
                        });
                    }
                },
            );
            let key = |e: &Event| (e.file, e.from);
            events.sort_by(|a, b| key(a).cmp(&key(b)).then(a.start_s.total_cmp(&b.start_s)));
            for at_place in events.chunk_by(|a, b| key(a) == key(b)) {
                let file = files[at_place[0].file as usize];
                let bytes = found.entry(file).or_insert(0_i64);
                *bytes = bytes.saturating_add(refreshed_at(at_place));
            }
        }
    }
    found
}

/// The same for one place, whose calls are in order of time.
fn refreshed_at(events: &[Event]) -> i64 {
    // How far reads have reached so far, and who has written since the last one.
    let (mut known, mut bytes) = (0_i64, 0_i64);
    let mut writers: Vec<i32> = Vec::new();
    for event in events {
        if event.is_write {
            // Two are enough: one of them is not the one that reads.
            if writers.len() < 2 && !writers.contains(&event.rank) {
                writers.push(event.rank);
            }
            continue;
        }
        if writers.iter().any(|writer| *writer != event.rank) {
            bytes = bytes.saturating_add(event.bytes.min(known));
        }
        known = known.max(event.bytes);
        writers.clear();
    }
    bytes
}

/// Spreads places over parts: neighbours differ by a multiple of the request size.
fn mixed(from: i64) -> u64 {
    from.cast_unsigned().wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32
}
