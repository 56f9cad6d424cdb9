//! `diya tables [LOG...] [TABLE]`: what there is, what it means, and the rows.

use super::{call_options, report_losses};
use crate::commands;
use crate::commands::answers::{self, result_format};
use crate::commands::checks::ExplainArgs;
use crate::entry::{Entry, Group, arguments};
use crate::failure::{Done, Failure};
use crate::options::{CallFilter, Common, RowFormat};
use crate::output::{Content, to_stdout, write_prose_table};
use crate::progress::Bar;
use clap::Args;
use diya::explain::{self, columns_of};
use diya::report::TextTable;
use diya::{BatchSource, Rows, Session, TableDef, TableId, TableSet, Trace};
use serde_json::json;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub const COMMANDS: &[Entry] = &[Entry {
    name: "tables",
    group: Group::Look,
    place: 10,
    help: "List the tables of a log, describe a table, or print its rows",
    examples: &[
        ("diya tables", "all tables, with what they hold"),
        ("diya tables posix", "the columns of a table"),
        ("diya tables app.darshan", "the tables that have rows in a log"),
        ("diya tables app.darshan posix --limit 5", "rows of a table"),
    ],
    augment: TablesArgs::augment_args,
    run: |given, common| run(&arguments(given), common),
    ..Entry::USUAL
}];

#[derive(Debug, Args)]
pub struct TablesArgs {
    /// Logs or folders of logs, then the name of a table; without a log, describes the tables
    #[arg(value_name = "LOG|TABLE")]
    pub names: Vec<PathBuf>,
    /// Maximum number of rows; 0: all
    #[arg(long, value_name = "N", default_value_t = 40)]
    pub limit: usize,
    /// Format of the rows
    #[arg(long, value_enum, default_value_t = RowFormat::Table)]
    pub format: RowFormat,
    #[command(flatten)]
    pub filter: CallFilter,
}

pub fn run(args: &TablesArgs, common: &Common) -> Result<Done, Failure> {
    if let Some((last, logs)) = args.names.split_last()
        && let Some(metric) = last.to_str().filter(|name| !last.exists() && diya::is_metric(name))
    {
        return of_metric(logs, metric, args, common);
    }
    let (logs, table) = match args.names.split_last() {
        Some((last, rest)) if !last.exists() => match last.to_str().and_then(diya::table_named) {
            Some(table) => (rest, Some(table)),
            None => (args.names.as_slice(), None),
        },
        _ => (args.names.as_slice(), None),
    };
    if logs.is_empty() {
        describe(table, common)?;
        return Ok(Done::WHOLE);
    }
    if let (Some(name), true, None) = (logs.last(), logs.len() == args.names.len(), table) {
        refuse_unknown_table(name)?;
    }
    let bar = Bar::new(common);
    let tables = table.map_or(TableSet::ALL, diya::needed_for);
    let inputs = diya::input::logs(logs)?;
    let options = call_options(common, &args.filter, tables, &bar);
    let trace = bar.during("reading", || Trace::open(&inputs, &options))?;
    match table {
        None => list(&trace, common)?,
        Some(table) => rows(trace.table(table), args, common)?,
    }
    Ok(report_losses(common, trace.refused(), trace.table(TableId::ReadIssue).rows()))
}

/// A word that is neither a file nor a table is a table with a typing error.
fn refuse_unknown_table(name: &Path) -> Result<(), Failure> {
    let is_word = |name: &&str| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    match name.to_str().filter(is_word).filter(|_| !name.exists()) {
        Some(word) => Err(Failure::Input(format!(
            "there is no log, table or metric {word:?}; nearest: {}; `diya tables` and \
             `diya explain` list them",
            explain::nearest_table(word)
        ))),
        None => Ok(()),
    }
}

