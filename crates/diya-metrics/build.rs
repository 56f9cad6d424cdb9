//! Lists the files of `metrics/`, so that a new metric edits no source file.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let here = PathBuf::from(env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?);
    let root = here.join("../..");
    let folder = root.join("metrics");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files = Vec::new();
    find(&folder, &mut files)?;
    files.sort();
    let mut list = String::from("&[\n");
    for file in &files {
        println!("cargo::rerun-if-changed={}", file.display());
        let name = file.strip_prefix(&root).map_err(io::Error::other)?.display().to_string();
        let path = file.display().to_string();
        writeln!(list, "({name:?}, include_str!({path:?})),").map_err(io::Error::other)?;
    }
    list.push_str("]\n");
    let out = PathBuf::from(env::var("OUT_DIR").map_err(io::Error::other)?);
    fs::write(out.join("metrics.rs"), list)
}

fn find(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            println!("cargo::rerun-if-changed={}", path.display());
            find(&path, files)?;
        } else if path.extension().is_some_and(|e| e == "sql") {
            files.push(path);
        }
    }
    Ok(())
}
