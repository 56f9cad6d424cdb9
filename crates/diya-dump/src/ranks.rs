//! Who was fastest and who was slowest: the comparison of ranks in a record.
//!
//! Records of all ranks hold the result of Darshan's own comparison. A record
//! of one rank stands for that rank.

use super::counters::{Counters, Record};

/// The counters that compare ranks, and what they are computed from.
#[derive(Debug)]
pub(super) struct Ranks {
    pub fastest: usize,
    pub fastest_bytes: usize,
    pub slowest: usize,
    pub slowest_bytes: usize,
    pub f_fastest: usize,
    pub f_slowest: usize,
    bytes_read: usize,
    bytes_written: usize,
    f_read: usize,
    f_write: usize,
    f_meta: usize,
}

/// A record on one side of the comparison of ranks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Side {
    pub rank: i64,
    pub bytes: i64,
    pub time_s: f64,
}

/// Records of different files: no rank is the fastest.
pub(super) const NO_SIDE: Side = Side { rank: -1, bytes: -1, time_s: 0.0 };

impl Ranks {
    pub fn of(counters: &Counters<'_>) -> Self {
        Self {
            fastest: counters.int_at("FASTEST_RANK"),
            fastest_bytes: counters.int_at("FASTEST_RANK_BYTES"),
            slowest: counters.int_at("SLOWEST_RANK"),
            slowest_bytes: counters.int_at("SLOWEST_RANK_BYTES"),
            f_fastest: counters.float_at("F_FASTEST_RANK_TIME"),
            f_slowest: counters.float_at("F_SLOWEST_RANK_TIME"),
            bytes_read: counters.int_at("BYTES_READ"),
            bytes_written: counters.int_at("BYTES_WRITTEN"),
            f_read: counters.float_at("F_READ_TIME"),
            f_write: counters.float_at("F_WRITE_TIME"),
            f_meta: counters.float_at("F_META_TIME"),
        }
    }

    /// The fastest rank of a record.
    pub fn fastest_of(&self, record: &Record) -> Side {
        if record.rank == -1 {
            Side {
                rank: record.ints[self.fastest],
                bytes: record.ints[self.fastest_bytes],
                time_s: record.floats[self.f_fastest],
            }
        } else {
            self.side_of(record)
        }
    }

    /// The slowest rank of a record.
    pub fn slowest_of(&self, record: &Record) -> Side {
        if record.rank == -1 {
            Side {
                rank: record.ints[self.slowest],
                bytes: record.ints[self.slowest_bytes],
                time_s: record.floats[self.f_slowest],
            }
        } else {
            self.side_of(record)
        }
    }

    fn side_of(&self, record: &Record) -> Side {
        let bytes = record.ints[self.bytes_read].wrapping_add(record.ints[self.bytes_written]);
        // The order of the additions decides about the last bit.
        let time_s =
            record.floats[self.f_read] + record.floats[self.f_write] + record.floats[self.f_meta];
        Side { rank: i64::from(record.rank), bytes, time_s }
    }
}
