//! `diya fleet cluster ask`, `diya fleet cluster sql`: as without a cluster.

use super::super::ask;
use super::Which;
use crate::command_line::examples;
use crate::failure::{Done, Failure};
use crate::options::Common;
use crate::progress::Bar;
use clap::Args;
use diya_fleet::Dataset;
use std::path::Path;

#[derive(Debug, Args)]
#[command(after_help = examples(&[
    ("diya fleet cluster ask jobs/ who", "answer a question by its name"),
    ("diya fleet cluster ask jobs/ 6 --format csv -o answer.csv", "into a file"),
]))]
pub struct AskArgs {
    #[command(flatten)]
    question: ask::AskArgs,
    #[command(flatten)]
    which: Which,
}

#[derive(Debug, Args)]
#[command(after_help = examples(&[
    ("diya fleet cluster sql jobs/ \"select count(*) from job\"", "rows for people"),
    ("diya fleet cluster sql jobs/ \"select * from job\" --format csv", "all of them"),
]))]
pub struct SqlArgs {
    #[command(flatten)]
    statement: ask::SqlArgs,
    #[command(flatten)]
    which: Which,
}

pub fn ask(args: &AskArgs, common: &Common) -> Result<Done, Failure> {
    ask::ask_by(&args.question, common, |path, sql| rows(&args.which, common, path, sql))
}

pub fn sql(args: &SqlArgs, common: &Common) -> Result<Done, Failure> {
    ask::sql_by(&args.statement, common, |path, sql| rows(&args.which, common, path, sql))
}

fn rows(which: &Which, common: &Common, path: &Path, sql: &str) -> Result<diya::Rows, Failure> {
    let dataset = Dataset::open(path)?;
    let (file, program) = (which.file(), which.program()?);
    Ok(Bar::new(common).during("working", || dataset.ask_cluster(&file, &program, sql))?)
}
