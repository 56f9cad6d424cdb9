//! Traces that are several files: a directory, and archives of one or more.

use diya::input::{InputError, logs};
use diya::{OpenOptions, Trace};
use diya_tables::TableId;
use diya_testkit::root;
use std::path::{Path, PathBuf};

/// A new empty folder.
fn scratch(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("diya-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn sample(name: &str) -> Vec<u8> {
    std::fs::read(root().join("corpus/traces").join(name)).expect("a trace")
}

/// Names of the logs and their calls.
fn calls(path: &Path) -> Vec<(String, usize)> {
    let inputs = logs(&[path]).expect("logs");
    let rows = |input| {
        let trace = Trace::open(std::slice::from_ref(input), &OpenOptions::default());
        trace.expect("a trace").table(TableId::Call).rows()
    };
    inputs.iter().map(|input| (input.name.clone(), rows(input))).collect()
}

#[test]
fn a_directory_is_the_log_that_an_archive_of_it_is() {
    let folder = scratch("directory");
    let archived = calls(&root().join("corpus/traces/recorder_nest_2.5.tar"));
    tar::Archive::new(sample("recorder_nest_2.5.tar").as_slice()).unpack(&folder).expect("files");
    // Files of other tools beside those of the trace are none of it.
    std::fs::write(folder.join("trace/notes.txt"), "not of Recorder").expect("a file");
    let directory = calls(&folder.join("trace"));
    assert_eq!((directory.len(), archived.len()), (1, 1));
    assert_eq!(directory[0].1, archived[0].1);
    assert!(directory[0].1 > 200);
    assert!(matches!(logs(&[&folder]), Err(InputError::NoLog(_))));
    std::fs::remove_dir_all(&folder).expect("it is there");
}

#[test]
fn folders_of_an_archive_are_logs_of_their_own() {
    let folder = scratch("archive");
    for name in ["recorder_nest_2.4", "recorder_single_3.0"] {
        let tar = sample(&format!("{name}.tar"));
        tar::Archive::new(tar.as_slice()).unpack(folder.join(name)).expect("files");
    }
    let path = folder.join("two.tar");
    let mut archive = tar::Builder::new(std::fs::File::create(&path).expect("a file"));
    for name in ["recorder_nest_2.4", "recorder_single_3.0"] {
        archive.append_dir_all(name, folder.join(name)).expect("files");
    }
    archive.finish().expect("a file");
    let found = calls(&path);
    let names: Vec<&str> =
        found.iter().map(|(name, _)| name.rsplit('!').next().expect("a name")).collect();
    assert_eq!(names, ["recorder_nest_2.4/trace", "recorder_single_3.0/trace"]);
    assert_eq!(found[1].1, 253);
    std::fs::remove_dir_all(&folder).expect("it is there");
}

#[test]
fn the_directory_and_the_anchor_of_otf2_are_the_log_that_an_archive_of_it_is() {
    let folder = scratch("otf2");
    let archived = calls(&root().join("corpus/traces/otf2_mpi.tar"));
    tar::Archive::new(sample("otf2_mpi.tar").as_slice()).unpack(&folder).expect("files");
    let inside = folder.join("otf2_mpi");
    // What Score-P writes beside the archive is none of it.
    std::fs::write(inside.join("scorep.cfg"), "SCOREP_ENABLE_TRACING=true").expect("a file");
    for path in [inside.clone(), inside.join("traces.otf2")] {
        let found = calls(&path);
        assert_eq!((found.len(), found[0].1), (1, archived[0].1), "{}", path.display());
    }
    assert_eq!((archived.len(), archived[0].1), (1, 78));
    // Anchors of one folder in an archive are logs of their own.
    for ending in ["otf2", "def"] {
        let to = inside.join(format!("other.{ending}"));
        std::fs::copy(inside.join(format!("traces.{ending}")), to).expect("a file");
    }
    let path = folder.join("two.tar");
    let mut archive = tar::Builder::new(std::fs::File::create(&path).expect("a file"));
    archive.append_dir_all("run", &inside).expect("files");
    archive.finish().expect("a file");
    let found = calls_of_logs(&path);
    assert_eq!(found, [("run/other.otf2".into(), 0), ("run/traces.otf2".into(), 78)]);
    std::fs::remove_dir_all(&folder).expect("it is there");
}

/// The same for the logs of an archive that also has other files.
fn calls_of_logs(path: &Path) -> Vec<(String, usize)> {
    let inputs = logs(&[path]).expect("logs");
    let rows = |input: &diya::input::Input| {
        let trace = Trace::open(std::slice::from_ref(input), &OpenOptions::default()).ok()?;
        let name = input.name.rsplit('!').next().expect("a name").to_string();
        Some((name, trace.table(TableId::Call).rows()))
    };
    inputs.iter().filter_map(rows).collect()
}
