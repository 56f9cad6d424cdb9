//! The subset of SQL that metrics and checks may use.
//!
//! Engines differ silently outside of it (docs/decisions/0001): `/` of two integers is an
//! integer on one and a real number on the other, `select *` follows the order of columns,
//! and `limit` without an order picks any rows. A check of a facility must not reach files
//! or the network.

use diya_query::{Token, TokenKind, function_names, is_wildcard, tokens};

/// Functions of the engine with equal results on DuckDB; diya's own are known there.
const FUNCTIONS: &[&str] = &[
    "abs",
    "avg",
    "bool_or",
    "cast",
    "ceil",
    "coalesce",
    "concat",
    "count",
    "ends_with",
    "first_value",
    "floor",
    "greatest",
    "lag",
    "last_value",
    "lead",
    "least",
    "length",
    "ln",
    "lower",
    "max",
    "median",
    "min",
    "nullif",
    "power",
    "rank",
    "round",
    "rtrim",
    "row_number",
    "sqrt",
    "starts_with",
    "strpos",
    "substr",
    "stddev_pop",
    "stddev_samp",
    "sum",
    "trim",
    "upper",
];

/// Words that an opening parenthesis may follow without being a call.
const BEFORE_PARENTHESIS: &[&str] = &[
    "all",
    "and",
    "any",
    "as",
    "by",
    "case",
    "distinct",
    "else",
    "except",
    "exists",
    "filter",
    "from",
    "having",
    "in",
    "intersect",
    "join",
    "not",
    "on",
    "or",
    "over",
    "partition",
    "select",
    "then",
    "union",
    "using",
    "values",
    "when",
    "where",
    "with",
];

/// Words that only statements other than queries use.
const FORBIDDEN: &[&str] = &[
    "alter", "attach", "call", "copy", "create", "delete", "drop", "explain", "export", "import",
    "insert", "install", "load", "pragma", "show", "truncate", "update",
];

/// What in a query is outside the subset, each with the byte it starts at; empty when
/// nothing is.
///
/// ```
/// assert!(diya_metrics::lint("select log, ratio(a, b) as share_ratio from t").is_empty());
/// assert_eq!(diya_metrics::lint("select * from t").len(), 1);
/// ```
pub fn lint(sql: &str) -> Vec<(usize, String)> {
    let all = match tokens(sql) {
        Ok(all) => all,
        Err(error) => return vec![(0, error.to_string())],
    };
    let mut wrong = Vec::new();
    if !all.first().is_some_and(|t| t.is("select") || t.is("with")) {
        wrong.push((0, "a query starts with select or with".to_owned()));
    }
    signs_and_words(&all, &mut wrong);
    limits(&all, &mut wrong);
    wrong.sort();
    wrong
}

fn signs_and_words(all: &[Token], wrong: &mut Vec<(usize, String)>) {
    let mut before: Option<&Token> = None;
    let is_function =
        |name: &str| FUNCTIONS.contains(&name) || function_names().any(|own| own == name);
    for (place, token) in all.iter().enumerate() {
        let opens = all.get(place + 1).is_some_and(|next| next.is("("));
        let complaint = match token.kind {
            TokenKind::Sign if token.text == "/" => "`/` is refused: use ratio(a, b)".to_owned(),
            TokenKind::Sign if token.text == ";" => "one query, without `;`".to_owned(),
            TokenKind::Sign if is_wildcard(all, place) => {
                "`*` is refused: name the columns".to_owned()
            }
            TokenKind::Text if before.is_some_and(|b| b.is("from") || b.is("join")) => {
                "files cannot be read".to_owned()
            }
            // `call` is a table, too.
            TokenKind::Word
                if FORBIDDEN.contains(&lower(token).as_str()) && is_statement(all, place) =>
            {
                format!("`{}` is refused: only queries", token.text)
            }
            TokenKind::Word
                // `as o(op)` names columns.
                if opens
                    && !before.is_some_and(|b| b.is("as"))
                    && !is_function(&lower(token))
                    && !BEFORE_PARENTHESIS.contains(&lower(token).as_str()) =>
            {
                format!("function `{}` is outside the subset", token.text)
            }
            _ => String::new(),
        };
        if !complaint.is_empty() {
            wrong.push((token.start, complaint));
        }
        before = Some(token);
    }
}

fn lower(token: &Token) -> String {
    token.text.to_ascii_lowercase()
}

/// A forbidden word is one only where a statement can start.
fn is_statement(all: &[Token], place: usize) -> bool {
    place == 0 || all[place - 1].is(";") || all[place - 1].is("(")
}

/// `limit` needs `order by` in the same query: otherwise engines differ.
fn limits(all: &[Token], wrong: &mut Vec<(usize, String)>) {
    let mut ordered = vec![false];
    for (place, token) in all.iter().enumerate() {
        let is_by = all.get(place + 1).is_some_and(|next| next.is("by"));
        if token.is("(") {
            ordered.push(false);
        } else if token.is(")") && ordered.len() > 1 {
            ordered.pop();
        } else if let Some(last) = ordered.last_mut() {
            if token.is("select") {
                *last = false;
            } else if token.is("order") && is_by {
                *last = true;
            } else if token.is("limit") && !*last {
                wrong.push((token.start, "`limit` without `order by`".to_owned()));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaints(sql: &str) -> Vec<String> {
        lint(sql).into_iter().map(|(_, what)| what).collect()
    }

    #[test]
    fn texts_comments_and_products_are_allowed() {
        let sql = "select log, a * b as c, count(*) as n, 'a/b' as t -- x / y\nfrom t";
        assert_eq!(complaints(sql), [""; 0]);
    }

    #[test]
    fn division_stars_and_other_statements_are_refused() {
        assert_eq!(complaints("select log from posix where opens / 2 > 1").len(), 1);
        assert_eq!(complaints("select p.* from posix as p").len(), 1);
        assert_eq!(complaints("select log, * from t").len(), 1);
        assert_eq!(complaints("drop table posix").len(), 2);
        assert_eq!(complaints("select log from posix; select 1").len(), 1);
        assert_eq!(complaints("select 'a from t").len(), 1);
    }

    #[test]
    fn files_and_foreign_functions_are_refused() {
        assert_eq!(complaints("select log from 'a.csv'"), ["files cannot be read"]);
        let read = "select log from read_csv('a.csv')";
        assert_eq!(complaints(read), ["function `read_csv` is outside the subset"]);
    }

    #[test]
    fn a_limit_needs_an_order_in_its_own_query() {
        for sql in [
            "select log from (select log from posix limit 1) as t order by log",
            "with a as (select log from t order by log) select log from a limit 3",
        ] {
            assert_eq!(complaints(sql), ["`limit` without `order by`"]);
        }
        let ordered = "select log from t where a in (1, 2) order by log limit 3";
        assert_eq!(complaints(ordered), [""; 0]);
    }
}
