//! `--file` and `--perf`: files by how they were used, and the bandwidth.
//!
//! Time is taken from the slowest rank: its time in files of its own, plus,
//! for each file of all ranks, the time of the rank that was slowest there.
//!
//! Source: darshan-logutils-accumulator.c and the log_record_metrics functions
//! of darshan-{posix,mpiio,stdio,dfs,daos}-logutils.c (3.5.0).

use super::counters::{Counters, Record};
use super::modules::Module;
use super::text::Text;
use std::collections::{BTreeMap, HashMap};

const MIB: f64 = 1_048_576.0;

/// Positions of the counters that are needed.
#[derive(Debug)]
struct CounterIndex {
    bytes_read: usize,
    bytes_written: usize,
    /// Highest offsets read and written, where the module counts them.
    max_bytes: Option<(usize, usize)>,
    f_meta: usize,
    f_read: usize,
    f_write: usize,
    f_slowest: usize,
}

/// What is known of a file after all its records.
#[derive(Debug, Clone, Copy, Default)]
struct FileUse {
    bytes_read: i64,
    bytes_written: i64,
    /// -1: the module does not count offsets.
    max_offset: i64,
    /// -1: all processes.
    processes: i64,
}

/// Files of one kind, summed up.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct FileTotals {
    files: i64,
    bytes: i64,
    max_offset: i64,
}

/// Times of a rank in files that are not shared by all.
#[derive(Debug, Clone, Copy, Default)]
struct RankTimes {
    total_s: f64,
    meta_s: f64,
    rw_s: f64,
}

/// Sums while records are added.
#[derive(Debug)]
pub(super) struct Derived {
    places: CounterIndex,
    files: HashMap<u64, usize>,
    uses: Vec<FileUse>,
    total_bytes: i64,
    /// A record said how many bytes it moved.
    has_bytes: bool,
    /// A record says that it moved fewer bytes than none.
    has_overflow: bool,
    shared_s: f64,
    /// Only ranks that have records: a log may claim any number of processes.
    ranks: BTreeMap<i32, RankTimes>,
}

impl Derived {
    pub fn new(module: &Module<'_>, counters: &Counters<'_>) -> Self {
        let has_offsets = matches!(module.name, "POSIX" | "STDIO");
        let max_bytes = has_offsets
            .then(|| (counters.int_at("MAX_BYTE_READ"), counters.int_at("MAX_BYTE_WRITTEN")));
        let places = CounterIndex {
            bytes_read: counters.int_at("BYTES_READ"),
            bytes_written: counters.int_at("BYTES_WRITTEN"),
            max_bytes,
            f_meta: counters.float_at("F_META_TIME"),
            f_read: counters.float_at("F_READ_TIME"),
            f_write: counters.float_at("F_WRITE_TIME"),
            f_slowest: counters.float_at("F_SLOWEST_RANK_TIME"),
        };
        Self {
            places,
            files: HashMap::new(),
            uses: Vec::new(),
            total_bytes: 0,
            has_bytes: false,
            has_overflow: false,
            shared_s: 0.0,
            ranks: BTreeMap::new(),
        }
    }

    /// Adds a record.
    pub fn add(&mut self, record: &Record) {
        let p = &self.places;
        let (read, written) = (record.ints[p.bytes_read], record.ints[p.bytes_written]);
        let offset = p.max_bytes.map_or(-1, |(r, w)| record.ints[r].max(record.ints[w]));
        // -1 is not counted; a number below is an overflow of Darshan's own, and is a number.
        self.has_bytes |= read != -1 || written != -1;
        self.has_overflow |= read < -1 || written < -1;
        self.total_bytes = self.total_bytes.wrapping_add(read).wrapping_add(written);
        if record.rank < 0 {
            self.shared_s += record.floats[p.f_slowest];
        } else {
            let (meta, read) = (record.floats[p.f_meta], record.floats[p.f_read]);
            let write = record.floats[p.f_write];
            let times = self.ranks.entry(record.rank).or_default();
            times.total_s += meta + read + write;
            times.meta_s += meta;
            times.rw_s += read + write;
        }
        let number = *self.files.entry(record.file_id).or_insert_with(|| {
            self.uses.push(FileUse::default());
            self.uses.len() - 1
        });
        let Some(file) = self.uses.get_mut(number) else { return };
        file.bytes_read = file.bytes_read.wrapping_add(read);
        file.bytes_written = file.bytes_written.wrapping_add(written);
        file.max_offset = if offset == -1 { -1 } else { file.max_offset.max(offset) };
        file.processes = if record.rank < 0 { -1 } else { file.processes + 1 };
    }

