//! What one rank did in one file: the unit that the model moves about.
//!
//! From counters there is one load per record. Where single calls were
//! recorded each I/O phase has a load of its own, and the one of the record
//! keeps what the calls do not explain (metadata, syncs).

use super::range::Range;
use diya_tables::Layer;

/// Kinds of calls, by what a remedy can change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Class {
    Read,
    Write,
    Metadata,
    Sync,
    /// In MPI-IO while no call of a lower layer runs.
    Wait,
    /// The program's own time between calls that follow each other closely.
    Pause,
    All,
}

impl Class {
    pub const EVERY: [Self; 7] =
        [Self::Read, Self::Write, Self::Metadata, Self::Sync, Self::Wait, Self::Pause, Self::All];

    pub fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Metadata => "metadata",
            Self::Sync => "sync",
            Self::Wait => "wait",
            Self::Pause => "pause",
            Self::All => "all",
        }
    }
}

/// Requests up to a size.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Part {
    pub calls: i64,
    /// Bytes in them; from counters only their bins are known.
    pub bytes: Range,
    /// Time in them, where single calls tell.
    pub time_s: Option<f64>,
    /// The program's own time between these requests and the next calls.
    pub pause_s: f64,
}

/// One direction of a load.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Side {
    pub calls: i64,
    pub bytes: i64,
    pub time_s: f64,
    /// Requests that moved no byte; from counters at least so many.
    pub empty_calls: i64,
    /// Requests of at most 1 KiB that moved bytes.
    pub tiny: Part,
    /// Requests of at most 100 KiB, tiny ones included.
    pub small: Part,
    /// Requests that start before the end of the one before.
    pub backward_calls: i64,
    /// The program's own time between requests and the next calls; see
    /// [`super::pause`].
    pub pause_s: f64,
    /// Bytes of the file from the first to the last one that the requests
    /// touch; `None`: not known.
    pub extent: Option<(i64, i64)>,
    /// Requests that do not start where the one before ended; `None`: not
    /// known.
    pub apart_calls: Option<i64>,
}

/// What a record of all ranks says about one of them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Named {
    pub rank: i32,
    pub bytes: i64,
    pub time_s: f64,
}

/// Time of single metadata calls, where they were recorded.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct MetadataTime {
    pub open_s: f64,
    pub close_s: f64,
    pub stat_s: f64,
    pub seek_s: f64,
    /// The program's own time between these calls and the next ones.
    pub pause_s: f64,
}

/// Phase of loads that stand for a whole record.
pub(crate) const NO_PHASE: i32 = -1;

/// Calls of one rank, or of all, in one file and phase.
#[derive(Debug, Clone)]
pub(crate) struct Load {
    pub layer: Layer,
    pub file_id: u64,
    /// -1: all ranks; then times are sums over them.
    pub rank: i32,
    pub phase: i32,
    pub read: Side,
    /// Its time is without syncs as far as these are known.
    pub write: Side,
    pub metadata_s: f64,
    pub sync_s: Range,
    pub wait_s: f64,
    /// Time in all calls.
    pub total_s: f64,
    /// Time of the slowest rank over `total_s`; 1 for a single rank.
    pub slowest_ratio: f64,
    /// Time in all calls as the record has it, before single calls were taken
    /// out; 0 in loads of phases.
    pub record_s: f64,
    pub opens: i64,
    pub stats: i64,
    pub seeks: i64,
    pub syncs: i64,
    pub switches: i64,
    pub unaligned: i64,
    /// Independent requests of MPI-IO: reads, writes.
    pub independent: [i64; 2],
    /// These requests by themselves, where single calls tell them from collective ones.
    pub alone: Option<[Part; 2]>,
    /// Ranks that a record of all ranks names: the slowest, the fastest.
    pub named: [Option<Named>; 2],
    /// Start of the first and end of the last request, where counters hold them.
    pub span_s: Option<(f64, f64)>,
    /// The ranks make these calls one after another: see [`super::turns`].
    pub in_turn: bool,
    /// Highest byte read + 1, where it is recorded.
    pub read_extent_bytes: i64,
    pub exact: Option<MetadataTime>,
    /// Of a file that a library handles alone: see [`super::library_files`].
    pub is_of_library: bool,
}

impl Load {
    pub fn new(layer: Layer, file_id: u64, rank: i32, phase: i32) -> Self {
        Self {
            layer,
            file_id,
            rank,
            phase,
            read: Side::default(),
            write: Side::default(),
            metadata_s: 0.0,
            sync_s: Range::ZERO,
            wait_s: 0.0,
            total_s: 0.0,
            slowest_ratio: 1.0,
            record_s: 0.0,
            opens: 0,
            stats: 0,
            seeks: 0,
            syncs: 0,
            switches: 0,
            unaligned: 0,
            independent: [0; 2],
            alone: None,
            named: [None; 2],
            span_s: None,
            in_turn: false,
            read_extent_bytes: 0,
            exact: None,
            is_of_library: false,
        }
    }

    pub fn is_shared(&self) -> bool {
        self.rank < 0
    }

    /// The program's own time between calls.
    pub fn pause_s(&self) -> f64 {
        let metadata_s = self.exact.map_or(0.0, |exact| exact.pause_s);
        self.read.pause_s + self.write.pause_s + metadata_s
    }

    /// No time between calls counts.
    pub fn forget_pauses(&mut self) {
        for side in [&mut self.read, &mut self.write] {
            (side.pause_s, side.tiny.pause_s, side.small.pause_s) = (0.0, 0.0, 0.0);
        }
        if let Some(exact) = &mut self.exact {
            exact.pause_s = 0.0;
        }
    }

    /// Calls take this part of their time, as several threads make them at
    /// once.
    pub fn share_time(&mut self, part: f64) {
        for side in [&mut self.read, &mut self.write] {
            side.time_s *= part;
            side.pause_s *= part;
            for requests in [&mut side.tiny, &mut side.small] {
                requests.time_s = requests.time_s.map(|s| s * part);
                requests.pause_s *= part;
            }
        }
        for requests in self.alone.iter_mut().flatten() {
            requests.time_s = requests.time_s.map(|s| s * part);
        }
        self.sync_s = self.sync_s.times(part);
        self.total_s *= part;
    }

    /// Reads or writes.
    pub fn side(&self, is_write: bool) -> &Side {
        if is_write { &self.write } else { &self.read }
    }

    pub fn bytes(&self) -> i64 {
        self.read.bytes.saturating_add(self.write.bytes)
    }

    /// Time in calls of one class.
    pub fn class_s(&self, class: Class) -> Range {
        match class {
            Class::Read => Range::exactly(self.read.time_s),
            Class::Write => Range::new(
                (self.write.time_s + self.sync_s.low - self.sync_s.high).max(0.0),
                self.write.time_s,
            ),
            Class::Metadata => Range::exactly(self.metadata_s),
            Class::Sync => self.sync_s,
            Class::Wait => Range::exactly(self.wait_s),
            Class::Pause => Range::at_most(self.pause_s()),
            Class::All => Range::exactly(self.total_s),
        }
    }
}
