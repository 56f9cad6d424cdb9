//! Functions, and the tree of functions inside functions; costs of call stacks.

use crate::area::one;
use crate::calls::NONE;
use crate::nest::{Step, walk};
use crate::{Branch, Filter, Kind, Store, Total};
use std::collections::{BTreeMap, HashMap};

/// Where a branch is: its caller, its layer, and what it is called by.
type Key = (Option<usize>, u8, u8, Option<u32>);

/// A call that others may be made in: its branch, and until when calls inside it are known,
/// as overlapping ones count once.
struct Caller {
    branch: usize,
    reach_ns: i64,
}

/// The tree of all calls.
pub fn whole_tree(store: &Store, is_nested: bool) -> &[Branch] {
    let made = || tree(store, &Filter::default(), is_nested);
    store.trees[usize::from(is_nested)].get_or_init(made)
}

/// One row per function, or per function and way to it.
pub fn tree(store: &Store, filter: &Filter, is_nested: bool) -> Vec<Branch> {
    let mut branches: Vec<Branch> = Vec::new();
    let mut places: HashMap<Key, usize> = HashMap::new();
    // By branch: time of the track, and whether it makes such calls.
    let mut of_track: Vec<Option<f64>> = Vec::new();
    for track in 0..store.tracks.len() as u32 {
        // By stream: most calls of one have the caller and the form of the one before.
        let mut last: Vec<Option<(Option<usize>, u16, usize)>> = Vec::new();
        last.resize(store.calls.streams_of(track).len(), None);
        walk(store, filter, track, |step: Step, parent: Option<&mut Caller>| {
            let Step { call, stream, head } = step;
            let (start, end) = (store.calls.start_ns[call], store.calls.end_ns(call));
            let (from, to) = (start.max(filter.window_ns.0), end.min(filter.window_ns.1));
            let mut caller = None;
            if let Some(Caller { branch, reach_ns }) = parent {
                caller = Some(*branch);
                let inside_ns = to.saturating_sub(from.max(*reach_ns)).max(0);
                branches[*branch].exclusive_s -= inside_ns as f64 * 1e-9;
                *reach_ns = to.max(*reach_ns);
            }
            let caller = caller.filter(|_| is_nested);
            let number = store.calls.form.get(call).copied().unwrap_or(u16::MAX);
            let branch = match last[head] {
                Some((known, form, branch)) if known == caller && form == number => branch,
                _ => {
                    let form = store.form(call);
                    let key = (caller, stream.layer, form.op, form.function);
                    let branch = *places.entry(key).or_insert_with(|| {
                        branches.push(new_branch(store, key));
                        branches.len() - 1
                    });
                    last[head] = Some((caller, number, branch));
                    branch
                }
            };
            let total = one(store, filter, call);
            let sum = &mut branches[branch];
            sum.total.calls += total.calls;
            sum.total.bytes += total.bytes;
            sum.total.time_s += total.time_s;
            sum.exclusive_s += total.time_s;
            sum.longest_s = sum.longest_s.max(store.calls.one_call_ns(call) as f64 * 1e-9);
            if of_track.len() <= branch {
                of_track.resize(branch + 1, None);
            }
            *of_track[branch].get_or_insert(0.0) += total.time_s;
            Caller { branch, reach_ns: from }
        });
        for (sum, time_s) in branches.iter_mut().zip(&mut of_track) {
            let Some(time_s) = time_s.take() else { continue };
            sum.tracks += 1;
            sum.min_track_s = sum.min_track_s.min(time_s);
            if time_s > sum.max_track_s || sum.tracks == 1 {
                (sum.max_track_s, sum.max_track) = (time_s, track);
            }
        }
    }
    for branch in &mut branches {
        branch.exclusive_s = branch.exclusive_s.max(0.0); // differences of rounded times
    }
    branches
}

fn new_branch(store: &Store, (parent, layer, op, function): Key) -> Branch {
    let op_name = store.ops.get(usize::from(op)).map_or("", String::as_str);
    let function = function.and_then(|f| store.functions.get(f as usize)).map(String::as_str);
    Branch {
        parent,
        layer,
        name: function.unwrap_or(op_name).to_owned(),
        kind: Kind::of_op(op_name),
        total: Total::default(),
        exclusive_s: 0.0,
        min_track_s: f64::INFINITY,
        max_track_s: 0.0,
        max_track: 0,
        tracks: 0,
        longest_s: 0.0,
    }
}

/// Totals of one call stack, layer and kind.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StackCost {
    /// Number of the stack.
    pub stack: u32,
    /// Number of the layer.
    pub layer: u8,
    /// What the calls do.
    pub kind: Kind,
    /// Sums.
    pub total: Total,
}

/// Cost by call stack, most time first; empty where none was recorded.
pub fn stack_costs(store: &Store, filter: &Filter) -> Vec<StackCost> {
    let mut costs: BTreeMap<(u32, u8, Kind), Total> = BTreeMap::new();
    if store.calls.stack.is_empty() {
        return Vec::new();
    }
    for stream in filter.streams(store) {
        for call in filter.calls(store, *stream) {
            let stack = store.calls.stack[call];
            if stack == NONE {
                continue;
            }
            let total = one(store, filter, call);
            let sum = costs.entry((stack, stream.layer, stream.kind)).or_default();
            sum.calls += total.calls;
            sum.bytes += total.bytes;
            sum.time_s += total.time_s;
        }
    }
    let cost = |((stack, layer, kind), total)| StackCost { stack, layer, kind, total };
    let mut costs: Vec<StackCost> = costs.into_iter().map(cost).collect();
    costs.sort_by(|a, b| b.total.time_s.total_cmp(&a.total.time_s));
    costs
}
