//! Rows of the counter tables, made from one record.
//!
//! Which table a shared counter goes to is decided in `layers.rs`. A column
//! that a record of that version cannot fill is not pushed, which makes it null.

use super::clock::Clock;
use super::counters::*;
use super::layers::Layers;
use super::record::Record;
use super::version::Version;
use diya_tables::{TableBuilder, TableId, Tables, hdf5_file, mpiio, pnetcdf_file, posix, stdio};

/// A column and the counter it takes.
type Pair = (usize, usize);

const POSIX_CALLS: [Pair; 8] = [
    (posix::OPENS, POSIX_OPENS),
    (posix::READS, POSIX_READS),
    (posix::WRITES, POSIX_WRITES),
    (posix::SEEKS, POSIX_SEEKS),
    (posix::STATS, POSIX_STATS),
    (posix::MMAPS, POSIX_MMAPS),
    (posix::FSYNCS, POSIX_FSYNCS),
    (posix::FDSYNCS, POSIX_FDSYNCS),
];
const POSIX_DATA: [Pair; 8] = [
    (posix::BYTES_READ, BYTES_READ),
    (posix::BYTES_WRITTEN, BYTES_WRITTEN),
    (posix::MAX_BYTE_READ, MAX_BYTE_READ),
    (posix::MAX_BYTE_WRITTEN, MAX_BYTE_WRITTEN),
    (posix::RW_SWITCHES, RW_SWITCHES),
    (posix::MEM_NOT_ALIGNED, MEM_NOT_ALIGNED),
    (posix::MAX_READ_TIME_SIZE, MAX_READ_TIME_SIZE),
    (posix::MAX_WRITE_TIME_SIZE, MAX_WRITE_TIME_SIZE),
];
/// Darshan clears these in a condensed record: they describe one file.
const POSIX_ORDER: [Pair; 4] = [
    (posix::CONSEC_READS, CONSEC_READS),
    (posix::CONSEC_WRITES, CONSEC_WRITES),
    (posix::SEQ_READS, SEQ_READS),
    (posix::SEQ_WRITES, SEQ_WRITES),
];
/// Runs of columns that lie side by side in both, and their length.
const POSIX_SIZES: [(usize, usize, usize); 2] =
    [(posix::SIZE_READ_0_100, SIZE_READ, 10), (posix::SIZE_WRITE_0_100, SIZE_WRITE, 10)];
const POSIX_COMMON: [(usize, usize, usize); 4] = [
    (posix::STRIDE1_STRIDE, STRIDES, 4),
    (posix::STRIDE1_COUNT, STRIDE_COUNTS, 4),
    (posix::ACCESS1_ACCESS, ACCESSES, 4),
    (posix::ACCESS1_COUNT, ACCESS_COUNTS, 4),
];
const MPIIO_CALLS: [Pair; 13] = [
    (mpiio::INDEP_OPENS, INDEP_OPENS),
    (mpiio::COLL_OPENS, COLL_OPENS),
    (mpiio::INDEP_READS, INDEP_READS),
    (mpiio::INDEP_WRITES, INDEP_WRITES),
    (mpiio::COLL_READS, COLL_READS),
    (mpiio::COLL_WRITES, COLL_WRITES),
    (mpiio::SPLIT_READS, SPLIT_READS),
    (mpiio::SPLIT_WRITES, SPLIT_WRITES),
    (mpiio::NB_READS, NB_READS),
    (mpiio::NB_WRITES, NB_WRITES),
    (mpiio::SYNCS, SYNCS),
    (mpiio::HINTS, HINTS),
    (mpiio::VIEWS, VIEWS),
];
const MPIIO_SIZES: [(usize, usize, usize); 2] = [
    (mpiio::SIZE_READ_AGG_0_100, SIZE_READ_AGG, 10),
    (mpiio::SIZE_WRITE_AGG_0_100, SIZE_WRITE_AGG, 10),
];
/// Columns for points in time, in the order of the six stored ones.
const POSIX_TIMES: [usize; TIMESTAMPS] = [
    posix::F_OPEN_START_TIMESTAMP,
    posix::F_READ_START_TIMESTAMP,
    posix::F_WRITE_START_TIMESTAMP,
    posix::F_CLOSE_END_TIMESTAMP,
    posix::F_READ_END_TIMESTAMP,
    posix::F_WRITE_END_TIMESTAMP,
];
const STDIO_TIMES: [usize; TIMESTAMPS] = [
    stdio::F_OPEN_START_TIMESTAMP,
    stdio::F_READ_START_TIMESTAMP,
    stdio::F_WRITE_START_TIMESTAMP,
    stdio::F_CLOSE_END_TIMESTAMP,
    stdio::F_READ_END_TIMESTAMP,
    stdio::F_WRITE_END_TIMESTAMP,
];
const MPIIO_TIMES: [usize; TIMESTAMPS] = [
    mpiio::F_OPEN_START_TIMESTAMP,
    mpiio::F_READ_START_TIMESTAMP,
    mpiio::F_WRITE_START_TIMESTAMP,
    mpiio::F_CLOSE_END_TIMESTAMP,
    mpiio::F_READ_END_TIMESTAMP,
    mpiio::F_WRITE_END_TIMESTAMP,
];
const OPEN_CLOSE: [usize; 2] = [F_OPEN_TIMESTAMP, F_CLOSE_TIMESTAMP];
const READ_WRITE: [usize; 4] = [F_READ_START, F_WRITE_START, F_READ_END, F_WRITE_END];

