//! Traces of Recorder, against what its own `recorder2text` prints of them.
//!
//! `corpus/recorder2text/recorder_*.txt` has a line for every different call of a rank, and
//! how often it comes; `scripts/recorder-samples.sh` writes them with the traces.

use diya_read::{Request, Selection, Serial, read};
use diya_tables::{TableId, Tables, region};
use diya_testkit::root;
use std::collections::BTreeMap;

/// Calls and bytes by rank and function.
type Counts = BTreeMap<(i32, String), (u64, i64)>;

fn tables(name: &str) -> Tables {
    let file = std::fs::read(root().join("corpus/traces").join(name)).expect("a trace");
    let mut tables = Tables::new();
    let request = Request {
        source: &file,
        log: 0,
        log_name: name,
        outer_compression: None,
        selection: &Selection::all(),
        workers: &Serial,
    };
    read(&request, &mut tables).expect("a trace of Recorder");
    tables
}

fn ours(tables: &Tables) -> Counts {
    let mut counts = Counts::new();
    for chunk in tables.calls.chunks() {
        let mut at = 0;
        for run in &chunk.runs {
            let name = run.function.map_or("", |function| tables.calls.name(function));
            let count = counts.entry((run.rank, name.to_string())).or_default();
            count.0 += run.len as u64;
            let sizes = (at..at + run.len).map(|place| chunk.call(place).size_bytes);
            count.1 += sizes.filter(|_| run.has_size).sum::<i64>();
            at += run.len;
        }
    }
    let Some(regions) = tables.table(TableId::Region) else { return counts };
    for row in 0..regions.rows() {
        let rank = regions.i32(region::RANK, row);
        let name = regions.str(region::NAME, row).unwrap_or_default().to_string();
        counts.entry((rank.expect("a rank"), name)).or_default().0 += 1;
    }
    counts
}

/// Sums of the lines `times rank [result] function [depth kind] ( arguments )`.
fn theirs(text: &str) -> Counts {
    let mut counts = Counts::new();
    for line in text.lines() {
        let (head, args) = line.split_once(" ( ").expect("arguments in brackets");
        let args: Vec<&str> = args.trim_end_matches(')').split_whitespace().collect();
        let head: Vec<&str> = head.split(' ').collect();
        let times: u64 = head[0].parse().expect("a number of calls");
        let name = head[2..].iter().find(|word| word.parse::<i64>().is_err()).expect("a function");
        let number = |at: usize| args[at].parse::<i64>().expect("a number");
        let bytes = match *name {
            "read" | "write" | "pread" | "pwrite" => number(2),
            "fread" | "fwrite" => number(1) * number(2),
            name if name.starts_with("MPI_File_") && name.contains("_at") => {
                assert_eq!(args[4], "MPI_BYTE");
                number(3)
            }
            _ => 0,
        };
        let name = name.strip_suffix("64").unwrap_or(name);
        let rank = head[1].parse().expect("a rank");
        let count = counts.entry((rank, name.to_string())).or_default();
        count.0 += times;
        count.1 += bytes * i64::try_from(times).expect("few calls");
    }
    counts
}

#[test]
fn calls_and_bytes_equal_those_of_recorders_own_text() {
    let mut compared = 0;
    for entry in std::fs::read_dir(root().join("corpus/recorder2text")).expect("it is there") {
        let path = entry.expect("a file").path();
        let name = path.file_stem().and_then(|name| name.to_str()).expect("a name").to_string();
        if !name.starts_with("recorder_") {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("text");
        assert_eq!(ours(&tables(&format!("{name}.tar"))), theirs(&text), "{name}");
        compared += 1;
    }
    assert!(compared >= 9);
}

#[test]
fn calls_that_recorder_saw_inside_others_have_a_parent() {
    for version in ["2.3", "2.4", "2.5", "2.5_merged", "3.0"] {
        let name = format!("recorder_nest_{version}");
        let text = root().join("corpus/recorder2text").join(format!("{name}.txt"));
        let text = std::fs::read_to_string(text).expect("text");
        let mut expected = 0;
        for line in text.lines() {
            let words: Vec<&str> = line.split(' ').collect();
            // `umask` is a region: only calls have parents.
            if words[3] != "0" && words[2] != "umask" {
                expected += words[0].parse::<usize>().expect("a number of calls");
            }
        }
        let tables = tables(&format!("{name}.tar"));
        let chunks = tables.calls.chunks();
        let places = chunks.flat_map(|chunk| {
            let calls: usize = chunk.runs.iter().map(|run| run.len).sum();
            (0..calls).map(move |at| chunk.parent_id.get(at))
        });
        assert_eq!(places.flatten().count(), expected, "{name}");
    }
}
