//! The region, step and epoch of each call.

use super::region_io::{Key, Regions, around, regions};
use crate::rows;
use arrow::array::Array;
use diya_tables::{BatchSource, TableBuilder, call};
use std::sync::Arc;

diya_tables::columns! {
    struct CallColumns of call { log: i32, rank: i32, thread: u64, call_id: u64, start_s: f64 }
}

/// Rows of table `call_region`.
pub(crate) fn compute(tables: &[Arc<dyn BatchSource>], table: &mut TableBuilder) {
    let Regions { keys, spans_of, .. } = regions(tables);
    let mut groups = Vec::new();
    for of in CallColumns::all(tables) {
        for row in (0..of.rows()).filter(|row| of.call_id.is_valid(*row)) {
            let (log, rank) = (of.log.value(row), of.rank.value(row));
            groups.clear();
            let own = of.thread.get(row).and_then(|id| spans_of.get(&(log, rank, Some(id))));
            for spans in [own, spans_of.get(&(log, rank, None))].into_iter().flatten() {
                around(spans, of.start_s.value(row), |group| groups.push(group));
            }
            let mut inside = groups.iter().filter_map(|group| keys.get(*group)).peekable();
            if inside.peek().is_none() {
                continue;
            }
            let (mut region, mut step, mut epoch) = (None, None, None);
            for Key { category, name, number, .. } in inside {
                match category.as_deref() {
                    Some("step") => step = step.or(*number),
                    Some("epoch") => epoch = epoch.or(*number),
                    _ => region = region.or(Some(name.as_str())),
                }
            }
            rows::CallRegion { log, call_id: of.call_id.value(row), region, step, epoch }
                .push(table);
        }
    }
}
