//! The test cases that a check carries: small text tables and what they give.

use crate::CheckError;
use crate::page::{Fenced, Section};

/// A case: tables of one log, and the verdict on it.
#[derive(Debug, Clone)]
pub struct Case {
    /// What it shows, as a sentence.
    pub title: String,
    /// Line of its heading, from 1.
    pub line: usize,
    /// Tables with rows; all others are empty.
    pub fixtures: Vec<(String, TextTable)>,
    /// What the check has to say.
    pub expect: Expect,
}

/// What a check has to say about a case.
#[derive(Debug, Clone)]
pub enum Expect {
    /// These columns of the evidence rows, in order.
    Rows(TextTable),
    /// `none`: pass.
    Pass,
    /// `not-applicable`.
    NotApplicable,
    /// `unknown`.
    Unknown,
}

/// A table as text: names in the first line, then a line per row. Cells are
/// parted by spaces, `-` is null, and texts with spaces stand in double quotes.
#[derive(Debug, Clone)]
pub struct TextTable {
    /// Line of the names, from 1.
    pub line: usize,
    /// Names of the columns.
    pub columns: Vec<String>,
    /// Rows; `None` is null.
    pub rows: Vec<Vec<Option<String>>>,
}

impl TextTable {
    fn read(path: &str, block: &Fenced<'_>) -> Result<Self, CheckError> {
        let lines = block.text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let mut lines = lines.map(|(place, line)| (block.line + place, cells(line)));
        let Some((line, names)) = lines.next() else {
            return Err(CheckError::page(path, block.line, "this table is empty"));
        };
        let columns: Vec<String> = names.into_iter().flatten().collect();
        let mut rows = Vec::new();
        for (line, row) in lines {
            if row.len() != columns.len() {
                let what = format!("{} cells under {} columns", row.len(), columns.len());
                return Err(CheckError::page(path, line, what));
            }
            rows.push(row);
        }
        Ok(Self { line, columns, rows })
    }
}

fn cells(line: &str) -> Vec<Option<String>> {
    let mut found = Vec::new();
    let mut rest = line.trim_start();
    while !rest.is_empty() {
        let (cell, tail) = match rest.strip_prefix('"').and_then(|text| text.split_once('"')) {
            Some((text, tail)) => (Some(text.to_owned()), tail),
            None => {
                let (text, tail) = rest.split_at(rest.find(' ').unwrap_or(rest.len()));
                ((text != "-").then(|| text.to_owned()), tail)
            }
        };
        found.push(cell);
        rest = tail.trim_start();
    }
    found
}

/// The section "Cases".
pub(crate) fn read(
    path: &str,
    section: &Section<'_>,
    needs: &[String],
) -> Result<Vec<Case>, CheckError> {
    let (_, parts) = section.split("### ");
    let mut cases = Vec::new();
    for part in &parts {
        cases.push(one(path, part, &cases)?);
    }
    // Every log has a job: such a check is always applicable.
    let always = needs.iter().all(|need| ["job", "read_issue"].contains(&need.as_str()));
    let count = |wanted: fn(&Expect) -> bool| cases.iter().filter(|c| wanted(&c.expect)).count();
    let missing = if count(|e| matches!(e, Expect::Rows(_))) == 0 {
        Some("a case that fires")
    } else if count(|e| matches!(e, Expect::Pass)) < 2 {
        Some("a case at the limit and a harmless look-alike, both `none`,")
    } else if !always && count(|e| matches!(e, Expect::NotApplicable | Expect::Unknown)) == 0 {
        Some("a case that is not applicable")
    } else {
        None
    };
    match missing {
        Some(what) => Err(CheckError::page(path, section.line, format!("{what} is missing"))),
        None => Ok(cases),
    }
}

/// A case. A block `tables of` names one of the cases before it, whose tables it has, too, except
/// those that it gives itself.
fn one(path: &str, part: &Section<'_>, before: &[Case]) -> Result<Case, CheckError> {
    let (mut fixtures, mut expect) = (Vec::<(String, TextTable)>::new(), None);
    for block in part.fenced(path)? {
        let wrong = |what: String| Err(CheckError::page(path, block.line - 1, what));
        if expect.is_some() {
            return wrong("behind `expect` nothing is expected".to_owned());
        }
        match (block.info.split_once(' '), block.text.trim()) {
            (Some(("fixture", table)), _) => {
                let table = table.trim();
                fixtures.retain(|(name, _)| name != table);
                fixtures.push((table.to_owned(), TextTable::read(path, &block)?));
            }
            (Some(("tables", "of")), title) => {
                let Some(other) = before.iter().find(|case| case.title == title) else {
                    return wrong(format!("no case before this one has the title {title:?}"));
                };
                if !fixtures.is_empty() {
                    return wrong("tables of another case stand before its own".to_owned());
                }
                fixtures.clone_from(&other.fixtures);
            }
            (None, "none") if block.info == "expect" => expect = Some(Expect::Pass),
            (None, "not-applicable") if block.info == "expect" => {
                expect = Some(Expect::NotApplicable);
            }
            (None, "unknown") if block.info == "expect" => expect = Some(Expect::Unknown),
            (None, _) if block.info == "expect" => {
                expect = Some(Expect::Rows(TextTable::read(path, &block)?));
            }
            _ => return wrong(format!("block {:?} is neither fixture nor expect", block.info)),
        }
    }
    let title = part.heading.to_owned();
    match expect {
        Some(expect) => Ok(Case { title, line: part.line, fixtures, expect }),
        None => Err(CheckError::page(path, part.line, "this case has no `expect`")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_parted_by_spaces_unless_quoted() {
        let text = |s: &str| Some(s.to_owned());
        assert_eq!(
            cells(" /a  -  \"two words\" 5 "),
            [text("/a"), None, text("two words"), text("5")]
        );
    }

    #[test]
    fn a_short_row_is_told_by_line() {
        let lines = vec!["### One", "```fixture posix", "rank opens", "0", "```"];
        let section = Section { heading: "Cases", line: 10, lines };
        let error = read("a.md", &section, &[]).err().unwrap().to_string();
        assert_eq!(error, "a.md:14: 1 cells under 2 columns");
    }

    #[test]
    fn a_case_has_the_tables_of_another_except_its_own() {
        let text =
            "```fixture job\nnprocs\n2\n```\n```fixture posix\nopens\n1\n```\n```expect\nnone\n```";
        let first = Section { heading: "One", line: 1, lines: text.lines().collect() };
        let first = one("a.md", &first, &[]).unwrap();
        let text = "```tables of\nOne\n```\n```fixture posix\nopens\n7\n```\n```expect\nnone\n```";
        let second = Section { heading: "Two", line: 20, lines: text.lines().collect() };
        let case = one("a.md", &second, &[first]).unwrap();
        let cell = |(name, table): &(String, TextTable)| (name.clone(), table.rows[0][0].clone());
        let cells: Vec<_> = case.fixtures.iter().map(cell).collect();
        let expected = [("job", "2"), ("posix", "7")];
        assert_eq!(cells, expected.map(|(name, cell)| (name.to_owned(), Some(cell.to_owned()))));
        let error = one("a.md", &second, &[]).err().unwrap().to_string();
        assert_eq!(error, "a.md:21: no case before this one has the title \"One\"");
    }
}
