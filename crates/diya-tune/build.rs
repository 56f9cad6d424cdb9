//! Lists the files below `tuning/`, so that a new setting edits no source file.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// What lies in a folder, in the order of the names.
fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut paths = fs::read_dir(folder)?
        .map(|entry| Ok(entry?.path()))
        .collect::<io::Result<Vec<PathBuf>>>()?;
    paths.sort();
    Ok(paths)
}

fn main() -> io::Result<()> {
    let root = Path::new("../../tuning").canonicalize()?;
    let mut code = String::from("&[\n");
    for folder in entries(&root)?.iter().filter(|path| path.is_dir()) {
        for file in entries(folder)?.iter().filter(|path| path.extension() == Some("toml".as_ref()))
        {
            let id = file.strip_prefix(&root).unwrap_or(file).with_extension("");
            let (id, path) = (id.display().to_string(), file.display().to_string());
            writeln!(code, "({id:?}, include_str!({path:?})),").map_err(io::Error::other)?;
        }
    }
    code.push(']');
    let out = env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("OUT_DIR is not set"))?;
    fs::write(PathBuf::from(out).join("tuning.rs"), code)
}
