//! Makes the result of a statement the table that its header promises.
//!
//! Engines choose their own types for sums and counts; a table has one type
//! per column whoever computed it.

use crate::MetricError;
use arrow::array::{ArrayRef, RecordBatch};
use arrow::compute::{CastOptions, cast_with_options};
use arrow::datatypes::DataType;
use diya_query::Rows;
use diya_tables::{Kind, TableDef};

/// The rows with the columns of the definition.
pub(crate) fn conform(def: &TableDef, rows: &Rows) -> Result<Vec<RecordBatch>, MetricError> {
    let found: Vec<&str> = rows.schema.fields().iter().map(|f| f.name().as_str()).collect();
    let promised: Vec<&str> = def.columns.iter().map(|c| c.name).collect();
    if found != promised {
        let (found, promised) = (found.join(", "), promised.join(", "));
        return Err(MetricError::Result(format!("columns {found} instead of {promised}")));
    }
    for (field, column) in rows.schema.fields().iter().zip(def.columns) {
        if !is_family(field.data_type(), column.kind) {
            let (name, kind, found) = (column.name, column.kind, field.data_type());
            return Err(MetricError::Result(format!("{name} is {found}, not {kind:?}")));
        }
    }
    rows.batches.iter().map(|batch| conform_batch(def, batch)).collect()
}

fn conform_batch(def: &TableDef, batch: &RecordBatch) -> Result<RecordBatch, MetricError> {
    // A value that does not fit is an error, not a null.
    let strict = CastOptions { safe: false, ..CastOptions::default() };
    let wrong = |e: arrow::error::ArrowError| MetricError::Result(e.to_string());
    let cast = |(array, kind): (&ArrayRef, Kind)| {
        cast_with_options(array, &kind.arrow(), &strict).map_err(wrong)
    };
    let kinds = def.columns.iter().map(|c| c.kind);
    let columns: Result<Vec<ArrayRef>, _> = batch.columns().iter().zip(kinds).map(cast).collect();
    RecordBatch::try_new(def.arrow_schema(), columns?).map_err(wrong)
}

/// Whether a column of this type can stand for the kind: numbers never turn
/// into text, nor whole ones into real ones.
fn is_family(found: &DataType, kind: Kind) -> bool {
    if found == &DataType::Null {
        return true; // no row has a value
    }
    match kind {
        Kind::Bool => found == &DataType::Boolean,
        Kind::I32 | Kind::I64 | Kind::U64 => found.is_integer(),
        Kind::F64 => found.is_floating(),
        Kind::Str => {
            matches!(found, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View)
        }
        Kind::TimestampNs => matches!(found, DataType::Timestamp(..)),
    }
}
