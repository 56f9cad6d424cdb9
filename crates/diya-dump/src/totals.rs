//! `--total`: one record that stands for all records of a module.
//!
//! Counts add up, extremes stay extremes, alignments are those of the last
//! record. Fastest and slowest rank mean something only while all records are
//! of one file. Variances cannot be combined: they are 0.
//!
//! Source: the log_agg_records functions of
//! darshan-{posix,mpiio,stdio,dfs,daos}-logutils.c (3.5.0).

use super::access::{self, COMMON};
use super::counters::{Counters, Record};
use super::modules::Module;
use super::ranks::{NO_SIDE, Ranks, Side};
use super::text::Text;

/// How the integers of two records become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum IntRule {
    Sum,
    Max,
    Last,
    /// First of [`COMMON`] integers that are merged together.
    Common,
    /// Comes with another counter, or is not combined at all.
    Other,
}

/// How the reals of two records become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FloatRule {
    Sum,
    MinNotZero,
    Max,
    /// Largest duration; the size of that request, an integer, goes with it.
    Longest {
        size: usize,
    },
    Fastest,
    Slowest,
    Zero,
}

/// Totals while records are added.
#[derive(Debug)]
pub(super) struct Totals<'c> {
    counters: &'c Counters<'c>,
    ints: Vec<IntRule>,
    floats: Vec<FloatRule>,
    ranks: Ranks,
    /// Sums below 0 are set to -1: a counter that is not available stays so.
    clamps: bool,
    /// A record without a first common value is not merged.
    needs_first_value: bool,
    /// File and integers and reals so far; `None` before the first record.
    file_id: Option<u64>,
    sum: Record,
}

impl<'c> Totals<'c> {
    pub fn new(module: &Module<'_>, counters: &'c Counters<'c>) -> Self {
        let sum = Record {
            ints: vec![0; counters.ints.len()],
            floats: vec![0.0; counters.floats.len()],
            ..Record::default()
        };
        Self {
            counters,
            ints: counters.ints.iter().map(|c| int_rule(c.short_name())).collect(),
            floats: counters.floats.iter().map(|c| float_rule(counters, c.short_name())).collect(),
            ranks: Ranks::of(counters),
            // Legacy records lack so many counters that sums of -1 would mislead.
            clamps: matches!(module.name, "POSIX" | "DFS" | "DAOS") || module.version.is_none(),
            needs_first_value: module.name == "MPI-IO",
            file_id: None,
            sum,
        }
    }

    /// Adds a record.
    pub fn add(&mut self, record: &Record) {
        let is_first = self.file_id.is_none();
        let first_id = *self.file_id.get_or_insert(record.file_id);
        let is_one_file = first_id == record.file_id;
        if !is_one_file {
            // As darshan-util: from here on only records with id 0 match.
            self.file_id = Some(0);
        }
        for at in 0..self.ints.len() {
            self.add_int(at, record);
        }
        for at in 0..self.floats.len() {
            let value = record.floats[at];
            let old = self.sum.floats[at];
            match self.floats[at] {
                FloatRule::Sum => self.sum.floats[at] += value,
                FloatRule::MinNotZero => {
                    if value > 0.0 && (old == 0.0 || value < old) {
                        self.sum.floats[at] = value;
                    }
                }
                FloatRule::Max => {
                    if value > old {
                        self.sum.floats[at] = value;
                    }
                }
                FloatRule::Longest { size } => {
                    if value > old {
                        self.sum.floats[at] = value;
                        self.sum.ints[size] = record.ints[size];
                    }
                }
                FloatRule::Fastest => {
                    let side = self.ranks.fastest_of(record);
                    let wins = is_first || side.time_s < old;
                    self.set_fastest(if !is_one_file {
                        Some(NO_SIDE)
                    } else {
                        wins.then_some(side)
                    });
                }
                FloatRule::Slowest => {
                    let side = self.ranks.slowest_of(record);
                    let wins = is_first || side.time_s > old;
                    self.set_slowest(if !is_one_file {
                        Some(NO_SIDE)
                    } else {
                        wins.then_some(side)
                    });
                }
                FloatRule::Zero => self.sum.floats[at] = 0.0,
            }
        }
    }

