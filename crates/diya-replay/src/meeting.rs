//! Collective calls: the ranks wait for each other.

use std::collections::BTreeMap;

/// A collective call: nobody leaves it before all have come.
#[derive(Debug, Clone, PartialEq)]
pub struct Meeting {
    /// When the last one came.
    pub at_s: f64,
    /// Streams, and when each came.
    pub members: Vec<(u32, f64)>,
}

/// Collective calls of one function on one file: by stream, when each came and left.
pub(crate) type Collectives = BTreeMap<(u64, u32), BTreeMap<u32, Vec<(f64, f64)>>>;

/// The collective calls that ranks made together: the call of each with the same number, if
/// all were in it at one moment.
pub(crate) fn meetings(collectives: &Collectives) -> Vec<Meeting> {
    let mut meetings = Vec::new();
    for streams in collectives.values().filter(|streams| streams.len() > 1) {
        let most = streams.values().map(Vec::len).max().unwrap_or(0);
        for number in 0..most {
            let came = |(stream, calls): (&u32, &Vec<(f64, f64)>)| {
                calls.get(number).map(|(start, end)| (*stream, *start, *end))
            };
            let all: Vec<(u32, f64, f64)> = streams.iter().filter_map(came).collect();
            let at_s = all.iter().map(|call| call.1).fold(f64::MIN, f64::max);
            let first_end = all.iter().map(|call| call.2).fold(f64::MAX, f64::min);
            if all.len() > 1 && at_s <= first_end {
                let members = all.iter().map(|call| (call.0, call.1)).collect();
                meetings.push(Meeting { at_s, members });
            }
        }
    }
    meetings.sort_by(|a, b| a.at_s.total_cmp(&b.at_s));
    meetings
}
