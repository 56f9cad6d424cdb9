//! Files `.itf` of version 2.2: one record a call, as its differences to one of the three before.

use super::bytes::Rest;
use std::collections::VecDeque;

/// Calls that a record can refer to.
const WINDOW: usize = 3;

/// A record that holds only what differs; its other bits say which arguments.
const IS_DIFFERENCE: u8 = 0x80;

/// Arguments that a difference can name.
const MAX_DIFFERENT: usize = 7;

/// A call, in ticks since its rank began.
#[derive(Debug, Clone)]
pub(super) struct Record<'b> {
    pub start: i64,
    pub end: i64,
    pub result: i32,
    pub function: usize,
    pub args: Vec<&'b [u8]>,
}

/// The records of a rank.
#[derive(Debug)]
pub(super) struct Records<'b> {
    rest: Rest<'b>,
    window: VecDeque<(usize, Vec<&'b [u8]>)>,
    /// Records that refer to a call that is not there, or a cut one.
    pub damaged: u64,
}

impl<'b> Records<'b> {
    pub fn of(bytes: &'b [u8]) -> Self {
        Self { rest: Rest(bytes), window: VecDeque::new(), damaged: 0 }
    }

    fn record(&mut self) -> Option<Option<Record<'b>>> {
        let status = self.rest.u8()?;
        let (start, end) = (i64::from(self.rest.i32()?), i64::from(self.rest.i32()?));
        let (result, number) = (self.rest.i32()?, usize::from(self.rest.u8()?));
        let line_bytes = memchr::memchr(b'\n', self.rest.0)?;
        let line = self.rest.take(line_bytes)?;
        self.rest.take(1)?;
        // Each argument begins with a blank.
        let args: Vec<&[u8]> = match line.strip_prefix(b" ") {
            Some(line) => line.split(|byte| *byte == b' ').collect(),
            None => Vec::new(),
        };
        let (function, args) = if status & IS_DIFFERENCE == 0 {
            (number, args)
        } else {
            let Some((function, before)) = self.window.get(number).cloned() else {
                return Some(None);
            };
            let mut new = args.into_iter();
            let differs = |at: usize| at < MAX_DIFFERENT && status & (1 << at) != 0;
            let arg = |(at, old)| if differs(at) { new.next() } else { Some(old) };
            match before.into_iter().enumerate().map(arg).collect() {
                Some(args) => (function, args),
                None => return Some(None),
            }
        };
        self.window.push_front((function, args.clone()));
        self.window.truncate(WINDOW);
        Some(Some(Record { start, end, result, function, args }))
    }
}

impl<'b> Iterator for Records<'b> {
    type Item = Record<'b>;

    fn next(&mut self) -> Option<Record<'b>> {
        loop {
            if self.rest.0.is_empty() {
                return None;
            }
            match self.record() {
                Some(Some(record)) => return Some(record),
                Some(None) => self.damaged += 1,
                None => {
                    self.damaged += 1;
                    self.rest = Rest(&[]);
                }
            }
        }
    }
}
