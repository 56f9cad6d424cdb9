//! `diya phases|ranks|files|targets|calls LOG...`: the tables behind a report.

use super::{call_options, report_losses};
use crate::commands::answers::{self, result_format};
use crate::commands::outside::OutsideArgs;
use crate::entry::{Entry, Group, arguments};
use crate::failure::{Done, Failure};
use crate::options::{CallFilter, Common, RowFormat};
use crate::output::{Content, room, say_columns, to_stdout, write_prose_table};
use crate::progress::Bar;
use clap::Args;
use diya::report::TextTable;
use diya::views::{VIEWS, View, view};
use diya::{OpenOptions, Rows, Session, TableSet};
use diya_export::{LeftOut, Readable, write_readable};
use std::path::PathBuf;

pub const COMMANDS: &[Entry] = &[
    Entry {
        name: "files",
        group: Group::Look,
        place: 3,
        help: "List files: time, small requests, metadata, redundant bytes",
        examples: &[
            ("diya files app.diya", "the files with the most I/O time"),
            ("diya files app.diya --view small", "files with small requests"),
            ("diya files app.diya --path /scratch --limit 0", "all files below /scratch"),
            ("diya files", "list the views"),
        ],
        augment: ViewArgs::augment_args,
        run: |given, common| run("files", &arguments(given), common),
        ..Entry::USUAL
    },
    Entry {
        name: "ranks",
        group: Group::Look,
        place: 4,
        help: "List ranks: time, bytes, balance",
        examples: &[
            ("diya ranks app.diya", "I/O time and bytes of each rank"),
            ("diya ranks app.diya --ranks 0-15", "the first 16 ranks"),
            ("diya ranks", "list the views"),
        ],
        augment: ViewArgs::augment_args,
        run: |given, common| run("ranks", &arguments(given), common),
        ..Entry::USUAL
    },
    Entry {
        name: "phases",
        group: Group::Look,
        place: 5,
        help: "List I/O phases: start, duration, straggler",
        examples: &[
            ("diya phases app.diya", "each phase of I/O"),
            ("diya phases app.diya --view summary", "how often they repeat"),
        ],
        augment: ViewArgs::augment_args,
        run: |given, common| run("phases", &arguments(given), common),
        ..Entry::USUAL
    },
    Entry {
        name: "calls",
        group: Group::Look,
        place: 6,
        help: "List calls by layer, function and size, and the slowest calls",
        examples: &[
            ("diya calls app.diya", "calls by layer and function"),
            ("diya calls app.diya --view slowest", "the longest calls"),
            ("diya calls app.diya --where \"rank = 3\"", "the calls of one rank"),
            ("diya calls app.diya --region checkpoint", "the calls of one region"),
        ],
        augment: ViewArgs::augment_args,
        run: |given, common| run("calls", &arguments(given), common),
        ..Entry::USUAL
    },
    Entry {
        name: "targets",
        group: Group::Look,
        place: 7,
        help: "List storage targets: load and speed",
        examples: &[
            ("diya targets app.darshan", "load of each Lustre OST"),
            ("diya targets", "list the views"),
        ],
        augment: ViewArgs::augment_args,
        run: |given, common| run("targets", &arguments(given), common),
        ..Entry::USUAL
    },
];

#[derive(Debug, Args)]
pub struct ViewArgs {
    /// Logs, or folders or archives of logs; without a log, lists the views
    #[arg(value_name = "LOG")]
    pub logs: Vec<PathBuf>,
    /// View to show (default: the first in the list)
    #[arg(long, value_name = "VIEW")]
    pub view: Option<String>,
    /// Show only rows that meet a condition in SQL, for example "rank = 3 and time_s > 1"
    #[arg(long = "where", value_name = "CONDITION")]
    pub condition: Option<String>,
    #[command(flatten)]
    pub filter: CallFilter,
    /// Include files without data of the program: /proc, pipes, sockets
    #[arg(long)]
    pub system_files: bool,
    /// Maximum number of rows; 0: all
    #[arg(long, value_name = "N", default_value_t = 40)]
    pub limit: usize,
    #[command(flatten)]
    pub outside: OutsideArgs,
    /// Format of the rows
    #[arg(long, value_enum, default_value_t = RowFormat::Table)]
    pub format: RowFormat,
}

