//! A comparison as Markdown: for merge requests.

use std::fmt::Write as _;
use std::io::{self, Write};

use crate::about_s;
use crate::comparison::{Comparison, Fate, FindingSide, RunComparison};
use crate::escape::{markdown, markdown_cell_code};
use crate::terminal::{letter, severity_word, shown, signed, spread, words};

/// Rows of a table.
const ROWS: usize = 20;

/// Writes a comparison as Markdown (CommonMark with tables).
pub fn write_comparison_markdown(out: &mut dyn Write, comparison: &Comparison) -> io::Result<()> {
    let mut page = "# I/O compared\n".to_owned();
    for (place, run) in comparison.runs.iter().enumerate() {
        // Writing to a String does not fail.
        let _ = one(&mut page, comparison, run, &letter(place + 1));
    }
    let _ = writeln!(page, "\nMade by {}.", markdown(&comparison.program));
    out.write_all(page.as_bytes())
}

type Written = Result<(), std::fmt::Error>;

fn one(page: &mut String, comparison: &Comparison, run: &RunComparison, b: &str) -> Written {
    writeln!(page, "\n**{}**\n", markdown(&run.text))?;
    for text in &run.other_work {
        writeln!(page, "- Caution: {}", markdown(text))?;
    }
    for text in &run.regressions {
        writeln!(page, "- Regression: {}", markdown(text))?;
    }
    writeln!(page, "\n| run | log |\n|---|---|")?;
    for (name, side) in [("A", &comparison.baseline), (b, &run.run)] {
        for log in side.logs.iter().take(ROWS) {
            writeln!(page, "| {name} | {} |", markdown_cell_code(log))?;
        }
    }
    numbers(page, run, b)?;
    findings(page, run)?;
    files(page, run, b)
}

fn numbers(page: &mut String, run: &RunComparison, b: &str) -> Written {
    writeln!(page, "\n| | A | {b} | change | |\n|---|--:|--:|--:|---|")?;
    for change in &run.metrics {
        let has_changed = change.change_ratio.is_some_and(|ratio| ratio.abs() >= 0.01);
        let is_noise = change.is_beyond_noise == Some(false);
        if change.subject != "job" && (!has_changed || is_noise) {
            continue;
        }
        let subject = if change.subject == "job" { "" } else { &change.subject };
        let name = markdown(format!("{subject} {}", words(&change.name)).trim());
        let value = |number: Option<f64>| number.map_or("-".to_owned(), |n| shown(n, &change.unit));
        let verdict = match (change.is_beyond_noise, change.is_worse) {
            (Some(true), Some(true)) => "worse",
            (Some(true), Some(false)) => "better",
            (Some(false), Some(_)) if has_changed => "within variation",
            _ => "",
        };
        let (before, after) = (value(change.before), value(change.after));
        let ratio = change.change_ratio.map(signed).unwrap_or_default();
        writeln!(page, "| {name} | {before} | {after} | {ratio} | {verdict} |")?;
    }
    let noise = run.noise;
    let (run_noise, io_noise) = (spread(noise.run_ratio), spread(noise.io_ratio));
    let source = if noise.is_measured {
        "measured with these repeated runs"
    } else {
        "as on other machines"
    };
    writeln!(page, "\nRun-to-run variation: {run_noise} of run time, {io_noise} of I/O, {source}.")
}

fn findings(page: &mut String, run: &RunComparison) -> Written {
    let listed: Vec<_> = run.findings.iter().filter(|f| f.fate != Fate::Same).collect();
    if listed.is_empty() {
        return writeln!(page, "\nNo finding came, went or changed.");
    }
    writeln!(page, "\n| | severity | finding | before | after |\n|---|---|---|---|---|")?;
    for finding in listed {
        let word = match (&finding.unknown, finding.fate) {
            (Some(_), _) => "unknown",
            (None, Fate::New) => "new",
            (None, Fate::More) => "more",
            (None, Fate::Less) => "less",
            (None, Fate::Gone) => "gone",
            (None, Fate::Same) => "same",
        };
        let side = finding.after.as_ref().or(finding.before.as_ref());
        let weight = side.map_or("", |side| severity_word(side.severity));
        let cost = |side: &Option<FindingSide>| match side {
            Some(side) => side.cost_s().map(about_s).unwrap_or("yes".to_owned()),
            None => "-".to_owned(),
        };
        let (before, after) = (cost(&finding.before), cost(&finding.after));
        let title = markdown(&finding.title);
        writeln!(page, "| {word} | {weight} | {title} | {before} | {after} |")?;
    }
    Ok(())
}

fn files(page: &mut String, run: &RunComparison, b: &str) -> Written {
    if run.files.is_empty() {
        return Ok(());
    }
    writeln!(page, "\n| file | files A | {b} | calls A | {b} | time A | {b} |")?;
    writeln!(page, "|---|--:|--:|--:|--:|--:|--:|")?;
    for file in run.files.iter().take(ROWS) {
        let count = |n: Option<i64>| n.map_or("-".to_owned(), |n| n.to_string());
        let time = |s: Option<f64>| s.map_or("-".to_owned(), diya_model::seconds_text);
        let (a, b) = (file.before, file.after);
        writeln!(
            page,
            "| {} | {} | {} | {} | {} | {} | {} |",
            markdown_cell_code(&file.pattern),
            count(a.map(|side| side.files)),
            count(b.map(|side| side.files)),
            count(a.and_then(|side| side.calls)),
            count(b.and_then(|side| side.calls)),
            time(a.and_then(|side| side.time_s)),
            time(b.and_then(|side| side.time_s)),
        )?;
    }
    let left = run.files.len().saturating_sub(ROWS);
    if left > 0 { writeln!(page, "\nand {left} more") } else { Ok(()) }
}
