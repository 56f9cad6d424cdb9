//! Phrases that a reader stumbles over, in text that people read.

use super::text::{find, has_word};
use super::{Complaint, SourceFile};

/// Phrase and what to write instead, one per line.
const WORDS: &str = include_str!("words.txt");

/// Documents, check pages, help and the text of the page follow docs/glossary.md.
pub fn phrases(file: &SourceFile) -> Vec<Complaint> {
    if !is_read_by_people(file) {
        return Vec::new();
    }
    let is_markdown = file.extension() == "md";
    find(file, |line| {
        let line = if is_markdown { without_code(line) } else { line.to_owned() };
        let line = line.to_lowercase();
        let (phrase, instead) = known().find(|(phrase, _)| has_word(&line, phrase))?;
        Some(format!("`{phrase}`: write {instead} (docs/glossary.md)"))
    })
}

fn known() -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = WORDS.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.split_once(" | "))
}

/// Decisions and the changelog are history, two pages quote old reports, the glossary
/// lists the phrases.
fn is_read_by_people(file: &SourceFile) -> bool {
    let path = file.path.as_str();
    let is_history = path.starts_with("docs/decisions/")
        || ["CHANGELOG.md", "docs/glossary.md", "docs/real-programs.md", "docs/public-logs.md"]
            .contains(&path);
    let is_program_text = (path.starts_with("crates/diya-cli/src/")
        || path.starts_with("crates/diya-report/src/"))
        || path.starts_with("web/src/base/text");
    let is_page = file.extension() == "md" && !path.starts_with("tests/");
    (is_page || is_program_text) && !is_history && !file.is_generated()
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
    fn every_phrase_has_something_to_write_instead() {
        assert!(known().count() > 10);
        assert!(known().all(|(phrase, _)| phrase == phrase.to_lowercase()));
    }
}
