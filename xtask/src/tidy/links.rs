//! Relative links of Markdown pages lead to files that exist.

use std::collections::BTreeSet;

use super::{Complaint, SourceFile};

/// One complaint for each link to a file or folder that is not there.
pub fn broken(files: &[SourceFile], paths: &[String]) -> Vec<Complaint> {
    let known: BTreeSet<&str> = paths.iter().flat_map(|path| with_folders(path)).collect();
    let pages = files.iter().filter(|file| file.extension() == "md" && !file.is_data());
    pages.flat_map(|page| broken_on(page, &known)).collect()
}

fn broken_on(page: &SourceFile, known: &BTreeSet<&str>) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    let mut is_code = false;
    for (at, line) in page.text.lines().enumerate() {
        is_code ^= line.trim_start().starts_with("```");
        if is_code {
            continue;
        }
        for target in targets(line) {
            let path = resolve(&page.path, target);
            if !path.is_empty() && !known.contains(path.as_str()) {
                complaints.push(Complaint::at(page, at, format!("link to `{target}`, not there")));
            }
        }
    }
    complaints
}

/// Targets of the inline links of a line that stay inside the repository.
fn targets(line: &str) -> impl Iterator<Item = &str> {
    let after_text = line.split("](").skip(1);
    let target = after_text.filter_map(|rest| rest.split([')', ' ', '#']).next());
    target.filter(|target| !target.is_empty() && !target.contains(':'))
}

/// Path from the root of a link on a page; empty for the root itself.
pub(super) fn resolve(page: &str, target: &str) -> String {
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in target.trim_end_matches('/').split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()),
            _ => parts.push(part),
        }
    }
    parts.join("/")
}

/// A path and the folders above it.
pub(super) fn with_folders(path: &str) -> impl Iterator<Item = &str> {
    let ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
    ends.map(|end| &path[..end])
}

#[cfg(test)]
mod tests {
    use super::super::tests::file;
    use super::*;

    fn broken_in(text: &str) -> usize {
        let paths = ["README.md".to_owned(), "docs/formats/darshan.md".to_owned()];
        broken(&[file("docs/README.md", text)], &paths).len()
    }

    #[test]
    fn links_to_files_folders_and_other_sites_are_fine() {
        assert_eq!(broken_in("[a](formats/darshan.md#head) [b](formats/) [c](../README.md)"), 0);
        assert_eq!(broken_in("[a](https://example.org/x.md) [b](#below) [root](..)"), 0);
    }

    #[test]
    fn a_link_to_nothing_is_found_outside_code_only() {
        assert_eq!(broken_in("[a](formats/otf2.md)"), 1);
        assert_eq!(broken_in("[a](darshan.md)"), 1);
        assert_eq!(broken_in("```\n[a](formats/otf2.md)\n```"), 0);
    }
}
