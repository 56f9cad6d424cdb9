//! Which call was made inside which.
//!
//! Own traces record it. DXT does not: there a call of a lower layer of the same
//! rank, inside it in time and on the same file, was made by it.

use crate::calls::Stream;
use crate::{Filter, Store};

/// What a call became, and what it is part of.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Nesting {
    /// Calls made inside, of all depths, by start.
    pub inside: Vec<usize>,
    /// Calls around, innermost first.
    pub around: Vec<usize>,
    /// Follows from times.
    pub is_inferred: bool,
}

/// Nesting of one call.
pub fn nesting(store: &Store, call: usize) -> Nesting {
    let calls = &store.calls;
    let Some(stream) = calls.stream_of(call) else { return Nesting::default() };
    let (start, end) = (calls.start_ns[call], calls.end_ns(call));
    let window = (start, end.max(start.saturating_add(1)));
    let streams = calls.streams_of(stream.track);
    let running = || streams.iter().flat_map(|s| calls.running(*s, window).map(move |c| (s, c)));
    let is_recorded = !calls.parent.is_empty();
    let (mut inside, mut around): (Vec<usize>, Vec<usize>);
    if is_recorded {
        let is_below = |below: usize| {
            // A chain longer than any real nesting is a circle in a damaged file.
            let mut at = calls.parent_of(below);
            (0..64).any(|_| match at {
                Some(parent) if parent == call => true,
                Some(parent) => {
                    at = calls.parent_of(parent);
                    false
                }
                None => false,
            })
        };
        inside = running().map(|(_, c)| c).filter(|c| is_below(*c)).collect();
        around = Vec::new();
        let mut at = calls.parent_of(call);
        while let Some(parent) = at.filter(|_| around.len() < 64) {
            around.push(parent);
            at = calls.parent_of(parent);
        }
    } else {
        let depth = store.depth(stream.layer);
        let contains = |outer: usize, inner: usize| {
            calls.start_ns[outer] <= calls.start_ns[inner]
                && calls.end_ns(outer) >= calls.end_ns(inner)
        };
        let lower = |s: &Stream| store.depth(s.layer) > depth;
        let upper = |s: &Stream| store.depth(s.layer) < depth;
        let fits = |c: usize| is_same_file(store, call, c);
        inside = running()
            .filter(|(s, c)| lower(s) && contains(call, *c) && fits(*c))
            .map(|(_, c)| c)
            .collect();
        around = running()
            .filter(|(s, c)| upper(s) && contains(*c, call) && fits(*c))
            .map(|(_, c)| c)
            .collect();
        around.sort_by_key(|c| (std::cmp::Reverse(calls.start_ns[*c]), calls.end_ns(*c)));
    }
    inside.sort_by_key(|c| (calls.start_ns[*c], std::cmp::Reverse(calls.end_ns(*c))));
    Nesting { inside, around, is_inferred: !is_recorded }
}

/// Whether two calls concern one file, or an object of one file: objects of
/// HDF5 and PnetCDF have ids of their own, with or without their file's.
pub(crate) fn is_same_file(store: &Store, a: usize, b: usize) -> bool {
    let top = |call: usize| {
        let file = store.calls.file[call];
        let parent = store.files.get(file as usize).and_then(|f| f.parent);
        (parent.unwrap_or(file), parent.is_some())
    };
    let is_object = |call: usize| {
        let layer = store.calls.stream_of(call).map_or(0, |s| usize::from(s.layer));
        let layer = store.layers.get(layer).map_or("", String::as_str);
        matches!(layer, "hdf5_dataset" | "hdf5_other" | "pnetcdf_var" | "netcdf" | "daos")
    };
    let ((a_top, a_known), (b_top, b_known)) = (top(a), top(b));
    a_top == b_top || (is_object(a) && !a_known) || (is_object(b) && !b_known)
}

/// A call, met on the way through a track.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Step {
    /// The call.
    pub call: usize,
    /// Its stream.
    pub stream: Stream,
    /// Number of the stream among those of the track that count.
    pub head: usize,
}

/// The calls of a stream that are still to come.
struct Head<Calls> {
    stream: Stream,
    depth: u8,
    /// Start of the first one, and its place.
    next: Option<(i64, usize)>,
    rest: Calls,
}

/// A call that is running, with what `visit` made of it.
struct Open<Of> {
    call: usize,
    until: i64,
    depth: u8,
    of: Of,
}

/// Visits the calls of a track that count, by start, each with what was made of the call it
/// was made in, if that counts too.
pub(crate) fn walk<Of>(
    store: &Store,
    filter: &Filter,
    track: u32,
    mut visit: impl FnMut(Step, Option<&mut Of>) -> Of,
) {
    let calls = &store.calls;
    let streams = calls.streams_of(track).iter().filter(|s| filter.takes(store, s));
    let mut heads: Vec<Head<_>> = streams
        .map(|stream| {
            let mut rest = filter.calls(store, *stream);
            let next = rest.next().map(|call| (calls.start_ns[call], call));
            Head { stream: *stream, depth: store.depth(stream.layer), next, rest }
        })
        .collect();
    let is_recorded = !calls.parent.is_empty();
    let deepest = heads.iter().map(|head| head.depth).max().unwrap_or(0);
    // Outermost first.
    let mut open: Vec<Open<Of>> = Vec::new();
    loop {
        // Of those that begin together the outermost comes first.
        let starts = heads.iter().enumerate();
        let next = starts.filter_map(|(at, head)| Some((head.next?.0, head.depth, at))).min();
        let Some((start, depth, at)) = next else { break };
        let head = &mut heads[at];
        let Some((_, call)) = head.next else { break };
        head.next = head.rest.next().map(|call| (calls.start_ns[call], call));
        let end = calls.end_ns(call);
        open.retain(|one| one.until > start || (one.until == start && end == start));
        let step = Step { call, stream: head.stream, head: at };
        let parent = if is_recorded {
            let parent = calls.parent_of(call);
            parent.and_then(|parent| open.iter().position(|one| one.call == parent))
        } else {
            let contains = |one: &Open<Of>| {
                one.until >= end && one.depth < depth && is_same_file(store, one.call, call)
            };
            open.iter().rposition(contains)
        };
        let of = visit(step, parent.map(|parent| &mut open[parent].of));
        // A call of the lowest layer contains no other call, unless the log names parents.
        if is_recorded || depth < deepest {
            open.push(Open { call, until: end, depth, of });
        }
    }
}
