//! `diya dump LOG`: text as darshan-parser and darshan-dxt-parser print it.

use super::open_options;
use crate::entry::{Entry, Group, arguments};
use crate::failure::{Done, Failure};
use crate::options::{Common, Filter};
use crate::output::{Content, to_stdout, write_failure};
use crate::progress::Bar;
use clap::Args;
use diya::dump::{DumpOptions, DumpReport, dump, dump_dxt, tables_of_dump, tables_of_dxt};
use diya::input::Input;
use diya::{OpenError, TableSet, Trace, read_one};
use diya_export::{ResultFormat, write_batches};
use std::io::Write as _;
use std::path::PathBuf;

pub const COMMANDS: &[Entry] = &[Entry {
    name: "dump",
    group: Group::Convert,
    place: 4,
    help: "Print a log as darshan-parser or darshan-dxt-parser does",
    examples: &[
        ("diya dump app.darshan", "all counters, as darshan-parser"),
        ("diya dump --total --perf app.darshan", "sums and derived performance"),
        ("diya dump --dxt app.darshan", "the calls, as darshan-dxt-parser"),
    ],
    augment: DumpArgs::augment_args,
    run: |given, common| run(&arguments(given), common),
    ..Entry::USUAL
}];

#[derive(Debug, Args)]
pub struct DumpArgs {
    /// A log; `-` reads standard input
    #[arg(value_name = "LOG")]
    pub log: PathBuf,
    /// All counters of all records (the default)
    #[arg(long)]
    pub base: bool,
    /// Counters summed over all records
    #[arg(long)]
    pub total: bool,
    /// Derived performance
    #[arg(long)]
    pub perf: bool,
    /// Number of files by kind of access
    #[arg(long)]
    pub file: bool,
    /// One line per file
    #[arg(long)]
    pub file_list: bool,
    /// One long line per file
    #[arg(long)]
    pub file_list_detailed: bool,
    /// All of the above that darshan-parser prints with --all
    #[arg(long)]
    pub all: bool,
    /// Include modules for which Darshan ran out of memory
    #[arg(long)]
    pub show_incomplete: bool,
    /// The traced calls, in the layout of darshan-dxt-parser
    #[arg(long, conflicts_with_all = ["base", "total", "perf", "file", "file_list", "file_list_detailed", "all"])]
    pub dxt: bool,
    #[command(flatten)]
    pub filter: Filter,
}

pub fn run(args: &DumpArgs, common: &Common) -> Result<Done, Failure> {
    let bar = Bar::new(common);
    let inputs = diya::input::logs(&[&args.log])?;
    let [input] = inputs.as_slice() else {
        return Err(Failure::Input(format!(
            "{}: holds {} logs; dump prints one",
            args.log.display(),
            inputs.len()
        )));
    };
    let tables = if args.dxt { tables_of_dxt() } else { tables_of_dump() };
    let options = open_options(common, Some(&args.filter), tables, &bar);
    if common.json {
        let options = open_options(common, Some(&args.filter), TableSet::ALL, &bar);
        return json(input, &options);
    }
    let tables = bar.during("reading", || read_one(input, &options))?;
    let wanted = DumpOptions {
        base: args.base,
        total: args.total,
        perf: args.perf,
        file: args.file,
        file_list: args.file_list,
        file_list_detailed: args.file_list_detailed,
        show_incomplete: args.show_incomplete,
        ..DumpOptions::default()
    };
    let wanted = if args.all { DumpOptions::all() } else { wanted };
    let wanted = DumpOptions { utc_offset_s: Some(wall_clock_offset_s), ..wanted };
    let mut report = DumpReport::default();
    to_stdout(Content::Text, |out| {
        let print = if args.dxt { dump_dxt } else { dump };
        report = print(out, &tables, &wanted)?;
        Ok(())
    })?;
    for module in &report.skipped {
        say!("records of module {module} cannot be printed");
    }
    if report.needs_conversion {
        say!(
            "the counters of a recording are made when it is converted: \
             `diya convert {} -o app.darshan`, then `diya dump app.darshan`",
            args.log.display()
        );
    }
    if let Some(module) = &report.stopped_at {
        return Err(Failure::Incomplete(format!(
            "stopped at module {module}: Darshan lost records of it; \
             --show-incomplete prints what there is"
        )));
    }
    Ok(Done { losses: report.needs_conversion })
}

/// Distance of the wall clock here from UTC at that time: darshan-parser
/// prints local times.
fn wall_clock_offset_s(unix_s: i64) -> i32 {
    let moment = jiff::Timestamp::from_second(unix_s);
    moment.map_or(0, |t| jiff::tz::TimeZone::system().to_offset(t).seconds())
}

/// All tables as one JSON object: table name to rows.
fn json(input: &Input, options: &diya::OpenOptions<'_>) -> Result<Done, Failure> {
    let trace = Trace::open(std::slice::from_ref(input), options)
        .map_err(|e: OpenError| Failure::from(e))?;
    to_stdout(Content::Json, |out| {
        let mut open = "{";
        for table in trace.tables().iter().filter(|t| t.rows() > 0) {
            write!(out, "{open}\"{}\": ", table.def().name)?;
            open = ",";
            let columns: Vec<usize> = (0..table.def().columns.len()).collect();
            let batches: Vec<_> = (0..table.batches()).map(|p| table.batch(p, &columns)).collect();
            write_batches(out, &table.def().arrow_schema(), &batches, ResultFormat::Json)
                .map_err(write_failure)?;
        }
        Ok(writeln!(out, "}}")?)
    })?;
    Ok(Done::WHOLE)
}
