//! The evidence of findings as a table of the SQL engine.

use diya::report::{Evidence, Finding, Value};
use diya::{BatchSource, ColumnDef, Kind, TableDef};
use diya_tables::{Batches, NullWhen, Storage, TableBuilder};
use std::sync::Arc;

const fn column(
    name: &'static str,
    kind: Kind,
    unit: &'static str,
    null: Option<&'static str>,
    doc: &'static str,
) -> ColumnDef {
    let null_when = NullWhen::Never;
    ColumnDef { name, kind, unit, null_when, darshan: None, null, doc, role: None, call: None }
}

/// Table `finding`: what the SQL of a setting joins with.
static FINDING: TableDef = TableDef {
    name: "finding",
    version: 1,
    doc: "Evidence of the findings that are reasons for a setting.",
    rows: "one row per row of evidence; one without a file where there is no evidence",
    storage: Storage::Columns,
    columns: &[
        column("log", Kind::I32, "log", None, "number of the log in this analysis"),
        column("check_id", Kind::Str, "name", None, "id of the check"),
        column("file_id", Kind::U64, "file_id", Some("not about one file"), "joins with `file`"),
        column("op", Kind::Str, "name", Some("both, or not about a direction"), "read or write"),
        column("ost", Kind::I64, "id", Some("not about one target"), "storage target (OST)"),
    ],
};

/// The evidence of these findings of log 0.
pub fn table(findings: &[&Finding]) -> Arc<dyn BatchSource> {
    let mut rows = TableBuilder::new(&FINDING);
    for finding in findings {
        let nothing = [Evidence::default()];
        let evidence = if finding.evidence.is_empty() { &nothing } else { &finding.evidence[..] };
        for row in evidence {
            let value = |name: &str| row.values.get(name);
            let file_id = match value("file_id") {
                Some(Value::Unsigned(id)) => Some(*id),
                Some(Value::Integer(id)) => u64::try_from(*id).ok(),
                _ => None,
            };
            let op = match value("op") {
                Some(Value::Text(op)) => Some(op.as_str()),
                _ => None,
            };
            rows.push_i32(0, Some(0));
            rows.push_str(1, Some(&finding.id));
            rows.push_u64(2, file_id);
            rows.push_str(3, op);
            rows.push_i64(4, value("ost").and_then(Value::integer));
            rows.end_row();
        }
    }
    Arc::new(Batches::new(&FINDING, vec![rows.into_batch()]))
}
