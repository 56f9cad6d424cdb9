//! Which process is which rank of which job step.
//!
//! A rank exists where MPI says so, or a launcher that numbers what it starts
//! (Slurm, torchrun, Horovod). Processes that follow each other as one rank,
//! and the programs it starts, share its number. A run can hold several steps,
//! such as the `mpirun` lines of a batch script: each step has numbers of its
//! own, and processes outside any step follow after the last, in the order
//! they began, so that each has a row of its own in pictures.

use super::header::{Ended, Header};
use diya_tables::FastHashMap;

/// Numbers of one process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Numbers {
    /// Its number in all tables.
    pub rank: i32,
    /// Which step of the run, for ranks and what they start.
    pub step: Option<i32>,
    /// Its rank in that step.
    pub step_rank: Option<i32>,
    /// The process that started it, by its place among the headers.
    pub parent: Option<i32>,
}

/// More ranks than any job had: a larger size is damage.
const MAX_RANKS: i32 = 1 << 24;

/// Numbers the processes, which come in the order they began.
pub(super) fn number(headers: &[&Header]) -> Vec<Numbers> {
    let (units, of_header) = units(headers);
    let (steps, step_of) = steps(headers, &units);
    let mut firsts = Vec::with_capacity(steps.len());
    let mut next = 0i32;
    for step in &steps {
        firsts.push(next);
        next = next.saturating_add(step.width());
    }
    let of_unit: Vec<Numbers> = units
        .iter()
        .zip(step_of)
        .map(|(unit, step)| match (step, unit.rank) {
            (Some(step), Some(rank)) => Numbers {
                rank: firsts.get(step).map_or(rank, |first| first.saturating_add(rank)),
                step: i32::try_from(step).ok(),
                step_rank: Some(rank),
                parent: None,
            },
            _ => {
                let rank = next;
                next = next.saturating_add(1);
                Numbers { rank, ..Numbers::default() }
            }
        })
        .collect();
    let parents = parents(headers);
    let numbers = of_header.into_iter().map(|unit| of_unit.get(unit).copied().unwrap_or_default());
    numbers.zip(parents).map(|(numbers, parent)| Numbers { parent, ..numbers }).collect()
}

/// The process that started each; `None`: it was not recorded.
fn parents(headers: &[&Header]) -> Vec<Option<i32>> {
    let mut known: FastHashMap<(&str, u32), i32> = FastHashMap::default();
    let mut all = Vec::with_capacity(headers.len());
    for (at, header) in (0i32..).zip(headers) {
        let host = header.host.as_str();
        all.push(known.get(&(host, header.parent_pid)).copied());
        known.insert((host, header.pid), at);
    }
    all
}

/// Processes that share one number.
struct Unit<'h> {
    rank: Option<i32>,
    size: Option<i32>,
    has_mpi: bool,
    host: &'h str,
    parent_pid: u32,
    first_ns: u64,
    last_ns: u64,
}

/// The units in the order they began, and the unit of each header.
fn units<'h>(headers: &[&'h Header]) -> (Vec<Unit<'h>>, Vec<usize>) {
    let mut units: Vec<Unit<'h>> = Vec::new();
    // By node and process id: the unit, and whether it became another program.
    let mut known: FastHashMap<(&str, u32), (usize, bool)> = FastHashMap::default();
    let mut of_header = Vec::with_capacity(headers.len());
    for header in headers {
        let host = header.host.as_str();
        let rank = header.mpi_rank.or(header.launcher_rank);
        let before = known.get(&(host, header.pid)).filter(|(_, is_execed)| *is_execed);
        // A program that a rank starts belongs to it, unless it is a rank itself.
        let parent = known.get(&(host, header.parent_pid)).filter(|(unit, _)| {
            let is_same = |unit: &Unit<'_>| {
                rank.is_some() && unit.rank == rank && !(unit.has_mpi && header.mpi_rank.is_some())
            };
            units.get(*unit).is_some_and(is_same)
        });
        let joined = before.or(parent).map(|(unit, _)| *unit);
        let at = joined.unwrap_or_else(|| {
            units.push(Unit {
                rank,
                size: None,
                has_mpi: false,
                host,
                parent_pid: header.parent_pid,
                first_ns: header.first.mono_ns,
                last_ns: header.last.mono_ns,
            });
            units.len() - 1
        });
        if let Some(unit) = units.get_mut(at) {
            unit.rank = header.mpi_rank.or(unit.rank).or(rank);
            unit.size = unit.size.or(header.mpi_size);
            unit.has_mpi |= header.mpi_rank.is_some();
            unit.last_ns = unit.last_ns.max(header.last.mono_ns);
        }
        known.insert((host, header.pid), (at, header.ended == Ended::Execed));
        of_header.push(at);
    }
    (units, of_header)
}

