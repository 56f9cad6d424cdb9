//! Questions take turns: a page in motion asks for more than a machine can work out
//! at once, and a browser on the same machine needs it to draw.

use std::sync::{Condvar, Mutex, PoisonError};

/// Two queues: what moves must not wait for what is read at leisure.
pub struct Turns {
    /// Pictures of a part of the calls.
    quick: Queue,
    /// Whatever goes over all of them.
    slow: Queue,
}

impl Turns {
    /// Half of the processors for each queue, and at least one.
    pub fn new(processors: usize) -> Self {
        let places = (processors / 2).max(1);
        Self { quick: Queue::new(places), slow: Queue::new(places) }
    }

    /// Waits until the question's turn has come. `None`: it needs none, as no call is
    /// looked at for it, or it waits for something else.
    pub fn wait(&self, question: &[u8]) -> Option<Turn<'_>> {
        match method(question) {
            b"tile" | b"activity" | b"nearest_call" | b"call" => Some(self.quick.wait()),
            b"calls" | b"area_statistics" | b"call_tree" | b"stack_costs" => Some(self.slow.wait()),
            _ => None,
        }
    }
}

/// The method of a question; empty: it names none, and is answered with an error.
fn method(question: &[u8]) -> &[u8] {
    let mut texts = question.split(|byte| *byte == b'"').skip(1).step_by(2);
    // The page names it first. What stands elsewhere is only not queued.
    let is_first = texts.next() == Some(b"method");
    texts.next().filter(|_| is_first).unwrap_or_default()
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

    #[test]
    fn a_question_is_known_by_its_method() {
        assert_eq!(method(br#"{"method":"tile","x":1}"#), b"tile");
        assert_eq!(method(br#"{ "method" : "calls" }"#), b"calls");
        assert!(method(br#"{"x":"method"}"#).is_empty() && method(b"no json").is_empty());
    }

    #[test]
    fn what_is_slow_holds_up_nothing_quick() {
        let turns = Turns::new(2);
        let slow = turns.wait(br#"{"method":"area_statistics"}"#);
        let quick = turns.wait(br#"{"method":"tile"}"#);
        assert!(slow.is_some() && quick.is_some());
        assert_eq!(*turns.quick.free.lock().unwrap(), 0);
        drop(quick);
        assert_eq!(*turns.quick.free.lock().unwrap(), 1);
        assert!(turns.wait(br#"{"method":"report"}"#).is_none(), "it waits for the diagnosis");
    }
}
