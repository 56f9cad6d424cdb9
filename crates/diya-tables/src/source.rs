//! What a consumer of tables sees: Arrow record batches, batch by batch.

use crate::TableDef;
use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use std::fmt::Debug;
use std::ops::Range;
use std::sync::Arc;

/// Tasks, by number.
pub type Work<'w> = dyn Fn(usize) + Sync + 'w;

/// Does work for each number below the first argument, on as many threads as it likes.
pub type Executor<'r> = dyn Fn(usize, &Work<'_>) + 'r;

/// The rows of a batch, piece by piece.
pub type Pieces = Box<dyn Iterator<Item = RecordBatch> + Send>;

/// A table that can be read as Arrow, in batches that may be read side by side.
pub trait BatchSource: Debug + Send + Sync {
    /// Definition of the table.
    fn def(&self) -> &'static TableDef;

    /// All its rows.
    fn rows(&self) -> usize;

    /// Number of batches.
    fn batches(&self) -> usize;

    /// One batch with the given columns, in the order asked for.
    fn batch(&self, number: usize, columns: &[usize]) -> RecordBatch;

    /// Some rows of a batch: few enough that their columns stay in a cache.
    fn part(&self, number: usize, rows: Range<usize>, columns: &[usize]) -> RecordBatch {
        self.batch(number, columns).slice(rows.start, rows.len())
    }

    /// The rows of a batch in pieces, where it is too large for a cache.
    fn pieces(&self, number: usize, columns: &[usize]) -> Pieces {
        Box::new(std::iter::once(self.batch(number, columns)))
    }

    /// Runs of rows of a batch over which these columns stay the same: how many rows
    /// each has, and a row of the columns for each. One per row where none are kept.
    fn runs(&self, number: usize, columns: &[usize]) -> (Vec<usize>, RecordBatch) {
        let batch = self.batch(number, columns);
        (vec![1; batch.num_rows()], batch)
    }
}

/// A table that lies in memory as record batches already.
#[derive(Debug)]
pub struct Batches {
    def: &'static TableDef,
    batches: Vec<RecordBatch>,
}

impl Batches {
    /// Takes batches of this table's schema.
    pub fn new(def: &'static TableDef, batches: Vec<RecordBatch>) -> Self {
        Self { def, batches }
    }
}

impl BatchSource for Batches {
    fn def(&self) -> &'static TableDef {
        self.def
    }

    fn rows(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    fn batches(&self) -> usize {
        self.batches.len()
    }

    fn batch(&self, number: usize, columns: &[usize]) -> RecordBatch {
        self.batches[number].project(columns).expect("columns are those of the definition")
    }
}

/// The schema with only these columns.
pub(crate) fn projected(schema: &SchemaRef, columns: &[usize]) -> SchemaRef {
    Arc::new(schema.project(columns).expect("columns are those of the definition"))
}
