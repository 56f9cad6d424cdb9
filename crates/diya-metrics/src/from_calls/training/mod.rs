//! Training: its steps, who loads the data for them, and how long the consuming thread
//! waits for these.

mod family;
mod folded;
mod found;
mod libraries;
mod loaders;
mod named;
mod seen;
mod steps;
mod waits;

use super::count;
use super::intervals::join;
use super::lane::Span;
use crate::rows;
use diya_tables::{BatchSource, TableBuilder};
use family::{Families, Key};
use found::Found;
use loaders::Loader;
use named::Named;
use seen::{Item, Thread, Threads};
use std::collections::HashSet;
use std::sync::Arc;
use steps::Moved;
use waits::{Arrivals, Loaders, Waits};

/// A loader makes so many reads of data, at least.
const LEAST_READS: i64 = 10;

/// The trainings of all logs.
#[derive(Debug, Default)]
pub(crate) struct Training(Vec<Trained>);

/// What one process is trained with.
#[derive(Debug)]
struct Trained {
    key: Key,
    rank: i32,
    is_named: bool,
    steps: Vec<Step>,
    loaders: Vec<Loader>,
    wait_source: Option<waits::Source>,
}

/// One step.
#[derive(Debug)]
struct Step {
    found: Found,
    epoch: Option<i64>,
    /// Where known: the wait, and I/O beside it.
    wait_s: Option<f64>,
    hidden_s: Option<f64>,
    io_s: f64,
    moved: Moved,
}

impl Training {
    /// From the tables of a recording or trace that knows its processes.
    pub fn of(tables: &[Arc<dyn BatchSource>]) -> Self {
        let (families, named) = (Families::read(tables), named::named(tables));
        if named.is_empty() && !families.has_python() {
            return Self::default();
        }
        let consumers = families.of_consumers(|key| named.contains_key(&key));
        let wanted: HashSet<Key> = consumers
            .iter()
            .flat_map(|(key, members)| members.iter().map(|process| (key.0, *process)))
            .collect();
        let seen = seen::seen(tables, |key| wanted.contains(&key));
        // Traces of a profiler have regions, and no calls.
        let (none, unseen) = (Named::default(), Threads::default());
        let mut all: Vec<Trained> = consumers
            .iter()
            .filter_map(|(key, members)| {
                let rank = families.rank(*key);
                let named = named.get(key).unwrap_or(&none);
                let threads = seen.threads.get(&key.0).unwrap_or(&unseen);
                trained(*key, rank, members, named, threads)
            })
            .collect();
        loaders::name(tables, &seen, &families, &mut all);
        // Who reads in no steps is a loader by its library alone.
        all.retain(|of| !of.steps.is_empty() || of.loaders.iter().any(Loader::has_library));
        Self(all)
    }

    /// Rows of table `training_step`.
    pub fn write_steps(&self, table: &mut TableBuilder) {
        for of in &self.0 {
            for (number, step) in of.steps.iter().enumerate() {
                rows::TrainingStep {
                    log: of.key.0,
                    process: of.key.1,
                    rank: of.rank,
                    step: count(number),
                    number: step.found.number,
                    epoch: step.epoch,
                    source: if of.is_named { "annotation" } else { "period" },
                    start_s: step.found.span.0,
                    end_s: step.found.span.1,
                    wait_s: step.wait_s,
                    wait_source: of.wait_source.map(waits::Source::name),
                    io_s: step.io_s,
                    hidden_s: step.hidden_s,
                    calls: step.moved.calls,
                    bytes: step.moved.bytes,
                    opens: step.moved.opens,
                }
                .push(table);
            }
        }
    }

    /// Rows of table `data_loader`.
    pub fn write_loaders(&self, table: &mut TableBuilder) {
        for of in &self.0 {
            of.loaders.iter().for_each(|loader| loader.write(of.key, table));
        }
    }
}

