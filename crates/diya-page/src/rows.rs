//! Rows of tables and of SQL answers, as the page takes them.

use arrow::array::{Array, ArrayRef, AsArray};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Float64Type, Int64Type, UInt64Type};
use arrow::util::display::array_value_to_string;
use diya_query::Rows;
use diya_tables::TableDef;
use diya_timeline::{TableColumn, TableRows, ToJson};
use serde_json::Value;

/// `TableRows` of the page. Columns of a table of ours are described.
pub(super) fn table_rows(rows: &Rows, def: Option<&TableDef>, rows_in_all: usize) -> Value {
    let columns: Vec<TableColumn> = rows
        .schema
        .fields()
        .iter()
        .map(|field| {
            let place = def.and_then(|def| def.column(field.name()));
            let known = place.and_then(|place| def.map(|def| &def.columns[place]));
            TableColumn {
                name: field.name().clone(),
                r#type: known.map_or_else(|| type_name(field.data_type()), |c| c.kind.name()),
                unit: known.map_or("", |column| column.unit),
                doc: known.map_or_else(String::new, |column| match column.null {
                    Some(null) => format!("{}; null: {null}", column.doc),
                    None => column.doc.to_owned(),
                }),
            }
        })
        .collect();
    let mut lines: Vec<Value> = Vec::new();
    for batch in &rows.batches {
        let plain: Vec<ArrayRef> = batch.columns().iter().map(plain).collect();
        lines.extend((0..batch.num_rows()).map(|row| {
            plain.iter().map(|column| cell(column, row)).collect::<Vec<Value>>().into()
        }));
    }
    TableRows { columns, rows: lines, rows_in_all }.to_json()
}

fn type_name(kind: &DataType) -> &'static str {
    match kind {
        DataType::Boolean => "bool",
        DataType::Int32 => "i32",
        DataType::UInt64 => "u64",
        kind if kind.is_integer() => "i64",
        kind if kind.is_numeric() => "f64",
        DataType::Timestamp(..) => "timestamp_ns",
        _ => "str",
    }
}

/// The column as one of few types; what cannot be becomes text.
pub(super) fn plain(column: &ArrayRef) -> ArrayRef {
    let to = match column.data_type() {
        DataType::UInt64 => DataType::UInt64,
        DataType::Boolean => DataType::Boolean,
        kind if kind.is_integer() => DataType::Int64,
        kind if kind.is_numeric() => DataType::Float64,
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => DataType::Utf8,
        _ => return column.clone(),
    };
    cast(column, &to).unwrap_or_else(|_| column.clone())
}

/// A value; a number beyond 2^53, which JavaScript would round, is text.
fn cell(column: &ArrayRef, row: usize) -> Value {
    const EXACT: u64 = 1 << 53;
    if column.is_null(row) {
        return Value::Null;
    }
    match column.data_type() {
        DataType::Boolean => column.as_boolean().value(row).into(),
        DataType::Int64 => {
            let value = column.as_primitive::<Int64Type>().value(row);
            if value.unsigned_abs() <= EXACT { value.into() } else { value.to_string().into() }
        }
        DataType::UInt64 => {
            let value = column.as_primitive::<UInt64Type>().value(row);
            if value <= EXACT { value.into() } else { value.to_string().into() }
        }
        DataType::Float64 => column.as_primitive::<Float64Type>().value(row).into(),
        DataType::Utf8 => column.as_string::<i32>().value(row).into(),
        _ => array_value_to_string(column, row).map_or(Value::Null, Value::from),
    }
}
