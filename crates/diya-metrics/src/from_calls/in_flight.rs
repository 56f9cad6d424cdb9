//! Asynchronous requests between submission and completion, over time.
//!
//! A completion is a row of table `call` that takes no time: `aux` says how long the
//! request was in flight before. Requests of one process overlap: the table counts the
//! requests in flight in each bin of time.

use super::calls::Calls;
use crate::rows;
use arrow::array::{Array, StringViewArray};
use diya_model::Function;
use diya_tables::{BatchSource, Layer, Op, TableBuilder, call, job};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Bins of time: a picture of usual width shows no more.
const BINS: usize = 512;

/// One completion.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Completion {
    pub log: i32,
    pub rank: i32,
    pub layer: Layer,
    pub op: Op,
    pub file_id: u64,
    pub end_s: f64,
    /// `None`: its submission was not seen.
    pub in_flight_s: Option<f64>,
    pub bytes: i64,
}

diya_tables::columns! {
    struct CompletionColumns of call {
        log: i32,
        rank: i32,
        layer: str,
        op: str,
        function: str,
        file_id: u64,
        end_s: f64,
        aux: i64,
        size_bytes: i64,
    }
}

diya_tables::columns! {
    struct RunTimes of job { log: i32, run_time_s: f64 }
}

/// Shows all completions. A trace without a call that submits or waits has none, and
/// is not gone over.
pub(crate) fn completions(
    tables: &[Arc<dyn BatchSource>],
    calls: &Calls,
    mut visit: impl FnMut(&Completion),
) {
    if !calls.streams.iter().any(|stream| matches!(stream.op, Op::Submit | Op::Wait)) {
        return;
    }
    for of in CompletionColumns::all(tables) {
        let (layers, ops, functions) = (&of.layer, &of.op, &of.function);
        let mut before: Option<(Words, Option<(Layer, Op)>)> = None;
        for row in 0..of.rows() {
            // Calls of one function come in long runs.
            let views = [layers, ops, functions].map(|words| view(words, row));
            let named = match before {
                Some((same, named)) if same == views => named,
                _ => named(layers, ops, functions, row),
            };
            before = Some((views, named));
            let Some((layer, op)) = named else { continue };
            let in_flight_s = of.aux.get(row).map(|aux_ns| aux_ns.max(0) as f64 / 1e9);
            visit(&Completion {
                log: of.log.value(row),
                rank: of.rank.value(row),
                layer,
                op,
                file_id: of.file_id.value(row),
                end_s: of.end_s.value(row),
                in_flight_s,
                bytes: of.size_bytes.get(row).unwrap_or(0).max(0),
            });
        }
    }
}

/// What stands for the layer, the operation and the function of a row.
type Words = [Option<u128>; 3];

/// What stands for a word within a batch.
fn view(words: &StringViewArray, row: usize) -> Option<u128> {
    words.views().get(row).copied().filter(|_| words.is_valid(row))
}

/// Layer and operation, where this is a completion.
fn named(
    layers: &StringViewArray,
    ops: &StringViewArray,
    functions: &StringViewArray,
    row: usize,
) -> Option<(Layer, Op)> {
    if functions.is_null(row) {
        return None;
    }
    let layer = Layer::from_name(layers.value(row))?;
    let op = Op::from_name(ops.value(row))?;
    let name = functions.value(row);
    let is_it = |f: &&Function| f.is_completion && (f.layer, f.op, f.name) == (layer, op, name);
    Function::ALL.iter().find(is_it).map(|f| (f.layer, f.op))
}

/// Reads, writes and others.
const KINDS: usize = 3;

fn kind(op: Op) -> usize {
    match op {
        Op::Read => 0,
        Op::Write => 1,
        _ => 2,
    }
}

/// One log.
#[derive(Debug)]
struct Lane {
    bin_s: f64,
    /// By bin and kind: seconds of requests, where the bin is not covered whole.
    part_s: Vec<[f64; KINDS]>,
    /// By bin and kind: how many more cover this bin whole than the one before.
    step: Vec<[f64; KINDS]>,
    completed: Vec<i64>,
    bytes: Vec<i64>,
    longest_s: Vec<f64>,
}

impl Lane {
    fn new(run_s: f64) -> Self {
        Self {
            bin_s: (run_s / BINS as f64).max(1e-9),
            part_s: vec![[0.0; KINDS]; BINS],
            step: vec![[0.0; KINDS]; BINS + 1],
            completed: vec![0; BINS],
            bytes: vec![0; BINS],
            longest_s: vec![0.0; BINS],
        }
    }

