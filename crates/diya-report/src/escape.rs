//! Text of logs inside formats that give signs a meaning.

use crate::printable;

/// A text inside an element or a quoted attribute of HTML, without what cannot
/// be seen.
///
/// ```
/// assert_eq!(diya_report::html_text("<b title='x'>"), "&lt;b title=&#39;x&#39;&gt;");
/// ```
pub fn html_text(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in printable(text).chars() {
        match c {
            '&' => shown.push_str("&amp;"),
            '<' => shown.push_str("&lt;"),
            '>' => shown.push_str("&gt;"),
            '"' => shown.push_str("&quot;"),
            '\'' => shown.push_str("&#39;"),
            c => shown.push(c),
        }
    }
    shown
}

/// A text in Markdown that reads as it was, whatever signs are in it: no
/// markup, no HTML, no links.
///
/// ```
/// assert_eq!(diya_report::markdown("<b>[x](y)"), r"&lt;b&gt;\[x\](y)");
/// ```
pub fn markdown(text: &str) -> String {
    let mut shown = String::with_capacity(text.len() + 8);
    for c in printable(text).chars() {
        match c {
            '&' => shown.push_str("&amp;"),
            '<' => shown.push_str("&lt;"),
            '>' => shown.push_str("&gt;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '#' => {
                shown.push('\\');
                shown.push(c);
            }
            c => shown.push(c),
        }
    }
    shown
}

/// The same inside a table, where a bar has to be escaped also in code.
pub(crate) fn markdown_cell_code(text: &str) -> String {
    markdown_code(text).replace('|', "\\|")
}

/// A text as code in Markdown, between more backticks than it holds.
pub(crate) fn markdown_code(text: &str) -> String {
    let text = printable(text);
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let blank =
        if text.starts_with('`') || text.ends_with('`') || text.is_empty() { " " } else { "" };
    format!("{fence}{blank}{text}{blank}{fence}")
}

/// The content of a cell of CSV. A text that a spreadsheet would take for a
/// formula gets an apostrophe in front: names in logs are not to be run
/// (OWASP: CSV injection).
pub(crate) fn csv_cell(text: &str) -> String {
    let text = printable(text);
    let is_formula = text.starts_with(['=', '+', '-', '@']);
    if is_formula { format!("'{text}") } else { text.into_owned() }
}

/// A path as the reference of a URI (RFC 3986).
pub(crate) fn uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    if path.starts_with('/') {
        uri.push_str("file://");
    }
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z'
            | b'A'..=b'Z'
            | b'0'..=b'9'
            | b'-'
            | b'.'
            | b'_'
            | b'~'
            | b'/'
            | b'+'
            | b'='
            | b','
            | b'@' => uri.push(char::from(byte)),
            byte => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_html_are_text() {
        assert_eq!(html_text("<b>'\"&"), "&lt;b&gt;&#39;&quot;&amp;");
        assert!(!html_text("a\u{202e}b\u{7}").contains(['\u{202e}', '\u{7}']));
    }

    #[test]
    fn signs_of_markdown_are_only_signs() {
        assert_eq!(markdown("a_b <i> `c` [x](y)"), "a\\_b &lt;i&gt; \\`c\\` \\[x\\](y)");
        assert_eq!(markdown_code("a`b"), "``a`b``");
        assert_eq!(markdown_code("`a"), "`` `a ``");
        assert_eq!(markdown_code("a|b"), "`a|b`");
        assert_eq!(markdown_cell_code("a|b"), "`a\\|b`");
    }

    #[test]
    fn a_cell_is_no_formula() {
        assert_eq!(csv_cell("=1+2"), "'=1+2");
        assert_eq!(csv_cell("plain"), "plain");
    }

    #[test]
    fn paths_are_uris() {
        assert_eq!(uri("/a b/ü"), "file:///a%20b/%C3%BC");
        assert_eq!(uri("src/a.c"), "src/a.c");
        // Nothing before a colon is taken for a scheme.
        assert_eq!(uri("javascript:x"), "javascript%3Ax");
    }
}
