//! Extents of a file that calls touched: what was moved more than once, by
//! which ranks, and how the parts of the ranks lie among each other.
//!
//! Counters cannot tell: they hold sums of sizes and the highest offset.
//!
//! The calls of a file are swept over in order of their place. They are gathered
//! and sorted a few million at a time: all of a file that a hundred million calls
//! touch would take gigabytes.

use super::call_batch::batches;
use super::calls::{Calls, Stream};
use super::count;
use crate::rows;
use diya_tables::{Layer, Op, TableBuilder};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Extents that `redundant_extent` lists per file, layer and direction.
const EXTENTS: usize = 20;

/// Ranks share a block of this size at their cost: the usual stripe of Lustre
/// and the unit in which file systems hand out locks at best.
const BLOCK_BYTES: i64 = 1 << 20;

/// Calls that are gathered at a time: 0.5 GB, with what sorting them needs.
const MAX_TOUCHES: usize = 8_000_000;

/// Calls that are looked at to cut a large file into parts of equal weight.
const SAMPLES: usize = 1 << 16;

type Key = (i32, u64, Layer, Op);

/// One call: its extent, who made it and how long it took.
#[derive(Debug, Clone, Copy)]
struct Touch {
    from: i64,
    to: i64,
    /// Position of the rank among those of the file.
    rank: u32,
    calls: u32,
    time_s: f64,
}

/// The touched extents of all files.
#[derive(Debug)]
pub(crate) struct Extents {
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
        Self::within(calls, MAX_TOUCHES)
    }

    /// The same, with at most so many calls at a time.
    pub(super) fn within(calls: &Calls, most: usize) -> Self {
        let key = |s: &Stream| (s.log, s.file_id, s.layer, s.op);
        let transfers = || calls.streams.iter().filter(|s| s.is_transfer());
        let keys: Vec<Key> = transfers().map(key).collect::<BTreeSet<_>>().into_iter().collect();
        let group_of = |s: &Stream| keys.binary_search(&key(s)).ok().filter(|_| s.is_transfer());
        let group_of: Vec<Option<usize>> = calls.streams.iter().map(group_of).collect();
        let mut ranks: Vec<BTreeSet<i32>> = vec![BTreeSet::new(); keys.len()];
        let mut counts = vec![0; keys.len()];
        for ((stream, group), count) in calls.streams.iter().zip(&group_of).zip(calls.counts()) {
            if let Some(group) = *group {
                ranks[group].insert(stream.rank);
                counts[group] += count;
            }
        }
        let ranks: Vec<Vec<i32>> = ranks.into_iter().map(|r| r.into_iter().collect()).collect();
        let place =
            |stream: &Stream, group: usize| ranks[group].partition_point(|r| *r < stream.rank);
        let streams = calls.streams.iter().zip(&group_of);
        let source = Source {
            calls,
            rank_of: streams.map(|(s, g)| g.map_or(0, |g| place(s, g)) as u32).collect(),
            group_of,
        };
        let mut files = BTreeMap::new();
        for batch in batches(&counts, most) {
            let count: usize = counts[batch.clone()].iter().sum();
            let mut sweeps: Vec<Sweep> =
                batch.clone().map(|group| Sweep::new(ranks[group].len())).collect();
            // The least and the most number there is: one part.
            let mut cuts = vec![i64::MIN, i64::MAX];
            if count > most {
                cuts.splice(1..1, source.cuts(batch.clone(), count, most));
            }
            for part in cuts.windows(2) {
                let touches = source.touches(batch.clone(), part[0]..part[1]);
                for (sweep, mut touches) in sweeps.iter_mut().zip(touches) {
                    // Stable, since that is quick where sorted runs follow each
                    // other: those of the ranks.
                    touches.sort_by_key(|touch| (touch.from, touch.to, touch.rank));
                    sweep.add(&touches);
                }
            }
            for (group, sweep) in batch.zip(sweeps) {
                if sweep.touches > 0 {
                    files.insert(keys[group], sweep.file(&ranks[group]));
                }
            }
        }
        Self { files }
    }

    /// Rows of table `redundancy`.
    pub fn write_redundancy(&self, table: &mut TableBuilder) {
        for (key, file) in &self.files {
            rows::Redundancy {
                log: key.0,
                file_id: key.1,
                layer: key.2.name(),
                op: key.3.name(),
                ranks: count(file.ranks),
                calls: file.calls,
                extents: count(file.extents),
                bytes: file.bytes,
                unique_bytes: file.unique_bytes,
                redundant_bytes: file.bytes.saturating_sub(file.unique_bytes),
                same_rank_bytes: file.bytes.saturating_sub(file.rank_bytes),
                across_ranks_bytes: file.rank_bytes.saturating_sub(file.unique_bytes),
                time_s: file.time_s,
            }
            .push(table);
        }
    }

    /// Rows of table `redundant_extent`.
    pub fn write_again(&self, table: &mut TableBuilder) {
        for (key, file) in &self.files {
            for (position, again) in (1..).zip(&file.again) {
                rows::RedundantExtent {
                    log: key.0,
                    file_id: key.1,
                    layer: key.2.name(),
                    op: key.3.name(),
                    position,
                    offset_bytes: again.from,
                    size_bytes: again.to.saturating_sub(again.from),
                    calls: again.calls,
                    ranks: again.ranks,
                    first_rank: again.first_rank,
                    time_s: again.time_s,
                }
                .push(table);
            }
        }
    }

    /// Rows of table `file_interleave`.
    pub fn write_interleave(&self, table: &mut TableBuilder) {
        for (key, file) in self.files.iter().filter(|(_, file)| file.ranks > 1) {
            let Parts { parts, switches, blocks, contended_blocks } = file.parts;
            // As few switches as ranks need means that each has one run.
            let (least, most) = (file.ranks - 1, parts.saturating_sub(1));
            let share = (most > least).then(|| (switches - least) as f64 / (most - least) as f64);
            rows::FileInterleave {
                log: key.0,
                file_id: key.1,
                layer: key.2.name(),
                op: key.3.name(),
                ranks: count(file.ranks),
                parts: count(parts),
                switches: count(switches),
                interleave_ratio: share.unwrap_or(0.0).max(0.0),
                stretch_bytes: file.rank_bytes as f64 / (switches + 1) as f64,
                blocks,
                contended_blocks,
                contended_ratio: (blocks > 0).then(|| contended_blocks as f64 / blocks as f64),
            }
            .push(table);
        }
    }
}

