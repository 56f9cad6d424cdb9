//! A pack out of a text timeline: how the tests of the page get their fixtures.
//!
//! `cargo run -p diya-timeline --example pack_of_text < small.txt > small.pack`
//!
//! The notation is that of `web/test/memory/timeline.ts`, so that both ends
//! are asked the same about the same calls. `#layout PATH STRIPE_BYTES COUNT`
//! stripes a file over targets 0, 1, 2, ...

use diya_timeline::pack::{PackOptions, pack};
use diya_timeline::{
    Component, File, Form, Holding, Kind, Layout, Log, NewCall, SharedFields, Store, Traced, Track,
    layer_depth, ns_of,
};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Write};

type Row<'a> = BTreeMap<&'a str, &'a str>;

fn number(row: &Row<'_>, name: &str) -> Option<f64> {
    row.get(name).filter(|word| **word != "-").and_then(|word| word.parse().ok())
}

fn word<'a>(row: &Row<'a>, name: &str) -> Option<&'a str> {
    row.get(name).copied().filter(|word| *word != "-")
}

/// Number of a name, by its first appearance.
fn place(names: &mut Vec<String>, name: &str) -> usize {
    let known = names.iter().position(|known| known == name);
    known.unwrap_or_else(|| {
        names.push(name.to_owned());
        names.len() - 1
    })
}

fn layouts(text: &str) -> BTreeMap<&str, Layout> {
    let lines = text.lines().filter_map(|line| line.trim().strip_prefix("#layout "));
    let layout = |line: &'_ str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [_, stripe, count] = words[..] else { return None };
        let targets = (0..count.parse().ok()?).collect();
        let stripe_bytes = stripe.parse().ok()?;
        Some(Layout(vec![Component { from_bytes: 0, to_bytes: u64::MAX, stripe_bytes, targets }]))
    };
    lines.filter_map(|line| Some((line.split_whitespace().next()?, layout(line)?))).collect()
}

fn store_of(text: &str) -> Store {
    let layouts = layouts(text);
    let mut lines = text.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with('#'));
    let names: Vec<&str> = lines.next().unwrap_or_default().split_whitespace().collect();
    let row = |line| names.iter().copied().zip(str::split_whitespace(line)).collect::<Row<'_>>();
    let rows: Vec<Row<'_>> = lines.map(row).collect();
    let key = |row: &Row<'_>| {
        let part = |name| number(row, name).unwrap_or(0.0) as i32;
        (part("log"), part("rank"))
    };
    let mut store = Store::default();
    let layers: BTreeSet<&str> = rows.iter().filter_map(|row| word(row, "layer")).collect();
    store.layers = layers.into_iter().map(str::to_owned).collect();
    store.layers.sort_by_key(|layer| layer_depth(layer));
    let mut tracks: BTreeMap<(i32, i32), Option<u32>> = BTreeMap::new();
    for row in &rows {
        let host = word(row, "host").map(|host| place(&mut store.hosts, host) as u32);
        let known = tracks.entry(key(row)).or_insert(host);
        *known = known.or(host);
    }
    let track_keys: Vec<(i32, i32)> = tracks.keys().copied().collect();
    store.tracks = tracks.iter().map(|(&(log, rank), &host)| Track { log, rank, host }).collect();
    let mut calls = Vec::new();
    let mut last_s = 0.0f64;
    for row in &rows {
        let op = word(row, "op").unwrap_or("write");
        let form = Form {
            op: place(&mut store.ops, op) as u8,
            function: word(row, "function").map(|f| place(&mut store.functions, f) as u32),
            is_collective: word(row, "function").map(|f| f.ends_with("_all")),
            ..Form::default()
        };
        let form_at = store.forms.iter().position(|known| *known == form).unwrap_or_else(|| {
            store.forms.push(form);
            store.forms.len() - 1
        });
        let (log, path) = (key(row).0, word(row, "file"));
        let file = path.map(|path| {
            let same = |f: &File| f.log == log && f.path.as_deref() == Some(path);
            let known = store.files.iter().position(same);
            known.unwrap_or_else(|| {
                let id = 1000 + store.files.len() as u64;
                let layout = layouts.get(path).cloned().unwrap_or_default();
                let path = Some(path.to_owned());
                store.files.push(File { log, id, path, parent: None, layout });
                store.files.len() - 1
            })
        });
        let layer = word(row, "layer").unwrap_or("posix");
        let shared = SharedFields {
            track: track_keys.iter().position(|known| *known == key(row)).unwrap_or(0) as u32,
            layer: store.layers.iter().position(|known| known == layer).unwrap_or(0) as u8,
            kind: Kind::of_op(op),
            file: file.map_or(u32::MAX, |file| file as u32),
            form: form_at as u16,
        };
        let whole = |name| number(row, name).map(|value| value as u64);
        let (start_s, end_s) =
            (number(row, "start").unwrap_or(0.0), number(row, "end").unwrap_or(0.0));
        last_s = last_s.max(end_s);
        let traced = whole("id").map(|id| Traced {
            log,
            id: Some(id),
            parent_id: whole("parent"),
            ..Traced::default()
        });
        let call = NewCall {
            start_ns: ns_of(start_s),
            end_ns: ns_of(end_s),
            offset_bytes: whole("offset"),
            size_bytes: whole("size"),
            traced,
        };
        calls.push((shared, call));
    }
    let logs = track_keys.iter().map(|(log, _)| *log).max().unwrap_or(0);
    store.logs =
        (0..=logs).map(|log| Log { name: format!("log {log}"), run_s: Some(last_s) }).collect();
    store.calls = calls.into_iter().collect();
    store.rows_in_all = rows.len() as u64;
    store.holding = if rows.is_empty() { Holding::Nothing } else { Holding::All };
    store.prepare();
    store
}

fn main() -> std::io::Result<()> {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text)?;
    std::io::stdout().write_all(&pack(&store_of(&text), PackOptions::default()))
}
