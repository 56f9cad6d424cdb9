//! Table `heatmap`: a record holds its bins as two lists of numbers.

use crate::runs::{spread, spread_text};
use crate::source::{BatchSource, projected};
use crate::{Layer, Op, TableDef, TableId, heatmap};
use arrow_array::types::{Float64Type, Int32Type};
use arrow_array::{
    ArrayRef, Float64Array, Int32Array, Int64Array, RecordBatch, RecordBatchOptions,
};
use arrow_schema::SchemaRef;
use std::sync::Arc;

/// Bytes per bin of one layer on one rank.
#[derive(Debug, Clone, Default)]
#[allow(missing_docs)] // as the columns of table `heatmap`
pub struct HeatmapRecord {
    pub log: i32,
    /// `None`: a layer this program does not know, named only by its id.
    pub layer: Option<Layer>,
    /// Darshan record id, the hash of "heatmap:" and the layer.
    pub file_id: u64,
    pub rank: i32,
    pub bin_width_s: f64,
    /// One per bin.
    pub write: Vec<i64>,
    /// One per bin.
    pub read: Vec<i64>,
}

/// Empty bins that a record may get in front: Darshan doubles the width of its
/// bins instead of keeping many; start times that are nonsense end here.
const MAX_BINS: f64 = 1e5;

/// Table `heatmap` under construction.
#[derive(Debug, Default)]
pub struct HeatmapTable {
    records: Vec<HeatmapRecord>,
}

impl HeatmapTable {
    /// Appends the bins of one layer on one rank.
    pub fn push(&mut self, record: HeatmapRecord) {
        self.records.push(record);
    }

    /// What was recorded, in the order of the log.
    pub fn records(&self) -> &[HeatmapRecord] {
        &self.records
    }

    /// Bins of all records, reads and writes.
    pub fn rows(&self) -> usize {
        self.records.iter().map(|r| r.write.len() + r.read.len()).sum()
    }

    /// Appends all records of another table.
    pub fn append(&mut self, mut other: Self) {
        self.records.append(&mut other.records);
    }

    /// Forgets the records that are not to be kept.
    pub fn retain(&mut self, keep: impl Fn(&HeatmapRecord) -> bool) {
        self.records.retain(keep);
    }

    /// Gives the records other ranks and later times, to the nearest bin.
    pub fn relocate(&mut self, rank: impl Fn(i32) -> i32, later_s: f64) {
        for record in &mut self.records {
            record.rank = rank(record.rank);
            let bins = (later_s / record.bin_width_s).round();
            if (1.0..MAX_BINS).contains(&bins) {
                let empty = vec![0; bins as usize];
                record.write.splice(0..0, empty.iter().copied());
                record.read.splice(0..0, empty);
            }
        }
    }

    /// The finished table.
    pub fn finish(self) -> FrozenHeatmap {
        FrozenHeatmap { schema: TableId::Heatmap.def().arrow_schema(), records: self.records }
    }
}

/// Records per batch: some ten thousand rows at the usual 200 bins.
const RECORDS_PER_BATCH: usize = 64;

/// Table `heatmap`, finished.
#[derive(Debug)]
pub struct FrozenHeatmap {
    schema: SchemaRef,
    records: Vec<HeatmapRecord>,
}

/// One direction of one record.
struct Half<'a> {
    record: &'a HeatmapRecord,
    op: Op,
    bins: &'a [i64],
}

