//! Calls, totals and trees as the page takes them.

use crate::wire::Answer;
use crate::{Area, Branch, StackCost, Store, Total, nesting, s_of};
use serde_json::{Value, json};

/// A number of the store, or -1.
fn index(number: Option<u32>) -> i32 {
    number.and_then(|n| i32::try_from(n).ok()).unwrap_or(-1)
}

/// `CallColumns` of these calls.
pub(super) fn columns(store: &Store, answer: &mut Answer, calls: &[usize], all: usize) -> Value {
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
    let stack = |call: &usize| index(columns.stack.get(*call).copied());
    json!({
        "count": calls.len(),
        "count_in_all": all,
        "index": answer.u32(&u32s(&|c| *c as u32)),
        "track": answer.u32(&u32s(&|c| stream(c).map_or(0, |s| s.track))),
        "layer": answer.u8(&u8s(&|c| stream(c).map_or(0, |s| s.layer))),
        "op": answer.u8(&u8s(&|c| store.form(*c).op)),
        "file": answer.i32(&i32s(&|c| index(columns.file.get(*c).copied()))),
        "function": answer.i32(&i32s(&|c| index(store.form(*c).function))),
        "offset_bytes": answer.f64(&f64s(&offset)),
        "size_bytes": answer.f64(&f64s(&|c| columns.size_bytes.get(*c).map_or(f64::NAN, |s| s as f64))),
        "start_s": answer.f64(&f64s(&|c| s_of(columns.start_ns[*c]))),
        "end_s": answer.f64(&f64s(&|c| s_of(columns.end_ns(*c)))),
        "calls": answer.f64(&f64s(&|c| columns.weight(*c).0 as f64)),
        "parent": answer.i32(&i32s(&|c| index(columns.parent_of(*c).map(|p| p as u32)))),
        "stack": answer.i32(&i32s(&stack)),
        "thread": answer.f64(&f64s(&|c| columns.thread_of(*c).map_or(f64::NAN, |id| id as f64))),
        "is_collective": answer.u8(&u8s(&|c| u8::from(store.form(*c).is_collective == Some(true)))),
    })
}

/// `CallDetail` of one call, with at most so many calls inside it.
pub(super) fn detail(store: &Store, answer: &mut Answer, call: usize, most: usize) -> Value {
    let nesting = nesting(store, call);
    let all = nesting.inside.len() + 1;
    let shown: Vec<usize> = std::iter::once(call).chain(nesting.inside).take(most + 1).collect();
    let form = store.form(call);
    let targets = u64::try_from(store.calls.offset_bytes[call]).ok().and_then(|offset| {
        let layout = store.layout(store.calls.file[call])?;
        Some(layout.touched(offset, store.calls.size_bytes.value(call)))
    });
    let place = store.place(call);
    let region = |region: &u32| store.regions.get(*region as usize);
    let stack = store.calls.stack.get(call).and_then(|stack| store.stacks.get(*stack as usize));
    json!({
        "calls": columns(store, answer, &shown, all),
        "around": columns(store, answer, &nesting.around, nesting.around.len()),
        "is_nesting_inferred": nesting.is_inferred,
        "targets": targets.unwrap_or_default(),
        "is_collective": form.is_collective,
        "error": form.error.and_then(|error| store.errors.get(error as usize)),
        "stack": stack.map_or(&[][..], Vec::as_slice),
        "regions": place.map_or_else(Vec::new, |place| {
            place.regions.iter().filter_map(region).collect()
        }),
        "step": place.and_then(|place| place.step),
    })
}

fn total(total: &Total, name: &str, number: Value) -> Value {
    json!({ name: number, "calls": total.calls, "bytes": total.bytes, "time_s": total.time_s })
}

/// `AreaStatistics`.
pub(super) fn area(store: &Store, area: &Area) -> Value {
    let kind = |row: &crate::KindTotal| {
        json!({
            "layer": store.layers.get(usize::from(row.layer)),
            "kind": row.kind.name(),
            "calls": row.total.calls,
            "bytes": row.total.bytes,
            "time_s": row.total.time_s,
            "tracks": row.tracks,
            "shortest_s": row.shortest_ns as f64 / 1e9,
            "longest_s": row.longest_ns as f64 / 1e9,
            "longest_call": row.longest_call,
        })
    };
    let function = |row: &crate::FunctionTotal| {
        let mut made = total(&row.total, "name", json!(row.name));
        made["layer"] = json!(store.layers.get(usize::from(row.layer)));
        made["kind"] = json!(row.kind.name());
        made
    };
    json!({
        "kinds": area.kinds.iter().map(kind).collect::<Value>(),
        "files": area.files.iter().map(|(n, t)| total(t, "file", json!(n))).collect::<Value>(),
        "tracks": area.tracks.iter().map(|(n, t)| total(t, "track", json!(n))).collect::<Value>(),
        "targets": area.targets.iter().map(|(n, t)| total(t, "target", json!(n))).collect::<Value>(),
        "functions": area.functions.iter().map(function).collect::<Value>(),
    })
}

/// `CallTree`.
pub(super) fn tree(store: &Store, answer: &mut Answer, rows: &[Branch]) -> Value {
    let f64s = |of: &dyn Fn(&Branch) -> f64| rows.iter().map(of).collect::<Vec<f64>>();
    let i32s = |of: &dyn Fn(&Branch) -> i32| rows.iter().map(of).collect::<Vec<i32>>();
    let layer = |row: &Branch| store.layers.get(usize::from(row.layer));
    json!({
        "parent": answer.i32(&i32s(&|r| index(r.parent.map(|p| p as u32)))),
        "layer": rows.iter().map(layer).collect::<Vec<_>>(),
        "name": rows.iter().map(|row| row.name.as_str()).collect::<Vec<_>>(),
        "kind": rows.iter().map(|row| row.kind.name()).collect::<Vec<_>>(),
        "calls": answer.f64(&f64s(&|r| r.total.calls as f64)),
        "bytes": answer.f64(&f64s(&|r| r.total.bytes)),
        "inclusive_s": answer.f64(&f64s(&|r| r.total.time_s)),
        "exclusive_s": answer.f64(&f64s(&|r| r.exclusive_s)),
        "min_track_s": answer.f64(&f64s(&|r| if r.tracks == 0 { 0.0 } else { r.min_track_s })),
        "mean_track_s": answer.f64(&f64s(&|r| r.total.time_s / r.tracks.max(1) as f64)),
        "max_track_s": answer.f64(&f64s(&|r| r.max_track_s)),
        "max_track": answer.i32(&i32s(&|r| index(Some(r.max_track)))),
        "tracks": answer.f64(&f64s(&|r| r.tracks as f64)),
        "longest_s": answer.f64(&f64s(&|r| r.longest_s)),
    })
}

/// `StackCosts`.
pub(super) fn stack_costs(store: &Store, costs: &[StackCost]) -> Value {
    let row = |cost: &StackCost| {
        let mut row = total(&cost.total, "frames", json!(store.stacks.get(cost.stack as usize)));
        row["layer"] = json!(store.layers.get(usize::from(cost.layer)));
        row["kind"] = json!(cost.kind.name());
        row
    };
    json!({ "rows": costs.iter().map(row).collect::<Value>() })
}
