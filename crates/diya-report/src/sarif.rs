//! A report as SARIF 2.1.0, the format in which forges and editors take the
//! results of analyses and show them at source lines.
//!
//! Source: OASIS, Static Analysis Results Interchange Format 2.1.0; the
//! numbers in comments are its sections.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde_json::{Value as Json, json};

use crate::escape::uri;
use crate::json::write_pretty;
use crate::numbers::saves;
use crate::printable::printable_page;
use crate::{Finding, Report, Severity, printable};

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// Writes any number of reports as one SARIF log, a run for each.
///
/// Findings are results: high ones errors, then warnings and notes. They stand
/// at the source lines of the calls where the log holds stacks, else at the
/// log itself. Checks that passed or do not apply are no results.
pub fn write_sarif(out: &mut dyn Write, reports: &[Report]) -> io::Result<()> {
    let runs: Vec<Json> = reports.iter().map(run).collect();
    let log = json!({ "$schema": SCHEMA, "version": "2.1.0", "runs": runs });
    write_pretty(out, &log)
}

fn run(report: &Report) -> Json {
    let mut rules: Vec<Json> = Vec::new();
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    for finding in &report.findings {
        places.entry(&finding.id).or_insert_with(|| {
            rules.push(rule(finding));
            rules.len() - 1
        });
    }
    let results: Vec<Json> = report
        .findings
        .iter()
        .map(|finding| result(report, finding, places[finding.id.as_str()]))
        .collect();
    let notes = report.problems.iter().map(|problem| {
        let text = format!("{}: {}", printable(&problem.what), printable(&problem.reason));
        json!({ "level": "warning", "message": { "text": message(&text) } })
    });
    let unknown = report.unknown.iter().map(|unknown| {
        let text = format!("{}: {}", printable(&unknown.id), printable(&unknown.reason));
        json!({ "level": "note", "message": { "text": message(&text) } })
    });
    let notes: Vec<Json> = notes.chain(unknown).collect();
    let (name, version) = report.program.split_once(' ').unwrap_or((&report.program, ""));
    let mut driver = json!({ "name": name, "rules": rules });
    if !version.is_empty() {
        driver["version"] = json!(version);
    }
    json!({
        "tool": { "driver": driver },
        "invocations": [{ "executionSuccessful": true, "toolExecutionNotifications": notes }],
        "artifacts": report.logs.iter().map(|log| json!({ "location": { "uri": uri(log) } }))
            .collect::<Vec<_>>(),
        "results": results,
        "properties": {
            "verdict": report.verdict.text,
            "io_s": report.verdict.io_s,
            "run_s": report.verdict.run_s,
        },
    })
}

fn rule(finding: &Finding) -> Json {
    let mut help = String::new();
    for action in &finding.actions {
        if action.stack != "any" {
            help.push_str(&format!("**{}**\n\n", action.stack));
        }
        help.push_str(&printable_page(&action.text));
        help.push_str("\n\n");
    }
    if !finding.wrong_when.is_empty() {
        help.push_str(&format!("**When this is wrong**\n\n{}\n", finding.wrong_when));
    }
    let mut rule = json!({
        "id": finding.id,
        "name": finding.code,
        "shortDescription": { "text": finding.title },
        "defaultConfiguration": { "level": level(finding.severity) },
    });
    if !help.is_empty() {
        rule["help"] = json!({ "text": help, "markdown": help });
    }
    rule
}

fn result(report: &Report, finding: &Finding, rule: usize) -> Json {
    let mut text = finding.text.clone();
    if let Some(range) = saves(finding.saved_s, finding.lost_low_s, finding.lost_high_s) {
        text.push_str(&format!(" Estimated saving: {range}."));
    }
    let lines: Vec<Json> = finding.source.iter().filter_map(|source| at_line(source)).collect();
    let locations = if lines.is_empty() {
        report.logs.iter().take(1).map(|log| location(log, None)).collect()
    } else {
        lines
    };
    let mut result = json!({
        "ruleId": finding.id,
        "ruleIndex": rule,
        "level": level(finding.severity),
        // 3.27.9: what is no problem is informational.
        "kind": if finding.severity == Severity::Ok { "informational" } else { "fail" },
        "message": { "text": message(&printable(&text)) },
        // 3.27.17: the same finding in the next run is known by this.
        "partialFingerprints": { "finding/v1": fingerprint(finding) },
        "properties": {
            "saved_s": finding.saved_s,
            "lost_low_s": finding.lost_low_s,
            "lost_high_s": finding.lost_high_s,
            "files": finding.files,
            "ranks": finding.ranks,
            "targets": finding.targets,
            "window_s": finding.window_s,
            "explained_by": finding.explained_by,
        },
    });
    if !locations.is_empty() {
        result["locations"] = json!(locations);
    }
    result
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::High => "error",
        Severity::Warn => "warning",
        Severity::Unexplained | Severity::Info => "note",
        // 3.27.10: results that are no failures have no level.
        Severity::Ok => "none",
    }
}

/// Brackets would make links (3.11.6), and braces places for arguments (3.11.5).
fn message(text: &str) -> String {
    let mut message = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' | '[' | ']' => message.extend(['\\', c]),
            '{' | '}' => message.extend([c, c]),
            c => message.push(c),
        }
    }
    message
}

/// A place in a source: `path:line`, also at the end of `function (path:line)`.
fn at_line(source: &str) -> Option<Json> {
    let inner = source.strip_suffix(')').and_then(|source| source.rsplit_once(" ("));
    let place = inner.map_or(source, |(_, place)| place);
    let (path, line) = place.rsplit_once(':')?;
    let line: u32 = line.parse().ok().filter(|line| *line > 0)?;
    Some(location(path, Some(line)))
}

fn location(path: &str, line: Option<u32>) -> Json {
    let mut physical = json!({ "artifactLocation": { "uri": uri(path) } });
    if let Some(line) = line {
        physical["region"] = json!({ "startLine": line });
    }
    json!({ "physicalLocation": physical })
}

/// Check and first place: what stays when numbers change.
fn fingerprint(finding: &Finding) -> String {
    let place = finding.source.first().or(finding.files.first());
    format!("{} {}", finding.id, place.map_or("", String::as_str)).trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_line_is_found_with_its_function_or_without() {
        let line = |source| {
            at_line(source).map(|at| at["physicalLocation"]["region"]["startLine"].clone())
        };
        assert_eq!(line("/a/b.c:12"), Some(json!(12)));
        assert_eq!(line("main (/a/b.c:7)"), Some(json!(7)));
        assert_eq!(line("/a/b.c"), None);
        assert_eq!(line("/a/b.c:0"), None);
    }

    #[test]
    fn names_make_no_links() {
        assert_eq!(message("[a](b) {0}"), "\\[a\\](b) {{0}}");
    }
}
