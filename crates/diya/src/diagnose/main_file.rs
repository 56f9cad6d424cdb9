//! The files that a finding is about, where they are few, with their sizes.

use super::cells::Cells;
use super::table;
use crate::{AskError, Session};
use diya_report::{Finding, MainFile, Value};
use std::collections::{BTreeMap, BTreeSet};

/// So many files can be named beside the title.
const FEW: usize = 3;

/// Share of the time that the few have together, at least.
const MAIN_SHARE: f64 = 0.8;

/// Files by the time of their calls, and the sizes of those in the evidence.
pub(super) struct MainFiles {
    by_class: Cells,
    sizes: BTreeMap<(i32, u64), i64>,
}

impl MainFiles {
    /// With the sizes of the files that these findings name.
    pub fn read<'f>(
        session: &Session<'_>,
        findings: impl Iterator<Item = &'f Finding>,
    ) -> Result<Self, AskError> {
        let ids: BTreeSet<u64> = findings.flat_map(ids).map(|(_, id)| id).collect();
        let mut sizes = BTreeMap::new();
        if !ids.is_empty() {
            // A last byte, and an end. 0: a mapped file, nothing was read or written.
            for (name, column, more) in
                [("file_use", "max_offset", 1), ("mapped_file", "end_bytes", 0)]
            {
                let records = table(session, name)?;
                for log in records.logs() {
                    for row in records.rows(log) {
                        let id = id_of(&row.value("file_id")).filter(|id| ids.contains(id));
                        let end = row.integer(column).filter(|end| *end > 0);
                        if let Some((id, end)) = id.zip(end) {
                            let size = sizes.entry((log, id)).or_insert(0);
                            *size = end.saturating_add(more).max(*size);
                        }
                    }
                }
            }
        }
        Ok(Self { by_class: table(session, "main_file")?, sizes })
    }

    /// Those of a finding: of its evidence, or else of the calls that it explains.
    pub fn of(&self, log: i32, finding: &Finding) -> Vec<MainFile> {
        let size = |path: &String| {
            let id = ids(finding).find(|(known, _)| *known == path.as_str()).map(|(_, id)| id);
            id.and_then(|id| self.sizes.get(&(log, id)).copied())
        };
        let named = |path: &String| MainFile { path: path.clone(), size_bytes: size(path) };
        if !finding.files.is_empty() {
            return main_of_evidence(finding).iter().map(named).collect();
        }
        self.of_calls(log, finding)
    }

    /// The files with most of the time of the calls that a finding explains.
    fn of_calls(&self, log: i32, finding: &Finding) -> Vec<MainFile> {
        let is_explained = |layer: &str, class: &str| {
            let class_of = |class: &str| match class {
                "sync" => "metadata".to_owned(),
                "write_sync" => "write".to_owned(),
                other => other.to_owned(),
            };
            finding.explains.iter().any(|of| of.layer == layer && class_of(&of.class) == class)
        };
        let (mut times, mut all_s) = (BTreeMap::<String, f64>::new(), 0.0);
        let mut sizes: BTreeMap<String, i64> = BTreeMap::new();
        for row in self.by_class.rows(log) {
            let (layer, class) = (row.text("layer"), row.text("class"));
            if !is_explained(&layer.unwrap_or_default(), &class.unwrap_or_default()) {
                continue;
            }
            if row.integer("place") == Some(1) {
                all_s += row.number("all_s").unwrap_or(0.0);
            }
            if let Some(path) = row.text("path") {
                if let Some(bytes) = row.integer("size_bytes") {
                    sizes.insert(path.clone(), bytes);
                }
                *times.entry(path).or_default() += row.number("time_s").unwrap_or(0.0);
            }
        }
        let named = |path: String| MainFile { size_bytes: sizes.get(&path).copied(), path };
        few(times.into_iter().collect(), all_s).into_iter().map(named).collect()
    }
}

/// Path and id of the files in the evidence.
fn ids(finding: &Finding) -> impl Iterator<Item = (&str, u64)> {
    finding.evidence.iter().filter_map(|row| match row.values.get("file")? {
        Value::Text(path) => Some((path.as_str(), id_of(row.values.get("file_id")?)?)),
        _ => None,
    })
}

fn id_of(value: &Value) -> Option<u64> {
    match value {
        Value::Unsigned(id) => Some(*id),
        Value::Integer(id) => u64::try_from(*id).ok(),
        _ => None,
    }
}

/// All files of a finding where they are few, or those that most of its seconds are about.
fn main_of_evidence(finding: &Finding) -> Vec<String> {
    if finding.files.len() <= FEW {
        return finding.files.clone();
    }
    // Of more rows than are shown the sum is not known.
    if finding.evidence_rows > finding.evidence.len() {
        return Vec::new();
    }
    let mut times: BTreeMap<String, f64> = BTreeMap::new();
    for row in &finding.evidence {
        if let Some(Value::Text(path)) = row.values.get("file") {
            let saved_s = row.values.get("lost_high_s").and_then(Value::number);
            *times.entry(path.clone()).or_default() += saved_s.unwrap_or(0.0);
        }
    }
    let all_s = times.values().sum();
    few(times.into_iter().collect(), all_s)
}

/// The files with the most time, no more than are needed for most of it; none where these
/// would be many.
fn few(mut times: Vec<(String, f64)>, all_s: f64) -> Vec<String> {
    times.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let (mut named, mut sum_s) = (Vec::new(), 0.0);
    for (path, time_s) in times.into_iter().take(FEW) {
        named.push(path);
        sum_s += time_s;
        if sum_s >= MAIN_SHARE * all_s && sum_s > 0.0 {
            return named;
        }
    }
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::few;

    #[test]
    fn files_are_named_where_few_have_most_of_the_time() {
        let of = |times: &[f64]| {
            let files = times.iter().enumerate().map(|(at, s)| (format!("/{at}"), *s)).collect();
            few(files, times.iter().sum()).join(" ")
        };
        assert_eq!(of(&[0.1, 9.0, 0.2]), "/1");
        assert_eq!(of(&[4.0, 4.0, 0.1]), "/0 /1");
        assert_eq!(of(&[1.0; 9]), "");
        assert_eq!(of(&[0.0]), "");
    }
}
