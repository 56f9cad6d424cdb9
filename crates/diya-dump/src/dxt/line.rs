//! The part of a line that every traced call has, up to its end time.
//!
//! ` X_POSIX       0  write        0               0         8388608      0.2864      0.3919`
//!
//! Fields are right-aligned: module 8, rank 8, operation 7, segment 9, offset
//! 16, length 16, start and end 12 with four decimals. A value that needs more
//! room pushes the rest to the right, as printf does.

use crate::numbers::{EIGHT_DIGITS, eight_digits, exact, fill_right, scaled};
use diya_tables::{Layer, Op};

const HEAD: usize = 23;
const SEGMENT: usize = 32;
const OFFSET: usize = 48;
const SIZE: usize = 64;
const START: usize = 76;
const END: usize = 88;
const WHOLE: usize = 95;

/// What stands after the end time where no thread id was recorded.
const NO_THREAD: &[u8; WHOLE - END] = b"   N/A\n";

/// Decimals of the times, and what one second is in their last digit.
const DECIMALS: u32 = 4;
const SECOND: u64 = 10_000;

/// Largest number that fits into the field of the offset or the length.
const MAX_BYTES: u64 = 9_999_999_999_999_999;

/// Lines of one operation on one rank.
pub(super) struct Line {
    head: String,
    /// A line with only the head and no thread; `None`: the head is too wide.
    empty: Option<[u8; WHOLE]>,
}

/// What differs from line to line.
#[derive(Debug, Clone, Copy)]
pub(super) struct Call {
    pub segment: u64,
    pub offset: i64,
    pub size: i64,
    pub start_s: f64,
    pub end_s: f64,
}

impl Line {
    pub fn new(layer: Layer, rank: i32, op: Op) -> Self {
        let module = if layer == Layer::Mpiio { "X_MPIIO" } else { "X_POSIX" };
        let head = format!("{module:>8}{rank:>8}{:>7}", op.name());
        let empty = (head.len() == HEAD).then(|| {
            let mut empty = [b' '; WHOLE];
            empty[..HEAD].copy_from_slice(head.as_bytes());
            empty[END..].copy_from_slice(NO_THREAD);
            empty
        });
        Self { head, empty }
    }

    /// Appends the line up to the end time.
    #[inline]
    pub fn push(&self, out: &mut Vec<u8>, call: Call) {
        match self.fast(call) {
            Some(line) => out.extend_from_slice(&line[..END]),
            None => self.slow(out, call),
        }
    }

    /// Appends the line of a call without a thread id.
    #[inline]
    pub fn push_whole(&self, out: &mut Vec<u8>, call: Call) {
        match self.fast(call) {
            Some(line) => out.extend_from_slice(&line),
            None => {
                self.slow(out, call);
                out.extend_from_slice(NO_THREAD);
            }
        }
    }

    #[inline]
    fn fast(&self, call: Call) -> Option<[u8; WHOLE]> {
        let mut line = self.empty?;
        let offset = u64::try_from(call.offset).ok()?;
        let size = u64::try_from(call.size).ok()?;
        if call.segment >= EIGHT_DIGITS || offset > MAX_BYTES || size > MAX_BYTES {
            return None;
        }
        // Below 1e11 ten-thousandths, so that they fit into their fields.
        let start = scaled::<DECIMALS>(call.start_s)?;
        let end = scaled::<DECIMALS>(call.end_s)?;
        fill_small(&mut line[HEAD..SEGMENT], call.segment);
        fill_small(&mut line[SEGMENT..OFFSET], offset);
        fill_small(&mut line[OFFSET..SIZE], size);
        fill_time(&mut line[SIZE..START], start);
        fill_time(&mut line[START..END], end);
        Some(line)
    }

    #[cold]
    fn slow(&self, out: &mut Vec<u8>, call: Call) {
        let (start, end) = (exact(call.start_s, DECIMALS), exact(call.end_s, DECIMALS));
        let Call { segment, offset, size, .. } = call;
        let line = format!("{}{segment:>9}{offset:>16}{size:>16}{start:>12}{end:>12}", self.head);
        out.extend_from_slice(line.as_bytes());
    }
}

/// A number, at the end of an empty field of at least eight.
#[inline]
fn fill_small(field: &mut [u8], value: u64) {
    if value < EIGHT_DIGITS {
        let start = field.len() - 8;
        field[start..].copy_from_slice(&eight_digits(value, 1));
    } else {
        fill_right(field, value);
    }
}

/// A time in ten-thousandths of a second, at the end of an empty field of 12.
#[inline]
fn fill_time(field: &mut [u8], time: u64) {
    let point = field.len() - DECIMALS as usize - 1;
    if time < EIGHT_DIGITS {
        let digits = eight_digits(time, DECIMALS + 1);
        field[point - 4..point].copy_from_slice(&digits[..4]);
        field[point + 1..].copy_from_slice(&digits[4..]);
    } else {
        fill_right(&mut field[..point], time / SECOND);
        field[point + 1..].copy_from_slice(&eight_digits(time % SECOND, DECIMALS)[4..]);
    }
    field[point] = b'.';
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(rank: i32, op: Op, segment: u64, bytes: (i64, i64), times: (f64, f64)) -> String {
        let mut out = Vec::new();
        let (offset, size) = bytes;
        let (start_s, end_s) = times;
        let call = Call { segment, offset, size, start_s, end_s };
        Line::new(Layer::Posix, rank, op).push(&mut out, call);
        String::from_utf8(out).expect("text")
    }

    #[test]
    fn a_line_looks_as_darshan_prints_it() {
        assert_eq!(
            line(0, Op::Write, 0, (0, 8_388_608), (0.286_366, 0.391_94)),
            " X_POSIX       0  write        0               0         8388608      0.2864      0.3919",
        );
        assert_eq!(
            line(1023, Op::Read, 12, (800, 512), (0.238_45, 12_345.678_91)),
            " X_POSIX    1023   read       12             800             512      0.2384  12345.6789",
        );
    }

    #[test]
    fn what_does_not_fit_pushes_the_rest_to_the_right() {
        assert_eq!(
            line(123_456_789, Op::Read, 1, (i64::MAX, 5), (1e9, 1e9)),
            " X_POSIX123456789   read        19223372036854775807               5\
             1000000000.00001000000000.0000",
        );
    }

    #[test]
    fn an_unknown_offset_is_minus_one() {
        let line = line(0, Op::Write, 3, (-1, 100), (1.0, 2.0));
        assert_eq!(&line[32..48], "              -1");
    }

    #[test]
    fn fast_and_slow_lines_are_the_same() {
        let fast = Line::new(Layer::Mpiio, 7, Op::Write);
        let slow = Line { head: fast.head.clone(), empty: None };
        let mut state = 1_u64;
        for segment in 0..20_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let offset = i64::try_from(state >> (state % 50 + 10)).expect("small");
            let start = (state >> 40) as f64 / 10_000.0 + (segment % 7) as f64 / 80_000.0;
            let (mut a, mut b) = (Vec::new(), Vec::new());
            let size = offset / 3;
            let call = Call { segment, offset, size, start_s: start, end_s: start * 1.5 };
            fast.push_whole(&mut a, call);
            slow.push_whole(&mut b, call);
            assert_eq!(String::from_utf8_lossy(&a), String::from_utf8_lossy(&b));
        }
    }
}
