//! One section per module: records, totals, file counts, bandwidth, file lists.

use super::counters::{Counters, Record};
use super::derived::Derived;
use super::head::{self, Listed};
use super::modules::{self, Module, Printer};
use super::names::Names;
use super::text::Text;
use super::totals::Totals;
use super::{DumpOptions, DumpReport, apmpi, base, explain, file_list, heatmap, lustre, mdhim};
use diya_tables::{TableId, Tables, job, stdio};
use std::collections::HashSet;
use std::io::{self, Write};

const RULE: &str = "# *******************************************************\n";

/// Prints the one log in `tables`, as darshan-parser does.
///
/// Like the original it stops at a module with missing records unless
/// `options.show_incomplete` is set; the report then names the module.
///
/// ```
/// use diya_dump::{DumpOptions, dump};
/// let tables = diya_tables::Tables::new();
/// let mut text = Vec::new();
/// dump(&mut text, &tables, &DumpOptions::default())?;
/// assert!(String::from_utf8_lossy(&text).ends_with("# no module data available.\n"));
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn dump(out: &mut dyn Write, tables: &Tables, options: &DumpOptions) -> io::Result<DumpReport> {
    let options = options.or_base();
    let names = Names::of(tables);
    let modules = modules::list(tables);
    let mut text = Text::new(out);
    let mut report = DumpReport::default();
    head::print(&mut text, tables, &modules, &names, Listed::WithDataOrPartial, &options);
    if options.base {
        explain::columns(&mut text);
    }
    for module in modules.iter().filter(|m| is_printed(m, &options)) {
        if module.has_data() && (module.printer == Printer::Opaque || !module.is_decoded) {
            report.skipped.push(module.name.to_string());
            continue;
        }
        text.str("\n").str(RULE).str("# ").str(module.name).str(" module data\n").str(RULE);
        if module.is_partial && !options.show_incomplete {
            report.stopped_at = Some(module.name.to_string());
            break;
        }
        if module.is_partial {
            explain::incomplete(&mut text, module.name);
        }
        if module.has_data() {
            section(&mut text, tables, module, &names, &options)?;
        }
    }
    let format = tables.table(TableId::Job).and_then(|rows| rows.str(job::FORMAT, 0));
    report.needs_conversion = format == Some("diya") && !report.skipped.is_empty();
    if !modules.iter().any(Module::has_data) {
        text.str("\n# no module data available.\n");
    }
    text.finish()?;
    Ok(report)
}

fn is_printed(module: &Module<'_>, options: &DumpOptions) -> bool {
    let is_there = module.has_data() || module.is_partial;
    // A module without data is announced whatever was asked for.
    let has_text = !module.has_data() || options.base || module.has_summary();
    let is_trace = module.printer == Printer::Dxt && module.has_data();
    is_there && has_text && !is_trace
}

fn section(
    text: &mut Text<'_>,
    tables: &Tables,
    module: &Module<'_>,
    names: &Names<'_>,
    options: &DumpOptions,
) -> io::Result<()> {
    if options.base {
        explain::counters(text, module);
        explain::header(text);
    }
    match module.printer {
        Printer::Counters(table) => {
            let counters = Counters::of(table, tables.table(table), module.version);
            let rows = rows_of(tables, module, &counters);
            if options.base {
                base::print(text, module, &counters, &rows, names)?;
            }
            if module.has_summary() {
                summary(text, tables, module, &counters, &rows, names, options)?;
            }
            Ok(())
        }
        Printer::Lustre => lustre::print(text, tables, module.name, names),
        Printer::Mdhim => mdhim::print(text, tables, module, names),
        Printer::Apmpi => apmpi::print(text, tables, module, names),
        Printer::Heatmap => heatmap::print(text, tables, module.name, names),
        Printer::Dxt | Printer::Opaque => Ok(()),
    }
}

fn summary(
    text: &mut Text<'_>,
    tables: &Tables,
    module: &Module<'_>,
    counters: &Counters<'_>,
    rows: &[usize],
    names: &Names<'_>,
    options: &DumpOptions,
) -> io::Result<()> {
    if !(options.total || options.file || options.perf || has_file_list(options)) {
        return Ok(());
    }
    let mut totals = Totals::new(module, counters);
    let mut derived = Derived::new(module, counters);
    let mut record = Record::default();
    for &row in rows {
        counters.load(row, &mut record);
        totals.add(&record);
        derived.add(&record);
    }
    if options.total {
        explain::counters(text, module);
        totals.print(text);
    }
    if derived.lacks_bytes() {
        explain::no_bytes(text);
    } else {
        if derived.has_overflow() && (options.file || options.perf) {
            explain::overflow(text);
        }
        if options.file {
            derived.print_files(text);
        }
        if options.perf {
            derived.print_perf(text);
        }
    }
    if has_file_list(options) && module.has_file_list() {
        let nprocs = tables.table(TableId::Job).and_then(|t| t.i64(job::NPROCS, 0)).unwrap_or(0);
        file_list::print(text, counters, rows, names, nprocs, options.file_list_detailed)?;
    }
    text.flush_full()
}

fn has_file_list(options: &DumpOptions) -> bool {
    options.file_list || options.file_list_detailed
}

/// The records that darshan-util would give.
///
/// It drops POSIX records of version 1 that count stream calls, because the
/// current layout has no place for them; here those calls are rows of `stdio`.
fn rows_of(tables: &Tables, module: &Module<'_>, counters: &Counters<'_>) -> Vec<usize> {
    let is_old_posix = module.name == "POSIX" && module.version == Some(1);
    let streams = tables.table(TableId::Stdio).filter(|_| is_old_posix);
    let streams: HashSet<(u64, i32)> = streams.map_or_else(HashSet::new, |table| {
        let is_open = |row: &usize| table.i64(stdio::OPENS, *row).is_some_and(|opens| opens > 0);
        let key = |row| Some((table.u64(stdio::FILE_ID, row)?, table.i32(stdio::RANK, row)?));
        (0..table.rows()).filter(is_open).filter_map(key).collect()
    });
    let is_kept = |row: &usize| !streams.contains(&(counters.file_id(*row), counters.rank(*row)));
    (0..counters.rows()).filter(is_kept).collect()
}
