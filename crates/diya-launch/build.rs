//! Builds the recorder (`capture/`, C) and the library that applies settings (`apply/`, C), so
//! that they can be part of the program: `diya run` then works wherever the one file `diya` was
//! copied to.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Folder, library, and where make puts the objects.
const LIBRARIES: [(&str, &str, &str); 2] =
    [("capture", "libdiya_capture.so", "objects"), ("apply", "libdiya_apply.so", "apply-objects")];

fn main() {
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    // Relative to the package, where cargo runs this: clones that share a target
    // folder share this program and its output, and each has its own sources.
    let root = Path::new("../..");
    // The compiler in cargo's settings; for a portable binary it is one for an
    // older C library.
    let compiler = cc::Build::new().get_compiler();
    for (folder, name, objects) in LIBRARIES {
        let sources = root.join(folder);
        for part in ["src", "include", "Makefile"].map(|part| sources.join(part)) {
            if part.exists() {
                println!("cargo:rerun-if-changed={}", part.display());
            }
        }
        let library = out.join(name);
        if std::env::var("CARGO_CFG_TARGET_OS").as_deref() != Ok("linux") {
            // There is no preloading to speak of elsewhere: `diya run` says so.
            std::fs::write(&library, b"").expect("OUT_DIR can be written");
            continue;
        }
        // Objects of another clone may be newer than the sources of this one.
        let _ = std::fs::remove_dir_all(out.join(objects));
        let _ = std::fs::remove_file(&library);
        make(&sources, &out, compiler.path());
        assert!(library.exists(), "{folder}/Makefile made no {}", library.display());
    }
}

fn make(sources: &Path, out: &Path, compiler: &Path) {
    let status = Command::new("make")
        .arg("--silent")
        .arg("-C")
        .arg(sources)
        .arg(format!("OUT={}", out.display()))
        .arg(format!("CC={}", compiler.display()))
        .arg("CFLAGS=-O2")
        // make's own flags of an outer make are for the outer make.
        .env_remove("MAKEFLAGS")
        .env_remove("MFLAGS")
        .status()
        .expect("`make` builds capture/ and apply/: install it (Debian: make gcc)");
    assert!(status.success(), "the library in {} did not build", sources.display());
}
