//! Which counters a legacy record has, and in which order.
//!
//! Positions are those of the full list, that of 2.00 to 2.06: 144 integers and
//! 18 reals. Older versions lack some, and what follows a gap moves up.
//!
//! Source: darshan-log-format.h of the 2.x series (full list);
//! darshan-logutils.c of the same series (what 1.21 to 1.24 lack);
//! docs/formats/darshan-legacy.md, sections 4 and 5 (1.4).

/// Integers in the full list.
pub(super) const INTS: usize = 144;
/// Reals in the full list.
pub(super) const REALS: usize = 18;

// MPI-IO
pub(super) const INDEP_OPENS: usize = 0;
pub(super) const COLL_OPENS: usize = 1;
pub(super) const INDEP_READS: usize = 2;
pub(super) const INDEP_WRITES: usize = 3;
pub(super) const COLL_READS: usize = 4;
pub(super) const COLL_WRITES: usize = 5;
pub(super) const SPLIT_READS: usize = 6;
pub(super) const SPLIT_WRITES: usize = 7;
pub(super) const NB_READS: usize = 8;
pub(super) const NB_WRITES: usize = 9;
pub(super) const SYNCS: usize = 10;
// POSIX, streams among them
pub(super) const POSIX_READS: usize = 11;
pub(super) const POSIX_WRITES: usize = 12;
pub(super) const POSIX_OPENS: usize = 13;
pub(super) const POSIX_SEEKS: usize = 14;
pub(super) const POSIX_STATS: usize = 15;
pub(super) const POSIX_MMAPS: usize = 16;
pub(super) const POSIX_FREADS: usize = 17;
pub(super) const POSIX_FWRITES: usize = 18;
pub(super) const POSIX_FOPENS: usize = 19;
pub(super) const POSIX_FSEEKS: usize = 20;
pub(super) const POSIX_FSYNCS: usize = 21;
pub(super) const POSIX_FDSYNCS: usize = 22;
// PnetCDF and HDF5
pub(super) const INDEP_NC_OPENS: usize = 23;
pub(super) const COLL_NC_OPENS: usize = 24;
pub(super) const HDF5_OPENS: usize = 25;
/// First of 18: MPI datatypes by how they were made.
pub(super) const COMBINERS: usize = 26;
pub(super) const HINTS: usize = 44;
pub(super) const VIEWS: usize = 45;
pub(super) const MODE: usize = 46;
// Data moved by POSIX and stream calls
pub(super) const BYTES_READ: usize = 47;
pub(super) const BYTES_WRITTEN: usize = 48;
pub(super) const MAX_BYTE_READ: usize = 49;
pub(super) const MAX_BYTE_WRITTEN: usize = 50;
pub(super) const CONSEC_READS: usize = 51;
pub(super) const CONSEC_WRITES: usize = 52;
pub(super) const SEQ_READS: usize = 53;
pub(super) const SEQ_WRITES: usize = 54;
pub(super) const RW_SWITCHES: usize = 55;
pub(super) const MEM_NOT_ALIGNED: usize = 56;
pub(super) const MEM_ALIGNMENT: usize = 57;
pub(super) const FILE_NOT_ALIGNED: usize = 58;
pub(super) const FILE_ALIGNMENT: usize = 59;
pub(super) const MAX_READ_TIME_SIZE: usize = 60;
pub(super) const MAX_WRITE_TIME_SIZE: usize = 61;
/// First of 10, as each of the size counters below.
pub(super) const SIZE_READ: usize = 62;
pub(super) const SIZE_WRITE: usize = 72;
pub(super) const SIZE_READ_AGG: usize = 82;
pub(super) const SIZE_WRITE_AGG: usize = 92;
/// First of 20: extents of the datatypes of reads, then of writes.
pub(super) const EXTENTS: usize = 102;
/// First of 4, as each of the next three.
pub(super) const STRIDES: usize = 122;
pub(super) const STRIDE_COUNTS: usize = 126;
pub(super) const ACCESSES: usize = 130;
pub(super) const ACCESS_COUNTS: usize = 134;
// File system and comparison of ranks
pub(super) const DEVICE: usize = 138;
pub(super) const SIZE_AT_OPEN: usize = 139;
pub(super) const FASTEST_RANK: usize = 140;
pub(super) const FASTEST_RANK_BYTES: usize = 141;
pub(super) const SLOWEST_RANK: usize = 142;
pub(super) const SLOWEST_RANK_BYTES: usize = 143;

