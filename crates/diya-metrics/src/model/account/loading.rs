//! What libraries spend between the calls that they make: loading modules, unpacking
//! files, handing values on. Samples of the processor show it for every language; without
//! them the pauses between calls of libraries of Python count.

use super::super::job::Job;
use super::super::sampled_work::{Done, Worked};
use super::{Class, Share, Shares};
use crate::hash::HashMap;
use crate::relay::Relays;
use crate::work_kinds::{Work, of_library};
use diya_tables::{BatchSource, Layer, Op};
use std::collections::BTreeMap;
use std::sync::Arc;

/// How the account names the loading of modules.
const FUNCTION: &str = "import";

/// How the account names what Python does between small calls of HDF5 and NetCDF.
const HANDING: &str = "python";

/// Calls that move more bytes than this on average are not many for what they move: what
/// lies between them is computing.
const SMALL_BYTES: i64 = 65_536;

/// Fewer calls are the start of a program that uses a package or two.
const LEAST_CALLS: i64 = 10_000;

/// Processes that load the standard library's usual modules make some hundred each.
const LEAST_CALLS_AGAIN: i64 = 3_000;

/// Kinds of work that samples show whole.
const SAMPLED: [Work; 5] =
    [Work::Compression, Work::Archive, Work::Hdf5, Work::Netcdf, Work::Serialisation];

/// A library that reads less looks for files or lists them.
const LEAST_READ_BYTES: i64 = 1_000_000;

/// Less is a handful of samples.
const LEAST_SAMPLED_S: f64 = 0.01;

/// What one library spends in a process, or in a chain of them.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Pause {
    work: Work,
    /// What the account names: the library, or the kind of work.
    name: String,
    layer: Layer,
    op: Option<Op>,
    rank: i32,
    calls: i64,
    pause_s: f64,
    /// Counts at most as much as the calls of the layer.
    is_bounded: bool,
    /// Counts beside small calls only.
    is_of_small: bool,
}

/// What one library does in a process.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Used {
    calls: i64,
    pause_s: f64,
    bytes: i64,
    read_bytes: i64,
}

/// One library in the processes of a chain.
type Chain = Vec<Used>;

/// A process, or a chain of them: log, rank.
type Process = (i32, i32);

/// Of each log the process, or the chain of processes, whose libraries spend the most.
pub(super) fn of(
    tables: &[Arc<dyn BatchSource>],
    relays: &Relays,
    worked: &Worked,
) -> HashMap<i32, Vec<Pause>> {
    let mut all: BTreeMap<Process, Vec<Pause>> = BTreeMap::new();
    for log in worked.logs() {
        for pause in sampled(worked.of_log(log)) {
            all.entry((log, pause.rank)).or_default().push(pause);
        }
    }
    let files = of_files(tables, relays);
    for ((log, rank), chains) in chains(tables, relays) {
        let pauses = all.entry((log, rank)).or_default();
        let mut sampled_s: f64 = pauses.iter().map(|of| of.pause_s).sum();
        for (library, chain) in chains {
            let work = of_library(&library);
            let handled = files.get(&(log, rank, library.clone())).copied();
            let Some((calls, pause_s)) = counted(work, chain) else {
                let handled = handled.filter(|pause_s| *pause_s >= LEAST_SAMPLED_S);
                pauses.extend(handled.map(|pause_s| Pause::of_files(library, rank, pause_s)));
                continue;
            };
            // Where there are samples, they show what these do.
            if worked.is_known(log) && SAMPLED.contains(&work) {
                continue;
            }
            // What was sampled of it stands there already.
            let seen_s = if work == Work::Import { 0.0 } else { sampled_s.min(pause_s) };
            sampled_s -= seen_s;
            pauses.push(Pause::of_library(library, work, rank, calls, pause_s - seen_s));
        }
    }
    let mut most: HashMap<i32, Vec<Pause>> = HashMap::default();
    let sum_s = |pauses: &[Pause]| pauses.iter().map(|of| of.pause_s).sum::<f64>();
    for ((log, _), pauses) in all {
        if most.get(&log).is_none_or(|known| sum_s(known) < sum_s(&pauses)) {
            most.insert(log, pauses);
        }
    }
    most
}

diya_tables::columns! {
    struct LibraryPauses of metric library_pause {
        log: i32,
        rank: i32,
        library: str,
        calls: i64,
        pause_s: f64,
        bytes: i64,
        read_bytes: i64,
    }
}

