//! A header in TOML, of a table that has no statement.
//!
//! ```text
//! doc = "Calls and bytes of each file."
//! notes = """
//! Paragraphs, with empty lines between them.
//! """
//! needs = ["file", "posix"]
//! columns = [
//!   { name = "bytes", type = "i64", unit = "bytes", doc = "bytes moved", null = "not recorded" },
//! ]
//! ```
//!
//! The columns are written as in `schema/tables`.

use crate::{Column, Header, HeaderError, Key, Known, Text};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Keys that every header has, beside those of the caller.
const OWN: [&str; 3] = ["doc", "notes", "columns"];

impl<'t> Header<'t> {
    /// Reads a file of TOML; known keys take a text or a list of names.
    ///
    /// ```
    /// use diya_header::{Header, Known};
    /// let text = "doc = 'Files.'\nneeds = ['file', 'posix']\ncolumns = []";
    /// let header = Header::of_toml("a/files.toml", text, &[Known::Once("needs")])?;
    /// assert_eq!(header.list("needs"), ["file", "posix"]);
    /// # Ok::<(), diya_header::HeaderError>(())
    /// ```
    pub fn of_toml(file: &'t str, text: &'t str, known: &[Known]) -> Result<Self, HeaderError> {
        let mut header = Self::new(file);
        header.lines = text.lines().count();
        let line = |at: Range<usize>| {
            1 + text.get(..at.start).map_or(0, |before| before.matches('\n').count())
        };
        let table = DeTable::parse(text).map_err(|error| {
            header.error(line(error.span().unwrap_or_default()), error.message())
        })?;
        let (mut doc, mut notes) = (Text::default(), Text::default());
        for (key, value) in table.into_inner() {
            let (at, name) = (line(key.span()), key.into_inner());
            let takes = |what: &str| header.error(at, format!("`{name}` takes {what}"));
            match &*name {
                "doc" => doc = words(value).ok_or_else(|| takes("a text"))?,
                "notes" => notes = words(value).ok_or_else(|| takes("a text"))?,
                "columns" => {
                    let rows = rows(value).ok_or_else(|| takes("a list of columns"))?;
                    for row in rows {
                        let at = line(row.span());
                        let column = column(at, row);
                        let column = column.map_err(|what| header.error(at, what))?;
                        header.columns.to_mut().push(column);
                    }
                }
                other if known.iter().any(|key| key.name() == other) => {
                    let value = names(value).ok_or_else(|| takes("a text, or a list of names"))?;
                    header.push_key(known, Key { line: at, name, value })?;
                }
                _ => {
                    let all: Vec<&str> =
                        OWN.into_iter().chain(known.iter().map(|key| key.name())).collect();
                    let what = format!("`{name}` is none of {}", all.join(", "));
                    return Err(header.error(at, what));
                }
            }
        }
        let paragraphs = [doc, notes];
        let paragraphs = paragraphs.iter().flat_map(|text| text.split("\n\n"));
        let joined = paragraphs.map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "));
        header.paragraphs =
            joined.filter(|text| !text.is_empty()).map(Text::from).collect::<Vec<_>>().into();
        Ok(header)
    }
}

fn words<'t>(value: Spanned<DeValue<'t>>) -> Option<Text<'t>> {
    match value.into_inner() {
        DeValue::String(text) => Some(text),
        _ => None,
    }
}

/// A text as it is, names of a list with commas between them.
fn names<'t>(value: Spanned<DeValue<'t>>) -> Option<Text<'t>> {
    match value.into_inner() {
        DeValue::String(text) => Some(text),
        DeValue::Array(names) => {
            let names: Option<Vec<_>> = names.into_iter().map(words).collect();
            Some(names?.join(", ").into())
        }
        _ => None,
    }
}

fn rows<'t>(value: Spanned<DeValue<'t>>) -> Option<Vec<Spanned<DeValue<'t>>>> {
    match value.into_inner() {
        DeValue::Array(rows) => Some(rows.into_iter().collect()),
        _ => None,
    }
}

fn column<'t>(line: usize, row: Spanned<DeValue<'t>>) -> Result<Column<'t>, String> {
    let shape = "a column is: { name, type, unit, doc [, null] }, each a text";
    let DeValue::Table(cells) = row.into_inner() else { return Err(shape.into()) };
    let [mut name, mut kind, mut unit, mut doc, mut null] = [None, None, None, None, None];
    for (key, value) in cells {
        let place = match &**key.get_ref() {
            "name" => &mut name,
            "type" => &mut kind,
            "unit" => &mut unit,
            "doc" => &mut doc,
            "null" => &mut null,
            other => return Err(format!("{shape}; not `{other}`")),
        };
        *place = Some(words(value).ok_or(shape)?);
    }
    let (Some(name), Some(kind), Some(unit), Some(doc)) = (name, kind, unit, doc) else {
        return Err(shape.into());
    };
    Ok(Column { line, name, kind, unit, doc, null })
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: &[Known] = &[Known::Once("rows"), Known::Once("needs")];
    const SQL: &str = "-- Bytes of each file.\n--\n-- One\n-- note.\n--\n-- Another.\n\
        -- needs: file, posix\n-- rows: one per file\n-- log | i32 | log | number\n\
        -- bytes | i64 | bytes | moved | not recorded\n";
    const TOML: &str = "doc = \"Bytes of each file.\"\nnotes = \"\"\"\nOne\nnote.\n\nAnother.\n\"\"\"\n\
        needs = [\"file\", \"posix\"]\nrows = \"one per file\"\ncolumns = [\n\
        { name = \"log\", type = \"i32\", unit = \"log\", doc = \"number\" },\n\
        { name = \"bytes\", type = \"i64\", unit = \"bytes\", doc = \"moved\", null = \"not recorded\" },\n]\n";

    #[test]
    fn a_header_says_the_same_in_both_kinds_of_files() {
        let toml = Header::of_toml("m/a.toml", TOML, KNOWN).expect("is right");
        let sql = Header::of_sql("m/a.sql", SQL, KNOWN).expect("is right");
        assert_eq!((toml.name(), &toml.paragraphs), (sql.name(), &sql.paragraphs));
        assert_eq!(
            (toml.value("rows"), toml.list("needs")),
            (sql.value("rows"), sql.list("needs"))
        );
        let cells = |of: &Header<'_>| -> Vec<String> {
            let columns = of.columns.iter();
            columns
                .map(|c| format!("{} {} {} {} {:?}", c.name, c.kind, c.unit, c.doc, c.null))
                .collect()
        };
        assert_eq!(cells(&toml), cells(&sql));
        assert_eq!((&*toml.body, &*sql.body), ("", ""));
    }

    #[test]
    fn a_fault_names_its_file_and_its_line() {
        let wrong = |from: &str, to: &str| {
            let text = TOML.replace(from, to);
            Header::of_toml("m/a.toml", &text, KNOWN).expect_err("is wrong").to_string()
        };
        assert!(wrong("rows =", "row =").starts_with("m/a.toml:9: `row` is none of doc, notes"));
        assert!(wrong("type = \"i64\"", "kind = \"i64\"").starts_with("m/a.toml:12: a column is"));
        assert!(wrong("unit = \"log\", ", "").starts_with("m/a.toml:11: a column is"));
        assert!(wrong("\"one per file\"", "1").starts_with("m/a.toml:9: `rows` takes"));
        assert!(wrong("columns = [", "columns = ").starts_with("m/a.toml:"));
    }
}
