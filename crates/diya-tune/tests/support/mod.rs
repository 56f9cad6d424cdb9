//! Small tables, findings, and what settings come of them.

#![allow(dead_code, reason = "each test uses a part")]

use diya::diagnose::CheckSet;
use diya::report::{Evidence, Finding, Job, Report, Severity, Value};
use diya_checks::trial::query_over;
use diya_checks::{Case, Expect, TextTable};
use diya_tables::record_id;
use diya_tune::{Library, Plan, SettingValue, choose};
use std::collections::{BTreeMap, BTreeSet};

/// A table as text: names, then rows; `-` is null.
pub fn table(text: &str) -> TextTable {
    let mut lines = text.lines().map(str::split_whitespace).filter(|l| l.clone().count() > 0);
    let columns = lines.next().expect("names").map(str::to_owned).collect();
    let cell = |cell: &str| (cell != "-").then(|| cell.to_owned());
    TextTable { line: 1, columns, rows: lines.map(|line| line.map(cell).collect()).collect() }
}

pub fn finding(id: &str, evidence: &[(&str, Value)]) -> Finding {
    let values = evidence.iter().map(|(name, value)| ((*name).to_owned(), value.clone()));
    Finding {
        id: id.to_owned(),
        title: "A fault".to_owned(),
        severity: Severity::High,
        saved_s: Some(2.0),
        lost_low_s: Some(1.0),
        lost_high_s: Some(3.0),
        evidence: vec![Evidence { values: values.collect(), ..Evidence::default() }],
        ..Finding::default()
    }
}

pub fn file(path: &str) -> (&'static str, Value) {
    ("file_id", Value::Unsigned(record_id(path.as_bytes())))
}

pub fn report(findings: Vec<Finding>) -> Report {
    let stacks = ["HDF5", "NetCDF", "Fortran", "Python"].map(str::to_owned).to_vec();
    Report { job: Job { stacks, ..Job::default() }, findings, ..Report::default() }
}

/// What comes of these settings over tables; all that begin with the words.
pub fn plan(settings: &[&str], tables: &[(&str, TextTable)], findings: Vec<Finding>) -> Plan {
    let mut library = Library::built_in().expect("the settings");
    library.settings.retain(|setting| settings.iter().any(|name| setting.id.starts_with(name)));
    assert!(!library.settings.is_empty());
    let mut needs = BTreeSet::new();
    for setting in &library.settings {
        for sql in library.statements(setting) {
            for statement in diya_query::statements(&sql).expect("SQL") {
                needs.extend(statement.tables.into_iter().filter(|name| name != "finding"));
            }
        }
    }
    let mut check = CheckSet::builtin().expect("checks").checks.remove(0);
    check.needs = needs.into_iter().collect();
    let fixtures = tables.iter().map(|(name, table)| ((*name).to_owned(), table.clone()));
    let case =
        Case { title: String::new(), line: 1, fixtures: fixtures.collect(), expect: Expect::Pass };
    let mut query = query_over(&[case], &[check]).expect("tables");
    let plan = choose(&mut query, &report(findings), &library).expect("a plan");
    assert_eq!(plan.problems, [] as [&str; 0]);
    plan
}

pub fn values(plan: &Plan) -> BTreeMap<&str, SettingValue> {
    plan.settings.iter().map(|s| (s.id.as_str(), s.value.clone())).collect()
}

pub fn number(value: i64) -> SettingValue {
    SettingValue::Number(value)
}

pub const NODES: &str = "rank host source
    0 a DXT_POSIX
    1 a DXT_POSIX
    2 b DXT_POSIX
    3 b DXT_POSIX";

/// Tables of a large shared file with one stripe.
pub fn one_stripe(path: &str) -> Vec<(&'static str, TextTable)> {
    let layout = "file rank stripe_count stripe_size osts\n/F -1 1 1048576 6";
    let posix =
        "file rank bytes_written writes max_byte_written\n/F -1 17179869184 4096 17179869183";
    let file = "file mount fs_type\n/F /scratch lustre";
    let mut tables = vec![
        ("lustre_component", table(layout)),
        ("posix", table(posix)),
        ("file", table(file)),
        ("job", table("nprocs run_time_s\n128 100")),
    ];
    for (_, table) in &mut tables {
        let cells = table.rows.iter_mut().flatten().flatten();
        cells.filter(|cell| *cell == "/F").for_each(|cell| *cell = path.to_owned());
    }
    tables
}
