//! Takes the files of `metrics/` apart, so that a new metric edits no list. Of a metric
//! that Rust computes, it makes the type of a row, and calls the function that the
//! header names: a column that is missing, or a function, does not compile.

use diya_header::{Column, Header, Key, METRIC_KEYS};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let here = PathBuf::from(env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?);
    let root = here.join("../..");
    let folder = root.join("metrics");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files = Vec::new();
    find(&folder, &mut files)?;
    files.sort();
    let (mut list, mut rows, mut computations) = (String::new(), String::new(), String::new());
    let mut headers = String::new();
    for path in &files {
        println!("cargo::rerun-if-changed={}", path.display());
        let file = path.strip_prefix(&root).map_err(io::Error::other)?.display().to_string();
        let text = fs::read_to_string(path)?;
        let header = if file.ends_with(".sql") {
            Header::of_sql(&file, &text, METRIC_KEYS)
        } else {
            Header::of_toml(&file, &text, METRIC_KEYS)
        };
        let header = header.map_err(io::Error::other)?;
        list.push_str(&literal(&header));
        headers.push_str(&names_and_types(&header));
        if let Some(function) = header.value("computed") {
            rows.push_str(&row(&header));
            let call = format!(
                "({function:?}, |parts, table| crate::parts::call(crate::{function}, parts, table)),\n"
            );
            computations.push_str(&call);
        }
    }
    let out = PathBuf::from(env::var("OUT_DIR").map_err(io::Error::other)?);
    fs::write(out.join("metrics.rs"), format!("&[\n{list}]\n"))?;
    fs::write(out.join("rows.rs"), rows)?;
    fs::write(out.join("headers.rs"), headers)?;
    fs::write(out.join("computations.rs"), format!("&[\n{computations}]\n"))
}

fn find(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            println!("cargo::rerun-if-changed={}", path.display());
            find(&path, files)?;
        } else if path.extension().is_some_and(|e| e == "sql" || e == "toml") {
            files.push(path);
        }
    }
    Ok(())
}

/// A header as Rust code, so that a program that starts reads none.
fn literal(header: &Header<'_>) -> String {
    let text = |text: &str| format!("Borrowed({text:?})");
    let all = |items: Vec<String>| format!("Borrowed(&[{}])", items.join(", "));
    let key = |key: &Key<'_>| {
        let (line, name, value) = (key.line, text(&key.name), text(&key.value));
        format!("Key {{ line: {line}, name: {name}, value: {value} }}")
    };
    let column = |column: &Column<'_>| {
        let [name, kind] = [&column.name, &column.kind].map(|part| text(part));
        let [unit, doc] = [&column.unit, &column.doc].map(|part| text(part));
        let null =
            column.null.as_ref().map_or("None".into(), |null| format!("Some({})", text(null)));
        format!(
            "Column {{ line: {}, name: {name}, kind: {kind}, unit: {unit}, doc: {doc}, null: {null} }}",
            column.line
        )
    };
    format!(
        "Header {{ file: {}, lines: {}, paragraphs: {}, keys: {}, columns: {}, body: {} }},\n",
        text(&header.file),
        header.lines,
        all(header.paragraphs.iter().map(|part| text(part)).collect()),
        all(header.keys.iter().map(key).collect()),
        all(header.columns.iter().map(column).collect()),
        text(&header.body)
    )
}

/// The columns of a metric, for those who read it.
fn names_and_types(header: &Header<'_>) -> String {
    let (table, mut list) = (header.name(), String::new());
    for Column { name, kind, .. } in header.columns.iter() {
        let kind: String = kind.split('_').map(capitalized).collect();
        let _ = write!(list, "({name:?}, Kind::{kind}), ");
    }
    format!("pub(crate) const {table}: &[(&str, Kind)] = &[{list}];\n")
}

/// The type of a row: a field is a column, `Option` where null has a meaning.
fn row(header: &Header<'_>) -> String {
    let table = header.name();
    let camel: String = table.split('_').map(capitalized).collect();
    let (mut fields, mut pushes, mut has_text) = (String::new(), String::new(), false);
    for (number, Column { name, kind, doc, null, .. }) in header.columns.iter().enumerate() {
        has_text |= kind == "str";
        let of = if kind == "str" { "&'a str" } else { kind };
        let (of, value) = match null {
            None => (of.to_owned(), format!("Some(self.{name})")),
            Some(_) => (format!("Option<{of}>"), format!("self.{name}")),
        };
        let _ = writeln!(fields, "    #[doc = {doc:?}]\n    pub {name}: {of},");
        let _ = writeln!(pushes, "        table.push_{kind}({number}, {value});");
    }
    let (of, any) = if has_text { ("<'a>", "<'_>") } else { ("", "") };
    format!(
        "/// A row of table `{table}`.\n\
         #[derive(Debug, Clone, Copy)]\n\
         pub(crate) struct {camel}{of} {{\n{fields}}}\n\n\
         impl {camel}{any} {{\n\
         \x20   /// Appends the row.\n\
         \x20   pub fn push(self, table: &mut TableBuilder) {{\n\
         \x20       debug_assert_eq!(table.def().name, {table:?});\n\
         {pushes}\
         \x20       table.end_row();\n\
         \x20   }}\n}}\n\n"
    )
}

fn capitalized(word: &str) -> String {
    let mut letters = word.chars();
    letters
        .next()
        .map_or(String::new(), |first| first.to_ascii_uppercase().to_string() + letters.as_str())
}
