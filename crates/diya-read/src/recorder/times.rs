//! Times of calls: differences to the start of the call before.

use super::bytes::Rest;

/// A difference with this bit is of a call that began before the one before it: in
/// another thread. As a number without sign it would be 214 s or more.
const NEGATIVE: u32 = 1 << 31;

/// Starts and ends of a rank's calls, in ticks since the rank began.
#[derive(Debug)]
pub(super) struct Times<'a> {
    rest: Rest<'a>,
    before: i64,
}

impl<'a> Times<'a> {
    pub fn of(bytes: &'a [u8]) -> Self {
        Self { rest: Rest(bytes), before: 0 }
    }
}

impl Iterator for Times<'_> {
    type Item = (i64, i64);

    #[inline]
    fn next(&mut self) -> Option<(i64, i64)> {
        let (start, end) = (self.rest.u32()?, self.rest.u32()?);
        // The recorder keeps 32 bits of each. An end before its start shows which it lost.
        let (start, end) = match end < start {
            true if start >= NEGATIVE => (i64::from(start) - (1 << 32), i64::from(end)),
            true => (i64::from(start), i64::from(end) + (1 << 32)),
            false => (i64::from(start), i64::from(end)),
        };
        let times = (self.before + start, self.before + end);
        self.before = times.0;
        Some(times)
    }
}
