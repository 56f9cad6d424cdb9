//! A question: one SQL file with a header of comment lines.
//!
//! ```text
//! -- Which programs use the I/O time.      the question in a sentence
//! --
//! -- What else one has to know ...
//! --
//! -- number: 6                             place in lists
//! -- needs: job, record                    tables that it reads
//! -- picture: bars x=program y=io_s        how to draw the rows: bars, stacked, lines,
//! --                                       lorenz, matrix (web/src/fleet/model/picture.ts) or table
//! -- watch: key=a,b value=c up ran=a     `diya fleet watch` reports changes of its rows
//! -- param: most | 50 | programs | why     $most in the statement
//! -- program | str | name | program        a column: name, type, unit, meaning
//! ```

use super::AskError;
use super::watched::Watched;

/// Questions that come with diya.
const BUILT_IN: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/questions.rs"));

/// A number that the statement names as `$name`.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Param {
    /// Its name.
    pub name: String,
    /// Its value unless it is set.
    pub default: f64,
    /// Its unit.
    pub unit: String,
    /// Why this default.
    pub why: String,
}

/// A column of the answer.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct AnswerColumn {
    /// Its name.
    pub name: String,
    /// bool, i64, f64, str or timestamp.
    pub kind: String,
    /// Its unit.
    pub unit: String,
    /// What it says.
    pub doc: String,
    /// What null means, where it can be null.
    pub null: Option<String>,
}

/// A question to a dataset.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Question {
    /// Name of its file, without the extension.
    pub name: String,
    /// Place in lists; questions of a facility have none.
    pub number: Option<u32>,
    /// The question in a sentence.
    pub title: String,
    /// What else one has to know, by paragraph.
    pub notes: Vec<String>,
    /// Tables that it reads.
    pub needs: Vec<String>,
    /// How to draw the rows: a kind, then `key=value`.
    pub picture: String,
    /// How `diya fleet watch` follows its rows.
    #[serde(skip)]
    pub watch: Option<Watched>,
    /// What can be set.
    pub params: Vec<Param>,
    /// Columns of the answer, in order.
    pub columns: Vec<AnswerColumn>,
    /// The statement, with `$name` for each parameter.
    pub sql: String,
}

impl Question {
    /// All that come with diya, by number.
    pub fn built_in() -> Result<Vec<Self>, AskError> {
        let all = BUILT_IN.iter().map(|(name, text)| Self::parse(name, text));
        let mut all = all.collect::<Result<Vec<_>, _>>()?;
        all.sort_by_key(|question| question.number);
        Ok(all)
    }

    /// All that come with diya, and those of a folder; one of the same name replaces.
    pub fn with_folder(folder: &std::path::Path) -> Result<Vec<Self>, AskError> {
        let mut all = Self::built_in()?;
        let failed = |error: std::io::Error| AskError::Question {
            name: folder.display().to_string(),
            what: error.to_string(),
        };
        let mut files: Vec<_> = std::fs::read_dir(folder).map_err(failed)?.flatten().collect();
        files.sort_by_key(std::fs::DirEntry::file_name);
        for file in files.iter().map(std::fs::DirEntry::path) {
            if file.extension().is_none_or(|extension| extension != "sql") {
                continue;
            }
            let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let own = Self::parse(&name, &std::fs::read_to_string(&file).map_err(failed)?)?;
            match all.iter_mut().find(|question| question.name == name) {
                Some(known) => *known = own,
                None => all.push(own),
            }
        }
        Ok(all)
    }

    /// Takes a file apart.
    pub fn parse(name: &str, text: &str) -> Result<Self, AskError> {
        let fault = |line: usize, what: &str| AskError::Question {
            name: name.to_owned(),
            what: format!("line {line}: {what}"),
        };
        let mut question = Self {
            name: name.to_owned(),
            number: None,
            title: String::new(),
            notes: Vec::new(),
            needs: Vec::new(),
            picture: "table".to_owned(),
            watch: None,
            params: Vec::new(),
            columns: Vec::new(),
            sql: String::new(),
        };
        let mut paragraphs = vec![String::new()];
        let mut lines = text.lines();
        let header = lines.clone().take_while(|line| line.starts_with("--")).count();
        for (at, line) in (1..).zip(lines.by_ref().take(header)) {
            let line = line.trim_start_matches('-').trim();
            let cells: Vec<&str> = line.split('|').map(str::trim).collect();
            if let Some(number) = line.strip_prefix("number: ") {
                let number = number.parse().map_err(|_| fault(at, "`number:` takes a number"))?;
                question.number = Some(number);
            } else if let Some(needs) = line.strip_prefix("needs: ") {
                question.needs = needs.split(',').map(|name| name.trim().to_owned()).collect();
            } else if let Some(picture) = line.strip_prefix("picture: ") {
                question.picture = picture.to_owned();
            } else if let Some(watch) = line.strip_prefix("watch: ") {
                question.watch = Some(Watched::parse(watch).map_err(|what| fault(at, &what))?);
            } else if let Some(param) = line.strip_prefix("param: ") {
                question.params.push(param_of(param).ok_or_else(|| {
                    fault(at, "`param:` takes name | default | unit | why, the default a number")
                })?);
            } else if let [name, kind, unit, doc, null @ ..] = &cells[..] {
                question.columns.push(AnswerColumn {
                    name: (*name).to_owned(),
                    kind: (*kind).to_owned(),
                    unit: (*unit).to_owned(),
                    doc: (*doc).to_owned(),
                    null: null.first().map(|text| (*text).to_owned()),
                });
            } else if line.is_empty() {
                paragraphs.push(String::new());
            } else if let Some(paragraph) = paragraphs.last_mut() {
                paragraph.push_str(if paragraph.is_empty() { "" } else { " " });
                paragraph.push_str(line);
            }
        }
        paragraphs.retain(|paragraph| !paragraph.is_empty());
        if paragraphs.is_empty() || question.columns.is_empty() || question.needs.is_empty() {
            return Err(fault(header, "the header has a question, `needs:` and the columns"));
        }
        if let Some(name) = question
            .watch
            .iter()
            .flat_map(Watched::columns)
            .find(|name| question.columns.iter().all(|column| column.name != *name))
        {
            return Err(fault(header, &format!("`watch:` names {name}, which is no column")));
        }
        question.title = paragraphs.remove(0);
        question.notes = paragraphs;
        question.sql = lines.collect::<Vec<_>>().join("\n").trim().to_owned();
        Ok(question)
    }

