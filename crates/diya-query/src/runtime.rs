//! What the engine runs on: threads and a clock, or, in a browser, neither.

use std::future::Future;
use std::io;
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};

/// Threads that work on queries.
pub(crate) struct Workers(Option<Runtime>);

impl Workers {
    /// So many threads.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn new(threads: usize) -> io::Result<Self> {
        let threads = threads.max(1);
        let mut builder = Builder::new_multi_thread();
        builder.enable_time().worker_threads(threads).build().map(|runtime| Self(Some(runtime)))
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

    /// What comes of the work, or nothing when it takes longer than that.
    ///
    /// The clock is that of this thread: work that hands nothing over for
    /// minutes would keep a clock of the workers from being looked at.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn within<T: Send + 'static>(
        &self,
        time: Duration,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Option<T> {
        use std::sync::mpsc::{RecvTimeoutError, sync_channel};
        if time == Duration::MAX {
            return self.wait(work);
        }
        let (done, result) = sync_channel(1);
        let task = self.0.as_ref()?.spawn(async move {
            // Nobody listens any more when it took too long.
            let _ = done.send(work.await);
        });
        match result.recv_timeout(time) {
            Ok(value) => Some(value),
            Err(RecvTimeoutError::Timeout) => {
                task.abort();
                None
            }
            // It ended without a result: a panic, which goes on here.
            Err(RecvTimeoutError::Disconnected) => match self.wait(task)? {
                Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
                _ => None,
            },
        }
    }

    /// The runtime's clock does not go in a browser: work takes as long as it
    /// takes. The page stays usable, for it is in another thread; closing it ends
    /// the work.
    #[cfg(target_family = "wasm")]
    pub(crate) fn within<T>(&self, _time: Duration, work: impl Future<Output = T>) -> Option<T> {
        self.wait(work)
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
