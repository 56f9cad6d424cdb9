//! `--file-list` and `--file-list-detailed`: one line per file.
//!
//! darshan-parser had them in 3.0 to 3.3. The lines are the same; only the
//! names of the MPI-IO time stamps differ: the original named six of the eight
//! it printed, so its names did not stand above their columns.
//!
//! Source: darshan-parser.c of 3.1 (commit f88a6e1f).

use super::base::NO_NAME;
use super::counters::{Counters, Record};
use super::explain;
use super::names::Names;
use super::text::Text;
use std::collections::HashMap;
use std::io;

/// Time stamps in a record: start and end of open, read, write and close.
const TIMESTAMPS: usize = 8;

/// Size bins for reads and for writes.
const SIZE_BINS: usize = 20;

/// What the lines of a module show.
struct Columns {
    /// Position of the first time stamp among the reals.
    timestamps: usize,
    /// Names of the columns of the time stamps.
    timestamp_names: [&'static str; TIMESTAMPS],
    /// Places of the counters of opens, and names of their columns.
    opens: Vec<(usize, &'static str)>,
    /// Position of the first size bin among the integers.
    sizes: Option<usize>,
}

/// A file, summed up over its records.
#[derive(Debug)]
struct FileSum {
    id: u64,
    processes: i64,
    slowest_s: f64,
    total_s: f64,
    timestamps: [f64; TIMESTAMPS],
    opens: Vec<i64>,
    sizes: [i64; SIZE_BINS],
}

/// Prints the list, files in the order in which they first occur.
pub(super) fn print(
    text: &mut Text<'_>,
    counters: &Counters<'_>,
    rows: &[usize],
    names: &Names<'_>,
    nprocs: i64,
    is_detailed: bool,
) -> io::Result<()> {
    let Some(columns) = Columns::of(counters) else { return Ok(()) };
    explain::file_list(text, is_detailed);
    columns.print_names(text, counters, is_detailed);
    for file in sums(&columns, counters, rows, nprocs) {
        text.u64(file.id).str("\t").str(names.name(file.id).unwrap_or(NO_NAME));
        text.str("\t").i64(file.processes).str("\t").f6(file.slowest_s);
        text.str("\t").f6(file.total_s / file.processes as f64);
        if is_detailed {
            for time_s in file.timestamps {
                text.str("\t").f6(time_s);
            }
            let sizes = columns.sizes.map_or(&[][..], |_| &file.sizes);
            for count in file.opens.iter().chain(sizes) {
                text.str("\t").i64(*count);
            }
        }
        text.str("\n");
        text.flush_full()?;
    }
    Ok(())
}

impl Columns {
    fn of(counters: &Counters<'_>) -> Option<Self> {
        let opens = |list: &[(&str, &'static str)]| {
            list.iter().map(|(counter, label)| (counters.int_at(counter), *label)).collect()
        };
        let posix_order = [
            "start_open",
            "start_read",
            "start_write",
            "start_close",
            "end_open",
            "end_read",
            "end_write",
            "end_close",
        ];
        let stdio_order = [
            "start_open",
            "start_close",
            "start_write",
            "start_read",
            "end_open",
            "end_close",
            "end_write",
            "end_read",
        ];
        let timestamps = counters.float_at("F_OPEN_START_TIMESTAMP");
        let (timestamp_names, opens, sizes) = match counters.def.name {
            "posix" => (posix_order, opens(&[("OPENS", "posix_opens")]), Some("SIZE_READ_0_100")),
            "mpiio" => (
                posix_order,
                opens(&[("INDEP_OPENS", "mpi_indep_opens"), ("COLL_OPENS", "mpi_coll_opens")]),
                Some("SIZE_READ_AGG_0_100"),
            ),
            "stdio" => (stdio_order, opens(&[("OPENS", "stdio_opens")]), None),
            _ => return None,
        };
        Some(Self { timestamps, timestamp_names, opens, sizes: sizes.map(|s| counters.int_at(s)) })
    }

    fn print_names(&self, text: &mut Text<'_>, counters: &Counters<'_>, is_detailed: bool) {
        text.str("\n# <record_id>\t<file_name>\t<nprocs>\t<slowest>\t<avg>");
        if is_detailed {
            let opens = self.opens.iter().map(|(_, label)| *label);
            let sizes = self.sizes.map_or(0..0, |first| first..first + SIZE_BINS);
            let sizes = sizes.filter_map(|at| counters.ints.get(at)).map(|c| c.name);
            for name in self.timestamp_names.into_iter().chain(opens).chain(sizes) {
                text.str("\t<").str(name).str(">");
            }
        }
        text.str("\n");
    }
}

fn sums(columns: &Columns, counters: &Counters<'_>, rows: &[usize], nprocs: i64) -> Vec<FileSum> {
    let mut numbers: HashMap<u64, usize> = HashMap::new();
    let mut files: Vec<FileSum> = Vec::new();
    let mut record = Record::default();
    let times = ["F_META_TIME", "F_READ_TIME", "F_WRITE_TIME"].map(|name| counters.float_at(name));
    let slowest = counters.float_at("F_SLOWEST_RANK_TIME");
    for &row in rows {
        counters.load(row, &mut record);
        let number = *numbers.entry(record.file_id).or_insert_with(|| {
            files.push(FileSum::new(record.file_id, columns.opens.len()));
            files.len() - 1
        });
        let Some(file) = files.get_mut(number) else { continue };
        let [meta, read, write] = times.map(|at| record.floats[at]);
        let time_s = meta + read + write;
        if record.rank == -1 {
            file.processes = nprocs;
            file.slowest_s = record.floats[slowest];
        } else {
            file.processes += 1;
            file.slowest_s = file.slowest_s.max(time_s);
        }
        file.total_s += time_s;
        file.add(columns, &record);
    }
    files
}

impl FileSum {
    fn new(id: u64, opens: usize) -> Self {
        Self {
            id,
            processes: 0,
            slowest_s: 0.0,
            total_s: 0.0,
            timestamps: [0.0; TIMESTAMPS],
            opens: vec![0; opens],
            sizes: [0; SIZE_BINS],
        }
    }

    fn add(&mut self, columns: &Columns, record: &Record) {
        let new = &record.floats[columns.timestamps..columns.timestamps + TIMESTAMPS];
        for (at, (old, new)) in self.timestamps.iter_mut().zip(new).enumerate() {
            let is_start = at < TIMESTAMPS / 2;
            // A start of 0 wins as well, unless a later record has one: the
            // original did not tell "never" from "at once".
            if *old == 0.0 || (is_start && *old > *new) || (!is_start && *old < *new) {
                *old = *new;
            }
        }
        for (sum, (at, _)) in self.opens.iter_mut().zip(&columns.opens) {
            *sum = sum.wrapping_add(record.ints[*at]);
        }
        if let Some(first) = columns.sizes {
            for (sum, calls) in self.sizes.iter_mut().zip(&record.ints[first..]) {
                *sum = sum.wrapping_add(*calls);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use diya_tables::{FileRow, TableId, Tables, posix};

    fn tables() -> Tables {
        let mut tables = Tables::new();
        for (rank, start, opens) in [(0, 0.5, 1), (1, 0.25, 2)] {
            let t = tables.builder(TableId::Posix);
            t.push_i32(0, Some(0));
            t.push_u64(1, Some(7));
            t.push_i32(2, Some(rank));
            for column in posix::OPENS..=posix::SLOWEST_RANK_BYTES {
                t.push_counter(column, if column == posix::OPENS { opens } else { 0 }, false);
            }
            t.push_f_counter(posix::F_OPEN_START_TIMESTAMP, start, false);
            t.push_f_counter(posix::F_META_TIME, start, false);
            t.push_f_counter(posix::F_READ_TIME, 1.0, false);
            t.push_f_counter(posix::F_WRITE_TIME, 0.0, false);
            t.end_row();
        }
        let (mount, fs_type) = (None, None);
        let path = Some("/a");
        tables.push_file(FileRow {
            log: 0,
            file_id: 7,
            path,
            mount,
            fs_type,
            is_path_suffix: false,
            kind: None,
            parent_id: None,
        });
        tables
    }

    fn line(is_detailed: bool) -> String {
        let tables = tables();
        let counters = Counters::of(TableId::Posix, tables.table(TableId::Posix), Some(4));
        let names = Names::of(&tables);
        let mut out = Vec::new();
        let mut text = Text::new(&mut out);
        print(&mut text, &counters, &[0, 1], &names, 8, is_detailed).expect("a vector");
        text.finish().expect("a vector takes everything");
        let out = String::from_utf8(out).expect("text");
        out.lines().find(|l| !l.starts_with('#') && !l.is_empty()).expect("a line").to_string()
    }

    #[test]
    fn a_file_is_one_line() {
        assert_eq!(line(false), "7\t/a\t2\t1.500000\t1.375000");
    }

    #[test]
    fn the_detailed_line_has_times_opens_and_sizes() {
        let line = line(true);
        let fields: Vec<&str> = line.split('\t').collect();
        assert_eq!(fields.len(), 5 + 8 + 1 + 20);
        assert_eq!(fields[5], "0.250000", "first open");
        assert_eq!(fields[13], "3", "opens");
    }
}
