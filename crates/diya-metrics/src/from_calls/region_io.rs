//! Calls inside regions, steps and epochs.

use super::calls::Calls;
use crate::hash::HashMap;
use crate::rows;
use diya_tables::{BatchSource, Layer, Op, TableBuilder, region};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Regions around a call that are looked at: nobody nests deeper, a damaged trace may.
const MAX_AROUND: usize = 256;

/// Categories whose regions are of the whole process.
const OF_PROCESS: [&str; 2] = ["step", "epoch"];

/// What regions have in common that are one row.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Key {
    log: i32,
    pub category: Option<String>,
    pub name: String,
    pub number: Option<i64>,
}

/// Where a region is: log, rank, and the thread where only that is meant.
pub(super) type ThreadKey = (i32, i32, Option<u64>);

/// All regions of a name.
#[derive(Debug, Default)]
pub(super) struct Group {
    regions: i64,
    seconds: f64,
    layers: BTreeMap<&'static str, Sums>,
}

#[derive(Debug, Default, Clone, Copy)]
struct Sums {
    calls: i64,
    read_bytes: i64,
    written_bytes: i64,
    seconds: f64,
}

/// One region in its place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    start_s: f64,
    end_s: f64,
    group: usize,
    /// The one around it, by its position.
    around: Option<usize>,
}

/// Rows of table `region_io`.
pub(crate) fn compute(tables: &[Arc<dyn BatchSource>], calls: &Calls, table: &mut TableBuilder) {
    let Regions { keys, mut groups, spans_of } = regions(tables);
    calls.each_of(
        |_| true,
        |call| {
            let stream = calls.stream(call);
            let thread = calls.threads.get(call.thread as usize).copied();
            let of_thread =
                thread.and_then(|id| spans_of.get(&(stream.log, stream.rank, Some(id))));
            let of_process = spans_of.get(&(stream.log, stream.rank, None));
            for spans in [of_thread, of_process].into_iter().flatten() {
                let bytes = |op| if stream.op == op { call.size_bytes.max(0) } else { 0 };
                let sums = Sums {
                    calls: call.calls,
                    read_bytes: bytes(Op::Read),
                    written_bytes: bytes(Op::Write),
                    seconds: call.busy_s,
                };
                around(spans, call.start_s, |group| {
                    if let Some(group) = groups.get_mut(group) {
                        group.add(stream.layer, sums);
                    }
                });
            }
        },
    );
    for (key, group) in keys.iter().zip(&groups) {
        let Key { log, category, name, number } = key;
        let mut push = |layer: Option<&str>, sums: Sums| {
            rows::RegionIo {
                log: *log,
                category: category.as_deref(),
                name,
                number: *number,
                regions: group.regions,
                region_s: group.seconds,
                layer,
                calls: sums.calls,
                read_bytes: sums.read_bytes,
                written_bytes: sums.written_bytes,
                io_s: sums.seconds,
            }
            .push(table);
        };
        if group.layers.is_empty() {
            push(None, Sums::default());
        }
        group.layers.iter().for_each(|(layer, sums)| push(Some(layer), *sums));
    }
}

impl Group {
    fn add(&mut self, layer: Layer, more: Sums) {
        let sums = self.layers.entry(layer.name()).or_default();
        sums.calls = sums.calls.saturating_add(more.calls);
        sums.read_bytes = sums.read_bytes.saturating_add(more.read_bytes);
        sums.written_bytes = sums.written_bytes.saturating_add(more.written_bytes);
        sums.seconds += more.seconds;
    }
}

/// Groups of the regions around this moment, each group once, the innermost first.
pub(super) fn around(spans: &[Span], time_s: f64, mut visit: impl FnMut(usize)) {
    // Mostly empty, and then without memory of its own.
    let mut seen = Vec::new();
    let mut place = spans.partition_point(|span| span.start_s <= time_s).checked_sub(1);
    for _ in 0..MAX_AROUND {
        let Some(span) = place.and_then(|place| spans.get(place)) else { return };
        // A function that calls itself is in its region twice.
        if span.end_s > time_s && !seen.contains(&span.group) {
            seen.push(span.group);
            visit(span.group);
        }
        place = span.around;
    }
}

/// All regions: what they are together, and where each is, in the order of their starts.
#[derive(Debug)]
pub(super) struct Regions {
    pub keys: Vec<Key>,
    pub groups: Vec<Group>,
    pub spans_of: HashMap<ThreadKey, Vec<Span>>,
}

diya_tables::columns! {
    struct RegionColumns of region {
        log: i32,
        name: str,
        category: str,
        rank: i32,
        thread: u64,
        start_s: f64,
        end_s: f64,
        number: i64,
    }
}

pub(super) fn regions(tables: &[Arc<dyn BatchSource>]) -> Regions {
    let (mut keys, mut groups) = (Vec::new(), Vec::<Group>::new());
    let mut numbers: HashMap<Key, usize> = HashMap::default();
    let mut spans_of: HashMap<ThreadKey, Vec<Span>> = HashMap::default();
    for of in RegionColumns::all(tables) {
        for row in 0..of.rows() {
            let (log, category) = (of.log.value(row), of.category.get(row));
            let name = of.name.value(row).to_owned();
            let number = of.number.get(row);
            let key = Key { log, category: category.map(str::to_owned), name, number };
            let group = *numbers.entry(key).or_insert_with_key(|key| {
                keys.push(key.clone());
                groups.push(Group::default());
                groups.len() - 1
            });
            let (start_s, end_s) = (of.start_s.value(row), of.end_s.value(row));
            if let Some(group) = groups.get_mut(group) {
                group.regions += 1;
                group.seconds += (end_s - start_s).max(0.0);
            }
            let is_of_process = category.is_some_and(|category| OF_PROCESS.contains(&category));
            let thread = of.thread.get(row).filter(|_| !is_of_process);
            let place = (log, of.rank.value(row), thread);
            let span = Span { start_s, end_s, group, around: None };
            spans_of.entry(place).or_default().push(span);
        }
    }
    spans_of.values_mut().for_each(|spans| nest(spans));
    Regions { keys, groups, spans_of }
}

/// Sorts them, and finds the one around each.
fn nest(spans: &mut [Span]) {
    spans.sort_by(|a, b| a.start_s.total_cmp(&b.start_s).then(b.end_s.total_cmp(&a.end_s)));
    let mut open: Vec<(usize, f64)> = Vec::new();
    for (place, span) in spans.iter_mut().enumerate() {
        while open.last().is_some_and(|(_, end_s)| *end_s <= span.start_s) {
            open.pop();
        }
        span.around = open.last().map(|(around, _)| *around);
        open.push((place, span.end_s));
    }
}
