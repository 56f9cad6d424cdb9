//! Questions take turns: a page in motion asks for more than a machine can work out
//! at once, and a browser on the same machine needs it to draw.

use diya_page::timeline::Question;
use std::sync::{Condvar, Mutex, PoisonError};

/// Two queues: what moves must not wait for what is read at leisure.
pub struct ConcurrencyLimit {
    /// Pictures of a part of the calls.
    quick: Queue,
    /// Whatever goes over all of them.
    slow: Queue,
}

impl ConcurrencyLimit {
    /// Half of the processors for each queue, and at least one.
    pub fn new(processors: usize) -> Self {
        let places = (processors / 2).max(1);
        Self { quick: Queue::new(places), slow: Queue::new(places) }
    }

    /// Waits until the question's turn has come. `None`: it needs none, as no call is
    /// looked at for it, or it waits for something else.
    pub fn wait(&self, question: &Question) -> Option<Turn<'_>> {
        match question {
            Question::Tile(_)
            | Question::Activity(_)
            | Question::NearestCall(_)
            | Question::Call(_) => Some(self.quick.wait()),
            Question::Calls(_)
            | Question::AreaStatistics(_)
            | Question::CallTree(_)
            | Question::StackCosts(_) => Some(self.slow.wait()),
            Question::Describe(_) | Question::Report(_) | Question::Table(_) | Question::Sql(_) => {
                None
            }
        }
    }

    /// The same for the page of many jobs: its list of jobs waits for no figure.
    pub fn wait_for_fleet(&self, is_slow: bool) -> Turn<'_> {
        if is_slow { self.slow.wait() } else { self.quick.wait() }
    }
}

struct Queue {
    free: Mutex<usize>,
    change: Condvar,
}

impl Queue {
    fn new(places: usize) -> Self {
        Self { free: Mutex::new(places), change: Condvar::new() }
    }

    fn wait(&self) -> Turn<'_> {
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let free = self.change.wait_while(free, |free| *free == 0);
        *free.unwrap_or_else(PoisonError::into_inner) -= 1;
        Turn(self)
    }
}

/// A turn; it ends when this is dropped.
pub struct Turn<'q>(&'q Queue);

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        *self.0.free.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.0.change.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use diya_page::timeline::{AreaQuestion, CallQuestion, ReportQuestion};

    #[test]
    fn what_is_slow_holds_up_nothing_quick() {
        let turns = ConcurrencyLimit::new(2);
        let slow = turns.wait(&Question::AreaStatistics(AreaQuestion::default()));
        let quick = turns.wait(&Question::Call(CallQuestion::default()));
        assert!(slow.is_some() && quick.is_some());
        assert_eq!(*turns.quick.free.lock().unwrap(), 0);
        drop(quick);
        assert_eq!(*turns.quick.free.lock().unwrap(), 1);
        assert!(
            turns.wait(&Question::Report(ReportQuestion {})).is_none(),
            "it waits for the diagnosis"
        );
    }
}
