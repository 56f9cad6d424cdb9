//! Small tables as text, and rows of metrics over them.

use diya_metrics::{Catalog, compute};
use diya_tables::{BatchSource, Batches, Kind, TableBuilder, TableId};
use std::sync::Arc;

/// A base table of text: names of columns in the first line, then rows, `-`
/// for null. Columns not named are 0, or null where they are text that can be.
fn filled(id: TableId, text: &str) -> Vec<diya_tables::TableBuilder> {
    let def = id.def();
    let mut table = TableBuilder::new(def);
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let names: Vec<&str> = lines.next().expect("names").split_whitespace().collect();
    let unknown = names.iter().find(|name| def.column(name).is_none());
    assert_eq!(unknown, None, "columns of {}", def.name);
    for line in lines {
        let cells: Vec<&str> = line.split_whitespace().collect();
        for (at, column) in def.columns.iter().enumerate() {
            let cell = names.iter().position(|name| *name == column.name).map(|at| cells[at]);
            let number = match cell {
                Some("-") => None,
                _ => Some(cell.unwrap_or("0")),
            };
            let parse = |n: &str| n.parse::<i64>().unwrap_or_else(|_| panic!("{n} in {line}"));
            match column.kind {
                Kind::Str => {
                    let text = if column.null.is_some() { None } else { Some("") };
                    table.push_str(at, cell.filter(|c| *c != "-").or(text));
                }
                Kind::Bool => table.push_bool(at, number.map(|n| n == "true")),
                Kind::I32 => table.push_i32(at, number.map(|n| n.parse().expect("i32"))),
                Kind::U64 => table.push_u64(at, number.map(|n| n.parse().expect("u64"))),
                Kind::F64 => table.push_f64(at, number.map(|n| n.parse().expect("f64"))),
                Kind::I64 | Kind::TimestampNs => table.push_i64(at, number.map(parse)),
            }
        }
        table.end_row();
    }
    vec![table]
}

/// Rows of a metric over these tables and empty others: the columns asked for,
/// real numbers with three digits, sorted.
pub fn rows(metric: &str, columns: &str, tables: &[(TableId, &str)]) -> Vec<String> {
    let source = |id: TableId| -> Arc<dyn BatchSource> {
        let text = tables.iter().find(|(of, _)| *of == id).map(|(_, text)| *text);
        let filled = text.map(|text| filled(id, text)).unwrap_or_default();
        Arc::new(Batches::new(id.def(), filled.into_iter().map(TableBuilder::into_batch).collect()))
    };
    let base: Vec<Arc<dyn BatchSource>> = TableId::ALL.into_iter().map(source).collect();
    let computed = compute(Catalog::built_in(), &base, &[metric], 1).expect("the engine starts");
    assert!(computed.failed.is_empty(), "{:?}", computed.failed);
    let mut all = base;
    all.extend(computed.tables);
    let query = diya_query::Query::new(&all, 1).expect("the engine starts");
    let is_real = |name: &str| {
        let def = Catalog::built_in().get(metric).expect("is there").def;
        def.columns[def.column(name).unwrap_or_else(|| panic!("no column {name}"))].kind
            == Kind::F64
    };
    let shown: Vec<String> = columns
        .split_whitespace()
        .map(|name| match is_real(name) {
            true => format!("cast(round({name}, 3) as varchar)"),
            false => format!("cast({name} as varchar)"),
        })
        .map(|cell| format!("coalesce({cell}, '-')"))
        .collect();
    let sql = format!("select {} as line from {metric} order by line", shown.join(" || ' ' || "));
    let answer = query.run(&sql).unwrap_or_else(|e| panic!("{sql}: {e}"));
    answer.batches.iter().flat_map(texts).collect()
}

fn texts(batch: &arrow::array::RecordBatch) -> Vec<String> {
    let text = arrow::compute::cast(batch.column(0), &arrow::datatypes::DataType::Utf8);
    let text = text.expect("is text");
    let text = arrow::array::AsArray::as_string::<i32>(&text);
    text.iter().map(|line| line.unwrap_or("null").to_owned()).collect()
}

#[allow(dead_code)] // not every test file asks for it
pub const JOB: (TableId, &str) = (
    TableId::Job,
    "log nprocs run_time_s
     0   4      100",
);

#[allow(dead_code)] // not every test file asks for it
pub const POSIX: (TableId, &str) = (
    TableId::Posix,
    "log file_id rank opens reads writes bytes_read bytes_written f_read_time f_write_time f_meta_time \
     f_slowest_rank_time slowest_rank seq_writes consec_writes fsyncs seeks max_byte_written
     0  1  -1  4  0  40  0  4000  0  8  2  4  3  36  20  40  0  3999
     0  2  0  1  10  0  100  0  1  0  1  0  0  0  0  0  5  0
     0  3  1  2  0  1  0  50  0  3  0  0  0  0  0  0  0  49",
);
