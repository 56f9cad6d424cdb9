//! Where checks come from: the program itself, and folders of a facility.

use std::fs;
use std::path::{Path, PathBuf};

use crate::{Check, CheckError};

const PAGES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/builtin.rs"));

/// The checks that come with diya, by id. Their SQL is linted by a test, not again by each
/// report: that is a tenth of what the report of a small log costs.
pub fn builtin() -> Result<Vec<Check>, CheckError> {
    let trusted = |check: Check| Check { is_builtin: true, ..check };
    PAGES.iter().map(|(path, text)| Check::read(path, text).map(trusted)).collect()
}

/// All checks below a folder, or the one on a page, by path, and what is wrong
/// with the others.
pub fn from_folder(folder: &Path) -> (Vec<Check>, Vec<CheckError>) {
    let (mut checks, mut errors, mut pages) = (Vec::new(), Vec::new(), Vec::new());
    if folder.is_file() {
        pages.push(folder.to_path_buf());
    } else {
        collect(folder, &mut pages, &mut errors);
    }
    pages.sort();
    for page in pages {
        let path = page.display().to_string();
        let read = fs::read_to_string(&page)
            .map_err(|source| CheckError::File { path: path.clone(), source });
        match read.and_then(|text| Check::parse(&path, &text)) {
            Ok(check) => checks.push(check),
            Err(error) => errors.push(error),
        }
    }
    (checks, errors)
}

fn collect(folder: &Path, pages: &mut Vec<PathBuf>, errors: &mut Vec<CheckError>) {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(source) => {
            errors.push(CheckError::File { path: folder.display().to_string(), source });
            return;
        }
    };
    for path in entries.flatten().map(|entry| entry.path()) {
        // A link could lead in a circle.
        if path.is_dir() && !path.is_symlink() {
            collect(&path, pages, errors);
        } else if path.extension().is_some_and(|e| e == "md") {
            pages.push(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sql_of_every_builtin_check_passes_the_lint() {
        for (path, text) in PAGES {
            Check::parse(path, text).expect("the check is valid");
        }
    }
}
