//! Phrases that a reader stumbles over, in text that people read.

use super::text::{find, has_word};
use super::{Complaint, SourceFile};

/// Phrase and what to write instead, one per line.
const WORDS: &str = include_str!("words.txt");

/// Folders of which text between quotes is read, too: people see it.
const PROGRAM_TEXT: &[&str] = &[
    "crates/diya/src/",
    "crates/diya-cli/src/",
    "crates/diya-dump/src/",
    "crates/diya-export/src/",
    "crates/diya-fleet/src/",
    "crates/diya-launch/src/",
    "crates/diya-report/src/",
    "crates/diya-tune/src/",
    "web/src/base/text",
    "web/src/views/",
];

/// Documents, help, the text of the page and comments follow docs/glossary.md.
pub fn phrases(file: &SourceFile) -> Vec<Complaint> {
    let Some(part) = part_to_read(file) else {
        return Vec::new();
    };
    find(file, |line| {
        let line = match part {
            Part::All => line.to_owned(),
            Part::Prose => without_code(line),
            Part::Comments => without_code(comment(line)?),
        };
        let line = line.to_lowercase();
        let (phrase, instead) = known().find(|(phrase, _)| has_word(&line, phrase))?;
        Some(format!("`{phrase}`: write {instead} (docs/glossary.md)"))
    })
}

/// What of each line is read.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Part {
    All,
    /// All but what stands between backticks.
    Prose,
    /// Lines that are comments, but not what stands between backticks.
    Comments,
}

fn known() -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = WORDS.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.split_once(" | "))
}

/// `None`: history, the glossary, and the lists of phrases.
fn part_to_read(file: &SourceFile) -> Option<Part> {
    let path = file.path.as_str();
    let is_below = |folders: &[&str]| folders.iter().any(|folder| path.starts_with(folder));
    let is_history =
        is_below(&["docs/decisions/"]) || ["CHANGELOG.md", "docs/glossary.md"].contains(&path);
    if is_history || file.is_generated() || is_below(&["xtask/src/tidy/words."]) {
        return None;
    }
    match file.extension() {
        "md" => (!path.starts_with("tests/")).then_some(Part::Prose),
        "rs" | "ts" if is_below(PROGRAM_TEXT) => Some(Part::All),
        "rs" | "c" | "h" | "ts" | "svelte" | "py" | "sh" | "sql" => Some(Part::Comments),
        "toml" => is_below(&["schema/", "metrics/"]).then_some(Part::Prose),
        _ => None,
    }
}

/// A line that begins as a comment of any of the languages here.
fn comment(line: &str) -> Option<&str> {
    let line = line.trim_start();
    ["//", "/*", "*", "#", "--", "<!--"].iter().any(|start| line.starts_with(start)).then_some(line)
}

/// The line without what stands between backticks: names are no prose.
fn without_code(line: &str) -> String {
    line.split('`').step_by(2).collect::<Vec<_>>().join("_")
}

#[cfg(test)]
mod tests {
    use super::super::tests::file;
    use super::*;

    #[test]
    fn a_phrase_is_found_where_people_read_it() {
        let text = "One\nThe log tells that all is well.\n";
        let found = phrases(&file("docs/a.md", text));
        assert_eq!(found.len(), 1);
        assert!(found[0].place.ends_with(":2"), "{}", found[0].place);
        assert!(found[0].what.contains("diya reads in the log"), "{}", found[0].what);
        assert_eq!(phrases(&file("crates/diya-cli/src/a.rs", text)).len(), 1);
    }

    #[test]
    fn history_names_and_generated_pages_are_left_alone() {
        let text = "The log tells that all is well.\n";
        for path in ["docs/decisions/0001-a.md", "docs/glossary.md", "docs/generated/a.md", "a.c"] {
            assert!(phrases(&file(path, text)).is_empty(), "{path}");
        }
        assert!(phrases(&file("docs/a.md", "Column `the log tells`.")).is_empty());
    }

    #[test]
    fn comments_are_read_and_code_is_not() {
        let text = "int held = 1;\nputs(\"cannot be told\");\n";
        assert!(phrases(&file("capture/src/a.c", text)).is_empty());
        for (path, line) in [
            ("capture/src/a.c", " * Cannot be told.\n"),
            ("crates/diya-read/src/a.rs", "    /// Cannot be told.\n"),
            ("metrics/all/a.sql", "-- a | i64 | bytes | size | cannot be told\n"),
            ("schema/tables/a.toml", "doc = \"cannot be told\"\n"),
            ("web/src/a.svelte", "<!-- Cannot be told. -->\n"),
            ("scripts/a.sh", "# Cannot be told.\n"),
            ("crates/diya-tune/src/a.rs", "let text = \"cannot be told\";\n"),
        ] {
            assert_eq!(phrases(&file(path, line)).len(), 1, "{path}");
        }
        assert!(phrases(&file("crates/diya-read/src/a.rs", "// `cannot be told`\n")).is_empty());
    }

    #[test]
    fn every_phrase_has_something_to_write_instead() {
        assert!(known().count() > 10);
        assert!(known().all(|(phrase, _)| phrase == phrase.to_lowercase()));
    }
}
