//! Single values of Arrow columns.

use arrow::array::{Array, ArrayRef, AsArray, PrimitiveArray};
use arrow::datatypes::{
    ArrowPrimitiveType, DataType, Float64Type, Int32Type, Int64Type, UInt64Type,
};
use diya_tables::{BatchSource, TableDef};

/// Some columns of a batch, whose types are looked up once.
pub struct Cells<'b> {
    rows: usize,
    columns: Vec<Typed<'b>>,
}

/// A column of numbers.
enum Typed<'b> {
    I32(&'b PrimitiveArray<Int32Type>),
    I64(&'b PrimitiveArray<Int64Type>),
    U64(&'b PrimitiveArray<UInt64Type>),
    F64(&'b PrimitiveArray<Float64Type>),
    Other,
}

impl<'b> Typed<'b> {
    fn of(array: &'b ArrayRef) -> Self {
        match array.data_type() {
            DataType::Int32 => Self::I32(array.as_primitive()),
            DataType::Int64 => Self::I64(array.as_primitive()),
            DataType::UInt64 => Self::U64(array.as_primitive()),
            DataType::Float64 => Self::F64(array.as_primitive()),
            _ => Self::Other,
        }
    }
}

fn get<T: ArrowPrimitiveType>(values: &PrimitiveArray<T>, row: usize) -> Option<T::Native> {
    values.is_valid(row).then(|| values.value(row))
}

impl Cells<'_> {
    pub fn rows(&self) -> usize {
        self.rows
    }

    pub fn i32(&self, column: usize, row: usize) -> Option<i32> {
        let Typed::I32(values) = self.columns[column] else { return None };
        get(values, row)
    }

    pub fn i64(&self, column: usize, row: usize) -> Option<i64> {
        let Typed::I64(values) = self.columns[column] else { return None };
        get(values, row)
    }

    pub fn u64(&self, column: usize, row: usize) -> Option<u64> {
        let Typed::U64(values) = self.columns[column] else { return None };
        get(values, row)
    }

    pub fn f64(&self, column: usize, row: usize) -> Option<f64> {
        let Typed::F64(values) = self.columns[column] else { return None };
        get(values, row)
    }
}

/// Hands every batch of a table with these columns to a function.
pub fn batches(table: &dyn BatchSource, columns: &[usize], visit: &mut dyn FnMut(&Cells<'_>)) {
    for number in 0..table.batches() {
        let batch = table.batch(number, columns);
        let columns = batch.columns().iter().map(Typed::of).collect();
        visit(&Cells { rows: batch.num_rows(), columns });
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
