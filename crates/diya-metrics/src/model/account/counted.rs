//! The account from counters: the times of the slowest rank.

use super::super::counters::{Counters, Keys, real, sum, whole};
use super::super::facts::batches;
use super::super::load::Load;
use super::{Class, Share, Shares};
use crate::hash::{HashMap, HashSet};
use arrow::array::RecordBatch;
use diya_tables::{BatchSource, Layer, Op, TableId};
use std::sync::Arc;

/// One record, as far as the account needs it.
#[derive(Debug, Clone, Copy)]
struct Record {
    layer: Layer,
    file_id: u64,
    /// -1: all ranks; then times are sums over them.
    rank: i32,
    total_s: f64,
    /// Rank and time of the slowest one, in a record of all ranks.
    slowest: Option<(i32, f64)>,
    /// Time, calls and bytes by class, in the order of [`CLASSES`].
    parts: [(f64, i64, i64); CLASSES.len()],
    /// Share of the calls that all ranks make together.
    collective_ratio: f64,
    /// The same of reads and of writes alone.
    together: [f64; 2],
}

const CLASSES: [Class; 5] =
    [Class::Read, Class::Write, Class::Metadata, Class::Sync, Class::WriteSync];

/// Bounds of the time of syncs that differ by less are one number.
const KNOWN: f64 = 0.99;

/// Share of collective calls from which the own time of MPI-IO is theirs: of an independent call,
/// such as the one of PnetCDF for the header, it is little.
const TOGETHER: f64 = 0.9;

/// Darshan keeps one time for them.
const OPENING: &str = "MPI_File_open, MPI_File_set_view, MPI_File_close";

/// The records of one log.
#[derive(Debug, Default)]
pub(crate) struct Counted {
    records: Vec<Record>,
    collective: HashSet<u64>,
    mpiio: HashSet<u64>,
}

impl Counted {
    /// Of all logs; `loads`: one per record.
    pub fn of(
        tables: &[Arc<dyn BatchSource>],
        loads: &HashMap<i32, Vec<Load>>,
    ) -> HashMap<i32, Self> {
        let mut all: HashMap<i32, Self> = HashMap::default();
        for (log, loads) in loads {
            let counted = all.entry(*log).or_default();
            loads.iter().for_each(|load| counted.add(Record::of(load)));
        }
        let libraries =
            [(TableId::Hdf5Dataset, Layer::Hdf5Dataset), (TableId::PnetcdfVar, Layer::PnetcdfVar)];
        for (id, layer) in libraries {
            let counters = Counters::of(id, layer);
            let columns: Vec<usize> = (0..id.def().columns.len()).collect();
            for batch in batches(tables, id, &columns) {
                let Some(keys) = Keys::named(&batch) else { continue };
                for row in 0..keys.rows() {
                    let record = library(&counters, &batch, (&keys, row));
                    all.entry(keys.log.value(row)).or_default().records.extend(record);
                }
            }
        }
        all
    }

    fn add(&mut self, record: Record) {
        if record.layer == Layer::Mpiio {
            self.mpiio.insert(record.file_id);
            if record.collective_ratio > 0.5 {
                self.collective.insert(record.file_id);
            }
        }
        self.records.push(record);
    }

    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Whether ranks make most MPI-IO requests to a file together.
    pub fn is_collective(&self, file_id: u64) -> bool {
        self.collective.contains(&file_id) || !self.mpiio.contains(&file_id)
    }

