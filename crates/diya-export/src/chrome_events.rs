//! What all events of a Chrome trace have in common.

use serde_json::Value;
use std::io::{self, Write};

/// Ranks of one log; with several logs, those of the next follow in the
/// numbers of the processes.
const MAX_RANKS: i64 = 10_000_000;

/// Lanes of one layer, or of one kind of regions.
pub(super) const MAX_LANES: usize = 1000;

/// The list of events on its way to a file.
pub(super) struct Events<'a> {
    out: &'a mut dyn Write,
    is_first: bool,
}

impl<'a> Events<'a> {
    /// Opens the list.
    pub fn begin(out: &'a mut dyn Write) -> io::Result<Self> {
        out.write_all(b"{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n")?;
        Ok(Self { out, is_first: true })
    }

    pub fn push(&mut self, event: &Value) -> io::Result<()> {
        if !std::mem::take(&mut self.is_first) {
            self.out.write_all(b",\n")?;
        }
        serde_json::to_writer(&mut self.out, event).map_err(io::Error::from)
    }

    /// Closes the list.
    pub fn end(self) -> io::Result<()> {
        self.out.write_all(b"\n]}\n")
    }
}

/// Number of the process of a rank.
pub(super) fn pid(log: i32, rank: i32) -> i64 {
    i64::from(log) * MAX_RANKS + i64::from(rank)
}

/// The first lane that is free at the start, and whether it is a new one. In the order of
/// starts; what begins when all lanes are in use goes to the last one.
pub(super) fn free_lane(ends: &mut Vec<f64>, start_s: f64, end_s: f64) -> (usize, bool) {
    let free = ends.iter().position(|end| *end <= start_s);
    let lane = free.unwrap_or(ends.len()).min(MAX_LANES - 1);
    let is_new = lane == ends.len();
    match ends.get_mut(lane) {
        Some(end) => *end = end_s,
        None => ends.push(end_s),
    }
    (lane, is_new)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_overlaps_is_on_different_lanes() {
        let mut ends = Vec::new();
        assert_eq!(free_lane(&mut ends, 0.0, 5.0), (0, true));
        assert_eq!(free_lane(&mut ends, 1.0, 2.0), (1, true));
        assert_eq!(free_lane(&mut ends, 2.0, 3.0), (1, false));
        assert_eq!(free_lane(&mut ends, 5.0, 6.0), (0, false));
    }
}
