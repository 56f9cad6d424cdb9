//! Load of storage targets: requests split at stripe edges and credited to the
//! targets that hold the pieces.
//!
//! Source: the Lustre module of Darshan; the target of an offset is the stripe
//! `(offset / stripe_size) mod stripe_count` of the component that covers it.
//! The time of a request is divided among its pieces by their bytes.

use super::calls::Call;
use arrow::array::{Array, AsArray, RecordBatch};
use arrow::datatypes::{Int32Type, Int64Type, UInt64Type};
use diya_tables::{BatchSource, Layer, Op, TableBuilder, TableId, lustre_component, lustre_target};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// A component of a file's layout.
#[derive(Debug)]
struct Component {
    from: i64,
    /// Offset after the last one it covers.
    to: i64,
    stripe_bytes: i64,
    /// Target of each stripe, where it is known.
    targets: Vec<Option<i64>>,
}

type Layouts = HashMap<(i32, u64), Vec<Component>>;

/// What one target got.
#[derive(Debug, Default)]
struct Load {
    calls: i64,
    bytes: i64,
    time_s: f64,
    ranks: BTreeSet<i32>,
    files: BTreeSet<u64>,
}

/// Rows of table `target_load`.
pub(super) fn compute(calls: &[Call], tables: &[Arc<dyn BatchSource>], table: &mut TableBuilder) {
    let layouts = layouts(tables);
    let mut loads: BTreeMap<(i32, i64, Op), Load> = BTreeMap::new();
    let is_transfer = |call: &&Call| {
        call.layer == Layer::Posix && matches!(call.op, Op::Read | Op::Write) && call.size_bytes > 0
    };
    for call in calls.iter().filter(is_transfer) {
        let layout = layouts.get(&(call.log, call.file_id));
        let (Some(layout), Some(from)) = (layout, call.offset) else { continue };
        for (target, bytes) in pieces(layout, from, from.saturating_add(call.size_bytes)) {
            let load = loads.entry((call.log, target, call.op)).or_default();
            load.calls += 1;
            load.bytes = load.bytes.saturating_add(bytes);
            load.time_s += call.busy_s * (bytes as f64 / call.size_bytes as f64);
            load.ranks.insert(call.rank);
            load.files.insert(call.file_id);
        }
    }
    for ((log, target, op), load) in loads {
        table.push_i32(0, Some(log));
        table.push_i64(1, Some(target));
        table.push_str(2, Some(op.name()));
        table.push_i64(3, super::count(load.files.len()));
        table.push_i64(4, super::count(load.ranks.len()));
        table.push_i64(5, Some(load.calls));
        table.push_i64(6, Some(load.bytes));
        table.push_f64(7, Some(load.time_s));
        table.push_f64(8, (load.time_s > 0.0).then(|| load.bytes as f64 / load.time_s));
        table.end_row();
    }
}

/// Bytes of `from..to` on each target, one entry per target.
fn pieces(layout: &[Component], from: i64, to: i64) -> BTreeMap<i64, i64> {
    let mut pieces = BTreeMap::new();
    for component in layout {
        let (from, to) = (from.max(component.from), to.min(component.to));
        let width = i64::try_from(component.targets.len()).unwrap_or(i64::MAX);
        if from >= to || width == 0 || component.stripe_bytes <= 0 {
            continue;
        }
        let (first, last) = (from / component.stripe_bytes, (to - 1) / component.stripe_bytes);
        // Whole rounds over all stripes need no walk: a request can be huge.
        let rounds = ((last - first - 1) / width).max(0);
        if rounds > 0 {
            for target in component.targets.iter().flatten() {
                add(&mut pieces, *target, rounds.saturating_mul(component.stripe_bytes));
            }
        }
        let skipped = rounds.saturating_mul(width);
        let mut stripe = first;
        while stripe <= last {
            let start = stripe.saturating_mul(component.stripe_bytes);
            let end = start.saturating_add(component.stripe_bytes);
            let place = usize::try_from(stripe % width).unwrap_or_default();
            if let Some(target) = component.targets.get(place).copied().flatten() {
                add(&mut pieces, target, end.min(to) - start.max(from));
            }
            stripe += if stripe == first { 1 + skipped } else { 1 };
        }
    }
    pieces
}

fn add(pieces: &mut BTreeMap<i64, i64>, target: i64, bytes: i64) {
    let sum = pieces.entry(target).or_insert(0i64);
    *sum = sum.saturating_add(bytes);
}