/// A record on its way into a table.
pub(super) struct Row<'r> {
    pub log: i32,
    pub rank: i32,
    pub record: &'r Record<'r>,
    pub layers: Layers,
    pub clock: Clock,
    pub meaning: Version,
}

impl Row<'_> {
    /// Appends the start of a row; all counter tables begin alike.
    fn begin<'t>(&self, table: TableId, tables: &'t mut Tables) -> &'t mut TableBuilder {
        let t = tables.builder(table);
        t.push_i32(posix::LOG, Some(self.log));
        t.push_u64(posix::FILE_ID, Some(self.record.file_id));
        t.push_i32(posix::RANK, Some(self.rank));
        t
    }

    fn push(&self, t: &mut TableBuilder, (column, counter): Pair) {
        if let Some(value) = self.record.ints.get(counter).copied().flatten() {
            t.push_counter(column, value, self.record.is_shared());
        }
    }

    fn push_run(&self, t: &mut TableBuilder, (column, counter, len): (usize, usize, usize)) {
        (0..len).for_each(|i| self.push(t, (column + i, counter + i)));
    }

    fn stored(&self, real: usize) -> Option<f64> {
        self.record.reals.get(real).copied().flatten()
    }

    fn push_duration(&self, t: &mut TableBuilder, (column, real): Pair) {
        if let Some(time) = self.clock.duration_s(self.stored(real)) {
            t.push_f_counter(column, time, self.record.is_shared());
        }
    }

    /// `columns` is in the order of the stored points in time.
    fn push_times(&self, t: &mut TableBuilder, columns: [usize; TIMESTAMPS], reals: &[usize]) {
        for real in reals {
            if let Some(column) = columns.get(*real) {
                t.push_f64(*column, self.clock.since_start_s(self.stored(*real)));
            }
        }
    }

    /// From 2.05 on ranks are compared by their time in MPI-IO calls if they
    /// made any; before, always by their time in POSIX and stream calls.
    fn compares_mpiio_time(&self) -> bool {
        let times = [F_MPI_META_TIME, F_MPI_READ_TIME, F_MPI_WRITE_TIME];
        self.meaning >= Version(205) && times.iter().any(|time| self.record.real(*time) > 0.0)
    }

    /// The counter, without the largest 32-bit number where that was a limit.
    fn max_byte(&self, counter: usize) -> Option<i64> {
        let value = self.record.ints.get(counter).copied().flatten()?;
        (value >= 0 && !is_clipped(self.meaning, value)).then_some(value)
    }

    pub fn push_posix(&self, tables: &mut Tables) {
        let is_one_file = !self.record.is_condensed();
        let t = self.begin(TableId::Posix, tables);
        POSIX_CALLS.iter().for_each(|pair| self.push(t, *pair));
        // An MPI-IO open leaves its own access mode in the one field for both.
        if is_one_file && !self.layers.has_mpiio {
            self.push(t, (posix::MODE, MODE));
        }
        if is_one_file {
            self.push(t, (posix::MEM_ALIGNMENT, MEM_ALIGNMENT));
        }
        if self.layers.is_stream_data {
            self.push_no_data(t);
        } else {
            self.push_posix_data(t);
        }
        self.push_duration(t, (posix::F_META_TIME, F_POSIX_META_TIME));
        self.push_times(t, POSIX_TIMES, &OPEN_CLOSE);
        if !self.compares_mpiio_time() {
            self.push(t, (posix::FASTEST_RANK, FASTEST_RANK));
            self.push(t, (posix::FASTEST_RANK_BYTES, FASTEST_RANK_BYTES));
            self.push(t, (posix::SLOWEST_RANK, SLOWEST_RANK));
            self.push(t, (posix::SLOWEST_RANK_BYTES, SLOWEST_RANK_BYTES));
            self.push_duration(t, (posix::F_FASTEST_RANK_TIME, F_FASTEST_RANK_TIME));
            self.push_duration(t, (posix::F_SLOWEST_RANK_TIME, F_SLOWEST_RANK_TIME));
        }
        self.push_duration(t, (posix::F_VARIANCE_RANK_TIME, F_VARIANCE_RANK_TIME));
        if let Some(bytes2) = self.stored(F_VARIANCE_RANK_BYTES) {
            t.push_f_counter(posix::F_VARIANCE_RANK_BYTES, bytes2, self.record.is_shared());
        }
        t.end_row();
    }

    fn push_posix_data(&self, t: &mut TableBuilder) {
        for pair in POSIX_DATA {
            match pair {
                (column, counter @ (MAX_BYTE_READ | MAX_BYTE_WRITTEN)) => {
                    t.push_i64(column, self.max_byte(counter));
                }
                pair => self.push(t, pair),
            }
        }
        POSIX_SIZES.iter().for_each(|run| self.push_run(t, *run));
        if !self.record.is_condensed() {
            POSIX_ORDER.iter().for_each(|pair| self.push(t, *pair));
            POSIX_COMMON.iter().for_each(|run| self.push_run(t, *run));
            // Without a known alignment nothing could be off it; and where
            // "not available" is -1, a shared record holds the sum of those.
            if self.record.int(FILE_ALIGNMENT) > 0 {
                self.push(t, (posix::FILE_ALIGNMENT, FILE_ALIGNMENT));
                self.push(t, (posix::FILE_NOT_ALIGNED, FILE_NOT_ALIGNED));
            }
        }
        self.push_duration(t, (posix::F_READ_TIME, F_POSIX_READ_TIME));
        self.push_duration(t, (posix::F_WRITE_TIME, F_POSIX_WRITE_TIME));
        self.push_duration(t, (posix::F_MAX_READ_TIME, F_MAX_READ_TIME));
        self.push_duration(t, (posix::F_MAX_WRITE_TIME, F_MAX_WRITE_TIME));
        self.push_times(t, POSIX_TIMES, &READ_WRITE);
    }

    /// All data in the record are those of streams, so POSIX calls moved none:
    /// its zeros are measured.
    fn push_no_data(&self, t: &mut TableBuilder) {
        for (column, _) in POSIX_DATA.into_iter().chain(POSIX_ORDER) {
            t.push_i64(column, Some(0));
        }
        for (column, _, len) in POSIX_SIZES.into_iter().chain(POSIX_COMMON) {
            (column..column + len).for_each(|column| t.push_i64(column, Some(0)));
        }
        for column in [posix::F_READ_TIME, posix::F_WRITE_TIME] {
            t.push_f64(column, self.clock.duration_s(Some(0.0)));
        }
    }

    pub fn push_stdio(&self, tables: &mut Tables) {
        let Layers { has_posix, is_stream_data, is_mixed_data, .. } = self.layers;
        let t = self.begin(TableId::Stdio, tables);
        self.push(t, (stdio::OPENS, POSIX_FOPENS));
        self.push(t, (stdio::READS, POSIX_FREADS));
        self.push(t, (stdio::WRITES, POSIX_FWRITES));
        self.push(t, (stdio::SEEKS, POSIX_FSEEKS));
        if is_stream_data {
            self.push(t, (stdio::BYTES_READ, BYTES_READ));
            self.push(t, (stdio::BYTES_WRITTEN, BYTES_WRITTEN));
            t.push_i64(stdio::MAX_BYTE_READ, self.max_byte(MAX_BYTE_READ));
            t.push_i64(stdio::MAX_BYTE_WRITTEN, self.max_byte(MAX_BYTE_WRITTEN));
            self.push_duration(t, (stdio::F_READ_TIME, F_POSIX_READ_TIME));
            self.push_duration(t, (stdio::F_WRITE_TIME, F_POSIX_WRITE_TIME));
            self.push_times(t, STDIO_TIMES, &READ_WRITE);
        } else if !is_mixed_data {
            t.push_i64(stdio::BYTES_READ, Some(0));
            t.push_i64(stdio::BYTES_WRITTEN, Some(0));
        }
        if !has_posix {
            self.push_duration(t, (stdio::F_META_TIME, F_POSIX_META_TIME));
            self.push_times(t, STDIO_TIMES, &OPEN_CLOSE);
            self.push_stdio_ranks(t);
        }
        t.end_row();
    }

    fn push_stdio_ranks(&self, t: &mut TableBuilder) {
        if !self.compares_mpiio_time() {
            self.push(t, (stdio::FASTEST_RANK, FASTEST_RANK));
            self.push(t, (stdio::FASTEST_RANK_BYTES, FASTEST_RANK_BYTES));
            self.push(t, (stdio::SLOWEST_RANK, SLOWEST_RANK));
            self.push(t, (stdio::SLOWEST_RANK_BYTES, SLOWEST_RANK_BYTES));
            self.push_duration(t, (stdio::F_FASTEST_RANK_TIME, F_FASTEST_RANK_TIME));
            self.push_duration(t, (stdio::F_SLOWEST_RANK_TIME, F_SLOWEST_RANK_TIME));
        }
        self.push_duration(t, (stdio::F_VARIANCE_RANK_TIME, F_VARIANCE_RANK_TIME));
        if let Some(bytes2) = self.stored(F_VARIANCE_RANK_BYTES) {
            t.push_f_counter(stdio::F_VARIANCE_RANK_BYTES, bytes2, self.record.is_shared());
        }
    }

    pub fn push_mpiio(&self, tables: &mut Tables) {
        let t = self.begin(TableId::Mpiio, tables);
        MPIIO_CALLS.iter().for_each(|pair| self.push(t, *pair));
        if !self.record.is_condensed() {
            self.push(t, (mpiio::MODE, MODE));
        }
        MPIIO_SIZES.iter().for_each(|run| self.push_run(t, *run));
        self.push_duration(t, (mpiio::F_META_TIME, F_MPI_META_TIME));
        self.push_duration(t, (mpiio::F_READ_TIME, F_MPI_READ_TIME));
        self.push_duration(t, (mpiio::F_WRITE_TIME, F_MPI_WRITE_TIME));
        self.push_times(t, MPIIO_TIMES, &OPEN_CLOSE);
        self.push_times(t, MPIIO_TIMES, &READ_WRITE);
        // The bytes of these ranks are those of their POSIX calls: no column.
        if self.compares_mpiio_time() {
            self.push(t, (mpiio::FASTEST_RANK, FASTEST_RANK));
            self.push(t, (mpiio::SLOWEST_RANK, SLOWEST_RANK));
            self.push_duration(t, (mpiio::F_FASTEST_RANK_TIME, F_FASTEST_RANK_TIME));
            self.push_duration(t, (mpiio::F_SLOWEST_RANK_TIME, F_SLOWEST_RANK_TIME));
        }
        t.end_row();
    }

    pub fn push_hdf5(&self, tables: &mut Tables) {
        let t = self.begin(TableId::Hdf5File, tables);
        self.push(t, (hdf5_file::OPENS, HDF5_OPENS));
        t.end_row();
    }

    pub fn push_pnetcdf(&self, tables: &mut Tables) {
        let t = self.begin(TableId::PnetcdfFile, tables);
        self.push(t, (pnetcdf_file::INDEP_OPENS, INDEP_NC_OPENS));
        self.push(t, (pnetcdf_file::COLL_OPENS, COLL_NC_OPENS));
        t.end_row();
    }
}

/// Up to 2.01 a 32-bit machine could not count offsets beyond this one.
///
/// Source: ChangeLog of Darshan 2.2.0.
pub(super) fn is_clipped(meaning: Version, max_byte: i64) -> bool {
    meaning <= Version(201) && max_byte == i64::from(i32::MAX)
}
