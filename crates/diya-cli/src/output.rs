//! Where results go: standard output, or a file that comes into being whole.

use crate::failure::Failure;
use clap::ValueEnum;
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal as _, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// Files that an interrupt must not leave behind.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// On Ctrl-C: removes unfinished files, shows the cursor again, and ends with
/// the code that shells give an interrupted program.
pub fn clean_up_on_interrupt() {
    // Without a handler Ctrl-C still ends the program, only less tidily.
    let _ = ctrlc::set_handler(|| {
        for path in UNFINISHED.lock().map(|files| files.clone()).unwrap_or_default() {
            let _ = std::fs::remove_file(path);
        }
        let _ = io::stderr().write_all(b"\x1b[?25h");
        std::process::exit(130);
    });
}

/// Remembers a file, or a folder whose `.part` files, an interrupt removes.
pub fn remember_unfinished(path: PathBuf) {
    if let Ok(mut files) = UNFINISHED.lock() {
        files.push(path);
    }
}

/// When to use colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Colour {
    /// At a terminal, unless NO_COLOR is set
    Auto,
    Always,
    Never,
}

impl Colour {
    /// Whether to use them, on standard output or in a file.
    pub fn is_on(self, is_file: bool) -> bool {
        let is_asked_off = || std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto => !is_file && io::stdout().is_terminal() && !is_asked_off(),
        }
    }
}

/// Columns of a line: those of the terminal, or of the text that a pager or a
/// file gets.
pub fn columns(is_file: bool) -> usize {
    let told = || std::env::var("COLUMNS").ok()?.parse().ok();
    let terminal = || Some(usize::from(console::Term::stdout().size_checked()?.1));
    let is_terminal = !is_file && io::stdout().is_terminal();
    if is_terminal { terminal().or_else(told) } else { told() }.unwrap_or(100)
}

/// Standard output, buffered; its faults end in [`Failure`].
pub fn stdout() -> BufWriter<io::Stdout> {
    BufWriter::with_capacity(1 << 16, io::stdout())
}

/// Lets `write` fill standard output.
pub fn to_stdout(
    write: impl FnOnce(&mut BufWriter<io::Stdout>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut out = stdout();
    write(&mut out)?;
    Ok(out.flush()?)
}

/// Whether a file can be written here, asked before the work that it is for.
pub fn check(path: &Path) -> Result<(), Failure> {
    let fail = |e: io::Error| Failure::Output(format!("{}: {e}", path.display()));
    if path.is_dir() {
        return Err(fail(io::ErrorKind::IsADirectory.into()));
    }
    let part = part_of(path);
    File::create(&part).map_err(fail)?;
    std::fs::remove_file(&part).map_err(fail)
}

fn part_of(path: &Path) -> PathBuf {
    let mut part = path.as_os_str().to_owned();
    part.push(".part");
    PathBuf::from(part)
}

/// Lets `write` fill a file, which gets its name only when it is whole.
pub fn to_file(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let part = part_of(path);
    let fail = |e: io::Error| Failure::Output(format!("{}: {e}", path.display()));
    remember_unfinished(part.clone());
    let mut out = BufWriter::new(File::create(&part).map_err(fail)?);
    let outcome = write(&mut out).and_then(|()| out.flush().map_err(fail));
    if outcome.is_err() {
        let _ = std::fs::remove_file(&part);
        return outcome;
    }
    std::fs::rename(&part, path).map_err(fail)
}

/// A fault of a writer as text: a closed pipe is no fault.
pub fn write_failure(reason: String) -> Failure {
    if reason.contains("Broken pipe") {
        Failure::BrokenPipe
    } else {
        Failure::Output(format!("cannot write the output: {reason}"))
    }
}
