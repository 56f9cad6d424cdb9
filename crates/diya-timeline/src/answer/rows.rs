//! Calls, totals and trees as the page takes them.

use crate::wire::Answer;
use crate::{Area, Branch, FunctionTotal, KindTotal, StackCost, Store, Total, nesting, s_of};
use diya_questions::{
    AreaStatistics, CallColumns, CallDetail, CallTree, FileTotal, FunctionRow, KindRow, StackCosts,
    StackRow, TargetTotal, TrackTotal,
};

/// A number of the store, or -1.
fn index(number: Option<u32>) -> i32 {
    number.and_then(|n| i32::try_from(n).ok()).unwrap_or(-1)
}

/// The name of a layer.
fn layer_name(store: &Store, layer: u8) -> Option<String> {
    store.layers.get(usize::from(layer)).cloned()
}

/// These calls.
pub(super) fn columns(
    store: &Store,
    answer: &mut Answer,
    calls: &[usize],
    all: usize,
) -> CallColumns {
    let columns = &store.calls;
    let stream = |call: &usize| columns.stream_of(*call);
    let each = || calls.iter();
    let u32s = |of: &dyn Fn(&usize) -> u32| each().map(of).collect::<Vec<u32>>();
    let u8s = |of: &dyn Fn(&usize) -> u8| each().map(of).collect::<Vec<u8>>();
    let i32s = |of: &dyn Fn(&usize) -> i32| each().map(of).collect::<Vec<i32>>();
    let f64s = |of: &dyn Fn(&usize) -> f64| each().map(of).collect::<Vec<f64>>();
    let offset = |call: &usize| {
        let offset = columns.offset_bytes[*call];
        if offset < 0 { f64::NAN } else { offset as f64 }
    };
    let size = |call: &usize| columns.size_bytes.get(*call).map_or(f64::NAN, |s| s as f64);
    let stack = |call: &usize| index(columns.stack.get(*call).copied());
    let thread = |call: &usize| columns.thread_of(*call).map_or(f64::NAN, |id| id as f64);
    let is_collective = |call: &usize| u8::from(store.form(*call).is_collective == Some(true));
    CallColumns {
        count: calls.len(),
        count_in_all: all,
        index: answer.u32(&u32s(&|c| *c as u32)),
        track: answer.u32(&u32s(&|c| stream(c).map_or(0, |s| s.track))),
        layer: answer.u8(&u8s(&|c| stream(c).map_or(0, |s| s.layer))),
        op: answer.u8(&u8s(&|c| store.form(*c).op)),
        file: answer.i32(&i32s(&|c| index(columns.file.get(*c).copied()))),
        function: answer.i32(&i32s(&|c| index(store.form(*c).function))),
        offset_bytes: answer.f64(&f64s(&offset)),
        size_bytes: answer.f64(&f64s(&size)),
        start_s: answer.f64(&f64s(&|c| s_of(columns.start_ns[*c]))),
        end_s: answer.f64(&f64s(&|c| s_of(columns.end_ns(*c)))),
        calls: answer.f64(&f64s(&|c| columns.weight(*c).0 as f64)),
        parent: answer.i32(&i32s(&|c| index(columns.parent_of(*c).map(|p| p as u32)))),
        stack: answer.i32(&i32s(&stack)),
        thread: answer.f64(&f64s(&thread)),
        is_collective: answer.u8(&u8s(&is_collective)),
    }
}

/// One call, with at most so many calls inside it.
pub(super) fn detail(store: &Store, answer: &mut Answer, call: usize, most: usize) -> CallDetail {
    let nesting = nesting(store, call);
    let all = nesting.inside.len() + 1;
    let shown: Vec<usize> = std::iter::once(call).chain(nesting.inside).take(most + 1).collect();
    let form = store.form(call);
    let targets = u64::try_from(store.calls.offset_bytes[call]).ok().and_then(|offset| {
        let layout = store.layout(store.calls.file[call])?;
        Some(layout.touched(offset, store.calls.size_bytes.value(call)))
    });
    let place = store.place(call);
    let region = |region: &u32| store.regions.get(*region as usize).cloned();
    let stack = store.calls.stack.get(call).and_then(|stack| store.stacks.get(*stack as usize));
    CallDetail {
        calls: columns(store, answer, &shown, all),
        around: columns(store, answer, &nesting.around, nesting.around.len()),
        is_nesting_inferred: nesting.is_inferred,
        targets: targets.unwrap_or_default(),
        is_collective: form.is_collective,
        error: form.error.and_then(|error| store.errors.get(error as usize).cloned()),
        stack: stack.cloned().unwrap_or_default(),
        regions: place
            .map_or_else(Vec::new, |place| place.regions.iter().filter_map(region).collect()),
        step: place.and_then(|place| place.step),
    }
}

