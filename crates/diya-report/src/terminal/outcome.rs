//! Results of the other checks: passed, not applicable, unknown, skipped.

use std::collections::{BTreeMap, BTreeSet};

use super::paper::{Ink, Paper, Span, span};
use crate::{Report, Unknown, printable};

const COLUMN: usize = 22;

/// Writes the number and the names of the checks with each result.
pub(super) fn write(paper: &mut Paper, report: &Report, is_verbose: bool) {
    paper.gap();
    if report.findings.is_empty() {
        let text = "No findings.";
        paper.flow(0, 0, &[span(text, Ink::Good)]);
        paper.gap();
    }
    let ids = |names: &[crate::CheckName]| names.iter().map(|n| n.id.clone()).collect::<Vec<_>>();
    group(paper, "passed", Ink::Good, &ids(&report.passed), None);
    group(paper, "not applicable", Ink::Plain, &ids(&report.not_applicable), None);
    let (of_kind, unknown): (Vec<&Unknown>, Vec<&Unknown>) =
        report.unknown.iter().partition(|unknown| unknown.topic.is_some());
    not_judged(paper, &of_kind, is_verbose);
    let mut reasons: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for unknown in unknown {
        reasons.entry(&unknown.reason).or_default().push(unknown.id.clone());
    }
    for (reason, ids) in reasons {
        group(paper, "unknown", Ink::Warn, &ids, Some(reason));
    }
    for problem in &report.problems {
        let text = format!("{}: {}", printable(&problem.what), printable(&problem.reason));
        head(paper, "skipped", Ink::High, None);
        paper.flow(COLUMN, COLUMN, &[span(text, Ink::Plain)]);
    }
    if is_verbose && !report.metrics.is_empty() {
        let names: Vec<&str> = report.metrics.keys().map(String::as_str).collect();
        head(paper, "metric tables", Ink::Plain, Some(names.len()));
        paper.flow(COLUMN, COLUMN, &[span(names.join(", "), Ink::Plain)]);
    }
}

/// What logs of this kind do not hold, by its topics; the names of the checks on request.
fn not_judged(paper: &mut Paper, unknown: &[&Unknown], is_verbose: bool) {
    let topics: BTreeSet<&str> = unknown.iter().filter_map(|one| one.topic.as_deref()).collect();
    if topics.is_empty() {
        return;
    }
    head(paper, "not judged", Ink::Warn, Some(unknown.len()));
    let topics = topics.into_iter().collect::<Vec<_>>().join(", ");
    let text = format!("from this kind of log: {}", printable(&topics));
    let mut spans: Vec<Span> = vec![span(text, Ink::Plain)];
    if is_verbose {
        let ids: Vec<String> = unknown.iter().map(|one| one.id.clone()).collect();
        spans.push(span(format!(" ({})", by_folder(&ids)), Ink::Faint));
    }
    paper.flow(COLUMN, COLUMN, &spans);
}

fn head(paper: &mut Paper, word: &str, ink: Ink, count: Option<usize>) {
    let count = count.map(|n| n.to_string()).unwrap_or_default();
    paper.blank(2);
    paper.put(word, ink);
    paper.blank((COLUMN - 4).saturating_sub(word.len() + count.len()));
    paper.put(&count, Ink::Plain);
    paper.blank(2);
}

fn group(paper: &mut Paper, word: &str, ink: Ink, ids: &[String], reason: Option<&str>) {
    if ids.is_empty() {
        return;
    }
    head(paper, word, ink, Some(ids.len()));
    let mut spans: Vec<Span> = vec![span(by_folder(ids), Ink::Faint)];
    if let Some(reason) = reason {
        spans.push(span(format!(" ({})", printable(reason)), Ink::Plain));
    }
    paper.flow(COLUMN, COLUMN, &spans);
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
