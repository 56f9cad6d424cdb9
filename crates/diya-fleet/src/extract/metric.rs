//! Sums over all records of a job: the numbers behind the checks.

use super::At;
use super::cells::{batches, columns};
use super::log_facts::{LogFacts, at};
use super::record::JobFile;
use super::stripes::Layout;
use super::usage::sum;
use crate::generated::metric;
use crate::round::to_24_bits;
use diya::model::Layer;
use diya_tables::{BatchSource, TableBuilder, TableId};
use std::collections::{BTreeMap, HashMap};

/// Columns of `metric` that are plain sums: name, and the columns they are sums of.
/// The size classes of POSIX have the same names in both tables.
const SUMS: [(&str, TableId, &[&str]); 26] = [
    ("consecutive_reads", TableId::Posix, &["consec_reads"]),
    ("consecutive_writes", TableId::Posix, &["consec_writes"]),
    ("sequential_reads", TableId::Posix, &["seq_reads"]),
    ("sequential_writes", TableId::Posix, &["seq_writes"]),
    ("posix_reads", TableId::Posix, &["reads"]),
    ("posix_writes", TableId::Posix, &["writes"]),
    ("seeks", TableId::Posix, &["seeks"]),
    ("rw_switches", TableId::Posix, &["rw_switches"]),
    ("file_unaligned_calls", TableId::Posix, &["file_not_aligned"]),
    ("memory_unaligned_calls", TableId::Posix, &["mem_not_aligned"]),
    ("fsyncs", TableId::Posix, &["fsyncs", "fdsyncs"]),
    ("mmaps", TableId::Posix, &["mmaps"]),
    ("renames", TableId::Posix, &["rename_sources"]),
    ("mpiio_independent_reads", TableId::Mpiio, &["indep_reads"]),
    ("mpiio_independent_writes", TableId::Mpiio, &["indep_writes"]),
    ("mpiio_collective_reads", TableId::Mpiio, &["coll_reads"]),
    ("mpiio_collective_writes", TableId::Mpiio, &["coll_writes"]),
    ("mpiio_nonblocking_reads", TableId::Mpiio, &["nb_reads"]),
    ("mpiio_nonblocking_writes", TableId::Mpiio, &["nb_writes"]),
    ("mpiio_split_reads", TableId::Mpiio, &["split_reads"]),
    ("mpiio_split_writes", TableId::Mpiio, &["split_writes"]),
    ("stdio_reads", TableId::Stdio, &["reads"]),
    ("stdio_writes", TableId::Stdio, &["writes"]),
    ("stdio_flushes", TableId::Stdio, &["flushes"]),
    ("stdio_bytes_read", TableId::Stdio, &["bytes_read"]),
    ("stdio_bytes_written", TableId::Stdio, &["bytes_written"]),
];

/// Adds up the columns of one layer, by log.
pub fn read_sums(table: &dyn BatchSource, id: TableId, facts: &mut [LogFacts]) {
    let mut wanted = vec![0];
    // Columns of `metric` that the wanted ones add to.
    let mut sums: Vec<usize> = Vec::new();
    for (name, _, of_columns) in SUMS.iter().filter(|(_, table, _)| *table == id) {
        for column in columns(table.def(), of_columns) {
            wanted.push(column);
            sums.extend(columns(&metric::DEF, &[name]));
        }
    }
    if id == TableId::Posix {
        let is_size =
            |name: &str| name.starts_with("size_read_") || name.starts_with("size_write_");
        let all = metric::DEF.columns.iter().enumerate();
        for (place, column) in all.filter(|(_, column)| is_size(column.name)) {
            wanted.extend(table.def().column(column.name));
            sums.push(place);
        }
        wanted.extend(columns(table.def(), &["f_max_read_time", "f_max_write_time"]));
    }
    if sums.is_empty() {
        return;
    }
    batches(table, &wanted, &mut |cells| {
        for row in 0..cells.rows() {
            let Some(log) = at(facts, cells.i32(0, row)) else { continue };
            for (place, column) in sums.iter().enumerate() {
                if let Some(count) = cells.i64(place + 1, row) {
                    log.sums.add(*column, count);
                }
            }
            if id == TableId::Posix {
                for (place, longest) in log.sums.longest_s.iter_mut().enumerate() {
                    let time = cells.f64(sums.len() + 1 + place, row).filter(|s| s.is_finite());
                    *longest =
                        longest.map_or(time, |old| Some(time.map_or(old, |new| old.max(new))));
                }
            }
        }
    });
}

/// What a rank did in files of its own.
#[derive(Debug, Default, Clone, Copy)]
pub struct Own {
    pub time_s: f64,
    pub bytes: i64,
}

/// Times of a job as a whole, at the layers that touch the file system.
#[derive(Debug, Default)]
pub struct Totals {
    pub own: BTreeMap<i32, Own>,
    pub own_slowest_s: Option<f64>,
    pub shared_slowest_s: Option<f64>,
    pub shared_fastest_s: Option<f64>,
    pub read_s: Option<f64>,
    pub write_s: Option<f64>,
    pub metadata_s: Option<f64>,
    pub first_s: Option<f64>,
    pub last_s: Option<f64>,
}

impl Totals {
    /// By the slowest rank.
    pub fn io_time_s(&self) -> Option<f64> {
        sum([self.own_slowest_s, self.shared_slowest_s])
    }

    /// Summed over ranks.
    pub fn cumulative_s(&self) -> Option<f64> {
        sum([self.read_s, self.write_s, self.metadata_s])
    }
}

