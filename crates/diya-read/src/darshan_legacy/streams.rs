//! Request sizes of files that were moved through C streams alone.
//!
//! Table `stdio` has no columns for them (the Darshan of today does not count
//! them), but the tidy tables do, with `stdio` as layer. The sizes of POSIX and
//! MPI-IO requests come into those tables from the wide ones.

use super::counters::{ACCESS_COUNTS, ACCESSES, SIZE_READ, SIZE_WRITE};
use super::rows::Row;
use diya_model::SizeBin;
use diya_tables::{AccessSizeRow, SizeHistogramRow, TableId, Tables};

/// Appends to `size_histogram` and `access_size`, as far as they are wanted.
pub(super) fn push(row: &Row<'_>, wanted: crate::TableSet, tables: &mut Tables) {
    if wanted.has(TableId::SizeHistogram) {
        push_bins(row, "read", SIZE_READ, tables);
        push_bins(row, "write", SIZE_WRITE, tables);
    }
    if wanted.has(TableId::AccessSize) && !row.record.is_condensed() {
        push_sizes(row, tables);
    }
}

fn push_bins(row: &Row<'_>, op: &str, first: usize, tables: &mut Tables) {
    for (counter, bin) in (first..).zip(SizeBin::ALL) {
        let calls = row.record.int(counter);
        if calls > 0 {
            tables.push_size_histogram(SizeHistogramRow {
                log: row.log,
                file_id: row.record.file_id,
                rank: row.rank,
                layer: "stdio",
                op,
                size_lo_bytes: bin.smallest_bytes,
                size_hi_bytes: bin.largest_bytes,
                calls,
            });
        }
    }
}

fn push_sizes(row: &Row<'_>, tables: &mut Tables) {
    for (position, i) in (1..=4).zip(0..) {
        let calls = row.record.int(ACCESS_COUNTS + i);
        if calls > 0 {
            tables.push_access_size(AccessSizeRow {
                log: row.log,
                file_id: row.record.file_id,
                rank: row.rank,
                layer: "stdio",
                position,
                size_bytes: row.record.int(ACCESSES + i),
                calls,
            });
        }
    }
}
