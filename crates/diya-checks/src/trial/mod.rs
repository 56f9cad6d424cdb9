//! Runs the cases that a check carries: all of them at once, each as a log of
//! its own, so that a query that mixes logs fails here.

mod fixture;

pub use fixture::query_over;

use crate::case::TextTable;
use crate::{Case, Check, Config, Evidence, Expect, LogVerdicts, Value, decide};
use diya_metrics::Catalog;

/// What a check says otherwise than its cases promise: one line per fault, which
/// begins with the line of the page. Nothing: the check keeps its word.
pub fn faults(check: &Check) -> Vec<String> {
    let mut query = match query_over(&check.cases, std::slice::from_ref(check)) {
        Ok(query) => query,
        Err(fault) => return vec![format!("1: {fault}")],
    };
    let checks = std::slice::from_ref(check);
    let config = Config::of_cases();
    let verdicts = match decide(&mut query, checks, &config, Catalog::built_in(), &[]) {
        Ok(verdicts) => verdicts,
        Err(error) => return vec![format!("1: {error}")],
    };
    if let Some(problem) = verdicts.problems.first() {
        return vec![format!("1: {problem}")];
    }
    let pairs = check.cases.iter().zip(&verdicts.logs);
    let faults = pairs.filter_map(|(case, log)| Some((case, fault(case, log)?)));
    faults.map(|(case, fault)| format!("{}: {}: {fault}", case.line, case.title)).collect()
}

fn fault(case: &Case, log: &LogVerdicts) -> Option<String> {
    let found = match (log.found().next(), log.passed.first(), log.unknown.first()) {
        (Some(finding), ..) => format!("found {:?}", finding.evidence),
        (_, Some(_), _) => "passed".to_owned(),
        (.., Some(unknown)) => format!("unknown: {}", unknown.reason),
        _ => "not applicable".to_owned(),
    };
    let is_right = match &case.expect {
        Expect::Rows(rows) => {
            return match log.found().next() {
                Some(finding) => differing(rows, &finding.evidence),
                None => Some(found),
            };
        }
        Expect::Pass => !log.passed.is_empty(),
        Expect::NotApplicable => !log.not_applicable.is_empty(),
        Expect::Unknown => !log.unknown.is_empty(),
    };
    (!is_right).then_some(found)
}

fn differing(expected: &TextTable, evidence: &[Evidence]) -> Option<String> {
    if expected.rows.len() != evidence.len() {
        return Some(format!("found {} rows: {evidence:?}", evidence.len()));
    }
    for (cells, row) in expected.rows.iter().zip(evidence) {
        for (column, cell) in expected.columns.iter().zip(cells) {
            let found = row.values.get(column);
            if !found.is_some_and(|value| is_same(cell.as_deref(), value)) {
                return Some(format!("{column} is {found:?}, not {cell:?}"));
            }
        }
        if row.text.contains("an unknown number of") {
            return Some(format!("the sentence has a gap: {}", row.text));
        }
    }
    None
}

fn is_same(expected: Option<&str>, found: &Value) -> bool {
    match (expected, found) {
        (None, Value::Null) => true,
        (Some(text), Value::Text(found)) => text == found,
        (Some(text), Value::Flag(found)) => text == found.to_string(),
        // Results of a division are compared as far as they are written.
        (Some(text), _) => match (text.parse::<f64>(), found.number()) {
            (Ok(wanted), Some(found)) => (wanted - found).abs() <= 1e-6 * wanted.abs().max(1.0),
            _ => false,
        },
        _ => false,
    }
}
