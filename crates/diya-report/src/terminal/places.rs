//! Where a finding is: files, ranks, source lines, and what a late rank does.

use super::text_writer::{COLUMN, INDENT, Style, TextWriter, span};
use crate::fitting::called;
use crate::numbers::{
    late_place, line_cost_text, lines_sum_text, other_lines_text, ranges, size_text,
    without_folders,
};
use crate::text_table::{shortened, shortened_source, width};
use crate::{Finding, LateRank, Report, SourceLine, Value, printable};
use diya_model::part_of_run_s;

/// Maximum number of files that are listed without --verbose.
const FILES: usize = 3;

/// Where and when: files, source lines, ranks, targets, window.
pub(super) fn write(writer: &mut TextWriter, report: &Report, finding: &Finding, is_verbose: bool) {
    let runs = if is_verbose { usize::MAX } else { 8 };
    let mut parts = Vec::new();
    match finding.ranks.as_slice() {
        [] => {}
        ranks if ranks.len() == finding.processes.len() => {
            let shown =
                finding.processes.iter().take(runs).map(|name| printable(name).into_owned());
            let left = ranks.len().saturating_sub(runs);
            let more = (left > 0).then(|| format!("{left} more"));
            parts.push(shown.chain(more).collect::<Vec<_>>().join(", "));
        }
        [rank] => parts.push(format!("rank {rank}")),
        ranks => parts.push(format!("ranks {}", ranges(ranks, runs))),
    }
    if !finding.targets.is_empty() {
        parts.push(format!("OST {}", ranges(&finding.targets, runs)));
    }
    if let Some((start_s, end_s)) = finding.window_s {
        let text = diya_model::seconds_text;
        parts.push(format!("from {} to {} of the run", text(start_s), text(end_s)));
    }
    if !parts.is_empty() {
        writer.labelled(INDENT, "where", COLUMN, &[span(parts.join("; "), Style::Plain)]);
    }
    let in_table = |file: &&String| {
        let is_it =
            |value: Option<&Value>| matches!(value, Some(Value::Text(text)) if text == *file);
        let shown = if is_verbose { usize::MAX } else { 5 };
        finding.evidence.iter().take(shown).any(|row| is_it(row.values.get("file")))
    };
    // A table that lists files has their number, and the head those that matter: a second list
    // would differ from it.
    let is_listed = !finding.main_files.is_empty() || finding.files.iter().any(|f| in_table(&f));
    let files = finding.files.iter().filter(|file| (is_verbose || !is_listed) && !in_table(file));
    let most = if is_verbose { usize::MAX } else { FILES };
    names(writer, "files", &files.collect::<Vec<_>>(), most, shortened);
    match finding.lines.as_slice() {
        [] => {
            let all: Vec<&String> = finding.source.iter().collect();
            names(writer, source_word(finding), &all, 5, shortened_source);
        }
        lines => source_lines(writer, report, finding, lines),
    }
    let changes: Vec<String> = finding.changes.iter().map(|line| without_folders(line)).collect();
    names(
        writer,
        "to change",
        &changes.iter().collect::<Vec<_>>(),
        changes.len(),
        shortened_source,
    );
    if let Some(late) = &finding.late {
        late_rank(writer, late, report.verdict.run_s);
    }
}

/// The files that the finding is about, with their sizes: beside its title.
pub(super) fn main_files(writer: &mut TextWriter, finding: &Finding) {
    for (place, file) in finding.main_files.iter().enumerate() {
        let size = size_text(file);
        let room = writer.columns.saturating_sub(COLUMN + width(&size)).max(16);
        let label = if finding.main_files.len() == 1 { "file" } else { "files" };
        writer.label(INDENT, if place == 0 { label } else { "" }, COLUMN);
        writer.put(&shortened(&printable(&file.path), room), Style::Code);
        writer.put(&size, Style::Plain);
        writer.gap();
    }
}

/// What a rank does that others wait for.
fn late_rank(writer: &mut TextWriter, late: &LateRank, run_s: Option<f64>) {
    let text = format!("{} spends more time here than the mean of the others:", late.name);
    writer.labelled(INDENT, "late rank", COLUMN, &[span(printable(&text), Style::Plain)]);
    for part in &late.parts {
        let (time, others) =
            (part_of_run_s(part.time_s, run_s), part_of_run_s(part.others_s, run_s));
        let text = format!("{time} (others {others}) {}", late_place(part));
        writer.label(INDENT, "", COLUMN);
        writer.flow(COLUMN, COLUMN + 2, &[span(printable(&text), Style::Plain)]);
    }
}

/// What stands before the lines: pages of a mapped file are used elsewhere than where the file
/// is mapped, and only that line is recorded.
pub(crate) fn source_word(finding: &Finding) -> &'static str {
    let lines = finding.lines.iter().map(|line| &line.source).chain(&finding.source);
    let maps = |line: &String| {
        called(line).is_some_and(|name| name.contains("mmap") || name.contains("memmap"))
    };
    let mut lines = lines.peekable();
    match lines.peek().is_some() && lines.all(maps) {
        true => "mapped at",
        // Those who wait do it there; what to change is where the late rank works.
        false if finding.late.is_some() => "waits at",
        false => "source",
    }
}

/// Lines of the program with what each costs, and where the function of one that serves
/// several places is called from. The last row has their sum.
fn source_lines(writer: &mut TextWriter, report: &Report, finding: &Finding, lines: &[SourceLine]) {
    let (word, run_s) = (source_word(finding), report.verdict.run_s);
    for (place, line) in lines.iter().enumerate() {
        let cost = format!("  {}", line_cost_text(line, run_s));
        let room = writer.columns.saturating_sub(COLUMN + width(&cost)).max(16);
        writer.label(INDENT, if place == 0 { word } else { "" }, COLUMN);
        writer.put(&shortened_source(&printable(&line.source), room), Style::Code);
        writer.put(&cost, Style::Plain);
        writer.gap();
        for caller in &line.callers {
            let share = match line.callers.len() {
                1 => "  called from  ".to_owned(),
                _ => format!("  called from ({:>4})  ", diya_model::percent_text(caller.share)),
            };
            let room = writer.columns.saturating_sub(COLUMN + width(&share)).max(16);
            writer.label(INDENT, "", COLUMN);
            writer.put(&share, Style::Faint);
            writer.put(&shortened_source(&printable(&caller.source), room), Style::Code);
            writer.gap();
        }
    }
    let rest = finding.other_lines.as_ref().map(|rest| other_lines_text(rest, run_s));
    for text in rest.into_iter().chain(lines_sum_text(report, finding)) {
        writer.label(INDENT, "", COLUMN);
        writer.flow(COLUMN, COLUMN + 2, &[span(text, Style::Faint)]);
    }
}

/// One name per line, shortened to the width of the line.
fn names(
    writer: &mut TextWriter,
    label: &str,
    names: &[&String],
    most: usize,
    shorten: fn(&str, usize) -> String,
) {
    for (place, name) in names.iter().take(most).enumerate() {
        let room = writer.columns.saturating_sub(COLUMN).max(16);
        writer.label(INDENT, if place == 0 { label } else { "" }, COLUMN);
        writer.put(&shorten(&printable(name), room), Style::Code);
        writer.gap();
    }
    if names.len() > most {
        writer.label(INDENT, "", COLUMN);
        writer.put(&format!("and {} more", names.len() - most), Style::Faint);
        writer.gap();
    }
}
