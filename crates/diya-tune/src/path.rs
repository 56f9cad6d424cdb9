//! Names from a log on their way into a script.
//!
//! A log is somebody else's data: a path in it may hold quotes, line ends, `$(...)` or `..`.

use diya::report::printable;

/// Whether a text needs no quotes anywhere: not in a shell, a hints file, or C.
pub fn is_plain(text: &str) -> bool {
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || "_.:*=,/+-".contains(c);
    !text.is_empty() && text.chars().all(is_allowed)
}

/// Why a path cannot stand in a script; `None`: it can.
pub fn objection(path: &str) -> Option<&'static str> {
    if !path.starts_with('/') {
        return Some("the log holds no absolute path");
    }
    if printable(path) != path {
        return Some("its path has control or invisible characters");
    }
    if path.split('/').any(|part| part == ".." || part == ".") {
        return Some("its path has `.` or `..`");
    }
    None
}

/// The text as one word of a shell.
pub fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quoted_path_is_one_word_of_a_shell() {
        let hostile = "/s/$(touch x)`y`'; rm -rf \"$HOME\" #\\";
        let script = format!("printf %s {}", quoted(hostile));
        let said = std::process::Command::new("sh").args(["-c", &script]).output().expect("sh");
        assert_eq!(String::from_utf8_lossy(&said.stdout), hostile);
    }

    #[test]
    fn relative_hidden_and_climbing_paths_are_refused() {
        for path in ["", "a/b", "-rf", "/a\nb", "/a/../b", "/a\u{202e}b", "/a\u{1b}[2J"] {
            assert!(objection(path).is_some(), "{path:?}");
        }
        assert_eq!(objection("/scratch/run 1/it's.h5"), None);
    }

    #[test]
    fn plain_words_are_those_of_numbers_and_names() {
        assert!(is_plain("16777216") && is_plain("H5FD_MPIO_COLLECTIVE") && is_plain("*:1"));
        for text in ["", "a b", "a;b", "$x", "a'b", "a\nb", "ü"] {
            assert!(!is_plain(text), "{text:?}");
        }
    }
}