/// Totals of an area.
pub(super) fn area(store: &Store, area: &Area) -> AreaStatistics {
    let kind = |row: &KindTotal| KindRow {
        layer: layer_name(store, row.layer),
        kind: row.kind.name(),
        calls: row.total.calls,
        bytes: row.total.bytes,
        time_s: row.total.time_s,
        tracks: row.tracks,
        shortest_s: row.shortest_ns as f64 / 1e9,
        longest_s: row.longest_ns as f64 / 1e9,
        longest_call: row.longest_call,
    };
    let function = |row: &FunctionTotal| FunctionRow {
        name: row.name.clone(),
        layer: layer_name(store, row.layer),
        kind: row.kind.name(),
        calls: row.total.calls,
        bytes: row.total.bytes,
        time_s: row.total.time_s,
    };
    let file = |(file, Total { calls, bytes, time_s }): &(u32, Total)| FileTotal {
        file: *file,
        calls: *calls,
        bytes: *bytes,
        time_s: *time_s,
    };
    let track = |(track, Total { calls, bytes, time_s }): &(u32, Total)| TrackTotal {
        track: *track,
        calls: *calls,
        bytes: *bytes,
        time_s: *time_s,
    };
    let target = |(target, Total { calls, bytes, time_s }): &(i64, Total)| TargetTotal {
        target: *target,
        calls: *calls,
        bytes: *bytes,
        time_s: *time_s,
    };
    AreaStatistics {
        kinds: area.kinds.iter().map(kind).collect(),
        files: area.files.iter().map(file).collect(),
        tracks: area.tracks.iter().map(track).collect(),
        targets: area.targets.iter().map(target).collect(),
        functions: area.functions.iter().map(function).collect(),
    }
}

/// Functions with their cost.
pub(super) fn tree(store: &Store, answer: &mut Answer, rows: &[Branch]) -> CallTree {
    let f64s = |of: &dyn Fn(&Branch) -> f64| rows.iter().map(of).collect::<Vec<f64>>();
    let i32s = |of: &dyn Fn(&Branch) -> i32| rows.iter().map(of).collect::<Vec<i32>>();
    let least = |row: &Branch| if row.tracks == 0 { 0.0 } else { row.min_track_s };
    CallTree {
        parent: answer.i32(&i32s(&|r| index(r.parent.map(|p| p as u32)))),
        layer: rows.iter().map(|row| layer_name(store, row.layer)).collect(),
        name: rows.iter().map(|row| row.name.clone()).collect(),
        kind: rows.iter().map(|row| row.kind.name()).collect(),
        calls: answer.f64(&f64s(&|r| r.total.calls as f64)),
        bytes: answer.f64(&f64s(&|r| r.total.bytes)),
        inclusive_s: answer.f64(&f64s(&|r| r.total.time_s)),
        exclusive_s: answer.f64(&f64s(&|r| r.exclusive_s)),
        min_track_s: answer.f64(&f64s(&least)),
        mean_track_s: answer.f64(&f64s(&|r| r.total.time_s / r.tracks.max(1) as f64)),
        max_track_s: answer.f64(&f64s(&|r| r.max_track_s)),
        max_track: answer.i32(&i32s(&|r| index(Some(r.max_track)))),
        tracks: answer.f64(&f64s(&|r| r.tracks as f64)),
        longest_s: answer.f64(&f64s(&|r| r.longest_s)),
    }
}

/// Cost by call stack.
pub(super) fn stack_costs(store: &Store, costs: &[StackCost]) -> StackCosts {
    let row = |cost: &StackCost| StackRow {
        frames: store.stacks.get(cost.stack as usize).cloned().unwrap_or_default(),
        layer: layer_name(store, cost.layer),
        kind: cost.kind.name(),
        calls: cost.total.calls,
        bytes: cost.total.bytes,
        time_s: cost.total.time_s,
    };
    StackCosts { rows: costs.iter().map(row).collect() }
}
