//! Training: its steps, who loads the data for them, and how long the consuming thread
//! waits for these.

mod family;
mod folded;
mod found;
mod libraries;
mod loaders;
mod messages;
mod named;
mod observations;
mod steps;
mod waits;

use super::count;
use super::intervals::{join, seconds_in};
use super::lane::Span;
use crate::rows;
use diya_tables::{BatchSource, TableBuilder, TableId};
use family::{Families, Key};
use found::Found;
use loaders::Loader;
use named::Named;
use observations::{About, Item, Thread, Threads};
use std::collections::{HashMap, HashSet};
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
        let seen = observations::observe(tables, |key| wanted.contains(&key));
        // Traces of a profiler have regions, and no calls.
        let (none, unseen) = (Named::default(), Threads::default());
        let mut all: Vec<Trained> = consumers
            .iter()
            .filter_map(|(key, members)| {
                let rank = families.rank(*key);
                let named = named.get(key).unwrap_or(&none);
                let threads = seen.threads.get(&key.0).unwrap_or(&unseen);
                // A program with messages of its own is no training, unless it imports a loader.
                let has_library = || loaders::imported(&seen, key.0, &[key.1]).is_some();
                trained(*key, rank, members, named, threads, has_library)
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

/// Whether processes of these logs can get data from others through pipes, so that a metric that
/// reads these ([`crate::Metric::reads_pipes`]) has more to say with them.
pub fn is_fed(tables: &[Arc<dyn BatchSource>]) -> bool {
    let calls = tables.iter().find(|table| table.def().name == TableId::Call.def().name);
    calls.is_some_and(|calls| (1..=observations::MAX_CALLS).contains(&calls.rows()))
        && Families::read(tables).has_workers()
}

/// The training that a process and those that load for it make, if they make one.
fn trained(
    key: Key,
    rank: i32,
    members: &[i32],
    named: &Named,
    threads: &Threads,
    has_library: impl Fn() -> bool,
) -> Option<Trained> {
    let own = || threads.range((key.1, 0)..=(key.1, u64::MAX));
    let first = own().min_by(|a, b| a.1.first_s().total_cmp(&b.1.first_s())).map(|of| of.0.1);
    let thread = named.thread.or(first).unwrap_or_default();
    let nothing = Thread::default();
    let consumer = threads.get(&(key.1, thread)).unwrap_or(&nothing);
    let is_member = |at: &(i32, u64)| members.contains(&at.0);
    let is_consumer = |at: &(i32, u64)| *at == (key.1, thread);
    let family = || threads.iter().filter(|(at, _)| is_member(at));
    let is_piped = |item: &&Item| item.is_read && item.about == About::Pipe;
    let batches = messages::batches(consumer.items.iter().filter(is_piped));
    let is_other = |at: &(i32, u64)| at.0 != key.1;
    let mut senders = loaders::senders(family().filter(|(at, _)| is_other(at)), &batches);
    if !senders.is_empty() && !has_library() {
        senders.clear();
    }
    let loaders = loaders::find(family(), is_consumer, &senders);
    let loads = |process: i32| loaders.iter().any(|of| of.process == process && !of.is_itself);
    let works = |at: &(i32, u64), of: &Thread| of.read_calls() > 0 || senders.contains(&at.0);
    let others: Vec<&Thread> = family()
        .filter(|(at, of)| loads(at.0) && !is_consumer(at) && works(at, of))
        .map(|(_, of)| of)
        .collect();
    let processes = at_once(family().filter(|(at, _)| is_other(at) && loads(at.0)));
    let of = Loaders {
        threads: &others,
        processes,
        batches: if processes > 0 { &batches } else { &[] },
        has_samples: family().any(|(_, of)| !of.samples.is_empty()),
    };
    let is_loaded = !loaders.is_empty() || !named.waits.is_empty();
    let waits = waits::waits(consumer, of, named.waits.clone()).filter(|_| is_loaded);
    let is_named = !named.steps.is_empty();
    let found = match (is_loaded, is_named) {
        (true, true) => named.steps.clone(),
        (true, false) => {
            steps::recognised(&Arrivals::of(consumer, of, waits.as_ref()), consumer.last_s())
        }
        (false, _) => Vec::new(),
    };
    let mut items: Vec<(bool, Item)> =
        family().flat_map(|(at, of)| of.data().map(move |item| (is_other(at), *item))).collect();
    items.sort_by(|a, b| a.1.span.0.total_cmp(&b.1.span.0));
    let steps = measured(&found, &items, waits.as_ref(), &named.epochs);
    let wait_source = waits.map(|waits| waits.source);
    let trained = Trained { key, rank, is_named, steps, loaders, wait_source };
    (!trained.steps.is_empty() || !trained.loaders.is_empty()).then_some(trained)
}

/// How many processes of these threads work at a time, at most: each epoch can have new ones.
fn at_once<'t>(threads: impl Iterator<Item = (&'t (i32, u64), &'t Thread)>) -> usize {
    let mut spans: HashMap<i32, Span> = HashMap::new();
    for (at, thread) in threads {
        let span = spans.entry(at.0).or_insert((f64::INFINITY, 0.0));
        *span = (span.0.min(thread.first_s()), span.1.max(thread.last_s()));
    }
    let working = |at_s: f64| spans.values().filter(|of| of.0 <= at_s && at_s <= of.1).count();
    spans.values().map(|of| working(of.0)).max().unwrap_or(0)
}

/// The steps with what happens in them.
fn measured(
    found: &[Found],
    items: &[(bool, Item)],
    waits: Option<&Waits>,
    epochs: &[(Span, i64)],
) -> Vec<Step> {
    let mut io: Vec<Span> = items.iter().map(|(_, item)| item.span).collect();
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