/// Layouts as the first record of each file tells them.
fn layouts(tables: &[Arc<dyn BatchSource>]) -> Layouts {
    let mut components: BTreeMap<(i32, u64, i32), Component> = BTreeMap::new();
    let columns = [
        lustre_component::LOG,
        lustre_component::FILE_ID,
        lustre_component::COMPONENT,
        lustre_component::STRIPE_SIZE,
        lustre_component::EXT_START,
        lustre_component::EXT_END,
    ];
    for batch in batches(tables, TableId::LustreComponent, &columns) {
        for (row, key) in keys(&batch) {
            let number = |column| integer(&batch, column, row);
            components.entry(key).or_insert_with(|| Component {
                from: number(4).unwrap_or(0),
                to: number(5).unwrap_or(i64::MAX),
                stripe_bytes: number(3).unwrap_or(0),
                targets: Vec::new(),
            });
        }
    }
    let columns = [
        lustre_target::LOG,
        lustre_target::FILE_ID,
        lustre_target::COMPONENT,
        lustre_target::STRIPE,
        lustre_target::OST_ID,
    ];
    for batch in batches(tables, TableId::LustreTarget, &columns) {
        let stripes = batch.column(3).as_primitive::<Int32Type>();
        for (row, key) in keys(&batch) {
            let stripe = usize::try_from(stripes.value(row));
            // Rows come in order of the stripe; a second record repeats them.
            if let Some(component) = components.get_mut(&key)
                && stripe == Ok(component.targets.len())
            {
                component.targets.push(integer(&batch, 4, row));
            }
        }
    }
    let mut layouts: Layouts = HashMap::new();
    for ((log, file_id, _), component) in components {
        layouts.entry((log, file_id)).or_default().push(component);
    }
    layouts
}

fn batches(tables: &[Arc<dyn BatchSource>], id: TableId, columns: &[usize]) -> Vec<RecordBatch> {
    let table = tables.iter().find(|table| table.def().name == id.def().name);
    let pieces = table.map_or(0, |table| table.pieces());
    (0..pieces).filter_map(|piece| table.map(|table| table.piece(piece, columns))).collect()
}

/// Each row with its log, file and component, the first three columns.
fn keys(batch: &RecordBatch) -> impl Iterator<Item = (usize, (i32, u64, i32))> {
    let logs = batch.column(0).as_primitive::<Int32Type>();
    let files = batch.column(1).as_primitive::<UInt64Type>();
    let components = batch.column(2).as_primitive::<Int32Type>();
    (0..batch.num_rows())
        .map(|row| (row, (logs.value(row), files.value(row), components.value(row))))
}

fn integer(batch: &RecordBatch, column: usize, row: usize) -> Option<i64> {
    let values = batch.column(column).as_primitive::<Int64Type>();
    (!values.is_null(row)).then(|| values.value(row))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(width: i64) -> Vec<Component> {
        let targets = (0..width).map(|target| Some(target + 10)).collect();
        vec![Component { from: 0, to: i64::MAX, stripe_bytes: 100, targets }]
    }

    #[test]
    fn a_request_is_split_at_stripe_edges() {
        assert_eq!(pieces(&plain(2), 50, 250), BTreeMap::from([(10, 100), (11, 100)]));
        assert_eq!(pieces(&plain(2), 100, 200), BTreeMap::from([(11, 100)]));
    }

    #[test]
    fn whole_rounds_are_as_single_steps() {
        for (from, to) in [(0, 1000), (50, 1999), (130, 170), (99, 2101), (100, 500)] {
            let layout = plain(3);
            let mut single: BTreeMap<i64, i64> = BTreeMap::new();
            for byte in from..to {
                *single.entry(byte / 100 % 3 + 10).or_insert(0) += 1;
            }
            assert_eq!(pieces(&layout, from, to), single, "{from}..{to}");
        }
    }

    #[test]
    fn each_component_takes_what_it_covers() {
        let mut layout = plain(1);
        layout[0].to = 150;
        let targets = vec![Some(20), None];
        layout.push(Component { from: 150, to: i64::MAX, stripe_bytes: 200, targets });
        // 150..200 is on target 20, 200..300 on a target that is not known.
        assert_eq!(pieces(&layout, 100, 300), BTreeMap::from([(10, 50), (20, 50)]));
    }
}
