//! A trace as lines: `rank layer op file start-end [offset+size] [id<parent]
//! [calls*busy]`, times in seconds; the last for calls that are stored as one row.

use crate::{
    Calls, Component, File, Form, Kind, Layout, Log, NewCall, SharedFields, Store, Traced, Track,
    layer_depth, ns_of,
};

/// The store of a trace; every file is striped over targets 10 and 11, 100 bytes each.
pub fn store(trace: &str) -> Store {
    let lines: Vec<Vec<&str>> = trace
        .lines()
        .map(|line| line.split_whitespace().collect())
        .filter(|words: &Vec<&str>| !words.is_empty())
        .collect();
    let names = |column: usize| {
        let mut names: Vec<String> = lines.iter().map(|words| words[column].to_owned()).collect();
        names.sort();
        names.dedup();
        names
    };
    let (mut layers, ops, files) = (names(1), names(2), names(3));
    layers.sort_by_key(|layer| layer_depth(layer));
    let ranks: i32 = lines.iter().map(|w| w[0].parse::<i32>().unwrap() + 1).max().unwrap_or(0);
    let striped =
        |targets| Component { from_bytes: 0, to_bytes: u64::MAX, stripe_bytes: 100, targets };
    let parsed = lines.iter().map(|words| {
        let at = |names: &[String], word: &str| names.iter().position(|name| name == word).unwrap();
        let op = at(&ops, words[2]);
        let shared = SharedFields {
            track: words[0].parse().unwrap(),
            layer: at(&layers, words[1]) as u8,
            kind: Kind::of_op(words[2]),
            file: at(&files, words[3]) as u32,
            form: op as u16,
        };
        let (start, end) = words[4].split_once('-').unwrap();
        let mut call = NewCall {
            start_ns: ns_of(start.parse().unwrap()),
            end_ns: ns_of(end.parse().unwrap()),
            ..NewCall::default()
        };
        for word in &words[5..] {
            if let Some((offset, size)) = word.split_once('+') {
                call.offset_bytes = Some(offset.parse().unwrap());
                call.size_bytes = Some(size.parse().unwrap());
            } else if let Some((calls, busy)) = word.split_once('*') {
                let busy_ns = ns_of(busy.parse().unwrap()).unsigned_abs();
                let bundle = Some((calls.parse().unwrap(), busy_ns));
                call.traced = Some(Traced { bundle, ..Traced::default() });
            } else {
                let (id, parent) = word.split_once('<').unwrap();
                let (id, parent_id) = (id.parse().ok(), parent.parse().ok());
                call.traced = Some(Traced { id, parent_id, ..Traced::default() });
            }
        }
        (shared, call)
    });
    let calls: Calls = parsed.collect();
    let mut store = Store {
        logs: vec![Log { name: "a.darshan".to_owned(), run_s: None }],
        forms: (0..ops.len()).map(|op| Form { op: op as u8, ..Form::default() }).collect(),
        layers,
        ops,
        tracks: (0..ranks).map(|rank| Track { log: 0, rank, host: None }).collect(),
        files: (0u64..)
            .zip(files)
            .map(|(id, path)| File {
                id,
                path: Some(path),
                layout: Layout(vec![striped(vec![10, 11])]),
                ..File::default()
            })
            .collect(),
        rows_in_all: calls.len() as u64,
        calls,
        ..Store::default()
    };
    store.prepare();
    store
}
