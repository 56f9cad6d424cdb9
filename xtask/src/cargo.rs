//! Asking cargo: the same one that runs this program.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A cargo command at the root of the repository.
pub fn cargo(root: &Path) -> Command {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let mut command = Command::new(program);
    command.current_dir(root);
    command
}

/// Prints a command, runs it, and fails when it fails.
pub fn run(command: &mut Command) -> Result<(), String> {
    let words = || std::iter::once(command.get_program()).chain(command.get_args());
    let line = words().map(|word| quoted(&word.to_string_lossy())).collect::<Vec<_>>().join(" ");
    println!("$ {line}");
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("`{line}` ended with {status}")),
        Err(e) => Err(format!("`{line}`: {e}")),
    }
}

/// What `cargo metadata` prints, as text in JSON.
pub fn metadata(root: &Path, args: &[&str]) -> Result<Vec<u8>, String> {
    let fail = |reason: String| format!("cargo metadata: {reason}");
    let output = cargo(root)
        .args(["metadata", "--format-version", "1"])
        .args(args)
        .output()
        .map_err(|e| fail(e.to_string()))?;
    if output.status.success() {
        Ok(output.stdout)
    } else {
        Err(fail(String::from_utf8_lossy(&output.stderr).into_owned()))
    }
}

/// Where cargo builds: the environment or a configuration may set it.
pub fn target_dir(root: &Path) -> Result<PathBuf, String> {
    let json = metadata(root, &["--no-deps"])?;
    let metadata: serde_json::Value =
        serde_json::from_slice(&json).map_err(|e| format!("cargo metadata: {e}"))?;
    let folder = metadata["target_directory"].as_str();
    folder.map(PathBuf::from).ok_or_else(|| "cargo metadata names no target directory".to_owned())
}

/// A word as a shell takes it.
pub fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=,:+".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    if word.contains('\'') { format!("\"{word}\"") } else { format!("'{word}'") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_shown_so_that_they_can_be_typed() {
        assert_eq!(quoted("corpus/logs/a.darshan"), "corpus/logs/a.darshan");
        assert_eq!(quoted("select 1"), "'select 1'");
        assert_eq!(quoted("where module = 'POSIX'"), "\"where module = 'POSIX'\"");
        assert_eq!(quoted(""), "''");
    }

    #[test]
    fn a_command_that_fails_is_an_error_with_its_line() {
        let error = run(&mut Command::new("false")).unwrap_err();
        assert!(error.starts_with("`false` ended with"), "{error}");
    }
}
