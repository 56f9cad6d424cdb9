//! `--apply`: files of `diya tune` as environment of the program.

use crate::failure::Failure;
use clap::Args;
use diya_tune::{Injection, Library};
use std::fs;
use std::path::{Path, PathBuf};

/// Value of `--apply` that names no file: a file of this name is `./auto`.
const AUTO: &str = "auto";

/// What is applied to the program.
#[derive(Debug, Args)]
pub struct ApplyArgs {
    /// Apply settings to the program: a folder or file that `diya tune` wrote; or auto, which
    /// buffers small writes and streams where the calls give ground for it (may be given several
    /// times)
    #[arg(long, value_name = "PATH|auto")]
    pub apply: Vec<PathBuf>,
    /// Also apply this setting, although data can be lost in a crash or read before it is written
    /// (`diya tune` names the risk)
    #[arg(long, value_name = "SETTING", value_delimiter = ',')]
    pub accept: Vec<String>,
}

/// What the files and folders give to the program. What cannot be applied is said in a line,
/// and the program runs without it; a name that is no such file is an error of the command line.
pub fn injection(args: &ApplyArgs) -> Result<Injection, Failure> {
    let mut all = Injection::default();
    let library = Library::built_in().map_err(|error| Failure::Query(error.to_string()))?;
    check_accepted(&library, &args.accept)?;
    for path in &args.apply {
        if path.as_os_str() == AUTO {
            all.applied.push(AUTO.to_owned());
            all.inside.push(AUTO.to_owned());
            continue;
        }
        for found in of_path(&library, path, &args.accept)? {
            all.variables.extend(found.variables);
            all.inside.extend(found.inside);
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

/// Whether these are names of settings with a risk.
pub fn check_accepted(library: &Library, names: &[String]) -> Result<(), Failure> {
    match names.iter().find(|name| library.risk_of(name).is_none()) {
        None => Ok(()),
        Some(name) => {
            let risky: Vec<&str> = library.risks().collect();
            Err(Failure::Input(format!(
                "--accept {name}: no setting with a risk has this name: {}",
                risky.join(", ")
            )))
        }
    }
}

fn of_path(library: &Library, path: &Path, accepted: &[String]) -> Result<Vec<Injection>, Failure> {
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
        found.push(library.injection(file, apply, (&shown, &text), accepted));
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
