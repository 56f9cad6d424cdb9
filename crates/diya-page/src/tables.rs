//! The report in the form that a page takes: large metric tables as columns.
//!
//! As rows of JSON the tables of a job with 50,000 files are a hundred megabytes. As
//! columns with shared words, deflated, they are a few; and a browser takes them without
//! parsing a number. Layout: `web/README.md`, "Tables as columns".

use diya_report::{MetricTable, Report, Value};
use diya_timeline::{Answer, ToJson};
use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde_json::{Value as Json, json};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;

/// Cells up to which a table stays in the report's JSON: what the first picture shows must
/// be there before anything is unpacked.
const FEW_CELLS: usize = 2000;
/// Whole numbers up to this are the same as real ones.
const EXACT: u64 = 1 << 53;

/// The report without its large tables, and these as columns.
pub(super) fn split(report: &Report) -> (Report, Answer) {
    let is_small = |table: &&MetricTable| table.rows.len() * table.columns.len() <= FEW_CELLS;
    let small = report.metrics.iter().filter(|(_, table)| is_small(table));
    let head = Report {
        metrics: small.map(|(name, table)| (name.clone(), table.clone())).collect(),
        logs: report.logs.clone(),
        program: report.program.clone(),
        job: report.job.clone(),
        verdict: report.verdict.clone(),
        findings: report.findings.clone(),
        passed: report.passed.clone(),
        not_applicable: report.not_applicable.clone(),
        unknown: report.unknown.clone(),
        problems: report.problems.clone(),
        time_account: report.time_account.clone(),
        time_parts: report.time_parts.clone(),
        all_fixed: report.all_fixed,
        together: report.together.clone(),
        track_record: report.track_record.clone(),
        better_recording: report.better_recording.clone(),
        recording: report.recording.clone(),
        schema_version: report.schema_version,
    };
    let large = report.metrics.iter().filter(|(_, table)| !is_small(table));
    (head, packed(large.map(|(name, table)| (name.as_str(), table))))
}

/// All of these tables as columns, whatever their size.
pub(super) fn packed<'a>(all: impl Iterator<Item = (&'a str, &'a MetricTable)>) -> Answer {
    let mut packer = Packer::default();
    let tables: serde_json::Map<String, Json> =
        all.map(|(name, table)| (name.to_owned(), packer.packed(table))).collect();
    packer.answer.with_head(&json!({ "tables": tables, "words": packer.words.all }))
}

/// The answer to `report`: its JSON, the large tables as columns.
pub(super) fn answer(report: &Report) -> serde_json::Result<Answer> {
    let (head, tables) = split(report);
    let mut head = serde_json::to_value(&head)?;
    Ok(tables.amended(|packed| {
        head["packed"] = packed.take();
        *packed = head;
    }))
}

/// The large tables, deflated.
pub(super) fn deflated(tables: &Answer) -> std::io::Result<Vec<u8>> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::new(6));
    for part in tables.parts() {
        encoder.write_all(part)?;
    }
    encoder.finish()
}

/// Texts of all tables, each once: the ids of files stand in a dozen of them.
#[derive(Default)]
struct Words {
    all: Vec<Json>,
    numbers: HashMap<String, i32>,
}

impl Words {
    /// Numbers count from 1: 0 is null.
    fn number(&mut self, value: &Value) -> i32 {
        let (key, json) = match value {
            Value::Null => return 0,
            Value::Text(text) => (format!("t{text}"), json!(text)),
            Value::Flag(flag) => (format!("f{flag}"), json!(flag)),
            other => {
                let json = serde_json::to_value(other).unwrap_or(Json::Null);
                (format!("n{json}"), json)
            }
        };
        let next = i32::try_from(self.all.len() + 1).unwrap_or(0);
        let number = *self.numbers.entry(key).or_insert(next);
        if number == next {
            self.all.push(json);
        }
        number
    }
}

/// What the tables share.
#[derive(Default)]
struct Packer {
    answer: Answer,
    words: Words,
    /// Columns by their content: the times and the ids of files stand in many tables.
    known: HashMap<(u128, usize), Json>,
}

impl Packer {
    fn packed(&mut self, table: &MetricTable) -> Json {
        let data: Vec<Json> = (0..table.columns.len())
            .map(|at| self.column(|row| table.rows[row].get(at), table.rows.len()))
            .collect();
        json!({
            "title": table.title,
            "columns": table.columns,
            "count": table.rows.len(),
            "rows_in_all": table.rows_in_all,
            "data": data,
        })
    }

