//! Tidy tables that follow from the wide ones: `size_histogram`, `access_size`.
//!
//! The wide tables keep Darshan's counters as they are, one column per size
//! bin; questions about sizes are easier to ask of one row per bin.

use crate::Selection;
use diya_model::SizeBin;
use diya_tables::{AccessSizeRow, SizeHistogramRow, TableBuilder, TableDef, TableId, Tables};
use std::sync::LazyLock;

/// Tables that follow from others.
const DERIVED: [TableId; 2] = [TableId::SizeHistogram, TableId::AccessSize];

/// Tables that have the counters: those of layers with a first bin.
fn wide_tables() -> impl Iterator<Item = TableId> {
    // Every log asks for them: names of columns are compared once.
    static WIDE: LazyLock<Vec<TableId>> = LazyLock::new(|| {
        TableId::of_layers().filter(|id| !Columns::of(id.def()).bins.is_empty()).collect()
    });
    WIDE.iter().copied()
}

/// The tables that follow from the counters of this one.
pub(crate) fn derived_from(table: TableId) -> impl Iterator<Item = TableId> {
    let is_wide = wide_tables().any(|wide| wide == table);
    DERIVED.into_iter().filter(move |_| is_wide)
}

/// Rows that were there before a log was read.
pub(crate) struct Before(Vec<usize>);

impl Before {
    pub fn of(tables: &Tables) -> Self {
        Self(wide_tables().map(|table| tables.rows(table)).collect())
    }
}

/// Computes the derived tables again; those without rows stay empty.
pub(crate) fn again(tables: &mut Tables) {
    let mut selection = Selection { tables: crate::TableSet::NONE, ..Selection::all() };
    for id in DERIVED {
        if tables.rows(id) > 0 {
            selection.tables = selection.tables.with(id);
            tables.truncate(id, 0);
        }
    }
    fill(&selection, &Before(wide_tables().map(|_| 0).collect()), tables);
}

/// Appends what follows from the rows that came since `before`.
pub(crate) fn fill(selection: &Selection, before: &Before, tables: &mut Tables) {
    let wants_bins = selection.tables.has(TableId::SizeHistogram);
    let wants_sizes = selection.tables.has(TableId::AccessSize);
    if !wants_bins && !wants_sizes {
        return;
    }
    for (table, first) in wide_tables().zip(&before.0) {
        let layer = table.def().name;
        // The wide table is put aside while rows go to the other tables.
        let Some(wide) = tables.take(table) else { continue };
        let columns = Columns::of(wide.def());
        for row in *first..wide.rows() {
            if wants_bins {
                bins(&wide, &columns, row, layer, tables);
            }
            if wants_sizes {
                sizes(&wide, &columns, row, layer, tables);
            }
        }
        tables.put_back(table, wide);
    }
}

/// Where the counters are in a wide table.
struct Columns {
    /// First of the ten bins, by direction.
    bins: Vec<(&'static str, usize)>,
    /// Size and count of the four most frequent accesses.
    accesses: Vec<(usize, usize)>,
}

impl Columns {
    fn of(wide: &TableDef) -> Self {
        let column = |name: &str| wide.column(name);
        let first_bin = |op: &'static str| {
            let bin = SizeBin::ALL[0].name;
            let plain = column(&format!("size_{op}_{bin}"));
            plain.or_else(|| column(&format!("size_{op}_agg_{bin}"))).map(|c| (op, c))
        };
        let access = |n: usize| {
            column(&format!("access{n}_access")).zip(column(&format!("access{n}_count")))
        };
        Self {
            bins: ["read", "write"].into_iter().filter_map(first_bin).collect(),
            accesses: (1..=4).filter_map(access).collect(),
        }
    }
}

/// Log, file and rank: the first three columns of every wide table.
fn key(wide: &TableBuilder, row: usize) -> (i32, u64, i32) {
    let log = wide.i32(0, row).unwrap_or_default();
    (log, wide.u64(1, row).unwrap_or_default(), wide.i32(2, row).unwrap_or_default())
}

fn bins(wide: &TableBuilder, columns: &Columns, row: usize, layer: &str, tables: &mut Tables) {
    let (log, file_id, rank) = key(wide, row);
    for &(op, first) in &columns.bins {
        for (column, bin) in (first..).zip(SizeBin::ALL) {
            let Some(calls) = wide.i64(column, row).filter(|calls| *calls != 0) else {
                continue;
            };
            tables.push_size_histogram(SizeHistogramRow {
                log,
                file_id,
                rank,
                layer,
                op,
                size_lo_bytes: bin.smallest_bytes,
                size_hi_bytes: bin.largest_bytes,
                calls,
            });
        }
    }
}

fn sizes(wide: &TableBuilder, columns: &Columns, row: usize, layer: &str, tables: &mut Tables) {
    let (log, file_id, rank) = key(wide, row);
    for (position, &(size, count)) in (1..).zip(&columns.accesses) {
        let pair = wide.i64(size, row).zip(wide.i64(count, row));
        let Some((size_bytes, calls)) = pair.filter(|(_, calls)| *calls != 0) else { continue };
        tables.push_access_size(AccessSizeRow {
            log,
            file_id,
            rank,
            layer,
            position,
            size_bytes,
            calls,
        });
    }
}
