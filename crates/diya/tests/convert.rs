//! `diya convert`: what is kept, what is left out, what is hidden.

use diya::convert::{
    Compression, ConvertError, ConvertOptions, Converted, FileChoice, Glob, Obfuscation,
    OutputFormat, convert,
};
use diya::diff::{DiffOptions, diff};
use diya::input::{Input, logs};
use diya::{OpenOptions, TableId, Tables, read_one};
use diya_tables::{file, hdf5_dataset, job, posix};
use diya_testkit::root;

fn log(name: &str) -> Input {
    let path = root().join("corpus/logs").join(name);
    logs(&[path]).expect("a log of the corpus").remove(0)
}

fn converted(name: &str, options: &ConvertOptions) -> Converted {
    let open = OpenOptions::default();
    convert(&log(name), OutputFormat::Darshan, &open, options).expect("a log that can be written")
}

fn read(input: &Input) -> Tables {
    read_one(input, &OpenOptions::default()).expect("a log")
}

fn tables(name: &str, options: &ConvertOptions) -> Tables {
    read(&Input::from_bytes("new", converted(name, options).bytes))
}

fn paths(tables: &Tables) -> Vec<String> {
    let files = tables.table(TableId::File).expect("names");
    (0..files.rows()).filter_map(|r| files.str(file::PATH, r).map(str::to_string)).collect()
}

fn choice(only: &[&str], skip: &[&str]) -> ConvertOptions {
    let globs = |texts: &[&str]| texts.iter().map(|text| Glob::new(text)).collect();
    let files = FileChoice { only: globs(only), skip: globs(skip), ids: Vec::new() };
    ConvertOptions { files, ..ConvertOptions::default() }
}

#[test]
fn a_log_that_is_only_packed_anew_is_the_same_log() {
    let old = read(&log("ior_hdf5_shared.darshan"));
    for compression in [Compression::Zlib, Compression::Bzip2, Compression::Stored] {
        let options = ConvertOptions { compression, ..ConvertOptions::default() };
        let new = tables("ior_hdf5_shared.darshan", &options);
        assert_eq!(diff(&old, &new, &DiffOptions::default()), []);
    }
}

#[test]
fn a_log_goes_to_the_format_of_diya_and_back() {
    for name in ["ior_hdf5_shared.darshan", "threads4.darshan", "merged_kill.darshan"] {
        let (open, options) = (OpenOptions::default(), ConvertOptions::default());
        let own = convert(&log(name), OutputFormat::Diya, &open, &options).expect("a log").bytes;
        let own = Input::from_bytes("own", own);
        let back = convert(&own, OutputFormat::Darshan, &open, &options).expect("a log").bytes;
        let old = read(&log(name));
        assert_eq!(diff(&old, &read(&own), &DiffOptions::default()), [], "{name}");
        let back = read(&Input::from_bytes("back", back));
        assert_eq!(diff(&old, &back, &DiffOptions::default()), [], "{name}");
    }
}

#[test]
fn files_are_chosen_in_a_trace_of_diya_too() {
    let (open, options) = (OpenOptions::default(), ConvertOptions::default());
    let log = log("ior_hdf5_shared.darshan");
    let own = convert(&log, OutputFormat::Diya, &open, &options).expect("a log").bytes;
    let own = Input::from_bytes("own", own);
    let chosen = convert(&own, OutputFormat::Diya, &open, &choice(&[], &["ih5"]));
    let new = read(&Input::from_bytes("chosen", chosen.expect("a log").bytes));
    assert!(paths(&new).iter().all(|name| !name.contains("ih5")));
    assert_eq!((new.calls.rows(), new.rows(TableId::Heatmap)), (0, 0));
    assert!(new.rows(TableId::Stdio) > 0);
}

#[test]
fn a_chosen_file_brings_its_datasets_and_nothing_else() {
    let new = tables("ior_hdf5_shared.darshan", &choice(&["/scratch/demo/ih5"], &[]));
    let names = paths(&new);
    assert!(names.iter().any(|name| name == "/scratch/demo/ih5"));
    assert!(names.iter().all(|name| name.starts_with("/scratch/demo/ih5")), "{names:?}");
    assert!(new.rows(TableId::Hdf5Dataset) > 0);
    assert!(new.calls.rows() > 0);
    assert_eq!(new.rows(TableId::Heatmap), 0, "heat maps sum over all files");
}

