//! `diya export LOG... -o DIR`

use super::{open_options, report_losses};
use crate::args::{Common, ExportArgs, FileFormat};
use crate::failure::{Done, Failure};
use crate::output::{remember_unfinished, to_file, to_stdout};
use crate::progress::Bar;
use diya::export::{TableFormat, write_chrome, write_tables};
use diya::{TableId, TableSet, Trace};
use serde_json::json;
use std::io::Write as _;

pub fn run(args: &ExportArgs, common: &Common) -> Result<Done, Failure> {
    let tables = wanted(args)?;
    let bar = Bar::new(common);
    let inputs = diya::input::logs(&args.logs)?;
    let read = if tables.has(TableId::ReadIssue) { TableSet::ALL } else { tables };
    let options = open_options(common, Some(&args.filter), read, &bar);
    let trace = bar.during("reading", || Trace::open(&inputs, &options))?;
    match args.format {
        FileFormat::Parquet => files(args, common, &trace, &bar, TableFormat::Parquet, tables)?,
        FileFormat::Arrow => files(args, common, &trace, &bar, TableFormat::Arrow, tables)?,
        FileFormat::Csv => files(args, common, &trace, &bar, TableFormat::Csv, tables)?,
        FileFormat::Chrome => chrome(args, common, &trace, &bar)?,
    }
    Ok(report_losses(common, trace.refused(), trace.table(TableId::ReadIssue).rows()))
}

fn wanted(args: &ExportArgs) -> Result<TableSet, Failure> {
    if args.format == FileFormat::Chrome {
        let of_trace = [TableId::Call, TableId::File, TableId::Heatmap, TableId::RankHost];
        return Ok(of_trace.into_iter().collect());
    }
    if args.tables.is_empty() {
        return Ok(TableSet::ALL);
    }
    let unknown = |name: &String| {
        Failure::Input(format!("there is no table {name:?}; `diya tables` lists them"))
    };
    let tables =
        args.tables.iter().map(|name| diya::table_named(name).ok_or_else(|| unknown(name)));
    tables.collect()
}

fn files(
    args: &ExportArgs,
    common: &Common,
    trace: &Trace,
    bar: &Bar,
    format: TableFormat,
    tables: TableSet,
) -> Result<(), Failure> {
    for id in TableId::ALL {
        let part = format!(".{}.{}.part", id.def().name, format.extension());
        remember_unfinished(args.output.join(part));
    }
    let write = || write_tables(trace, &args.output, format, |id| tables.has(id));
    let written = bar.during("writing", write).map_err(|e| Failure::Output(e.to_string()))?;
    to_stdout(|out| {
        if common.json {
            return Ok(writeln!(out, "{}", json!(written))?);
        }
        for file in &written {
            let rows = diya::units::calls_text(file.rows as u64);
            let size = diya::units::bytes_text(file.size_bytes);
            writeln!(
                out,
                "{:<18} {rows:>14} rows {size:>10}  {}",
                file.table,
                file.path.display()
            )?;
        }
        Ok(())
    })
}

fn chrome(args: &ExportArgs, common: &Common, trace: &Trace, bar: &Bar) -> Result<(), Failure> {
    // A folder gets a file with a fixed name; anything else is the file itself.
    let path =
        if args.output.is_dir() { args.output.join("trace.json") } else { args.output.clone() };
    bar.during("writing", || to_file(&path, |out| Ok(write_chrome(out, trace)?)))?;
    let calls = trace.table(TableId::Call).rows();
    to_stdout(|out| {
        if common.json {
            return Ok(writeln!(out, "{}", json!({"path": path, "calls": calls}))?);
        }
        let calls = diya::units::calls_text(calls as u64);
        Ok(writeln!(
            out,
            "{calls} calls: {}; open it at ui.perfetto.dev or chrome://tracing",
            path.display()
        )?)
    })
}
