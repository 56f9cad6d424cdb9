//! Calls taken in so far, and the names met on the way.
//!
//! What runs of calls have in common is looked at once per run; only then
//! are the calls read, block by block, on all threads: each knows the places of its
//! batch of the table.

use super::call_index::CallIndex;
use super::columns::Numbers;
use super::files::Files;
use super::numbering::{Last, Names};
use super::places::Origins;
use diya::Threads;
use diya_read::Workers as _;
use diya_tables::{BatchSource, call, columns};
use diya_timeline::{CallsBuilder, ColumnSlice, Form, Kind, NewCall, StreamKey, ns_of};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// Runs that are planned before their calls are read: what the plan of many batches
/// may take.
const RUNS_AT_ONCE: usize = 1 << 20;
/// Rows read at a time: their columns stay in a second-level cache.
const ROWS_AT_ONCE: usize = 8192;

columns! {
    /// What the calls of a run have in common.
    struct RunColumns of call {
        log: i32,
        rank: i32,
        file_id: u64,
        layer: str,
        op: str,
        function: str,
        error: str,
        is_collective: bool,
    }
}

/// What is done with a run of calls.
struct Step {
    rows: usize,
    log: i32,
    /// Number of the slice among those of the batch; `None`: of a layer that is not shown.
    slice: Option<usize>,
    /// Numbers of file and form.
    shared: (u32, u16),
}

/// What is done with a batch of the table.
#[derive(Default)]
struct Plan {
    steps: Vec<Step>,
    /// Rooms that its calls need.
    slices: Vec<(StreamKey, u32)>,
    /// Their numbers by stream.
    numbers: HashMap<StreamKey, usize>,
}

impl Plan {
    /// The slice of a stream, with so many more places.
    fn slice(&mut self, key: StreamKey, calls: usize) -> usize {
        let last = self.steps.last().and_then(|step| step.slice);
        let known = last.filter(|slice| self.slices.get(*slice).is_some_and(|(of, _)| *of == key));
        let slice = known.unwrap_or_else(|| {
            let next = self.slices.len();
            *self.numbers.entry(key).or_insert(next)
        });
        if slice == self.slices.len() {
            self.slices.push((key, 0));
        }
        let places = &mut self.slices[slice].1;
        *places = places.saturating_add(u32::try_from(calls).unwrap_or(u32::MAX));
        slice
    }
}

pub(super) struct CallImporter {
    pub builder: CallsBuilder,
    /// Place of each name that `layers` has met in the layers of the store.
    layer_names: Names,
    layer_places: Vec<u8>,
    pub ops: Names,
    pub functions: Names,
    pub errors: Names,
    pub forms: Vec<Form>,
    form_numbers: HashMap<Form, u16>,
}

impl CallImporter {
    pub fn new(seen: &CallIndex, builder: CallsBuilder) -> Self {
        let mut layer_names = Names::default();
        let place = |layer: &String| layer_names.number(layer) as u8;
        let layer_places = seen.layers.iter().map(place).collect();
        Self {
            builder,
            layer_names,
            layer_places,
            ops: Names::default(),
            functions: Names::default(),
            errors: Names::default(),
            forms: Vec::new(),
            form_numbers: HashMap::new(),
        }
    }

    /// Takes all calls of the table in.
    pub fn take(
        &mut self,
        table: &dyn BatchSource,
        (seen, files, origins): (&CallIndex, &mut Files, &Origins),
        threads: Threads,
    ) {
        let mut next = 0;
        while next < table.batches() {
            let (first, mut plans, mut runs) = (next, Vec::new(), 0);
            while next < table.batches() && runs < RUNS_AT_ONCE {
                let plan = self.plan(table, next, (seen, files));
                runs += plan.steps.len();
                plans.push(plan);
                next += 1;
            }
            let wishes: Vec<_> =
                plans.iter_mut().map(|plan| std::mem::take(&mut plan.slices)).collect();
            // Each batch is filled by one thread.
            let slices: Vec<Mutex<Vec<ColumnSlice<'_>>>> =
                self.builder.slices(&wishes).into_iter().map(Mutex::new).collect();
            threads.run(plans.len(), &|at| {
                let mut slices = slices[at].lock().unwrap_or_else(PoisonError::into_inner);
                fill(table, first + at, &plans[at].steps, (&mut slices, origins));
            });
            let slices = slices
                .into_iter()
                .flat_map(|slices| slices.into_inner().unwrap_or_else(PoisonError::into_inner));
            let filled: Vec<_> = slices.map(ColumnSlice::filled).collect();
            self.builder.take(filled);
        }
    }