/// Where touches come from.
struct Source<'c> {
    calls: &'c Calls,
    /// By stream: number of its file, layer and direction.
    group_of: Vec<Option<usize>>,
    /// By stream: place of its rank among those of the group.
    rank_of: Vec<u32>,
}

impl Source<'_> {
    /// Shows the calls of these groups that have a place: group, extent, call.
    fn each(&self, groups: &Range<usize>, mut visit: impl FnMut(usize, Touch)) {
        let group = |stream: usize| self.group_of[stream].filter(|group| groups.contains(group));
        self.calls.each_of(
            |stream| group(stream).is_some(),
            |call| {
                let stream = call.stream as usize;
                if let (Some(group), Some((from, to))) = (group(stream), call.extent()) {
                    let calls = u32::try_from(call.calls).unwrap_or(u32::MAX);
                    let rank = self.rank_of[stream];
                    visit(group, Touch { from, to, rank, calls, time_s: call.busy_s });
                }
            },
        );
    }

    /// Places at which parts of less than `most` of the `count` calls begin; calls
    /// of one and the same place stay together.
    fn cuts(&self, groups: Range<usize>, count: usize, most: usize) -> Vec<i64> {
        let (step, mut seen, mut sample) = ((count / SAMPLES).max(1), 0_usize, Vec::new());
        self.each(&groups, |_, touch| {
            if seen.is_multiple_of(step) {
                sample.push(touch.from);
            }
            seen += 1;
        });
        sample.sort_unstable();
        // One more than needed: a sample is not exact.
        let parts = count.div_ceil(most.max(1)) + 1;
        let cut = |part: usize| sample.get(sample.len() * part / parts).copied();
        let mut cuts: Vec<i64> = (1..parts).filter_map(cut).collect();
        cuts.dedup();
        cuts
    }

    /// The calls of each of these groups that begin in this part of their file.
    fn touches(&self, groups: Range<usize>, part: Range<i64>) -> Vec<Vec<Touch>> {
        let mut touches = vec![Vec::new(); groups.len()];
        self.each(&groups, |group, touch| {
            if part.contains(&touch.from) {
                touches[group - groups.start].push(touch);
            }
        });
        touches
    }
}

