//! `diya export LOG... -o DIR`

use super::{open_options, report_losses};
use crate::failure::{Done, Failure};
use crate::options::{Common, Filter};
use crate::output::{Content, remember_unfinished, to_file, to_stdout};
use crate::progress::Bar;
use clap::{Args, ValueEnum};
use diya::export::{TableFormat, write_chrome, write_tables};
use diya::report::TextTable;
use diya::{OpenOptions, Session, TableId, TableSet, Trace};
use serde_json::json;
use std::io::Write as _;
use std::path::PathBuf;

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FileFormat {
    Parquet,
    Arrow,
    Csv,
    /// Chrome trace JSON, which Perfetto opens: processes are ranks, threads are layers
    Chrome,
}

#[derive(Debug, Args)]
pub struct ExportArgs {
    /// Logs or archives of logs; `-` reads standard input
    #[arg(required = true, value_name = "LOG")]
    pub logs: Vec<PathBuf>,
    /// Folder for one file per table; for chrome the trace file itself
    #[arg(long, short = 'o', value_name = "DIR|FILE")]
    pub output: PathBuf,
    /// Format of the files
    #[arg(long, value_enum, default_value_t = FileFormat::Parquet)]
    pub format: FileFormat,
    /// Export only these tables and metrics
    #[arg(long, value_name = "TABLE", value_delimiter = ',')]
    pub tables: Vec<String>,
    /// Include all metrics
    #[arg(long)]
    pub metrics: bool,
    /// Keep records with impossible numbers; by default these are left out, with a row in read_issue
    #[arg(long)]
    pub as_recorded: bool,
    #[command(flatten)]
    pub filter: Filter,
}

pub fn run(args: &ExportArgs, common: &Common) -> Result<Done, Failure> {
    let bar = Bar::new(common);
    match args.format {
        FileFormat::Parquet => files(args, common, &bar, TableFormat::Parquet),
        FileFormat::Arrow => files(args, common, &bar, TableFormat::Arrow),
        FileFormat::Csv => files(args, common, &bar, TableFormat::Csv),
        FileFormat::Chrome => chrome(args, common, &bar),
    }
}

/// Names of the tables and metrics to write.
fn wanted(args: &ExportArgs) -> Result<Vec<&str>, Failure> {
    let unknown = |name: &&String| diya::table_named(name).is_none() && !diya::is_metric(name);
    if let Some(name) = args.tables.iter().find(unknown) {
        let what = "`diya tables` and `diya explain` list them";
        return Err(Failure::Input(format!("there is no table or metric {name:?}; {what}")));
    }
    let mut names: Vec<&str> = args.tables.iter().map(String::as_str).collect();
    if names.is_empty() {
        names.extend(TableId::ALL.map(|id| id.def().name));
    }
    if args.metrics {
        names.extend(diya::metrics().map(|(name, _)| name));
    }
    Ok(names)
}

fn files(
    args: &ExportArgs,
    common: &Common,
    bar: &Bar,
    format: TableFormat,
) -> Result<Done, Failure> {
    let names = wanted(args)?;
    let inputs = diya::input::logs(&args.logs)?;
    let options = open_options(common, Some(&args.filter), TableSet::NONE, bar);
    let options = OpenOptions { as_recorded: args.as_recorded, ..options };
    let mut session = Session::new(inputs, options);
    bar.during("reading", || session.prepare(&names))?;
    for name in &names {
        remember_unfinished(args.output.join(format!(".{name}.{}.part", format.extension())));
    }
    let tables = names.iter().filter_map(|name| session.table(name));
    let write = || write_tables(tables, &args.output, format);
    let written = bar.during("writing", write).map_err(|e| Failure::Output(e.to_string()))?;
    to_stdout(Content::of(common.json), |out| {
        if common.json {
            return Ok(writeln!(out, "{}", json!(written))?);
        }
        let columns = [("table", false), ("rows", true), ("size", true), ("file", false)];
        let mut table = TextTable::new(columns);
        for file in &written {
            let rows = diya::model::calls_text(file.rows as u64);
            let size = diya::model::bytes_text(file.size_bytes);
            table.row([file.table.to_string(), rows, size, file.path.display().to_string()]);
        }
        Ok(table.write(out, 0)?)
    })?;
    Ok(report_losses(common, session.refused(), session.issues()))
}

fn chrome(args: &ExportArgs, common: &Common, bar: &Bar) -> Result<Done, Failure> {
    let inputs = diya::input::logs(&args.logs)?;
    let of_trace = [TableId::Call, TableId::File, TableId::Heatmap, TableId::RankHost];
    let tables: TableSet = of_trace.into_iter().collect();
    let options = open_options(common, Some(&args.filter), tables, bar);
    let trace = bar.during("reading", || Trace::open(&inputs, &options))?;
    // A folder gets a file with a fixed name; anything else is the file itself.
    let path =
        if args.output.is_dir() { args.output.join("trace.json") } else { args.output.clone() };
    bar.during("writing", || to_file(&path, Content::Json, |out| Ok(write_chrome(out, &trace)?)))?;
    let calls = trace.table(TableId::Call).rows();
    to_stdout(Content::of(common.json), |out| {
        if common.json {
            return Ok(writeln!(out, "{}", json!({"path": path, "calls": calls}))?);
        }
        let calls = diya::model::calls_text(calls as u64);
        Ok(writeln!(
            out,
            "{calls} calls: {}; open it at ui.perfetto.dev or chrome://tracing",
            path.display()
        )?)
    })?;
    Ok(report_losses(common, trace.refused(), trace.table(TableId::ReadIssue).rows()))
}
