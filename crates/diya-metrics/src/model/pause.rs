//! A library's own time between calls that it makes inside one call of its own.
//!
//! A library that passes an array on in pieces of 64 bytes spends more time around
//! the calls below than in them. Fewer calls save that time, too, so it is part of
//! the largest saving. It counts up to the time of the calls themselves, because the
//! part that remains is unknown. Time between a program's own calls is computing,
//! however short.

use super::load::{Load, Part};

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

/// Leaves of the pauses no more than the calls beside them take.
pub(super) fn limit(load: &mut Load) {
    if load.is_of_library {
        return; // with a few chunks in place of thousands next to nothing of it remains
    }
    for side in [&mut load.read, &mut load.write] {
        let kept = if side.pause_s > side.time_s { side.time_s / side.pause_s } else { 1.0 };
        side.pause_s *= kept;
        let of_part = |part: &mut Part| part.pause_s *= kept;
        of_part(&mut side.tiny);
        of_part(&mut side.small);
    }
    if let Some(exact) = &mut load.exact {
        let calls_s = exact.open_s + exact.close_s + exact.stat_s + exact.seek_s;
        exact.pause_s = exact.pause_s.min(calls_s);
    }
}

#[cfg(test)]
mod tests {
    use super::super::load::NO_PHASE;
    use super::*;
    use diya_tables::Layer;

    #[test]
    fn pauses_never_count_more_than_the_calls_beside_them() {
        let mut load = Load::new(Layer::Posix, 1, 0, NO_PHASE);
        (load.read.time_s, load.read.pause_s, load.read.small.pause_s) = (1.0, 4.0, 2.0);
        (load.write.time_s, load.write.pause_s) = (3.0, 2.0);
        limit(&mut load);
        assert_eq!((load.read.pause_s, load.read.small.pause_s), (1.0, 0.5));
        assert_eq!(load.write.pause_s, 2.0);
    }
}
