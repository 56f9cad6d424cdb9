//! What a loop found, for a terminal.

use super::answer::{Answer, TrialsReport, TriedReport, figure_text};
use crate::text::wrapped;
use diya::model::{part_s, percent_text};
use diya::report::{TextTable, printable};
use std::io::{self, Write};

/// Writes what was found; `folder` holds the logs and the settings.
pub fn write_trials(
    out: &mut dyn Write,
    report: &TrialsReport,
    folder: &str,
    columns: usize,
) -> io::Result<()> {
    for line in wrapped(&report.text, columns) {
        writeln!(out, "{}", printable(&line))?;
    }
    writeln!(out)?;
    let (names, rows) = table(report);
    let mut text = TextTable::new(names.iter().enumerate().map(|(place, name)| (*name, place > 0)));
    rows.into_iter().for_each(|row| text.row(row));
    text.write(out, 0)?;
    let more = report.tried.iter().filter(|tried| !tried.settings.is_empty());
    for tried in more {
        let lines: Vec<&str> = tried.settings.iter().map(|setting| setting.line.as_str()).collect();
        let lost = tried.lost.iter().map(|why| format!(" (lost: {why})"));
        let words = format!("{}: {}{}", tried.name, lines.join("; "), lost.collect::<String>());
        writeln!(out, "  {}", printable(&words))?;
    }
    writeln!(out)?;
    let runs = report.runs.len();
    let word = if runs == 1 { "run" } else { "runs" };
    let ended = format!("{runs} {word} of at most {}; {}.", report.runs_allowed, report.ended);
    for line in wrapped(&ended, columns) {
        writeln!(out, "{line}")?;
    }
    if report.is_first_run_left_out {
        for line in wrapped(FIRST_RUN, columns) {
            writeln!(out, "{line}")?;
        }
    }
    for line in wrapped(&format!("Compared by: {}.", report.metric), columns) {
        writeln!(out, "{}", printable(&line))?;
    }
    for setting in &report.not_tried {
        let words = format!(
            "Not tried: {} {} ({}): {}.",
            setting.key, setting.value, setting.file, setting.line
        );
        for line in wrapped(&words, columns) {
            writeln!(out, "{}", printable(&line))?;
        }
    }
    let folder = printable(folder);
    writeln!(out, "page      {folder}/index.html")?;
    if report.answer == Answer::Keep {
        writeln!(out, "settings  {folder}/keep")?;
        writeln!(out, "use       diya run --apply {folder}/keep -- COMMAND")?;
    }
    Ok(())
}

/// Why the table has one run less than the loop.
pub(super) const FIRST_RUN: &str =
    "The first run does not count: it made the files and filled the caches that the others found.";

/// The columns of the table of what was tried; the first one is text.
const COLUMNS: [&str; 7] =
    ["settings", "runs", "run time", "I/O time", "figure", "gain", "variation"];

/// What was tried: the heading, and a row each. A command without a figure has no such column.
pub(super) fn table(report: &TrialsReport) -> (Vec<&'static str>, Vec<Vec<String>>) {
    let whole_s = report.tried.iter().filter_map(|tried| tried.run_s).fold(0.0, f64::max);
    let seconds = |seconds: Option<f64>| seconds.map_or("-".to_owned(), |s| part_s(s, whole_s));
    let row = |tried: &TriedReport| {
        let gain = match (&tried.lost, tried.gain_ratio) {
            (Some(_), _) => "lost".to_owned(),
            (None, Some(ratio)) if ratio >= 0.0 => format!("+{}", percent_text(ratio)),
            (None, Some(ratio)) => percent_text(ratio),
            (None, None) => "-".to_owned(),
        };
        vec![
            tried.name.clone(),
            tried.runs.to_string(),
            seconds(tried.run_s),
            seconds(tried.io_s),
            figure_text(tried.own),
            gain,
            tried.noise_ratio.map_or("-".to_owned(), percent_text),
        ]
    };
    let mut columns = COLUMNS.to_vec();
    let mut rows: Vec<Vec<String>> = report.tried.iter().map(row).collect();
    if let (Some(at), true) = (
        columns.iter().position(|name| *name == "figure"),
        report.tried.iter().all(|tried| tried.own.is_none()),
    ) {
        columns.remove(at);
        rows.iter_mut().for_each(|row| drop(row.remove(at)));
    }
    (columns, rows)
}
