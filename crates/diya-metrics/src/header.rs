//! What the header of a metric declares: `metrics/README.md` says what it holds, and
//! `diya_header` how it is written, in SQL or in TOML.

use diya_header::{Column, Header, HeaderError};
use diya_tables::{ColumnDef, Kind, NullWhen, Storage, TableDef};

/// A file, taken apart.
#[derive(Debug)]
pub(crate) struct Parsed {
    pub def: &'static TableDef,
    pub notes: String,
    pub question: Option<String>,
    pub needs: Vec<String>,
    pub requires: Vec<String>,
    pub also: Vec<String>,
    pub reads_pipes: bool,
    pub computed: Option<String>,
    pub sql: String,
}

/// Takes a file apart.
///
/// The definition lives as long as the program: tables refer to theirs for
/// good, and a program reads its metrics once.
pub(crate) fn parse(header: &Header<'_>) -> Result<Parsed, HeaderError> {
    let end = |what: &str| header.error(header.lines, what);
    let Some((doc, notes)) = header.paragraphs.split_first() else {
        return Err(header.error(1, "the first line says in words what the table is"));
    };
    let owned = |key: &str| header.value(key).map(str::to_owned);
    let names = |key: &str| header.list(key).into_iter().map(str::to_owned).collect::<Vec<_>>();
    let rows = owned("rows").ok_or_else(|| end("`rows` is missing: what is one row?"))?;
    let (needs, requires) = (names("needs"), names("requires"));
    if needs.is_empty() {
        return Err(end("`needs` is missing: which tables are read?"));
    }
    if let Some(name) = requires.iter().find(|name| !needs.contains(name)) {
        return Err(end(&format!("requires {name}, which is not among `needs`")));
    }
    if let Some(reads) = header.value("reads").filter(|reads| *reads != "pipes") {
        return Err(end(&format!("`reads` takes pipes only, not {reads}")));
    }
    if header.columns.first().is_none_or(|column| column.name != "log") {
        return Err(end("the first column is `log`"));
    }
    let columns: Result<Vec<_>, _> = header.columns.iter().map(|of| column(header, of)).collect();
    let computed = owned("computed");
    let sources = [!header.body.is_empty(), computed.is_some(), header.value("filled").is_some()];
    if sources.iter().filter(|is_source| **is_source).count() != 1 {
        return Err(end("either a statement, `computed` or `filled` follows"));
    }
    let def = Box::leak(Box::new(TableDef {
        name: header.name().to_owned().leak(),
        version: 1,
        doc: doc.to_string().leak(),
        rows: rows.leak(),
        storage: Storage::Columns,
        columns: columns?.leak(),
    }));
    Ok(Parsed {
        def,
        notes: notes.join("\n\n"),
        question: owned("question"),
        needs,
        requires,
        also: names("also"),
        reads_pipes: header.value("reads").is_some(),
        computed,
        sql: header.body.to_string(),
    })
}

fn column(header: &Header<'_>, column: &Column<'_>) -> Result<ColumnDef, HeaderError> {
    let kind = match &*column.kind {
        "bool" => Kind::Bool,
        "i32" => Kind::I32,
        "i64" => Kind::I64,
        "u64" => Kind::U64,
        "f64" => Kind::F64,
        "str" => Kind::Str,
        other => {
            let what = format!("type {other:?} is none of bool, i32, i64, u64, f64, str");
            return Err(header.error(column.line, what));
        }
    };
    Ok(ColumnDef {
        name: column.name.to_string().leak(),
        kind,
        unit: column.unit.to_string().leak(),
        null_when: NullWhen::Never,
        darshan: None,
        null: column.null.as_ref().map(|null| &*null.to_string().leak()),
        doc: column.doc.to_string().leak(),
        role: None,
        call: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use diya_header::METRIC_KEYS;

    const HEADER: &str = "-- Bytes of\n-- each file.\n--\n-- A note.\n-- rows: one per file\n\
        -- needs: file, posix\n-- log | i32 | log | number\n\
        -- bytes | i64 | bytes | moved | not recorded\n";

    fn parsed(text: &str) -> Result<Parsed, HeaderError> {
        parse(&Header::of_sql("m/file_bytes.sql", text, METRIC_KEYS)?)
    }

    #[test]
    fn a_header_becomes_a_table_definition() {
        let parsed = parsed(&format!("{HEADER}select log\n")).expect("is right");
        assert_eq!((parsed.def.name, parsed.def.doc), ("file_bytes", "Bytes of each file."));
        assert_eq!((parsed.notes.as_str(), parsed.sql.as_str()), ("A note.", "select log"));
        assert_eq!(parsed.needs, ["file", "posix"]);
        assert_eq!(parsed.def.columns[1].null, Some("not recorded"));
        assert_eq!(parsed.def.columns[0].null, None);
    }

    #[test]
    fn what_is_missing_is_said_with_its_line() {
        let wrong = |text: &str| parsed(text).expect_err("is wrong");
        assert!(wrong(HEADER).what.contains("either a statement"));
        let no_rows = HEADER.replace("-- rows: one per file\n", "");
        assert!(wrong(&format!("{no_rows}select log")).what.contains("`rows`"));
        let bad_type = HEADER.replace("i64", "int");
        assert_eq!(wrong(&format!("{bad_type}select log")).line, 8);
    }
}
