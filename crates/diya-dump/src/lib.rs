//! A log as text, in the layout of darshan-parser and darshan-dxt-parser.
//!
//! Scripts read those two programs line by line, so every line a script can
//! look for (`# nprocs:`, counter lines, `total_*`, `# agg_perf_by_slowest:`,
//! ` X_POSIX ...`) is the same byte for byte. What only people read, the
//! explanations between them, is ours and comes from the table definitions.
//!
//! Source: docs/formats/darshan-parser-text.md.

mod access;
mod apmpi;
mod base;
mod counters;
mod derived;
mod dxt;
mod explain;
mod file_list;
mod head;
mod heatmap;
mod lustre;
mod mdhim;
mod modules;
mod names;
mod notes;
mod numbers;
mod ranks;
mod sections;
mod text;
mod time;
mod totals;

#[cfg(test)]
mod golden;

use diya_read::TableSet;
use diya_tables::TableId;

pub use dxt::dump_dxt;
pub use sections::dump;

/// What to print; the names are those of darshan-parser's options.
#[derive(Debug, Clone, Copy, Default)]
pub struct DumpOptions {
    /// Every counter of every record. Printed when nothing else is asked for.
    pub base: bool,
    /// Counters summed over all records of a module.
    pub total: bool,
    /// Time of the slowest rank and the bandwidth that follows from it.
    pub perf: bool,
    /// How many files were read, written, shared.
    pub file: bool,
    /// One line per file, as versions 3.0 to 3.3 had it.
    pub file_list: bool,
    /// One long line per file, as versions 3.0 to 3.3 had it.
    pub file_list_detailed: bool,
    /// Print modules with missing records, too, instead of stopping there.
    pub show_incomplete: bool,
    /// Seconds east of UTC at a time (seconds since 1970), for the lines that
    /// spell a time out; `None`: UTC.
    pub utc_offset_s: Option<fn(i64) -> i32>,
}

/// Tables that [`dump`] looks at: all but the calls and what is derived.
pub fn tables_of_dump() -> TableSet {
    let derived = [TableId::Call, TableId::AccessSize, TableId::SizeHistogram, TableId::RankHost];
    derived.into_iter().fold(TableSet::ALL, TableSet::without)
}

/// Tables that [`dump_dxt`] looks at.
pub fn tables_of_dxt() -> TableSet {
    let needed = [TableId::File, TableId::Call, TableId::LustreComponent, TableId::LustreTarget];
    needed.into_iter().collect()
}

impl DumpOptions {
    /// What `--all` stands for in darshan-parser since 3.4: without the two
    /// file lists, which it no longer has.
    pub fn all() -> Self {
        Self {
            base: true,
            total: true,
            perf: true,
            file: true,
            show_incomplete: true,
            ..Self::default()
        }
    }

    /// The same, with `base` where nothing was asked for.
    fn or_base(self) -> Self {
        let asks = self.base
            || self.total
            || self.perf
            || self.file
            || self.file_list
            || self.file_list_detailed;
        Self { base: self.base || !asks, ..self }
    }
}

/// What the text does not show, for the terminal: the originals say it on
/// standard error and, for missing records, end with status 255.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DumpReport {
    /// The module at which the text stops because records of it are missing.
    pub stopped_at: Option<String>,
    /// Modules whose records cannot be printed.
    pub skipped: Vec<String>,
    /// The log is a recording of diya, and modules of it were skipped: their counters are made
    /// when it is converted to a Darshan log.
    pub needs_conversion: bool,
}
