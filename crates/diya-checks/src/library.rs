//! Where checks come from: the program itself, and folders of a facility.

use std::fs;
use std::path::{Path, PathBuf};

use crate::{Check, CheckError};

const PAGES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/builtin.rs"));

/// The checks that come with diya, by id.
pub fn builtin() -> Result<Vec<Check>, CheckError> {
    PAGES.iter().map(|(path, text)| Check::parse(path, text)).collect()
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
