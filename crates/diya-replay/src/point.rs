//! How far a thread or a meeting is, for those that wait for it.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

/// A number that grows.
#[derive(Default)]
pub(crate) struct Point {
    done: AtomicU32,
    waiting: AtomicU32,
    lock: Mutex<()>,
    changed: Condvar,
}

impl Point {
    /// Adds to it; returns the sum.
    pub fn add(&self, count: u32) -> u32 {
        let done = self.done.fetch_add(count, Ordering::SeqCst).wrapping_add(count);
        self.wake();
        done
    }

    /// Sets it, if it was less.
    pub fn reach(&self, done: u32) {
        self.done.fetch_max(done, Ordering::SeqCst);
        self.wake();
    }

    fn wake(&self) {
        if self.waiting.load(Ordering::SeqCst) > 0 {
            let _guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
            self.changed.notify_all();
        }
    }

    /// Waits until it is so large, or it `is_over`.
    pub fn wait(&self, done: u32, is_over: impl Fn() -> bool) {
        if self.done.load(Ordering::SeqCst) >= done {
            return;
        }
        self.waiting.fetch_add(1, Ordering::SeqCst);
        let mut guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        while self.done.load(Ordering::SeqCst) < done && !is_over() {
            // The time limit is for the end of the replay, which nobody announces here.
            let woken = self.changed.wait_timeout(guard, Duration::from_millis(20));
            guard = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
        drop(guard);
        self.waiting.fetch_sub(1, Ordering::SeqCst);
    }
}
