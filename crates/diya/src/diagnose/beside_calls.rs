//! Lines of the program for time that passes beside their calls.

use diya_report::{Evidence, Finding, Value};
use std::collections::BTreeMap;

/// What stands between a line and the function that it calls.
pub(super) const CALLS: &str = ", calls ";

/// Calls by path and kind, and by line: time that passes beside calls, such as that of packing, is
/// known by file and direction only.
#[derive(Default)]
pub(super) struct BesideCalls(BTreeMap<(String, String), BTreeMap<String, i64>>);

impl BesideCalls {
    pub fn add(&mut self, path: Option<&String>, op: Option<String>, source: &str, calls: i64) {
        let Some(key) = path.cloned().zip(op) else { return };
        *self.0.entry(key).or_default().entry(source.to_owned()).or_default() += calls;
    }

    /// Seconds of the evidence, dealt out to lines by their calls on its files.
    pub fn shares(&self, finding: &Finding) -> BTreeMap<&str, f64> {
        let mut shares: BTreeMap<&str, f64> = BTreeMap::new();
        for row in &finding.evidence {
            let (Some(file), op) = (text_of(row, "file"), text_of(row, "op")) else { continue };
            let high_s = row.values.get("lost_high_s").and_then(Value::number);
            let Some(high_s) = high_s else { continue };
            let is_meant =
                |key: &(String, String)| key.0 == file && op.as_ref().is_none_or(|op| *op == key.1);
            let meant: Vec<_> =
                self.0.iter().filter(|(key, _)| is_meant(key)).map(|of| of.1).collect();
            let calls: i64 = meant.iter().flat_map(|lines| lines.values()).sum();
            for (source, of_line) in meant.into_iter().flatten() {
                *shares.entry(place(source)).or_default() +=
                    high_s * *of_line as f64 / calls.max(1) as f64;
            }
        }
        shares
    }
}

/// A line without what it calls.
pub(super) fn place(source: &str) -> &str {
    source.split(CALLS).next().unwrap_or_default()
}

/// A text of a row.
pub(super) fn text_of(row: &Evidence, column: &str) -> Option<String> {
    if let Some(Value::Text(text)) = row.values.get(column) { Some(text.clone()) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_go_to_the_lines_with_calls_on_the_file_of_their_row() {
        let mut calls = BesideCalls::default();
        let archive = "/a.tgz".to_owned();
        calls.add(Some(&archive), Some("write".to_owned()), "pack (a.py:4), calls add", 10);
        calls.add(Some(&archive), Some("read".to_owned()), "verify (a.py:9)", 900);
        calls.add(Some(&"/b".to_owned()), Some("write".to_owned()), "log (a.py:1)", 900);
        let text = |text: &str| Value::Text(text.to_owned());
        let row = |op: &str, high_s| Evidence {
            values: [
                ("file".to_owned(), text("/a.tgz")),
                ("op".to_owned(), text(op)),
                ("lost_high_s".to_owned(), Value::Real(high_s)),
            ]
            .into(),
            ..Evidence::default()
        };
        let finding =
            Finding { evidence: vec![row("write", 0.6), row("read", 0.2)], ..Finding::default() };
        let shares = calls.shares(&finding);
        let expected = BTreeMap::from([("pack (a.py:4)", 0.6), ("verify (a.py:9)", 0.2)]);
        assert_eq!(shares, expected);
    }
}
