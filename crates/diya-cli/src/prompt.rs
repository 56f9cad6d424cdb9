//! The SQL prompt: history, completion of tables, columns and keywords.

use crate::commands::answers::{content_of, write};
use crate::failure::Failure;
use crate::output::{Content, to_stdout};
use diya::explain::columns_of;
use diya::export::ResultFormat;
use diya::report::TextTable;
use diya::{Session, TableId, function_names};
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{Config, Context, Editor, Helper};
use std::io::Write as _;
use std::path::PathBuf;

const GREETING: &str = "SQL over the tables of the logs; end a query with `;`.
\\d lists the tables, \\d TABLE its columns, Tab completes, Ctrl-D ends.";

const KEYWORDS: &[&str] = &[
    "select",
    "from",
    "where",
    "group by",
    "order by",
    "limit",
    "join",
    "left join",
    "on",
    "having",
    "with",
    "as",
    "and",
    "or",
    "not",
    "null",
    "is",
    "in",
    "between",
    "case",
    "when",
    "then",
    "else",
    "end",
    "distinct",
    "count",
    "sum",
    "avg",
    "min",
    "max",
    "desc",
    "asc",
    "union all",
    "explain",
];

/// Asks and answers until the end of input.
pub fn run(session: &mut Session<'_>, format: ResultFormat) -> Result<(), Failure> {
    let fail = |e: ReadlineError| Failure::Input(format!("the prompt does not work: {e}"));
    let config = Config::builder().auto_add_history(true).build();
    let mut editor: Editor<Words, _> = Editor::with_config(config).map_err(fail)?;
    editor.set_helper(Some(Words::new()));
    let history = history_file();
    if let Some(path) = &history {
        // No history yet is no fault.
        let _ = editor.load_history(path);
    }
    to_stdout(Content::Text, |out| Ok(writeln!(out, "{GREETING}")?))?;
    loop {
        match editor.readline("diya> ") {
            Ok(line) => answer(session, line.trim(), format)?,
            // Ctrl-C drops the line, as in a shell.
            Err(ReadlineError::Interrupted) => {}
            Err(ReadlineError::Eof) => break,
            Err(error) => return Err(fail(error)),
        }
    }
    if let Some(path) = &history {
        let folder = path.parent().map(std::fs::create_dir_all);
        if folder.is_some_and(|made| made.is_ok()) {
            // A home that cannot be written to costs only the history.
            let _ = editor.save_history(path);
        }
    }
    Ok(())
}

fn answer(session: &mut Session<'_>, line: &str, format: ResultFormat) -> Result<(), Failure> {
    if let Some(table) = line.strip_prefix("\\d") {
        return describe(table.trim());
    }
    let query = line.trim_end_matches(';');
    if query.is_empty() {
        return Ok(());
    }
    match session.ask(query) {
        Ok(answers) => to_stdout(content_of(format), |out| write(out, &answers, format)),
        // The next query may be right.
        Err(error) => {
            say!("{error}");
            Ok(())
        }
    }
}

fn describe(table: &str) -> Result<(), Failure> {
    let lines = match diya::table_named(table) {
        Some(table) => columns_of(table.def()),
        None => {
            let mut lines = TextTable::new([("", false); 2]);
            for id in TableId::ALL {
                lines.row([id.def().name, id.def().doc]);
            }
            lines
        }
    };
    to_stdout(Content::Text, |out| Ok(lines.write(out, 0)?))
}

fn history_file() -> Option<PathBuf> {
    let state = std::env::var_os("XDG_STATE_HOME").map(PathBuf::from);
    let home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".local/state"));
    Some(state.or_else(home)?.join("diya/sql_history"))
}

/// What Tab completes.
struct Words(Vec<String>);

impl Words {
    fn new() -> Self {
        let tables = TableId::ALL.into_iter().map(TableId::def);
        let names =
            tables.flat_map(|t| std::iter::once(t.name).chain(t.columns.iter().map(|c| c.name)));
        let mut words: Vec<String> = KEYWORDS
            .iter()
            .copied()
            .chain(function_names())
            .chain(names)
            .map(str::to_string)
            .collect();
        words.sort();
        words.dedup();
        Self(words)
    }
}

impl Completer for Words {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        pos: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        let typed = line.get(..pos).unwrap_or(line);
        let start = typed.rfind(|c: char| !c.is_alphanumeric() && c != '_').map_or(0, |at| at + 1);
        let word = typed.get(start..).unwrap_or_default();
        let matching = self.0.iter().filter(|w| !word.is_empty() && w.starts_with(word));
        Ok((start, matching.cloned().collect()))
    }
}

impl Validator for Words {
    /// A query goes on over lines until its semicolon.
    fn validate(&self, ctx: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        let text = ctx.input().trim();
        let is_whole = text.is_empty() || text.starts_with('\\') || text.ends_with(';');
        Ok(if is_whole { ValidationResult::Valid(None) } else { ValidationResult::Incomplete })
    }
}

impl Hinter for Words {
    type Hint = String;
}

impl Highlighter for Words {}

impl Helper for Words {}
