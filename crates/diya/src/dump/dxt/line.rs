//! The part of a line that every traced call has, up to its end time.
//!
//! ` X_POSIX       0  write        0               0         8388608      0.2864      0.3919`
//!
//! Fields are right-aligned: module 8, rank 8, operation 7, segment 9, offset
//! 16, length 16, start and end 12 with four decimals. A value that needs more
//! room pushes the rest to the right, as printf does.

use crate::dump::numbers::{exact, fill_right, scaled};
use diya_tables::{Layer, Op};

const HEAD: usize = 23;
const SEGMENT: usize = 32;
const OFFSET: usize = 48;
const SIZE: usize = 64;
const START: usize = 76;
const END: usize = 88;

/// Decimals of the times, and what one second is in their last digit.
const DECIMALS: u32 = 4;
const SECOND: u64 = 10_000;

/// Largest numbers that fit into their fields.
const MAX_SEGMENT: u64 = 999_999_999;
const MAX_BYTES: u64 = 9_999_999_999_999_999;

/// Lines of one operation on one rank.
pub(super) struct Line {
    head: String,
    /// A whole line with only the head in it; `None`: the head is too wide.
    empty: Option<[u8; END]>,
}

impl Line {
    pub fn new(layer: Layer, rank: i32, op: Op) -> Self {
        let module = if layer == Layer::Mpiio { "X_MPIIO" } else { "X_POSIX" };
        let head = format!("{module:>8}{rank:>8}{:>7}", op.name());
        let empty = (head.len() == HEAD).then(|| {
            let mut empty = [b' '; END];
            empty[..HEAD].copy_from_slice(head.as_bytes());
            empty
        });
        Self { head, empty }
    }

    /// Appends a line: offset and size in bytes, start and end in seconds.
    #[inline]
    pub fn push(&self, out: &mut Vec<u8>, segment: u64, bytes: (i64, i64), times: (f64, f64)) {
        match self.fast(segment, bytes, times) {
            Some(line) => out.extend_from_slice(&line),
            None => self.slow(out, segment, bytes, times),
        }
    }

    #[inline]
    fn fast(&self, segment: u64, bytes: (i64, i64), times: (f64, f64)) -> Option<[u8; END]> {
        let mut line = self.empty?;
        let offset = u64::try_from(bytes.0).ok()?;
        let size = u64::try_from(bytes.1).ok()?;
        if segment > MAX_SEGMENT || offset > MAX_BYTES || size > MAX_BYTES {
            return None;
        }
        // Below 1e11 ten-thousandths, so that they fit into their fields.
        let start = scaled::<DECIMALS>(times.0)?;
        let end = scaled::<DECIMALS>(times.1)?;
        fill_right(&mut line[HEAD..SEGMENT], segment);
        fill_right(&mut line[SEGMENT..OFFSET], offset);
        fill_right(&mut line[OFFSET..SIZE], size);
        fill_time(&mut line[SIZE..START], start);
        fill_time(&mut line[START..END], end);
        Some(line)
    }

    fn slow(&self, out: &mut Vec<u8>, segment: u64, bytes: (i64, i64), times: (f64, f64)) {
        let (start, end) = (exact(times.0, DECIMALS), exact(times.1, DECIMALS));
        let (offset, size) = bytes;
        let line =
            format!("{}{segment:>9}{offset:>16}{size:>16}{start:>12}{end:>12}", self.head);
        out.extend_from_slice(line.as_bytes());
    }
}

/// A time in ten-thousandths of a second, at the end of a field of 12.
#[inline]
fn fill_time(field: &mut [u8], time: u64) {
    let decimals = field.len() - DECIMALS as usize;
    let (seconds, part) = (time / SECOND, time % SECOND);
    field[decimals..].fill(b'0');
    fill_right(&mut field[decimals..], part);
    field[decimals - 1] = b'.';
    fill_right(&mut field[..decimals - 1], seconds);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(rank: i32, op: Op, segment: u64, bytes: (i64, i64), times: (f64, f64)) -> String {
        let mut out = Vec::new();
        Line::new(Layer::Posix, rank, op).push(&mut out, segment, bytes, times);
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
            fast.push(&mut a, segment, (offset, offset / 3), (start, start * 1.5));
            slow.push(&mut b, segment, (offset, offset / 3), (start, start * 1.5));
            assert_eq!(String::from_utf8_lossy(&a), String::from_utf8_lossy(&b));
        }
    }
}
