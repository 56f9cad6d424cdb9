//! Long CSV: one sample per line, columns `time`, `name`, `value`, and where
//! they are known `unit`, `kind` and any labels.

use super::super::time::seconds;
use super::super::{Complaint, complaint};
use super::series::{Kind, Labels, Set};

/// Whether this is the first line of such a file.
pub(super) fn is_header(line: &str) -> bool {
    let names = cells(line);
    ["time", "name", "value"].iter().all(|name| names.iter().any(|cell| cell == name))
}

/// Reads the samples below the header.
pub(super) fn read(text: &str) -> Result<Set, Complaint> {
    let mut set = Set::default();
    let mut names: Option<Vec<String>> = None;
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let cells = cells(line);
        let Some(names) = &names else {
            names = Some(cells);
            continue;
        };
        if cells.len() != names.len() {
            let what = format!("{} cells below {} names of columns", cells.len(), names.len());
            return Err(complaint(number, what));
        }
        let (mut labels, mut unit, mut kind) = (Labels::new(), None, Kind::Unknown);
        let (mut time_s, mut name, mut value) = (None, "", None);
        for (column, cell) in names.iter().zip(&cells) {
            match column.as_str() {
                "time" => time_s = seconds(cell),
                "name" => name = cell,
                "value" => value = cell.parse::<f64>().ok(),
                "unit" => unit = Some(cell.as_str()).filter(|unit| !unit.is_empty()),
                "kind" => kind = Kind::of_word(cell),
                label if !cell.is_empty() => {
                    labels.insert(label.to_owned(), cell.clone());
                }
                _ => {}
            }
        }
        let time_s = time_s.ok_or_else(|| complaint(number, "time is neither number nor date"))?;
        let value = value.ok_or_else(|| complaint(number, "value is no number"))?;
        if name.is_empty() {
            return Err(complaint(number, "name is empty"));
        }
        if value.is_finite() {
            set.push(name, &labels, (unit, kind), (time_s, value));
        }
    }
    Ok(set)
}

/// Cells of a line; commas in quotes divide nothing, a doubled quote is one.
fn cells(line: &str) -> Vec<String> {
    let (mut cells, mut cell, mut is_quoted) = (Vec::new(), String::new(), false);
    let mut signs = line.chars().peekable();
    while let Some(c) = signs.next() {
        match c {
            '"' if is_quoted && signs.peek() == Some(&'"') => {
                signs.next();
                cell.push('"');
            }
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => cells.push(std::mem::take(&mut cell)),
            _ => cell.push(c),
        }
    }
    cells.push(cell);
    cells.iter().map(|cell| cell.trim().to_owned()).collect()
}
