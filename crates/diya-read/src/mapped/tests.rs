//! A mapping and rows in, calls out.

use super::*;
use crate::{Selection, Serial};
use diya_tables::{job, posix, read_issue, region};

const MAPPING: &str = r#"
format = "diya-mapping-1"
file = "calls.csv"
layer = "posix"

[columns]
start = { column = "t", unit = "s", since = "1970" }
duration = { column = "took", unit = "us" }
function = "what"
path = "file"
rank = "rank"
thread = "thread"
size = { column = "moved", unit = "KiB" }
offset = { column = "at", unit = "B" }
error = "errno"

[functions]
WR = "pwrite"
"#;

const HEAD: &str = "t,took,what,file,rank,thread,moved,at,errno\n";

fn read_made(mapping: &str, data: &str) -> Result<Tables, String> {
    let mut archive = tar::Builder::new(Vec::new());
    for (name, text) in [(MAPPING_MEMBER, mapping), ("data", data)] {
        let mut header = tar::Header::new_ustar();
        header.set_size(text.len() as u64);
        archive.append_data(&mut header, name, text.as_bytes()).expect("memory");
    }
    let source = archive.into_inner().expect("memory");
    let request = Request {
        source: &source,
        log: 0,
        log_name: "made",
        outer_compression: None,
        selection: &Selection::all(),
        workers: &Serial,
    };
    let mut tables = Tables::new();
    crate::read(&request, &mut tables).map_err(|e| e.to_string()).map(|()| tables)
}

fn rows(data: &str) -> Tables {
    read_made(MAPPING, &format!("{HEAD}{data}")).expect("rows")
}

#[test]
fn rows_are_calls_in_the_units_of_the_mapping() {
    let tables = rows(
        "1700000000.000000001,2.5,WR,/tmp/a,3,7,4,8192,\n\
         1700000000.5,10,read,/tmp/a,3,7,,,EIO\n\
         1700000001,1,compute,,3,7,,,\n",
    );
    let calls = &tables.calls.chunk(0);
    let first = calls.call(0);
    assert_eq!((first.offset_bytes, first.size_bytes, first.thread), (8192, 4096, Some(7)));
    assert!((first.end_s - 2.5e-6).abs() < 1e-12, "{}", first.end_s);
    assert_eq!(tables.calls.name(calls.runs[0].function.expect("a function")), "pwrite");
    assert_eq!(tables.calls.name(calls.runs[1].error.expect("an error")), "EIO");
    let counters = tables.table(TableId::Posix).expect("counters");
    assert_eq!(counters.i64(posix::BYTES_WRITTEN, 0), Some(4096));
    let jobs = tables.table(TableId::Job).expect("a job");
    assert_eq!(jobs.i64(job::START_TIME, 0), Some(1_700_000_000_000_000_001));
    assert_eq!(jobs.str(job::FORMAT, 0), Some("mapped"));
    let regions = tables.table(TableId::Region).expect("a region");
    assert_eq!(regions.str(region::NAME, 0), Some("compute"));
    assert_eq!(tables.rows(TableId::ReadIssue), 0);
}

#[test]
fn rows_that_do_not_fit_are_one_issue() {
    let tables =
        rows("1,1,read,/a,0,0,1,0,\nsoon,1,read,/a,0,0,1,0,\n2,1,read,/a,-4,0,1,0,\n3,1\n");
    assert_eq!(tables.calls.rows(), 1);
    let issues = tables.table(TableId::ReadIssue).expect("an issue");
    assert_eq!((issues.rows(), issues.u64(read_issue::COUNT, 0)), (1, Some(3)));
    let effect = issues.str(read_issue::EFFECT, 0).expect("words");
    assert!(effect.contains("column \"t\" holds \"soon\""), "{effect}");
}

#[test]
fn mappings_that_cannot_be_used_are_errors_with_the_reason() {
    let without = |line: &str| MAPPING.replace(line, "");
    for (mapping, reason) in [
        ("not toml at all".to_string(), "line 1"),
        (without("format = \"diya-mapping-1\""), "missing field `format`"),
        (MAPPING.replace("mapping-1", "mapping-9"), "\"diya-mapping-9\""),
        (MAPPING.replace(", unit = \"us\"", ""), "missing field `unit`"),
        (MAPPING.replace("unit = \"us\"", "unit = \"hours\""), "line 8"),
        (MAPPING.replace("function = \"what\"", "function = \"who\""), "no column \"who\""),
        (MAPPING.replace("rank = \"rank\"", "rnak = \"rank\""), "unknown field `rnak`"),
        (MAPPING.replace("\"pwrite\"", "\"pwrong\""), "functions.WR"),
        (MAPPING.replace("\"posix\"", "\"posixx\""), "layer \"posixx\""),
        (
            MAPPING.replace("function =", "end = { column = \"t\", unit = \"s\" }\nfunction ="),
            "both",
        ),
    ] {
        let error = read_made(&mapping, HEAD).expect_err(reason);
        assert!(error.contains(reason) && !error.contains('\n'), "{reason}: {error}");
    }
    let error =
        read_made(MAPPING, &format!("{HEAD}never,1,read,/a,0,0,1,0,\n")).expect_err("no row");
    assert!(error.contains("none of 1 rows"), "{error}");
    let error = read_made(MAPPING, &HEAD.replace("took", "t")).expect_err("two columns");
    assert!(error.contains("\"t\"") || error.contains("\"took\""), "{error}");
}

#[test]
fn decimals_are_exact() {
    use rows::scaled;
    assert_eq!(scaled("1700000000.123456789", 1_000_000_000), Some(1_700_000_000_123_456_789));
    assert_eq!(scaled("-0.5", 1000), Some(-500));
    assert_eq!(scaled("1.5e3", 1), Some(1500));
    assert_eq!(scaled("2.", 1024), Some(2048));
    for text in ["", "-", ".", "1.2.3", "NaN", "inf", "1e400", "0x10", "99999999999999999999"] {
        assert_eq!(scaled(text, 1_000_000_000), None, "{text}");
    }
}
