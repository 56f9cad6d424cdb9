//! `diya export LOG... -o DIR`

use super::{call_options, report_losses};
use crate::entry::{Entry, Group, arguments};
use crate::failure::{Done, Failure};
use crate::options::{CallFilter, Common};
use crate::output::{Content, remember_unfinished, room, to_file, to_stdout};
use crate::progress::Bar;
use clap::{Args, ValueEnum};
use diya::report::TextTable;
use diya::{OpenOptions, Session, TableId, TableSet, Trace};
use diya_export::{TableFormat, write_chrome, write_dftracer, write_otf2, write_tables};
use flate2::write::GzEncoder;
use serde_json::json;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

pub const COMMANDS: &[Entry] = &[Entry {
    name: "export",
    group: Group::Convert,
    place: 1,
    help: "Write the tables as Parquet, Arrow or CSV, or calls as a trace",
    examples: &[
        ("diya export app.diya -o tables/", "a Parquet file for each table"),
        ("diya export app.diya --format csv --tables job,call -o csv/", "two tables"),
        ("diya export app.diya --format chrome -o trace.json.gz", "for Perfetto"),
    ],
    augment: ExportArgs::augment_args,
    run: |given, common| run(&arguments(given), common),
    ..Entry::USUAL
}];

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FileFormat {
    Parquet,
    Arrow,
    Csv,
    /// Chrome trace JSON, which Perfetto opens: processes are ranks, threads are layers
    Chrome,
    /// One event per line, as DFTracer writes them: for its analyzer
    Dftracer,
    /// A folder with an archive of OTF2, which Vampir opens
    Otf2,
}

#[derive(Debug, Args)]
pub struct ExportArgs {
    /// Logs, folders or archives of logs; `-` reads standard input
    #[arg(required = true, value_name = "LOG")]
    pub logs: Vec<PathBuf>,
    /// Folder for one file per table, or for the archive of otf2; for chrome and dftracer the
    /// trace file itself, which is compressed if its name ends in .gz
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
    pub all_metrics: bool,
    /// Keep records with impossible numbers; by default these are left out, with a row in read_issue
    #[arg(long)]
    pub as_recorded: bool,
    #[command(flatten)]
    pub filter: CallFilter,
}

pub fn run(args: &ExportArgs, common: &Common) -> Result<Done, Failure> {
    let bar = Bar::new(common);
    match args.format {
        FileFormat::Parquet => files(args, common, &bar, TableFormat::Parquet),
        FileFormat::Arrow => files(args, common, &bar, TableFormat::Arrow),
        FileFormat::Csv => files(args, common, &bar, TableFormat::Csv),
        FileFormat::Chrome => events(args, common, &bar, &CHROME),
        FileFormat::Dftracer => events(args, common, &bar, &DFTRACER),
        FileFormat::Otf2 => archive(args, common, &bar),
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
    if args.all_metrics {
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
    let options = call_options(common, &args.filter, TableSet::NONE, bar);
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
        if let Some(room) = room(false) {
            table.fit(room);
        }
        Ok(table.write(out, 0)?)
    })?;
    Ok(report_losses(common, session.refused(), session.issues()))
}

/// A format whose file holds one event per call.
struct EventFormat {
    /// Name of the file in a folder.
    file: &'static str,
    write: fn(&mut dyn Write, &Trace) -> io::Result<()>,
    /// What opens it.
    hint: &'static str,
}

const CHROME: EventFormat = EventFormat {
    file: "trace.json",
    write: write_chrome,
    hint: "open it at ui.perfetto.dev or chrome://tracing",
};

const DFTRACER: EventFormat = EventFormat {
    file: "trace.pfw.gz",
    write: write_dftracer,
    hint: "DFTracer's analyzer and diya read it",
};

fn events(
    args: &ExportArgs,
    common: &Common,
    bar: &Bar,
    format: &EventFormat,
) -> Result<Done, Failure> {
    let trace = trace_of(args, common, bar)?;
    // A folder gets a file with a fixed name; anything else is the file itself.
    let path =
        if args.output.is_dir() { args.output.join(format.file) } else { args.output.clone() };
    let is_packed = path.extension().is_some_and(|extension| extension == "gz");
    let content = if is_packed { Content::Binary } else { Content::Json };
    bar.during("writing", || {
        to_file(&path, content, |out| {
            if !is_packed {
                return Ok((format.write)(out, &trace)?);
            }
            let mut packed = GzEncoder::new(out, flate2::Compression::default());
            (format.write)(&mut packed, &trace)?;
            packed.finish()?;
            Ok(())
        })
    })?;
    said(common, &trace, &path, format.hint)
}

/// The tables that events need.
fn trace_of(args: &ExportArgs, common: &Common, bar: &Bar) -> Result<Trace, Failure> {
    let inputs = diya::input::logs(&args.logs)?;
    let of_trace = [
        TableId::Job,
        TableId::Call,
        TableId::Region,
        TableId::Message,
        TableId::Communicator,
        TableId::Process,
        TableId::CounterSample,
        TableId::File,
        TableId::Heatmap,
        TableId::RankHost,
    ];
    let tables: TableSet = of_trace.into_iter().collect();
    let options = call_options(common, &args.filter, tables, bar);
    Ok(bar.during("reading", || Trace::open(&inputs, &options))?)
}

fn archive(args: &ExportArgs, common: &Common, bar: &Bar) -> Result<Done, Failure> {
    let trace = trace_of(args, common, bar)?;
    let write = || write_otf2(&args.output, &trace);
    let anchor = bar.during("writing", write).map_err(|e| Failure::Output(e.to_string()))?;
    said(common, &trace, &anchor, "Vampir, otf2-print and diya open it")
}

/// Prints what was written where.
fn said(common: &Common, trace: &Trace, path: &Path, hint: &str) -> Result<Done, Failure> {
    let calls = trace.table(TableId::Call).rows();
    to_stdout(Content::of(common.json), |out| {
        if common.json {
            return Ok(writeln!(out, "{}", json!({"path": path, "calls": calls}))?);
        }
        let calls = diya::model::calls_text(calls as u64);
        Ok(writeln!(out, "{calls} calls: {}; {}", path.display(), hint)?)
    })?;
    Ok(report_losses(common, trace.refused(), trace.table(TableId::ReadIssue).rows()))
}
