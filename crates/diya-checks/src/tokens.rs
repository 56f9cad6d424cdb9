//! SQL as words and signs, each with its place: enough for the lint and for
//! putting parameters in. Comments are no tokens, and texts stay whole.

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Word,
    Number,
    /// In single quotes.
    Text,
    /// `$name`; the text is without the sign.
    Param,
    Sign,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Token<'t> {
    pub kind: Kind,
    pub text: &'t str,
    /// Byte where it starts.
    pub start: usize,
}

impl Token<'_> {
    pub fn is(&self, text: &str) -> bool {
        matches!(self.kind, Kind::Word | Kind::Sign) && self.text.eq_ignore_ascii_case(text)
    }
}

/// The tokens of a query.
pub(crate) fn tokens(sql: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(rest) = sql.get(at..).filter(|rest| !rest.is_empty()) {
        let first = rest.chars().next().unwrap_or(' ');
        let while_word = |from: &str| {
            from.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(from.len())
        };
        let (kind, length) = if first.is_whitespace() {
            (None, first.len_utf8())
        } else if rest.starts_with("--") {
            (None, rest.find('\n').unwrap_or(rest.len()))
        } else if rest.starts_with("/*") {
            (None, rest.find("*/").map_or(rest.len(), |end| end + 2))
        } else if first == '\'' || first == '"' {
            let end = rest[1..].find(first).map_or(rest.len(), |end| end + 2);
            (Some(if first == '"' { Kind::Word } else { Kind::Text }), end)
        } else if first == '$' {
            (Some(Kind::Param), 1 + while_word(&rest[1..]))
        } else if first.is_ascii_digit() {
            let is_part = |c: char| c.is_alphanumeric() || c == '.' || c == '_';
            (Some(Kind::Number), rest.find(|c| !is_part(c)).unwrap_or(rest.len()))
        } else if first.is_alphabetic() || first == '_' {
            (Some(Kind::Word), while_word(rest))
        } else {
            let pair = ["<=", ">=", "<>", "!=", "||"].iter().any(|two| rest.starts_with(two));
            (Some(Kind::Sign), if pair { 2 } else { first.len_utf8() })
        };
        if let Some(kind) = kind {
            let whole = &rest[..length];
            let text = match kind {
                Kind::Param => &whole[1..],
                Kind::Word => whole.trim_matches('"'),
                _ => whole,
            };
            found.push(Token { kind, text, start: at });
        }
        at += length;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_no_tokens_and_texts_stay_whole() {
        let sql = "select a -- b / c\n from \"t\" where x<=$lim and y = 'a -- b' /* d */";
        let texts: Vec<&str> = tokens(sql).iter().map(|t| t.text).collect();
        let expected =
            ["select", "a", "from", "t", "where", "x", "<=", "lim", "and", "y", "=", "'a -- b'"];
        assert_eq!(texts, expected);
    }
}
