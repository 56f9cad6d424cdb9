//! Builds the recorder (`capture/`, C) so that it can be part of the program:
//! `diya run` then works wherever the one file `diya` was copied to.

use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    // Relative to the package, where cargo runs this: clones that share a target
    // folder share this program and its output, and each has its own sources.
    let capture = Path::new("../../capture");
    for part in ["src", "include", "Makefile"] {
        println!("cargo:rerun-if-changed={}", capture.join(part).display());
    }
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let library = out.join("libdiya_capture.so");
    if std::env::var("CARGO_CFG_TARGET_OS").as_deref() != Ok("linux") {
        // There is no preloading to speak of elsewhere: `diya run` says so.
        std::fs::write(&library, b"").expect("OUT_DIR can be written");
        return;
    }
    // The compiler in cargo's settings; for a portable binary it is one for an
    // older C library.
    let compiler = cc::Build::new().get_compiler();
    // Objects of another clone may be newer than the sources of this one.
    let _ = std::fs::remove_dir_all(out.join("objects"));
    let _ = std::fs::remove_file(&library);
    let status = Command::new("make")
        .arg("--silent")
        .arg("-C")
        .arg(capture)
        .arg(format!("OUT={}", out.display()))
        .arg(format!("CC={}", compiler.path().display()))
        .arg("CFLAGS=-O2")
        // make's own flags of an outer make are for the outer make.
        .env_remove("MAKEFLAGS")
        .env_remove("MFLAGS")
        .status()
        .expect("`make` builds the recorder in capture/: install it (Debian: make gcc)");
    assert!(status.success(), "the recorder in capture/ did not build");
    assert!(library.exists(), "capture/Makefile made no {}", library.display());
}
