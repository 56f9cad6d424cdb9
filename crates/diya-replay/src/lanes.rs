//! Which thread of the replay issues the calls of which stream.
//!
//! Streams that do not overlap in time share a thread: a job of a thousand short programs, one
//! after the other, needs one.

use crate::recording::Step;

/// Number of the thread of each stream; `None`: it makes no calls.
pub fn lanes(steps: &[Step], streams: usize) -> Vec<Option<u32>> {
    let mut spans: Vec<Option<(f64, f64)>> = vec![None; streams];
    for step in steps {
        if let Some(span) = spans.get_mut(step.stream as usize) {
            let (_, end) = span.get_or_insert((step.start_s, step.start_s));
            *end = end.max(step.end_s).max(step.start_s);
        }
    }
    let mut order: Vec<usize> = (0..streams).filter(|stream| spans[*stream].is_some()).collect();
    let start = |stream: usize| spans[stream].map_or(0.0, |span| span.0);
    order.sort_by(|a, b| start(*a).total_cmp(&start(*b)));
    let (mut ends, mut lanes) = (Vec::<f64>::new(), vec![None; streams]);
    for stream in order {
        let Some((start, end)) = spans[stream] else { continue };
        let lane = ends.iter().position(|last| *last < start).unwrap_or(ends.len());
        match ends.get_mut(lane) {
            Some(last) => *last = end,
            None => ends.push(end),
        }
        lanes[stream] = Some(lane as u32);
    }
    lanes
}
