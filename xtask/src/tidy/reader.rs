//! Rules for the crates that turn bytes into columns: input is hostile, and
//! they must run where there are no files, threads or clocks.
//!
//! Lossy `as` and unchecked indexing are left to clippy, which knows types.

use super::{Complaint, SourceFile};

/// Crates that may not reach outside themselves (ARCHITECTURE.md, invariant 2).
const PURE_CRATES: &[&str] =
    &["diya-model", "diya-questions", "diya-tables", "diya-read", "diya-timeline"];

/// Reading a log must not end the program, whatever the log holds.
pub fn panics(file: &SourceFile) -> Vec<Complaint> {
    if !file.path.starts_with("crates/diya-read/src/") {
        return Vec::new();
    }
    let words = [".unwrap()", "panic!(", "todo!(", "unimplemented!(", "unreachable!("];
    find(file, &words, "in a reader: return what was read and an issue")
}

/// The same code runs in a terminal, in Python and in a browser.
pub fn outside_world(file: &SourceFile) -> Vec<Complaint> {
    let in_pure = |name: &&str| file.path.starts_with(&format!("crates/{name}/src/"));
    if !PURE_CRATES.iter().any(in_pure) {
        return Vec::new();
    }
    let words = ["std::fs", "std::thread", "std::time", "std::env", "std::net", "std::process"];
    find(file, &words, "in a crate that takes bytes and gives columns: let the caller do it")
}

fn find(file: &SourceFile, words: &[&str], reason: &str) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    for (at, line) in code_lines(file) {
        if let Some(word) = words.iter().find(|word| line.contains(*word)) {
            complaints.push(Complaint::at(file, at, format!("`{word}` {reason}")));
        }
    }
    complaints
}

/// Lines of code with their numbers, without comments and tests. Tests stand
/// last in a file (CONTRIBUTING.md), so the first test module ends the code.
fn code_lines(file: &SourceFile) -> impl Iterator<Item = (usize, &str)> {
    let is_test = file.path.ends_with("/tests.rs") || file.path.contains("/tests/");
    let end = if is_test || file.extension() != "rs" { 0 } else { usize::MAX };
    let lines = file.text.lines().enumerate().take(end);
    lines
        .take_while(|(_, line)| !line.starts_with("#[cfg(test)]"))
        .filter(|(_, line)| !line.trim_start().starts_with("//"))
}

#[cfg(test)]
mod tests {
    use super::super::tests::file;
    use super::*;

    #[test]
    fn an_unwrap_in_a_reader_is_found_with_its_line() {
        let found = panics(&file("crates/diya-read/src/a.rs", "//! Doc.\nlet x = y.unwrap();\n"));
        assert_eq!(found[0].place, "crates/diya-read/src/a.rs:2");
    }

    #[test]
    fn tests_comments_and_other_crates_may_unwrap() {
        let in_test = "//! Doc.\n#[cfg(test)]\nmod tests {\n    x.unwrap();\n}\n";
        assert!(panics(&file("crates/diya-read/src/a.rs", in_test)).is_empty());
        assert!(panics(&file("crates/diya-read/src/a.rs", "/// x.unwrap()\n")).is_empty());
        assert!(panics(&file("crates/diya-read/src/a/tests.rs", "x.unwrap()\n")).is_empty());
        assert!(panics(&file("crates/diya-read/src/a/tests/b.rs", "x.unwrap()\n")).is_empty());
        assert!(panics(&file("crates/diya-read/tests/a.rs", "x.unwrap()\n")).is_empty());
        assert!(panics(&file("crates/diya-cli/src/a.rs", "x.unwrap()\n")).is_empty());
    }

    #[test]
    fn a_reader_opens_no_file_and_the_facade_does() {
        let text = "use std::fs::File;\n";
        assert_eq!(outside_world(&file("crates/diya-read/src/a.rs", text)).len(), 1);
        assert_eq!(outside_world(&file("crates/diya-tables/src/a.rs", text)).len(), 1);
        assert!(outside_world(&file("crates/diya/src/a.rs", text)).is_empty());
    }
}
