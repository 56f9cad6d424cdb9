//! Statements of documents that a program can check: paths between backticks exist, counts
//! are those of the files, and lists are complete.
//!
//! Records of decisions, the history and the laboratory tell of other times; they are not read.

use std::collections::BTreeSet;

use super::links::{resolve, with_folders};
use super::{Complaint, SourceFile};

/// Folders of the repository at its root: a word that begins with one of them is a path.
const ROOMS: [&str; 18] = [
    "apply",
    "benches",
    "blockio",
    "capture",
    "checks",
    "corpus",
    "crates",
    "docs",
    "fleet",
    "fuzz",
    "lab",
    "metrics",
    "schema",
    "scripts",
    "tests",
    "tuning",
    "web",
    "workloads",
];
/// What builds leave in these folders, and no clone has.
const BUILT: [&str; 5] =
    ["web/dist", "web/dist-app", "blockio/build", "apply/build", "fuzz/artifacts"];
/// Lists that name every page of a folder: the page with the list, and the folder.
const LISTS: [(&str, &str); 4] = [
    ("docs/decisions/README.md", "docs/decisions/"),
    ("docs/README.md", "docs/guide/"),
    ("docs/README.md", "docs/formats/"),
    ("docs/README.md", "docs/reference/"),
];

/// Untrue paths, counts and lists of the documents.
pub fn untrue(files: &[SourceFile], paths: &[String]) -> Vec<Complaint> {
    let known: BTreeSet<&str> = paths.iter().flat_map(|path| with_folders(path)).collect();
    let pages: Vec<&SourceFile> = files.iter().filter(|file| is_read(file)).collect();
    let mut complaints: Vec<Complaint> = Vec::new();
    for page in &pages {
        for (at, line) in prose(&page.text) {
            let gone = words_of_code(line).filter(|word| is_path(word) && !known.contains(word));
            complaints
                .extend(gone.map(|word| Complaint::at(page, at, format!("`{word}`, not there"))));
            complaints
                .extend(wrong_counts(line, files, paths).map(|what| Complaint::at(page, at, what)));
        }
    }
    complaints
        .extend(LISTS.iter().flat_map(|(list, folder)| not_listed(files, paths, list, folder)));
    complaints
}

fn is_read(file: &SourceFile) -> bool {
    let of_other_times = ["docs/decisions/", "docs/history/", "news/", "CHANGELOG.md"];
    file.extension() == "md"
        && !file.is_data()
        && !file.is_laboratory()
        && !file.is_generated()
        && !of_other_times.iter().any(|start| file.path.starts_with(start))
}

/// Lines outside blocks of code, with their number.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut is_code = false;
    text.lines().enumerate().filter(move |(_, line)| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    })
}

/// The first word of each piece between backticks: `scripts/round.sh 3` is about a script.
fn words_of_code(line: &str) -> impl Iterator<Item = &str> {
    let pieces = line.split('`').skip(1).step_by(2);
    pieces.filter_map(|piece| Some(piece.split_whitespace().next()?.trim_end_matches('/')))
}

fn is_path(word: &str) -> bool {
    let Some((room, rest)) = word.split_once('/') else { return false };
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/');
    let is_built = BUILT.iter().any(|folder| word.starts_with(folder));
    ROOMS.contains(&room) && !rest.is_empty() && rest.chars().all(is_plain) && !is_built
}

/// Numbers before the name of a thing of which there is a known number.
fn wrong_counts<'a>(
    line: &'a str,
    files: &'a [SourceFile],
    paths: &'a [String],
) -> impl Iterator<Item = String> + 'a {
    let words: Vec<&str> = line.split_whitespace().collect();
    let named = (0..words.len()).filter_map(move |at| {
        let number: usize = words[at].parse().ok()?;
        let thing = words.get(at + 1..).unwrap_or_default().join(" ");
        let (name, count) =
            counted(files, paths).into_iter().find(|(name, _)| begins_with(&thing, name))?;
        (number != count)
            .then(|| format!("{number} {name}, but there are {count}: leave the number out"))
    });
    named.collect::<Vec<String>>().into_iter()
}

fn begins_with(text: &str, name: &str) -> bool {
    text.strip_prefix(name)
        .is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
}

fn counted(files: &[SourceFile], paths: &[String]) -> [(&'static str, usize); 3] {
    let below = |folder: &str, end: &str| {
        paths.iter().filter(|path| path.starts_with(folder) && path.ends_with(end)).count()
    };
    let checks =
        paths.iter().filter(|path| path.starts_with("checks/") && path.matches('/').count() == 2);
    let programs = files.iter().find(|file| file.path == "workloads/manifest.toml");
    let programs =
        programs.map_or(0, |file| file.text.lines().filter(|line| line.starts_with("[[")).count());
    [
        ("checks", checks.filter(|path| path.ends_with(".md")).count()),
        ("questions", below("fleet/questions/", ".sql")),
        ("test programs", programs),
    ]
}

/// Pages of a folder that its list leaves out.
fn not_listed(files: &[SourceFile], paths: &[String], list: &str, folder: &str) -> Vec<Complaint> {
    let Some(page) = files.iter().find(|file| file.path == list) else {
        return vec![Complaint::error(list, "the list is gone")];
    };
    let targets: BTreeSet<String> = page
        .text
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split([')', '#']).next())
        .map(|target| resolve(list, target))
        .collect();
    let is_page = |path: &&String| {
        let name = path.strip_prefix(folder).unwrap_or_default();
        name.ends_with(".md") && !name.contains('/') && name != "README.md"
    };
    let lost = paths.iter().filter(is_page).filter(|path| !targets.contains(path.as_str()));
    lost.map(|path| Complaint::error(list, format!("does not list {path}"))).collect()
}

#[cfg(test)]
mod tests {
    use super::super::tests::file;
    use super::*;

    fn found(text: &str) -> usize {
        let paths =
            ["scripts/a.sh", "checks/posix/one.md", "checks/mpiio/two.md", "docs/formats/x.md"];
        let paths = paths.map(str::to_owned);
        let lists =
            [file("docs/decisions/README.md", ""), file("docs/README.md", "[x](formats/x.md)")];
        let files: Vec<SourceFile> =
            lists.into_iter().chain([file("docs/guide/a/b.md", text)]).collect();
        untrue(&files, &paths).len()
    }

    #[test]
    fn a_path_between_backticks_has_to_exist() {
        assert_eq!(
            found("`scripts/a.sh 3`, `checks/posix/`, `a/b`, `scripts/*.sh`, `web/dist/x`"),
            0
        );
        assert_eq!(found("`scripts/b.sh`"), 1);
        assert_eq!(found("```\n`scripts/b.sh`\n```"), 0);
    }

    #[test]
    fn a_count_is_that_of_the_files() {
        assert_eq!(found("all 2 checks, 3 checksums"), 0);
        assert_eq!(found("all 3 checks"), 1);
    }

    #[test]
    fn a_list_names_every_page_of_its_folder() {
        let paths = ["docs/formats/x.md".to_owned(), "docs/formats/y.md".to_owned()];
        let lists =
            [file("docs/decisions/README.md", ""), file("docs/README.md", "[x](formats/x.md)")];
        assert_eq!(untrue(&lists, &paths).len(), 1);
    }
}
