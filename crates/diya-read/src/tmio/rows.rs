//! Phases and requests become calls of MPI-IO; what a program needs becomes regions.

use super::samples::{Mode, Sample, Series};
use crate::assemble::{Assembly, Known, NO_FILE, Process, Region, TracedCall};
use diya_model::{Layer, Op};
use std::collections::HashMap;

/// Times beyond 30 years are damage.
const MAX_S: f64 = 1e9;
/// Ranks above this are damage: each is a process.
const MAX_RANKS: f64 = (1 << 24) as f64;
/// Times are written with so many seconds.
const TICK_S: f64 = 1e-6;
/// A sum has three digits.
const SUM_ROUNDING: f64 = 0.006;
/// Ranks of a mode are those that did I/O in it; this stands for all of them together.
const ALL_RANKS: i32 = -1;

/// What a trace gives.
pub(super) struct Rows<'a> {
    pub assembly: Assembly<'a>,
    processes: HashMap<i32, usize>,
    /// Most ranks that did I/O in a mode.
    pub ranks: i64,
    /// Entries whose numbers make no sense.
    pub impossible: u64,
    /// Phases of several requests, which are not there one by one.
    pub grouped: u64,
    /// Entries whose rank is not known.
    pub unplaced: u64,
    /// Modes whose entries move other bytes than their sum says.
    pub unequal: u64,
}

impl<'a> Rows<'a> {
    pub fn new(assembly: Assembly<'a>) -> Self {
        let processes = HashMap::new();
        Self { assembly, processes, ranks: 0, impossible: 0, grouped: 0, unplaced: 0, unequal: 0 }
    }

    /// Takes in an object of a mode.
    pub fn mode(&mut self, mode: Mode, sample: &Sample) {
        let ranks = sample.ranks.filter(|ranks| (1.0..MAX_RANKS).contains(ranks));
        self.ranks = self.ranks.max(ranks.unwrap_or_default() as i64);
        let unit_bytes = if sample.is_megabytes { 1e6 } else { 1.0 };
        let has_requests = !sample.requests.start_s.is_empty();
        let (series, most) = match has_requests && !mode.is_required {
            true => (&sample.requests, sample.most_ops),
            false => (&sample.phases, sample.most_phases),
        };
        if series.start_s.is_empty() {
            self.whole(mode, &sample.whole, unit_bytes);
            return;
        }
        let is_grouped = !has_requests && sample.most_ops_in_phase.is_some_and(|most| most > 1.0);
        let rank_of = places(series, ranks, most, mode.is_blocking());
        let (mut moved, mut rounding) = (0.0, 0.0);
        for (at, entry) in series.entries().enumerate() {
            let rank = rank_of.as_ref().and_then(|ranks| ranks.get(at)).copied();
            self.unplaced += u64::from(rank.is_none() && !mode.is_required);
            let rank = rank.unwrap_or(ALL_RANKS);
            let Some((start_ns, end_ns)) = entry.times() else {
                self.impossible += 1;
                continue;
            };
            let process = self.process(rank, start_ns, end_ns);
            if mode.is_required {
                self.region(mode, process, start_ns, end_ns);
                continue;
            }
            let Some(bytes) = entry.bytes(unit_bytes) else {
                self.impossible += 1;
                continue;
            };
            moved += bytes as f64;
            rounding += entry.bandwidth * unit_bytes * TICK_S;
            self.grouped += u64::from(is_grouped);
            self.call(mode, process, bytes, (start_ns, end_ns));
        }
        let total = sample.total_bytes.map(|total| total * unit_bytes);
        let is_other =
            |total: f64| total > 0.0 && (moved - total).abs() > SUM_ROUNDING * total + rounding;
        self.unequal += u64::from(!mode.is_required && total.is_some_and(is_other));
    }

    /// Bandwidth of the whole program becomes bytes over time: it has no calls.
    fn whole(&mut self, mode: Mode, series: &Series, unit_bytes: f64) {
        let starts = series.start_s.iter().copied();
        let ends = series.start_s.iter().skip(1).copied();
        for ((start_s, end_s), bandwidth) in starts.zip(ends).zip(series.bandwidth.iter().copied())
        {
            let entry = Entry { bandwidth, start_s, end_s };
            match entry.times().zip(entry.bytes(unit_bytes)) {
                Some((times, bytes)) => {
                    self.assembly.transfer(
                        Layer::Mpiio,
                        mode.is_write,
                        times,
                        bytes.unsigned_abs(),
                    );
                }
                None => self.impossible += 1,
            }
        }
    }

    /// TMIO does not say when a rank ends: its last entry has to do.
    fn process(&mut self, rank: i32, start_ns: i64, end_ns: i64) -> usize {
        if let Some(at) = self.processes.get(&rank) {
            if let Some(process) = self.assembly.processes.get_mut(*at) {
                process.start_ns = process.start_ns.min(start_ns);
                process.end_ns = process.end_ns.max(Some(end_ns));
            }
            return *at;
        }
        let process = Process { rank, start_ns, end_ns: Some(end_ns), ..Process::default() };
        let at = self.assembly.process(process);
        self.processes.insert(rank, at);
        at
    }

