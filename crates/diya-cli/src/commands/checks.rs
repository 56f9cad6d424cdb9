//! `diya checks list|test`, `diya explain NAME`: what judges, and why.

use crate::commands::judge::{JudgeArgs, report_problems};
use crate::failure::{Done, Failure};
use crate::options::Common;
use crate::output::{Content, to_stdout};
use clap::{Args, Subcommand};
use diya::diagnose::{CheckSet, test_checks};
use diya::explain;
use diya::report::TextTable;
use serde_json::json;
use std::io::Write as _;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub struct ChecksArgs {
    #[command(subcommand)]
    pub command: ChecksCommand,
}

#[derive(Debug, Subcommand)]
pub enum ChecksCommand {
    /// List the checks
    List(JudgeArgs),
    /// Run the test cases of checks, for authors of checks
    Test {
        /// Pages of checks, or folders of pages (default: the checks of diya)
        #[arg(value_name = "PAGE|DIR")]
        folders: Vec<PathBuf>,
    },
}

#[derive(Debug, Args)]
pub struct ExplainArgs {
    /// Id or code of a check, or name of a metric or table; without it, lists the metrics
    #[arg(value_name = "CHECK|METRIC|TABLE")]
    pub name: Option<String>,
    #[command(flatten)]
    pub judge: JudgeArgs,
}

pub fn run(args: &ChecksArgs, common: &Common) -> Result<Done, Failure> {
    match &args.command {
        ChecksCommand::List(judge) => list(&judge.checks()?, common),
        ChecksCommand::Test { folders } => test(folders),
    }
}

fn list(set: &CheckSet, common: &Common) -> Result<Done, Failure> {
    to_stdout(Content::of(common.json), |out| {
        if common.json {
            let all: Vec<_> = set
                .checks
                .iter()
                .map(|c| {
                    json!({
                        "id": c.id, "code": c.code, "title": c.title, "status": c.status,
                        "since": c.since, "audience": c.audience, "needs": c.needs,
                        "sources": c.sources, "path": c.path,
                    })
                })
                .collect();
            return Ok(writeln!(out, "{}", json!(all))?);
        }
        let mut table = TextTable::new([("code", false), ("check", false), ("title", false)]);
        for check in &set.checks {
            table.row([&*check.code, &*check.id, &*check.title]);
        }
        table.write(out, 0)?;
        Ok(writeln!(out, "\n`diya explain CHECK` describes one of them.")?)
    })?;
    report_problems(set);
    Ok(Done { losses: !set.problems.is_empty() })
}

fn test(folders: &[PathBuf]) -> Result<Done, Failure> {
    let outcome = test_checks(folders);
    to_stdout(Content::Text, |out| {
        for fault in &outcome.faults {
            writeln!(out, "{fault}")?;
        }
        let (checks, cases, faults) = (outcome.checks, outcome.cases, outcome.faults.len());
        Ok(writeln!(out, "{checks} checks, {cases} cases, {faults} faults")?)
    })?;
    Ok(Done { losses: !outcome.faults.is_empty() })
}

pub fn explain(args: &ExplainArgs) -> Result<Done, Failure> {
    let set = args.judge.checks()?;
    let Some(name) = args.name.as_deref().filter(|name| *name != "metrics") else {
        to_stdout(Content::Text, |out| {
            for (name, doc) in diya::metrics() {
                writeln!(out, "{name:<22} {doc}")?;
            }
            Ok(writeln!(
                out,
                "\n`diya explain METRIC` lists its columns; `diya checks list` lists the checks."
            )?)
        })?;
        return Ok(Done::WHOLE);
    };
    let Some(subject) = explain::find(name, &set) else {
        let near = explain::nearest(name, &set).unwrap_or_default();
        let what = format!("{name:?} is no check, metric or table; nearest: {near}");
        return Err(Failure::Input(what));
    };
    if let Some(note) = explain::renamed(name, &subject) {
        say!("note: {note}");
    }
    to_stdout(Content::Text, |out| Ok(out.write_all(subject.text().as_bytes())?))?;
    Ok(Done::WHOLE)
}
