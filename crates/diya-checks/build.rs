//! Embeds the checks of `checks/`: whoever has the program has them, too.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let folder = Path::new("../../checks").canonicalize()?;
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut pages = Vec::new();
    collect(&folder, &mut pages)?;
    pages.sort();
    let mut code = String::from("&[\n");
    for page in &pages {
        let name = page.strip_prefix(&folder).unwrap_or(page).display().to_string();
        let _ = writeln!(code, "({name:?}, include_str!({:?})),", page.display().to_string());
    }
    code.push(']');
    let out = env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("OUT_DIR is not set"))?;
    fs::write(PathBuf::from(out).join("builtin.rs"), code)
}

fn collect(folder: &Path, pages: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, pages)?;
        } else if path.extension().is_some_and(|e| e == "md") {
            pages.push(path);
        }
    }
    Ok(())
}
