//! `--apply`: files of `diya tune` as environment of the program.

use crate::failure::Failure;
use diya_tune::{Injection, Library};
use std::fs;
use std::path::Path;

/// What the files and folders give to the program. What cannot be applied is said in a line,
/// and the program runs without it; a name that is no such file is an error of the command line.
pub fn injection(paths: &[impl AsRef<Path>]) -> Result<Injection, Failure> {
    let mut all = Injection::default();
    if paths.is_empty() {
        return Ok(all);
    }
    let library = Library::built_in().map_err(|error| Failure::Query(error.to_string()))?;
    for path in paths {
        let path = path.as_ref();
        for found in of_path(&library, path)? {
            all.variables.extend(found.variables);
            all.applied.extend(found.applied);
            all.refused.extend(found.refused);
        }
    }
    let mut all = all.without(|name| std::env::var_os(name).is_some());
    for line in all.refused.drain(..) {
        say!("{line}");
    }
    Ok(all)
}

fn of_path(library: &Library, path: &Path) -> Result<Vec<Injection>, Failure> {
    if !path.exists() {
        let at = path.display();
        return Err(Failure::Input(format!(
            "--apply: {at}: no such file or folder; `diya tune LOG -o {at}` writes it if there are settings"
        )));
    }
    let is_folder = path.is_dir();
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let mut found = Vec::new();
    for (file, apply) in library.applicable() {
        let at = match is_folder {
            true => path.join(&file.name),
            false if name == file.name => path.to_path_buf(),
            false => continue,
        };
        if is_folder && !at.exists() {
            continue;
        }
        let failed = |error: std::io::Error| Failure::Input(format!("{}: {error}", at.display()));
        let at_absolute = std::path::absolute(&at).map_err(failed)?;
        let shown = at_absolute.display().to_string();
        if let (true, Some(why)) = (is_folder, &apply.only_by_name) {
            let refused = vec![format!("{shown}: not applied: {why}: name the file to apply it")];
            found.push(Injection { refused, ..Injection::default() });
            continue;
        }
        let text = String::from_utf8_lossy(&fs::read(&at).map_err(failed)?).into_owned();
        found.push(library.injection(file, apply, &shown, &text));
    }
    if !found.is_empty() {
        return Ok(found);
    }
    let names: Vec<&str> = library.applicable().map(|(file, _)| file.name.as_str()).collect();
    let what = if is_folder { "holds none of" } else { "is none of" };
    Err(Failure::Input(format!(
        "--apply: {} {what} the files that can be applied: {}",
        path.display(),
        names.join(", ")
    )))
}
