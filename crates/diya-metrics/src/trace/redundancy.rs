//! Extents of a file that calls touched: what was moved more than once, by
//! which ranks, and how the parts of the ranks lie among each other.
//!
//! Counters cannot tell: they hold sums of sizes and the highest offset.

use super::calls::{Calls, Stream};
use super::count;
use super::intervals::{bytes, join};
use diya_tables::{Layer, Op, TableBuilder};
use std::collections::{BTreeMap, HashSet};

/// Extents that `redundant_extent` lists per file, layer and direction.
const EXTENTS: usize = 20;

/// Ranks share a block of this size at their cost: the usual stripe of Lustre
/// and the unit in which file systems hand out locks at best.
const BLOCK_BYTES: i64 = 1 << 20;

type Key = (i32, u64, Layer, Op);

/// One call: rank, extent and time; compact, since there can be many millions.
#[derive(Debug, Clone, Copy)]
struct Touch {
    from: i64,
    to: i64,
    rank: i32,
    calls: u32,
    time_s: f64,
}

/// Calls of one log, file, layer and direction.
#[derive(Debug, Default)]
struct Group {
    touches: Vec<Touch>,
    calls: i64,
    time_s: f64,
}

/// The touched extents of all files.
#[derive(Debug)]
pub(super) struct Extents {
    files: BTreeMap<Key, File>,
}

/// What the three tables say of one log, file, layer and direction.
#[derive(Debug)]
struct File {
    calls: i64,
    time_s: f64,
    ranks: usize,
    extents: usize,
    bytes: i64,
    unique_bytes: i64,
    rank_bytes: i64,
    again: Vec<Again>,
    parts: Parts,
}

/// An extent that several calls moved.
#[derive(Debug)]
struct Again {
    from: i64,
    to: i64,
    calls: i64,
    ranks: i64,
    first_rank: i32,
    time_s: f64,
}

/// How the parts of the ranks lie in the file.
#[derive(Debug, Default)]
struct Parts {
    parts: usize,
    switches: usize,
    blocks: i64,
    contended_blocks: i64,
}

impl Extents {
    /// Sorts out all reads and writes that have a place.
    pub fn of(calls: &Calls) -> Self {
        let key = |s: &Stream| (s.log, s.file_id, s.layer, s.op);
        let mut groups: BTreeMap<Key, Group> = BTreeMap::new();
        let mut numbers: BTreeMap<Key, usize> = BTreeMap::new();
        for stream in calls.streams.iter().filter(|s| s.is_transfer()) {
            let next = numbers.len();
            numbers.entry(key(stream)).or_insert(next);
        }
        let group_of: Vec<Option<usize>> =
            calls.streams.iter().map(|s| numbers.get(&key(s)).copied()).collect();
        let mut filled: Vec<Group> = Vec::new();
        filled.resize_with(numbers.len(), Group::default);
        for call in &calls.rows {
            let stream = call.stream as usize;
            let (Some(group), Some((from, to))) = (group_of[stream], call.extent()) else {
                continue;
            };
            let group = &mut filled[group];
            let rank = calls.streams[stream].rank;
            let number = u32::try_from(call.calls).unwrap_or(u32::MAX);
            group.touches.push(Touch { from, to, rank, calls: number, time_s: call.busy_s });
            group.calls = group.calls.saturating_add(call.calls);
            group.time_s += call.busy_s;
        }
        for (key, number) in numbers {
            groups.insert(key, std::mem::take(&mut filled[number]));
        }
        groups.retain(|_, group| !group.touches.is_empty());
        Self { files: groups.into_iter().map(|(key, group)| (key, group.file())).collect() }
    }

    /// Rows of table `redundancy`.
    pub fn write_redundancy(&self, table: &mut TableBuilder) {
        for (key, file) in &self.files {
            push_key(table, *key);
            table.push_i64(4, count(file.ranks));
            table.push_i64(5, Some(file.calls));
            table.push_i64(6, count(file.extents));
            table.push_i64(7, Some(file.bytes));
            table.push_i64(8, Some(file.unique_bytes));
            table.push_i64(9, Some(file.bytes.saturating_sub(file.unique_bytes)));
            table.push_i64(10, Some(file.bytes.saturating_sub(file.rank_bytes)));
            table.push_i64(11, Some(file.rank_bytes.saturating_sub(file.unique_bytes)));
            table.push_f64(12, Some(file.time_s));
            table.end_row();
        }
    }

    /// Rows of table `redundant_extent`.
    pub fn write_again(&self, table: &mut TableBuilder) {
        for (key, file) in &self.files {
            for (position, again) in (1..).zip(&file.again) {
                push_key(table, *key);
                table.push_i64(4, Some(position));
                table.push_i64(5, Some(again.from));
                table.push_i64(6, Some(again.to.saturating_sub(again.from)));
                table.push_i64(7, Some(again.calls));
                table.push_i64(8, Some(again.ranks));
                table.push_i32(9, Some(again.first_rank));
                table.push_f64(10, Some(again.time_s));
                table.end_row();
            }
        }
    }