    /// Numbers as they are, null as NaN; everything else as words. Differences of whole
    /// numbers deflate best: ids that count up become a run of ones.
    fn column<'a>(&mut self, cell: impl Fn(usize) -> Option<&'a Value>, rows: usize) -> Json {
        let cells = || (0..rows).map(|row| cell(row).unwrap_or(&Value::Null));
        let whole = |value: &Value| match value {
            Value::Integer(number) => i32::try_from(*number).ok(),
            _ => None,
        };
        if let Some(values) = cells().map(whole).collect::<Option<Vec<i32>>>() {
            return json!({ "steps": self.steps(values) });
        }
        let real = |value: &Value| match value {
            Value::Null => Some(f64::NAN),
            Value::Real(number) if number.is_finite() => Some(*number),
            Value::Real(_) => Some(f64::NAN),
            Value::Integer(number) if number.unsigned_abs() <= EXACT => Some(*number as f64),
            _ => None,
        };
        if let Some(values) = cells().map(real).collect::<Option<Vec<f64>>>() {
            let key = content(values.iter().map(|value| value.to_bits()));
            let Self { answer, known, .. } = self;
            let column = known.entry((key, rows)).or_insert_with(|| answer.f64(&values).to_json());
            return json!({ "numbers": column });
        }
        let codes = cells().map(|value| self.words.number(value)).collect();
        json!({ "codes": self.steps(codes) })
    }

    fn steps(&mut self, mut values: Vec<i32>) -> Json {
        let mut before = 0_i32;
        for value in &mut values {
            let step = value.wrapping_sub(before);
            before = std::mem::replace(value, step);
        }
        let key = content(values.iter().map(|value| u64::from(value.cast_unsigned())));
        // Apart from real numbers, which are twice as long.
        let place = (!key, values.len());
        let Self { answer, known, .. } = self;
        known.entry(place).or_insert_with(|| answer.i32(&values).to_json()).clone()
    }
}

/// A number that stands for these values; two columns alike have the same one, and others
/// do not within any number of columns that memory holds.
fn content(values: impl Iterator<Item = u64> + Clone) -> u128 {
    let hash = |seed: u64| {
        let mut hasher = DefaultHasher::new();
        seed.hash(&mut hasher);
        values.clone().for_each(|value| value.hash(&mut hasher));
        hasher.finish()
    };
    u128::from(hash(1)) << 64 | u128::from(hash(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(rows: Vec<Vec<Value>>, width: usize) -> Report {
        let columns = (0..width).map(|at| diya_report::MetricColumn {
            name: format!("c{at}"),
            ..diya_report::MetricColumn::default()
        });
        let table = MetricTable {
            columns: columns.collect(),
            rows_in_all: 9999,
            rows,
            ..Default::default()
        };
        Report { metrics: [("t".to_owned(), table)].into(), ..Report::default() }
    }

    #[test]
    fn a_small_table_stays_in_the_report() {
        let report = report(vec![vec![Value::Integer(1)]; 10], 1);
        assert_eq!(split(&report).0, report);
    }

    #[test]
    fn columns_alike_are_there_once() {
        let row = |at: i64| vec![Value::Integer(at), Value::Real(0.5), Value::Integer(at)];
        let (_, tables) = split(&report((0..1000).map(row).collect(), 3));
        let [_, columns] = tables.into_parts();
        assert_eq!(columns.len(), 1000 * 4 + 1000 * 8);
    }

    #[test]
    fn a_large_table_becomes_columns_of_steps_numbers_and_codes() {
        let row = |at: i64| {
            let half = if at == 0 { Value::Null } else { Value::Real(0.5) };
            vec![Value::Integer(at), half, Value::Unsigned(u64::MAX), Value::Text("a".into())]
        };
        let report = report((0..1000).map(row).collect(), 4);
        let (head, tables) = split(&report);
        assert!(head.metrics.is_empty());
        let bytes = tables.bytes();
        let length = u32::from_le_bytes(bytes[4..8].try_into().unwrap()) as usize;
        let json: Json = serde_json::from_slice(&bytes[8..8 + length]).unwrap();
        let data = &json["tables"]["t"]["data"];
        let kinds: Vec<&String> =
            (0..4).filter_map(|at| data[at].as_object()?.keys().next()).collect();
        assert_eq!(kinds, ["steps", "numbers", "codes", "codes"]);
        assert_eq!(json["words"], json!(["18446744073709551615", "a"]));
        assert_eq!(json["tables"]["t"]["rows_in_all"], 9999);
        assert!(deflated(&tables).unwrap().len() < 1000, "a run of ones is nearly nothing");
    }
}
