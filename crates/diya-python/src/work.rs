//! Long work on a thread of its own, so that the interpreter goes on and Ctrl-C is heard.

use crate::failure::Failure;
use pyo3::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::Duration;

/// How often Python is asked for signals while work goes on.
const LOOK: Duration = Duration::from_millis(50);

/// Whether Ctrl-C was pressed.
#[derive(Clone, Default)]
pub struct Cancellation(Arc<AtomicBool>);

impl Cancellation {
    /// Asked by the work.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// What comes of the work. Without the interpreter's lock meanwhile.
///
/// Ctrl-C raises `KeyboardInterrupt` at once. Work that asks [`Cancellation`] then ends; other
/// work runs to its end on its thread, and its result is dropped.
pub fn interruptible<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&Cancellation) -> Result<T, Failure> + Send + 'static,
) -> PyResult<T> {
    let cancellation = Cancellation::default();
    let own = cancellation.clone();
    let (done, mut results) = sync_channel(1);
    std::thread::Builder::new().name("diya".to_owned()).spawn(move || {
        let outcome = catch_unwind(AssertUnwindSafe(|| work(&own)));
        // After Ctrl-C the receiver is gone.
        let _ = done.send(outcome.unwrap_or_else(|_| Err(Failure::internal())));
    })?;
    loop {
        let outcome;
        (outcome, results) = py.detach(move || (results.recv_timeout(LOOK), results));
        match outcome {
            Ok(result) => return result.map_err(|failure| failure.raise(py)),
            Err(RecvTimeoutError::Disconnected) => return Err(Failure::internal().raise(py)),
            Err(RecvTimeoutError::Timeout) => {
                if let Err(interrupt) = py.check_signals() {
                    cancellation.0.store(true, Ordering::Relaxed);
                    return Err(interrupt);
                }
            }
        }
    }
}
