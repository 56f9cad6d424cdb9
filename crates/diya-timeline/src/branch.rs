//! Sums of calls, and rows of the call tree.

use crate::Kind;

/// Totals of some calls.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Total {
    /// Calls.
    pub calls: u64,
    /// Bytes moved.
    pub bytes: f64,
    /// Time in calls, summed over tracks, seconds.
    pub time_s: f64,
}

impl Total {
    pub(crate) fn add(&mut self, other: Self) {
        self.calls += other.calls;
        self.bytes += other.bytes;
        self.time_s += other.time_s;
    }
}

/// One function, called from one place of the tree.
#[derive(Debug, Clone, PartialEq)]
pub struct Branch {
    /// Row of the caller.
    pub parent: Option<usize>,
    /// Number of the layer.
    pub layer: u8,
    /// Function, or operation where the log names none.
    pub name: String,
    /// What the calls do.
    pub kind: Kind,
    /// Calls, bytes, and inclusive time.
    pub total: Total,
    /// Seconds in no call made inside.
    pub exclusive_s: f64,
    /// Inclusive seconds of the tracks that make such calls: least, most, and who.
    pub min_track_s: f64,
    /// Most of a track.
    pub max_track_s: f64,
    /// The track with the most.
    pub max_track: u32,
    /// Tracks that make such calls.
    pub tracks: u64,
    /// Longest call, seconds.
    pub longest_s: f64,
}
