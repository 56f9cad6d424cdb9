//! What the engine runs on: threads and a clock, or, in a browser, neither.

use std::future::Future;
use std::io;
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};

/// How often the work looks whether it is cancelled.
#[cfg(not(target_family = "wasm"))]
const LOOK: Duration = Duration::from_millis(100);

/// Asked ten times a second, while a statement runs, whether it is cancelled; not at all in a
/// browser. `None`: it cannot be cancelled.
pub type CancelToken<'c> = Option<&'c dyn Fn() -> bool>;

/// Why work has no result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(target_family = "wasm", allow(dead_code))]
pub(crate) enum GivenUp {
    /// It took too long.
    Late,
    /// It was cancelled.
    Cancelled,
    /// The workers have ended.
    Ended,
}

/// Stack of a thread that plans what somebody else wrote: trees of expressions and
/// parts are walked down, with frames of kilobytes in a quick build. Only what is used
/// of it takes memory.
#[cfg(not(target_family = "wasm"))]
const DEEP_BYTES: usize = 256 << 20;
/// Stack of a thread that runs it.
#[cfg(not(target_family = "wasm"))]
const WORKER_BYTES: usize = 16 << 20;

/// What comes of work that goes deep; a panic goes on here.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn on_deep_stack<T: Send>(work: impl FnOnce() -> T + Send) -> io::Result<T> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(DEEP_BYTES);
        let done = thread.spawn_scoped(scope, work)?.join();
        Ok(done.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}

/// A worker of a browser has one stack.
#[cfg(target_family = "wasm")]
pub(crate) fn on_deep_stack<T>(work: impl FnOnce() -> T) -> io::Result<T> {
    Ok(work())
}

/// Threads that work on queries.
pub(crate) struct Workers(Option<Runtime>);

impl Workers {
    /// So many threads.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn new(threads: usize) -> io::Result<Self> {
        let threads = threads.max(1);
        let mut builder = Builder::new_multi_thread();
        builder.enable_time().worker_threads(threads).thread_stack_size(WORKER_BYTES);
        builder.build().map(|runtime| Self(Some(runtime)))
    }

    /// A worker of a browser has one thread.
    #[cfg(target_family = "wasm")]
    pub(crate) fn new(_threads: usize) -> io::Result<Self> {
        Builder::new_current_thread().build().map(|runtime| Self(Some(runtime)))
    }

    /// What comes of the work, which this thread does.
    pub(crate) fn wait<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        self.0.as_ref().map(|runtime| runtime.block_on(work))
    }

    /// Result of the work, unless it takes too long or is cancelled. In both cases the work
    /// ends at the next place where it hands something over.
    ///
    /// The clock is that of this thread: work that hands nothing over for
    /// minutes would keep a clock of the workers from being looked at.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn within<T: Send + 'static>(
        &self,
        time: Duration,
        is_cancelled: CancelToken<'_>,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Result<T, GivenUp> {
        use std::sync::mpsc::{RecvTimeoutError, sync_channel};
        use std::time::Instant;
        if time == Duration::MAX && is_cancelled.is_none() {
            return self.wait(work).ok_or(GivenUp::Ended);
        }
        let begin = Instant::now();
        let (done, result) = sync_channel(1);
        let runtime = self.0.as_ref().ok_or(GivenUp::Ended)?;
        let task = runtime.spawn(async move {
            // The receiver is gone if the work was given up.
            let _ = done.send(work.await);
        });
        let why = loop {
            let left = time.saturating_sub(begin.elapsed());
            let look = if is_cancelled.is_some() { left.min(LOOK) } else { left };
            match result.recv_timeout(look) {
                Ok(value) => return Ok(value),
                Err(RecvTimeoutError::Timeout) if begin.elapsed() >= time => break GivenUp::Late,
                Err(RecvTimeoutError::Timeout) => {
                    if is_cancelled.is_some_and(|is_cancelled| is_cancelled()) {
                        break GivenUp::Cancelled;
                    }
                }
                // It ended without a result: a panic, which goes on here.
                Err(RecvTimeoutError::Disconnected) => match self.wait(task) {
                    Some(Err(error)) if error.is_panic() => {
                        std::panic::resume_unwind(error.into_panic())
                    }
                    _ => return Err(GivenUp::Ended),
                },
            }
        };
        task.abort();
        Err(why)
    }

    /// The runtime's clock does not go in a browser: work takes as long as it
    /// takes. The page stays usable, for it is in another thread; closing it ends
    /// the work.
    #[cfg(target_family = "wasm")]
    pub(crate) fn within<T>(
        &self,
        _time: Duration,
        _is_cancelled: CancelToken<'_>,
        work: impl Future<Output = T>,
    ) -> Result<T, GivenUp> {
        self.wait(work).ok_or(GivenUp::Ended)
    }

    /// Pieces of work that have not ended.
    #[cfg(test)]
    pub(crate) fn alive(&self) -> usize {
        self.0.as_ref().map_or(0, |runtime| runtime.metrics().num_alive_tasks())
    }
}

impl Drop for Workers {
    /// Does not wait for a query that was given up: it may never come to a place
    /// where it can be stopped.
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}