    fn add_int(&mut self, at: usize, record: &Record) {
        let value = record.ints[at];
        let sum = &mut self.sum.ints;
        match self.ints[at] {
            IntRule::Sum => {
                sum[at] = sum[at].wrapping_add(value);
                if self.clamps && sum[at] < 0 {
                    sum[at] = -1;
                }
            }
            IntRule::Max => sum[at] = sum[at].max(value),
            IntRule::Last => sum[at] = value,
            IntRule::Common => {
                if self.needs_first_value && value == 0 {
                    return;
                }
                let own = record.ints.get(at..).and_then(|rest| rest.first_chunk::<COMMON>());
                let all = sum.get_mut(at..).and_then(|rest| rest.first_chunk_mut::<COMMON>());
                if let Some((all, own)) = all.zip(own) {
                    access::merge(all, own);
                }
            }
            IntRule::Other => {}
        }
    }

    fn set_fastest(&mut self, side: Option<Side>) {
        let Some(side) = side else { return };
        self.sum.ints[self.ranks.fastest] = side.rank;
        self.sum.ints[self.ranks.fastest_bytes] = side.bytes;
        self.sum.floats[self.ranks.f_fastest] = side.time_s;
    }

    fn set_slowest(&mut self, side: Option<Side>) {
        let Some(side) = side else { return };
        self.sum.ints[self.ranks.slowest] = side.rank;
        self.sum.ints[self.ranks.slowest_bytes] = side.bytes;
        self.sum.floats[self.ranks.f_slowest] = side.time_s;
    }

    /// Prints `total_POSIX_OPENS: 1` and so on.
    pub fn print(&self, text: &mut Text<'_>) {
        text.str("\n");
        for (counter, value) in self.counters.ints.iter().zip(&self.sum.ints) {
            text.str("total_").str(counter.name).str(": ").i64(*value).str("\n");
        }
        for (counter, value) in self.counters.floats.iter().zip(&self.sum.floats) {
            text.str("total_").str(counter.name).str(": ").f6(*value).str("\n");
        }
    }
}

fn int_rule(name: &str) -> IntRule {
    match name {
        "MODE" | "RENAMED_FROM" | "MEM_ALIGNMENT" | "FILE_ALIGNMENT" | "CHUNK_SIZE"
        | "OBJ_OTYPE" | "ARRAY_CELL_SIZE" | "ARRAY_CHUNK_SIZE" => IntRule::Last,
        "MAX_BYTE_READ" | "MAX_BYTE_WRITTEN" => IntRule::Max,
        "STRIDE1_STRIDE" | "ACCESS1_ACCESS" => IntRule::Common,
        // DAOS_NB_OPS is forgotten in darshan-util 3.5.0: its total is always 0.
        "MAX_READ_TIME_SIZE" | "MAX_WRITE_TIME_SIZE" | "NB_OPS" => IntRule::Other,
        _ if name.starts_with("FASTEST_") || name.starts_with("SLOWEST_") => IntRule::Other,
        _ if is_numbered(name, "STRIDE") || is_numbered(name, "ACCESS") => IntRule::Other,
        _ => IntRule::Sum,
    }
}