    /// There are records, and none says how many bytes it moved: legacy logs
    /// count the bytes of MPI-IO calls in the POSIX calls below only.
    pub fn lacks_bytes(&self) -> bool {
        !self.uses.is_empty() && !self.has_bytes
    }

    /// Some of the bytes are an overflow of Darshan's counter: sums are as wrong as they are.
    pub fn has_overflow(&self) -> bool {
        self.has_overflow
    }

    /// Prints the `--file` lines.
    pub fn print_files(&self, text: &mut Text<'_>) {
        let all = |_: &FileUse| true;
        let read_only = |f: &FileUse| f.bytes_read > 0 && f.bytes_written == 0;
        let write_only = |f: &FileUse| f.bytes_written > 0 && f.bytes_read == 0;
        let read_write = |f: &FileUse| f.bytes_written > 0 && f.bytes_read > 0;
        let unique = |f: &FileUse| f.processes == 1;
        let by_all = self.kind(|f| f.processes == -1);
        let by_some = self.kind(|f| f.processes != 1 && f.processes != -1);
        let shared = FileTotals {
            files: by_all.files + by_some.files,
            bytes: by_all.bytes.wrapping_add(by_some.bytes),
            // A sum, not the larger one: as darshan-parser prints it.
            max_offset: by_all.max_offset.wrapping_add(by_some.max_offset),
        };
        super::explain::file_kinds(text);
        for (label, kind) in [
            ("total", self.kind(all)),
            ("read_only", self.kind(read_only)),
            ("write_only", self.kind(write_only)),
            ("read_write", self.kind(read_write)),
            ("unique", self.kind(unique)),
            ("shared", shared),
        ] {
            text.str("# ").str(label).str(": ").i64(kind.files).str(" ");
            text.i64(kind.bytes).str(" ").i64(kind.max_offset).str("\n");
        }
    }

    fn kind(&self, is_of_kind: impl Fn(&FileUse) -> bool) -> FileTotals {
        let mut kind = FileTotals::default();
        for file in self.uses.iter().filter(|f| is_of_kind(f)) {
            kind.files += 1;
            kind.bytes = kind.bytes.wrapping_add(file.bytes_read).wrapping_add(file.bytes_written);
            let is_counted = file.max_offset != -1;
            kind.max_offset = if is_counted { kind.max_offset.max(file.max_offset) } else { -1 };
        }
        kind
    }

