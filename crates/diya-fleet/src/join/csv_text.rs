//! Files of CSV: a header line and cells, with quotes (RFC 4180). Lines of `#` are comments.

use super::Fault;

/// The cells of a file.
pub struct CsvText {
    /// Names of the columns, in lower case.
    pub names: Vec<String>,
    /// Number of the line, from 1, and its cells.
    pub rows: Vec<(usize, Vec<String>)>,
}

impl CsvText {
    /// Fails where a quote is not closed.
    pub fn parse(text: &str) -> Result<Self, Fault> {
        // A quote that is open at the end takes the line break along, and is refused for it.
        let text = format!("{}\n", text.trim_start_matches('\u{feff}'));
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .comment(Some(b'#'))
            .from_reader(text.as_bytes());
        let (mut names, mut rows) = (Vec::new(), Vec::new());
        for record in reader.records() {
            let record = record.map_err(|error| Fault::File(error.to_string()))?;
            let line = record.position().map_or(0, |at| line_of(&text, at));
            if record.iter().any(|cell| cell.contains('\n')) {
                let what = "a quote is not closed (cells have no line breaks)";
                return Err(Fault::File(format!("line {line}: {what}")));
            }
            if names.is_empty() {
                names = record.iter().map(|name| name.trim().to_ascii_lowercase()).collect();
            } else {
                rows.push((line, record.iter().map(str::to_owned).collect()));
            }
        }
        Ok(Self { names, rows })
    }

    /// Place of the first column that has one of these names.
    pub fn place(&self, names: &[&str]) -> Option<usize> {
        names.iter().find_map(|name| self.names.iter().position(|known| known == name))
    }
}

/// Number of the line that a record is in: its position may be before lines without cells.
fn line_of(text: &str, at: &csv::Position) -> usize {
    let rest = text.get(at.byte() as usize..).unwrap_or_default();
    let without = rest.lines().take_while(|line| line.is_empty() || line.starts_with('#'));
    at.line() as usize + without.count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_hold_commas_and_quotes() {
        let table =
            CsvText::parse("# note\nTime, Server\n1,\"a,\"\"b\"\"\"\n\n2,c\n").expect("CSV");
        assert_eq!(table.names, ["time", "server"]);
        assert_eq!(table.rows[0], (3, vec!["1".to_owned(), "a,\"b\"".to_owned()]));
        assert_eq!(table.rows[1].0, 5);
        assert!(CsvText::parse("a\n\"x\ny").is_err());
    }
}
