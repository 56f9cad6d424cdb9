//! What there is to ask for.

use crate::wire::Answer;
use crate::{Holding, Kind, Store, Track, s_of};
use diya_questions::{Description, FileEntry, LogEntry, TimeRange, TrackColumns};

/// Version of the questions and answers.
const INTERFACE_VERSION: u32 = 1;

/// The answer to `describe`: what the calls tell. Who serves tables and SQL
/// besides says so in the fields `source`, `tables` and `has_sql`.
pub(super) fn describe(store: &Store) -> Answer {
    let mut answer = Answer::default();
    let mut number =
        |of: &dyn Fn(&Track) -> i32| answer.i32(&store.tracks.iter().map(of).collect::<Vec<i32>>());
    let host = |host: Option<u32>| host.and_then(|h| i32::try_from(h).ok()).unwrap_or(-1);
    let tracks = TrackColumns {
        log: number(&|track| track.log),
        rank: number(&|track| track.rank),
        host: number(&|track| host(track.host)),
    };
    let (start_ns, end_ns) = store.window_ns();
    let log = |log: &crate::Log| LogEntry { name: log.name.clone(), run_s: log.run_s };
    answer.with(Description {
        interface_version: INTERFACE_VERSION,
        source: "pack",
        holding: holding(store),
        window: TimeRange { start_s: s_of(start_ns), end_s: s_of(end_ns) },
        logs: store.logs.iter().map(log).collect(),
        layers: store.layers.clone(),
        ops: store.ops.clone(),
        op_kinds: store.ops.iter().map(|op| Kind::of_op(op).name()).collect(),
        functions: store.functions.clone(),
        errors: store.errors.clone(),
        regions: store.regions.clone(),
        steps: store.steps().map(|(first, last)| [first, last]),
        hosts: store.hosts.clone(),
        tracks,
        files: store.files.iter().map(file).collect(),
        targets: store.targets(),
        tables: Vec::new(),
        has_sql: false,
    })
}

fn holding(store: &Store) -> diya_questions::Holding {
    diya_questions::Holding {
        rows_in_all: store.rows_in_all,
        rows_held: store.calls.len(),
        kind: match store.holding {
            Holding::All => "all",
            Holding::Grid => "grid",
            Holding::Nothing => "none",
        },
        note: store.note.clone(),
    }
}

fn file(file: &crate::File) -> FileEntry {
    let component = file.layout.0.first();
    FileEntry {
        log: file.log,
        file_id: file.id.to_string(),
        path: file.path.clone(),
        stripe_bytes: component.map(|c| c.stripe_bytes),
        stripe_count: component.map(|c| c.targets.len()),
    }
}
