//! Which function calls which: exact, for own traces, which record inside
//! which call each call was made.

use crate::rows;
use arrow::array::{Array, AsArray, RecordBatch};
use arrow::datatypes::{Float64Type, Int32Type, Int64Type, UInt64Type};
use diya_tables::{BatchSource, TableBuilder, TableId, call};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

const COLUMNS: [usize; 8] = [
    call::LOG,
    call::CALL_ID,
    call::PARENT_ID,
    call::LAYER,
    call::FUNCTION,
    call::CALLS,
    call::SIZE_BYTES,
    call::BUSY_S,
];

/// Function of a layer, as numbers of names.
type Function = (u32, u32);

/// A call inside which others were made.
#[derive(Debug)]
struct Upper {
    function: Option<Function>,
    bytes: i64,
    time_s: f64,
}

/// Calls of one function made inside calls of another.
#[derive(Debug, Default)]
struct Pair {
    upper_calls: i64,
    upper_bytes: i64,
    upper_s: f64,
    calls: i64,
    bytes: i64,
    time_s: f64,
    /// Upper calls that were counted.
    uppers: HashSet<u64>,
}

#[derive(Debug, Default)]
struct Names {
    numbers: HashMap<String, u32>,
    names: Vec<String>,
}

impl Names {
    fn number(&mut self, name: &str) -> u32 {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let number = u32::try_from(self.names.len()).unwrap_or(u32::MAX);
        self.names.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        number
    }

    fn name(&self, number: u32) -> &str {
        self.names.get(number as usize).map_or("", String::as_str)
    }
}

/// Rows of table `call_nesting`.
pub(crate) fn compute(tables: &[Arc<dyn BatchSource>], table: &mut TableBuilder) {
    let name = TableId::Call.def().name;
    let Some(source) = tables.iter().find(|table| table.def().name == name) else { return };
    let batches = || (0..source.pieces()).map(|piece| source.piece(piece, &COLUMNS));
    let mut uppers: HashMap<(i32, u64), Upper> = HashMap::new();
    for batch in batches() {
        let (logs, parents) = (logs(&batch), ids(&batch, 2));
        for row in (0..batch.num_rows()).filter(|row| parents.is_valid(*row)) {
            let upper = || Upper { function: None, bytes: 0, time_s: 0.0 };
            uppers.entry((logs[row], parents.value(row))).or_insert_with(upper);
        }
    }
    if uppers.is_empty() {
        return;
    }
    let mut names = Names::default();
    for batch in batches() {
        let (logs, calls) = (logs(&batch), ids(&batch, 1));
        for row in (0..batch.num_rows()).filter(|row| calls.is_valid(*row)) {
            if let Some(upper) = uppers.get_mut(&(logs[row], calls.value(row))) {
                upper.function = Some(function(&batch, row, &mut names));
                upper.bytes = bytes(&batch, row);
                upper.time_s = busy(&batch)[row];
            }
        }
    }
    let mut pairs: BTreeMap<(i32, Function, Function), Pair> = BTreeMap::new();
    for batch in batches() {
        let (logs, parents) = (logs(&batch), ids(&batch, 2));
        for row in (0..batch.num_rows()).filter(|row| parents.is_valid(*row)) {
            let parent = parents.value(row);
            let Some(upper) = uppers.get(&(logs[row], parent)) else { continue };
            // The upper call may have been lost; then nothing is known of it.
            let Some(above) = upper.function else { continue };
            let below = function(&batch, row, &mut names);
            let pair = pairs.entry((logs[row], above, below)).or_default();
            if pair.uppers.insert(parent) {
                pair.upper_calls += 1;
                pair.upper_bytes = pair.upper_bytes.saturating_add(upper.bytes);
                pair.upper_s += upper.time_s;
            }
            let number = batch.column(5).as_primitive::<Int64Type>().value(row);
            pair.calls = pair.calls.saturating_add(number);
            pair.bytes = pair.bytes.saturating_add(bytes(&batch, row));
            pair.time_s += busy(&batch)[row];
        }
    }
    for ((log, above, below), pair) in pairs {
        rows::CallNesting {
            log,
            upper_layer: names.name(above.0),
            upper_function: names.name(above.1),
            lower_layer: names.name(below.0),
            lower_function: names.name(below.1),
            upper_calls: pair.upper_calls,
            lower_calls: pair.calls,
            calls_ratio: pair.calls as f64 / pair.upper_calls.max(1) as f64,
            upper_bytes: pair.upper_bytes,
            lower_bytes: pair.bytes,
            upper_s: pair.upper_s,
            lower_s: pair.time_s,
        }
        .push(table);
    }
}

fn logs(batch: &RecordBatch) -> &[i32] {
    batch.column(0).as_primitive::<Int32Type>().values()
}

fn ids(batch: &RecordBatch, column: usize) -> &arrow::array::UInt64Array {
    batch.column(column).as_primitive::<UInt64Type>()
}

fn busy(batch: &RecordBatch) -> &[f64] {
    batch.column(7).as_primitive::<Float64Type>().values()
}

fn bytes(batch: &RecordBatch, row: usize) -> i64 {
    let sizes = batch.column(6).as_primitive::<Int64Type>();
    if sizes.is_valid(row) { sizes.value(row).max(0) } else { 0 }
}

fn function(batch: &RecordBatch, row: usize, names: &mut Names) -> Function {
    let functions = batch.column(4).as_string_view();
    let layer = names.number(batch.column(3).as_string_view().value(row));
    let function = if functions.is_valid(row) { functions.value(row) } else { "" };
    (layer, names.number(function))
}
