//! `diya fleet ask`, `diya fleet sql`, `diya fleet explain`: questions to a dataset.

use crate::command_line::examples;
use crate::commands::answers::{self, content_of, result_format};
use crate::failure::{Done, Failure};
use crate::options::{Common, RowFormat};
use crate::output::{Content, Out, room, say_columns, to_file, to_stdout, write_prose_table};
use crate::progress::Bar;
use clap::Args;
use diya::report::TextTable;
use diya::{Rows, Threads};
use diya_export::{Readable, write_readable};
use diya_fleet::{AskError, Dataset, Limits, Question};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Where questions of a facility lie.
#[derive(Debug, Args)]
pub struct OwnQuestions {
    /// Folder with questions of your own (*.sql), beside those that come with diya
    #[arg(long, value_name = "DIR")]
    questions: Option<PathBuf>,
}

/// How the rows of an answer are written.
#[derive(Debug, Args)]
pub struct Answer {
    /// Format of the rows; without it a table with units
    #[arg(long, value_enum)]
    format: Option<RowFormat>,
    /// Write the rows to a file
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = examples(&[
    ("diya fleet ask", "list the questions"),
    ("diya fleet ask jobs/ who", "answer a question by its name"),
    ("diya fleet ask jobs/ 6 --set most=20", "by its number, with a parameter"),
    ("diya fleet ask jobs/ 6 --format csv -o answer.csv", "into a file"),
]))]
pub struct AskArgs {
    /// Folder that `diya fleet ingest` filled
    #[arg(value_name = "DATASET", requires = "question")]
    dataset: Option<PathBuf>,
    /// Name or number of the question; without it, all are listed
    #[arg(value_name = "QUESTION")]
    question: Option<String>,
    /// Set a parameter of the question (may be given several times)
    #[arg(long = "set", value_name = "NAME=NUMBER", value_parser = parameter)]
    set: Vec<(String, f64)>,
    #[command(flatten)]
    answer: Answer,
    #[command(flatten)]
    own: OwnQuestions,
}

#[derive(Debug, Args)]
#[command(after_help = examples(&[
    ("diya fleet sql jobs/ \"select count(*) from job\"", "rows for people"),
    ("diya fleet sql jobs/ \"select * from job\" --format csv", "all of them"),
]))]
pub struct SqlArgs {
    /// Folder that `diya fleet ingest` filled
    #[arg(value_name = "DATASET")]
    dataset: PathBuf,
    /// The statement
    #[arg(value_name = "QUERY")]
    query: String,
    #[command(flatten)]
    answer: Answer,
}

#[derive(Debug, Args)]
#[command(after_help = examples(&[
    ("diya fleet explain 6", "meaning, parameters and SQL of a question"),
    ("diya fleet explain 6 --json", "for a script"),
]))]
pub struct ExplainArgs {
    /// Name or number of the question
    #[arg(value_name = "QUESTION")]
    question: String,
    #[command(flatten)]
    own: OwnQuestions,
}

pub fn ask(args: &AskArgs, common: &Common) -> Result<Done, Failure> {
    ask_by(args, common, |dataset, sql| {
        let dataset = Dataset::open(dataset)?;
        let bar = Bar::new(common);
        Ok(bar.during("working", || dataset.ask(Threads::new(common.threads))?.run(sql))?)
    })
}

/// The same, by whoever can run a statement over a dataset.
pub fn ask_by(args: &AskArgs, common: &Common, run: impl StatementRunner) -> Result<Done, Failure> {
    let all = args.own.all()?;
    let (Some(dataset), Some(name)) = (&args.dataset, &args.question) else {
        to_stdout(Content::of(common.json), |out| list(out, &all, common))?;
        return Ok(Done::WHOLE);
    };
    let sql = named(&all, name)?.statement(&args.set)?;
    args.answer.write(&run(dataset, &sql)?, common)
}

pub fn sql(args: &SqlArgs, common: &Common) -> Result<Done, Failure> {
    sql_by(args, common, |dataset, sql| {
        let dataset = Dataset::open(dataset)?;
        let bar = Bar::new(common);
        let answer =
            || dataset.ask(Threads::new(common.threads))?.run_within(sql, Limits::OF_A_PERSON);
        Ok(bar.during("working", answer)?)
    })
}

/// The same, by whoever can run a statement over a dataset.
pub fn sql_by(args: &SqlArgs, common: &Common, run: impl StatementRunner) -> Result<Done, Failure> {
    args.answer.write(&run(&args.dataset, &args.query)?, common)
}

