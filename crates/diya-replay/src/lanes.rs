//! Which thread of the replay, and which node, issues the calls of which stream.
//!
//! Streams that do not overlap in time share a thread: a job of a thousand short programs, one
//! after the other, needs one.

use crate::recording::Stream;
use crate::step::Step;
use std::collections::BTreeSet;

/// Threads of a replay.
#[derive(Debug, Default)]
pub(crate) struct Lanes {
    /// Number of the thread of each stream; `None`: it makes no calls.
    pub of_stream: Vec<Option<u32>>,
    /// Number of the node of each thread.
    pub nodes: Vec<u32>,
}

/// Threads for the streams of the steps, on so many nodes.
pub(crate) fn lanes(steps: &[Step], streams: &[Stream], nodes: u32) -> Lanes {
    let node_of = node_of_streams(streams, nodes);
    let mut spans: Vec<Option<(f64, f64)>> = vec![None; streams.len()];
    for step in steps {
        if let Some(span) = spans.get_mut(step.stream as usize) {
            let (_, end) = span.get_or_insert((step.start_s, step.start_s));
            *end = end.max(step.end_s).max(step.start_s);
        }
    }
    let mut order: Vec<usize> =
        (0..streams.len()).filter(|stream| spans[*stream].is_some()).collect();
    let start = |stream: usize| spans[stream].map_or(0.0, |span| span.0);
    order.sort_by(|a, b| start(*a).total_cmp(&start(*b)));
    // By node: the lanes there, each with the end of its last stream.
    let mut ends: Vec<Vec<(u32, f64)>> = vec![Vec::new(); nodes.max(1) as usize];
    let mut lanes = Lanes { of_stream: vec![None; streams.len()], nodes: Vec::new() };
    for stream in order {
        let (Some((start, end)), node) = (spans[stream], node_of[stream]) else { continue };
        let there = &mut ends[node as usize];
        let lane = match there.iter_mut().find(|(_, last)| *last < start) {
            Some((lane, last)) => {
                *last = end;
                *lane
            }
            None => {
                let lane = lanes.nodes.len() as u32;
                there.push((lane, end));
                lanes.nodes.push(node);
                lane
            }
        };
        lanes.of_stream[stream] = Some(lane);
    }
    lanes
}

/// Number of the node of each stream.
///
/// A rank is on one node with all its threads and processes, which share open files. Ranks lie
/// in blocks, those of one recorded node side by side: so does a batch system place them.
fn node_of_streams(streams: &[Stream], nodes: u32) -> Vec<u32> {
    let unit = |stream: &Stream| {
        let process = if stream.rank < 0 { stream.process } else { -1 };
        (stream.host, stream.rank, process)
    };
    let units: Vec<_> = streams.iter().map(unit).collect::<BTreeSet<_>>().into_iter().collect();
    let node = |stream: &Stream| {
        let at = units.binary_search(&unit(stream)).unwrap_or(0);
        (at * nodes.max(1) as usize / units.len()) as u32
    };
    streams.iter().map(node).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn streams(ranks: i32) -> Vec<Stream> {
        let of = |rank| Stream { process: rank, rank, thread: 0, host: None };
        (0..ranks).rev().map(of).collect()
    }

    #[test]
    fn nodes_have_blocks_of_ranks() {
        let streams = streams(10);
        let mut nodes: Vec<(i32, u32)> =
            streams.iter().map(|stream| stream.rank).zip(node_of_streams(&streams, 4)).collect();
        nodes.sort_unstable();
        let nodes: Vec<u32> = nodes.into_iter().map(|(_, node)| node).collect();
        assert_eq!(nodes, [0, 0, 0, 1, 1, 2, 2, 2, 3, 3]);
    }

    #[test]
    fn threads_of_a_rank_are_on_one_node() {
        let mut streams = streams(2);
        streams.push(Stream { process: 7, rank: 1, thread: 9, host: None });
        assert_eq!(node_of_streams(&streams, 2), [1, 0, 1]);
    }

    #[test]
    fn no_streams_need_no_node() {
        assert!(lanes(&[], &[], 3).nodes.is_empty());
    }
}