// Reals
pub(super) const F_OPEN_TIMESTAMP: usize = 0;
pub(super) const F_READ_START: usize = 1;
pub(super) const F_WRITE_START: usize = 2;
pub(super) const F_CLOSE_TIMESTAMP: usize = 3;
pub(super) const F_READ_END: usize = 4;
pub(super) const F_WRITE_END: usize = 5;
/// The reals before this one are points in time.
pub(super) const TIMESTAMPS: usize = 6;
pub(super) const F_POSIX_READ_TIME: usize = 6;
pub(super) const F_POSIX_WRITE_TIME: usize = 7;
pub(super) const F_POSIX_META_TIME: usize = 8;
pub(super) const F_MPI_META_TIME: usize = 9;
pub(super) const F_MPI_READ_TIME: usize = 10;
pub(super) const F_MPI_WRITE_TIME: usize = 11;
pub(super) const F_MAX_READ_TIME: usize = 12;
pub(super) const F_MAX_WRITE_TIME: usize = 13;
pub(super) const F_FASTEST_RANK_TIME: usize = 14;
pub(super) const F_SLOWEST_RANK_TIME: usize = 15;
pub(super) const F_VARIANCE_RANK_TIME: usize = 16;
pub(super) const F_VARIANCE_RANK_BYTES: usize = 17;

/// A stored integer that no counter of the full list is known for.
pub(super) const UNKNOWN: usize = usize::MAX;

/// The integers of a record in the order they are stored.
pub(super) type Slots = &'static [usize];

const ABSENT_1_21: [usize; 11] = [
    INDEP_NC_OPENS,
    COLL_NC_OPENS,
    HDF5_OPENS,
    MAX_READ_TIME_SIZE,
    MAX_WRITE_TIME_SIZE,
    DEVICE,
    SIZE_AT_OPEN,
    FASTEST_RANK,
    FASTEST_RANK_BYTES,
    SLOWEST_RANK,
    SLOWEST_RANK_BYTES,
];

pub(super) static SLOTS_2: [usize; INTS] = without(INTS);
/// 1.23 and 1.24 lack the last four, the comparison of ranks.
pub(super) static SLOTS_1_23: [usize; 140] = without(FASTEST_RANK);
/// 1.22 lacks the file system and the file size as well.
pub(super) static SLOTS_1_22: [usize; 138] = without(DEVICE);
pub(super) static SLOTS_1_21: [usize; 133] = slots_1_21();
pub(super) static SLOTS_1_4: [usize; 120] = slots_1_4();

/// The full list up to a position.
const fn without<const N: usize>(end: usize) -> [usize; N] {
    let mut slots = [UNKNOWN; N];
    let mut i = 0;
    while i < end {
        slots[i] = i;
        i += 1;
    }
    slots
}

const fn slots_1_21() -> [usize; 133] {
    let mut slots = [UNKNOWN; 133];
    let (mut slot, mut counter) = (0, 0);
    while counter < INTS {
        if !contains(&ABSENT_1_21, counter) {
            slots[slot] = counter;
            slot += 1;
        }
        counter += 1;
    }
    slots
}

const fn contains(list: &[usize], counter: usize) -> bool {
    let mut i = 0;
    while i < list.len() {
        if list[i] == counter {
            return true;
        }
        i += 1;
    }
    false
}

/// Only what the one known log of 1.4 shows: a copy of 2,736 files, whose
/// counts, bytes and sizes can only be these. Slots that are zero in all of its
/// records stay unknown.
const fn slots_1_4() -> [usize; 120] {
    let seen = [
        (10, POSIX_READS),
        (11, POSIX_WRITES),
        (12, POSIX_OPENS),
        (14, POSIX_STATS),
        (36, MODE),
        (37, BYTES_READ),
        (38, BYTES_WRITTEN),
        (39, MAX_BYTE_READ),
        (40, MAX_BYTE_WRITTEN),
        (44, CONSEC_READS),
        (45, CONSEC_WRITES),
        (46, SEQ_READS),
        (47, SEQ_WRITES),
        (49, MEM_ALIGNMENT),
        (51, FILE_ALIGNMENT),
    ];
    let mut slots = [UNKNOWN; 120];
    let mut i = 0;
    while i < seen.len() {
        slots[seen[i].0] = seen[i].1;
        i += 1;
    }
    let mut bin = 0;
    while bin < 10 {
        slots[52 + bin] = SIZE_READ + bin;
        slots[62 + bin] = SIZE_WRITE + bin;
        bin += 1;
    }
    slots
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_after_a_gap_move_up() {
        assert_eq!(SLOTS_1_21[23], COMBINERS, "the three opens of PnetCDF and HDF5 are not there");
        assert_eq!(SLOTS_1_21[57], SIZE_READ);
        assert_eq!(SLOTS_1_21[132], ACCESS_COUNTS + 3);
        assert_eq!(SLOTS_1_22[137], ACCESS_COUNTS + 3);
        assert_eq!(SLOTS_1_23[139], SIZE_AT_OPEN);
        assert_eq!(SLOTS_2[143], SLOWEST_RANK_BYTES);
    }

    #[test]
    fn every_counter_of_a_version_is_stored_once() {
        for slots in [&SLOTS_1_21[..], &SLOTS_1_22, &SLOTS_1_23, &SLOTS_2, &SLOTS_1_4] {
            let known: Vec<usize> = slots.iter().copied().filter(|s| *s != UNKNOWN).collect();
            assert!(known.windows(2).all(|pair| pair[0] < pair[1]));
            assert!(known.iter().all(|counter| *counter < INTS));
        }
    }
}