/// A walk over the calls of a file in order of their place.
#[derive(Debug, Default)]
struct Sweep {
    touches: usize,
    calls: i64,
    time_s: f64,
    extents: usize,
    bytes: i64,
    unique_bytes: i64,
    rank_bytes: i64,
    again: Vec<Again>,
    parts: Parts,
    /// How far all calls reach, and those of each rank; -1: none so far.
    reach: i64,
    rank_reach: Vec<i64>,
    /// Last block that was counted, that was counted as contended, and the rank
    /// of which a part began last.
    block: i64,
    contended: i64,
    last_rank: Option<u32>,
}

impl Sweep {
    fn new(ranks: usize) -> Self {
        Self { reach: -1, rank_reach: vec![-1; ranks], block: -1, contended: -1, ..Self::default() }
    }

    /// Goes on with touches in order of place, behind all before.
    fn add(&mut self, touches: &[Touch]) {
        self.touches += touches.len();
        for touch in touches {
            self.calls = self.calls.saturating_add(touch.calls.into());
            self.time_s += touch.time_s;
            self.bytes = self.bytes.saturating_add(touch.to - touch.from);
            let fresh = (touch.to - touch.from.max(self.reach)).max(0);
            self.unique_bytes = self.unique_bytes.saturating_add(fresh);
            self.reach = self.reach.max(touch.to);
            self.of_rank(touch);
            let (first, last) = (touch.from / BLOCK_BYTES, (touch.to - 1) / BLOCK_BYTES);
            if last > self.block {
                self.parts.blocks += last - first.max(self.block + 1) + 1;
                self.block = last;
            }
        }
        self.find_again(touches);
    }

    /// What one rank moves without a gap is a part of the file.
    fn of_rank(&mut self, touch: &Touch) {
        let reach = &mut self.rank_reach[touch.rank as usize];
        let fresh = (touch.to - touch.from.max(*reach)).max(0);
        self.rank_bytes = self.rank_bytes.saturating_add(fresh);
        let is_new = *reach < touch.from;
        *reach = (*reach).max(touch.to);
        if !is_new {
            return;
        }
        let is_other = self.last_rank.is_some_and(|rank| rank != touch.rank);
        self.parts.parts += 1;
        self.parts.switches += usize::from(is_other);
        let block = touch.from / BLOCK_BYTES;
        if is_other && block <= self.block && self.contended < block {
            self.parts.contended_blocks += 1;
            self.contended = block;
        }
        self.last_rank = Some(touch.rank);
    }

    /// Counts different extents, and keeps those that cost the most time among the
    /// ones that several calls moved.
    fn find_again(&mut self, touches: &[Touch]) {
        for same in touches.chunk_by(|a, b| (a.from, a.to) == (b.from, b.to)) {
            self.extents += 1;
            if same.len() == 1 {
                continue;
            }
            let ranks = same.chunk_by(|a, b| a.rank == b.rank).count();
            self.again.push(Again {
                from: same[0].from,
                to: same[0].to,
                calls: same.iter().map(|touch| i64::from(touch.calls)).sum(),
                ranks: count(ranks),
                first_rank: i32::try_from(same[0].rank).unwrap_or(i32::MAX),
                time_s: same.iter().map(|touch| touch.time_s).sum(),
            });
            if self.again.len() >= 100 * EXTENTS {
                self.forget_cheap();
            }
        }
        self.forget_cheap();
    }

    fn forget_cheap(&mut self) {
        self.again.sort_by(|a, b| b.time_s.total_cmp(&a.time_s).then(a.from.cmp(&b.from)));
        self.again.truncate(EXTENTS);
    }

    /// What was found; `ranks` are the ranks of the file by their places.
    fn file(mut self, ranks: &[i32]) -> File {
        for again in &mut self.again {
            let place = usize::try_from(again.first_rank).unwrap_or_default();
            again.first_rank = ranks.get(place).copied().unwrap_or_default();
        }
        File {
            calls: self.calls,
            time_s: self.time_s,
            ranks: self.rank_reach.iter().filter(|reach| **reach >= 0).count(),
            extents: self.extents,
            bytes: self.bytes,
            unique_bytes: self.unique_bytes,
            rank_bytes: self.rank_bytes,
            again: self.again,
            parts: self.parts,
        }
    }
}
