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
use diya_header::{Column, Header, HeaderError, Key, Known};

/// The keys of a header.
const KEYS: &[Known] = &[
    Known::Once("number"),
    Known::Once("needs"),
    Known::Once("picture"),
    Known::Once("watch"),
    Known::Often("param"),
];

/// Questions that come with diya: path and text of each file.
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

impl AnswerColumn {
    fn of(column: &Column<'_>) -> Self {
        Self {
            name: column.name.to_string(),
            kind: column.kind.to_string(),
            unit: column.unit.to_string(),
            doc: column.doc.to_string(),
            null: column.null.as_ref().map(ToString::to_string),
        }
    }
}

impl Question {
    /// All that come with diya, by number.
    pub fn built_in() -> Result<Vec<Self>, AskError> {
        let all = BUILT_IN.iter().map(|(file, text)| Self::parse(file, text));
        let mut all = all.collect::<Result<Vec<_>, _>>()?;
        all.sort_by_key(|question| question.number);
        Ok(all)
    }

    /// All that come with diya, and those of a folder; one of the same name replaces.
    pub fn with_folder(folder: &std::path::Path) -> Result<Vec<Self>, AskError> {
        let mut all = Self::built_in()?;
        let failed = |error: std::io::Error| AskError::Question {
            file: folder.display().to_string(),
            what: error.to_string(),
        };
        let mut files: Vec<_> = std::fs::read_dir(folder).map_err(failed)?.flatten().collect();
        files.sort_by_key(std::fs::DirEntry::file_name);
        for file in files.iter().map(std::fs::DirEntry::path) {
            if file.extension().is_none_or(|extension| extension != "sql") {
                continue;
            }
            let text = std::fs::read_to_string(&file).map_err(failed)?;
            let own = Self::parse(&file.display().to_string(), &text)?;
            match all.iter_mut().find(|question| question.name == own.name) {
                Some(known) => *known = own,
                None => all.push(own),
            }
        }
        Ok(all)
    }

    /// Takes a file apart.
    pub fn parse(file: &str, text: &str) -> Result<Self, AskError> {
        let header = Header::of_sql(file, text, KEYS);
        header.and_then(|header| Self::of(&header)).map_err(|error| {
            let HeaderError { file, line, what } = error;
            AskError::Question { file, what: format!("line {line}: {what}") }
        })
    }

    fn of(header: &Header<'_>) -> Result<Self, HeaderError> {
        let at_end = |what: &str| header.error(header.lines, what);
        let Some((title, notes)) = header.paragraphs.split_first() else {
            return Err(at_end("the header begins with the question"));
        };
        let mut question = Self {
            name: header.name().to_owned(),
            number: None,
            title: title.to_string(),
            notes: notes.iter().map(ToString::to_string).collect(),
            needs: header.list("needs").into_iter().map(str::to_owned).collect(),
            picture: header.value("picture").unwrap_or("table").to_owned(),
            watch: None,
            params: Vec::new(),
            columns: header.columns.iter().map(AnswerColumn::of).collect(),
            sql: header.body.to_string(),
        };
        for Key { line, name, value } in header.keys.iter() {
            let wrong = |what: &str| header.error(*line, what);
            match &**name {
                "number" => {
                    let number = value.parse().map_err(|_| wrong("`number:` takes a number"))?;
                    question.number = Some(number);
                }
                "watch" => {
                    let watch = Watched::parse(value).map_err(|what| wrong(&what))?;
                    let unknown = watch.columns().find(|name| !question.has_column(name));
                    if let Some(name) = unknown {
                        return Err(wrong(&format!("`watch:` names {name}, which is no column")));
                    }
                    question.watch = Some(watch);
                }
                "param" => question.params.push(param_of(value).ok_or_else(|| {
                    wrong("`param:` takes name | default | unit | why, the default a number")
                })?),
                _ => {}
            }
        }
        if question.columns.is_empty() || question.needs.is_empty() {
            return Err(at_end("the header has `needs:` and the columns"));
        }
        Ok(question)
    }

    fn has_column(&self, name: &str) -> bool {
        self.columns.iter().any(|column| column.name == name)
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
        let question = Question::parse("q/large.sql", TEXT).expect("it is a question");
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
        assert!(Question::parse("x.sql", "-- What.\n-- needs: job\nselect 1").is_err());
        let wrong = Question::parse("q/x.sql", "-- W.\n-- param: a | b | c | d\nselect 1");
        let said = wrong.expect_err("is wrong").to_string();
        assert!(said.starts_with("q/x.sql: line 2: `param:` takes"), "{said}");
    }

    #[test]
    fn those_that_come_along_are_numbered() {
        let all = Question::built_in().expect("each has a header");
        let numbers: Vec<_> = all.iter().map(|question| question.number).collect();
        assert_eq!(numbers, (1..).map(Some).take(all.len()).collect::<Vec<_>>());
    }
}