    /// Prints the `--perf` lines.
    pub fn print_perf(&self, text: &mut Text<'_>) {
        let mut slowest = (0, RankTimes::default());
        for (rank, times) in &self.ranks {
            if times.total_s > slowest.1.total_s {
                slowest = (*rank, *times);
            }
        }
        let (rank, times) = slowest;
        let time_s = times.total_s + self.shared_s;
        let mib_per_s = if time_s == 0.0 { 0.0 } else { self.total_bytes as f64 / MIB / time_s };
        let dots = "# ...........................\n";
        text.str("\n# performance\n# -----------\n");
        text.str("# total_bytes: ").i64(self.total_bytes);
        text.str("\n#\n# I/O timing for unique files (seconds):\n").str(dots);
        text.str("# unique files: slowest_rank_io_time: ").f6(times.total_s);
        text.str("\n# unique files: slowest_rank_meta_only_time: ").f6(times.meta_s);
        text.str("\n# unique files: slowest_rank_rw_only_time: ").f6(times.rw_s);
        text.str("\n# unique files: slowest_rank: ").i64(i64::from(rank));
        text.str("\n#\n# I/O timing for shared files (seconds):\n").str(dots);
        text.str("# shared files: time_by_slowest: ").f6(self.shared_s);
        text.str("\n#\n# Aggregate performance, including both shared and unique files:\n")
            .str(dots);
        text.str("# agg_time_by_slowest: ").f6(time_s).str(" # seconds\n");
        text.str("# agg_perf_by_slowest: ").f6(mib_per_s).str(" # MiB/s\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::modules::{Module, Printer};
    use diya_tables::TableId;

    /// (file, rank, bytes read, bytes written, time in writes)
    type Row = (u64, i32, i64, i64, f64);

    fn printed(print: impl Fn(&Derived, &mut Text<'_>), rows: &[Row]) -> String {
        let module = Module {
            name: "POSIX",
            id: Some(1),
            version: Some(4),
            stored_bytes: Some(1),
            is_partial: false,
            is_decoded: true,
            printer: Printer::Counters(TableId::Posix),
        };
        let counters = Counters::of(TableId::Posix, None, module.version);
        let mut derived = Derived::new(&module, &counters);
        for &(file_id, rank, read, written, time_s) in rows {
            let mut record = Record { file_id, rank, ..Record::default() };
            record.ints = vec![0; counters.ints.len()];
            record.floats = vec![0.0; counters.floats.len()];
            record.ints[counters.int_at("BYTES_READ")] = read;
            record.ints[counters.int_at("BYTES_WRITTEN")] = written;
            record.ints[counters.int_at("MAX_BYTE_WRITTEN")] = written.max(1) - 1;
            record.floats[counters.float_at("F_WRITE_TIME")] = time_s;
            record.floats[counters.float_at("F_SLOWEST_RANK_TIME")] = time_s;
            derived.add(&record);
        }
        let mut out = Vec::new();
        let mut text = Text::new(&mut out);
        print(&derived, &mut text);
        text.finish().expect("a vector takes everything");
        String::from_utf8(out).expect("text")
    }

    #[test]
    fn fewer_bytes_than_none_are_an_overflow_and_are_printed() {
        let rows: [Row; 1] = [(1, 0, -2_147_479_552, -1, 0.0)];
        let says = |derived: &Derived, text: &mut Text<'_>| {
            let (lacks, over) = (derived.lacks_bytes(), derived.has_overflow());
            text.str(if lacks { "lacks" } else { "has" }).str(if over { " over" } else { "" });
        };
        assert_eq!(printed(says, &rows), "has over");
        assert!(printed(Derived::print_files, &rows).contains("# total: 1 -2147479553 0\n"));
        assert_eq!(printed(says, &[(1, 0, -1, -1, 0.0)]), "lacks");
    }

    #[test]
    fn a_file_of_some_ranks_is_shared_too() {
        let rows: [Row; 4] =
            [(1, -1, 0, 100, 0.0), (2, 0, 50, 0, 0.0), (2, 1, 50, 0, 0.0), (3, 0, 1, 1, 0.0)];
        let text = printed(Derived::print_files, &rows);
        for line in [
            "# total: 3 202 99",
            "# read_only: 1 100 0",
            "# write_only: 1 100 99",
            "# read_write: 1 2 0",
            "# unique: 1 2 0",
            "# shared: 2 200 99",
        ] {
            assert!(text.lines().any(|l| l == line), "no line {line} in\n{text}");
        }
    }

    #[test]
    fn bandwidth_is_that_of_the_slowest_rank() {
        let rows: [Row; 3] =
            [(1, 0, 0, 1 << 20, 1.0), (2, 1, 0, 1 << 20, 2.0), (3, -1, 0, 4 << 20, 1.0)];
        let text = printed(Derived::print_perf, &rows);
        assert!(text.contains("# unique files: slowest_rank: 1\n"), "{text}");
        assert!(text.contains("# agg_time_by_slowest: 3.000000 # seconds\n"), "{text}");
        assert!(text.contains("# agg_perf_by_slowest: 2.000000 # MiB/s\n"), "{text}");
    }

    #[test]
    fn no_time_is_no_bandwidth() {
        let text = printed(Derived::print_perf, &[(1, 0, 0, 10, 0.0)]);
        assert!(text.contains("# agg_perf_by_slowest: 0.000000 # MiB/s\n"), "{text}");
    }
}