    /// Rows of table `file_interleave`.
    pub fn write_interleave(&self, table: &mut TableBuilder) {
        for (key, file) in self.files.iter().filter(|(_, file)| file.ranks > 1) {
            let Parts { parts, switches, blocks, contended_blocks } = file.parts;
            // As few switches as ranks need means that each has one stretch.
            let (least, most) = (file.ranks - 1, parts.saturating_sub(1));
            let share = (most > least).then(|| (switches - least) as f64 / (most - least) as f64);
            push_key(table, *key);
            table.push_i64(4, count(file.ranks));
            table.push_i64(5, count(parts));
            table.push_i64(6, count(switches));
            table.push_f64(7, Some(share.unwrap_or(0.0).max(0.0)));
            table.push_f64(8, Some(file.rank_bytes as f64 / (switches + 1) as f64));
            table.push_i64(9, Some(blocks));
            table.push_i64(10, Some(contended_blocks));
            table.push_f64(11, (blocks > 0).then(|| contended_blocks as f64 / blocks as f64));
            table.end_row();
        }
    }
}

fn push_key(table: &mut TableBuilder, (log, file_id, layer, op): Key) {
    table.push_i32(0, Some(log));
    table.push_u64(1, Some(file_id));
    table.push_str(2, Some(layer.name()));
    table.push_str(3, Some(op.name()));
}

impl Group {
    fn file(mut self) -> File {
        // Streams of several hosts or threads may bring a rank twice.
        self.touches.sort_by_key(|touch| (touch.rank, touch.from, touch.to));
        // Moved by each rank once, however often it asked.
        let (mut parts, mut rank_bytes, mut ranks, mut all_bytes) = (Vec::new(), 0i64, 0, 0i64);
        let mut joined = Vec::new();
        for of_rank in self.touches.chunk_by(|a, b| a.rank == b.rank) {
            joined.clear();
            joined.extend(of_rank.iter().map(|touch| (touch.from, touch.to)));
            all_bytes = all_bytes.saturating_add(bytes(&joined));
            join(&mut joined);
            rank_bytes = rank_bytes.saturating_add(bytes(&joined));
            parts.extend(joined.iter().map(|(from, to)| (*from, *to, of_rank[0].rank)));
            ranks += 1;
        }
        parts.sort();
        let mut union: Vec<(i64, i64)> = parts.iter().map(|part| (part.0, part.1)).collect();
        join(&mut union);
        let unique_bytes = bytes(&union);
        drop(union);
        let placed = Parts::of(&parts);
        drop(parts);
        self.touches.sort_by_key(|touch| (touch.from, touch.to));
        let (extents, again) = again(&self.touches);
        File {
            calls: self.calls,
            time_s: self.time_s,
            ranks,
            extents,
            bytes: all_bytes,
            unique_bytes,
            rank_bytes,
            again,
            parts: placed,
        }
    }
}

/// How many different extents there are, and those that cost the most time
/// among the ones that several calls moved. Touches come in order of place.
fn again(touches: &[Touch]) -> (usize, Vec<Again>) {
    let (mut extents, mut found) = (0, Vec::new());
    for same in touches.chunk_by(|a, b| (a.from, a.to) == (b.from, b.to)) {
        extents += 1;
        if same.len() == 1 {
            continue;
        }
        let ranks: HashSet<i32> = same.iter().map(|touch| touch.rank).collect();
        found.push(Again {
            from: same[0].from,
            to: same[0].to,
            calls: same.iter().map(|touch| i64::from(touch.calls)).sum(),
            ranks: count(ranks.len()).unwrap_or_default(),
            first_rank: same.iter().map(|touch| touch.rank).min().unwrap_or_default(),
            time_s: same.iter().map(|touch| touch.time_s).sum(),
        });
    }
    found.sort_by(|a, b| b.time_s.total_cmp(&a.time_s).then(a.from.cmp(&b.from)));
    found.truncate(EXTENTS);
    (extents, found)
}

impl Parts {
    /// Parts in order of place: extent and rank, joined within each rank.
    fn of(parts: &[(i64, i64, i32)]) -> Self {
        let mut counted = Self { parts: parts.len(), ..Self::default() };
        // Last block that was counted, that was counted as contended, and the
        // rank that was in it last.
        let (mut block, mut contended, mut rank) = (-1, -1, None);
        for (from, to, own) in parts {
            let (first, last) = (from / BLOCK_BYTES, (to - 1) / BLOCK_BYTES);
            let is_other = rank.is_some_and(|rank| rank != *own);
            counted.switches += usize::from(is_other);
            if is_other && first <= block && contended < first {
                counted.contended_blocks += 1;
                contended = first;
            }
            if last > block {
                counted.blocks += last - first.max(block + 1) + 1;
                block = last;
            }
            rank = Some(*own);
        }
        counted
    }
}
