//! Single values of Arrow columns.

use arrow::array::{Array, ArrayRef, AsArray, PrimitiveArray, RecordBatch};
use arrow::datatypes::{ArrowPrimitiveType, Float64Type, Int32Type, Int64Type, UInt64Type};
use diya_tables::{BatchSource, TableDef};

/// Some columns of a table, batch by batch.
pub struct Cells<'b> {
    batch: &'b RecordBatch,
}

fn get<T: ArrowPrimitiveType>(column: &ArrayRef, row: usize) -> Option<T::Native> {
    let values: &PrimitiveArray<T> = column.as_primitive_opt()?;
    values.is_valid(row).then(|| values.value(row))
}

impl Cells<'_> {
    pub fn rows(&self) -> usize {
        self.batch.num_rows()
    }

    pub fn i32(&self, column: usize, row: usize) -> Option<i32> {
        get::<Int32Type>(self.batch.column(column), row)
    }

    pub fn i64(&self, column: usize, row: usize) -> Option<i64> {
        get::<Int64Type>(self.batch.column(column), row)
    }

    pub fn u64(&self, column: usize, row: usize) -> Option<u64> {
        get::<UInt64Type>(self.batch.column(column), row)
    }

    pub fn f64(&self, column: usize, row: usize) -> Option<f64> {
        get::<Float64Type>(self.batch.column(column), row)
    }
}

/// Hands every batch of a table with these columns to a function.
pub fn batches(table: &dyn BatchSource, columns: &[usize], visit: &mut dyn FnMut(&Cells<'_>)) {
    for number in 0..table.batches() {
        let batch = table.batch(number, columns);
        visit(&Cells { batch: &batch });
    }
}

/// The columns with these names.
///
/// # Panics
///
/// When the contract has no such column: a mistake in this program.
pub fn columns(def: &TableDef, names: &[&str]) -> Vec<usize> {
    let place = |name: &&str| {
        def.column(name).unwrap_or_else(|| panic!("table {} has a column {name}", def.name))
    };
    names.iter().map(place).collect()
}