/// Runs a statement over the dataset in a folder.
pub trait StatementRunner: FnOnce(&Path, &str) -> Result<Rows, Failure> {}

impl<F: FnOnce(&Path, &str) -> Result<Rows, Failure>> StatementRunner for F {}

pub fn explain(args: &ExplainArgs, common: &Common) -> Result<Done, Failure> {
    let all = args.own.all()?;
    let question = named(&all, &args.question)?;
    to_stdout(Content::of(common.json), |out| {
        if common.json {
            return Ok(writeln!(out, "{}", serde_json::to_string(question).unwrap_or_default())?);
        }
        let mut about = TextTable::new([("", false)]);
        about.row([format!("{}: {}", question.name, question.title)]);
        for note in &question.notes {
            about.row([""]);
            about.row([note.as_str()]);
        }
        write_prose_table(out, about)?;
        if !question.params.is_empty() {
            writeln!(out, "\nParameters (--set NAME=NUMBER):")?;
            let mut params = TextTable::new([("", false), ("", false)]);
            for of in &question.params {
                let name = format!("  {} = {} {}", of.name, of.default, of.unit);
                params.row([name, of.why.clone()]);
            }
            write_prose_table(out, params)?;
        }
        writeln!(out, "\nColumns:")?;
        let mut columns = TextTable::new([("", false), ("", false), ("", false)]);
        for of in &question.columns {
            let null = of.null.as_ref().map(|null| format!("; -: {null}")).unwrap_or_default();
            columns.row([format!("  {}", of.name), of.unit.clone(), format!("{}{null}", of.doc)]);
        }
        write_prose_table(out, columns)?;
        writeln!(out, "\nReads: {}\n\n{}", question.needs.join(", "), question.sql)?;
        Ok(())
    })?;
    Ok(Done::WHOLE)
}

fn list(out: &mut dyn Write, all: &[Question], common: &Common) -> Result<(), Failure> {
    if common.json {
        return Ok(writeln!(out, "{}", serde_json::to_string(all).unwrap_or_default())?);
    }
    let mut table = TextTable::new([("", true), ("question", false), ("answer", false)]);
    for of in all {
        let number = of.number.map_or_else(|| "-".to_owned(), |number| number.to_string());
        table.row([&number, &of.name, &of.title]);
    }
    write_prose_table(out, table)?;
    writeln!(out, "\ndiya fleet ask DATASET QUESTION; `diya fleet explain QUESTION` says more")?;
    Ok(())
}

fn named<'q>(all: &'q [Question], name: &str) -> Result<&'q Question, Failure> {
    let number = name.parse().ok();
    let is_it = |of: &&Question| of.name == name || (number.is_some() && of.number == number);
    let found = all.iter().find(is_it);
    found.ok_or_else(|| AskError::NoQuestion(name.to_owned()).into())
}

impl OwnQuestions {
    /// All of them.
    pub fn all(&self) -> Result<Vec<Question>, AskError> {
        match &self.questions {
            Some(folder) => Question::with_folder(folder),
            None => Question::built_in(),
        }
    }
}

impl Answer {
    fn write(&self, rows: &Rows, common: &Common) -> Result<Done, Failure> {
        let format = if common.json { Some(RowFormat::Json) } else { self.format };
        let room = room(self.output.is_some());
        let mut left_out = Vec::new();
        let mut write = |out: &mut Out| {
            left_out = match format.map(result_format) {
                Some(format) => answers::write(out, std::slice::from_ref(rows), format, room)?,
                None => {
                    let how = Readable { limit: 0, path_width: 0, room, is_one_log: false };
                    write_readable(out, rows, how)?.columns
                }
            };
            Ok(())
        };
        let content = format.map_or(Content::Text, |format| content_of(result_format(format)));
        match &self.output {
            Some(path) => to_file(path, content, &mut write)?,
            None => to_stdout(content, &mut write)?,
        }
        say_columns(&left_out, common);
        Ok(Done::WHOLE)
    }
}

fn parameter(text: &str) -> Result<(String, f64), String> {
    let split = text.split_once('=');
    let parsed = split.and_then(|(name, value)| Some((name.to_owned(), value.parse().ok()?)));
    parsed.ok_or_else(|| "expected NAME=NUMBER, for example most=20".to_owned())
}

impl From<AskError> for Failure {
    fn from(error: AskError) -> Self {
        match error {
            AskError::Query(_) => Self::Query(error.to_string()),
            other => Self::Input(other.to_string()),
        }
    }
}