    fn add(&mut self, request: &Completion, in_flight_s: f64) {
        let bin_of = |time_s: f64| ((time_s / self.bin_s).max(0.0) as usize).min(BINS - 1);
        let start_s = request.end_s - in_flight_s;
        let (first, last, kind) = (bin_of(start_s), bin_of(request.end_s), kind(request.op));
        if first == last {
            self.part_s[first][kind] += in_flight_s;
        } else {
            self.part_s[first][kind] += (first + 1) as f64 * self.bin_s - start_s;
            self.part_s[last][kind] += request.end_s - last as f64 * self.bin_s;
            self.step[first + 1][kind] += 1.0;
            self.step[last][kind] -= 1.0;
        }
        self.completed[last] += 1;
        self.bytes[last] = self.bytes[last].saturating_add(request.bytes);
        self.longest_s[last] = self.longest_s[last].max(in_flight_s);
    }

    fn write(&self, log: i32, table: &mut TableBuilder) {
        let mut whole = [0.0; KINDS];
        for bin in 0..BINS {
            whole.iter_mut().zip(self.step[bin]).for_each(|(sum, step)| *sum += step);
            let mean: [f64; KINDS] =
                std::array::from_fn(|kind| whole[kind] + self.part_s[bin][kind] / self.bin_s);
            if self.completed[bin] == 0 && mean.iter().all(|mean| *mean <= 0.0) {
                continue;
            }
            rows::InFlight {
                log,
                start_s: bin as f64 * self.bin_s,
                end_s: (bin + 1) as f64 * self.bin_s,
                reads: mean[0],
                writes: mean[1],
                others: mean[2],
                completed: self.completed[bin],
                bytes: self.bytes[bin],
                longest_s: self.longest_s[bin],
            }
            .push(table);
        }
    }
}

/// Rows of table `in_flight`.
pub(crate) fn compute(tables: &[Arc<dyn BatchSource>], calls: &Calls, table: &mut TableBuilder) {
    let mut runs: BTreeMap<i32, f64> = BTreeMap::new();
    for of in RunTimes::all(tables) {
        let known = |row| Some((of.log.value(row), of.run_time_s.get(row)?));
        runs.extend((0..of.rows()).filter_map(known));
    }
    let mut lanes: BTreeMap<i32, Lane> = BTreeMap::new();
    completions(tables, calls, |request| {
        let run_s = runs.get(&request.log).copied().filter(|run_s| *run_s > 0.0);
        let (Some(run_s), Some(in_flight_s)) = (run_s, request.in_flight_s) else { return };
        if request.end_s.is_finite() {
            lanes.entry(request.log).or_insert_with(|| Lane::new(run_s)).add(request, in_flight_s);
        }
    });
    lanes.iter().for_each(|(log, lane)| lane.write(*log, table));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lane(requests: &[(Op, f64, f64)]) -> Vec<(usize, [f64; KINDS])> {
        // Bins of one second.
        let mut lane = Lane::new(BINS as f64);
        for (op, end_s, in_flight_s) in requests {
            let request = Completion {
                log: 0,
                rank: 0,
                layer: Layer::Posix,
                op: *op,
                file_id: 1,
                end_s: *end_s,
                in_flight_s: Some(*in_flight_s),
                bytes: 10,
            };
            lane.add(&request, *in_flight_s);
        }
        let def = crate::Catalog::built_in().get("in_flight").expect("is there").def;
        let mut table = TableBuilder::new(def);
        lane.write(0, &mut table);
        let mean = |row: usize, kind: usize| table.f64(3 + kind, row).unwrap_or(f64::NAN);
        (0..table.rows())
            .map(|row| {
                let start_s = table.f64(1, row).unwrap_or(f64::NAN);
                (start_s as usize, std::array::from_fn(|kind| mean(row, kind)))
            })
            .collect()
    }

    #[test]
    fn requests_that_overlap_are_counted_together() {
        // From 1.5 to 4 s, and from 2 to 3 s.
        assert_eq!(
            lane(&[(Op::Read, 3.999, 2.499), (Op::Read, 3.0, 1.0)])
                .iter()
                .map(|(bin, mean)| (*bin, (mean[0] * 10.0).round()))
                .collect::<Vec<_>>(),
            [(1, 5.0), (2, 20.0), (3, 10.0)]
        );
    }

    #[test]
    fn reads_writes_and_others_are_apart() {
        let requests = [(Op::Read, 1.5, 0.5), (Op::Write, 1.75, 0.25), (Op::Sync, 2.0, 1.0)];
        assert_eq!(lane(&requests), [(1, [0.5, 0.25, 1.0]), (2, [0.0, 0.0, 0.0])]);
    }

    #[test]
    fn what_was_submitted_before_the_start_is_in_the_first_bin() {
        assert_eq!(lane(&[(Op::Write, 0.5, 0.5)]), [(0, [0.0, 0.5, 0.0])]);
    }
}
