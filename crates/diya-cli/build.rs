//! Lists the commands: each file of `src/commands` that has a constant `COMMANDS`. A command
//! whose `mod` line is forgotten does not compile.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?);
    let folder = root.join("src/commands");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut commands = Vec::new();
    for entry in fs::read_dir(&folder)? {
        let path = entry?.path();
        let file = if path.is_dir() { path.join("mod.rs") } else { path.clone() };
        if is_command(&file)? {
            commands.extend(path.file_stem().and_then(|name| name.to_str()).map(str::to_owned));
        }
    }
    commands.sort();
    let mut list = String::new();
    for command in commands {
        writeln!(list, "    crate::commands::{command}::COMMANDS,").map_err(io::Error::other)?;
    }
    let out = PathBuf::from(env::var("OUT_DIR").map_err(io::Error::other)?);
    fs::write(out.join("commands.rs"), format!("&[\n{list}]\n"))
}

fn is_command(file: &Path) -> io::Result<bool> {
    println!("cargo::rerun-if-changed={}", file.display());
    Ok(fs::read_to_string(file)?.contains("pub const COMMANDS: &[Entry]"))
}
