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
    let table = table(report);
    let mut text = TextTable::new(COLUMNS.map(|name| (name, !["settings", ""].contains(&name))));
    for row in &table {
        text.row(row.clone());
    }
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

/// The heading of the table of what was tried.
pub(super) const COLUMNS: [&str; 7] =
    ["settings", "runs", "run time", "in I/O", "figure", "gain", "variation"];

/// What was tried, a row each.
pub(super) fn table(report: &TrialsReport) -> Vec<[String; 7]> {
    let whole_s = report.tried.iter().filter_map(|tried| tried.run_s).fold(0.0, f64::max);
    let seconds = |seconds: Option<f64>| seconds.map_or("-".to_owned(), |s| part_s(s, whole_s));
    let row = |tried: &TriedReport| {
        let gain = match (&tried.lost, tried.gain_ratio) {
            (Some(_), _) => "lost".to_owned(),
            (None, Some(ratio)) if ratio >= 0.0 => format!("+{}", percent_text(ratio)),
            (None, Some(ratio)) => percent_text(ratio),
            (None, None) => "-".to_owned(),
        };
        [
            tried.name.clone(),
            tried.runs.to_string(),
            seconds(tried.run_s),
            seconds(tried.io_s),
            figure_text(tried.own),
            gain,
            tried.noise_ratio.map_or("-".to_owned(), percent_text),
        ]
    };
    report.tried.iter().map(row).collect()
}