pub fn run(subject: &str, args: &ViewArgs, common: &Common) -> Result<Done, Failure> {
    if args.logs.is_empty() {
        list(subject)?;
        return Ok(Done::WHOLE);
    }
    let name = args.view.as_deref();
    let chosen = view(subject, name).ok_or_else(|| unknown(subject, name.unwrap_or_default()))?;
    let bar = Bar::new(common);
    let inputs = diya::input::logs(&args.logs)?;
    let is_one_log = inputs.len() == 1;
    let options = call_options(common, &args.filter, TableSet::NONE, &bar);
    let skips_system = !args.system_files;
    let options = OpenOptions { skips_system, ..options };
    let mut session = Session::new(inputs, options);
    args.outside.add_to(&mut session)?;
    let sql = chosen.sql(args.condition.as_deref());
    let answers = bar.during("working", || session.ask(&sql))?;
    let format = if common.json { RowFormat::Json } else { args.format };
    match (format, answers.first()) {
        (RowFormat::Table, Some(rows)) => {
            print(rows, is_one_log, args.limit, common)?;
            if rows.batches.iter().all(|batch| batch.num_rows() == 0) && !common.quiet {
                say!("{}", nothing(chosen, args, &mut session)?);
            }
        }
        _ => answers::print(&answers, result_format(format), common)?,
    }
    Ok(report_losses(common, session.refused(), session.issues()))
}

fn print(rows: &Rows, is_one_log: bool, limit: usize, common: &Common) -> Result<(), Failure> {
    let mut left_out = LeftOut::default();
    to_stdout(Content::Text, |out| {
        let how = Readable { limit, path_width: 0, room: room(false), is_one_log };
        left_out = write_readable(out, rows, how)?;
        Ok(())
    })?;
    say_columns(&left_out.columns, common);
    if left_out.rows > 0 && !common.quiet {
        say!("{} more rows; --limit 0 prints all", left_out.rows);
    }
    Ok(())
}

/// Why a view has no rows, and what to do.
fn nothing(view: &View, args: &ViewArgs, session: &mut Session<'_>) -> Result<String, Failure> {
    let title = view.title();
    let is_filtered = args.condition.is_some() || args.filter.is_set();
    if is_filtered {
        return Ok(format!(
            "no row under \"{title}\" meets --where, --ranks, --path, --region or --steps"
        ));
    }
    let calls = session.ask("select log from call limit 1")?;
    let has_calls = calls.iter().flat_map(|rows| &rows.batches).any(|batch| batch.num_rows() > 0);
    Ok(match has_calls {
        true => {
            format!("nothing to show under \"{title}\": the log has single calls, but no such data")
        }
        false => format!(
            "nothing to show under \"{title}\"; what needs single calls is recorded by \
             `diya run`, or by Darshan with DXT"
        ),
    })
}

fn list(subject: &str) -> Result<(), Failure> {
    use std::io::Write as _;
    to_stdout(Content::Text, |out| {
        let mut table = TextTable::new([("", false), ("", false)]);
        for view in VIEWS.iter().filter(|view| view.subject == subject) {
            table.row([view.name, view.title()]);
        }
        write_prose_table(out, table)?;
        Ok(writeln!(out, "\n`diya {subject} LOG --view VIEW` prints one of them.")?)
    })
}

fn unknown(subject: &str, name: &str) -> Failure {
    let known: Vec<&str> =
        VIEWS.iter().filter(|view| view.subject == subject).map(|view| view.name).collect();
    Failure::Input(format!(
        "there is no view {name:?} of {subject}; expected: {}",
        known.join(", ")
    ))
}
