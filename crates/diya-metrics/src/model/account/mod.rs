//! Where the run time goes: computing, and I/O by layer and kind of call, in rows
//! that add up to the run.
//!
//! Every other table of the model says what calls of one kind take; these can
//! overlap, and their ranges cannot be added up. A reader wants one sum. The
//! rows here are those of the slowest rank of each I/O phase, each moment counted
//! once, for the call that runs innermost. Counters have no moments: there the
//! times of the slowest rank count, of each file those of the layers below, and
//! what the layers above take beyond these.

mod class;
mod counted;
mod late;
mod loading;
pub(crate) mod placed;
mod requests;
mod traced;
mod windows;

use class::Class;
pub(super) use counted::Counted;
use placed::{Account, of_logs};

use super::Model;
use super::between_calls::{Activity, BetweenCalls};
use super::job::Job;
use super::sampled_work::Done;
use crate::from_calls::Calls;
use crate::hash::HashMap;
use crate::rows;
use diya_tables::{BatchSource, Layer, Op, TableBuilder};
use std::collections::BTreeMap;
use std::sync::Arc;

/// One rank is waited for if it is the last one for this share of the waiting time.
const ONE_LATE_SHARE: f64 = 0.9;

/// Layer, class and kind of call; no kind where counters do not tell them apart.
type Key = (Layer, Class, Option<Op>);

/// What one class takes on the critical path.
#[derive(Debug, Clone, Default)]
pub(super) struct Share {
    time_s: f64,
    calls: i64,
    bytes: i64,
    files: HashMap<u64, f64>,
    ranks: BTreeMap<i32, f64>,
    /// Seconds until the last rank enters, by that rank; `None`: not known.
    late: Option<BTreeMap<i32, f64>>,
    /// Of the stream with the most time.
    function: Option<String>,
}

impl Share {
    fn add(&mut self, file_id: u64, rank: i32, time_s: f64, calls: i64, bytes: i64) {
        self.time_s += time_s;
        self.calls = self.calls.saturating_add(calls);
        self.bytes = self.bytes.saturating_add(bytes);
        *self.files.entry(file_id).or_default() += time_s;
        *self.ranks.entry(rank).or_default() += time_s;
    }

    /// Adds a part of what others wait for late ranks: no more than these calls take.
    fn add_waits(&mut self, waits: &BTreeMap<i32, f64>, most_s: f64, part: f64) {
        let all_s: f64 = waits.values().sum();
        let part = if all_s > most_s { part * most_s / all_s } else { part };
        let late = self.late.get_or_insert_default();
        for (rank, wait_s) in waits {
            *late.entry(*rank).or_default() += wait_s * part;
        }
    }

    /// Seconds until the last rank enters.
    fn late_s(&self) -> Option<f64> {
        self.late.as_ref().map(|late| late.values().sum::<f64>().min(self.time_s))
    }

    /// The rank that is last for nearly all of these seconds; `None`: ranks are last by turns.
    fn late_rank(&self) -> Option<i32> {
        let late = self.late.as_ref()?;
        let all_s: f64 = late.values().sum();
        let is_it = |wait_s: f64| wait_s > 0.0 && wait_s >= ONE_LATE_SHARE * all_s;
        late.iter().find(|(_, wait_s)| is_it(**wait_s)).map(|(rank, _)| *rank)
    }

    /// The file with the most time.
    fn file(&self) -> Option<u64> {
        let most = self.files.iter().max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(a.0)));
        most.map(|(file, _)| *file)
    }

    fn rank(&self) -> Option<i32> {
        let most = self.ranks.iter().max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(a.0)));
        most.map(|(rank, _)| *rank).filter(|rank| *rank >= 0)
    }
}

/// The I/O of one log.
type Shares = BTreeMap<Key, Share>;

/// Rows of table `time_account`.
pub(crate) fn write(
    model: &Model,
    tables: &[Arc<dyn BatchSource>],
    calls: &Calls,
    table: &mut TableBuilder,
) {
    let accounts = of_logs(model, tables, calls);
    for job in &model.jobs {
        match accounts.get(&job.facts.log).filter(|account| account.source != "none") {
            Some(account) => write_shares(model, job, account, table),
            None => nothing(job, table),
        }
    }
}

/// Adds what a library does between its requests on the files that it handles alone, on the rank
/// that spends the most in it: Darshan does not see it.
fn add_handling(shares: &mut Shares, job: &Job) {
    let of_library = || job.loads.iter().filter(|load| load.is_of_library && load.pause_s() > 0.0);
    let sum_s = |rank: i32| -> f64 {
        of_library().filter(|load| load.rank == rank).map(|load| load.pause_s()).sum()
    };
    let most = of_library().map(|load| load.rank).max_by(|a, b| sum_s(*a).total_cmp(&sum_s(*b)));
    for load in of_library().filter(|load| Some(load.rank) == most) {
        for (op, side) in [(Op::Read, &load.read), (Op::Write, &load.write)] {
            if side.pause_s > 0.0 {
                let share: &mut Share =
                    shares.entry((load.layer, Class::Library, Some(op))).or_default();
                share.add(load.file_id, load.rank, side.pause_s, side.calls, 0);
            }
        }
    }
}

