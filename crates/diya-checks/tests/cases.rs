//! Runs the cases that every check carries: all cases of a check at once, each
//! as a log of its own, so that a query that mixes logs fails here.

mod support;

use std::path::Path;

use diya_checks::{
    Case, Check, CheckError, Config, Evidence, Expect, LogVerdicts, TextTable, Value, decide,
    from_folder,
};
use diya_metrics::Catalog;

#[test]
fn every_check_says_about_its_cases_what_it_promises() {
    let (checks, errors) = from_folder(Path::new("../../checks"));
    let mut faults: Vec<String> = errors.iter().map(CheckError::to_string).collect();
    for check in &checks {
        let cases = run(check);
        faults.extend(cases.into_iter().map(|fault| format!("{}:{fault}", check.path)));
    }
    assert!(!checks.is_empty());
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn ids_and_codes_are_used_once() {
    let checks = diya_checks::builtin().expect("the built-in checks are valid");
    let mut names: Vec<&str> =
        checks.iter().flat_map(|c| [c.id.as_str(), c.code.as_str()]).collect();
    names.sort_unstable();
    let count = names.len();
    names.dedup();
    assert_eq!(names.len(), count);
    let explained = checks.iter().flat_map(|check| &check.explains);
    assert_eq!(explained.filter(|id| !names.contains(&id.as_str())).count(), 0);
}

/// Faults of a check, each with the line of its case.
fn run(check: &Check) -> Vec<String> {
    let query = match support::query_over(&check.cases, std::slice::from_ref(check)) {
        Ok(query) => query,
        Err(fault) => return vec![format!("1: {fault}")],
    };
    let checks = std::slice::from_ref(check);
    let verdicts = match decide(&query, checks, &Config::default(), Catalog::built_in()) {
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
    let found = match (log.findings.first(), log.passed.first(), log.unknown.first()) {
        (Some(finding), ..) => format!("found {:?}", finding.evidence),
        (_, Some(_), _) => "passed".to_owned(),
        (.., Some(unknown)) => format!("unknown: {}", unknown.reason),
        _ => "not applicable".to_owned(),
    };
    let is_right = match &case.expect {
        Expect::Rows(rows) => {
            return match log.findings.first() {
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
