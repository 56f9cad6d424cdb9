//! The SQL of checks and metrics names tables that exist.
//!
//! A typing error in a table's name would otherwise show only when the one log
//! that the check is for is read.

use std::collections::BTreeSet;

use super::schema::names;
use super::{Complaint, SourceFile};

/// One complaint for each table that no schema file, no metric, and no `with`
/// of the same file defines.
pub fn unknown_tables(files: &[SourceFile]) -> Vec<Complaint> {
    let paths: Vec<String> = files.iter().map(|file| file.path.clone()).collect();
    let mut known: BTreeSet<String> =
        names(&paths, "schema/tables/", ".toml").into_iter().map(str::to_owned).collect();
    known.extend(paths.iter().filter_map(|path| metric_name(path)));

    let mut complaints = Vec::new();
    for file in files {
        let sql = match (file.path.split('/').next(), file.extension()) {
            (Some("metrics"), "sql") => file.text.clone(),
            (Some("checks"), "md") => fenced_sql(&file.text),
            _ => continue,
        };
        let words = words(&sql);
        let defined = defined_by_with(&words);
        for table in tables_read(&words) {
            if !known.contains(table) && !defined.contains(table) {
                let what = format!("reads table `{table}`, which no schema or metric defines");
                complaints.push(Complaint::error(&file.path, what));
            }
        }
    }
    complaints
}

/// `metrics/posix/file_load.sql` defines table `file_load`.
fn metric_name(path: &str) -> Option<String> {
    let name = path.strip_prefix("metrics/")?.rsplit('/').next()?;
    name.strip_suffix(".sql").map(str::to_owned)
}

/// The `sql` blocks of a Markdown page.
fn fenced_sql(page: &str) -> String {
    let mut is_sql = false;
    let mut sql = String::new();
    for line in page.lines() {
        if line.starts_with("```") {
            is_sql = !is_sql && line.starts_with("```sql");
        } else if is_sql {
            sql.push_str(line);
            sql.push('\n');
        }
    }
    sql
}

/// Lower-case words and single signs of a query, without comments and texts.
fn words(sql: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut in_text = false;
    for line in sql.lines() {
        let code = line.split("--").next().unwrap_or(line);
        for c in code.chars().chain([' ']) {
            in_text ^= c == '\'';
            if in_text || c == '\'' {
                continue;
            }
            if !(c.is_alphanumeric() || c == '_' || c == '.') {
                words.push(c.to_string());
                words.push(String::new());
            } else if let Some(word) = words.last_mut() {
                word.extend(c.to_lowercase());
            }
        }
    }
    words.retain(|word| !word.trim().is_empty());
    words
}

/// Names before `as (`.
fn defined_by_with(words: &[String]) -> BTreeSet<&str> {
    let is_definition = |w: &&[String]| w[1] == "as" && w[2] == "(";
    words.windows(3).filter(is_definition).map(|w| w[0].as_str()).collect()
}

/// Names after `from` and `join`; a query in brackets is no name. `from` also
/// stands inside `extract(day from x)`, which the SQL subset has not.
fn tables_read(words: &[String]) -> Vec<&str> {
    let is_read = |w: &&[String]| matches!(w[0].as_str(), "from" | "join") && w[1] != "(";
    words.windows(2).filter(is_read).map(|w| w[1].as_str()).collect()
}

#[cfg(test)]
mod tests {
    use super::super::tests::file;
    use super::*;

    fn complaints(path: &str, text: &str) -> Vec<String> {
        let files = [
            file("schema/tables/posix.toml", ""),
            file("metrics/posix/file_load.sql", "select log from posix\n"),
            file(path, text),
        ];
        unknown_tables(&files).into_iter().map(|complaint| complaint.what).collect()
    }

    #[test]
    fn tables_metrics_and_own_names_are_known() {
        let sql = "with small as (select log from posix)\nselect log from small join file_load f";
        assert!(complaints("metrics/a.sql", sql).is_empty());
    }

    #[test]
    fn a_table_nobody_defines_is_found_in_sql_blocks_only() {
        let page = "Rows from nowhere.\n```sql applies\nselect log FROM posx -- from x\n```\n";
        let found = complaints("checks/posix/a.md", page);
        assert_eq!(found, ["reads table `posx`, which no schema or metric defines"]);
    }

    #[test]
    fn a_text_that_says_from_is_no_table() {
        assert!(complaints("metrics/a.sql", "select 'from x' as t from posix").is_empty());
    }

    #[test]
    fn other_rooms_are_not_read() {
        assert!(complaints("docs/a.md", "```sql\nselect 1 from nothing\n```\n").is_empty());
    }
}