    /// What the slowest rank spends where.
    pub fn shares(&self, nprocs: Option<i64>) -> Shares {
        let ranks = nprocs.unwrap_or(1).max(1) as f64;
        let slowest = self.slowest(ranks);
        let part = |record: &Record| record.part_of(slowest, ranks);
        let has_dfs = self.records.iter().any(|record| record.layer == Layer::Dfs);
        // Time of POSIX calls below MPI-IO, by file and kind, and of all layers.
        let mut below: HashMap<u64, [f64; 3]> = HashMap::default();
        let (mut sum_s, mut shares) = (0.0, Shares::new());
        for record in &self.records {
            let is_low = match record.layer {
                Layer::Posix | Layer::Stdio | Layer::Dfs => true,
                Layer::Daos => !has_dfs, // dfs calls these
                _ => false,
            };
            if !is_low {
                continue;
            }
            let part = part(record);
            if record.layer == Layer::Posix {
                let of_file = below.entry(record.file_id).or_default();
                for (sum_s, time_s) in of_file.iter_mut().zip(record.kinds()) {
                    *sum_s += time_s * part;
                }
            }
            sum_s += record.total_s * part;
            record.add_to(&mut shares, slowest, part);
        }
        for record in self.records.iter().filter(|record| record.layer == Layer::Mpiio) {
            let part = part(record);
            let Some(below) = below.get_mut(&record.file_id) else {
                // Nothing below it was recorded.
                sum_s += record.total_s * part;
                record.add_to(&mut shares, slowest, part);
                continue;
            };
            if part > 0.0 {
                let own = own_s(record.kinds().map(|time_s| time_s * part), std::mem::take(below));
                sum_s += own.iter().sum::<f64>();
                record.add_own(&mut shares, (slowest, ranks > 1.0), own, part);
            }
        }
        // Objects in a file have ids of their own. Time of a library beyond all calls
        // below it is the library's own.
        for layer in [Layer::Hdf5Dataset, Layer::PnetcdfVar] {
            let of_layer = || self.records.iter().filter(|record| record.layer == layer);
            let all_s: f64 = of_layer().map(|record| record.total_s * part(record)).sum();
            let own_s = (all_s - sum_s).max(0.0);
            if own_s > 0.0 {
                sum_s += own_s;
                let share: &mut Share = shares.entry((layer, Class::Library, None)).or_default();
                for record in of_layer() {
                    let calls: i64 = record.parts.iter().map(|(_, calls, _)| *calls).sum();
                    let part = part(record);
                    let time_s = own_s * record.total_s * part / all_s;
                    share.add(record.file_id, slowest, time_s, (calls as f64 * part) as i64, 0);
                }
            }
        }
        shares
    }

    /// The rank with the most time, of records of all ranks the mean or, where it
    /// was the slowest one there, its own.
    fn slowest(&self, ranks: f64) -> i32 {
        let mut times: HashMap<i32, f64> = HashMap::default();
        let mut above: HashMap<(i32, u64), [f64; 2]> = HashMap::default();
        let shared: HashMap<u64, f64> = self
            .records
            .iter()
            .filter(|record| record.layer == Layer::Mpiio && record.rank < 0)
            .map(|record| (record.file_id, record.total_s / ranks))
            .collect();
        for record in &self.records {
            let (rank, time_s) = match (record.rank, record.slowest) {
                (-1, Some((rank, most_s))) => (rank, most_s - record.total_s / ranks),
                (-1, None) => continue,
                (rank, _) => (rank, record.total_s),
            };
            match record.layer {
                Layer::Posix => above.entry((rank, record.file_id)).or_default()[0] += time_s,
                Layer::Mpiio => above.entry((rank, record.file_id)).or_default()[1] += time_s,
                Layer::Stdio | Layer::Dfs | Layer::Daos => {
                    *times.entry(rank).or_default() += time_s;
                }
                _ => {}
            }
        }
        for ((rank, file_id), [below_s, above_s]) in above {
            // What every rank waits in MPI-IO is part of its time already.
            let mean_s = shared.get(&file_id).copied().unwrap_or(0.0);
            *times.entry(rank).or_default() += below_s.max(above_s + mean_s) - mean_s;
        }
        let most = times.into_iter().max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
        most.map_or(-1, |(rank, _)| rank)
    }
}

impl Record {
    fn of(load: &Load) -> Self {
        let writing = (load.write.time_s, load.write.calls, load.write.bytes);
        let syncing = (load.sync_s.low, load.syncs, 0);
        // A log that keeps one time for both does not say which of them took it.
        let (write, sync, both) = match load.sync_s.low < load.sync_s.high * KNOWN {
            true => ((0.0, 0, 0), (0.0, 0, 0), joined(writing, syncing)),
            false => (writing, syncing, (0.0, 0, 0)),
        };
        let metadata_calls = load.opens.saturating_add(load.stats).saturating_add(load.seeks);
        let calls = load.read.calls.saturating_add(load.write.calls).saturating_add(load.opens);
        let alone = load.independent[0].saturating_add(load.independent[1]);
        let slowest = load.named[0].map(|named| named.rank);
        Self {
            layer: load.layer,
            file_id: load.file_id,
            rank: load.rank,
            total_s: load.total_s,
            slowest: slowest.map(|rank| (rank, load.total_s * load.slowest_ratio)),
            parts: [
                (load.read.time_s, load.read.calls, load.read.bytes),
                write,
                (load.metadata_s, metadata_calls, 0),
                sync,
                both,
            ],
            collective_ratio: match load.layer {
                Layer::Mpiio if calls > 0 => (1.0 - alone as f64 / calls as f64).clamp(0.0, 1.0),
                _ => 0.0,
            },
            together: [(load.read.calls, 0), (load.write.calls, 1)].map(|(calls, at)| {
                let alone = load.independent[at].clamp(0, calls);
                if calls > 0 { 1.0 - alone as f64 / calls as f64 } else { 0.0 }
            }),
        }
    }

