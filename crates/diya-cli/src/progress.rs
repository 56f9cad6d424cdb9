//! Stage and remaining time of work that takes more than a second.

use crate::options::Common;
use diya::{Progress, Stage};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Shorter work shows nothing: a line that flashes by is noise.
const QUIET: Duration = Duration::from_secs(1);

/// Time between two pictures of the spinner.
const TICK: Duration = Duration::from_millis(100);

/// Says on a terminal what is done now: `reading 3 of 12 logs`, `judging`.
pub struct Bar {
    start: Instant,
    stage: Mutex<Now>,
    is_shown: bool,
}

/// What is done now.
#[derive(Debug, Clone, Default)]
enum Now {
    /// What the command calls its work.
    #[default]
    Work,
    /// So many of all logs are read, since when.
    Reading { read: usize, all: usize, since: Instant },
    /// What follows.
    Stage(Stage),
}

impl Bar {
    pub fn new(common: &Common) -> Self {
        let is_shown = !common.quiet && std::io::stderr().is_terminal();
        Self { start: Instant::now(), stage: Mutex::default(), is_shown }
    }

    /// Runs the work, with a line for when it takes long.
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
        self.set(Now::Work);
        let spinner = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        let style = ProgressStyle::with_template("{spinner} {wide_msg}");
        spinner.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
        let (done, wait) = std::sync::mpsc::channel::<()>();
        let result = std::thread::scope(|scope| {
            let (spinner, count) = (&spinner, &count);
            scope.spawn(move || {
                // The channel closes when the work is done, which ends the wait.
                while wait.recv_timeout(TICK).is_err_and(is_timeout) {
                    if self.start.elapsed() < QUIET {
                        continue;
                    }
                    // A new target starts on a line of its own: set it only once.
                    if spinner.is_hidden() {
                        spinner.set_draw_target(ProgressDrawTarget::stderr());
                    }
                    let now = self.now().words(&what(count.load(Ordering::Relaxed)));
                    spinner.set_message(format!("{now}, {} s", self.start.elapsed().as_secs()));
                    spinner.tick();
                }
            });
            let result = work(count);
            drop(done);
            result
        });
        spinner.finish_and_clear();
        result
    }

    fn set(&self, now: Now) {
        *self.stage.lock().unwrap_or_else(PoisonError::into_inner) = now;
    }

    fn now(&self) -> Now {
        self.stage.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Now {
    /// In words; `work` is what the command calls its work.
    fn words(&self, work: &str) -> String {
        match self {
            Self::Work => work.to_owned(),
            Self::Reading { read, all, .. } if read == all => "preparing tables".to_owned(),
            Self::Reading { all: 1, .. } => "reading the log".to_owned(),
            Self::Reading { read, all, since } => {
                let left = remaining(*read, *all, since.elapsed());
                let left = left.map(|s| format!(", about {s} s left")).unwrap_or_default();
                // Before the first one is read, the first one is being read.
                format!("reading {} of {all} logs{left}", read + 1)
            }
            Self::Stage(Stage::Computing) => "computing metrics".to_owned(),
            Self::Stage(Stage::Judging) => "judging".to_owned(),
        }
    }
}

/// Seconds that the other logs take if they are like those before.
fn remaining(read: usize, all: usize, elapsed: Duration) -> Option<u64> {
    (read > 0).then(|| (elapsed.as_secs_f64() / read as f64 * (all - read) as f64).ceil() as u64)
}

fn is_timeout(error: std::sync::mpsc::RecvTimeoutError) -> bool {
    error == std::sync::mpsc::RecvTimeoutError::Timeout
}

impl Progress for Bar {
    fn logs_read(&self, read: usize, all: usize) {
        if !self.is_shown {
            return;
        }
        let mut now = self.stage.lock().unwrap_or_else(PoisonError::into_inner);
        *now = match &*now {
            // Threads tell of their logs in any order.
            Now::Reading { read: before, since, .. } if read > 0 => {
                Now::Reading { read: read.max(*before), all, since: *since }
            }
            _ => Now::Reading { read, all, since: Instant::now() },
        };
    }

    fn began(&self, stage: Stage) {
        if self.is_shown {
            self.set(Now::Stage(stage));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_are_said_in_words() {
        let words = |now: Now| now.words("diagnosing");
        assert_eq!(words(Now::Work), "diagnosing");
        assert_eq!(words(Now::Stage(Stage::Judging)), "judging");
        let since = Instant::now();
        assert_eq!(words(Now::Reading { read: 0, all: 1, since }), "reading the log");
        assert_eq!(words(Now::Reading { read: 0, all: 12, since }), "reading 1 of 12 logs");
        assert_eq!(words(Now::Reading { read: 12, all: 12, since }), "preparing tables");
        let told = words(Now::Reading { read: 3, all: 12, since });
        assert!(told.starts_with("reading 4 of 12 logs, about "), "{told}");
    }

    #[test]
    fn the_remaining_time_follows_from_the_logs_before() {
        assert_eq!(remaining(0, 12, Duration::from_secs(5)), None);
        assert_eq!(remaining(3, 12, Duration::from_secs(6)), Some(18));
        assert_eq!(remaining(12, 12, Duration::from_secs(6)), Some(0));
    }
}
