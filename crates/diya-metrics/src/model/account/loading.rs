//! What libraries of Python spend between the calls that they make: loading modules,
//! unpacking files, handing values on.

use super::super::job::Job;
use super::super::lost::computed;
use super::{Class, Share, Shares};
use crate::relay::Relays;
use arrow::array::AsArray;
use arrow::datatypes::{Float64Type, Int32Type, Int64Type};
use diya_tables::{BatchSource, Layer, Op};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// The library of Python that loads modules.
const LOADER: &str = "importlib";

/// How the account names it.
const FUNCTION: &str = "import";

/// Fewer calls are the start of a program that uses a package or two.
const LEAST_CALLS: i64 = 10_000;

/// Processes that load the standard library's usual modules make some hundred each.
const LEAST_CALLS_AGAIN: i64 = 3_000;

/// Libraries of Python that keep what they read and write in HDF5.
const OF_HDF5: [&str; 3] = ["h5py", "netCDF4", "tables"];

/// Libraries that do nothing else than packing and unpacking.
const PACKERS: [&str; 5] = ["gzip", "bz2", "lzma", "zipfile", "tarfile"];

/// What one library spends in a process, or in a chain of them.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Pause {
    library: String,
    rank: i32,
    calls: i64,
    pause_s: f64,
}

/// Calls and pauses of one library in the processes of a chain.
type Chain = Vec<(i64, f64)>;

/// Of each log the process, or the chain of processes, whose libraries spend the most.
pub(super) fn of(tables: &[Arc<dyn BatchSource>], relays: &Relays) -> HashMap<i32, Vec<Pause>> {
    let columns = ["log", "rank", "library", "calls", "pause_s"];
    let mut chains: BTreeMap<(i32, i32), BTreeMap<String, Chain>> = BTreeMap::new();
    for batch in computed(tables, "library_pause", &columns) {
        let libraries = batch.column(2).as_string_view();
        // Between two calls of compiled code there may be the program's own.
        for row in (0..batch.num_rows()).filter(|row| !libraries.value(*row).contains(".so")) {
            let log = batch.column(0).as_primitive::<Int32Type>().value(row);
            let rank = batch.column(1).as_primitive::<Int32Type>().value(row);
            let calls = batch.column(3).as_primitive::<Int64Type>().value(row);
            let pause_s = batch.column(4).as_primitive::<Float64Type>().value(row);
            let of_chain = chains.entry((log, relays.of(log, rank))).or_default();
            let chain = of_chain.entry(libraries.value(row).to_owned()).or_default();
            chain.push((calls, pause_s));
        }
    }
    let mut most: HashMap<i32, Vec<Pause>> = HashMap::new();
    let sum_s = |pauses: &[Pause]| pauses.iter().map(|of| of.pause_s).sum::<f64>();
    for ((log, rank), of_chain) in chains {
        let pauses = of_chain.into_iter().filter_map(|(library, chain)| {
            let (calls, pause_s) = counted(&library, chain)?;
            Some(Pause { library, rank, calls, pause_s })
        });
        let pauses: Vec<Pause> = pauses.collect();
        if most.get(&log).is_none_or(|known| sum_s(known) < sum_s(&pauses)) {
            most.insert(log, pauses);
        }
    }
    most
}

/// What counts of the calls and pauses of processes that follow one another: all where
/// there are many, else what was loaded again.
fn counted(library: &str, chain: Chain) -> Option<(i64, f64)> {
    let sum = |all: &[(i64, f64)]| {
        all.iter().fold((0i64, 0.0), |sum, of| (sum.0.saturating_add(of.0), sum.1 + of.1))
    };
    let all = sum(&chain);
    let most = chain.into_iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
    let again = (all.0 - most.0, all.1 - most.1);
    match all.0 >= LEAST_CALLS || PACKERS.contains(&library) {
        true => Some(all),
        false => Some(again).filter(|again| library == LOADER && again.0 >= LEAST_CALLS_AGAIN),
    }
}

/// Adds them, no more than the calls leave of the run.
pub(super) fn add(shares: &mut Shares, job: &Job, pauses: &[Pause]) {
    let in_calls_s: f64 = shares.values().map(|share| share.time_s).sum();
    let mut rest_s = job.facts.run_s.map_or(0.0, |run_s| (run_s - in_calls_s).max(0.0));
    for of in pauses {
        let is_loader = of.library == LOADER;
        let is_hdf5 = OF_HDF5.contains(&of.library.as_str());
        let layer = if is_hdf5 { Layer::Hdf5Other } else { Layer::Posix };
        let op = (!is_loader).then_some(Op::Other);
        let share: &mut Share = shares.entry((layer, Class::Library, op)).or_default();
        let time_s = of.pause_s.min(rest_s);
        rest_s -= time_s;
        let is_most = share.ranks.get(&of.rank).is_none_or(|known_s| *known_s < time_s);
        share.time_s += time_s;
        share.calls = share.calls.saturating_add(of.calls);
        *share.ranks.entry(of.rank).or_default() += time_s;
        if is_most {
            share.function = Some(if is_loader { FUNCTION } else { &of.library }.to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{LOADER, counted};

    #[test]
    fn one_start_is_left_out_and_starting_again_counts() {
        assert_eq!(counted(LOADER, vec![(2_000, 0.25)]), None);
        assert_eq!(
            counted(LOADER, vec![(2_000, 0.25), (2_000, 0.25), (1_500, 0.125)]),
            Some((3_500, 0.375))
        );
        assert_eq!(counted(LOADER, vec![(12_000, 0.5)]), Some((12_000, 0.5)));
        assert_eq!(counted("gzip", vec![(100, 0.25)]), Some((100, 0.25)));
        assert_eq!(counted("numpy", vec![(2_000, 0.25), (4_000, 0.25)]), None);
    }
}
