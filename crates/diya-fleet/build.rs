//! Lists the files of `fleet/questions`, so that a new question edits no source file.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let folder = Path::new("../../fleet/questions").canonicalize()?;
    println!("cargo::rerun-if-changed={}", folder.display());
    let entries = fs::read_dir(&folder)?.map(|entry| Ok(entry?.path()));
    let mut files = entries.collect::<io::Result<Vec<PathBuf>>>()?;
    files.retain(|path| path.extension().is_some_and(|e| e == "sql"));
    files.sort();
    let mut code = String::from("&[\n");
    for file in &files {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let name = format!("fleet/questions/{name}");
        let path = file.display().to_string();
        writeln!(code, "({name:?}, include_str!({path:?})),").map_err(io::Error::other)?;
    }
    code.push(']');
    let out = env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("OUT_DIR is not set"))?;
    fs::write(PathBuf::from(out).join("questions.rs"), code)
}