/// Takes out what installed programs are called for: a library that packs in a call of
/// theirs computes.
fn without_tasks(shares: &mut Shares, tasks: &[Done]) {
    for task in tasks {
        let Some(share) = shares.get_mut(&(task.layer, Class::Library, Some(task.op))) else {
            continue;
        };
        let of_rank = share.ranks.entry(task.rank).or_default();
        let time_s = task.passed_s.min(*of_rank);
        *of_rank -= time_s;
        share.time_s = (share.time_s - time_s).max(0.0);
    }
}

/// Adds the time between calls of the process that has most of it, and all sleeps between
/// polls: processes that wait for each other sleep in turns. At most what the calls leave of
/// the run.
fn beside(shares: &mut Shares, job: &Job, besides: &[BetweenCalls]) {
    let middle_s = |of: &BetweenCalls| f64::midpoint(of.low_s, of.high_s);
    let own = || besides.iter().filter(|of| of.activity != Activity::Naps);
    let sum_s = |rank: i32| -> f64 { own().filter(|of| of.rank == rank).map(middle_s).sum() };
    let most = own().map(|of| of.rank).max_by(|a, b| sum_s(*a).total_cmp(&sum_s(*b)));
    let counted =
        besides.iter().filter(|of| of.activity == Activity::Naps || Some(of.rank) == most);
    let Some(run_s) = job.facts.run_s else { return };
    let in_calls_s: f64 = shares.values().map(|share| share.time_s).sum();
    let all_s: f64 = counted.clone().map(middle_s).sum();
    let ratio = ((run_s - in_calls_s).max(0.0) / all_s.max(f64::MIN_POSITIVE)).min(1.0);
    for of in counted {
        // Naps have the kind of the calls between them: other waits have none.
        let (class, op, function) = match of.activity {
            Activity::Text => (Class::Text, None, None),
            Activity::PageFaults => (Class::Map, None, Some("page faults")),
            Activity::Handling => (Class::Library, Some(of.op), None),
            Activity::Naps => (Class::Wait, Some(of.op), Some("naps")),
        };
        let share: &mut Share = shares.entry((of.layer, class, op)).or_default();
        share.add(of.file_id, of.rank, middle_s(of) * ratio, of.calls, of.bytes);
        share.function = function.map(str::to_owned);
    }
}

/// Adds what ranks wait for the turns of others: at most the time without any call.
fn add_turns(shares: &mut Shares, job: &Job, turns: &[(Layer, f64)]) {
    let sum_s: f64 = shares.values().map(|share| share.time_s).sum();
    let mut left_s = job.facts.run_s.map_or(0.0, |run_s| (run_s - sum_s).max(0.0));
    for (layer, wait_s) in turns {
        let time_s = wait_s.min(left_s);
        left_s -= time_s;
        if time_s > 0.0 {
            shares.entry((*layer, Class::Wait, None)).or_default().time_s += time_s;
        }
    }
}

/// Adds what others wait for one that reads or writes, beyond its calls and beyond what
/// stands there as work between them.
fn add_awaited(shares: &mut Shares, job: &Job, awaited: &[(Layer, f64)]) {
    let is_work = |class: Class| matches!(class, Class::Library | Class::Text | Class::Wait);
    let of_work = shares.iter().filter(|((_, class, _), _)| is_work(*class));
    let mut known_s: f64 = of_work.map(|(_, share)| share.time_s).sum();
    let beyond = awaited.iter().map(|(layer, wait_s)| {
        let time_s = (wait_s - known_s).max(0.0);
        known_s = (known_s - wait_s).max(0.0);
        (*layer, time_s)
    });
    let beyond: Vec<(Layer, f64)> = beyond.collect();
    add_turns(shares, job, &beyond);
}

/// Counters alone do not say that different ranks are the slowest in different
/// phases. Where calls say so, or where ranks wait for the last one at the end of
/// the job at least, all classes take as much longer.
fn widen(shares: &mut Shares, job: &Job) {
    let classes = job.classes();
    let all = classes.iter().find(|(class, _)| *class == super::load::Class::All);
    let has_phases = job.loads.iter().any(|load| load.phase > 0);
    let least_s = all.map_or(0.0, |(_, path)| match has_phases {
        true => f64::midpoint(path.low, path.high),
        false => path.low,
    });
    let sum_s: f64 = shares.values().map(|share| share.time_s).sum();
    if sum_s > 0.0 && sum_s < least_s {
        scale(shares, least_s / sum_s);
    }
}

fn scale(shares: &mut Shares, factor: f64) {
    for share in shares.values_mut() {
        share.time_s *= factor;
        share.late.iter_mut().flat_map(BTreeMap::values_mut).for_each(|wait_s| *wait_s *= factor);
    }
}