    fn region(&mut self, mode: Mode, process: usize, start_ns: i64, end_ns: i64) {
        let name = match mode.is_write {
            true => "asynchronous writes, until the wait",
            false => "asynchronous reads, until the wait",
        };
        self.assembly.region(&Region {
            process,
            thread: None,
            name,
            category: mode.name,
            step: None,
            start_ns,
            end_ns,
        });
    }

    fn call(&mut self, mode: Mode, process: usize, bytes: i64, (start_ns, end_ns): (i64, i64)) {
        let file_id = self.assembly.file(NO_FILE, "path_suffix");
        let op = if mode.is_write { Op::Write } else { Op::Read };
        let function = Known { name: mode.name, layer: Layer::Mpiio, op, is_collective: None };
        self.assembly.call(&TracedCall {
            process,
            thread: 0,
            function,
            file_id,
            offset: None,
            size: Some(bytes),
            requested: None,
            start_ns,
            end_ns,
            error: None,
            aux: None,
        });
    }
}

/// A bandwidth and its time.
struct Entry {
    bandwidth: f64,
    start_s: f64,
    end_s: f64,
}

impl Entry {
    /// Start and end in nanoseconds; `None`: that is no period.
    fn times(&self) -> Option<(i64, i64)> {
        let is_time = |s: f64| s.is_finite() && s.abs() < MAX_S;
        let ns = |s: f64| (s * 1e9).round() as i64;
        (is_time(self.start_s) && is_time(self.end_s) && self.end_s >= self.start_s)
            .then(|| (ns(self.start_s), ns(self.end_s)))
    }

    /// Bytes that were moved.
    fn bytes(&self, unit_bytes: f64) -> Option<i64> {
        let bytes = (self.bandwidth * unit_bytes * (self.end_s - self.start_s)).round();
        (bytes >= 0.0 && bytes < (1i64 << 62) as f64).then_some(bytes as i64)
    }
}

impl Series {
    /// The entries; a list that is cut ends all of them.
    fn entries(&self) -> impl Iterator<Item = Entry> {
        let times = self.start_s.iter().zip(&self.end_s);
        // What is needed has times, and its bandwidth may be left out.
        let bandwidth = self.bandwidth.iter().copied().chain(std::iter::repeat(f64::NAN));
        times.zip(bandwidth).map(|((&start_s, &end_s), bandwidth)| Entry {
            bandwidth,
            start_s,
            end_s,
        })
    }
}

/// The rank of each entry, counted among those that did I/O: the entries of a rank stand
/// together, rank after rank, in the order of their times. `None`: where a rank ends is not
/// known.
fn places(
    series: &Series,
    ranks: Option<f64>,
    most: Option<f64>,
    is_blocking: bool,
) -> Option<Vec<i32>> {
    let start_s = &series.start_s;
    let ranks = ranks? as usize;
    if ranks == 1 {
        return Some(vec![0; start_s.len()]);
    }
    let each = most.map(|most| most as usize).filter(|each| each * ranks == start_s.len());
    if let Some(each) = each.filter(|each| *each > 0) {
        return Some((0..start_s.len()).map(|at| i32::try_from(at / each).unwrap_or(0)).collect());
    }
    let mut rank = 0;
    let mut before = f64::NEG_INFINITY;
    let mut places = Vec::with_capacity(start_s.len());
    for (at, &start) in start_s.iter().enumerate() {
        rank += i32::from(start < before);
        // A rank that waits for each of its requests begins none before the last one ends.
        before = if is_blocking { series.end_s.get(at).copied()? - TICK_S } else { start };
        places.push(rank);
    }
    (usize::try_from(rank).ok() == ranks.checked_sub(1)).then_some(places)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_have_equal_shares_or_begin_anew() {
        let found = |starts: &[f64], ranks, most| {
            let end_s = starts.iter().map(|start| start + 0.5).collect();
            let series = Series { bandwidth: Vec::new(), start_s: starts.to_vec(), end_s };
            [false, true].map(|is_blocking| places(&series, ranks, most, is_blocking))
        };
        let starts = [1.0, 2.0, 3.0, 4.0];
        let both = |places: Option<Vec<i32>>| [places.clone(), places];
        assert_eq!(found(&starts, Some(2.0), Some(2.0)), both(Some(vec![0, 0, 1, 1])));
        assert_eq!(found(&[1.0, 3.0, 2.0], Some(2.0), Some(2.0)), both(Some(vec![0, 0, 1])));
        assert_eq!(found(&[1.0, 3.0, 4.0], Some(2.0), Some(2.0)), both(None));
        assert_eq!(found(&[1.0, 3.0, 3.2], Some(2.0), Some(2.0)), [None, Some(vec![0, 0, 1])]);
        assert_eq!(found(&starts, Some(1.0), None), both(Some(vec![0; 4])));
        assert_eq!(found(&starts, None, Some(4.0)), both(None));
    }
}
