//! The SQL prompt, with statements from a pipe.

use crate::support::corpus;
use std::io::Write as _;
use std::process::{Command, Stdio};

fn answered(input: &str) -> (String, String) {
    let home = tempfile::tempdir().expect("a folder");
    let mut child = Command::new(env!("CARGO_BIN_EXE_diya"))
        .args(["sql", &corpus("ior_mpiio_coll_hints.darshan")])
        .env("XDG_STATE_HOME", home.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("diya runs");
    child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("diya reads");
    let output = child.wait_with_output().expect("diya ends");
    assert!(output.status.success());
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (text(output.stdout), text(output.stderr))
}

#[test]
fn a_statement_goes_on_over_lines_and_the_last_one_needs_no_semicolon() {
    let (shown, _) = answered("select nprocs\nfrom job;\nselect 1 as last");
    assert!(shown.contains("| 8      |") && shown.contains("| last |"), "{shown}");
}

#[test]
fn commands_list_tables_and_columns_and_a_wrong_one_is_named() {
    let (shown, told) =
        answered(".help\n.tables\n\\d job\n.dump\n.schema nothing\nexit\nselect 1;");
    for part in [".schema NAME", "Calls with their times", "nprocs", "phase_summary"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    assert!(told.contains("there is no command .dump") && told.contains("\"nothing\""), "{told}");
    assert!(!shown.contains("+--"), "nothing is answered behind exit: {shown}");
}

#[test]
fn a_wrong_statement_ends_nothing() {
    let (shown, told) = answered("select nothing from job;\nselect 7 as next;");
    assert!(told.contains("nothing") && shown.contains("| next |"), "{shown} {told}");
}