/// I/O is never more than the run.
fn within(mut shares: Shares, job: &Job) -> Shares {
    let sum_s: f64 = shares.values().map(|share| share.time_s).sum();
    if let Some(run_s) = job.facts.run_s.filter(|run_s| sum_s > *run_s) {
        scale(&mut shares, run_s / sum_s);
    }
    shares
}

/// The rows of one log: its I/O and the rest of the run.
fn write_shares(model: &Model, job: &Job, account: &Account, table: &mut TableBuilder) {
    let Account { shares, source, .. } = account;
    let sum_s: f64 = shares.values().map(|share| share.time_s).sum();
    let run_s = job.facts.run_s;
    let is_written = |class: Class| matches!(class, Class::Write | Class::WriteSync);
    let of_writes = shares.iter().filter(|((_, class, _), _)| is_written(*class));
    let written_bytes = of_writes.fold(0i64, |sum, (_, share)| sum.saturating_add(share.bytes));
    for ((layer, class, op), share) in shares {
        let together = requests::together(shares, (*layer, *class, *op));
        let moved = together.as_ref().unwrap_or(share);
        let is_at_speed = match class {
            Class::Sync => written_bytes >= share.calls.saturating_mul(SYNC_BYTES),
            Class::Read | Class::Write | Class::WriteSync | Class::Wait => {
                let is_write = is_written(*class) || *op == Some(Op::Write);
                is_fast(moved, measured(model, job.facts.log, moved, is_write))
            }
            _ => false,
        };
        let files = i64::try_from(share.files.len()).unwrap_or(i64::MAX);
        rows::TimeAccount {
            log: job.facts.log,
            layer: layer.name(),
            class: class.name(),
            op: op.map(Op::name),
            function: share.function.as_deref(),
            time_s: share.time_s,
            calls: Some(share.calls),
            bytes: Some(share.bytes),
            files: Some(files),
            file_id: share.file(),
            rank: share.rank(),
            source,
            is_at_speed,
            late_s: share.late_s(),
            late_rank: share.late_rank(),
            is_wait: is_wait(*class, share),
        }
        .push(table);
    }
    if let Some(run_s) = run_s {
        program(table, job.facts.log, "computing", (run_s - sum_s).max(0.0), source);
    }
}

/// A process that waits for another one gives up the processor, and gets it again some
/// microseconds later at the earliest.
const SHORTEST_WAIT_S: f64 = 5e-6;

fn is_wait(class: Class, share: &Share) -> bool {
    match class {
        Class::Wait => true,
        Class::Lock => share.time_s >= SHORTEST_WAIT_S * share.calls as f64,
        _ => false,
    }
}

/// Requests of this size spend their time on bytes, on every storage that a log of
/// the corpus is of: the latency of a disk is that of 1 MiB.
const LARGE_BYTES: f64 = 1_048_576.0;

/// Bytes behind each sync from which it is the storage that takes the time.
const SYNC_BYTES: i64 = 16 << 20;

/// Bytes that move as fast as memory does.
const MEMORY_BYTES_PER_S: f64 = 1e9;

/// Share of what a machine profile measured that counts as its speed.
const MEASURED_RATIO: f64 = 0.5;

fn is_fast(share: &Share, measured_bytes_per_s: Option<f64>) -> bool {
    let bytes = share.bytes as f64;
    if share.time_s <= 0.0 || bytes >= share.time_s * MEMORY_BYTES_PER_S {
        return bytes > 0.0;
    }
    let is_large = bytes > 0.0 && bytes >= share.calls as f64 * LARGE_BYTES;
    is_large
        && measured_bytes_per_s.is_none_or(|rate| bytes >= share.time_s * rate * MEASURED_RATIO)
}

/// Bandwidth that a machine profile has for the file with the most time.
fn measured(model: &Model, log: i32, share: &Share, is_write: bool) -> Option<f64> {
    let mount = model.mounts.name(model.mounts.of(log, share.file()?));
    let byte_s = model.profile.cost(log, mount, is_write)?.byte_s?;
    (byte_s > 0.0).then(|| 1.0 / byte_s)
}

/// No time of any call is known: the run is neither computing nor I/O.
fn nothing(job: &Job, table: &mut TableBuilder) {
    if let Some(run_s) = job.facts.run_s {
        program(table, job.facts.log, "unknown", run_s, "none");
    }
}

fn program(table: &mut TableBuilder, log: i32, class: &str, time_s: f64, source: &str) {
    rows::TimeAccount {
        log,
        layer: "program",
        class,
        op: None,
        function: None,
        time_s,
        calls: None,
        bytes: None,
        files: None,
        file_id: None,
        rank: None,
        source,
        is_at_speed: false,
        late_s: None,
        late_rank: None,
        is_wait: false,
    }
    .push(table);
}