#[test]
fn a_skipped_file_is_gone_with_its_datasets() {
    let new = tables("ior_hdf5_shared.darshan", &choice(&[], &["ih5"]));
    assert!(paths(&new).iter().all(|name| !name.contains("ih5")));
    assert_eq!(new.rows(TableId::Hdf5Dataset), 0);
}

#[test]
fn a_choice_of_nothing_is_refused() {
    let options = choice(&["no-such-file"], &[]);
    let open = OpenOptions::default();
    let refused = convert(&log("ior_hdf5_shared.darshan"), OutputFormat::Darshan, &open, &options);
    assert!(matches!(refused, Err(ConvertError::NoFiles(_))));
}

#[test]
fn a_dropped_trace_leaves_the_counters() {
    let options = ConvertOptions { drops_trace: true, ..ConvertOptions::default() };
    let new = tables("ior_posix_random.darshan", &options);
    let old = read(&log("ior_posix_random.darshan"));
    assert_eq!(new.calls.rows(), 0);
    assert_eq!(new.rows(TableId::Posix), old.rows(TableId::Posix));
}

#[test]
fn an_annotation_is_a_line_of_metadata() {
    let options = ConvertOptions {
        resets_metadata: true,
        annotation: Some("first run\nof two".into()),
        ..ConvertOptions::default()
    };
    let new = tables("ior_posix_random.darshan", &options);
    let metadata = new.table(TableId::Job).and_then(|t| t.str(job::METADATA, 0));
    let lines: Vec<&str> = metadata.expect("metadata").lines().collect();
    assert_eq!(lines, ["lib_ver=3.5.0", "annotation=first run of two"]);
}

fn hidden(name: &str, keeps_mounts: bool, compression: Compression) -> Converted {
    let obfuscation = Some(Obfuscation { key: "secret".into(), keeps_mounts });
    converted(name, &ConvertOptions { obfuscation, compression, ..ConvertOptions::default() })
}

#[test]
fn nothing_of_a_name_is_left_in_the_bytes() {
    let log = hidden("ior_hdf5_shared.darshan", false, Compression::Stored).bytes;
    let has = |text: &[u8]| log.windows(text.len()).any(|window| window == text);
    for secret in ["scratch", "demo", "ih5", "ior", "Dataset"] {
        assert!(!has(secret.as_bytes()), "{secret} is still there");
    }
    assert!(has(b"heatmap:POSIX") && has(b"<STDOUT>"), "general names are kept");
}

#[test]
fn counters_are_untouched_and_every_record_has_a_name() {
    let old = read(&log("ior_hdf5_shared.darshan"));
    let bytes = hidden("ior_hdf5_shared.darshan", false, Compression::Zlib).bytes;
    let new = read(&Input::from_bytes("new", bytes));
    let ids: Vec<u64> = {
        let files = new.table(TableId::File).expect("names");
        (0..files.rows()).filter_map(|row| files.u64(file::FILE_ID, row)).collect()
    };
    let (before, after) = (old.table(TableId::Posix), new.table(TableId::Posix));
    let (before, after) = (before.expect("records"), after.expect("records"));
    for row in 0..after.rows() {
        assert!(after.u64(posix::FILE_ID, row).is_some_and(|id| ids.contains(&id)));
        for column in posix::RANK..before.def().columns.len() {
            assert_eq!(before.i64(column, row), after.i64(column, row));
            assert_eq!(before.f64(column, row), after.f64(column, row));
        }
    }
    let datasets = new.table(TableId::Hdf5Dataset).expect("datasets");
    let file_of = datasets.u64(hdf5_dataset::FILE_REC_ID, 0);
    assert!(file_of.is_some_and(|id| ids.contains(&id)), "a dataset still lies in its file");
}

#[test]
fn hidden_names_keep_their_file_system() {
    let old = read(&log("ior_hdf5_shared.darshan"));
    let bytes = hidden("ior_hdf5_shared.darshan", false, Compression::Zlib).bytes;
    let new = read(&Input::from_bytes("new", bytes));
    let types = |tables: &Tables| -> Vec<Option<String>> {
        let files = tables.table(TableId::File).expect("names");
        (0..files.rows()).map(|r| files.str(file::FS_TYPE, r).map(str::to_string)).collect()
    };
    assert_eq!(types(&old), types(&new));
}