/// Pauses of libraries of Python, by process or chain.
fn chains(
    tables: &[Arc<dyn BatchSource>],
    relays: &Relays,
) -> BTreeMap<Process, BTreeMap<String, Chain>> {
    let mut chains: BTreeMap<Process, BTreeMap<String, Chain>> = BTreeMap::new();
    for of in LibraryPauses::all(tables) {
        // Between two calls of compiled code there may be the program's own.
        for row in (0..of.rows()).filter(|row| !of.library.value(*row).contains(".so")) {
            let (log, rank) = (of.log.value(row), of.rank.value(row));
            let of_chain = chains.entry((log, relays.of(log, rank))).or_default();
            let chain = of_chain.entry(of.library.value(row).to_owned()).or_default();
            chain.push(Used {
                calls: of.calls.value(row),
                pause_s: of.pause_s.value(row),
                bytes: of.bytes.value(row),
                read_bytes: of.read_bytes.value(row),
            });
        }
    }
    chains
}

diya_tables::columns! {
    struct FilePauses of metric file_pause {
        log: i32,
        rank: i32,
        library: str,
        pause_s: f64,
    }
}

/// What packages do with the files that are opened for a few calls, by process or
/// chain, and package.
fn of_files(tables: &[Arc<dyn BatchSource>], relays: &Relays) -> HashMap<(i32, i32, String), f64> {
    let mut files: HashMap<(i32, i32, String), f64> = HashMap::default();
    for of in FilePauses::all(tables) {
        for row in 0..of.rows() {
            let (log, rank) = (of.log.value(row), of.rank.value(row));
            let key = (log, relays.of(log, rank), of.library.value(row).to_owned());
            *files.entry(key).or_default() += of.pause_s.value(row);
        }
    }
    files
}

/// What samples show: packing, formats and objects, and what Python does between small
/// calls of HDF5 and NetCDF (`h5py` makes many objects of its own for each attribute). Text is
/// accounted beside the calls that it is for; modules by their calls.
fn sampled(done: &[Done]) -> Vec<Pause> {
    let is_of_format = |layer: Layer| layer.depth() <= Layer::Hdf5Dataset.depth();
    let mut sums: BTreeMap<(i32, Work, &str, Op), (Layer, f64)> = BTreeMap::new();
    for of in done.iter().filter(|of| SAMPLED.contains(&of.work)) {
        let op = if of.op == Op::Read { Op::Read } else { Op::Write };
        let is_format = matches!(of.work, Work::Hdf5 | Work::Netcdf) && is_of_format(of.layer);
        let layer = if is_format { of.layer } else { layer(of.work) };
        sums.entry((of.rank, of.work, layer.name(), op)).or_insert((layer, 0.0)).1 += of.passed_s;
    }
    let mut handed: BTreeMap<(i32, &str), (Layer, f64)> = BTreeMap::new();
    for of in done.iter().filter(|of| of.work == Work::Python && is_of_format(of.layer)) {
        handed.entry((of.rank, of.layer.name())).or_insert((of.layer, 0.0)).1 += of.passed_s;
    }
    let sums = sums.into_iter().filter(|(_, (_, time_s))| *time_s >= LEAST_SAMPLED_S);
    let handed = handed.into_iter().filter(|(_, (_, time_s))| *time_s >= LEAST_SAMPLED_S);
    let handed = handed.map(|((rank, _), (layer, pause_s))| Pause {
        work: Work::Python,
        name: HANDING.to_owned(),
        layer,
        op: Some(Op::Other),
        rank,
        calls: 0,
        pause_s,
        is_bounded: true,
        is_of_small: true,
    });
    let pause = |((rank, work, _, op), (layer, pause_s))| Pause {
        work,
        name: Work::name(work).to_owned(),
        layer,
        op: Some(op),
        rank,
        calls: 0,
        pause_s,
        is_bounded: false,
        is_of_small: false,
    };
    sums.map(pause).chain(handed).collect()
}

/// The layer whose library works.
fn layer(work: Work) -> Layer {
    match work {
        Work::Hdf5 => Layer::Hdf5Other,
        Work::Netcdf => Layer::Netcdf,
        _ => Layer::Posix,
    }
}

impl Pause {
    fn of_library(library: String, work: Work, rank: i32, calls: i64, pause_s: f64) -> Self {
        let is_loader = work == Work::Import;
        Self {
            work,
            name: if is_loader { FUNCTION.to_owned() } else { library },
            layer: layer(work),
            op: (!is_loader).then_some(Op::Other),
            rank,
            calls,
            pause_s,
            is_bounded: false,
            is_of_small: false,
        }
    }

    /// What a package does with files that are opened for a few calls.
    fn of_files(library: String, rank: i32, pause_s: f64) -> Self {
        Self { is_bounded: true, ..Self::of_library(library, Work::Own, rank, 0, pause_s) }
    }
}

