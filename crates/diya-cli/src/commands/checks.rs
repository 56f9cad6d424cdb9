//! `diya checks list|test`, `diya explain NAME`: what judges, and why.

use crate::command_line::examples;
use crate::commands::judge::{JudgeArgs, report_problems};
use crate::entry::{Entry, Example, Group, arguments};
use crate::failure::{Done, Failure};
use crate::options::Common;
use crate::output::{Colour, Content, columns, room, to_stdout, write_prose_table};
use clap::{Args, Subcommand, ValueEnum};
use diya::diagnose::{CheckSet, test_checks};
use diya::explain;
use diya::report::{TextOptions, TextTable, write_markdown_text};
use serde_json::json;
use std::io::Write as _;
use std::path::PathBuf;

pub const COMMANDS: &[Entry] = &[
    Entry {
        name: "explain",
        group: Group::Diagnose,
        place: 2,
        help: "Describe a check, a metric or a table",
        examples: &[
            ("diya explain PX101", "the check of a finding, by its code"),
            ("diya explain posix", "the columns of a table"),
            ("diya explain", "list the metrics"),
            ("diya explain PX101 --format markdown", "Markdown, also at a terminal"),
        ],
        augment: ExplainArgs::augment_args,
        run: |given, common| explain(&arguments(given), common),
        ..Entry::USUAL
    },
    Entry {
        name: "checks",
        group: Group::Diagnose,
        place: 3,
        help: "List the checks, or test your own checks",
        examples: &[
            ("diya checks list", "code and title of each check"),
            ("diya checks test site-checks/", "run the test cases of your own checks"),
        ],
        augment: ChecksArgs::augment_args,
        run: |given, common| run(&arguments(given), common),
        ..Entry::USUAL
    },
];

const LIST: &[Example] = &[
    ("diya checks list", "code and title of each check"),
    ("diya checks list --checks site-checks/", "with your own checks"),
];

const TEST: &[Example] = &[
    ("diya checks test", "the checks of diya"),
    ("diya checks test site-checks/", "your own checks"),
];

#[derive(Debug, Args)]
pub struct ChecksArgs {
    #[command(subcommand)]
    pub command: ChecksCommand,
}

#[derive(Debug, Subcommand)]
pub enum ChecksCommand {
    /// List the checks
    #[command(after_help = examples(LIST))]
    List(JudgeArgs),
    /// Run the test cases of checks, for authors of checks
    #[command(after_help = examples(TEST))]
    Test {
        /// Pages of checks, or folders of pages (default: the checks of diya)
        #[arg(value_name = "PAGE|DIR")]
        folders: Vec<PathBuf>,
    },
}

#[derive(Debug, Default, Args)]
pub struct ExplainArgs {
    /// Id or code of a check, name of a metric or table, or "accuracy"; without it, lists the metrics
    #[arg(value_name = "CHECK|METRIC|TABLE")]
    pub name: Option<String>,
    /// Layout (default: text at a terminal, otherwise markdown)
    #[arg(long, value_enum)]
    pub format: Option<ExplainFormat>,
    /// Colours in the text
    #[arg(long, value_enum, default_value_t = Colour::Auto)]
    pub color: Colour,
    #[command(flatten)]
    pub judge: JudgeArgs,
}

/// Layout of an explanation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ExplainFormat {
    /// Text for a terminal
    Text,
    /// Markdown for files and wikis
    Markdown,
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
        write_prose_table(out, table)?;
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

pub fn explain(args: &ExplainArgs, _common: &Common) -> Result<Done, Failure> {
    let set = args.judge.checks()?;
    let Some(name) = args.name.as_deref().filter(|name| *name != "metrics") else {
        to_stdout(Content::Text, |out| {
            let mut table = TextTable::new([("", false), ("", false)]);
            for (name, doc) in diya::metrics() {
                table.row([name, doc]);
            }
            write_prose_table(out, table)?;
            Ok(writeln!(
                out,
                "\n`diya explain METRIC` lists its columns; `diya checks list` lists the checks."
            )?)
        })?;
        return Ok(Done::WHOLE);
    };
    let Some(subject) = explain::find(name, &set) else {
        let near = explain::nearest(name, &set).unwrap_or_default();
        let what = format!(
            "there is no check, metric or table {name:?}; nearest: {near}; `diya checks list`, \
             `diya explain` and `diya tables` list them"
        );
        return Err(Failure::Input(what));
    };
    if let Some(note) = explain::renamed(name, &subject) {
        say!("note: {note}");
    }
    let usual =
        || if room(false).is_some() { ExplainFormat::Text } else { ExplainFormat::Markdown };
    let colour = args.color.is_on(false);
    let (content, markdown) =
        (if colour { Content::Coloured } else { Content::Text }, subject.text());
    to_stdout(content, |out| {
        match args.format.unwrap_or_else(usual) {
            ExplainFormat::Markdown => out.write_all(markdown.as_bytes())?,
            ExplainFormat::Text => {
                let columns = columns(false);
                let options = TextOptions { columns, colour, ..TextOptions::default() };
                write_markdown_text(out, &markdown, &options)?;
            }
        }
        Ok(())
    })?;
    Ok(Done::WHOLE)
}
