//! Which existing files a change had to edit: the price of one more check,
//! metric or reader (ARCHITECTURE.md, invariant 5). Reported, not judged.

use std::path::Path;

use super::git;

/// One paragraph about the change since it left the main branch, or since the
/// commit before; `None` where git has nothing to compare with.
pub fn report(root: &Path) -> Option<String> {
    let base = base(root)?;
    let status = git(root, &["diff", "--name-status", "--no-renames", &base])?;
    Some(describe(&status))
}

fn base(root: &Path) -> Option<String> {
    let commit = |args: &[&str]| git(root, args).map(|out| out.trim().to_owned());
    let head = commit(&["rev-parse", "HEAD"])?;
    let left_main = commit(&["merge-base", "HEAD", "origin/main"]);
    left_main
        .filter(|base| *base != head)
        .or_else(|| commit(&["rev-parse", "--verify", "--quiet", "HEAD~1"]))
}

/// `status` is what `git diff --name-status` prints: a letter, a tab, a path.
fn describe(status: &str) -> String {
    let with = |letter: &str| -> Vec<&str> {
        let pairs = status.lines().filter_map(|line| line.split_once('\t'));
        pairs.filter(|(kind, _)| *kind == letter).map(|(_, path)| path).collect()
    };
    let (added, edited, deleted) = (with("A"), with("M"), with("D"));
    let mut text = format!(
        "change: {} files added, {} deleted, {} existing edited",
        added.len(),
        deleted.len(),
        edited.len()
    );
    for path in edited {
        text.push_str("\n  edited ");
        text.push_str(path);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edited_files_are_named_and_new_ones_counted() {
        let text = describe("A\tchecks/a.md\nM\tCHANGELOG.md\nD\told.rs\nA\tchecks/b.md\n");
        assert_eq!(
            text,
            "change: 2 files added, 1 deleted, 1 existing edited\n  edited CHANGELOG.md"
        );
    }

    #[test]
    fn no_change_edits_nothing() {
        assert_eq!(describe(""), "change: 0 files added, 0 deleted, 0 existing edited");
    }
}