/// What counts of the calls and pauses of processes that follow one another: all where
/// there are many, else what was loaded again. What a package of no known kind does counts
/// where it mainly reads: it unpacks. What it does before it writes is computing, such as
/// making the lines of a log.
fn counted(work: Work, chain: Chain) -> Option<(i64, f64)> {
    let mut all = Used::default();
    for of in &chain {
        all.calls = all.calls.saturating_add(of.calls);
        all.pause_s += of.pause_s;
        all.bytes = all.bytes.saturating_add(of.bytes);
        all.read_bytes = all.read_bytes.saturating_add(of.read_bytes);
    }
    let is_reader = all.read_bytes >= LEAST_READ_BYTES && all.read_bytes >= all.bytes / 2;
    if work == Work::Own && !is_reader {
        return None;
    }
    let most = chain.into_iter().max_by(|a, b| a.pause_s.total_cmp(&b.pause_s))?;
    let again = (all.calls - most.calls, all.pause_s - most.pause_s);
    match all.calls >= LEAST_CALLS || matches!(work, Work::Compression | Work::Archive) {
        true => Some((all.calls, all.pause_s)),
        false => Some(again).filter(|again| work == Work::Import && again.0 >= LEAST_CALLS_AGAIN),
    }
}

/// Adds them, no more than the calls leave of the run.
pub(super) fn add(shares: &mut Shares, job: &Job, pauses: &[Pause]) {
    let in_calls_s: f64 = shares.values().map(|share| share.time_s).sum();
    let mut rest_s = job.facts.run_s.map_or(0.0, |run_s| (run_s - in_calls_s).max(0.0));
    for of in pauses {
        let of_layer = shares.iter().filter(|((layer, ..), _)| *layer == of.layer);
        let (calls, bytes) = of_layer.clone().fold((0i64, 0i64), |sum, (_, share)| {
            (sum.0.saturating_add(share.calls), sum.1.saturating_add(share.bytes))
        });
        if of.is_of_small && bytes > calls.saturating_mul(SMALL_BYTES) {
            continue;
        }
        let most_s = if of.is_bounded {
            of_layer.map(|(_, share)| share.time_s).sum()
        } else {
            f64::INFINITY
        };
        let share: &mut Share = shares.entry((of.layer, Class::Library, of.op)).or_default();
        let time_s = of.pause_s.min(rest_s).min(most_s);
        rest_s -= time_s;
        // What a library of a format does beside its calls stands with them, by their name.
        let is_named = share.function.is_some() && matches!(of.work, Work::Hdf5 | Work::Netcdf);
        let known_s = share.ranks.get(&of.rank);
        let is_most = !is_named && known_s.is_none_or(|known_s| *known_s < time_s);
        share.time_s += time_s;
        share.calls = share.calls.saturating_add(of.calls);
        *share.ranks.entry(of.rank).or_default() += time_s;
        if is_most {
            share.function = Some(of.name.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Used, Work, counted};

    fn used(calls: i64, pause_s: f64) -> Used {
        Used { calls, pause_s, ..Used::default() }
    }

    #[test]
    fn one_start_is_left_out_and_starting_again_counts() {
        let counted = |work, chain: &[(i64, f64)]| {
            counted(work, chain.iter().map(|(calls, pause_s)| used(*calls, *pause_s)).collect())
        };
        assert_eq!(counted(Work::Import, &[(2_000, 0.25)]), None);
        assert_eq!(
            counted(Work::Import, &[(2_000, 0.25), (2_000, 0.25), (1_500, 0.125)]),
            Some((3_500, 0.375))
        );
        assert_eq!(counted(Work::Import, &[(12_000, 0.5)]), Some((12_000, 0.5)));
        assert_eq!(counted(Work::Compression, &[(100, 0.25)]), Some((100, 0.25)));
    }

    #[test]
    fn a_package_that_reads_unpacks_and_one_that_writes_computes() {
        let numpy = Used { bytes: 50_000_000, read_bytes: 50_000_000, ..used(84_000, 0.5) };
        assert_eq!(counted(Work::Own, vec![numpy]), Some((84_000, 0.5)));
        assert_eq!(counted(Work::Own, vec![Used { calls: 9_000, ..numpy }]), None);
        let loguru = Used { bytes: 4_700_000, read_bytes: 0, ..used(60_000, 0.7) };
        assert_eq!(counted(Work::Own, vec![loguru]), None);
        let pathlib = Used { bytes: 8_600, read_bytes: 8_600, ..used(25_000, 1.5) };
        assert_eq!(counted(Work::Own, vec![pathlib]), None);
    }
}
