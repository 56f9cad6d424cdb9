//! Which function calls which: exact, for own traces, which record inside
//! which call each call was made.

use crate::hash::{HashMap, HashSet};
use crate::rows;
use arrow::array::Array;
use diya_tables::{BatchSource, TableBuilder, call};
use std::collections::BTreeMap;
use std::sync::Arc;

diya_tables::columns! {
    struct NestedCalls of call {
        log: i32,
        call_id: u64,
        parent_id: u64,
        layer: str,
        function: str,
        calls: i64,
        size_bytes: i64,
        busy_s: f64,
    }
}

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
    let mut uppers: HashMap<(i32, u64), Upper> = HashMap::default();
    for of in NestedCalls::all(tables) {
        let (logs, parents) = (of.log.values(), &of.parent_id);
        for row in (0..of.rows()).filter(|row| parents.is_valid(*row)) {
            let upper = || Upper { function: None, bytes: 0, time_s: 0.0 };
            uppers.entry((logs[row], parents.value(row))).or_insert_with(upper);
        }
    }
    if uppers.is_empty() {
        return;
    }
    let mut names = Names::default();
    for of in NestedCalls::all(tables) {
        let (logs, calls) = (of.log.values(), &of.call_id);
        for row in (0..of.rows()).filter(|row| calls.is_valid(*row)) {
            if let Some(upper) = uppers.get_mut(&(logs[row], calls.value(row))) {
                upper.function = Some(function(&of, row, &mut names));
                upper.bytes = bytes(&of, row);
                upper.time_s = of.busy_s.value(row);
            }
        }
    }
    let mut pairs: BTreeMap<(i32, Function, Function), Pair> = BTreeMap::new();
    for of in NestedCalls::all(tables) {
        let (logs, parents) = (of.log.values(), &of.parent_id);
        for row in (0..of.rows()).filter(|row| parents.is_valid(*row)) {
            let parent = parents.value(row);
            let Some(upper) = uppers.get(&(logs[row], parent)) else { continue };
            // The upper call may have been lost; then nothing is known of it.
            let Some(above) = upper.function else { continue };
            let below = function(&of, row, &mut names);
            let pair = pairs.entry((logs[row], above, below)).or_default();
            if pair.uppers.insert(parent) {
                pair.upper_calls += 1;
                pair.upper_bytes = pair.upper_bytes.saturating_add(upper.bytes);
                pair.upper_s += upper.time_s;
            }
            pair.calls = pair.calls.saturating_add(of.calls.value(row));
            pair.bytes = pair.bytes.saturating_add(bytes(&of, row));
            pair.time_s += of.busy_s.value(row);
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

fn bytes(of: &NestedCalls, row: usize) -> i64 {
    of.size_bytes.get(row).unwrap_or(0).max(0)
}

fn function(of: &NestedCalls, row: usize, names: &mut Names) -> Function {
    let layer = names.number(of.layer.value(row));
    (layer, names.number(of.function.get(row).unwrap_or_default()))
}
