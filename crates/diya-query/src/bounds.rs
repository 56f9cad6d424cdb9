//! How large a statement of somebody else may be.
//!
//! The engine plans by walking down trees of expressions and parts: 8,000 terms overflow
//! its stack, 150 parts of a `union` take minutes. Time and memory of what runs are
//! limited elsewhere; this limits what has to be planned (docs/decisions/0043).

use crate::QueryError;
use crate::tokens::{TokenKind, tokens};

/// Words, numbers and signs.
const MAX_TOKENS: usize = 20_000;
/// Signs and words between terms: each can be one level of a tree.
const MAX_OPERATORS: usize = 400;
/// Brackets inside brackets.
const MAX_DEPTH: usize = 60;
/// Statements inside the statement, parts of unions among them.
const MAX_SELECTS: usize = 60;
/// Texts that are joined: each can double what the one inside it made, and constants are
/// joined when the statement is planned.
const MAX_JOINED_TEXTS: usize = 12;
/// Functions that join their arguments, or put one in place of a part of another.
const JOINING: [&str; 5] = ["concat", "concat_ws", "replace", "overlay", "regexp_replace"];
/// Texts become longer than all memory at once: nothing can end that in time.
const UNBOUNDED: [&str; 3] = ["repeat", "lpad", "rpad"];

/// Refuses what the engine could not plan within moments. The message says what is too
/// much, and how much would do.
pub fn bounded(sql: &str) -> Result<(), QueryError> {
    let tokens = tokens(sql)?;
    let (mut count, mut operators, mut selects, mut depth) = (0, 0, 0, 0_usize);
    let (mut deepest, mut joined) = (0, 0);
    // Of each open bracket: whether it has the arguments of a function that joins them.
    let (mut joins, mut is_joining) = (Vec::new(), false);
    for token in &tokens {
        let was_joining = std::mem::take(&mut is_joining);
        match token.kind {
            TokenKind::Word if token.is_quoted => {}
            TokenKind::Word => {
                let word = token.text.to_ascii_lowercase();
                match word.as_str() {
                    "select" | "values" => selects += 1,
                    "and" | "or" | "not" | "is" | "like" | "when" | "join" => operators += 1,
                    _ => {}
                }
                is_joining = JOINING.contains(&word.as_str());
                if UNBOUNDED.contains(&word.as_str()) {
                    return Err(QueryError::Sql(format!("{word} is not available")));
                }
            }
            TokenKind::Number | TokenKind::Text => {}
            TokenKind::Sign | TokenKind::Param => match token.text.as_str() {
                "(" | "[" => {
                    depth += 1;
                    joins.push(was_joining);
                }
                ")" | "]" => {
                    depth = depth.saturating_sub(1);
                    joins.pop();
                }
                "," => joined += usize::from(joins.last() == Some(&true)),
                "." | ";" => {}
                sign => {
                    joined += usize::from(sign == "||");
                    operators += 1;
                }
            },
        }
        count += 1;
        deepest = deepest.max(depth);
    }
    for (found, most, what) in [
        (count, MAX_TOKENS, "words and signs"),
        (operators, MAX_OPERATORS, "operators"),
        (deepest, MAX_DEPTH, "brackets inside brackets"),
        (selects, MAX_SELECTS, "parts with a select"),
        (joined, MAX_JOINED_TEXTS, "texts joined to others"),
    ] {
        if found > most {
            let text = format!("the statement is too large: {found} {what}, at most {most}");
            return Err(QueryError::Sql(text));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Limits, Query};
    use std::time::{Duration, Instant};

    fn chain(terms: usize, between: &str) -> String {
        format!("select {}", vec!["1"; terms].join(between))
    }

    #[test]
    fn what_could_not_be_planned_is_refused_with_the_limit() {
        let nested = format!("select {}1{}", "(".repeat(70), ")".repeat(70));
        let union = vec!["select 1"; 150].join(" union all ");
        for (sql, what) in [
            (chain(8_000, "+"), "7999 operators, at most 400"),
            (chain(30_000, ","), "words and signs"),
            (nested, "70 brackets"),
            (union, "150 parts"),
            (chain(14, "||"), "13 texts joined to others, at most 12"),
            (format!("select concat({})", vec!["'a'"; 14].join(",")), "13 texts joined"),
            ("select Repeat('x', 2000000000)".to_owned(), "repeat is not available"),
        ] {
            let error = bounded(&sql).unwrap_err().to_string();
            assert!(error.contains(what), "{error}");
        }
        assert!(bounded("select 'repeat' as \"repeat\"").is_ok(), "a text and a name");
    }

    /// On a thread with the stack that a server's have.
    #[test]
    fn the_largest_that_is_allowed_is_planned_in_time() {
        let union = vec!["select 1 as x"; MAX_SELECTS].join(" union all ");
        for sql in [chain(MAX_OPERATORS + 1, "+"), chain(MAX_OPERATORS + 1, " and "), union] {
            let work = move || {
                assert_eq!(crate::statements(&sql).unwrap().len(), 1);
                let limits =
                    Limits { rows: 1_000, time: Duration::from_secs(60), ..Limits::OF_A_PERSON };
                let begin = Instant::now();
                // A chain of `and` over numbers is an error, and not more than that.
                let _rows = Query::new(&[], 1).unwrap().run_within(&sql, limits);
                begin.elapsed()
            };
            let took = std::thread::spawn(work).join().unwrap();
            assert!(took < Duration::from_secs(20), "{took:?}");
        }
    }
}
