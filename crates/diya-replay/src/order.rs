//! What a request waits for, and the gap before it.
//!
//! Ranks depend on each other where one makes what another uses: a file, its size, a folder.
//! Each such request waits for the one before it in the recording. Independent requests wait
//! for nothing, also when they go to the same file.

use crate::effect::{Effect, Wait};
use crate::library::DroppedSpans;
use crate::operation::Operation;
use crate::step::Step;
use std::collections::HashMap;

/// A request that was placed: its thread, how many requests that thread has done with it, and
/// when it ended.
#[derive(Debug, Clone, Copy)]
struct Placed {
    lane: u32,
    done: u32,
    end_s: f64,
}

/// What happened to a file so far.
#[derive(Debug, Default)]
struct History {
    /// The last request that made, removed or cut it.
    change: Option<Placed>,
    /// The last request of each thread.
    last: HashMap<u32, Placed>,
    /// Sizes that it reached, growing.
    sizes: Vec<(u64, Placed)>,
    /// The last read of each thread that found the end: what grows the file comes later.
    short: HashMap<u32, Placed>,
}

/// The order while the plan is made.
pub(crate) struct Order {
    histories: HashMap<u32, History>,
    /// Of open files.
    slots: HashMap<u32, History>,
    waits: Vec<Wait>,
    /// By thread: requests so far, end of the last one, and what it knows of the others.
    done: Vec<u32>,
    ends_s: Vec<f64>,
    /// Gaps before requests that are dropped.
    gaps_s: Vec<f64>,
    /// By thread: the stream of the last request, if it was dropped and moved no data.
    names: Vec<Option<(u32, Operation)>>,
    /// By stream.
    gone: Vec<DroppedSpans>,
    known: Vec<HashMap<u32, u32>>,
}

impl Order {
    /// For so many threads; the recording begins at this moment; what goes with dropped requests.
    pub fn new(lanes: usize, first_s: f64, gone: Vec<DroppedSpans>) -> Self {
        Self {
            histories: HashMap::new(),
            slots: HashMap::new(),
            waits: Vec::new(),
            done: vec![0; lanes],
            ends_s: vec![first_s; lanes],
            gaps_s: vec![0.0; lanes],
            names: vec![None; lanes],
            gone,
            known: vec![HashMap::new(); lanes],
        }
    }

    /// What the step waits for, as a range of the waits, and the gap before it in seconds.
    pub fn place(&mut self, step: &Step, lane: u32, effect: &Effect) -> ((u32, u32), f64) {
        let at = lane as usize;
        let first = self.waits.len() as u32;
        let mut ready_s = self.ends_s.get(at).copied().unwrap_or(step.start_s);
        if step.operation == Operation::Meet {
            let own_s = self.left_s(step, (ready_s, step.end_s));
            let gap_s = self.gap_s(at, own_s);
            self.done(at, step.start_s);
            return ((first, first), gap_s);
        }
        for placed in self.needed(effect) {
            if placed.lane == lane {
                continue;
            }
            if placed.end_s <= step.start_s {
                ready_s = ready_s.max(placed.end_s);
            }
            let Some(known) = self.known.get_mut(at) else { continue };
            let known = known.entry(placed.lane).or_default();
            if *known < placed.done {
                *known = placed.done;
                self.waits.push(Wait { lane: placed.lane, done: placed.done });
            }
        }
        self.done(at, step.end_s);
        let done = self.done.get(at).copied().unwrap_or(0);
        self.remember(Placed { lane, done, end_s: step.end_s }, effect);
        let own_s = self.left_s(step, (ready_s, step.start_s));
        let gap_s = self.gap_s(at, own_s);
        ((first, self.waits.len() as u32), gap_s)
    }

    /// Passes by a request that is not issued: the gap before it is that of the next one.
    pub fn skip(&mut self, step: &Step, lane: u32) {
        let at = lane as usize;
        let Some(ready_s) = self.ends_s.get(at).copied() else { return };
        let name = step.operation.is_of_names().then_some((step.stream, step.operation));
        let before = std::mem::replace(&mut self.names[at], name);
        // Nothing is computed between two calls on names that both are no longer made, unless one
        // file is done and another one begins: what lies there (the exception of a failed open,
        // the object of an open file) is theirs.
        let is_theirs = name.zip(before).is_some_and(|(now, before)| {
            now.0 == before.0 && (!before.1.is_last_of_file() || now.1.is_last_of_file())
        });
        if !is_theirs {
            self.gaps_s[at] += self.left_s(step, (ready_s, step.start_s));
        }
        self.ends_s[at] = ready_s.max(step.end_s);
    }

    /// What is left of the time before a request of a thread.
    fn left_s(&self, step: &Step, (from_s, to_s): (f64, f64)) -> f64 {
        match self.gone.get(step.stream as usize) {
            Some(gone) => gone.left_s(from_s, to_s, step.is_dropped),
            None => (to_s - from_s).max(0.0),
        }
    }

    /// The gap before a request, with those of the dropped ones before it.
    fn gap_s(&mut self, lane: usize, own_s: f64) -> f64 {
        self.gaps_s.get_mut(lane).map_or(0.0, std::mem::take) + own_s.max(0.0)
    }

    fn done(&mut self, lane: usize, end_s: f64) {
        if let Some(done) = self.done.get_mut(lane) {
            *done += 1;
        }
        if let Some(names) = self.names.get_mut(lane) {
            *names = None;
        }
        if let Some(end) = self.ends_s.get_mut(lane) {
            *end = end.max(end_s);
        }
    }

    /// Requests that have to be done before.
    fn needed(&self, effect: &Effect) -> Vec<Placed> {
        let mut needed: Vec<Placed> = Vec::new();
        if let Some(history) = effect.file.and_then(|file| self.histories.get(&file)) {
            if effect.is_change {
                needed.extend(history.last.values());
            } else if !effect.is_free {
                needed.extend(history.change);
            }
            if effect.grows_to.is_some() {
                needed.extend(history.short.values());
            }
            if let Some(bytes) = effect.needs_bytes {
                let at = history.sizes.partition_point(|(size, _)| *size < bytes);
                needed.extend(history.sizes.get(at).map(|(_, placed)| *placed));
            }
        }
        if let Some(history) = effect.folder.and_then(|folder| self.histories.get(&folder)) {
            needed.extend(history.change);
        }
        if let Some(history) = effect.slot.and_then(|slot| self.slots.get(&slot)) {
            match effect.is_slot_change {
                true => needed.extend(history.last.values()),
                false => needed.extend(history.change),
            }
        }
        // Maps have no order; the same log gives the same plan.
        needed.sort_by_key(|placed| (placed.lane, placed.done));
        needed
    }

    fn remember(&mut self, placed: Placed, effect: &Effect) {
        if let Some(folder) = effect.folder {
            self.histories.entry(folder).or_default().last.insert(placed.lane, placed);
        }
        if let Some(slot) = effect.slot {
            let history = self.slots.entry(slot).or_default();
            history.last.insert(placed.lane, placed);
            if effect.is_slot_change {
                history.change = Some(placed);
            }
        }
        let Some(file) = effect.file else { return };
        let history = self.histories.entry(file).or_default();
        history.last.insert(placed.lane, placed);
        if effect.is_change {
            history.change = Some(placed);
            history.sizes.clear();
        }
        if effect.is_short {
            history.short.insert(placed.lane, placed);
        }
        if let Some(bytes) = effect.grows_to {
            history.short.clear();
            history.sizes.push((bytes, placed));
        }
    }

    pub fn finish(self) -> Vec<Wait> {
        self.waits
    }
}
