//! What the engine runs on: threads and a clock, or, in a browser, neither.

use std::future::Future;
use std::io;
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};

/// A runtime of so many threads.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn new(threads: usize) -> io::Result<Runtime> {
    Builder::new_multi_thread().enable_time().worker_threads(threads.max(1)).build()
}

/// A worker of a browser has one thread.
#[cfg(target_family = "wasm")]
pub(crate) fn new(_threads: usize) -> io::Result<Runtime> {
    Builder::new_current_thread().build()
}

/// What comes of the work, or nothing when it takes longer than that.
#[cfg(not(target_family = "wasm"))]
pub(crate) async fn within<T>(time: Duration, work: impl Future<Output = T>) -> Option<T> {
    tokio::time::timeout(time, work).await.ok()
}

/// The runtime's clock does not go in a browser: work takes as long as it
/// takes. The page stays usable, for it is in another thread; closing it ends
/// the work.
#[cfg(target_family = "wasm")]
pub(crate) async fn within<T>(_time: Duration, work: impl Future<Output = T>) -> Option<T> {
    Some(work.await)
}
