//! The region, step and epoch of each call.

use super::places::{Named, Places};
use crate::rows;
use arrow::array::Array;
use diya_tables::{BatchSource, TableBuilder, call};
use std::sync::Arc;

diya_tables::columns! {
    struct CallColumns of call { log: i32, rank: i32, thread: u64, call_id: u64, start_s: f64 }
}

/// Rows of table `call_region`.
pub(crate) fn compute(tables: &[Arc<dyn BatchSource>], table: &mut TableBuilder) {
    let places = Places::of(tables);
    for of in CallColumns::all(tables) {
        for row in (0..of.rows()).filter(|row| of.call_id.is_valid(*row)) {
            let (log, rank) = (of.log.value(row), of.rank.value(row));
            let around = places.around((log, rank), of.thread.get(row), of.start_s.value(row));
            if around.is_empty() {
                continue;
            }
            let (mut region, mut step, mut epoch) = (None, None, None);
            for named in around.into_iter().filter_map(|number| places.named(number)) {
                match named {
                    Named::Step(number) => step = step.or(Some(number)),
                    Named::Epoch(number) => epoch = epoch.or(Some(number)),
                    Named::Region(name) => region = region.or(Some(name)),
                }
            }
            rows::CallRegion { log, call_id: of.call_id.value(row), region, step, epoch }
                .push(table);
        }
    }
}
