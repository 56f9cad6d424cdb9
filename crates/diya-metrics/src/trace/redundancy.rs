//! Bytes that were read or written more than once: the sum of all extents
//! minus the length of their union, by the same rank and across ranks.
//!
//! Counters cannot tell: they hold sums of sizes and the highest offset.

use super::calls::Call;
use super::count;
use super::intervals::{bytes, join};
use diya_tables::{Layer, Op, TableBuilder};
use std::collections::BTreeMap;

/// Calls of one log, file, layer and direction.
#[derive(Debug, Default)]
struct Group {
    /// Rank and extent of each row; compact, since there can be many millions.
    extents: Vec<(i32, i64, i64)>,
    calls: i64,
    time_s: f64,
}

/// Rows of table `redundancy`.
pub(super) fn compute(calls: &[Call], table: &mut TableBuilder) {
    let mut groups: BTreeMap<(i32, u64, Layer, Op), Group> = BTreeMap::new();
    for call in calls.iter().filter(|call| matches!(call.op, Op::Read | Op::Write)) {
        let Some(from) = call.offset.filter(|_| call.size_bytes > 0) else { continue };
        let group = groups.entry((call.log, call.file_id, call.layer, call.op)).or_default();
        group.extents.push((call.rank, from, from.saturating_add(call.size_bytes)));
        group.calls = group.calls.saturating_add(call.calls);
        group.time_s += call.busy_s;
    }
    for ((log, file_id, layer, op), group) in groups {
        table.push_i32(0, Some(log));
        table.push_u64(1, Some(file_id));
        table.push_str(2, Some(layer.name()));
        table.push_str(3, Some(op.name()));
        group.write(table);
        table.end_row();
    }
}

impl Group {
    fn write(mut self, table: &mut TableBuilder) {
        self.extents.sort_unstable();
        // Moved by each rank once, however often it asked.
        let (mut per_rank, mut rank_bytes, mut ranks) = (Vec::new(), 0i64, 0);
        for of_rank in self.extents.chunk_by(|a, b| a.0 == b.0) {
            let mut extents: Vec<(i64, i64)> = of_rank.iter().map(|e| (e.1, e.2)).collect();
            join(&mut extents);
            rank_bytes = rank_bytes.saturating_add(bytes(&extents));
            per_rank.append(&mut extents);
            ranks += 1;
        }
        join(&mut per_rank);
        let unique_bytes = bytes(&per_rank);
        let mut extents: Vec<(i64, i64)> = self.extents.iter().map(|e| (e.1, e.2)).collect();
        let all_bytes = bytes(&extents);
        extents.sort_unstable();
        extents.dedup();
        table.push_i64(4, count(ranks));
        table.push_i64(5, Some(self.calls));
        table.push_i64(6, count(extents.len()));
        table.push_i64(7, Some(all_bytes));
        table.push_i64(8, Some(unique_bytes));
        table.push_i64(9, Some(all_bytes.saturating_sub(unique_bytes)));
        table.push_i64(10, Some(all_bytes.saturating_sub(rank_bytes)));
        table.push_i64(11, Some(rank_bytes.saturating_sub(unique_bytes)));
        table.push_f64(12, Some(self.time_s));
    }
}
