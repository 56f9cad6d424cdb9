//! Lists the readers: each folder of `src` whose `mod.rs` has a constant `FORMAT`. A reader
//! whose `mod` line is forgotten does not compile.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let source =
        PathBuf::from(env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?).join("src");
    println!("cargo::rerun-if-changed={}", source.display());
    let mut readers = Vec::new();
    for entry in fs::read_dir(&source)? {
        let file = entry?.path().join("mod.rs");
        let Ok(text) = fs::read_to_string(&file) else { continue };
        println!("cargo::rerun-if-changed={}", file.display());
        let folder = file.parent().and_then(|folder| folder.file_name()?.to_str());
        if text.contains("const FORMAT: Format") {
            readers.extend(folder.map(str::to_owned));
        }
    }
    readers.sort();
    let mut list = String::new();
    for reader in readers {
        writeln!(list, "    crate::{reader}::FORMAT,").map_err(io::Error::other)?;
    }
    let out = PathBuf::from(env::var("OUT_DIR").map_err(io::Error::other)?);
    fs::write(out.join("formats.rs"), format!("&[\n{list}]\n"))
}