/// The times of a log.
pub fn totals(log: &LogFacts, files: &[JobFile<'_>]) -> Totals {
    let mut totals = Totals::default();
    for of in files.iter().flat_map(|file| &file.uses).filter(|of| of.rank >= 0) {
        let own = totals.own.entry(of.rank).or_default();
        own.bytes = own.bytes.saturating_add(of.bytes().unwrap_or(0));
    }
    for of in files.iter().flat_map(|file| &file.timed) {
        if of.rank < 0 {
            totals.shared_slowest_s = sum([totals.shared_slowest_s, of.slowest_s()]);
            totals.shared_fastest_s = sum([totals.shared_fastest_s, of.fastest_s()]);
        } else if let Some(time_s) = of.time_s() {
            let own = totals.own.entry(of.rank).or_default();
            own.time_s += time_s;
        }
        totals.read_s = sum([totals.read_s, of.read_s]);
        totals.write_s = sum([totals.write_s, of.write_s]);
        totals.metadata_s = sum([totals.metadata_s, of.metadata_s]);
    }
    totals.own_slowest_s = totals.own.values().map(|own| own.time_s).reduce(f64::max);
    totals.first_s = log.uses.iter().filter_map(|u| u.first_s).reduce(f64::min);
    totals.last_s = log.uses.iter().filter_map(|u| u.last_s).reduce(f64::max);
    totals
}

/// A file is large from here on, and small below.
const LARGE_BYTES: i64 = 1 << 30;
const SMALL_BYTES: i64 = 1 << 20;

/// The row of `metric`.
pub fn push(
    log: &LogFacts,
    files: &[JobFile<'_>],
    layouts: &HashMap<u64, Layout>,
    totals: &Totals,
    at: At,
    out: &mut TableBuilder,
) {
    out.push_i64(metric::LOG_HASH, Some(at.log_hash));
    out.push_i64(metric::START_TIME, at.start);
    for (column, count) in log.sums.all() {
        out.push_i64(column, Some(count));
    }
    let mpiio = || log.uses.iter().filter(|u| u.layer == Some(Layer::Mpiio));
    let lustre: Vec<(&JobFile<'_>, &Layout)> = files
        .iter()
        .filter_map(|file| Some((file, layouts.get(&file.file_id)?)))
        .filter(|(_, layout)| !layout.targets.is_empty())
        .collect();
    let of_lustre = |is_counted: &dyn Fn(i64, usize) -> bool| {
        let known =
            lustre.iter().filter_map(|(file, of)| Some((file.extent_bytes?, of.targets.len())));
        known.filter(|(extent, targets)| is_counted(*extent, *targets)).count() as i64
    };
    let mut targets: BTreeMap<i64, f64> = BTreeMap::new();
    for (file, layout) in &lustre {
        let bytes = sum([file.bytes_read, file.bytes_written]).unwrap_or(0) as f64;
        for target in layout.targets.iter().filter(|_| bytes > 0.0) {
            *targets.entry(*target).or_insert(0.0) += bytes / layout.targets.len() as f64;
        }
    }
    let own_mean = log.nprocs.filter(|n| *n > 0 && !totals.own.is_empty());
    let own_mean =
        own_mean.map(|n| totals.own.values().map(|own| own.time_s).sum::<f64>() / n as f64);
    let counts = [
        (metric::MPIIO_BYTES_READ, sum(mpiio().map(|u| u.bytes_read))),
        (metric::MPIIO_BYTES_WRITTEN, sum(mpiio().map(|u| u.bytes_written))),
        (metric::OWN_RANKS, Some(totals.own.len() as i64)),
        (metric::OWN_SLOWEST_BYTES, totals.own.values().map(|own| own.bytes).max()),
        (metric::LARGEST_FILE_BYTES, files.iter().filter_map(|file| file.extent_bytes).max()),
        (metric::LUSTRE_FILES, Some(lustre.len() as i64)),
        (
            metric::ONE_STRIPE_LARGE_FILES,
            Some(of_lustre(&|extent, n| extent >= LARGE_BYTES && n == 1)),
        ),
        (metric::STRIPED_SMALL_FILES, Some(of_lustre(&|extent, n| extent < SMALL_BYTES && n > 1))),
        (metric::TARGETS, Some(targets.len() as i64)),
    ];
    counts.into_iter().for_each(|(column, count)| out.push_i64(column, count));
    let times = [
        (metric::MPIIO_SLOWEST_S, super::layers::slowest_s(mpiio())),
        (metric::OWN_SLOWEST_S, totals.own_slowest_s),
        (metric::OWN_MEAN_S, own_mean),
        (metric::SHARED_SLOWEST_S, totals.shared_slowest_s),
        (metric::SHARED_FASTEST_S, totals.shared_fastest_s),
        (metric::SLOWEST_FILE_S, files.iter().filter_map(|file| file.slowest_s).reduce(f64::max)),
        (metric::LONGEST_READ_S, log.sums.longest_s[0]),
        (metric::LONGEST_WRITE_S, log.sums.longest_s[1]),
        (metric::FIRST_S, totals.first_s),
        (metric::LAST_S, totals.last_s),
        (metric::BUSIEST_TARGET_BYTES, targets.into_values().reduce(f64::max)),
    ];
    times.into_iter().for_each(|(column, value)| out.push_f64(column, value.map(to_24_bits)));
    out.end_row();
}
