//! Where results go: standard output, or a file that comes into being whole.

use crate::failure::Failure;
use std::fs::File;
use std::io::{self, BufWriter, Write};
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

/// Lets `write` fill a file, which gets its name only when it is whole.
pub fn to_file(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut part = path.as_os_str().to_owned();
    part.push(".part");
    let part = PathBuf::from(part);
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
