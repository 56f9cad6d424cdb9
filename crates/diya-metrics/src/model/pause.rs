//! The program's own time between calls that follow each other closely.
//!
//! A program that reads 64 bytes at a time spends more time around its calls
//! than in them: loops, the interpreter, text that is formatted or parsed. Fewer
//! calls spare that, too, so it counts to what a fix wins at most. A longer
//! pause is computing, and counts nothing.

/// Pause that the handling of one call takes at most: some microseconds in an
/// interpreted language, with a recorder beside it.
const HANDLING_S: f64 = 20e-6;

/// Seconds per byte of text: printing or parsing a number of 20 characters
/// takes up to half a microsecond in C and Fortran.
const TEXT_BYTE_S: f64 = 25e-9;

/// Largest buffers in which libraries hand on text.
const TEXT_BYTES: i64 = 16 * 1024;

/// Longest pause beside a call that moves this many bytes; a longer one is
/// computing.
pub(super) fn longest_s(bytes: i64) -> f64 {
    HANDLING_S + bytes.clamp(0, TEXT_BYTES) as f64 * TEXT_BYTE_S
}

/// Share of the run time in calls below which pauses are computing, however
/// short: the limit below which I/O is no matter.
pub(super) const LEAST_IO_RATIO: f64 = 0.01;

/// Pauses that counters tell: of `calls` requests that took `time_s` between
/// the start of the first and the end of the last, `span_s` later. Nothing
/// where the mean pause is too long.
pub(super) fn from_span_s(calls: f64, bytes: f64, time_s: f64, span_s: f64) -> f64 {
    let pause_s = span_s - time_s;
    if calls < 2.0 || pause_s <= 0.0 {
        return 0.0;
    }
    let is_short = pause_s / calls <= longest_s((bytes / calls) as i64);
    if is_short { pause_s } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_pauses_between_counted_calls_belong_to_them() {
        assert!((from_span_s(1000.0, 64_000.0, 0.001, 0.011) - 0.01).abs() < 1e-12);
    }

    #[test]
    fn long_pauses_are_computing() {
        assert_eq!(from_span_s(1000.0, 64_000.0, 0.001, 0.1), 0.0);
        assert!((from_span_s(1000.0, 8_192_000.0, 0.001, 0.2) - 0.199).abs() < 1e-12);
    }

    #[test]
    fn one_call_has_no_pause() {
        assert_eq!(from_span_s(1.0, 64.0, 0.001, 0.002), 0.0);
    }
}
