//! Lists the files of `metrics/`, so that a new metric edits no list. Of a metric
//! that Rust computes, it makes the type of a row, and calls the function that the
//! header names: a column that is missing, or a function, does not compile.

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
    for file in &files {
        println!("cargo::rerun-if-changed={}", file.display());
        let name = file.strip_prefix(&root).map_err(io::Error::other)?.display().to_string();
        let path = file.display().to_string();
        writeln!(list, "({name:?}, include_str!({path:?})),").map_err(io::Error::other)?;
        let text = fs::read_to_string(file)?;
        let table = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        headers.push_str(&names_and_types(table, &text));
        if let Some(function) = text.lines().find_map(|line| line.strip_prefix("-- computed: ")) {
            rows.push_str(&row(table, &text));
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
        } else if path.extension().is_some_and(|e| e == "sql") {
            files.push(path);
        }
    }
    Ok(())
}

/// Lines of a header that declare a column: name, type, unit, meaning, meaning of null.
///
/// A line that is no column is left to `header.rs`, which names it.
fn columns(header: &str) -> impl Iterator<Item = Vec<&str>> {
    let lines = header.lines().map_while(|line| line.strip_prefix("--"));
    let columns = lines.filter(|line| line.contains(" | "));
    columns.map(|line| line.split(" | ").map(str::trim).collect())
}

/// The columns of a metric, for those who read it.
fn names_and_types(table: &str, header: &str) -> String {
    let mut list = String::new();
    for parts in columns(header) {
        let [name, kind, ..] = parts.as_slice() else { continue };
        let kind: String = kind.split('_').map(capitalized).collect();
        let _ = write!(list, "({name:?}, Kind::{kind}), ");
    }
    format!("pub(crate) const {table}: &[(&str, Kind)] = &[{list}];\n")
}

/// The type of a row: a field is a column, `Option` where null has a meaning.
fn row(table: &str, header: &str) -> String {
    let camel: String = table.split('_').map(capitalized).collect();
    let (mut fields, mut pushes, mut has_text) = (String::new(), String::new(), false);
    for (number, parts) in columns(header).enumerate() {
        let [name, kind, _, doc, null @ ..] = parts.as_slice() else { continue };
        has_text |= *kind == "str";
        let of = if *kind == "str" { "&'a str" } else { *kind };
        let (of, value) = match null {
            [] => (of.to_owned(), format!("Some(self.{name})")),
            _ => (format!("Option<{of}>"), format!("self.{name}")),
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