fn column(rows: usize, halves: &[Half<'_>], column: usize) -> ArrayRef {
    let bins = |h: &Half<'_>| 0..i32::try_from(h.bins.len()).unwrap_or(i32::MAX);
    match column {
        heatmap::LOG => {
            spread::<Int32Type>(rows, halves.iter().map(|h| (h.bins.len(), h.record.log)))
        }
        heatmap::LAYER => {
            let name = |h: &Half<'_>| h.record.layer.map_or("unknown", Layer::name);
            spread_text(rows, halves.iter().map(|h| (h.bins.len(), Some(name(h)))))
        }
        heatmap::RANK => {
            spread::<Int32Type>(rows, halves.iter().map(|h| (h.bins.len(), h.record.rank)))
        }
        heatmap::OP => spread_text(rows, halves.iter().map(|h| (h.bins.len(), Some(h.op.name())))),
        heatmap::BIN => Arc::new(Int32Array::from_iter_values(halves.iter().flat_map(bins))),
        heatmap::BIN_START_S => {
            let starts = halves
                .iter()
                .flat_map(|h| bins(h).map(|bin| f64::from(bin) * h.record.bin_width_s));
            Arc::new(Float64Array::from_iter_values(starts))
        }
        heatmap::BIN_WIDTH_S => {
            spread::<Float64Type>(rows, halves.iter().map(|h| (h.bins.len(), h.record.bin_width_s)))
        }
        _ => {
            let mut bytes = Vec::with_capacity(rows);
            halves.iter().for_each(|h| bytes.extend_from_slice(h.bins));
            Arc::new(Int64Array::from(bytes))
        }
    }
}

/// Columns that differ from bin to bin.
const OF_BINS: [usize; 3] = [heatmap::BIN, heatmap::BIN_START_S, heatmap::BYTES];

impl FrozenHeatmap {
    fn halves(&self, number: usize) -> Vec<Half<'_>> {
        let records = self.records.iter().skip(number * RECORDS_PER_BATCH).take(RECORDS_PER_BATCH);
        let both = records.flat_map(|record| {
            [
                Half { record, op: Op::Read, bins: &record.read },
                Half { record, op: Op::Write, bins: &record.write },
            ]
        });
        both.collect()
    }

    fn rows_of(&self, halves: &[Half<'_>], columns: &[usize]) -> RecordBatch {
        let rows = halves.iter().map(|h| h.bins.len()).sum();
        let arrays = columns.iter().map(|&c| column(rows, halves, c)).collect();
        let options = RecordBatchOptions::new().with_row_count(Some(rows));
        RecordBatch::try_new_with_options(projected(&self.schema, columns), arrays, &options)
            .expect("columns follow the definition")
    }
}

impl BatchSource for FrozenHeatmap {
    fn def(&self) -> &'static TableDef {
        TableId::Heatmap.def()
    }

    fn rows(&self) -> usize {
        self.records.iter().map(|r| r.write.len() + r.read.len()).sum()
    }

    fn batches(&self) -> usize {
        self.records.len().div_ceil(RECORDS_PER_BATCH)
    }

    fn batch(&self, number: usize, columns: &[usize]) -> RecordBatch {
        self.rows_of(&self.halves(number), columns)
    }

    /// One for each direction of a record: what is the same in all of its bins.
    fn runs(&self, number: usize, columns: &[usize]) -> (Vec<usize>, RecordBatch) {
        if columns.iter().any(|column| OF_BINS.contains(column)) {
            let batch = self.batch(number, columns);
            return (vec![1; batch.num_rows()], batch);
        }
        let mut halves = self.halves(number);
        halves.retain(|half| !half.bins.is_empty());
        let lengths = halves.iter().map(|half| half.bins.len()).collect();
        halves.iter_mut().for_each(|half| half.bins = &half.bins[..1]);
        (lengths, self.rows_of(&halves, columns))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::cast::AsArray;

    #[test]
    fn a_run_has_the_bins_of_one_direction() {
        let mut table = HeatmapTable::default();
        for (rank, read, write) in [(0, vec![1, 2], vec![]), (1, vec![3], vec![4, 5, 6])] {
            table.push(HeatmapRecord { rank, read, write, ..HeatmapRecord::default() });
        }
        let table = table.finish();
        let (lengths, runs) = table.runs(0, &[heatmap::RANK, heatmap::OP]);
        assert_eq!(lengths, [2, 1, 3]);
        assert_eq!(runs.column(0).as_primitive::<Int32Type>().values(), &[0, 1, 1]);
        let ops: Vec<_> = runs.column(1).as_string_view().iter().flatten().collect();
        assert_eq!(ops, ["read", "read", "write"]);
        // Bytes differ from bin to bin.
        let (lengths, runs) = table.runs(0, &[heatmap::OP, heatmap::BYTES]);
        assert_eq!((lengths, runs.num_rows()), (vec![1; 6], 6));
    }
}