/// The training that a process and those that load for it make, if they make one.
fn trained(
    key: Key,
    rank: i32,
    members: &[i32],
    named: &Named,
    threads: &Threads,
) -> Option<Trained> {
    let own = || threads.range((key.1, 0)..=(key.1, u64::MAX));
    let first = own().min_by(|a, b| a.1.first_s().total_cmp(&b.1.first_s())).map(|of| of.0.1);
    let thread = named.thread.or(first).unwrap_or_default();
    let nothing = Thread::default();
    let consumer = threads.get(&(key.1, thread)).unwrap_or(&nothing);
    let is_member = |at: &(i32, u64)| members.contains(&at.0);
    let is_consumer = |at: &(i32, u64)| *at == (key.1, thread);
    let family = || threads.iter().filter(|(at, _)| is_member(at));
    let loaders = loaders::find(family(), is_consumer);
    let loads = |process: i32| loaders.iter().any(|of| of.process == process && !of.is_itself);
    let others: Vec<&Thread> = family()
        .filter(|(at, of)| loads(at.0) && !is_consumer(at) && of.read_calls() > 0)
        .map(|(_, of)| of)
        .collect();
    let of = Loaders {
        threads: &others,
        has_processes: loaders.iter().any(|of| of.process != key.1),
        has_samples: family().any(|(_, of)| !of.samples.is_empty()),
    };
    let is_loaded = !loaders.is_empty() || !named.waits.is_empty();
    let waits = waits::waits(consumer, of, named.waits.clone()).filter(|_| is_loaded);
    let is_named = !named.steps.is_empty();
    let found = match (is_named, &waits) {
        (true, _) if is_loaded => named.steps.clone(),
        (false, Some(waits)) => {
            steps::recognised(&Arrivals::of(consumer, of, waits), last_s(consumer))
        }
        _ => Vec::new(),
    };
    let mut items: Vec<Item> = family().flat_map(|(_, of)| of.data().copied()).collect();
    items.sort_by(|a, b| a.span.0.total_cmp(&b.span.0));
    let steps = measured(&found, &items, waits.as_ref(), &named.epochs);
    let wait_source = waits.map(|waits| waits.source);
    let trained = Trained { key, rank, is_named, steps, loaders, wait_source };
    (!trained.steps.is_empty() || !trained.loaders.is_empty()).then_some(trained)
}

fn last_s(thread: &Thread) -> f64 {
    let called_s = thread.items.iter().map(|item| item.span.1).fold(0.0, f64::max);
    thread.samples.last().map_or(called_s, |of| of.1.max(called_s))
}

/// The steps with what happens in them.
fn measured(
    found: &[Found],
    items: &[Item],
    waits: Option<&Waits>,
    epochs: &[(Span, i64)],
) -> Vec<Step> {
    let mut io: Vec<Span> = items.iter().map(|item| item.span).collect();
    join(&mut io);
    let waited = waits.map(|waits| common(&io, &waits.spans));
    let moved = steps::moved(found, items);
    let step = |(found, moved): (&Found, Moved)| {
        let within = |spans: &[Span]| seconds_in(spans, found.span);
        let epoch = epochs.iter().find(|(span, _)| span.0 <= found.span.0 && found.span.0 < span.1);
        let io_s = within(&io);
        Step {
            found: *found,
            epoch: epoch.map(|of| of.1).or(moved.pass),
            wait_s: waits.map(|waits| within(&waits.spans)),
            hidden_s: waited.as_ref().map(|waited| (io_s - within(waited)).max(0.0)),
            io_s,
            moved,
        }
    };
    found.iter().zip(moved).map(step).collect()
}

/// What lies in both; both are joined.
fn common(a: &[Span], b: &[Span]) -> Vec<Span> {
    let (mut at, mut bt, mut all) = (0, 0, Vec::new());
    while let (Some(x), Some(y)) = (a.get(at), b.get(bt)) {
        let both = (x.0.max(y.0), x.1.min(y.1));
        if both.0 < both.1 {
            all.push(both);
        }
        if x.1 < y.1 {
            at += 1;
        } else {
            bt += 1;
        }
    }
    all
}

/// Seconds of joined spans that lie in this one.
fn seconds_in(joined: &[Span], within: Span) -> f64 {
    let from = joined.partition_point(|span| span.1 <= within.0);
    let inside = joined[from..].iter().take_while(|span| span.0 < within.1);
    inside.map(|span| span.1.min(within.1) - span.0.max(within.0)).sum()
}
