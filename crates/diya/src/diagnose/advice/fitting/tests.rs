//! Which fix a report shows.

use super::*;
use diya_report::{Evidence, fitting_actions};

/// `Python, reading`: an action for it.
fn actions(headings: &[&str]) -> Vec<Action> {
    let action = |heading: &&str| {
        let (stack, op) = match heading.split_once(", ") {
            Some((stack, "reading")) => (stack, Some("read")),
            Some((stack, "flushing")) => (stack, Some("flush")),
            Some((stack, _)) => (stack, Some("write")),
            None if *heading == "Writing" => ("any", Some("write")),
            None if *heading == "Flushing" => ("any", Some("flush")),
            None => (*heading, None),
        };
        let case = stack.contains('(').then(|| "alone".to_owned());
        let stack = stack.trim_end_matches(" (alone)").to_owned();
        Action { stack, op: op.map(str::to_owned), case, ..Action::default() }
    };
    headings.iter().map(action).collect()
}

/// Headings of the actions that fit, then of the others.
fn arranged(job: &[&str], mut finding: Finding) -> (String, String) {
    let job = Job { stacks: job.iter().map(|s| (*s).to_owned()).collect(), ..Job::default() };
    arrange_actions(&job, &mut finding);
    let (fitting, others) = fitting_actions(&finding);
    let names = |actions: Vec<&Action>| {
        let heading = |action: &&Action| action.heading().unwrap_or_else(|| "any".to_owned());
        actions.iter().map(heading).collect::<Vec<_>>().join("; ")
    };
    (names(fitting), names(others))
}

fn finding(layer: &str, op: Option<&str>, headings: &[&str]) -> Finding {
    let values = op.map(|op| ("op".to_owned(), Value::Text(op.to_owned())));
    let evidence = Evidence { values: values.into_iter().collect(), ..Evidence::default() };
    Finding {
        layer: layer.to_owned(),
        evidence: vec![evidence],
        actions: actions(headings),
        ..Finding::default()
    }
}

const BOTH: [&str; 7] = [
    "any",
    "any, writing",
    "any, reading",
    "POSIX, writing",
    "POSIX, reading",
    "HDF5",
    "Python, reading",
];

#[test]
fn what_is_said_of_the_case_comes_before_the_library_of_the_line_but_not_before_a_language() {
    for (job, fits) in [("C++", "MPI-IO"), ("Fortran", "Fortran")] {
        let of = finding("a", None, &["STDIO", "MPI-IO (alone)", "Fortran"]);
        assert_eq!(arranged(&[job, "MPI-IO", "STDIO"], of).0, fits);
    }
    assert_eq!(arranged(&["STDIO"], finding("a", None, &["STDIO", "MPI-IO (alone)"])).0, "STDIO");
}

#[test]
fn one_fix_is_for_the_direction_of_the_worst_row() {
    let (fitting, others) = arranged(&["POSIX"], finding("posix", Some("read"), &BOTH));
    assert_eq!(fitting, "any; POSIX, reading");
    assert_eq!(others, "Writing; Reading; POSIX, writing; HDF5; Python, reading");
}

#[test]
fn without_a_direction_both_fixes_of_the_software_fit() {
    let (fitting, _) = arranged(&["POSIX"], finding("posix", None, &BOTH));
    assert_eq!(fitting, "any; POSIX, writing; POSIX, reading");
}

#[test]
fn a_fix_for_the_direction_goes_before_one_for_both() {
    let headings = ["any", "Python", "Python, reading"];
    let fitting = |op| arranged(&["Python"], finding("posix", Some(op), &headings)).0;
    assert_eq!(fitting("read"), "any; Python, reading");
    assert_eq!(fitting("write"), "any; Python");
}

#[test]
fn the_line_says_the_language_and_the_library() {
    let fitting = |line: &str| {
        let headings = ["any", "POSIX", "HDF5", "C++", "Fortran"];
        let found = finding("posix", None, &headings);
        let found = Finding { source: vec![line.to_owned()], ..found };
        arranged(&["HDF5", "POSIX", "Lustre"], found).0
    };
    assert_eq!(fitting("save (a.c:3)"), "any; POSIX");
    assert_eq!(fitting("save (a.cpp:3)"), "any; C++");
    assert_eq!(fitting("save (a.cpp:3), calls H5Dwrite"), "any; HDF5");
    assert_eq!(fitting("set::put (a.F90:3), calls h5dwrite_f"), "any; Fortran");
}

#[test]
fn code_in_c_is_no_fix_for_a_script() {
    let fitting =
        |job: &[&str], headings| arranged(job, finding("posix", Some("read"), headings)).0;
    assert_eq!(fitting(&["Perl", "POSIX"], &["any", "POSIX", "Python"]), "any");
    assert_eq!(fitting(&["Shell", "POSIX", "SQLite"], &["any", "POSIX", "SQLite"]), "any; SQLite");
    // An example in C says more than nothing.
    assert_eq!(fitting(&["Go", "POSIX"], &["POSIX", "Python"]), "POSIX");
}

