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
use super::refreshed::refreshed_bytes;
use super::sweep::{File, Parts, Sweep, Touch};
use crate::rows;
use diya_tables::{Layer, Op, TableBuilder};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Calls that are gathered at a time: 0.5 GB, with what sorting them needs.
const MAX_TOUCHES: usize = 8_000_000;

/// Calls that are looked at to cut a large file into parts of equal weight.
const SAMPLES: usize = 1 << 16;

type Key = (i32, u64, Layer, Op);

/// The touched extents of all files.
#[derive(Debug)]
pub(crate) struct Extents {
    files: BTreeMap<Key, File>,
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
            for part in source.parts(batch.clone(), count, most) {
                let touches = source.touches(batch.clone(), &part);
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
        let mut extents = Self { files };
        extents.compare_with_writes(calls, most);
        extents
    }

    /// Finds out what of the files that are both read again and written was new each time.
    fn compare_with_writes(&mut self, calls: &Calls, most: usize) {
        let is_both = |(key, file): &(&Key, &File)| {
            let (log, file_id, layer, op) = **key;
            op == Op::Read
                && file.bytes > file.unique_bytes
                && self.files.contains_key(&(log, file_id, layer, Op::Write))
        };
        let both = self.files.iter().filter(is_both);
        let mut places: Vec<_> = both.map(|(key, _)| (key.0, key.1, key.2)).collect();
        places.sort_unstable();
        for ((log, file_id, layer), bytes) in refreshed_bytes(calls, &places, most) {
            if let Some(file) = self.files.get_mut(&(log, file_id, layer, Op::Read)) {
                file.refreshed_bytes = bytes.min(file.bytes.saturating_sub(file.unique_bytes));
            }
        }
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
                refreshed_bytes: file.refreshed_bytes,
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

/// A part of the files of a group.
struct Part {
    /// Where the extents begin.
    from: Range<i64>,
    /// Batches of the table that have such extents; `None`: any may.
    batches: Option<Vec<usize>>,
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
    /// Shows the calls of these groups that have a place: batch of the table, group, extent.
    fn each(
        &self,
        groups: &Range<usize>,
        is_wanted: impl Fn(usize) -> bool,
        mut visit: impl FnMut(usize, usize, Touch),
    ) {
        let group = |stream: usize| self.group_of[stream].filter(|group| groups.contains(group));
        self.calls.each_in(
            is_wanted,
            |stream| group(stream).is_some(),
            |batch, call| {
                let stream = call.stream as usize;
                if let (Some(group), Some((from, to))) = (group(stream), call.extent()) {
                    let calls = u32::try_from(call.calls).unwrap_or(u32::MAX);
                    let rank = self.rank_of[stream];
                    visit(batch, group, Touch { from, to, rank, calls, time_s: call.busy_s });
                }
            },
        );
    }

    /// Parts of about `most` of the `count` calls of these groups; calls of one and the
    /// same place stay together. Few batches have calls of one part where ranks go through
    /// their files in order, so that a part need not read all others.
    fn parts(&self, groups: Range<usize>, count: usize, most: usize) -> Vec<Part> {
        if count <= most {
            return vec![Part { from: i64::MIN..i64::MAX, batches: None }];
        }
        let (step, mut seen, mut sample) = ((count / SAMPLES).max(1), 0_usize, Vec::new());
        let mut places: BTreeMap<usize, Range<i64>> = BTreeMap::new();
        let mut last: Option<(usize, Range<i64>)> = None;
        self.each(
            &groups,
            |_| true,
            |batch, _, touch| {
                if seen.is_multiple_of(step) {
                    sample.push(touch.from);
                }
                seen += 1;
                match &mut last {
                    Some((same, range)) if *same == batch => {
                        range.start = range.start.min(touch.from);
                        range.end = range.end.max(touch.from);
                    }
                    _ => places.extend(last.replace((batch, touch.from..touch.from))),
                }
            },
        );
        places.extend(last);
        sample.sort_unstable();
        // One more than needed: a sample is not exact.
        let parts = count.div_ceil(most.max(1)) + 1;
        let cut = |part: usize| sample.get(sample.len() * part / parts).copied();
        let mut cuts: Vec<i64> = (1..parts).filter_map(cut).collect();
        cuts.dedup();
        // The least and the most number there is.
        let cuts = [vec![i64::MIN], cuts, vec![i64::MAX]].concat();
        let part = |cuts: &[i64]| {
            let from = cuts[0]..cuts[1];
            let has = |range: &Range<i64>| range.start < from.end && range.end >= from.start;
            let batches = places.iter().filter(|(_, range)| has(range)).map(|(batch, _)| *batch);
            Part { batches: Some(batches.collect()), from: from.clone() }
        };
        cuts.windows(2).map(part).collect()
    }

    /// The calls of each of these groups that begin in this part of their file.
    fn touches(&self, groups: Range<usize>, part: &Part) -> Vec<Vec<Touch>> {
        let mut touches = vec![Vec::new(); groups.len()];
        let is_wanted =
            |batch| part.batches.as_ref().is_none_or(|of| of.binary_search(&batch).is_ok());
        self.each(&groups, is_wanted, |_, group, touch| {
            if part.from.contains(&touch.from) {
                touches[group - groups.start].push(touch);
            }
        });
        touches
    }
}
