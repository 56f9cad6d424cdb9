//! What Tab completes: tables after `from`, columns of the tables that a statement names, and
//! keywords, functions and commands.

use diya::explain::definitions;
use diya::{TableDef, function_names};
use rustyline::completion::Completer;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::validate::Validator;
use rustyline::{Context, Helper};

const KEYWORDS: &[&str] = &[
    "and",
    "as",
    "asc",
    "avg",
    "between",
    "by",
    "case",
    "cast",
    "coalesce",
    "count",
    "desc",
    "distinct",
    "else",
    "end",
    "except",
    "exists",
    "explain",
    "from",
    "full join",
    "group by",
    "having",
    "in",
    "intersect",
    "is",
    "join",
    "left join",
    "like",
    "limit",
    "max",
    "median",
    "min",
    "not",
    "null",
    "offset",
    "on",
    "or",
    "order by",
    "over",
    "partition by",
    "select",
    "stddev",
    "sum",
    "then",
    "union all",
    "values",
    "when",
    "where",
    "with",
];

const COMMANDS: &[&str] = &[".help", ".quit", ".schema", ".tables"];

/// Words behind which a table follows.
const BEFORE_TABLE: &[&str] = &["from", "join", ".schema", "\\d"];

/// What Tab completes.
pub struct Words {
    /// The earlier lines of the statement.
    pub before: String,
    definitions: Vec<&'static TableDef>,
    others: Vec<&'static str>,
}

impl Words {
    pub fn new() -> Self {
        let others = KEYWORDS.iter().copied().chain(function_names()).collect();
        Self { before: String::new(), definitions: definitions().collect(), others }
    }

    /// Words that go on with `word`, behind this text.
    fn candidates(&self, text: &str, word: &str) -> Vec<&'static str> {
        let is_known = |name: &&str| {
            let head = name.get(..word.len());
            head.is_some_and(|head| head.eq_ignore_ascii_case(word))
        };
        if text.trim().is_empty() && word.starts_with('.') {
            return COMMANDS.iter().copied().filter(is_known).collect();
        }
        let names: Vec<String> = tokens(text).map(str::to_ascii_lowercase).collect();
        let last = text.split_whitespace().next_back().unwrap_or_default().to_ascii_lowercase();
        let columns = |def: &&'static TableDef| def.columns.iter().map(|column| column.name);
        let tables = || self.definitions.iter().map(|def| def.name);
        let mut found: Vec<&str> = if BEFORE_TABLE.contains(&last.as_str()) {
            tables().filter(is_known).collect()
        } else if let Some(table) = text.strip_suffix('.') {
            // A table, or its short name in this statement.
            let name = tokens(table).next_back().unwrap_or_default().to_ascii_lowercase();
            let table = self.table(&names, &name);
            table.iter().flat_map(columns).filter(is_known).collect()
        } else if word.is_empty() {
            Vec::new()
        } else {
            let mut named =
                self.definitions.iter().filter(|def| names.iter().any(|n| n == def.name));
            // A select list comes before its tables: then all columns can be meant.
            let of_named: Vec<&str> = named.by_ref().flat_map(columns).filter(is_known).collect();
            let columns: Vec<&str> = match of_named.is_empty() {
                true => self.definitions.iter().flat_map(columns).filter(is_known).collect(),
                false => of_named,
            };
            let others = self.others.iter().copied().chain(tables()).filter(is_known);
            columns.into_iter().chain(others).collect()
        };
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The table of this name, or of `from TABLE [as] NAME`.
    fn table(&self, names: &[String], name: &str) -> Option<&'static TableDef> {
        let of = |table: &str| self.definitions.iter().copied().find(|def| def.name == table);
        let before = |place: usize, back: usize| names.get(place.checked_sub(back)?);
        of(name).or_else(|| {
            let places = names.iter().enumerate().filter(|(_, other)| *other == name);
            let mut tables = places.filter_map(|(place, _)| match before(place, 1)? {
                word if word == "as" => of(before(place, 2)?),
                table => of(table),
            });
            tables.next()
        })
    }
}

fn tokens(text: &str) -> impl DoubleEndedIterator<Item = &str> {
    let is_gap = |c: char| !c.is_alphanumeric() && c != '_';
    text.split(is_gap).filter(|token| !token.is_empty())
}

impl Completer for Words {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        pos: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        let typed = line.get(..pos).unwrap_or(line);
        let is_gap = |c: char| !c.is_alphanumeric() && c != '_';
        let start = match typed.trim_start().starts_with('.') && !typed.trim().contains(' ') {
            // A command with its dot.
            true => typed.len() - typed.trim_start().len(),
            false => typed
                .rfind(is_gap)
                .map_or(0, |at| at + typed[at..].chars().next().map_or(1, char::len_utf8)),
        };
        let (text, word) = typed.split_at(start);
        let text = format!("{}\n{text}", self.before);
        let found = self.candidates(&text, word);
        Ok((start, found.into_iter().map(str::to_owned).collect()))
    }
}

impl Hinter for Words {
    type Hint = String;
}

impl Highlighter for Words {}

impl Validator for Words {}

impl Helper for Words {}

#[cfg(test)]
mod tests {
    use super::*;
    use rustyline::history::MemHistory;

    fn completed(before: &str, line: &str) -> Vec<String> {
        let mut words = Words::new();
        words.before = before.to_owned();
        let history = MemHistory::new();
        let found = words.complete(line, line.len(), &Context::new(&history));
        found.expect("no terminal is needed").1
    }

    #[test]
    fn tables_follow_from_and_columns_follow_their_table() {
        assert_eq!(completed("", "select * from lustre_c"), ["lustre_component"]);
        assert!(completed("", ".schema pos").contains(&"posix".to_owned()));
        assert_eq!(completed("", "select job.npro"), ["nprocs"]);
        assert_eq!(completed("select 1", "from job as j where j.npro"), ["nprocs"]);
        assert_eq!(completed("select 1 from job j", "where j.npro"), ["nprocs"]);
        assert_eq!(completed("select 1 from job", "where size_b"), completed("", "select size_b"));
    }

    #[test]
    fn keywords_commands_and_functions_are_completed_in_any_case() {
        assert_eq!(completed("", "SELE"), ["select"]);
        assert_eq!(completed("", ".he"), [".help"]);
        assert!(completed("", "select bytes_t").contains(&"bytes_text".to_owned()));
        assert_eq!(completed("", "select "), [""; 0]);
    }
}
