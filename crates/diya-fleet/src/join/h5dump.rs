//! What `h5dump` prints of a time-series file of TOKIO: groups such as `/datatargets`, in them
//! `timestamps` and matrices of values by time and target, whose columns an attribute names.
//!
//! HDF5 itself is not read: docs/decisions/0054.

use super::server_value::push;
use super::time::from_seconds;
use super::{Fault, Sink};
use std::collections::BTreeMap;

/// Whether a text is of this form.
pub fn is_it(text: &str) -> bool {
    let first = text.lines().map(str::trim).find(|line| !line.is_empty());
    first.is_some_and(|line| line.starts_with("HDF5 \"") && line.ends_with('{'))
}

/// A dataset with what is read of it.
#[derive(Default)]
struct Dataset {
    values: Vec<f64>,
    columns: Vec<String>,
}

pub fn read(text: &str, sink: &mut Sink<'_>) -> Result<(), Fault> {
    let datasets = parse(text, sink);
    let mut has_values = false;
    for (path, dataset) in &datasets {
        let (group, metric) = path.rsplit_once('/').unwrap_or(("", path));
        let times = datasets.get(&format!("{group}/timestamps"));
        let Some(times) = times.filter(|_| metric != "timestamps") else { continue };
        let width = dataset.columns.len();
        if width == 0 || dataset.values.len() != width * times.values.len() {
            sink.bad(0, &format!("{path}: values do not fit its columns and timestamps"));
            continue;
        }
        has_values = true;
        for (row, time) in dataset.values.chunks_exact(width).zip(&times.values) {
            let Some(time) = from_seconds(*time) else {
                sink.bad(0, &format!("{group}/timestamps: {time} is no time"));
                continue;
            };
            for (value, server) in row.iter().zip(&dataset.columns) {
                // What was not measured is -0.0, or below zero.
                if value.is_sign_positive() {
                    push(time, server, metric, false, *value, sink)?;
                }
            }
        }
    }
    match has_values {
        true => Ok(()),
        false => Err(Fault::File(
            "no matrix with `columns` beside `timestamps`: print the whole file of TOKIO with \
             `h5dump -w 0 FILE`"
                .to_owned(),
        )),
    }
}

/// Datasets by path.
fn parse(text: &str, sink: &mut Sink<'_>) -> BTreeMap<String, Dataset> {
    let mut datasets: BTreeMap<String, Dataset> = BTreeMap::new();
    // Of each open bracket: its kind and name.
    let mut open: Vec<(&str, &str)> = Vec::new();
    for (number, line) in (1..).zip(text.lines().map(str::trim)) {
        if let Some(head) = line.strip_suffix('{') {
            let (kind, name) = head.trim().split_once(' ').unwrap_or((head.trim(), ""));
            open.push((kind, name.trim().trim_matches('"')));
            continue;
        }
        if line.starts_with('}') {
            open.pop();
            continue;
        }
        let [.., (kind, name), ("DATA", _)] = open[..] else { continue };
        let names = open.iter().filter(|(kind, _)| matches!(*kind, "GROUP" | "DATASET"));
        let path = names.map(|(_, name)| *name).filter(|name| *name != "/");
        let path = format!("/{}", path.collect::<Vec<_>>().join("/"));
        let values = line.split_once("):").map_or(line, |(_, values)| values);
        let mut cells = values.split(',').map(str::trim).filter(|cell| !cell.is_empty());
        if kind == "ATTRIBUTE" && name == "columns" {
            let columns = cells.map(|cell| cell.trim_matches('"').trim_end_matches("\\000"));
            datasets.entry(path).or_default().columns.extend(columns.map(str::to_owned));
        } else if kind == "DATASET" {
            let dataset = datasets.entry(path).or_default();
            let is_whole = cells.all(|cell| cell.parse().map(|v| dataset.values.push(v)).is_ok());
            if !is_whole {
                sink.bad(number, "a value is no number");
            }
        }
    }
    datasets
}
