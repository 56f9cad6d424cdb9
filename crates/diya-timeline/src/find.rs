//! Single calls: the one under the pointer, and the first of a list.

use crate::{Filter, OrderBy, Store};

/// The call of a track that is at a moment, or nearest to it within a tolerance;
/// of several that run then, the one that started last, which is the innermost.
pub fn nearest(
    store: &Store,
    filter: &Filter,
    track: u32,
    (at_ns, tolerance_ns): (i64, i64),
) -> Option<usize> {
    let around = (
        at_ns.saturating_sub(tolerance_ns).max(filter.window_ns.0),
        at_ns.saturating_add(tolerance_ns).saturating_add(1).min(filter.window_ns.1),
    );
    let filter = Filter { window_ns: around, ..filter.clone() };
    let streams = store.calls.streams_of(track).iter();
    let mut best = None;
    for stream in streams.filter(|stream| filter.takes(store, stream)) {
        for call in filter.calls(store, *stream) {
            let (start, end) = (store.calls.start_ns[call], store.calls.end_ns(call));
            let away = (start.saturating_sub(at_ns)).max(at_ns.saturating_sub(end)).max(0);
            let rank =
                (away, std::cmp::Reverse(start), std::cmp::Reverse(store.depth(stream.layer)));
            if best.as_ref().is_none_or(|(least, _)| rank < *least) {
                best = Some((rank, call));
            }
        }
    }
    best.map(|(_, call)| call)
}

/// The first calls of those that count, and how many count in all.
pub fn list(store: &Store, filter: &Filter, by: OrderBy, limit: usize) -> (Vec<usize>, usize) {
    let key = |call: usize| match by {
        OrderBy::Start => store.calls.start_ns[call],
        OrderBy::Duration => -(store.calls.duration_ns.value(call).min(i64::MAX as u64) as i64),
        OrderBy::Size => -(store.calls.size_bytes.value(call).min(i64::MAX as u64) as i64),
    };
    let mut first: Vec<(i64, u32)> = Vec::new();
    // The last that is still in the list, once there are as many: most calls are behind it.
    let mut last = (i64::MAX, u32::MAX);
    let mut all = 0;
    let room = limit.saturating_mul(2).max(1024);
    for stream in filter.streams(store) {
        for call in filter.calls(store, *stream) {
            all += 1;
            let place = (key(call), call as u32);
            if place > last {
                continue;
            }
            first.push(place);
            if first.len() >= room {
                // Keeps the memory small however many count.
                let (_, end, _) = first.select_nth_unstable(limit.min(room - 1));
                last = *end;
                first.truncate(limit);
            }
        }
    }
    first.sort_unstable();
    first.truncate(limit);
    (first.into_iter().map(|(_, call)| call as usize).collect(), all)
}
