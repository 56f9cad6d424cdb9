//! Runs the reader's independent tasks of work on threads.

use diya_read::Workers;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A number of threads, started for each batch of work.
///
/// Work comes a few times per log and takes milliseconds or more, so a
/// standing pool would save nothing that can be measured.
#[derive(Debug, Clone, Copy)]
pub struct Threads(NonZeroUsize);

impl Threads {
    /// This many threads; zero stands for one per processor.
    pub fn new(count: usize) -> Self {
        let all = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        Self(NonZeroUsize::new(count).unwrap_or_else(all))
    }

    /// How many there are.
    pub fn count(self) -> usize {
        self.0.get()
    }
}

impl Workers for Threads {
    fn width(&self) -> usize {
        self.0.get()
    }

    fn run(&self, tasks: usize, work: &(dyn Fn(usize) + Sync)) {
        let next = AtomicUsize::new(0);
        let one_thread = || {
            loop {
                let task = next.fetch_add(1, Ordering::Relaxed);
                if task >= tasks {
                    break;
                }
                work(task);
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..self.width().min(tasks) {
                scope.spawn(one_thread);
            }
            one_thread();
        });
    }
}
