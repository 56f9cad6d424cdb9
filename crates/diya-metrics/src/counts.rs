//! Table `call_count`: counters of calls, one row each in place of one column.
//!
//! SQL can turn columns into rows only by naming each of them several times.

use arrow::array::{Array, AsArray};
use arrow::datatypes::{Int32Type, Int64Type};
use diya_tables::{BatchSource, Layer, TableBuilder, TableId};
use diya_tables::{hdf5_dataset, hdf5_file, mpiio, pnetcdf_file, pnetcdf_var, posix, stdio};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A kind of call, and the counter that holds it.
type Kind = (&'static str, usize);

/// The counters of each layer.
const LAYERS: [(TableId, Layer, &[Kind]); 7] = [
    (
        TableId::Posix,
        Layer::Posix,
        &[
            ("open", posix::OPENS),
            ("read", posix::READS),
            ("write", posix::WRITES),
            ("seek", posix::SEEKS),
            ("stat", posix::STATS),
            ("mmap", posix::MMAPS),
            ("sync", posix::FSYNCS),
            ("datasync", posix::FDSYNCS),
            ("dup", posix::DUPS),
            ("rename", posix::RENAME_SOURCES),
        ],
    ),
    (
        TableId::Mpiio,
        Layer::Mpiio,
        &[
            ("independent_open", mpiio::INDEP_OPENS),
            ("collective_open", mpiio::COLL_OPENS),
            ("independent_read", mpiio::INDEP_READS),
            ("independent_write", mpiio::INDEP_WRITES),
            ("collective_read", mpiio::COLL_READS),
            ("collective_write", mpiio::COLL_WRITES),
            ("split_read", mpiio::SPLIT_READS),
            ("split_write", mpiio::SPLIT_WRITES),
            ("nonblocking_read", mpiio::NB_READS),
            ("nonblocking_write", mpiio::NB_WRITES),
            ("sync", mpiio::SYNCS),
            ("view", mpiio::VIEWS),
            ("hints", mpiio::HINTS),
        ],
    ),
    (
        TableId::Stdio,
        Layer::Stdio,
        &[
            ("open", stdio::OPENS),
            ("read", stdio::READS),
            ("write", stdio::WRITES),
            ("seek", stdio::SEEKS),
            ("flush", stdio::FLUSHES),
        ],
    ),
    (
        TableId::Hdf5File,
        Layer::Hdf5File,
        &[("open", hdf5_file::OPENS), ("flush", hdf5_file::FLUSHES)],
    ),
    (
        TableId::Hdf5Dataset,
        Layer::Hdf5Dataset,
        &[
            ("open", hdf5_dataset::OPENS),
            ("read", hdf5_dataset::READS),
            ("write", hdf5_dataset::WRITES),
            ("flush", hdf5_dataset::FLUSHES),
        ],
    ),
    (TableId::PnetcdfFile, Layer::PnetcdfFile, &[("sync", pnetcdf_file::SYNCS)]),
    (
        TableId::PnetcdfVar,
        Layer::PnetcdfVar,
        &[
            ("open", pnetcdf_var::OPENS),
            ("independent_read", pnetcdf_var::INDEP_READS),
            ("independent_write", pnetcdf_var::INDEP_WRITES),
            ("collective_read", pnetcdf_var::COLL_READS),
            ("collective_write", pnetcdf_var::COLL_WRITES),
            ("nonblocking_read", pnetcdf_var::NB_READS),
            ("nonblocking_write", pnetcdf_var::NB_WRITES),
        ],
    ),
];

/// Appends the rows of table `call_count`; a counter that no record of a log
/// holds has none.
pub(crate) fn write(tables: &[Arc<dyn BatchSource>], rows: &mut TableBuilder) {
    for (id, layer, kinds) in LAYERS {
        let name = id.def().name;
        let Some(table) = tables.iter().find(|table| table.def().name == name) else { continue };
        // Log number 0 in every table: the column of the key.
        let columns: Vec<usize> =
            std::iter::once(posix::LOG).chain(kinds.iter().map(|(_, column)| *column)).collect();
        let mut sums: BTreeMap<i32, Vec<Option<i64>>> = BTreeMap::new();
        for piece in 0..table.pieces() {
            let batch = table.piece(piece, &columns);
            let logs = batch.column(0).as_primitive::<Int32Type>();
            for (place, column) in batch.columns().iter().skip(1).enumerate() {
                let calls = column.as_primitive::<Int64Type>();
                for row in (0..batch.num_rows()).filter(|row| calls.is_valid(*row)) {
                    let of_log = sums.entry(logs.value(row));
                    let sum = &mut of_log.or_insert_with(|| vec![None; kinds.len()])[place];
                    *sum = Some(sum.unwrap_or(0).saturating_add(calls.value(row)));
                }
            }
        }
        for (log, of_log) in sums {
            for ((kind, _), calls) in kinds.iter().zip(of_log) {
                let Some(calls) = calls else { continue };
                rows.push_i32(0, Some(log));
                rows.push_str(1, Some(layer.name()));
                rows.push_str(2, Some(kind));
                rows.push_i64(3, Some(calls));
                rows.end_row();
            }
        }
    }
}
