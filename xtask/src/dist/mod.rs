//! `dist`: one file `diya` that runs on any Linux of the last years, packed
//! with its licences (docs/decisions/0004).
//!
//! The linker is zig's, because it brings the symbol tables of every glibc: the
//! program asks for no newer one than [`GLIBC`], wherever it is built.

mod notices;

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::cargo::{cargo, run as run_command, target_dir};

/// The oldest glibc that Rust's own library for Linux supports; RHEL 8 has 2.28.
const GLIBC: &str = "2.17";

/// Tools from PyPI, installed below the target directory when they are not on PATH.
const TOOLS: &[&str] = &["ziglang==0.17.0", "cargo-zigbuild==0.24.0"];

/// What we promise people who download it.
const MAX_BYTES: u64 = 100_000_000;
const MAX_PACKED_BYTES: u64 = 30_000_000;

/// Builds, checks and packs.
pub fn run(_args: &[String]) -> Result<(), String> {
    let root = crate::root();
    let target = target_dir(&root)?;
    let triple = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);

    build(&root, &target, &triple)?;
    let program = target.join(&triple).join("dist").join("diya");
    let bytes = std::fs::read(&program).map_err(|e| at(&program, e))?;
    let newest = newest_glibc(&bytes);
    if newest > version(GLIBC) {
        return Err(format!("{} asks for glibc {newest:?}, above {GLIBC}", program.display()));
    }
    let packed = pack(&root, &target, &program)?;
    let packed_bytes = std::fs::metadata(&packed).map_err(|e| at(&packed, e))?.len();
    println!("{}: {} bytes, glibc {GLIBC} or newer", program.display(), bytes.len());
    println!("{}: {packed_bytes} bytes", packed.display());
    if bytes.len() as u64 > MAX_BYTES || packed_bytes > MAX_PACKED_BYTES {
        return Err(format!("too large: at most {MAX_BYTES} bytes, packed {MAX_PACKED_BYTES}"));
    }
    Ok(())
}

fn build(root: &Path, target: &Path, triple: &str) -> Result<(), String> {
    let mut command = cargo(root);
    if Command::new("cargo-zigbuild").arg("--version").output().is_err() {
        let bin = install_tools(target)?;
        let path = std::env::var_os("PATH").unwrap_or_default();
        let paths = std::iter::once(bin).chain(std::env::split_paths(&path));
        command.env("PATH", std::env::join_paths(paths).map_err(|e| e.to_string())?);
    }
    let zig_target = format!("{triple}.{GLIBC}");
    run_command(
        command.args(["zigbuild", "--profile", "dist", "--workspace", "--bin", "diya"]).args([
            "--locked",
            "--target",
            &zig_target,
        ]),
    )
}

/// Installs zig and cargo-zigbuild into a virtual environment; returns its `bin`.
fn install_tools(target: &Path) -> Result<PathBuf, String> {
    let venv = target.join("dist-tools");
    let bin = venv.join("bin");
    println!("installing {} into {}", TOOLS.join(", "), venv.display());
    run_command(Command::new("python3").args(["-m", "venv"]).arg(&venv))?;
    run_command(Command::new(bin.join("pip")).args(["install", "--quiet"]).args(TOOLS))?;
    Ok(bin)
}

/// Puts the program and its licences into one archive.
fn pack(root: &Path, target: &Path, program: &Path) -> Result<PathBuf, String> {
    let name = format!("diya-{}-{}-linux", env!("CARGO_PKG_VERSION"), std::env::consts::ARCH);
    let folder = target.join("package").join(&name);
    std::fs::create_dir_all(&folder).map_err(|e| at(&folder, e))?;
    let files = ["LICENSE", "NOTICE.md", "README.md", "CHANGELOG.md"].map(|name| root.join(name));
    for file in files.iter().map(PathBuf::as_path).chain([program]) {
        let copy = folder.join(file.file_name().unwrap_or_default());
        std::fs::copy(file, &copy).map_err(|e| at(file, e))?;
    }
    let third_party = folder.join("THIRD-PARTY-LICENSES.txt");
    std::fs::write(&third_party, notices::text(root)?).map_err(|e| at(&third_party, e))?;

    // xz, not gzip: half the size, and every system of the last years unpacks it.
    let archive = target.join("package").join(format!("{name}.tar.xz"));
    let parent = target.join("package");
    let mut tar = Command::new("tar");
    tar.env("XZ_OPT", "-9").arg("-cJf").arg(&archive).arg("-C").arg(&parent).arg(&name);
    run_command(&mut tar)?;
    Ok(archive)
}

fn at(path: &Path, e: std::io::Error) -> String {
    format!("{}: {e}", path.display())
}

/// The newest `GLIBC_x.y` that a program names: the dynamic linker refuses to
/// start it where that one is missing.
fn newest_glibc(program: &[u8]) -> Vec<u32> {
    const MARK: &[u8] = b"GLIBC_";
    let starts = program.windows(MARK.len()).enumerate().filter(|(_, window)| *window == MARK);
    let names = starts.map(|(at, _)| {
        let rest = &program[at + MARK.len()..];
        let is_version = |byte: &u8| byte.is_ascii_digit() || *byte == b'.';
        let end = rest.iter().position(|byte| !is_version(byte)).unwrap_or(rest.len());
        version(&String::from_utf8_lossy(&rest[..end]))
    });
    names.max().unwrap_or_default()
}

/// `2.17` as numbers, so that 2.9 is older.
fn version(text: &str) -> Vec<u32> {
    text.split('.').filter_map(|part| part.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_glibc_is_by_number_not_by_letter() {
        let program = b"\0GLIBC_2.9\0GLIBC_2.17\0GLIBC_2.2.5\0GLIBC_PRIVATE\0";
        assert_eq!(newest_glibc(program), version("2.17"));
        assert!(newest_glibc(b"\0GLIBC_2.34") > version(GLIBC));
        assert!(newest_glibc(b"\0GLIBC_2.9\0") <= version(GLIBC));
    }

    #[test]
    fn a_static_program_asks_for_none() {
        assert_eq!(newest_glibc(b"no such name"), version(""));
    }
}
