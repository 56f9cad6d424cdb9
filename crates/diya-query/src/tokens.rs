//! A statement as words and signs, each with its place: for what has to know the text of
//! a statement, not its meaning. Comments are none, and texts stay whole.

use crate::QueryError;
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::tokenizer::{Token as Parsed, Tokenizer};
use std::collections::HashSet;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// A name or a word of SQL; quoted names are without their quotes.
    Word,
    /// A number.
    Number,
    /// In single quotes.
    Text,
    /// `$name`; the text is without the sign.
    Param,
    /// Anything else.
    Sign,
}

/// A word or a sign.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Its text.
    pub text: String,
    /// Byte where it starts.
    pub start: usize,
    /// A name in quotes, which is no word of SQL.
    pub is_quoted: bool,
}

impl Token {
    /// Whether it is this word, in any case, or this sign.
    pub fn is(&self, text: &str) -> bool {
        matches!(self.kind, TokenKind::Word | TokenKind::Sign)
            && self.text.eq_ignore_ascii_case(text)
    }
}

/// The tokens of a statement.
///
/// ```
/// let tokens = diya_query::tokens("select 'a b' from t where x < $limit").unwrap();
/// assert_eq!(tokens[1].text, "'a b'");
/// assert_eq!(tokens[7].text, "limit");
/// ```
pub fn tokens(sql: &str) -> Result<Vec<Token>, QueryError> {
    let parsed = Tokenizer::new(&GenericDialect {}, sql).tokenize_with_location();
    let parsed = parsed.map_err(|e| QueryError::Sql(format!("this is not valid SQL: {e}")))?;
    let mut lines = Lines::of(sql);
    let mut found = Vec::with_capacity(parsed.len());
    for one in parsed {
        let start = lines.byte(one.span.start.line, one.span.start.column);
        let is_quoted = matches!(&one.token, Parsed::Word(word) if word.quote_style.is_some());
        let (kind, text) = match one.token {
            Parsed::Whitespace(_) | Parsed::EOF => continue,
            Parsed::Word(word) => (TokenKind::Word, word.value),
            Parsed::Number(number, _) => (TokenKind::Number, number),
            Parsed::Placeholder(name) => {
                (TokenKind::Param, name.trim_start_matches('$').to_owned())
            }
            text @ Parsed::SingleQuotedString(_) => (TokenKind::Text, text.to_string()),
            sign => (TokenKind::Sign, sign.to_string()),
        };
        found.push(Token { kind, text, start, is_quoted });
    }
    Ok(found)
}

/// Bytes of lines and columns that only go forward.
struct Lines<'s> {
    rest: std::str::CharIndices<'s>,
    line: u64,
    column: u64,
    len: usize,
}

impl<'s> Lines<'s> {
    fn of(sql: &'s str) -> Self {
        Self { rest: sql.char_indices(), line: 1, column: 1, len: sql.len() }
    }

    fn byte(&mut self, line: u64, column: u64) -> usize {
        while (self.line, self.column) < (line, column) {
            match self.rest.next() {
                Some((_, '\n')) => (self.line, self.column) = (self.line + 1, 1),
                Some(_) => self.column += 1,
                None => break,
            }
        }
        self.rest.clone().next().map_or(self.len, |(byte, _)| byte)
    }
}

/// Every word, in lower case: the columns and tables that a statement names are among them.
pub fn words(tokens: &[Token]) -> HashSet<String> {
    let words = tokens.iter().filter(|token| token.kind == TokenKind::Word);
    words.map(|token| token.text.to_lowercase()).collect()
}

/// Whether the star at this place stands for columns: not in `count(*)`, nor for a product.
pub fn is_wildcard(tokens: &[Token], at: usize) -> bool {
    let is = |at: usize, text: &str| tokens.get(at).is_some_and(|token| token.is(text));
    let before = at.checked_sub(1);
    let begins_list =
        |at: usize| ["select", "distinct", "all", ",", "."].iter().any(|one| is(at, one));
    is(at, "*") && before.is_some_and(begins_list)
}

/// The parts of a statement that a `union all` puts together, where that is all it does;
/// else the statement.
pub fn union_parts(sql: &str) -> Vec<&str> {
    let Some(tokens) = tokens(sql).ok().filter(|all| all.first().is_some_and(|t| t.is("select")))
    else {
        return vec![sql];
    };
    let (mut parts, mut from, mut depth) = (Vec::new(), 0, 0_usize);
    for pair in tokens.windows(2) {
        match pair[0].text.as_str() {
            "(" => depth += 1,
            ")" => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            _ if pair[0].is("union") && pair[1].is("all") => {
                parts.push(sql[from..pair[0].start].trim());
                from = pair[1].start + pair[1].text.len();
            }
            // An order or another operation is of the whole.
            _ if ["order", "limit", "union", "intersect", "except"]
                .iter()
                .any(|w| pair[0].is(w)) =>
            {
                return vec![sql];
            }
            _ => {}
        }
    }
    parts.push(sql[from..].trim());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_no_tokens_and_texts_stay_whole() {
        let sql = "select a -- b / c\n from \"t\" where x<=$lim and y = 'ä -- b' /* d */ or é";
        let all = tokens(sql).expect("is SQL");
        let texts: Vec<&str> = all.iter().map(|t| t.text.as_str()).collect();
        let expected = [
            "select",
            "a",
            "from",
            "t",
            "where",
            "x",
            "<=",
            "lim",
            "and",
            "y",
            "=",
            "'ä -- b'",
            "or",
            "é",
        ];
        assert_eq!(texts, expected);
        let at = |text: &str| all.iter().find(|t| t.text == text).map(|t| &sql[t.start..]);
        assert_eq!(at("lim"), Some("$lim and y = 'ä -- b' /* d */ or é"));
        assert_eq!(at("é"), Some("é"));
    }

    #[test]
    fn a_star_is_a_wildcard_a_count_or_a_product() {
        let has_wildcard = |sql: &str| {
            let all = tokens(sql).expect("is SQL");
            (0..all.len()).any(|at| is_wildcard(&all, at))
        };
        for sql in ["select * from t", "select a, * from t", "select t.* from t"] {
            assert!(has_wildcard(sql), "{sql}");
        }
        for sql in ["select count(*) from t", "select a * b from t", "select (a) * 2 from t"] {
            assert!(!has_wildcard(sql), "{sql}");
        }
    }

    #[test]
    fn names_are_words_quoted_or_not() {
        let words = words(&tokens("select t.\"a\", B from t where c = 'd'").expect("is SQL"));
        assert!(["a", "b", "c", "t"].iter().all(|word| words.contains(*word)));
        assert!(!words.contains("d"));
    }

    #[test]
    fn only_a_union_that_is_the_whole_statement_has_parts() {
        let union =
            "select a from t\nunion all\nselect b from (select b from u union all select 1)";
        assert_eq!(union_parts(union).len(), 2);
        for whole in [
            "with a as (select 1 union all select 2) select * from a",
            "select 1 union select 2",
            "select 1 union all select 2 order by 1",
        ] {
            assert_eq!(union_parts(whole), [whole]);
        }
    }
}
