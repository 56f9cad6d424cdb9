//! A header in the comment lines before a statement of SQL.

use crate::{Column, Header, HeaderError, Key, Known};

impl<'t> Header<'t> {
    /// Reads the comment lines with which a file begins.
    ///
    /// Only a known key makes a line one of a key: words may have a colon, too.
    ///
    /// ```
    /// use diya_header::{Header, Known};
    /// let text = "-- Files.\n-- needs: file\n-- log | i32 | log | number\nselect log from file";
    /// let header = Header::of_sql("a/files.sql", text, &[Known::Once("needs")])?;
    /// assert_eq!((header.name(), header.list("needs")), ("files", vec!["file"]));
    /// assert_eq!((&*header.columns[0].kind, &*header.body), ("i32", "select log from file"));
    /// # Ok::<(), diya_header::HeaderError>(())
    /// ```
    pub fn of_sql(file: &'t str, text: &'t str, known: &[Known]) -> Result<Self, HeaderError> {
        let mut header = Self::new(file);
        let mut paragraphs = vec![String::new()];
        let mut rest = text;
        for (line, whole) in (1..).zip(text.lines()) {
            let Some(comment) = whole.strip_prefix("--").map(str::trim) else { break };
            header.lines = line;
            rest = rest.split_once('\n').map_or("", |(_, rest)| rest);
            if let Some((name, value)) = key(comment, known) {
                let (name, value) = (name.into(), value.into());
                header.push_key(known, Key { line, name, value })?;
            } else if comment.contains(" | ") {
                let column = column(line, comment).ok_or_else(|| {
                    let what = "a column is: name | type | unit | meaning [| meaning of null]";
                    header.error(line, what)
                })?;
                header.columns.to_mut().push(column);
            } else if comment.is_empty() {
                paragraphs.push(String::new());
            } else if let Some(paragraph) = paragraphs.last_mut() {
                paragraph.push_str(if paragraph.is_empty() { "" } else { " " });
                paragraph.push_str(comment);
            }
        }
        paragraphs.retain(|paragraph| !paragraph.is_empty());
        header.paragraphs = paragraphs.into_iter().map(Into::into).collect::<Vec<_>>().into();
        header.body = rest.trim().into();
        Ok(header)
    }
}

fn key<'t>(comment: &'t str, known: &[Known]) -> Option<(&'t str, &'t str)> {
    let (name, value) = comment.split_once(": ")?;
    known.iter().any(|key| key.name() == name).then_some((name, value.trim()))
}

fn column(line: usize, comment: &str) -> Option<Column<'_>> {
    let cells: Vec<&str> = comment.split(" | ").map(str::trim).collect();
    let (name, kind, unit, doc, null) = match cells[..] {
        [name, kind, unit, doc] => (name, kind, unit, doc, None),
        [name, kind, unit, doc, null] => (name, kind, unit, doc, Some(null.into())),
        _ => return None,
    };
    let (name, kind, unit, doc) = (name.into(), kind.into(), unit.into(), doc.into());
    Some(Column { line, name, kind, unit, doc, null })
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: &[Known] = &[Known::Once("rows"), Known::Often("param")];
    const TEXT: &str = "-- Bytes of\n-- each file.\n--\n-- Note: one.\n-- rows: one per file\n\
        -- param: a | 1 | s | why\n-- param: b | 2 | s | why\n-- log | i32 | log | number\n\
        -- bytes | i64 | bytes | moved | not recorded\n\nselect log\n-- not a header\nfrom file\n";

    #[test]
    fn words_keys_columns_and_the_statement_are_told_apart() {
        let header = Header::of_sql("m/file_bytes.sql", TEXT, KNOWN).expect("is right");
        assert_eq!((header.name(), header.lines), ("file_bytes", 9));
        assert_eq!(*header.paragraphs, ["Bytes of each file.", "Note: one."]);
        assert_eq!(header.value("rows"), Some("one per file"));
        assert_eq!(header.keys.iter().filter(|key| key.name == "param").count(), 2);
        assert_eq!((header.columns[0].line, &header.columns[0].null), (8, &None));
        assert_eq!(header.columns[1].null.as_deref(), Some("not recorded"));
        assert_eq!(header.body, "select log\n-- not a header\nfrom file");
    }

    #[test]
    fn a_fault_names_its_file_and_its_line() {
        let wrong = |text: &str| Header::of_sql("m/a.sql", text, KNOWN).expect_err("is wrong");
        let column = TEXT.replace("i32 | log | number", "i32 | log");
        assert!(wrong(&column).to_string().starts_with("m/a.sql:8: a column is"));
        let twice = TEXT.replace("-- Note: one.", "-- rows: two");
        assert_eq!(wrong(&twice).to_string(), "m/a.sql:5: `rows` stands there twice");
    }
}
