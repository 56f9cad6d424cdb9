//! The SQL prompt: commands, statements over several lines, history and completion.

mod words;

use crate::commands::answers::print;
use crate::failure::Failure;
use crate::options::Common;
use crate::output::{Content, to_stdout, write_prose_table};
use diya::Session;
use diya::explain::{columns_of, definition, definitions};
use diya::report::TextTable;
use diya_export::ResultFormat;
use rustyline::error::ReadlineError;
use rustyline::{Config, Editor};
use std::io::Write as _;
use std::path::PathBuf;
use words::Words;

const GREETING: &str = "SQL on the tables of the logs: end a statement with `;`, `.help` helps.";

const PROMPT: &str = "diya> ";

/// For the further lines of a statement; as wide as the prompt.
const CONTINUED: &str = "  ... ";

/// The commands: names, and what each does.
const COMMANDS: &[(&str, &str)] = &[
    (".help, help, \\?", "this list"),
    (".tables, \\d", "the tables and metrics"),
    (".schema NAME, \\d NAME", "the columns of a table or metric: type, unit, meaning"),
    (".quit, exit, \\q, Ctrl-D", "end"),
    ("Tab", "complete a table, column, function or keyword"),
    ("up, down, Ctrl-R", "recall or search earlier statements"),
    ("Ctrl-C", "drop the statement"),
];

const EXAMPLE: &str = "For example:
  select layer, op, sum(calls) as calls, sum(size_bytes) as bytes
  from call
  group by layer, op;";

/// What a line asks for.
#[derive(Debug, PartialEq, Eq)]
enum Line<'l> {
    Help,
    Tables,
    Schema(&'l str),
    Quit,
    Unknown(&'l str),
    /// A part of a statement.
    Sql,
}

impl<'l> Line<'l> {
    fn of(line: &'l str) -> Self {
        let line = line.trim().trim_end_matches(';');
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match (word, rest.trim()) {
            (".help" | "help" | "\\?" | "\\h", "") => Self::Help,
            (".tables" | ".schema" | "\\d" | "\\dt", "") => Self::Tables,
            (".schema" | "\\d", name) => Self::Schema(name),
            (".quit" | ".exit" | "quit" | "exit" | "\\q", "") => Self::Quit,
            _ if word.starts_with(['.', '\\']) => Self::Unknown(word),
            _ => Self::Sql,
        }
    }
}

/// Asks and answers until the end of input.
pub fn run(
    session: &mut Session<'_>,
    format: ResultFormat,
    common: &Common,
) -> Result<(), Failure> {
    let fail = |e: ReadlineError| Failure::Input(format!("the prompt does not work: {e}"));
    let config = Config::builder().completion_type(rustyline::CompletionType::List).build();
    let mut editor: Editor<Words, _> = Editor::with_config(config).map_err(fail)?;
    editor.set_helper(Some(Words::new()));
    let history = history_file();
    if let Some(path) = &history {
        // No history yet is no fault.
        let _ = editor.load_history(path);
    }
    to_stdout(Content::Text, |out| Ok(writeln!(out, "{GREETING}")?))?;
    let mut statement = String::new();
    loop {
        if let Some(words) = editor.helper_mut() {
            words.before.clone_from(&statement);
        }
        let line = editor.readline(if statement.is_empty() { PROMPT } else { CONTINUED });
        let line = match line {
            Ok(line) => line,
            // Ctrl-C drops the statement, as in a shell.
            Err(ReadlineError::Interrupted) => {
                statement.clear();
                continue;
            }
            Err(ReadlineError::Eof) => break,
            Err(error) => return Err(fail(error)),
        };
        let asked = if statement.is_empty() { Line::of(&line) } else { Line::Sql };
        match asked {
            Line::Quit => break,
            Line::Sql => {
                append(&mut statement, &line);
                if statement.ends_with(';') {
                    let _ = editor.add_history_entry(&statement);
                    answer(session, &std::mem::take(&mut statement), format, common)?;
                }
            }
            command => {
                let _ = editor.add_history_entry(line.trim());
                obey(&command)?;
            }
        }
    }
    // The last statement of a pipe needs no semicolon.
    answer(session, &statement, format, common)?;
    if let Some(path) = &history {
        let folder = path.parent().map(std::fs::create_dir_all);
        if folder.is_some_and(|made| made.is_ok()) {
            // A home that cannot be written to costs only the history.
            let _ = editor.save_history(path);
        }
    }
    Ok(())
}

/// Adds a line to a statement; blank lines add nothing.
fn append(statement: &mut String, line: &str) {
    let line = line.trim_end();
    if !line.is_empty() {
        statement.push_str(if statement.is_empty() { "" } else { "\n" });
        statement.push_str(line);
    }
}

fn answer(
    session: &mut Session<'_>,
    statement: &str,
    format: ResultFormat,
    common: &Common,
) -> Result<(), Failure> {
    let query = statement.trim().trim_end_matches(';');
    if query.is_empty() {
        return Ok(());
    }
    match session.ask(query) {
        Ok(answers) => print(&answers, format, common),
        // The next query may be right.
        Err(error) => {
            say!("{error}");
            Ok(())
        }
    }
}

fn obey(line: &Line<'_>) -> Result<(), Failure> {
    to_stdout(Content::Text, |out| {
        match line {
            Line::Schema(name) => match definition(name) {
                Some(def) => {
                    let mut about = TextTable::new([("", false)]);
                    about.row([format!("{}: {}", def.name, def.doc)]);
                    write_prose_table(out, about)?;
                    write_prose_table(out, columns_of(def))?;
                }
                None => say!("there is no table or metric {name:?}; `.tables` lists them"),
            },
            Line::Tables => {
                let mut lines = TextTable::new([("", false), ("", false)]);
                for def in definitions() {
                    lines.row([def.name, def.doc]);
                }
                write_prose_table(out, lines)?;
            }
            Line::Unknown(word) => say!("there is no command {word}; `.help` lists the commands"),
            Line::Help | Line::Quit | Line::Sql => {
                let mut lines = TextTable::new([("", false), ("", false)]);
                for (names, what) in COMMANDS {
                    lines.row([*names, *what]);
                }
                write_prose_table(out, lines)?;
                writeln!(out, "\n{EXAMPLE}")?;
            }
        }
        Ok(())
    })
}

fn history_file() -> Option<PathBuf> {
    let state = std::env::var_os("XDG_STATE_HOME").map(PathBuf::from);
    let home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".local/state"));
    Some(state.or_else(home)?.join("diya/sql_history"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_told_from_sql() {
        assert_eq!(Line::of("help"), Line::Help);
        assert_eq!(Line::of(" .help; "), Line::Help);
        assert_eq!(Line::of("\\d posix"), Line::Schema("posix"));
        assert_eq!(Line::of(".schema posix;"), Line::Schema("posix"));
        assert_eq!(Line::of(".tables"), Line::Tables);
        assert_eq!(Line::of("exit"), Line::Quit);
        assert_eq!(Line::of(".dump"), Line::Unknown(".dump"));
        assert_eq!(Line::of("select help from job"), Line::Sql);
    }

    #[test]
    fn a_statement_keeps_its_lines() {
        let mut statement = String::new();
        for line in ["select 1  ", "", "from job;"] {
            append(&mut statement, line);
        }
        assert_eq!(statement, "select 1\nfrom job;");
    }
}
