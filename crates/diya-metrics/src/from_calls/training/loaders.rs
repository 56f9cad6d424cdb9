//! Who loads, and by which library.

use super::family::{Families, Key};
use super::libraries::Library;
use super::messages::Message;
use super::observations::{About, Item, Observations, Thread};
use super::{LEAST_READS, Trained};
use crate::from_calls::count;
use crate::rows;
use diya_tables::{BatchSource, TableBuilder, stack_frame};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

/// A process, or some of its threads, that load data.
#[derive(Debug, Default)]
pub(super) struct Loader {
    pub process: i32,
    rank: i32,
    /// The consuming thread.
    pub is_itself: bool,
    library: Option<Library>,
    is_in_stack: bool,
    threads: usize,
    files: HashSet<u64>,
    calls: i64,
    bytes: i64,
    io_s: f64,
    /// Bytes that were read under each call stack.
    stacks: BTreeMap<u64, i64>,
}

/// Processes that send these batches: what they load can be mapped, or made by themselves.
pub(super) fn senders<'t>(
    family: impl Iterator<Item = (&'t (i32, u64), &'t Thread)>,
    batches: &[Message],
) -> HashSet<i32> {
    let pipes: HashSet<u64> = batches.iter().map(|of| of.file_id).collect();
    let is_sent = |item: &Item| !item.is_read && item.bytes > 0 && pipes.contains(&item.file_id);
    let sending = family.filter(|(_, thread)| thread.items.iter().any(is_sent));
    sending.map(|(at, _)| at.0).collect()
}

/// Threads of a family, by process: those that read, or send batches.
pub(super) fn find<'t>(
    family: impl Iterator<Item = (&'t (i32, u64), &'t Thread)>,
    is_consumer: impl Fn(&(i32, u64)) -> bool,
    senders: &HashSet<i32>,
) -> Vec<Loader> {
    let mut all: BTreeMap<(i32, bool), Loader> = BTreeMap::new();
    for (at, thread) in family {
        let is_itself = is_consumer(at);
        let loader = all.entry((at.0, is_itself)).or_default();
        (loader.process, loader.is_itself) = (at.0, is_itself);
        loader.threads += usize::from(thread.reads().next().is_some());
        loader.io_s += thread.data().map(|item| item.busy_s).sum::<f64>();
        for item in thread.reads() {
            loader.files.insert(item.file_id);
            loader.calls = loader.calls.saturating_add(item.calls);
            loader.bytes = loader.bytes.saturating_add(item.bytes);
            if let Some(stack) = item.stack_id {
                let bytes = loader.stacks.entry(stack).or_default();
                *bytes = bytes.saturating_add(item.bytes.max(1));
            }
        }
    }
    let is_loader = |of: &Loader| of.calls >= LEAST_READS || senders.contains(&of.process);
    all.into_values().filter(is_loader).collect()
}

impl Loader {
    /// It is of a library that loads data.
    pub fn has_library(&self) -> bool {
        self.library.is_some()
    }

    pub fn write(&self, (log, consumer): Key, table: &mut TableBuilder) {
        let kind = match (self.is_itself, self.process == consumer) {
            (true, _) => "itself",
            (false, true) => "thread",
            (false, false) => "process",
        };
        rows::DataLoader {
            log,
            consumer,
            process: self.process,
            rank: self.rank,
            kind,
            library: self.library.map(Library::name),
            evidence: self.library.map(|_| if self.is_in_stack { "stack" } else { "module" }),
            threads: count(self.threads),
            files: count(self.files.len()),
            calls: self.calls,
            bytes: self.bytes,
            io_s: self.io_s,
        }
        .push(table);
    }
}

diya_tables::columns! {
    struct FrameColumns of stack_frame { log: i32, stack_id: u64, module: str, file: str }
}

/// Gives each loader the library that it loads by, and its rank.
pub(super) fn name(
    tables: &[Arc<dyn BatchSource>],
    seen: &Observations,
    families: &Families,
    all: &mut [Trained],
) {
    let stacks = of_stacks(tables, all);
    for of in all {
        let log = of.key.0;
        for loader in &mut of.loaders {
            loader.rank = families.rank((log, loader.process));
            let mut bytes: BTreeMap<Library, i64> = BTreeMap::new();
            for (stack, moved) in &loader.stacks {
                if let Some(library) = stacks.get(&(log, *stack)) {
                    *bytes.entry(*library).or_default() += moved;
                }
            }
            let most = bytes.into_iter().max_by_key(|(library, bytes)| (*bytes, *library));
            loader.is_in_stack = most.is_some();
            let line = families.line((log, loader.process));
            loader.library = most.map(|of| of.0).or_else(|| imported(seen, log, &line));
        }
    }
}

/// The library in each call stack under which data were read.
fn of_stacks(tables: &[Arc<dyn BatchSource>], all: &[Trained]) -> HashMap<(i32, u64), Library> {
    let wanted: HashSet<(i32, u64)> = all
        .iter()
        .flat_map(|of| of.loaders.iter().map(move |loader| (of.key.0, loader)))
        .flat_map(|(log, loader)| loader.stacks.keys().map(move |stack| (log, *stack)))
        .collect();
    let mut found: HashMap<(i32, u64), Library> = HashMap::new();
    if wanted.is_empty() {
        return found;
    }
    for of in FrameColumns::all(tables) {
        for row in 0..of.rows() {
            let key = (of.log.value(row), of.stack_id.value(row));
            if !wanted.contains(&key) {
                continue;
            }
            let paths = [of.file.get(row), of.module.get(row)];
            if let Some(library) = paths.into_iter().flatten().find_map(Library::of_code) {
                let known = found.entry(key).or_insert(library);
                *known = library.min(*known);
            }
        }
    }
    found
}

/// The library whose modules these processes read.
pub(super) fn imported(seen: &Observations, log: i32, processes: &[i32]) -> Option<Library> {
    let threads = seen.threads.get(&log)?;
    let of_code = |item: &Item| seen.code.get(&(log, item.file_id)).copied();
    let items =
        threads.iter().filter(|(at, _)| processes.contains(&at.0)).flat_map(|of| &of.1.items);
    items.filter(|item| item.about == About::Other && item.is_read).filter_map(of_code).min()
}
