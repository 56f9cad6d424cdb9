//! `generate`: what follows from `schema/`.
//!
//! One table is one file of `schema/tables/`; from it come the Rust columns
//! (`crates/diya-tables/src/generated/`) and the reference page
//! (`docs/generated/tables/`). What the recorder knows is in
//! `schema/functions/`, see [`functions`]. With `--check` nothing is written:
//! the command fails when a file on disk is not what the schema says.

mod docs;
mod functions;
mod rust;
mod schema;

use std::path::{Path, PathBuf};

/// Writes, or with `--check` compares, every generated file.
pub fn run(args: &[String]) -> Result<(), String> {
    let root = crate::root();
    let tables = schema::load(&root.join("schema/tables"))?;
    let mut files: Vec<(PathBuf, String)> = rust::files(&tables);
    files.extend(docs::files(&tables));
    files.extend(functions::files(&functions::load(&root.join("schema/functions"))?));
    if args.iter().any(|a| a == "--check") {
        return check(&root, &files);
    }
    for (path, text) in &files {
        write_if_changed(&root.join(path), text)?;
    }
    println!("generate: {} files from {} tables", files.len(), tables.len());
    Ok(())
}

/// Leaves equal files alone, so that a build does not start for nothing.
fn write_if_changed(path: &Path, text: &str) -> Result<(), String> {
    if std::fs::read_to_string(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    let fail = |e: std::io::Error| format!("{}: {e}", path.display());
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(fail)?;
    }
    std::fs::write(path, text).map_err(fail)
}

fn check(root: &Path, files: &[(PathBuf, String)]) -> Result<(), String> {
    let stale: Vec<String> = files
        .iter()
        .filter(|(path, text)| {
            std::fs::read_to_string(root.join(path)).map_or(true, |old| old != *text)
        })
        .map(|(path, _)| path.display().to_string())
        .collect();
    if stale.is_empty() {
        return Ok(());
    }
    Err(format!("not up to date, run `cargo xtask generate`: {}", stale.join(", ")))
}
