//! Puts the calls of each stream in order of start.
//!
//! Most streams are in order as they come: a DXT record is one rank's calls on one
//! file, by time. Where a rank uses several files in turn, its stream is made of
//! runs in order, which a merging sort finds and joins.

use crate::Calls;
use crate::column_slice::ColumnSlice;
use crate::narrow::{Narrow, Wide};
use crate::new_call::Traced;
use crate::work::Executor;
use std::cmp::Reverse;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// A stream whose calls were moved.
#[derive(Debug)]
struct Moved {
    places: Range<usize>,
    /// By place: which call of the stream came there.
    from: Vec<u32>,
}

/// Puts every stream in order, side by side. Of calls that begin together the longest
/// contains the others, and comes first.
pub(crate) fn sort_streams(calls: &mut Calls, traced: &mut [Traced], executor: &Executor<'_>) {
    let ranges: Vec<Range<usize>> = calls.streams.iter().map(|stream| stream.range()).collect();
    let [durations, sizes] = [&mut calls.duration_ns, &mut calls.size_bytes].map(Narrow::take_wide);
    let mut rest = ColumnSlice::whole(calls);
    let mut streams = Vec::with_capacity(ranges.len());
    for range in ranges {
        let (room, after) = rest.split(range.len());
        streams.push(Mutex::new((room, None)));
        rest = after;
    }
    executor(streams.len(), &|at| {
        let mut stream = streams[at].lock().unwrap_or_else(PoisonError::into_inner);
        let (room, moved) = &mut *stream;
        *moved = sort(room, &durations);
    });
    let moved: Vec<Moved> = streams
        .into_iter()
        .filter_map(|stream| stream.into_inner().unwrap_or_else(PoisonError::into_inner).1)
        .collect();
    for Moved { places, from } in &moved {
        // Empty where the trace contains nothing of the kind.
        if let Some(of_stream) = traced.get_mut(places.clone()) {
            permute(of_stream, from);
        }
    }
    calls.duration_ns.set_wide(followed(durations, &moved));
    calls.size_bytes.set_wide(followed(sizes, &moved));
}

/// Puts a stream in order; `None`: it was.
fn sort(room: &mut ColumnSlice<'_>, wide: &[Wide]) -> Option<Moved> {
    if room.start_ns.is_sorted() {
        return None;
    }
    let duration_ns = |call: u32| {
        let at = call as usize;
        Narrow::widened_by(wide, room.duration_ns[at], room.first + at)
    };
    // Below 2^32: places are counted in that.
    let mut order: Vec<(i64, u32)> = room.start_ns.iter().copied().zip(0u32..).collect();
    order.sort_by(|a, b| {
        a.0.cmp(&b.0).then_with(|| Reverse(duration_ns(a.1)).cmp(&Reverse(duration_ns(b.1))))
    });
    room.start_ns.iter_mut().zip(&order).for_each(|(place, (start_ns, _))| *place = *start_ns);
    let from: Vec<u32> = order.into_iter().map(|(_, call)| call).collect();
    permute(room.duration_ns, &from);
    permute(room.offset_bytes, &from);
    permute(room.size_bytes, &from);
    permute(room.file, &from);
    permute(room.form, &from);
    Some(Moved { places: room.first..room.first + from.len(), from })
}

fn permute<T: Copy>(column: &mut [T], from: &[u32]) {
    let old = column.to_vec();
    column.iter_mut().zip(from).for_each(|(place, call)| *place = old[*call as usize]);
}

/// Large numbers at the places to which their calls were moved.
fn followed(mut wide: Vec<Wide>, moved: &[Moved]) -> Vec<Wide> {
    if wide.is_empty() {
        return wide;
    }
    for Moved { places, from } in moved {
        let at = |place: usize| wide.partition_point(|(known, _)| (*known as usize) < place);
        let of_stream = at(places.start)..at(places.end);
        if of_stream.is_empty() {
            continue;
        }
        let known = wide[of_stream.clone()].to_vec();
        let number_of = |call: u32| {
            let place = places.start as u32 + call;
            let at = known.binary_search_by_key(&place, |(place, _)| *place);
            at.ok().map(|at| known[at].1)
        };
        let after = (places.start as u32..).zip(from);
        let after = after.filter_map(|(place, call)| Some((place, number_of(*call)?)));
        wide.splice(of_stream, after);
    }
    wide
}
