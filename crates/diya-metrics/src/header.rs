//! The header of a metric file: comment lines before the statement.
//!
//! ```text
//! -- Calls and bytes of each file.        first paragraph: what the table is
//! --
//! -- Metadata is one kind, since ...      any more paragraphs: notes
//! --
//! -- rows: one row per log and file
//! -- needs: file, posix
//! -- requires: file                       of the needs: without rows, no rows
//! -- question: How often is it opened?    whoever asks it, where nothing of diya reads it
//! -- also: mpiio                          read when there, but not necessary
//! -- reads: pipes                     calls on pipes and sockets, too, whatever else leaves these out
//! -- computed: from_calls::phases::write       instead of a statement: a function here
//! -- filled: by the checks                instead of both: somebody else has its rows
//! -- log   | i32 | log   | number of the log
//! -- bytes | i64 | bytes | bytes moved | not recorded
//! ```
//!
//! A column is name, type, unit, meaning, and, where the value can be null,
//! what that means.

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

/// What is wrong, and in which line (from 1).
pub(crate) type Complaint = (usize, String);

/// Takes a file apart.
///
/// The definition lives as long as the program: tables refer to theirs for
/// good, and a program reads its metrics once.
pub(crate) fn parse(name: &str, text: &str) -> Result<Parsed, Complaint> {
    let mut paragraphs = vec![String::new()];
    let (mut rows, mut computed) = (None, None);
    let (mut is_filled, mut reads_pipes) = (false, false);
    let mut question = None;
    let (mut needs, mut requires, mut also) = (Vec::new(), Vec::new(), Vec::new());
    let names =
        |list: &str| -> Vec<String> { list.split(',').map(|n| n.trim().to_owned()).collect() };
    let mut columns = Vec::new();
    let mut header_lines = 0;
    for (number, line) in (1..).zip(text.lines()) {
        let Some(comment) = line.strip_prefix("--") else { break };
        header_lines = number;
        let comment = comment.trim();
        if let Some(text) = comment.strip_prefix("rows: ") {
            rows = Some(text);
        } else if let Some(text) = comment.strip_prefix("question: ") {
            question = Some(text.to_owned());
        } else if let Some(list) = comment.strip_prefix("needs: ") {
            needs = names(list);
        } else if let Some(list) = comment.strip_prefix("requires: ") {
            requires = names(list);
        } else if let Some(list) = comment.strip_prefix("also: ") {
            also = names(list);
        } else if comment == "reads: pipes" {
            reads_pipes = true;
        } else if let Some(function) = comment.strip_prefix("computed: ") {
            computed = Some(function.to_owned());
        } else if comment.starts_with("filled: ") {
            is_filled = true;
        } else if comment.contains(" | ") {
            columns.push(column(comment).map_err(|what| (number, what))?);
        } else if comment.is_empty() {
            paragraphs.push(String::new());
        } else if let Some(paragraph) = paragraphs.last_mut() {
            paragraph.push_str(if paragraph.is_empty() { "" } else { " " });
            paragraph.push_str(comment);
        }
    }
    paragraphs.retain(|p| !p.is_empty());
    if paragraphs.is_empty() {
        return Err((1, "the first line says in words what the table is".into()));
    }
    let doc = paragraphs.remove(0);
    let rows = rows.ok_or((header_lines, "`rows:` is missing: what is one row?".to_owned()))?;
    if needs.is_empty() {
        return Err((header_lines, "`needs:` is missing: which tables are read?".into()));
    }
    if let Some(name) = requires.iter().find(|name| !needs.contains(name)) {
        return Err((header_lines, format!("requires {name}, which is not among `needs:`")));
    }
    if columns.first().is_none_or(|c| c.name != "log") {
        return Err((header_lines, "the first column is `log`".into()));
    }
    let sql = text.lines().skip(header_lines).collect::<Vec<_>>().join("\n").trim().to_owned();
    let sources = [!sql.is_empty(), computed.is_some(), is_filled];
    if sources.iter().filter(|is_source| **is_source).count() != 1 {
        return Err((header_lines, "either a statement, `computed:` or `filled:` follows".into()));
    }
    let def = Box::leak(Box::new(TableDef {
        name: name.to_owned().leak(),
        version: 1,
        doc: doc.leak(),
        rows: rows.to_owned().leak(),
        storage: Storage::Columns,
        columns: columns.leak(),
    }));
    let notes = paragraphs.join("\n\n");
    Ok(Parsed { def, notes, question, needs, requires, also, reads_pipes, computed, sql })
}

fn column(line: &str) -> Result<ColumnDef, String> {
    let parts: Vec<&str> = line.split(" | ").map(str::trim).collect();
    let (name, kind, unit, doc, null) = match parts.as_slice() {
        [name, kind, unit, doc] => (name, kind, unit, doc, None),
        [name, kind, unit, doc, null] => (name, kind, unit, doc, Some(*null)),
        _ => return Err("a column is: name | type | unit | meaning [| meaning of null]".into()),
    };
    let kind = match *kind {
        "bool" => Kind::Bool,
        "i32" => Kind::I32,
        "i64" => Kind::I64,
        "u64" => Kind::U64,
        "f64" => Kind::F64,
        "str" => Kind::Str,
        other => return Err(format!("type {other:?} is none of bool, i32, i64, u64, f64, str")),
    };
    Ok(ColumnDef {
        name: (*name).to_owned().leak(),
        kind,
        unit: (*unit).to_owned().leak(),
        null_when: NullWhen::Never,
        darshan: None,
        null: null.map(|null| &*null.to_owned().leak()),
        doc: (*doc).to_owned().leak(),
        role: None,
        call: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "-- Bytes of\n-- each file.\n--\n-- A note.\n-- rows: one per file\n\
        -- needs: file, posix\n-- log | i32 | log | number\n\
        -- bytes | i64 | bytes | moved | not recorded\n";

    #[test]
    fn a_header_becomes_a_table_definition() {
        let parsed = parse("file_bytes", &format!("{HEADER}select log\n")).expect("is right");
        assert_eq!((parsed.def.name, parsed.def.doc), ("file_bytes", "Bytes of each file."));
        assert_eq!((parsed.notes.as_str(), parsed.sql.as_str()), ("A note.", "select log"));
        assert_eq!(parsed.needs, ["file", "posix"]);
        assert_eq!(parsed.def.columns[1].null, Some("not recorded"));
        assert_eq!(parsed.def.columns[0].null, None);
    }

    #[test]
    fn what_is_missing_is_said_with_its_line() {
        let wrong = |text: &str| parse("a", text).expect_err("is wrong");
        assert!(wrong(HEADER).1.contains("either a statement"));
        let no_rows = HEADER.replace("-- rows: one per file\n", "");
        assert!(wrong(&format!("{no_rows}select log")).1.contains("`rows:`"));
        let bad_type = HEADER.replace("i64", "int");
        assert_eq!(wrong(&format!("{bad_type}select log")).0, 8);
    }
}
