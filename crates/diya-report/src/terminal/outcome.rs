//! Results of the other checks: passed, not applicable, unknown, skipped.

use std::collections::{BTreeMap, BTreeSet};

use super::text_writer::{Span, Style, TextWriter, span};
use crate::{Report, Unknown, printable};

const COLUMN: usize = 22;
/// Unknown checks of one reason that are named without being asked for.
const NAMED: usize = 3;

/// Writes how many checks had each result; their names on request.
pub(super) fn write(writer: &mut TextWriter, report: &Report, is_verbose: bool) {
    writer.gap();
    if report.findings.is_empty() {
        let text = "No findings.";
        writer.flow(0, 0, &[span(text, Style::Good)]);
        writer.gap();
    }
    let ids = |names: &[crate::CheckName]| names.iter().map(|n| n.id.clone()).collect::<Vec<_>>();
    if is_verbose {
        group(writer, "passed", Style::Good, &ids(&report.passed), None);
        group(writer, "not applicable", Style::Plain, &ids(&report.not_applicable), None);
    } else if !report.passed.is_empty() || !report.not_applicable.is_empty() {
        let (passed, not_applicable) = (report.passed.len(), report.not_applicable.len());
        let text = format!("{passed} passed, {not_applicable} not applicable (names: --verbose)");
        head(writer, "checks", Style::Plain, None);
        writer.flow(COLUMN, COLUMN, &[span(text, Style::Plain)]);
    }
    let (of_kind, unknown): (Vec<&Unknown>, Vec<&Unknown>) =
        report.unknown.iter().partition(|unknown| unknown.topic.is_some());
    not_judged(writer, &of_kind, report.better_recording.as_deref(), is_verbose);
    let mut reasons: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for unknown in unknown {
        reasons.entry(&unknown.reason).or_default().push(unknown.id.clone());
    }
    for (reason, ids) in reasons {
        if is_verbose || ids.len() <= NAMED {
            group(writer, "unknown", Style::Warn, &ids, Some(reason));
        } else {
            head(writer, "unknown", Style::Warn, Some(ids.len()));
            let text = format!("checks ({})", printable(reason));
            writer.flow(COLUMN, COLUMN, &[span(text, Style::Plain)]);
        }
    }
    for problem in &report.problems {
        let text = format!("{}: {}", printable(&problem.what), printable(&problem.reason));
        head(writer, "skipped", Style::High, None);
        writer.flow(COLUMN, COLUMN, &[span(text, Style::Plain)]);
    }
    if let Some(record) = &report.track_record {
        head(writer, "how often right", Style::Plain, None);
        writer.flow(COLUMN, COLUMN, &[span(printable(record), Style::Faint)]);
    }
    if is_verbose && !report.metrics.is_empty() {
        let names: Vec<&str> = report.metrics.keys().map(String::as_str).collect();
        head(writer, "metric tables", Style::Plain, Some(names.len()));
        writer.flow(COLUMN, COLUMN, &[span(names.join(", "), Style::Plain)]);
    }
}

/// What logs of this kind do not hold, by its topics; the names of the checks on request.
fn not_judged(
    writer: &mut TextWriter,
    unknown: &[&Unknown],
    better: Option<&str>,
    is_verbose: bool,
) {
    let topics: BTreeSet<&str> = unknown.iter().filter_map(|one| one.topic.as_deref()).collect();
    if topics.is_empty() {
        if let Some(better) = better {
            head(writer, "to see more", Style::Plain, None);
            writer.flow(COLUMN, COLUMN, &[span(printable(better), Style::Plain)]);
        }
        return;
    }
    head(writer, "unknown", Style::Warn, Some(unknown.len()));
    let topics = topics.into_iter().collect::<Vec<_>>().join(", ");
    let names = if is_verbose { "" } else { " (names: --verbose)" };
    let need = if unknown.len() == 1 { "check needs" } else { "checks need" };
    let way = better.map(|of| format!(". {}", printable(of))).unwrap_or_default();
    let text = format!("{need} data that this log lacks: {}{names}{way}", printable(&topics));
    let mut spans: Vec<Span> = vec![span(text, Style::Plain)];
    if is_verbose {
        let ids: Vec<String> = unknown.iter().map(|one| one.id.clone()).collect();
        spans.push(span(format!(" ({})", by_folder(&ids)), Style::Faint));
    }
    writer.flow(COLUMN, COLUMN, &spans);
}

fn head(writer: &mut TextWriter, word: &str, style: Style, count: Option<usize>) {
    let count = count.map(|n| n.to_string()).unwrap_or_default();
    writer.blank(2);
    writer.put(word, style);
    writer.blank((COLUMN - 4).saturating_sub(word.len() + count.len()));
    writer.put(&count, Style::Plain);
    writer.blank(2);
}

fn group(writer: &mut TextWriter, word: &str, style: Style, ids: &[String], reason: Option<&str>) {
    if ids.is_empty() {
        return;
    }
    head(writer, word, style, Some(ids.len()));
    let mut spans: Vec<Span> = vec![span(by_folder(ids), Style::Faint)];
    if let Some(reason) = reason {
        spans.push(span(format!(" ({})", printable(reason)), Style::Plain));
    }
    writer.flow(COLUMN, COLUMN, &spans);
}

/// `posix/{a, b}, stdio/c`: each folder is written once, as a shell does.
fn by_folder(ids: &[String]) -> String {
    let mut folders: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for id in ids {
        let (folder, name) = id.split_once('/').unwrap_or(("", id));
        folders.entry(folder).or_default().push(name);
    }
    let texts = folders.iter().map(|(folder, names)| match (*folder, names.as_slice()) {
        ("", names) => names.join(", "),
        (folder, [name]) => format!("{folder}/{name}"),
        (folder, names) => format!("{folder}/{{{}}}", names.join(", ")),
    });
    printable(&texts.collect::<Vec<_>>().join(", ")).into_owned()
}