/// `STRIDE2_COUNT` is a numbered `STRIDE`.
fn is_numbered(name: &str, what: &str) -> bool {
    name.strip_prefix(what).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

fn float_rule(counters: &Counters<'_>, name: &str) -> FloatRule {
    match name {
        "F_MAX_READ_TIME" => FloatRule::Longest { size: counters.int_at("MAX_READ_TIME_SIZE") },
        "F_MAX_WRITE_TIME" => FloatRule::Longest { size: counters.int_at("MAX_WRITE_TIME_SIZE") },
        "F_FASTEST_RANK_TIME" => FloatRule::Fastest,
        "F_SLOWEST_RANK_TIME" => FloatRule::Slowest,
        _ if name.starts_with("F_VARIANCE_") => FloatRule::Zero,
        _ if name.ends_with("_START_TIMESTAMP") => FloatRule::MinNotZero,
        _ if name.ends_with("_END_TIMESTAMP") => FloatRule::Max,
        _ => FloatRule::Sum,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::modules;
    use diya_tables::{ModuleRow, TableId, Tables};

    /// A record as file, rank and what is not 0.
    type Row<'a> = (u64, i32, &'a [(&'a str, f64)]);

    /// A counter of the totals of these records.
    fn total(module: &'static str, records: &[Row<'_>], name: &str) -> f64 {
        let mut tables = Tables::new();
        let (module_id, version) = (Some(1), Some(4));
        tables.push_module(ModuleRow {
            log: 0,
            module,
            module_id,
            version,
            offset_bytes: None,
            stored_bytes: None,
            is_partial: false,
            is_decoded: true,
        });
        let module = modules::list(&tables).remove(0);
        let modules::Printer::Counters(id) = module.printer else { panic!("no counters") };
        let counters = Counters::of(id, None, module.version);
        let mut totals = Totals::new(&module, &counters);
        for (file_id, rank, changes) in records {
            let mut record = Record { file_id: *file_id, rank: *rank, ..Record::default() };
            record.ints = vec![0; counters.ints.len()];
            record.floats = vec![0.0; counters.floats.len()];
            for (name, value) in *changes {
                if name.starts_with("F_") {
                    record.floats[counters.float_at(name)] = *value;
                } else {
                    record.ints[counters.int_at(name)] = *value as i64;
                }
            }
            totals.add(&record);
        }
        if name.starts_with("F_") {
            totals.sum.floats[counters.float_at(name)]
        } else {
            totals.sum.ints[counters.int_at(name)] as f64
        }
    }

    #[test]
    fn the_earliest_start_counts_and_zero_is_no_start() {
        let records: &[Row<'_>] = &[
            (1, 0, &[("F_READ_START_TIMESTAMP", 0.0)]),
            (1, 1, &[("F_READ_START_TIMESTAMP", 2.0)]),
            (1, 2, &[("F_READ_START_TIMESTAMP", 1.5)]),
        ];
        assert_eq!(total("POSIX", records, "F_READ_START_TIMESTAMP"), 1.5);
    }

    #[test]
    fn what_is_not_available_stays_so_in_posix_and_adds_up_in_stdio() {
        let mmaps: &[Row<'_>] = &[(1, 0, &[("MMAPS", -1.0)]), (1, 1, &[("MMAPS", -1.0)])];
        assert_eq!(total("POSIX", mmaps, "MMAPS"), -1.0);
        let fdopens: &[Row<'_>] = &[(1, 0, &[("FDOPENS", -1.0)]), (1, 1, &[("FDOPENS", -1.0)])];
        assert_eq!(total("STDIO", fdopens, "FDOPENS"), -2.0);
    }

    #[test]
    fn the_slowest_rank_of_one_file_is_found() {
        let records: &[Row<'_>] = &[
            (1, 3, &[("F_WRITE_TIME", 1.0), ("BYTES_WRITTEN", 10.0)]),
            (1, 4, &[("F_WRITE_TIME", 2.0), ("BYTES_WRITTEN", 20.0)]),
        ];
        assert_eq!(total("POSIX", records, "SLOWEST_RANK"), 4.0);
        assert_eq!(total("POSIX", records, "SLOWEST_RANK_BYTES"), 20.0);
        assert_eq!(total("POSIX", records, "FASTEST_RANK"), 3.0);
        assert_eq!(total("POSIX", records, "F_FASTEST_RANK_TIME"), 1.0);
    }

    #[test]
    fn several_files_have_no_slowest_rank() {
        let records: &[Row<'_>] =
            &[(1, 3, &[("F_WRITE_TIME", 1.0)]), (2, 4, &[("F_WRITE_TIME", 2.0)])];
        assert_eq!(total("POSIX", records, "SLOWEST_RANK"), -1.0);
        assert_eq!(total("POSIX", records, "F_SLOWEST_RANK_TIME"), 0.0);
        assert_eq!(total("POSIX", records, "F_WRITE_TIME"), 3.0);
    }

    #[test]
    fn the_size_of_the_longest_write_goes_with_it() {
        let records: &[Row<'_>] = &[
            (1, 0, &[("F_MAX_WRITE_TIME", 0.5), ("MAX_WRITE_TIME_SIZE", 100.0)]),
            (1, 1, &[("F_MAX_WRITE_TIME", 0.2), ("MAX_WRITE_TIME_SIZE", 900.0)]),
        ];
        assert_eq!(total("MPI-IO", records, "MAX_WRITE_TIME_SIZE"), 100.0);
    }

    #[test]
    fn the_summary_modules_have_every_counter_that_is_needed() {
        for name in ["POSIX", "MPI-IO", "STDIO", "DFS", "DAOS"] {
            assert_eq!(total(name, &[(1, 0, &[("BYTES_READ", 5.0)])], "BYTES_READ"), 5.0);
        }
        assert_eq!(TableId::ALL.len(), TableId::COUNT);
    }
}
