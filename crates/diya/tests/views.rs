//! Every view answers on every kind of log, with rows or without.

use diya::input::Input;
use diya::views::VIEWS;
use diya::{OpenOptions, Session};

#[test]
fn every_view_is_a_query_that_runs() {
    let wanted = ["hdf5_coll_cols.darshan", "phases_ckpt.darshan", "nonmpi_cp.darshan"];
    let paths = diya_testkit::corpus_logs().into_iter();
    let paths = paths.filter(|path| wanted.iter().any(|name| path.ends_with(name)));
    let read = |path: std::path::PathBuf| {
        let bytes = std::fs::read(&path).expect("it can be read");
        Input::from_bytes(path.display().to_string(), bytes)
    };
    let logs: Vec<Input> = paths.map(read).collect();
    assert_eq!(logs.len(), wanted.len());
    let mut session = Session::new(logs, OpenOptions::default());
    for view in VIEWS {
        let name = format!("{} {}", view.subject, view.name);
        assert!(!view.title().is_empty() && view.title().is_ascii(), "{name}: {}", view.title());
        let answers = session.ask(&view.sql(None)).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(answers.len(), 1, "{name}");
    }
}

#[test]
fn every_file_of_a_subject_is_a_view() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/views");
    for entry in
        std::fs::read_dir(folder).expect("the views").flatten().filter(|e| e.path().is_dir())
    {
        let subject = entry.file_name().to_string_lossy().into_owned();
        for file in std::fs::read_dir(entry.path()).expect("a subject").flatten() {
            let name = file.file_name().to_string_lossy().into_owned();
            let is_view =
                |v: &diya::views::View| v.subject == subject && name == format!("{}.sql", v.name);
            assert!(VIEWS.iter().any(is_view), "{subject}/{name} is not in views/mod.rs");
        }
    }
}