#[test]
fn what_sqlite_reads_for_python_gets_the_fix_of_sqlite() {
    let fitting = |file: &str, line: &str| {
        let found = finding("posix", None, &["any", "Python", "SQLite"]);
        let (files, source) = (vec![file.to_owned()], vec![line.to_owned()]);
        arranged(&["SQLite", "Python"], Finding { files, source, ..found }).0
    };
    assert_eq!(fitting("/a/rows.db", "history (a.py:3), calls pread"), "any; SQLite");
    assert_eq!(fitting("/a/rows.db", "history (a.py:3), calls read"), "any; Python");
    assert_eq!(fitting("/a/rows.csv", "history (a.py:3), calls pread"), "any; Python");
}

#[test]
fn a_python_line_that_uses_hdf5_gets_no_advice_about_open() {
    let fitting = |layer: &str, called: &str| {
        let found = finding(layer, Some("write"), &["any", "HDF5", "h5py", "Python, writing"]);
        let line = format!("save (a.py:3), calls {called}");
        arranged(&["Python", "HDF5", "POSIX"], Finding { source: vec![line], ..found }).0
    };
    assert_eq!(fitting("posix", "Dataset.__setitem__"), "any; h5py");
    assert_eq!(fitting("posix", "write"), "any; Python, writing");
    // Checks of HDF5 write their fixes for Python in h5py.
    assert_eq!(fitting("hdf5", "Dataset.__setitem__"), "any; Python, writing");
}

#[test]
fn cpp_that_calls_read_gets_no_advice_about_streams() {
    let fitting = |called: &str| {
        let found = finding("posix", Some("read"), &["any", "C++, reading", "POSIX, reading"]);
        let line = format!("load (a.cpp:3), calls {called}");
        arranged(&["C++", "POSIX"], Finding { source: vec![line], ..found }).0
    };
    assert_eq!(fitting("read"), "any; POSIX, reading");
    assert_eq!(fitting("pread64"), "any; POSIX, reading");
    assert_eq!(fitting("std::basic_istream::read"), "any; C++, reading");
    let found = finding("posix", None, &["C++", "POSIX", "STDIO"]);
    let source = vec!["save (a.cpp:3), calls fwrite".to_owned()];
    assert_eq!(arranged(&["C++", "POSIX"], Finding { source, ..found }).0, "STDIO");
}

#[test]
fn a_flush_is_named_where_the_program_calls_one() {
    let fitting = |called: &str| {
        let headings =
            ["any", "Writing", "Flushing", "Fortran, writing", "C, writing", "C, flushing"];
        let found = finding("posix", Some("write"), &headings);
        let line = |file: &str| format!("save ({file}:3), calls {called}");
        let of = |file: &str, language: &str| {
            let found = Finding { source: vec![line(file)], ..found.clone() };
            arranged(&[language, "POSIX"], found).0
        };
        (of("a.f90", "Fortran"), of("a.c", "C"))
    };
    let (fortran, c) = fitting("_gfortran_st_flush");
    assert_eq!(fortran, "any; Flushing; Fortran, writing");
    assert_eq!(c, "any; Flushing; C, flushing");
    let (fortran, c) = fitting("_gfortran_st_write");
    assert_eq!((fortran.as_str(), c.as_str()), ("any; Fortran, writing", "any; C, writing"));
}

#[test]
fn advice_about_the_file_system_is_first_where_the_finding_is_about_it() {
    let headings = ["MPI-IO", "Lustre"];
    let fitting = |layer| arranged(&["MPI-IO", "Lustre"], finding(layer, None, &headings)).0;
    assert_eq!(fitting("lustre"), "Lustre");
    assert_eq!(fitting("posix"), "MPI-IO");
}

#[test]
fn lines_that_only_write_through_a_library_need_no_advice_for_reading() {
    let line = |name: &str| format!("put (a.c:7), calls {name}");
    let of = |names: &[&str]| of_libraries(&names.iter().map(|n| line(n)).collect::<Vec<_>>());
    assert_eq!(of(&["MPI_File_write_shared", "MPI_File_open"]), Some("write"));
    assert_eq!(of(&["H5Dwrite", "H5Dread"]), None);
    assert_eq!(of(&["write"]), None);
}

#[test]
fn where_nothing_fits_the_first_one_is_shown() {
    assert_eq!(arranged(&["POSIX"], finding("posix", None, &["R", "Java"])).0, "R");
    assert_eq!(arranged(&["POSIX"], finding("posix", None, &["any", "Java"])).0, "any");
}
