//! Where results go: standard output or a file, through one layer that lets no
//! text of a log steer a terminal.

mod clean;
mod file;

pub use clean::{Content, Out};
pub use file::{check, to_file};

use crate::failure::Failure;
use clap::ValueEnum;
use std::io::{self, BufWriter, IsTerminal as _, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// Files that an interrupt must not leave behind.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A command ends by itself soon after this is set, and cleans up.
static STOP: AtomicBool = AtomicBool::new(false);

/// Whether a command looks at [`STOP`].
static IS_STOPPABLE: AtomicBool = AtomicBool::new(false);

/// Lets the first Ctrl-C only set the flag that is returned; the second one ends the program.
pub fn stop_on_interrupt() -> &'static AtomicBool {
    IS_STOPPABLE.store(true, Ordering::SeqCst);
    &STOP
}

/// On Ctrl-C: removes unfinished files, shows the cursor again, and ends with
/// the code that shells give an interrupted program.
pub fn clean_up_on_interrupt() {
    // Without a handler Ctrl-C still ends the program, only less tidily.
    let _ = ctrlc::set_handler(|| {
        if IS_STOPPABLE.load(Ordering::SeqCst) && !STOP.swap(true, Ordering::SeqCst) {
            return;
        }
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

/// It is whole, or gone.
fn forget_unfinished(path: &Path) {
    if let Ok(mut files) = UNFINISHED.lock() {
        files.retain(|file| file != path);
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
    let asked = || std::env::var("COLUMNS").ok()?.parse().ok();
    let terminal = || Some(usize::from(console::Term::stdout().size_checked()?.1));
    let is_terminal = !is_file && io::stdout().is_terminal();
    if is_terminal { terminal().or_else(asked) } else { asked() }.unwrap_or(100)
}

/// Lets `write` fill standard output.
pub fn to_stdout(
    content: Content,
    write: impl FnOnce(&mut Out) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut out = Out::new(Box::new(BufWriter::with_capacity(1 << 16, io::stdout())), content);
    let written = write(&mut out);
    if out.is_reader_gone() {
        return Err(Failure::BrokenPipe);
    }
    written?;
    Ok(out.finish()?)
}

/// Says something on standard error, beside the output.
pub fn to_stderr(words: std::fmt::Arguments<'_>) {
    let mut out = Out::new(Box::new(io::stderr()), Content::Text);
    // Where standard error is closed there is no other place for it.
    let _ = writeln!(out, "diya: {words}").and_then(|()| out.finish());
}

/// `say!("{log}: cannot be read")`: a message on standard error.
macro_rules! say {
    ($($words:tt)*) => { $crate::output::to_stderr(format_args!($($words)*)) };
}

/// A fault of a writer that has only words for it.
pub fn write_failure(reason: String) -> Failure {
    Failure::Output(format!("cannot write the output: {reason}"))
}
