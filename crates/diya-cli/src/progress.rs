//! A progress bar for work that takes more than a second.

use crate::options::Common;
use diya::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal as _;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Shorter work shows nothing: a bar that flashes by is noise.
const QUIET: Duration = Duration::from_secs(1);

/// Time between two pictures of the spinner.
const TICK: Duration = Duration::from_millis(100);

/// Shows how many logs are read, or that work goes on, on a terminal.
pub struct Bar {
    start: Instant,
    bar: OnceLock<ProgressBar>,
    is_shown: bool,
}

impl Bar {
    pub fn new(common: &Common) -> Self {
        let is_shown = !common.quiet && std::io::stderr().is_terminal();
        Self { start: Instant::now(), bar: OnceLock::new(), is_shown }
    }

    /// Runs the work with a spinner for when it takes long.
    pub fn during<T>(&self, what: &'static str, work: impl FnOnce() -> T) -> T {
        self.counting(&|_| what.to_owned(), |_| work())
    }

    /// The same, with a number that the work lets grow; `what` puts it into words.
    pub fn counting<T>(
        &self,
        what: &(dyn Fn(u64) -> String + Sync),
        work: impl FnOnce(&AtomicU64) -> T,
    ) -> T {
        let count = AtomicU64::new(0);
        if !self.is_shown {
            return work(&count);
        }
        let spinner = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        let style = ProgressStyle::with_template("{spinner} {msg} {elapsed}");
        spinner.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
        let (done, wait) = std::sync::mpsc::channel::<()>();
        let result = std::thread::scope(|scope| {
            let (spinner, count) = (&spinner, &count);
            scope.spawn(move || {
                // The channel closes when the work is done, which ends the wait.
                while wait.recv_timeout(TICK).is_err_and(is_timeout) {
                    if self.start.elapsed() < QUIET || self.bar.get().is_some() {
                        continue;
                    }
                    // A new target starts on a line of its own: set it only once.
                    if spinner.is_hidden() {
                        spinner.set_draw_target(ProgressDrawTarget::stderr());
                    }
                    spinner.set_message(what(count.load(Ordering::Relaxed)));
                    spinner.tick();
                }
            });
            let result = work(count);
            drop(done);
            result
        });
        spinner.finish_and_clear();
        self.finish();
        result
    }

    fn finish(&self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
    }
}

fn is_timeout(error: std::sync::mpsc::RecvTimeoutError) -> bool {
    error == std::sync::mpsc::RecvTimeoutError::Timeout
}

impl Progress for Bar {
    fn logs_read(&self, read: usize, all: usize) {
        if !self.is_shown || all < 2 || self.start.elapsed() < QUIET {
            return;
        }
        let bar = self.bar.get_or_init(|| {
            let bar = ProgressBar::new(all as u64);
            let style = ProgressStyle::with_template("{bar:40} {pos} of {len} logs, {eta} left");
            bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        });
        bar.set_position(read as u64);
    }
}
