//! What there is to ask for.

use crate::wire::Answer;
use crate::{Holding, Kind, Store, s_of};
use serde_json::{Value, json};

/// Version of `web/src/data/interface.ts`.
const INTERFACE_VERSION: u32 = 1;

/// The answer to `describe`: what the calls tell. Who serves tables and SQL
/// besides says so in the fields `source`, `tables` and `has_sql`.
pub(super) fn describe(store: &Store) -> Answer {
    let mut answer = Answer::default();
    let number = |values: Vec<i32>, answer: &mut Answer| answer.i32(&values);
    let logs = number(store.tracks.iter().map(|t| t.log).collect(), &mut answer);
    let ranks = number(store.tracks.iter().map(|t| t.rank).collect(), &mut answer);
    let host = |host: Option<u32>| host.and_then(|h| i32::try_from(h).ok()).unwrap_or(-1);
    let hosts = number(store.tracks.iter().map(|t| host(t.host)).collect(), &mut answer);
    let (start_ns, end_ns) = store.window_ns();
    let head = json!({
        "interface_version": INTERFACE_VERSION,
        "source": "pack",
        "holding": {
            "rows_in_all": store.rows_in_all,
            "rows_held": store.calls.len(),
            "kind": match store.holding {
                Holding::All => "all",
                Holding::Grid => "grid",
                Holding::Nothing => "none",
            },
            "note": store.note,
        },
        "window": { "start_s": s_of(start_ns), "end_s": s_of(end_ns) },
        "logs": store.logs.iter()
            .map(|log| json!({ "name": log.name, "run_s": log.run_s }))
            .collect::<Value>(),
        "layers": store.layers,
        "ops": store.ops,
        "op_kinds": store.ops.iter().map(|op| Kind::of_op(op).name()).collect::<Value>(),
        "functions": store.functions,
        "errors": store.errors,
        "regions": store.regions,
        "steps": store.steps().map(|(first, last)| json!([first, last])),
        "hosts": store.hosts,
        "tracks": { "log": logs, "rank": ranks, "host": hosts },
        "files": store.files.iter().map(file).collect::<Value>(),
        "targets": store.targets(),
        "tables": [],
        "has_sql": false,
    });
    answer.with_head(&head)
}

fn file(file: &crate::File) -> Value {
    let component = file.layout.0.first();
    json!({
        "log": file.log,
        "file_id": file.id.to_string(),
        "path": file.path,
        "stripe_bytes": component.map(|c| c.stripe_bytes),
        "stripe_count": component.map(|c| c.targets.len()),
    })
}
