//! CSV: a header line and cells, with quotes (RFC 4180).

use super::Fault;

/// A table of text.
pub struct Table {
    /// Names of the columns, in lower case.
    pub names: Vec<String>,
    /// Number of the line, from 1, and its cells.
    pub rows: Vec<(usize, Vec<String>)>,
}

impl Table {
    pub fn parse(text: &str) -> Result<Self, Fault> {
        let mut names = Vec::new();
        let mut rows = Vec::new();
        for (at, line) in (1..).zip(text.lines()) {
            let line = line.trim_start_matches('\u{feff}').trim_end();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let cells = cells(line).ok_or_else(|| {
                Fault::File(format!("line {at}: a quote is not closed (cells have no line breaks)"))
            })?;
            if names.is_empty() {
                names = cells.iter().map(|name| name.trim().to_ascii_lowercase()).collect();
            } else {
                rows.push((at, cells));
            }
        }
        Ok(Self { names, rows })
    }

    /// Place of the first column that has one of these names.
    pub fn place(&self, names: &[&str]) -> Option<usize> {
        names.iter().find_map(|name| self.names.iter().position(|known| known == name))
    }
}

fn cells(line: &str) -> Option<Vec<String>> {
    let (mut cells, mut cell, mut is_quoted) = (Vec::new(), String::new(), false);
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if is_quoted && chars.peek() == Some(&'"') => {
                cell.push('"');
                chars.next();
            }
            '"' if is_quoted => is_quoted = false,
            '"' if cell.is_empty() => is_quoted = true,
            ',' if !is_quoted => cells.push(std::mem::take(&mut cell)),
            c => cell.push(c),
        }
    }
    cells.push(cell);
    (!is_quoted).then_some(cells)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_hold_commas_and_quotes() {
        let table = Table::parse("# note\nTime, Server\n1,\"a,\"\"b\"\"\"\n\n2,c\n").expect("CSV");
        assert_eq!(table.names, ["time", "server"]);
        assert_eq!(table.rows[0], (3, vec!["1".to_owned(), "a,\"b\"".to_owned()]));
        assert_eq!(table.rows[1].0, 5);
        assert!(Table::parse("a\n\"x").is_err());
    }
}