    /// Share of the record's time that this rank spent.
    fn part_of(&self, rank: i32, ranks: f64) -> f64 {
        match (self.rank, self.slowest) {
            (-1, Some((slowest, most_s))) if slowest == rank && self.total_s > 0.0 => {
                (most_s / self.total_s).clamp(0.0, 1.0)
            }
            (-1, _) => 1.0 / ranks,
            (own, _) if own == rank => 1.0,
            _ => 0.0,
        }
    }

    /// Seconds of reads, of writes with their syncs, and of metadata calls.
    fn kinds(&self) -> [f64; 3] {
        let [read, write, metadata, sync, both] = self.parts.map(|(time_s, ..)| time_s);
        [read, write + sync + both, metadata]
    }

    /// Own time of MPI-IO, by kind of its calls: waiting where all ranks make nearly all of them
    /// together. Of calls of both modes counters do not say which took it, and an open is both
    /// set-up and waiting: that stays time inside MPI-IO.
    fn add_own(&self, shares: &mut Shares, (rank, others): (i32, bool), own: [f64; 3], part: f64) {
        let [reads, writes, opens, _, both] = self.parts.map(|(_, calls, _)| calls);
        let kinds =
            [(Op::Read, reads), (Op::Write, writes.saturating_add(both)), (Op::Open, opens)];
        for (at, ((op, calls), time_s)) in kinds.into_iter().zip(own).enumerate() {
            let is_together = self.together.get(at).is_some_and(|ratio| *ratio >= TOGETHER);
            let class = if is_together && others { Class::Wait } else { Class::Library };
            if time_s > 0.0 {
                let share: &mut Share = shares.entry((self.layer, class, Some(op))).or_default();
                share.add(self.file_id, rank, time_s, (calls as f64 * part) as i64, 0);
                share.function = (op == Op::Open).then(|| OPENING.to_owned());
            }
        }
    }

    fn add_to(&self, shares: &mut Shares, rank: i32, part: f64) {
        for (class, (time_s, calls, bytes)) in CLASSES.into_iter().zip(self.parts) {
            let (calls, bytes) = ((calls as f64 * part) as i64, (bytes as f64 * part) as i64);
            if time_s * part > 0.0 {
                let share = shares.entry((self.layer, class, None)).or_default();
                share.add(self.file_id, rank, time_s * part, calls, bytes);
            }
        }
    }
}

/// What MPI-IO takes beyond the POSIX calls of a file, by kind of its calls. What POSIX has more
/// of than MPI-IO (reads before sieved writes) ran in calls of another kind: in transfers first.
fn own_s(above: [f64; 3], below: [f64; 3]) -> [f64; 3] {
    let beyond: [f64; 3] = std::array::from_fn(|kind| above[kind] - below[kind]);
    let mut elsewhere_s: f64 = beyond.iter().map(|s| (-s).max(0.0)).sum();
    beyond.map(|s| {
        let taken_s = s.max(0.0).min(elsewhere_s);
        elsewhere_s -= taken_s;
        s.max(0.0) - taken_s
    })
}

/// Time, calls and bytes of two kinds of calls together.
fn joined(a: (f64, i64, i64), b: (f64, i64, i64)) -> (f64, i64, i64) {
    (a.0 + b.0, a.1.saturating_add(b.1), a.2.saturating_add(b.2))
}

/// A record of a library's object; `None` when it has no times.
fn library(
    counters: &Counters,
    batch: &RecordBatch,
    (keys, row): (&Keys, usize),
) -> Option<Record> {
    let real = |column: Option<usize>| real(batch, column?, row);
    let [read_s, write_s, metadata_s] = counters.times.map(real);
    let total_s = read_s
        .or(write_s)
        .or(metadata_s)
        .map(|_| read_s.unwrap_or(0.0) + write_s.unwrap_or(0.0) + metadata_s.unwrap_or(0.0))?;
    let rank = keys.rank.value(row);
    let [slowest_s, slowest, _] = counters.named[0];
    let slowest =
        real(slowest_s).zip(slowest.and_then(|rank| i32::try_from(whole(batch, rank, row)).ok()));
    let calls = sum(batch, &counters.reads, row).saturating_add(sum(batch, &counters.writes, row));
    Some(Record {
        layer: counters.layer,
        file_id: keys.file_id.value(row),
        rank,
        total_s,
        slowest: slowest.filter(|(s, _)| rank < 0 && *s > 0.0).map(|(s, rank)| (rank, s)),
        parts: CLASSES.map(|class| match class {
            Class::Read => (total_s, calls, 0),
            _ => (0.0, 0, 0),
        }),
        collective_ratio: 0.0,
        together: [0.0; 2],
    })
}
