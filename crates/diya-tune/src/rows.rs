//! Rows of an answer as values by column.

use arrow::array::ArrayRef;
use diya::Rows;
use diya::arrow_value::{plain, value};
use diya::report::Value;
use std::collections::BTreeMap;

/// Values of a row by column.
pub type Row = BTreeMap<String, Value>;

/// All rows of an answer.
pub fn all(rows: &Rows) -> Vec<Row> {
    let names: Vec<&String> = rows.schema.fields().iter().map(|field| field.name()).collect();
    let mut all = Vec::new();
    for batch in &rows.batches {
        let columns: Vec<ArrayRef> = batch.columns().iter().map(plain).collect();
        for row in 0..batch.num_rows() {
            let cells = names.iter().zip(&columns);
            all.push(cells.map(|(name, column)| ((*name).clone(), value(column, row))).collect());
        }
    }
    all
}