    /// The statement with these parameters, all others as by default.
    pub fn statement(&self, set: &[(String, f64)]) -> Result<String, AskError> {
        if let Some((name, _)) = set.iter().find(|(name, _)| self.param(name).is_none()) {
            return Err(AskError::NoParam {
                question: self.name.clone(),
                name: name.clone(),
                known: self.params.iter().map(|param| param.name.clone()).collect(),
            });
        }
        let mut params: Vec<&Param> = self.params.iter().collect();
        // One name may be the beginning of another.
        params.sort_by_key(|param| std::cmp::Reverse(param.name.len()));
        let mut sql = self.sql.clone();
        for param in params {
            let value = set.iter().find(|(name, _)| *name == param.name);
            let value = value.map_or(param.default, |(_, value)| *value);
            sql = sql.replace(&format!("${}", param.name), &literal(value));
        }
        Ok(sql)
    }

    /// Unit and meaning of a column of the answer.
    pub fn described(&self, name: &str) -> Option<(String, String)> {
        let of = self.columns.iter().find(|column| column.name == name)?;
        let null = of.null.as_ref().map(|null| format!("; –: {null}")).unwrap_or_default();
        Some((of.unit.clone(), format!("{}{null}", of.doc)))
    }

    fn param(&self, name: &str) -> Option<&Param> {
        self.params.iter().find(|param| param.name == name)
    }
}

/// A number as SQL reads it; `limit` takes whole ones only.
fn literal(value: f64) -> String {
    if value.fract() == 0.0 && value.abs() < 1e15 {
        format!("{value:.0}")
    } else {
        format!("{value:?}")
    }
}

fn param_of(text: &str) -> Option<Param> {
    let cells: Vec<&str> = text.split('|').map(str::trim).collect();
    let [name, default, unit, why] = cells[..] else { return None };
    let default = default.parse().ok().filter(|value: &f64| value.is_finite())?;
    Some(Param { name: name.to_owned(), default, unit: unit.to_owned(), why: why.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "-- Which jobs are large.\n--\n-- A note.\n--\n-- needs: job\n\
        -- param: least | 10 | ranks | why not\n-- param: least_more | 2.5 | s | why\n\
        -- path | str | path | the log | not known\nselect path from job where a > $least and b > $least_more\n";

    #[test]
    fn a_file_is_taken_apart() {
        let question = Question::parse("large", TEXT).expect("it is a question");
        assert_eq!(question.title, "Which jobs are large.");
        assert_eq!((question.notes.len(), question.number), (1, None));
        assert_eq!(question.columns[0].null.as_deref(), Some("not known"));
        let sql = question.statement(&[("least".into(), 3.0)]).expect("it has this parameter");
        assert_eq!(sql, "select path from job where a > 3 and b > 2.5");
        assert!(matches!(
            question.statement(&[("most".into(), 1.0)]),
            Err(AskError::NoParam { .. })
        ));
    }

    #[test]
    fn a_header_without_columns_is_a_fault() {
        assert!(Question::parse("x", "-- What.\n-- needs: job\nselect 1").is_err());
        assert!(Question::parse("x", "-- W.\n-- param: a | b | c | d\nselect 1").is_err());
    }

    #[test]
    fn those_that_come_along_are_numbered() {
        let all = Question::built_in().expect("each has a header");
        let numbers: Vec<_> = all.iter().map(|question| question.number).collect();
        assert_eq!(numbers, (1..).map(Some).take(all.len()).collect::<Vec<_>>());
    }
}
