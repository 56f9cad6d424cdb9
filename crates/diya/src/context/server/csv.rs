//! Long CSV: one sample per line, columns `time`, `name`, `value`, and where
//! they are known `unit`, `kind` and any labels.

use super::super::records::{records, same_width};
use super::super::time::seconds;
use super::super::{Complaint, complaint};
use super::series::{Labels, SeriesType, Set};

/// Whether this is the first line of such a file.
pub(super) fn is_header(line: &str) -> bool {
    let names =
        records(line).next().and_then(Result::ok).map(|(_, cells)| cells).unwrap_or_default();
    ["time", "name", "value"].iter().all(|name| names.iter().any(|cell| cell == name))
}

/// Reads the samples below the header.
pub(super) fn read(text: &str) -> Result<Set, Complaint> {
    let mut set = Set::default();
    let mut names: Option<Vec<String>> = None;
    for record in records(text) {
        let (number, cells) = record?;
        let Some(names) = &names else {
            names = Some(cells);
            continue;
        };
        same_width(number, names, &cells)?;
        let (mut labels, mut unit, mut kind) = (Labels::new(), None, SeriesType::Unknown);
        let (mut time_s, mut name, mut value) = (None, "", None);
        for (column, cell) in names.iter().zip(&cells) {
            match column.as_str() {
                "time" => time_s = seconds(cell),
                "name" => name = cell,
                "value" => value = cell.parse::<f64>().ok(),
                "unit" => unit = Some(cell.as_str()).filter(|unit| !unit.is_empty()),
                "kind" => kind = SeriesType::of_word(cell),
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
