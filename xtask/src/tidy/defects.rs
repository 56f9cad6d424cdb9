//! Each test that `docs/reference/defects.md` names exists where it says.

use super::{Complaint, SourceFile};

const PAGE: &str = "docs/reference/defects.md";

/// Tests of the page's table (`name` in `file`) that are not there.
pub fn without_test(files: &[SourceFile]) -> Vec<Complaint> {
    let Some(page) = files.iter().find(|file| file.path == PAGE) else {
        return vec![Complaint::error(PAGE, "the list of defects and their tests is gone")];
    };
    let rows = page.text.lines().enumerate().filter(|(_, line)| line.starts_with("| "));
    let mut complaints = Vec::new();
    for (at, row) in rows.skip(1) {
        let words: Vec<&str> = row.split('`').skip(1).step_by(2).collect();
        let mut tests = 0;
        for pair in words.windows(2).filter(|pair| pair[1].contains('/')) {
            tests += 1;
            let (name, path) = (pair[0], pair[1]);
            let is_there = files.iter().any(|file| file.path == path && has_test(&file.text, name));
            if !is_there {
                complaints.push(Complaint::at(page, at, format!("{path} has no test `{name}`")));
            }
        }
        if tests == 0 {
            complaints.push(Complaint::at(page, at, "a defect without a test"));
        }
    }
    complaints
}

/// A function of Rust, Python or C, or a test of TypeScript.
fn has_test(source: &str, name: &str) -> bool {
    let begins = [
        format!("fn {name}("),
        format!("def {name}("),
        format!("static void *{name}("),
        format!("(\"{name}\""),
    ];
    source.lines().any(|line| begins.iter().any(|begin| line.contains(begin.as_str())))
}

#[cfg(test)]
mod tests {
    use super::super::tests::file;
    use super::*;

    #[test]
    fn a_named_test_has_to_exist() {
        let page = |row: &str| file(PAGE, &format!("| defect | test |\n|---|---|\n{row}\n"));
        let test = file("a/b.rs", "#[test]\nfn holds() {}\n");
        let found = |row: &str| without_test(&[page(row), file("a/b.rs", &test.text)]).len();
        assert_eq!(found("| one | `holds` in `a/b.rs` |"), 0);
        assert_eq!(found("| one | `hold` in `a/b.rs` |"), 1);
        assert_eq!(found("| one | none |"), 1);
        assert_eq!(without_test(&[]).len(), 1);
    }
}
