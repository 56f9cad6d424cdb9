//! docs/check-coverage.md answers every question, with checks that exist.

use std::collections::BTreeSet;

const PAGE: &str = include_str!("../../../docs/check-coverage.md");

/// Codes of Drishti 0.8 and DXT-Explorer 0.4; there is no P20.
const CODES: [&str; 34] = [
    "S01", "P01", "P02", "P03", "P04", "P05", "P06", "P07", "P08", "P09", "P10", "P11", "P12",
    "P13", "P14", "P15", "P16", "P17", "P18", "P19", "P21", "P22", "M01", "M02", "M03", "M04",
    "M05", "M06", "M07", "M08", "M09", "M10", "D01", "D02",
];

/// Rows of the tables, as cells; heads and rules left out.
fn rows() -> Vec<Vec<&'static str>> {
    let cells = |line: &'static str| line.trim_matches('|').split('|').map(str::trim).collect();
    let rows = PAGE.lines().filter(|line| line.starts_with("| ")).map(cells);
    let is_head = |row: &Vec<&str>| row.last() == Some(&"answered by");
    rows.filter(|row| !is_head(row)).collect()
}

/// Names of checks in a text: `layer/what-it-finds` between backticks.
fn checks_in(text: &'static str) -> BTreeSet<&'static str> {
    let is_check = |name: &&str| {
        let is_part =
            |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '/';
        name.matches('/').count() == 1 && name.chars().all(is_part)
    };
    text.split('`').skip(1).step_by(2).filter(is_check).collect()
}

#[test]
fn every_code_root_cause_and_entry_has_its_answer() {
    let rows = rows();
    let firsts: Vec<&str> = rows.iter().map(|row| row[0]).collect();
    let entries: Vec<String> = (1..=38).map(|number| format!("K{number:02}")).collect();
    let wanted = CODES.into_iter().chain(entries.iter().map(String::as_str));
    for code in wanted.chain(["0.1", "0.2", "0.3", "0.4", "0.5"]) {
        assert_eq!(firsts.iter().filter(|first| **first == code).count(), 1, "{code}");
    }
    assert_eq!(rows.iter().filter(|row| row.len() == 2).count(), 12, "twelve root causes");
    let unanswered: Vec<_> = rows.iter().filter(|row| row.last() == Some(&"")).collect();
    assert!(unanswered.is_empty(), "{unanswered:?}");
}

#[test]
fn all_checks_answer_a_question_and_no_others_are_named() {
    let named = checks_in(PAGE);
    let checks = diya_checks::builtin().expect("the built-in checks are valid");
    let there: BTreeSet<&str> = checks.iter().map(|check| check.id.as_str()).collect();
    let unknown: Vec<_> = named.difference(&there).collect();
    let left_out: Vec<_> = there.difference(&named).collect();
    assert!(
        unknown.is_empty() && left_out.is_empty(),
        "unknown {unknown:?}, not there {left_out:?}"
    );
}
