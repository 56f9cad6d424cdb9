//! Runs the cases that every check carries.

use std::path::Path;

use diya_checks::{CheckError, Config, from_folder, trial};

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
    let ids =
        |check: &diya_checks::Check| [vec![check.id.clone()], check.formerly.clone()].concat();
    let mut names: Vec<String> =
        checks.iter().flat_map(|c| [ids(c), vec![c.code.clone()]].concat()).collect();
    names.sort_unstable();
    let count = names.len();
    names.dedup();
    assert_eq!(names.len(), count);
    let explained = checks.iter().flat_map(|check| &check.explains);
    assert_eq!(explained.filter(|id| !names.contains(id)).count(), 0);
}

#[test]
fn settings_with_an_id_of_an_earlier_version_work_with_a_note() {
    let mut checks = diya_checks::builtin().expect("the built-in checks are valid");
    let at = checks.iter().position(|check| check.id == "posix/extents-reread");
    let at = at.expect("this check has parameters");
    checks[at].formerly = vec!["posix/an-earlier-name".to_owned()];
    let check = &checks[at];
    let param = check.params.keys().next().expect("has one");
    let settings = |id: &str| format!("[{id:?}]\n{param} = 7");
    let former = Config::parse(&settings(&check.formerly[0]), &checks).expect("is known");
    let today = Config::parse(&settings(&check.id), &checks).expect("is known");
    assert_eq!(check.sql(&check.evidence, &former), check.sql(&check.evidence, &today));
    assert_eq!((former.notes.len(), today.notes.len()), (1, 0));
    assert!(former.notes[0].contains(&check.id), "{}", former.notes[0]);
}
