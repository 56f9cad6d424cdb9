//! Where the bytes of a file lie: the stripes of its layout, all components of
//! a progressive file layout included.
//!
//! Source: the Lustre module of Darshan; the target of an offset is the stripe
//! `(offset / stripe_size) mod stripe_count` of the component that covers it.

use arrow::array::{Array, AsArray, RecordBatch};
use arrow::datatypes::{Int32Type, Int64Type, UInt64Type};
use diya_tables::{BatchSource, TableId, lustre_component, lustre_target};
use std::collections::{BTreeMap, HashMap};
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

/// The components of one file.
#[derive(Debug, Default)]
pub(super) struct Layout(Vec<Component>);

/// Layouts by log and file.
pub(super) type Layouts = HashMap<(i32, u64), Layout>;

impl Layout {
    /// Targets of `from..to` and bytes on each, one entry per target; what was
    /// in `pieces` is forgotten.
    pub fn split(&self, from: i64, to: i64, pieces: &mut Vec<(i64, i64)>) {
        pieces.clear();
        for component in &self.0 {
            component.split(from, to, pieces);
        }
    }

    /// Whether a stripe starts here.
    pub fn is_edge(&self, offset: i64) -> bool {
        let covers = |c: &&Component| c.from <= offset && offset < c.to && c.stripe_bytes > 0;
        self.0.iter().find(covers).is_some_and(|c| offset % c.stripe_bytes == 0)
    }
}

impl Component {
    fn split(&self, from: i64, to: i64, pieces: &mut Vec<(i64, i64)>) {
        let (from, to) = (from.max(self.from), to.min(self.to));
        let width = i64::try_from(self.targets.len()).unwrap_or(i64::MAX);
        if from >= to || width == 0 || self.stripe_bytes <= 0 {
            return;
        }
        let (first, last) = (from / self.stripe_bytes, (to - 1) / self.stripe_bytes);
        // Whole rounds over all stripes need no walk: a request can be huge.
        let rounds = ((last - first - 1) / width).max(0);
        if rounds > 0 {
            for target in self.targets.iter().flatten() {
                add(pieces, *target, rounds.saturating_mul(self.stripe_bytes));
            }
        }
        let skipped = rounds.saturating_mul(width);
        let mut stripe = first;
        while stripe <= last {
            let start = stripe.saturating_mul(self.stripe_bytes);
            let end = start.saturating_add(self.stripe_bytes);
            let place = usize::try_from(stripe % width).unwrap_or_default();
            if let Some(target) = self.targets.get(place).copied().flatten() {
                add(pieces, target, end.min(to) - start.max(from));
            }
            stripe += if stripe == first { 1 + skipped } else { 1 };
        }
    }
}

fn add(pieces: &mut Vec<(i64, i64)>, target: i64, bytes: i64) {
    match pieces.iter_mut().find(|(known, _)| *known == target) {
        Some((_, sum)) => *sum = sum.saturating_add(bytes),
        None => pieces.push((target, bytes)),
    }
}

/// Layouts from the first record of each file.
pub(super) fn layouts(tables: &[Arc<dyn BatchSource>]) -> Layouts {
    let mut components: BTreeMap<(i32, u64, i32), Component> = BTreeMap::new();
    let columns = [
        lustre_component::LOG,
        lustre_component::FILE_ID,
        lustre_component::COMPONENT,
        lustre_component::STRIPE_SIZE,
        lustre_component::EXT_START,
        lustre_component::EXT_END,
        lustre_component::MIRROR_ID,
    ];
    // Mirrors cover the same bytes; a request goes to one of them.
    let mut mirrors = HashMap::new();
    for batch in batches(tables, TableId::LustreComponent, &columns) {
        for (row, key) in keys(&batch) {
            let number = |column| integer(&batch, column, row);
            if *mirrors.entry((key.0, key.1)).or_insert(number(6)) != number(6) {
                continue;
            }
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
        layouts.entry((log, file_id)).or_default().0.push(component);
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

    fn plain(width: i64) -> Layout {
        let targets = (0..width).map(|target| Some(target + 10)).collect();
        Layout(vec![Component { from: 0, to: i64::MAX, stripe_bytes: 100, targets }])
    }

    fn pieces(layout: &Layout, from: i64, to: i64) -> BTreeMap<i64, i64> {
        let mut pieces = Vec::new();
        layout.split(from, to, &mut pieces);
        let targets: BTreeMap<i64, i64> = pieces.iter().copied().collect();
        assert_eq!(targets.len(), pieces.len(), "one entry per target");
        targets
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
        layout.0[0].to = 150;
        let targets = vec![Some(20), None];
        layout.0.push(Component { from: 150, to: i64::MAX, stripe_bytes: 200, targets });
        // 150..200 is on target 20, 200..300 on a target that is not known.
        assert_eq!(pieces(&layout, 100, 300), BTreeMap::from([(10, 50), (20, 50)]));
    }
}
