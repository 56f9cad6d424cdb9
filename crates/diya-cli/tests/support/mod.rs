//! The program, and the logs of the corpus.

use std::path::Path;
use std::process::{Command, Output};

/// The path of a log of the corpus.
#[allow(dead_code)] // not every test reads one
pub fn corpus(log: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/logs").join(log);
    path.to_str().expect("a plain path").into()
}

/// Exit code, output and messages of the program.
#[allow(dead_code)] // some tests start it themselves
pub fn diya(args: &[&str]) -> (i32, String, String) {
    let Output { status, stdout, stderr } =
        Command::new(env!("CARGO_BIN_EXE_diya")).args(args).output().expect("diya runs");
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (status.code().unwrap_or(-1), text(stdout), text(stderr))
}