/// A metric: what it is, or its rows.
fn of_metric(
    logs: &[PathBuf],
    metric: &str,
    args: &TablesArgs,
    common: &Common,
) -> Result<Done, Failure> {
    if logs.is_empty() {
        let name = Some(metric.to_owned());
        return commands::checks::explain(&ExplainArgs { name, ..ExplainArgs::default() }, common);
    }
    let bar = Bar::new(common);
    let inputs = diya::input::logs(logs)?;
    let options = call_options(common, &args.filter, TableSet::NONE, &bar);
    let mut session = Session::new(inputs, options);
    bar.during("working", || session.prepare(&[metric]))?;
    let table = session.table(metric).ok_or_else(|| {
        Failure::Query(format!("metric {metric} could not be computed from these logs"))
    })?;
    rows(table, args, common)?;
    Ok(report_losses(common, session.refused(), session.issues()))
}

/// The tables, or the columns of one, as the contract has them.
fn describe(table: Option<TableId>, common: &Common) -> Result<(), Failure> {
    to_stdout(Content::of(common.json), |out| {
        let Some(table) = table else {
            if common.json {
                let all: Vec<_> = TableId::ALL.iter().map(|t| definition(t.def())).collect();
                return Ok(writeln!(out, "{}", json!(all))?);
            }
            let mut tables = TextTable::new([("", false); 2]);
            for id in TableId::ALL {
                tables.row([id.def().name, id.def().doc]);
            }
            write_prose_table(out, tables)?;
            return Ok(writeln!(out, "\n`diya tables TABLE` describes the columns of a table.")?);
        };
        let def = table.def();
        if common.json {
            return Ok(writeln!(out, "{}", definition(def))?);
        }
        let mut about = TextTable::new([("", false)]);
        about.row([format!("{}: {}", def.name, def.doc)]);
        about.row([format!("Rows: {}.", def.rows)]);
        write_prose_table(out, about)?;
        writeln!(out)?;
        Ok(write_prose_table(out, columns_of(def))?)
    })
}

fn definition(def: &TableDef) -> serde_json::Value {
    let columns = def.columns.iter().map(|c| {
        json!({
            "name": c.name,
            "type": format!("{:?}", c.kind).to_lowercase(),
            "unit": c.unit,
            "doc": c.doc,
            "null": c.null,
            "darshan": c.darshan,
        })
    });
    json!({
        "table": def.name,
        "version": def.version,
        "doc": def.doc,
        "rows": def.rows,
        "columns": columns.collect::<Vec<_>>(),
    })
}

/// Tables that have rows, and how many.
fn list(trace: &Trace, common: &Common) -> Result<(), Failure> {
    to_stdout(Content::of(common.json), |out| {
        let tables = trace.tables().iter().filter(|t| t.rows() > 0);
        if common.json {
            let all: Vec<_> =
                tables.map(|t| json!({"table": t.def().name, "rows": t.rows()})).collect();
            return Ok(writeln!(out, "{}", json!(all))?);
        }
        let mut lines = TextTable::new([("table", false), ("rows", true), ("", false)]);
        for table in tables {
            let rows = diya::model::calls_text(table.rows() as u64);
            lines.row([table.def().name, &rows, table.def().doc]);
        }
        Ok(write_prose_table(out, lines)?)
    })
}

fn rows(source: &Arc<dyn BatchSource>, args: &TablesArgs, common: &Common) -> Result<(), Failure> {
    let columns: Vec<usize> = (0..source.def().columns.len()).collect();
    let mut left = if args.limit == 0 { usize::MAX } else { args.limit };
    let mut batches = Vec::new();
    for number in 0..source.batches() {
        if left == 0 {
            break;
        }
        let batch = source.batch(number, &columns);
        let batch = batch.slice(0, batch.num_rows().min(left));
        left -= batch.num_rows();
        batches.push(batch);
    }
    let format = result_format(if common.json { RowFormat::Json } else { args.format });
    let hidden = source.rows() - batches.iter().map(|b| b.num_rows()).sum::<usize>();
    answers::print(&[Rows { schema: source.def().arrow_schema(), batches }], format, common)?;
    if hidden > 0 && !common.quiet {
        say!("{hidden} more rows; --limit 0 prints all");
    }
    Ok(())
}
