//! What is done, how fast this machine is, and what remains.

use std::collections::HashSet;
use std::io::{IsTerminal as _, Write as _};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::Unit;
use super::weights::Weights;

/// From here on the speed of the machine is known well enough.
const YARDSTICK: Duration = Duration::from_secs(15);
/// What is shorter than this needs no words.
const SHORT: Duration = Duration::from_secs(30);
/// How often a line is printed where no terminal can rewrite one.
const LINE_EVERY: Duration = Duration::from_secs(60);

/// Shows progress until it is ended.
pub struct Progress {
    units: Sender<(String, bool)>,
    shower: JoinHandle<()>,
}

impl Progress {
    /// Starts with nothing done.
    pub fn start(weights: Weights) -> Self {
        let (units, received) = channel();
        let shower = std::thread::spawn(move || show(&mut State::new(weights), &received));
        Self { units, shower }
    }

    /// One unit is there.
    pub fn finished(&self, unit: &Unit) {
        // A shower that ended shows nothing more: no reason to stop the build.
        let _ = self.units.send((unit.key.clone(), unit.is_fresh));
    }

    /// Says no more.
    pub fn end(self) {
        drop(self.units);
        let _ = self.shower.join();
    }
}

fn show(state: &mut State, units: &Receiver<(String, bool)>) {
    let started = Instant::now();
    let is_terminal = std::io::stderr().is_terminal();
    let mut next_line = YARDSTICK.max(SHORT);
    let mut has_said_speed = false;
    loop {
        match units.recv_timeout(Duration::from_millis(500)) {
            Ok((key, is_fresh)) => state.finished(&key, is_fresh),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        let elapsed = started.elapsed();
        let Some(left) = state.left(elapsed).filter(|_| elapsed >= YARDSTICK) else { continue };
        if !has_said_speed && left > SHORT {
            has_said_speed = true;
            eprintln!(
                "build: {} of {} parts in the first {} s: about {} on this machine",
                state.compiled,
                state.to_compile(),
                elapsed.as_secs(),
                minutes(elapsed + left)
            );
            eprintln!("build: Ctrl-C stops it, the same command goes on from there");
        }
        if is_terminal {
            eprint!("\r\x1b[Kbuild: {}", state.line(left));
            let _ = std::io::stderr().flush();
        } else if elapsed >= next_line {
            next_line = elapsed + LINE_EVERY;
            eprintln!("build: {}", state.line(left));
        }
    }
    if is_terminal && has_said_speed {
        eprint!("\r\x1b[K");
    }
    if has_said_speed {
        eprintln!("build: took {}", minutes(started.elapsed()));
    }
}

/// What is done and what is not.
struct State {
    weights: Weights,
    pending: HashSet<&'static str>,
    /// Weight of all that is not there yet.
    left: f64,
    /// Weight of what was compiled in this run.
    done: f64,
    compiled: usize,
}

impl State {
    fn new(weights: Weights) -> Self {
        let pending = weights.seconds.keys().copied().collect();
        let left = weights.seconds.values().sum();
        Self { weights, pending, left, done: 0.0, compiled: 0 }
    }

    fn finished(&mut self, key: &str, is_fresh: bool) {
        self.compiled += usize::from(!is_fresh);
        let Some(key) = self.pending.take(key) else { return };
        let weight = self.weights.seconds.get(key).copied().unwrap_or(0.0);
        self.left -= weight;
        if !is_fresh {
            self.done += weight;
        }
    }

    fn to_compile(&self) -> usize {
        self.compiled + self.pending.len()
    }

    /// Time that remains at the speed so far; `None`: nothing was compiled yet.
    fn left(&self, elapsed: Duration) -> Option<Duration> {
        (self.done > 0.0).then(|| elapsed.mul_f64((self.left / self.done).max(0.0)))
    }

    fn line(&self, left: Duration) -> String {
        let share = 100.0 * self.done / (self.done + self.left).max(f64::MIN_POSITIVE);
        let (compiled, all) = (self.compiled, self.to_compile());
        format!("{share:.0} %, {compiled} of {all} parts, about {} left", minutes(left))
    }
}

/// As a person says how long something takes.
fn minutes(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..90 => format!("{seconds} s"),
        seconds => format!("{} min", (seconds + 30) / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state() -> State {
        State::new(Weights { seconds: [("a lib", 10.0), ("b lib", 30.0), ("c lib", 60.0)].into() })
    }

    #[test]
    fn the_time_that_remains_follows_from_the_speed_so_far() {
        let mut state = state();
        assert_eq!(state.left(Duration::from_secs(5)), None);
        state.finished("a lib", false);
        // Ten of a hundred took five seconds: ninety take 45.
        assert_eq!(state.left(Duration::from_secs(5)), Some(Duration::from_secs(45)));
        assert_eq!(state.line(Duration::from_secs(45)), "10 %, 1 of 3 parts, about 45 s left");
    }

    #[test]
    fn what_was_there_before_is_neither_work_nor_speed() {
        let mut state = state();
        state.finished("c lib", true);
        state.finished("a lib", false);
        assert_eq!(state.left(Duration::from_secs(10)), Some(Duration::from_secs(30)));
    }

    #[test]
    fn a_part_that_nobody_weighed_changes_no_time() {
        let mut state = state();
        state.finished("new lib", false);
        assert_eq!(state.left(Duration::from_secs(10)), None);
    }

    #[test]
    fn times_are_said_in_seconds_or_minutes() {
        assert_eq!(minutes(Duration::from_secs(89)), "89 s");
        assert_eq!(minutes(Duration::from_secs(100)), "2 min");
    }
}
