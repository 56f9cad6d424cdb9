//! Lines with names in braces: `{key} {value}`.
//!
//! Only small letters, digits and underscores make a name, so that braces of C and of the
//! shell (`${HOME}`) stay what they are.

/// A token of a line.
enum Token<'t> {
    Text(&'t str),
    Name(&'t str),
}

fn tokens(template: &str) -> impl Iterator<Item = Token<'_>> {
    let mut rest = template;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let inside = rest.strip_prefix('{').and_then(|after| after.split_once('}'));
        if let Some((name, after)) = inside.filter(|(name, _)| is_name(name)) {
            rest = after;
            return Some(Token::Name(name));
        }
        // Up to the next brace; a brace that begins no name is text.
        let end =
            rest.char_indices().skip(1).find(|(_, c)| *c == '{').map_or(rest.len(), |(at, _)| at);
        let (text, after) = rest.split_at(end);
        rest = after;
        Some(Token::Text(text))
    })
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

/// The names in a line.
pub fn names(template: &str) -> impl Iterator<Item = &str> {
    tokens(template).filter_map(|token| match token {
        Token::Name(name) => Some(name),
        Token::Text(_) => None,
    })
}

/// The line with values for its names; an error where a name has none.
pub fn fill(
    template: &str,
    value: impl Fn(&str) -> Result<String, String>,
) -> Result<String, String> {
    tokens(template)
        .map(|token| match token {
            Token::Text(text) => Ok(text.to_owned()),
            Token::Name(name) => value(name),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_filled_and_other_braces_stay() {
        let filled = fill("{key}={value} ${HOME} under_info={} {", |name| match name {
            "key" => Ok("a".to_owned()),
            "value" => Ok("{key}".to_owned()),
            other => Err(other.to_owned()),
        });
        // What was put in is not looked at again.
        assert_eq!(filled.as_deref(), Ok("a={key} ${HOME} under_info={} {"));
        assert_eq!(names("{a} {B} {c_1}").collect::<Vec<_>>(), ["a", "c_1"]);
    }

    #[test]
    fn a_name_without_a_value_is_an_error() {
        assert_eq!(fill("{x}", |name| Err(format!("no {name}"))), Err("no x".to_owned()));
    }
}