/// A step of the run while its ranks are put together.
#[derive(Default)]
struct Step<'h> {
    size: Option<i32>,
    /// Unit of each rank.
    ranks: FastHashMap<i32, usize>,
    /// By node: process id of the launcher, and when the first of its ranks ended.
    hosts: FastHashMap<&'h str, (u32, u64)>,
}

impl<'h> Step<'h> {
    /// Numbers that it takes.
    fn width(&self) -> i32 {
        let last = self.ranks.keys().max().map_or(0, |last| last.saturating_add(1));
        self.size.filter(|size| *size <= MAX_RANKS).map_or(last, |size| size.max(last))
    }

    /// Whether this unit can be one of its ranks.
    fn fits(&self, rank: i32, unit: &Unit<'h>, is_launcher: &dyn Fn(&str, u32) -> bool) -> bool {
        let is_of_size = unit.size.is_none() || self.size.is_none() || unit.size == self.size;
        // Ranks of a step run side by side, below one launcher on each node.
        let is_beside = self.hosts.get(unit.host).is_none_or(|(parent, ended_ns)| {
            unit.first_ns <= *ended_ns
                && (*parent == unit.parent_pid
                    || !(is_launcher(unit.host, *parent)
                        || is_launcher(unit.host, unit.parent_pid)))
        });
        is_of_size && is_beside && !self.ranks.contains_key(&rank)
    }

    fn add(&mut self, rank: i32, at: usize, unit: &Unit<'h>) {
        self.size = self.size.or(unit.size);
        self.ranks.insert(rank, at);
        let host = self.hosts.entry(unit.host).or_insert((unit.parent_pid, unit.last_ns));
        host.1 = host.1.min(unit.last_ns);
    }
}

/// The steps in the order they began, and the step of each unit.
fn steps<'h>(headers: &[&'h Header], units: &[Unit<'h>]) -> (Vec<Step<'h>>, Vec<Option<usize>>) {
    // Parents of several ranks are launchers: no other process starts two of them.
    let mut children: FastHashMap<(&str, u32), usize> = FastHashMap::default();
    for unit in units.iter().filter(|unit| unit.rank.is_some()) {
        *children.entry((unit.host, unit.parent_pid)).or_default() += 1;
    }
    // A recorded parent, such as the shell of a batch script, launches nothing side by side.
    for header in headers {
        children.remove(&(header.host.as_str(), header.pid));
    }
    let is_launcher =
        |host: &str, pid: u32| children.get(&(host, pid)).is_some_and(|ranks| *ranks > 1);
    let mut steps: Vec<Step<'h>> = Vec::new();
    let mut of_unit = vec![None; units.len()];
    // What MPI says comes before what only the environment says.
    for has_mpi in [true, false] {
        // Full steps need not be looked at again.
        let mut open = 0;
        for (at, unit) in units.iter().enumerate().filter(|(_, unit)| unit.has_mpi == has_mpi) {
            let Some(rank) = unit.rank else { continue };
            let is_full = |step: &Step<'_>| {
                step.size.is_some_and(|size| i64::from(size) <= step.ranks.len() as i64)
            };
            while steps.get(open).is_some_and(is_full) {
                open += 1;
            }
            let during = |step: &Step<'_>| {
                let own = step.ranks.get(&rank).and_then(|own| units.get(*own));
                own.is_some_and(|own| {
                    own.host == unit.host && (own.first_ns..=own.last_ns).contains(&unit.first_ns)
                })
            };
            let started = if has_mpi { None } else { steps.iter().rposition(during) };
            if let Some(started) = started {
                of_unit[at] = Some(started);
                continue;
            }
            let fits = |step: &Step<'h>| step.fits(rank, unit, &is_launcher);
            let found = steps.iter().skip(open).position(fits).map(|place| open + place);
            let step = found.unwrap_or_else(|| {
                steps.push(Step::default());
                steps.len() - 1
            });
            if let Some(found) = steps.get_mut(step) {
                found.add(rank, at, unit);
            }
            of_unit[at] = Some(step);
        }
    }
    in_order(steps, of_unit)
}

/// The steps by their first unit.
fn in_order<'h>(
    steps: Vec<Step<'h>>,
    of_unit: Vec<Option<usize>>,
) -> (Vec<Step<'h>>, Vec<Option<usize>>) {
    let mut order: Vec<(usize, usize, Step<'h>)> = steps
        .into_iter()
        .enumerate()
        .map(|(was, step)| (step.ranks.values().min().copied().unwrap_or_default(), was, step))
        .collect();
    order.sort_by_key(|(first, was, _)| (*first, *was));
    let now: FastHashMap<usize, usize> =
        order.iter().enumerate().map(|(now, (_, was, _))| (*was, now)).collect();
    let of_unit = of_unit.into_iter().map(|step| now.get(&step?).copied()).collect();
    (order.into_iter().map(|(.., step)| step).collect(), of_unit)
}
