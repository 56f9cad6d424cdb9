//! The SQL subset that every engine answers alike.
//!
//! Engines differ silently where the subset has holes: `/` of two integers is
//! an integer on one and a real number on the other, `select *` follows the
//! order of columns, and `limit` without an order picks any rows.

/// What in a query is outside the subset; empty when nothing is.
///
/// ```
/// assert!(diya_metrics::lint("select log, ratio(a, b) as share_ratio from t").is_empty());
/// assert_eq!(diya_metrics::lint("select * from t").len(), 1);
/// ```
pub fn lint(sql: &str) -> Vec<String> {
    let tokens = tokens(sql);
    let token = |at: usize| tokens.get(at).map_or("", String::as_str);
    let mut complaints = Vec::new();
    if !matches!(token(0), "select" | "with") {
        complaints.push("a query begins with select or with".to_owned());
    }
    for at in 0..tokens.len() {
        let before = at.checked_sub(1).map_or("", token);
        match token(at) {
            "/" => complaints.push("`/`: use ratio(a, b)".to_owned()),
            "*" if matches!(before, "select" | "," | ".") => {
                complaints.push("`*`: name the columns".to_owned());
            }
            ";" if at + 1 < tokens.len() => complaints.push("one statement only".to_owned()),
            word if word.starts_with("read_") && token(at + 1) == "(" => {
                complaints.push(format!("`{word}(`: no files"));
            }
            "limit" if !has_order(&tokens[..at]) => {
                complaints.push("`limit` without `order by`".to_owned());
            }
            _ => {}
        }
    }
    complaints
}

/// Whether `order by` stands before, at the same depth of brackets.
fn has_order(before: &[String]) -> bool {
    let mut depth = 0;
    for at in (0..before.len()).rev() {
        match before[at].as_str() {
            ")" => depth += 1,
            "(" if depth == 0 => return false,
            "(" => depth -= 1,
            "by" if depth == 0 && at > 0 && before[at - 1] == "order" => return true,
            _ => {}
        }
    }
    false
}

/// Lower-case words and single signs, without comments and texts.
fn tokens(sql: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut word = String::new();
    let mut is_text = false;
    for line in sql.lines() {
        let mut signs = line.chars().chain(['\n']).peekable();
        while let Some(c) = signs.next() {
            if !is_text && c == '-' && signs.peek() == Some(&'-') {
                break;
            }
            if !is_text && (c.is_alphanumeric() || c == '_') {
                word.extend(c.to_lowercase());
                continue;
            }
            if !word.is_empty() {
                tokens.push(std::mem::take(&mut word));
            }
            if c == '\'' {
                is_text = !is_text;
            } else if !is_text && !c.is_whitespace() {
                tokens.push(c.to_string());
            }
        }
        if !word.is_empty() {
            tokens.push(std::mem::take(&mut word));
        }
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_comments_and_products_are_allowed() {
        let sql = "select log, a * b as c, count(*) as n, 'a/b' as t -- x / y\nfrom t";
        assert_eq!(lint(sql), Vec::<String>::new());
    }

    #[test]
    fn each_hole_of_the_subset_is_found() {
        for sql in [
            "select a / b from t",
            "select t.* from t",
            "select log, * from t",
            "drop table t",
            "select log from read_csv('x')",
            "select log from t limit 3",
            "with a as (select log from t order by log) select log from a limit 3",
            "select log from t; select log from t",
        ] {
            assert!(!lint(sql).is_empty(), "{sql}");
        }
    }

    #[test]
    fn an_ordered_limit_is_allowed() {
        assert!(lint("select log from t where a in (1, 2) order by log limit 3").is_empty());
    }
}
