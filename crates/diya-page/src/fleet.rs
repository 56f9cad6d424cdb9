//! The page of many jobs as one file: answers to questions, and the jobs, as columns.

use super::html::{PageError, REPORT, TABLES, TITLE, escaped_json, fill, policy_of};
use super::rows::plain;
use super::tables;
use arrow::array::{Array, ArrayRef, AsArray};
use arrow::datatypes::{DataType, Float64Type, Int64Type, UInt64Type};
use arrow::util::display::array_value_to_string;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use diya_query::Rows;
use diya_report::{MetricColumn, MetricTable, Value};
use diya_timeline::Answer;
use serde_json::{Value as Json, json};
use std::collections::HashMap;
use std::io::Write;

/// The page as `scripts/page.sh` builds it from `web/`.
const TEMPLATE: &str = include_str!(env!("DIYA_FLEET_PAGE"));

/// A table of the page.
#[derive(Debug)]
pub struct FleetTable {
    /// Its name in the page.
    pub name: String,
    table: MetricTable,
}

impl FleetTable {
    /// The rows under this name. `describe`: unit and meaning of a column by its name.
    pub fn new(
        name: impl Into<String>,
        rows: &Rows,
        describe: impl Fn(&str) -> Option<(String, String)>,
    ) -> Self {
        let columns = rows.schema.fields().iter().map(|field| {
            let (unit, doc) = describe(field.name()).unwrap_or_default();
            MetricColumn { name: field.name().clone(), unit, doc, ..MetricColumn::default() }
        });
        let mut table = MetricTable { columns: columns.collect(), ..MetricTable::default() };
        for batch in &rows.batches {
            let columns: Vec<ArrayRef> = batch.columns().iter().map(plain).collect();
            let row = |row| columns.iter().map(|column| value(column, row)).collect();
            table.rows.extend((0..batch.num_rows()).map(row));
        }
        table.rows_in_all = table.rows.len() as u64;
        Self { name: name.into(), table }
    }

    /// Rows that come from no query, with the names of their columns.
    pub fn of_rows(name: impl Into<String>, columns: &[&str], rows: Vec<Vec<Value>>) -> Self {
        let column =
            |name: &&str| MetricColumn { name: (*name).to_owned(), ..MetricColumn::default() };
        let columns = columns.iter().map(column).collect();
        let rows_in_all = rows.len() as u64;
        let table = MetricTable { columns, rows, rows_in_all, ..MetricTable::default() };
        Self { name: name.into(), table }
    }

    /// A column `number` beside the others: that of the value of a column, where it has one.
    pub fn numbered(&mut self, column: &str, numbers: &HashMap<String, i64>) {
        let Some(at) = self.table.columns.iter().position(|of| of.name == column) else { return };
        self.table.columns.push(MetricColumn { name: "number".into(), ..MetricColumn::default() });
        for row in &mut self.table.rows {
            let number = match &row[at] {
                Value::Text(text) => numbers.get(text),
                _ => None,
            };
            row.push(number.map_or(Value::Null, |number| Value::Integer(*number)));
        }
    }

    /// The rows as JSON objects, for what is small.
    pub fn objects(&self) -> Vec<Json> {
        let object = |row: &Vec<Value>| {
            let cells = self.table.columns.iter().zip(row);
            cells.map(|(column, value)| (column.name.clone(), json!(value))).collect::<Json>()
        };
        self.table.rows.iter().map(object).collect()
    }
}

/// The head of the page, as `web/src/fleet/model/head.ts` reads it.
pub fn fleet_head(
    title: &str,
    dataset: &str,
    totals: &Rows,
    files: &Rows,
    questions: Json,
) -> Json {
    let objects = |rows| FleetTable::new("", rows, |_| None).objects();
    json!({
        "version": 1,
        "program": format!("diya {}", env!("CARGO_PKG_VERSION")),
        "title": title,
        "dataset": dataset,
        "totals": objects(totals).into_iter().next(),
        "files": objects(files),
        "questions": questions,
    })
}

/// Tables as the page takes them from a server; `head` stands beside them.
pub fn fleet_answer(head: Json, all: &[FleetTable]) -> Answer {
    let packed = tables::packed(all.iter().map(|one| (one.name.as_str(), &one.table)));
    packed.amended(|packed| {
        *packed = json!({ "head": head, "packed": packed.take() });
    })
}

/// The page that a server shows: it asks the server for everything.
pub fn served_fleet_page(title: &str) -> Vec<u8> {
    let mut page = Vec::with_capacity(TEMPLATE.len());
    let filled = fill(&mut page, TEMPLATE, &|mark| match mark {
        TITLE => diya_report::html_text(title),
        _ => String::new(),
    });
    debug_assert!(filled.is_ok(), "memory takes all bytes");
    page
}

/// The Content-Security-Policy that the page of many jobs itself names.
pub fn fleet_policy() -> Option<String> {
    policy_of(TEMPLATE)
}

