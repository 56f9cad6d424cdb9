//! Rules for any text file: length, width, module doc, words that must not stand in
//! the tree.

use super::{Complaint, SourceFile};

/// Lines above which a file needs a reason, and above which none is accepted.
const LONG_LINES: usize = 400;
const TOO_LONG_LINES: usize = 800;

/// Columns that stand beside another window, and beside a comparison of two versions.
const MOST_COLUMNS: usize = 120;

const CODE: &[&str] = &["rs", "c", "h", "ts", "tsx", "svelte", "css", "py", "sql", "sh"];

/// A person reads a file in one go: aim at 130 lines (ARCHITECTURE.md, "Size").
pub fn length(file: &SourceFile) -> Vec<Complaint> {
    let lines = file.text.lines().count();
    let is_check = file.path.starts_with("checks/");
    let is_counted = is_check || CODE.contains(&file.extension());
    if file.is_generated() || !is_counted || lines <= LONG_LINES {
        return Vec::new();
    }
    let is_warning = lines <= TOO_LONG_LINES;
    let limit = if is_warning { LONG_LINES } else { TOO_LONG_LINES };
    let what = format!("{lines} lines; above {limit}: split it by what it holds");
    vec![Complaint { is_warning, ..Complaint::error(&file.path, what) }]
}

/// The formatters keep the width of code; texts in it are wrapped by hand. In SQL a row of the
/// header is a row of a table, and is not wrapped.
pub fn width(file: &SourceFile) -> Vec<Complaint> {
    let extension = file.extension();
    if file.is_generated() || extension == "sql" || !CODE.contains(&extension) {
        return Vec::new();
    }
    find(file, |line| {
        let columns = line.chars().count();
        (columns > MOST_COLUMNS)
            .then(|| format!("{columns} columns; above {MOST_COLUMNS}: wrap it"))
    })
}

/// Every Rust file says first what it is and why it is here.
pub fn module_doc(file: &SourceFile) -> Vec<Complaint> {
    let first_words = file.text.lines().find(|line| !line.starts_with("#!"));
    if file.extension() != "rs" || first_words.is_some_and(|line| line.starts_with("//!")) {
        return Vec::new();
    }
    vec![Complaint::error(&file.path, "starts without a `//!` module doc")]
}

/// Work that is not done is an issue, not a comment.
pub fn unfinished(file: &SourceFile) -> Vec<Complaint> {
    // Put together here so that this file does not complain about itself.
    let words = [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("XX", "X")];
    find(file, |line| {
        let word = words.iter().find(|word| has_word(line, word))?;
        Some(format!("`{word}`: do it, or file an issue"))
    })
}

/// A path of somebody's machine works on that machine only.
pub fn machine_paths(file: &SourceFile) -> Vec<Complaint> {
    let folders = [concat!("/wo", "rk/"), concat!("/ro", "ot/")];
    find(file, |line| {
        let folder = folders.iter().find(|folder| has_path(line, folder))?;
        Some(format!("a path of one machine (`{folder}`): use one from the repository's root"))
    })
}

/// Which mirror a package comes from is set up on the machine that builds.
pub fn registry_hosts(file: &SourceFile) -> Vec<Complaint> {
    if file.path.ends_with("Cargo.lock") {
        return Vec::new(); // names the index of every package, mirror or not
    }
    let hosts = [
        concat!("pypi", ".org"),
        concat!("pythonhosted", ".org"),
        concat!("static.crates", ".io"),
        concat!("index.crates", ".io"),
        concat!("registry.npmjs", ".org"),
        concat!("deb.debian", ".org"),
    ];
    find(file, |line| {
        let host = hosts.iter().find(|host| line.contains(*host))?;
        Some(format!("names the host of a registry (`{host}`): builds behind a mirror break"))
    })
}

/// A test asserts today's result, wrong or not, and says why; it is not switched off.
pub fn ignored_tests(file: &SourceFile) -> Vec<Complaint> {
    let attribute = concat!("#[ig", "nore");
    if file.extension() != "rs" {
        return Vec::new();
    }
    find(file, |line| {
        let is_attribute = line.trim_start().starts_with(attribute);
        is_attribute.then(|| "ignored test: assert today's result and say why it is so".to_owned())
    })
}

/// A test that ends early because something is missing says so: `diya_testkit::skip` prints its
/// name, and fails in CI. (`shared_folder` calls it.)
pub fn silent_tests(file: &SourceFile) -> Vec<Complaint> {
    let is_test = file.extension() == "rs" && file.path.contains("/tests/");
    if !is_test || ["skip(", "shared_folder"].iter().any(|word| file.text.contains(word)) {
        return Vec::new();
    }
    find(file, |line| {
        let ends_early = line.trim_end().ends_with(concat!("else { ret", "urn };"));
        ends_early.then(|| "passes if something is missing: call `diya_testkit::skip`".to_owned())
    })
}

