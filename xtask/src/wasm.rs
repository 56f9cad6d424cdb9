//! `wasm`: builds the decoder that every page carries.
//!
//! The result is committed, deflated, so that building diya needs no wasm target
//! (nor Node.js): some 150 KB that change with two crates. A sum over their
//! sources lies beside it; `--check` compares that, because another compiler
//! gives other bytes for the same sources.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::cargo::{cargo, run as run_command, target_dir};

pub(crate) const TARGET: &str = "wasm32-unknown-unknown";
const FOLDER: &str = "crates/diya-wasm/generated";
/// What the decoder is made of.
const SOURCES: [&str; 8] = [
    "crates/diya-model/src/class.rs",
    "crates/diya-model/src/layer.rs",
    "crates/diya-model/src/names.rs",
    "crates/diya-model/src/op.rs",
    "crates/diya-model/src/varint.rs",
    "crates/diya-questions/src",
    "crates/diya-timeline/src",
    "crates/diya-wasm/src",
];

/// Builds the decoder; `--check`: only says whether it is of the sources here.
pub fn run(args: &[String]) -> Result<(), String> {
    let root = crate::root();
    let sum = format!("{:016x}\n", sum_of_sources(&root)?);
    let sum_file = root.join(FOLDER).join("decoder.sources");
    if args.iter().any(|arg| arg == "--check") {
        let is_current = std::fs::read_to_string(&sum_file).is_ok_and(|built| built == sum);
        return if is_current {
            println!("wasm: the decoder is of these sources");
            Ok(())
        } else {
            Err("the decoder is of other sources: cargo xtask wasm".to_owned())
        };
    }
    install_target()?;
    run_command(cargo(&root).args([
        "build",
        "--locked",
        "--profile",
        "wasm",
        "-p",
        "diya-wasm",
        "--target",
        TARGET,
    ]))?;
    let built = target_dir(&root)?.join(TARGET).join("wasm").join("diya_wasm.wasm");
    let module = std::fs::read(&built).map_err(|e| format!("{}: {e}", built.display()))?;
    let module = without_names(&module).ok_or("the compiler's output is no wasm module")?;
    let mut deflate = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
    let packed = deflate.write_all(&module).and_then(|()| deflate.finish());
    let packed = packed.map_err(|e| e.to_string())?;
    println!("wasm: {} bytes, {} deflated", module.len(), packed.len());
    let folder = root.join(FOLDER);
    let write = |name: &str, bytes: &[u8]| {
        std::fs::create_dir_all(&folder)
            .and_then(|()| std::fs::write(folder.join(name), bytes))
            .map_err(|e| format!("{}: {e}", folder.display()))
    };
    write("decoder.wasm.deflate", &packed)?;
    write("decoder.sources", sum.as_bytes())
}

/// rustup brings the target; other compilers bring it as a package of the system.
pub(crate) fn install_target() -> Result<(), String> {
    let mut rustc = Command::new("rustc");
    let libraries = rustc.args(["--print", "target-libdir", "--target", TARGET]);
    let folder = libraries.output().map_err(|e| format!("rustc: {e}"))?.stdout;
    if Path::new(String::from_utf8_lossy(&folder).trim()).is_dir() {
        return Ok(());
    }
    let mut rustup = Command::new("rustup");
    run_command(rustup.args(["target", "add", TARGET])).map_err(|error| {
        format!(
            "{error}\nno library for {TARGET} here: rustup target add {TARGET}, or Debian's \
             libstd-rust-dev-wasm32 of the compiler's version"
        )
    })
}

/// FNV-1a over paths and contents, in the order of paths.
fn sum_of_sources(root: &Path) -> Result<u64, String> {
    let mut files = Vec::new();
    for folder in SOURCES {
        list(&root.join(folder), &mut files).map_err(|e| format!("{folder}: {e}"))?;
    }
    files.retain(|file| !file.to_string_lossy().contains("/tests/"));
    files.sort();
    let mut sum = 0xcbf2_9ce4_8422_2325_u64;
    for file in files {
        let bytes = std::fs::read(&file).map_err(|e| format!("{}: {e}", file.display()))?;
        let name = file.strip_prefix(root).unwrap_or(&file).to_string_lossy().into_owned();
        for byte in name.bytes().chain(bytes) {
            sum = (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    Ok(sum)
}

fn list(path: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    if !path.is_dir() {
        files.push(path.to_path_buf());
        return Ok(());
    }
    for entry in std::fs::read_dir(path)? {
        list(&entry?.path(), files)?;
    }
    Ok(())
}

/// The module without the names of its functions and of its compiler; what the
/// sections are: the WebAssembly specification, "Binary format, modules".
fn without_names(module: &[u8]) -> Option<Vec<u8>> {
    const HEAD: usize = 8; // magic and version
    let mut kept = module.get(..HEAD)?.to_vec();
    let mut at = HEAD;
    while at < module.len() {
        let is_custom = *module.get(at)? == 0;
        let (len, body) = number(module, at + 1)?;
        let end = body.checked_add(len)?;
        let is_dropped = is_custom && {
            let (name_len, name) = number(module, body)?;
            matches!(module.get(name..name.checked_add(name_len)?)?, b"name" | b"producers")
        };
        let section = module.get(at..end)?;
        if !is_dropped {
            kept.extend_from_slice(section);
        }
        at = end;
    }
    Some(kept)
}

/// A number of variable length, and the position after it.
fn number(bytes: &[u8], at: usize) -> Option<(usize, usize)> {
    let (value, rest) = diya_model::varint(bytes.get(at..)?).ok()?;
    Some((usize::try_from(value).ok()?, bytes.len() - rest.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_dropped_and_all_else_is_kept() {
        let head = b"\0asm\x01\0\0\0";
        let types = [1, 1, 0];
        let names = [0, 6, 4, b'n', b'a', b'm', b'e', 9];
        let features = [0, 3, 1, b'x', 7];
        let module = [&head[..], &types, &names, &features].concat();
        assert_eq!(without_names(&module), Some([&head[..], &types, &features].concat()));
        assert_eq!(without_names(&module[..module.len() - 1]), None);
    }
}