/// Writes the page: `head` is what `web/src/fleet/model/head.ts` reads.
///
/// # Errors
/// When the head has no form in JSON, or the file cannot be written.
pub fn write_fleet_html(
    out: &mut dyn Write,
    title: &str,
    head: &Json,
    all: &[FleetTable],
) -> Result<(), PageError> {
    let head = escaped_json(&serde_json::to_string(head)?);
    let packed = tables::packed(all.iter().map(|one| (one.name.as_str(), &one.table)));
    let packed = tables::deflated(&packed)?;
    fill(out, TEMPLATE, &|mark| match mark {
        TITLE => diya_report::html_text(title),
        REPORT => head.clone(),
        TABLES => STANDARD.encode(&packed),
        _ => String::new(),
    })?;
    Ok(())
}

/// A number beyond 2^53, which JavaScript would round, is text.
fn value(column: &ArrayRef, row: usize) -> Value {
    const EXACT: u64 = 1 << 53;
    let whole = |value: i64| match value.unsigned_abs() <= EXACT {
        true => Value::Integer(value),
        false => Value::Text(value.to_string()),
    };
    if column.is_null(row) {
        return Value::Null;
    }
    match column.data_type() {
        DataType::Boolean => Value::Flag(column.as_boolean().value(row)),
        DataType::Int64 => whole(column.as_primitive::<Int64Type>().value(row)),
        DataType::UInt64 => {
            let value = column.as_primitive::<UInt64Type>().value(row);
            i64::try_from(value).map_or_else(|_| Value::Text(value.to_string()), whole)
        }
        DataType::Float64 => Value::Real(column.as_primitive::<Float64Type>().value(row)),
        DataType::Utf8 => Value::Text(column.as_string::<i32>().value(row).to_owned()),
        _ => array_value_to_string(column, row).map_or(Value::Null, Value::Text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::array::{Int64Array, RecordBatch, StringArray};
    use arrow::datatypes::{Field, Schema};
    use std::io::Read as _;
    use std::sync::Arc;

    const HOSTILE: &str = "</script><script>alert(1)</script>\u{202e}\u{2028}@@DIYA_TABLES@@";

    fn rows() -> Rows {
        let fields = vec![
            Field::new("program", DataType::Utf8, true),
            Field::new("jobs", DataType::Int64, true),
        ];
        let schema = Arc::new(Schema::new(fields));
        let program: ArrayRef = Arc::new(StringArray::from(vec![Some(HOSTILE), None]));
        let jobs: ArrayRef = Arc::new(Int64Array::from(vec![Some(3), None]));
        let batch = RecordBatch::try_new(Arc::clone(&schema), vec![program, jobs]).unwrap();
        Rows { schema, batches: vec![batch] }
    }

    fn page() -> String {
        let describe = |name: &str| (name == "jobs").then(|| ("jobs".into(), "how many".into()));
        let tables = [FleetTable::new("who", &rows(), describe)];
        let mut out = Vec::new();
        write_fleet_html(&mut out, HOSTILE, &json!({ "title": HOSTILE }), &tables).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn the_template_has_every_mark_once() {
        for mark in [REPORT, TABLES, TITLE] {
            assert_eq!(TEMPLATE.matches(mark).count(), 1, "{mark}");
        }
        assert!(TEMPLATE.contains("default-src 'none'"));
    }

    #[test]
    fn hostile_names_stay_text() {
        let scripts = |text: &str| text.matches("<script").count();
        assert_eq!(scripts(&page()), scripts(TEMPLATE));
        assert!(page().contains("&lt;/script&gt;") && page().contains("\\u003c/script"));
    }

    #[test]
    fn numbers_that_javascript_would_round_are_text() {
        let column: ArrayRef = Arc::new(Int64Array::from(vec![1 << 53, (1 << 53) + 1, i64::MIN]));
        let values: Vec<Value> = (0..3).map(|row| value(&column, row)).collect();
        let text = |text: &str| Value::Text(text.to_owned());
        let least = text("-9223372036854775808");
        assert_eq!(values, [Value::Integer(1 << 53), text("9007199254740993"), least]);
        let column: ArrayRef = Arc::new(arrow::array::UInt64Array::from(vec![7, u64::MAX]));
        assert_eq!(value(&column, 0), Value::Integer(7));
        assert_eq!(value(&column, 1), text("18446744073709551615"));
    }

    #[test]
    fn the_rows_of_an_answer_are_in_the_page() {
        let page = page();
        let (_, rest) = page.split_once("id=\"diya-tables\">").unwrap();
        let (encoded, _) = rest.split_once('<').unwrap();
        let bytes = STANDARD.decode(encoded).unwrap();
        let mut answer = Vec::new();
        flate2::read::DeflateDecoder::new(&bytes[..]).read_to_end(&mut answer).unwrap();
        let length = u32::from_le_bytes(answer[4..8].try_into().unwrap()) as usize;
        let head: Json = serde_json::from_slice(&answer[8..8 + length]).unwrap();
        assert_eq!(head["words"], json!([HOSTILE]));
        let table = &head["tables"]["who"];
        assert_eq!(table["count"], 2);
        assert_eq!(table["columns"][1]["unit"], "jobs");
        let numbers = &answer[(8 + length).next_multiple_of(8)..];
        let at = usize::try_from(table["data"][1]["numbers"]["$column"][1].as_u64().unwrap());
        let at = at.unwrap();
        let number = |place: usize| {
            let from = at + place * 8;
            f64::from_le_bytes(numbers[from..from + 8].try_into().unwrap())
        };
        assert!((number(0) - 3.0).abs() < f64::EPSILON && number(1).is_nan());
    }
}