/// One complaint for each line about which `rule` has something to say.
pub(super) fn find(file: &SourceFile, rule: impl Fn(&str) -> Option<String>) -> Vec<Complaint> {
    let lines = file.text.lines().enumerate();
    lines.filter_map(|(at, line)| Some(Complaint::at(file, at, rule(line)?))).collect()
}

/// Whether `word` stands in `line` on its own, not inside a longer one.
pub(super) fn has_word(line: &str, word: &str) -> bool {
    let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    line.match_indices(word).any(|(at, _)| {
        !is_part(line[..at].chars().next_back()) && !is_part(line[at + word.len()..].chars().next())
    })
}

/// Whether an absolute path that begins with `folder` stands in `line`:
/// `a/folder/` is not one.
fn has_path(line: &str, folder: &str) -> bool {
    let continues = |c: char| c.is_alphanumeric() || "_-.~}/*".contains(c);
    line.match_indices(folder).any(|(at, _)| !line[..at].chars().next_back().is_some_and(continues))
}

#[cfg(test)]
mod tests {
    use super::super::tests::file;
    use super::*;

    #[test]
    fn a_file_at_a_limit_is_still_within_it() {
        let with_lines = |lines: usize| length(&file("a.rs", &"x\n".repeat(lines)));
        assert!(with_lines(130).is_empty());
        assert!(with_lines(LONG_LINES).is_empty());
        assert!(with_lines(LONG_LINES + 1)[0].is_warning);
        assert!(with_lines(TOO_LONG_LINES)[0].is_warning);
        assert!(!with_lines(TOO_LONG_LINES + 1)[0].is_warning);
    }

    #[test]
    fn generated_files_and_prose_may_be_long() {
        let text = "x\n".repeat(TOO_LONG_LINES + 1);
        assert!(length(&file("src/generated/a.rs", &text)).is_empty());
        assert!(length(&file("docs/a.md", &text)).is_empty());
        assert_eq!(length(&file("checks/posix/a.md", &text)).len(), 1);
    }

    #[test]
    fn a_line_has_at_most_120_columns() {
        let with_columns = |columns: usize| format!("x\n{}\n", "é".repeat(columns));
        assert!(width(&file("a.sh", &with_columns(MOST_COLUMNS))).is_empty());
        assert_eq!(width(&file("a.sh", &with_columns(MOST_COLUMNS + 1)))[0].place, "a.sh:2");
        for path in ["src/generated/a.rs", "metrics/a.sql", "docs/a.md"] {
            assert!(width(&file(path, &with_columns(MOST_COLUMNS + 1))).is_empty(), "{path}");
        }
    }

    #[test]
    fn a_rust_file_needs_its_module_doc_first() {
        assert!(module_doc(&file("a.rs", "//! What.\n")).is_empty());
        assert_eq!(module_doc(&file("a.rs", "use std::fmt;\n//! What.\n")).len(), 1);
        assert_eq!(module_doc(&file("a.rs", "")).len(), 1);
        assert!(module_doc(&file("a.py", "")).is_empty());
    }

    #[test]
    fn unfinished_work_is_found_as_a_word() {
        let word = concat!("TO", "DO");
        assert_eq!(unfinished(&file("a.md", &format!("ok\n// {word}: later"))).len(), 1);
        assert!(unfinished(&file("a.md", &format!("{word}S MAS{word}"))).is_empty());
    }

    #[test]
    fn a_machine_path_is_absolute() {
        let path = concat!("/wo", "rk/");
        let found = machine_paths(&file("a.sh", &format!("\ncp {path}x .")));
        assert_eq!(found[0].place, "a.sh:2");
        assert!(machine_paths(&file("a.sh", &format!("cp sandbox{path}x ."))).is_empty());
        assert_eq!(machine_paths(&file("a.sh", &format!("\"{path}\""))).len(), 1);
    }

    #[test]
    fn only_the_lock_file_names_a_registry() {
        let text = format!("https://{}/simple", concat!("pypi", ".org"));
        assert_eq!(registry_hosts(&file("a.txt", &text)).len(), 1);
        assert!(registry_hosts(&file("fuzz/Cargo.lock", &text)).is_empty());
    }

    #[test]
    fn a_test_that_ends_early_names_what_is_missing() {
        let early = concat!("let Some(log) = log() else { ret", "urn };\n");
        let found = |path, text: &str| silent_tests(&file(path, text)).len();
        assert_eq!(found("crates/x/tests/a.rs", early), 1);
        assert_eq!(found("crates/x/tests/a.rs", &format!("skip(\"no log\");\n{early}")), 0);
        assert_eq!(found("crates/x/src/a.rs", early), 0);
    }

    #[test]
    fn an_ignored_test_is_an_error_and_a_word_in_prose_is_not() {
        let attribute = concat!("#[ig", "nore]");
        assert_eq!(ignored_tests(&file("a.rs", &format!("    {attribute}\n"))).len(), 1);
        assert!(ignored_tests(&file("a.rs", &format!("// no {attribute}\n"))).is_empty());
    }
}
