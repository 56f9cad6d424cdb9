//! `diya convert`, `diya merge` and `diya diff` as a user runs them.

use crate::support::{corpus, diya};
use std::path::{Path, PathBuf};

const LOG: &str = "ior_mpiio_coll_hints.darshan";

/// A file in a folder of this test's own.
fn scratch(test: &str) -> (PathBuf, String) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    let file = folder.join("new.darshan");
    let name = file.to_str().expect("a plain path").into();
    (file, name)
}

#[test]
fn a_converted_log_does_not_differ() {
    let (_, new) = scratch("convert");
    let (code, said, _) = diya(&["convert", &corpus(LOG), "-o", &new]);
    assert_eq!(code, 0);
    assert!(said.starts_with(&new), "{said}");
    assert_eq!(diya(&["diff", &corpus(LOG), &new]), (0, String::new(), String::new()));
}

#[test]
fn logs_that_differ_give_code_1() {
    let (code, said, _) = diya(&["diff", &corpus(LOG), &corpus("ior_posix_random.darshan")]);
    assert_eq!(code, 1);
    assert!(said.lines().any(|line| line.starts_with("- MPI-IO\t")), "{said}");
    assert!(said.lines().any(|line| line.starts_with("+ POSIX\t")), "{said}");
}

#[test]
fn a_log_that_is_there_is_not_overwritten() {
    let (file, new) = scratch("overwrite");
    std::fs::write(&file, "precious").expect("a folder for the test");
    let (code, _, said) = diya(&["convert", &corpus(LOG), "-o", &new]);
    assert_eq!(code, 4);
    assert!(said.contains("--force"), "{said}");
    assert_eq!(std::fs::read(&file).expect("the old file"), b"precious");
    assert_eq!(diya(&["convert", &corpus(LOG), "-o", &new, "--force"]).0, 0);
}

#[test]
fn an_ending_without_a_format_is_refused() {
    let (file, _) = scratch("ending");
    let name = file.with_extension("txt");
    let (code, _, said) =
        diya(&["convert", &corpus(LOG), "-o", name.to_str().expect("a plain path")]);
    assert_eq!(code, 2);
    assert!(said.contains(".darshan"), "{said}");
    assert!(!name.exists());
}

#[test]
fn what_the_new_log_lacks_is_told() {
    let (_, new) = scratch("threads");
    let (code, _, said) = diya(&["convert", &corpus("threads4.darshan"), "-o", &new]);
    assert_eq!(code, 0);
    assert!(said.contains("thread id"), "{said}");
    let kept = ["convert", &corpus("threads4.darshan"), "-o", &new, "--force", "--keep-threads"];
    assert_eq!(diya(&kept).2, "");
}

#[test]
fn json_says_the_same() {
    let (_, new) = scratch("json");
    let (_, said, _) = diya(&["convert", &corpus("threads4.darshan"), "-o", &new, "--json"]);
    let report: serde_json::Value = serde_json::from_str(&said).expect("JSON");
    assert_eq!(report["path"], new.as_str());
    assert_eq!(report["lost"][0]["part"], "DXT_POSIX");
}

#[test]
fn an_empty_key_is_refused() {
    let (file, new) = scratch("key");
    let (code, _, said) = diya(&["convert", &corpus(LOG), "-o", &new, "--anonymise", ""]);
    assert_eq!(code, 2);
    assert!(said.contains("key is empty"), "{said}");
    assert!(!file.exists());
}

#[test]
fn logs_of_two_jobs_are_not_merged() {
    let (file, new) = scratch("merge");
    let (a, b) = (corpus(LOG), corpus("ior_posix_random.darshan"));
    let (code, _, said) = diya(&["merge", &a, &b, "-o", &new]);
    assert_eq!(code, 2);
    assert!(said.contains("different jobs") && said.contains("--force"), "{said}");
    assert!(!file.exists());
}
