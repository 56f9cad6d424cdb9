//! What a counter of a layer means, whatever its name.
//!
//! `schema/tables` gives each column its role. What layers have in common (table
//! `file_use`, `call_count`, the lost-time model, `diya info`) follows from the roles.

use crate::names::names;

/// Role of a column of a layer's table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // the names say it
pub enum Role {
    Open,
    /// Darshan adds these calls to the opens although they open nothing.
    CountedAsOpen,
    Read,
    Write,
    Seek,
    Stat,
    Sync,
    /// Moves buffered data to the layer below: not yet a sync.
    Flush,
    /// Calls that only `call_count` lists.
    Other,
    BytesRead,
    BytesWritten,
    /// Changes between reading and writing.
    Switch,
    /// Highest byte offset.
    MaxOffset,
    ReadTime,
    WriteTime,
    MetadataTime,
    OpenStart,
    OpenEnd,
    ReadStart,
    ReadEnd,
    WriteStart,
    WriteEnd,
    CloseStart,
    CloseEnd,
    SlowestTime,
    SlowestRank,
    SlowestBytes,
    FastestTime,
    FastestRank,
    FastestBytes,
}

names!(Role {
    Open "open",
    CountedAsOpen "counted_as_open",
    Read "read",
    Write "write",
    Seek "seek",
    Stat "stat",
    Sync "sync",
    Flush "flush",
    Other "other",
    BytesRead "bytes_read",
    BytesWritten "bytes_written",
    Switch "switch",
    MaxOffset "max_offset",
    ReadTime "read_time",
    WriteTime "write_time",
    MetadataTime "metadata_time",
    OpenStart "open_start",
    OpenEnd "open_end",
    ReadStart "read_start",
    ReadEnd "read_end",
    WriteStart "write_start",
    WriteEnd "write_end",
    CloseStart "close_start",
    CloseEnd "close_end",
    SlowestTime "slowest_time",
    SlowestRank "slowest_rank",
    SlowestBytes "slowest_bytes",
    FastestTime "fastest_time",
    FastestRank "fastest_rank",
    FastestBytes "fastest_bytes",
});

impl Role {
    /// Start of the first call of each kind.
    pub const STARTS: [Self; 4] =
        [Self::OpenStart, Self::ReadStart, Self::WriteStart, Self::CloseStart];
    /// End of the last call of each kind.
    pub const ENDS: [Self; 4] = [Self::OpenEnd, Self::ReadEnd, Self::WriteEnd, Self::CloseEnd];
    /// Times that add up to the time in calls.
    pub const TIMES: [Self; 3] = [Self::ReadTime, Self::WriteTime, Self::MetadataTime];

    /// Whether the column counts calls, which `call_count` lists.
    pub const fn is_calls(self) -> bool {
        matches!(
            self,
            Self::Open
                | Self::CountedAsOpen
                | Self::Read
                | Self::Write
                | Self::Seek
                | Self::Stat
                | Self::Sync
                | Self::Flush
                | Self::Other
        )
    }
}

/// A time as its recorder meant it. A time below zero is a fault of the recorder.
/// Down to -10 ms it comes from subtracting calls of other threads, or from
/// rounding: it is 0. Below, it comes from subtracting clocks that were set in
/// between: it is unknown.
///
/// ```
/// use diya_model::recorded_time;
/// assert_eq!([1.5, -0.001, -2662.0].map(recorded_time), [Some(1.5), Some(0.0), None]);
/// ```
pub fn recorded_time(seconds: f64) -> Option<f64> {
    (seconds.is_finite() && seconds > -0.01).then_some(seconds.max(0.0))
}

/// Time of one rank in some of the calls on a file, of `[rank, part, all, slowest]`. In the record
/// of one rank that is `part`. A record of all ranks (`rank` below zero) has sums over ranks, and
/// the time of the slowest rank in all calls: the part has the same share of it as of the sums.
///
/// ```
/// use diya_model::rank_time;
/// assert_eq!(rank_time([3.0, 2.0, 8.0, 0.0].map(Some)), Some(2.0));
/// assert_eq!(rank_time([-1.0, 2.0, 8.0, 1.0].map(Some)), Some(0.25));
/// assert_eq!(rank_time([-1.0, 0.0, 0.0, 1.0].map(Some)), Some(0.0));
/// assert_eq!(rank_time([-1.0, -2662.0, 8.0, 1.0].map(Some)), None);
/// ```
pub fn rank_time([rank, part, all, slowest]: [Option<f64>; 4]) -> Option<f64> {
    let [part, all, slowest] = [part, all, slowest].map(|time| time.and_then(recorded_time));
    if rank? >= 0.0 {
        return part;
    }
    let share = if all? > 0.0 { part? / all? } else { 0.0 };
    Some(slowest? * share)
}
