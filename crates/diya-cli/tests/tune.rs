//! `diya tune` as a user runs it.

use crate::support::{corpus, diya};

/// Columns of one file, written independently: MPI-IO reads and writes what lies between them.
const STRIDED: &str = "pnetcdf_indep_cols.darshan";
/// Large sequential requests, a file per process: nothing to mend.
const HEALTHY: &str = "ior_posix_fpp_seq.darshan";

#[test]
fn pieces_of_requests_give_a_hint_against_data_sieving() {
    let folder = tempfile::tempdir().expect("a folder");
    let to = folder.path().join("out");
    let (code, said, errors) =
        diya(&["tune", &corpus(STRIDED), "-o", to.to_str().expect("a plain path")]);
    assert_eq!((code, errors.as_str()), (0, ""), "{said}");
    let hints = std::fs::read_to_string(to.join("romio-hints.txt")).expect("hints");
    // The sizes of the pieces are unknown: the line is there, as a comment.
    assert!(hints.contains("\n# romio_ds_write disable\n"), "{hints}");
    assert!(hints.lines().all(|line| line.is_empty() || line.starts_with('#')), "{hints}");
    assert!(hints.contains("# Undo:") && hints.contains("# Risk:"), "{hints}");
    assert!(said.contains("only if") && said.contains("romio_ds_write disable"), "{said}");
    let plan = std::fs::read_to_string(to.join("tune.toml")).expect("a plan");
    let setting = plan.split("[[setting]]").find(|text| text.contains("romio_ds_write"));
    let setting = setting.expect("the setting");
    for line in ["value = \"disable\"", "reason = \"mpiio/", "is_off = true", "saving_high_s = "] {
        assert!(setting.contains(line), "{line}: {setting}");
    }
}

#[test]
fn a_log_without_a_reason_gives_no_file_and_says_why() {
    let folder = tempfile::tempdir().expect("a folder");
    let to = folder.path().join("out");
    let (code, said, _) =
        diya(&["tune", &corpus(HEALTHY), "-o", to.to_str().expect("a plain path")]);
    assert_eq!(code, 0);
    assert!(said.starts_with("No setting: "), "{said}");
    assert!(!to.exists());
}

#[test]
fn files_of_an_earlier_log_do_not_stay() {
    let folder = tempfile::tempdir().expect("a folder");
    let to = folder.path().to_str().expect("a plain path");
    std::fs::write(folder.path().join("mine.txt"), "mine").expect("a file");
    diya(&["tune", &corpus(STRIDED), "-o", to]);
    assert!(folder.path().join("romio-hints.txt").exists());
    diya(&["tune", &corpus(HEALTHY), "-o", to]);
    let names = std::fs::read_dir(folder.path()).expect("it is there").flatten();
    let names: Vec<_> = names.map(|entry| entry.file_name()).collect();
    assert_eq!(names, ["mine.txt"]);
}

#[test]
fn json_has_the_settings_and_the_findings_without_one() {
    let (code, said, _) = diya(&["tune", &corpus(STRIDED), "--json"]);
    assert_eq!(code, 0);
    let plan: serde_json::Value = serde_json::from_str(&said).expect("JSON");
    assert_eq!(plan["version"], 1);
    let settings = plan["setting"].as_array().expect("settings");
    let keys: Vec<&str> = settings.iter().filter_map(|setting| setting["key"].as_str()).collect();
    assert!(keys.contains(&"romio_ds_write"), "{keys:?}");
    assert!(
        settings.iter().all(|setting| setting["undo"].is_string() && setting["harm"].is_array())
    );
    assert!(plan["no_setting"].is_array());
}

#[test]
fn logs_of_several_jobs_are_refused_with_the_way_out() {
    let (code, _, errors) = diya(&["tune", &corpus(STRIDED), &corpus(HEALTHY)]);
    assert_eq!(code, 2);
    assert!(errors.contains("--together"), "{errors}");
}
