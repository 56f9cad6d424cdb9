//! `tidy`: the rules of ARCHITECTURE.md and CONTRIBUTING.md that a program can
//! check.
//!
//! One rule is one small function over one file, the crate graph, or the list
//! of files; it returns what is wrong. Warnings are printed and pass.

mod c_files;
mod changed;
mod circles;
mod columns;
mod defects;
mod included;
mod layers;
mod links;
mod planted;
mod reader;
mod schema;
mod statements;
mod text;
mod times;
mod unrun;
mod uses;
mod words;

use std::path::Path;
use std::process::Command;

/// A text file of the repository, by its path from the root.
pub struct SourceFile {
    /// Path with `/` between its parts.
    pub path: String,
    /// All of it.
    pub text: String,
}

impl SourceFile {
    /// What stands after the last dot of the name; empty when there is none.
    pub fn extension(&self) -> &str {
        let name = self.path.rsplit('/').next().unwrap_or(&self.path);
        name.rsplit_once('.').map_or("", |(_, extension)| extension)
    }

    /// Whether `cargo xtask generate` writes it.
    pub fn is_generated(&self) -> bool {
        self.path.split('/').any(|part| part == "generated")
    }

    /// Whether it holds logs or what was read from them: text of others, which
    /// follows none of the rules for ours.
    pub fn is_data(&self) -> bool {
        self.path.starts_with("corpus/") || self.path.split('/').any(|part| part == "golden")
    }

    /// Whether it belongs to the laboratory: programs of strangers and measurements, which
    /// follow none of the rules for the product. Its links are checked all the same.
    pub fn is_laboratory(&self) -> bool {
        self.path.starts_with("lab/")
    }
}

/// One broken rule, at one place.
#[derive(Debug, PartialEq)]
pub struct Complaint {
    /// File, with the line where there is one.
    pub place: String,
    /// What is wrong and what to do.
    pub what: String,
    /// Printed, but does not fail the run.
    pub is_warning: bool,
}

impl Complaint {
    /// Fails the run; concerns the whole of `place`.
    pub fn error(place: &str, what: impl Into<String>) -> Self {
        Self { place: place.to_owned(), what: what.into(), is_warning: false }
    }

    /// Fails the run; concerns one line, counted from 0.
    pub fn at(file: &SourceFile, line: usize, what: impl Into<String>) -> Self {
        Self::error(&format!("{}:{}", file.path, line + 1), what)
    }
}

/// The rules for one file.
const FILE_RULES: &[fn(&SourceFile) -> Vec<Complaint>] = &[
    text::length,
    text::width,
    text::module_doc,
    text::unfinished,
    text::machine_paths,
    text::registry_hosts,
    text::ignored_tests,
    text::silent_tests,
    words::phrases,
    columns::by_number,
    times::unchecked,
    reader::panics,
    reader::outside_world,
];

/// Checks every rule and prints what a change had to edit.
pub fn run(_args: &[String]) -> Result<(), String> {
    let root = crate::root();
    let paths = repository_paths(&root)?;
    let files = read_texts(&root, &paths);

    let mut complaints: Vec<Complaint> = files
        .iter()
        .filter(|file| !file.is_data() && !file.is_laboratory())
        .flat_map(|file| FILE_RULES.iter().flat_map(|rule| rule(file)))
        .collect();
    complaints.extend(schema::pages(&paths));
    complaints.extend(links::broken(&files, &paths));
    complaints.extend(defects::without_test(&files));
    complaints.extend(planted::lacking(&files));
    complaints.extend(statements::untrue(&files, &paths));
    complaints.extend(included::forgotten(&files));
    complaints.extend(unrun::forgotten(&files));
    complaints.extend(layers::check(&root)?);
    complaints.extend(circles::check(&files));
    let edited = changed::report(&root);

    for complaint in &complaints {
        let level = if complaint.is_warning { "warning" } else { "error" };
        println!("{level}: {}: {}", complaint.place, complaint.what);
    }
    if let Some(edited) = edited {
        println!("{edited}");
    }
    let errors = complaints.iter().filter(|c| !c.is_warning).count();
    println!(
        "tidy: {} files, {errors} errors, {} warnings",
        files.len(),
        complaints.len() - errors
    );
    if errors > 0 { Err("tidy found errors".to_owned()) } else { Ok(()) }
}

/// Every file that belongs to the repository, committed or not.
fn repository_paths(root: &Path) -> Result<Vec<String>, String> {
    let list = git(root, &["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .ok_or("tidy needs git and a repository to list the files")?;
    let mut paths: Vec<String> = list
        .split('\0')
        .filter(|path| !path.is_empty() && root.join(path).is_file())
        .map(str::to_owned)
        .collect();
    paths.sort();
    paths.dedup();
    Ok(paths)
}

/// The files that are text; binary ones (logs, pictures) follow no rule here.
fn read_texts(root: &Path, paths: &[String]) -> Vec<SourceFile> {
    let read = |path: &String| {
        let text = std::fs::read_to_string(root.join(path)).ok()?;
        (!text.contains('\0')).then(|| SourceFile { path: path.clone(), text })
    };
    paths.iter().filter_map(read).collect()
}

/// Output of a git command, or `None` when it failed.
fn git(root: &Path, args: &[&str]) -> Option<String> {
    // A clone made by another user (CI, a container) is listed all the same.
    let trust = ["-c", "safe.directory=*"];
    let output = Command::new("git").current_dir(root).args(trust).args(args).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file for the tests of the rules.
    pub fn file(path: &str, text: &str) -> SourceFile {
        SourceFile { path: path.to_owned(), text: text.to_owned() }
    }

    #[test]
    fn an_extension_is_what_follows_the_last_dot_of_the_name() {
        assert_eq!(file("a.b/c.tar.gz", "").extension(), "gz");
        assert_eq!(file("a.b/Makefile", "").extension(), "");
    }

    #[test]
    fn generated_and_data_are_told_by_their_folder() {
        assert!(file("crates/diya-tables/src/generated/posix.rs", "").is_generated());
        assert!(!file("crates/diya-tables/src/generated_names.rs", "").is_generated());
        assert!(file("crates/diya-read/tests/golden/a.txt", "").is_data());
        assert!(!file("docs/corpus.md", "").is_data());
        assert!(file("lab/rounds/1/a/before.c", "").is_laboratory());
    }
}
