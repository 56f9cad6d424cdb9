//! Runs the cases that every check carries.

use std::path::Path;

use diya_checks::{CheckError, from_folder, trial};

#[test]
fn every_check_says_about_its_cases_what_it_promises() {
    let (checks, errors) = from_folder(Path::new("../../checks"));
    let mut faults: Vec<String> = errors.iter().map(CheckError::to_string).collect();
    for check in &checks {
        let cases = trial::faults(check);
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