    /// What is to be done with a batch of the table.
    fn plan(
        &mut self,
        table: &dyn BatchSource,
        number: usize,
        (seen, files): (&CallIndex, &mut Files),
    ) -> Plan {
        let (lengths, keys) = table.runs(number, RunColumns::COLUMNS);
        let of = RunColumns::of(&keys);
        let (logs, ranks, ids) = (&of.log, &of.rank, &of.file_id);
        let (layers, ops, functions, errors) = (&of.layer, &of.op, &of.function, &of.error);
        let is_collective = &of.is_collective;
        let (mut layer, mut op) = (Last::default(), Last::default());
        let (mut function, mut error) = (Last::default(), Last::default());
        let mut plan = Plan::default();
        for (row, rows) in lengths.into_iter().enumerate() {
            let log = logs.value(row);
            let layer = layer.at(layers, row, &mut self.layer_names);
            let name = layer.and_then(|layer| self.layer_names.all.get(layer as usize));
            let is_mpiio = name.is_some_and(|name| name == "mpiio");
            let place = layer.and_then(|layer| self.layer_places.get(layer as usize)).copied();
            let Some(layer) = place else {
                plan.steps.push(Step { rows, log, slice: None, shared: (0, 0) });
                continue;
            };
            let op = op.at(ops, row, &mut self.ops).and_then(|op| u8::try_from(op).ok());
            let form = Form {
                op: op.unwrap_or(0),
                function: function.at(functions, row, &mut self.functions),
                is_collective: is_collective
                    .get(row)
                    .or_else(|| files.is_collective(log, ids.value(row)).filter(|_| is_mpiio)),
                error: error.at(errors, row, &mut self.errors),
            };
            let op = self.ops.all.get(usize::from(op.unwrap_or(0))).map_or("", String::as_str);
            let track = seen.numbers.get(&(log, ranks.value(row))).copied().unwrap_or(0);
            let slice = plan.slice(StreamKey { track, layer, kind: Kind::of_op(op) }, rows);
            let shared = (files.number(log, ids.value(row)), self.form(form));
            plan.steps.push(Step { rows, log, slice: Some(slice), shared });
        }
        plan
    }

    fn form(&mut self, form: Form) -> u16 {
        if let Some(number) = self.form_numbers.get(&form) {
            return *number;
        }
        // More forms than numbers: those beyond lose their error names first.
        let number = u16::try_from(self.forms.len()).unwrap_or(u16::MAX);
        if self.forms.len() <= usize::from(u16::MAX) {
            self.forms.push(form);
        }
        self.form_numbers.insert(form, number);
        number
    }
}

/// Puts the calls of a batch in their places.
fn fill(
    table: &dyn BatchSource,
    number: usize,
    steps: &[Step],
    (slices, origins): (&mut [ColumnSlice<'_>], &Origins),
) {
    let all: usize = steps.iter().map(|step| step.rows).sum();
    let block = |first: usize| Numbers::read(table, number, first..all.min(first + ROWS_AT_ONCE));
    let (mut numbers, mut next) = (block(0), 0);
    for step in steps {
        let mut rows = step.rows;
        while rows > 0 {
            if next == numbers.each.rows() {
                (numbers, next) = (block(numbers.end), 0);
            }
            let now = rows.min(numbers.each.rows() - next);
            if let Some(slice) = step.slice.and_then(|slice| slices.get_mut(slice)) {
                put(slice, step, &numbers, (next..next + now, origins));
            }
            next += now;
            rows -= now;
        }
    }
}

/// Puts some calls of a run in their places.
fn put(
    slice: &mut ColumnSlice<'_>,
    step: &Step,
    numbers: &Numbers,
    (rows, origins): (std::ops::Range<usize>, &Origins),
) {
    let (starts_s, ends_s) = (numbers.each.start_s.values(), numbers.each.end_s.values());
    for row in rows {
        let (start_s, end_s) = (starts_s[row], ends_s[row]);
        if !is_usable(start_s, end_s) {
            continue;
        }
        let call = NewCall {
            start_ns: ns_of(start_s),
            end_ns: ns_of(end_s),
            offset_bytes: numbers.offset_bytes(row),
            size_bytes: numbers.size_bytes(row),
            traced: numbers.traced(row, step.log, origins),
        };
        slice.push(step.shared, call);
    }
}

/// Times of a call that can be shown.
fn is_usable(start_s: f64, end_s: f64) -> bool {
    start_s.is_finite() && end_s.is_finite() && start_s <= end_s
}
