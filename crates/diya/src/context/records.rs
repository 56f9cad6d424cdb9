//! CSV files about the machine: their records, each with its line.

use super::{Complaint, complaint};

/// The records of a CSV text with their lines, from 1: cells without blanks around
/// them. Empty lines and those that begin with `#` are left out.
pub(super) fn records(text: &str) -> impl Iterator<Item = Result<(usize, Vec<String>), Complaint>> {
    let reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .trim(csv::Trim::All)
        .comment(Some(b'#'))
        .from_reader(text.as_bytes());
    // The reader's position is where it went on: before the lines that it leaves out.
    let line_of = |position: Option<&csv::Position>| {
        let Some(position) = position else { return 0 };
        let at = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        let rest = text.get(at(position.byte())..).unwrap_or_default();
        let left_out = rest.lines().take_while(|line| line.is_empty() || line.starts_with('#'));
        at(position.line()) + left_out.count()
    };
    let record = move |record: Result<csv::StringRecord, csv::Error>| match record {
        Ok(record) => Ok((line_of(record.position()), record.iter().map(str::to_owned).collect())),
        Err(error) => Err(complaint(line_of(error.position()), error.to_string())),
    };
    let has_content = |record: &Result<(usize, Vec<String>), Complaint>| match record {
        Ok((_, cells)) => cells.iter().any(|cell| !cell.is_empty()),
        Err(_) => true,
    };
    reader.into_records().map(record).filter(has_content)
}

/// The rows below a heading: `Err` where one has another number of cells.
pub(super) fn same_width(line: usize, names: &[String], cells: &[String]) -> Result<(), Complaint> {
    match names.len() == cells.len() {
        true => Ok(()),
        false => {
            let what = format!("{} cells below {} names of columns", cells.len(), names.len());
            Err(complaint(line, what))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_have_their_line() {
        let text = "a,b\n# a comment\n\n 1 ,\"x, \"\"y\"\"\"\n   \n2,\n";
        let all: Vec<_> = records(text).map(|record| record.expect("is right")).collect();
        let cells = |cells: [&str; 2]| cells.map(str::to_owned).to_vec();
        assert_eq!(
            all,
            [(1, cells(["a", "b"])), (4, cells(["1", "x, \"y\""])), (6, cells(["2", ""]))]
        );
    }
}
