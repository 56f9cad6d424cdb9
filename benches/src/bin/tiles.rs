//! `diya-bench-tiles [CALLS...]`: what a tile of 2000 x 1000 cells costs, on one
//! thread, over a made-up trace of 10,000 ranks. Times are processor times, the
//! least of five; nanoseconds per call of the trace make machines comparable.

use diya_timeline::{
    Axis, CallsBuilder, File, Filter, Form, Grid, Kind, NewCall, Of, Store, Stretch, TileRequest,
    Track, Wanted, tile,
};
use std::time::Instant;

const RANKS: u32 = 10_000;
const RUN_S: f64 = 1000.0;

fn main() {
    let given: Vec<usize> = std::env::args().skip(1).filter_map(|n| n.parse().ok()).collect();
    let sizes = if given.is_empty() { vec![1_000_000, 10_000_000] } else { given };
    println!("calls       tile                        ms      ns per call");
    for calls in sizes {
        let store = made_up(calls);
        let full = (0.0, RUN_S);
        if calls <= 12_000_000 {
            for (name, window, ranks) in [
                ("all", full, 1.0),
                ("10 % of time", (0.45 * RUN_S, 0.55 * RUN_S), 1.0),
                ("1 % of time", (0.495 * RUN_S, 0.505 * RUN_S), 1.0),
                ("10 % of time and ranks", (0.45 * RUN_S, 0.55 * RUN_S), 0.1),
            ] {
                report(calls, name, || draw(&store, Of::Track, window, ranks));
            }
            report(calls, "all, offsets", || draw(&store, Of::Offset, full, 1.0));
            continue;
        }
        report(calls, "grid, built once", || drop(Grid::build(&store, 0, 4096, 1024)));
        store.grid(0);
        report(calls, "all, from the grid", || draw(&store, Of::Track, full, 1.0));
        let window = (0.4 * RUN_S, 0.6 * RUN_S);
        report(calls, "20 % of time, grid", || draw(&store, Of::Track, window, 1.0));
        let window = (0.495 * RUN_S, 0.505 * RUN_S);
        report(calls, "1 % of time, calls", || draw(&store, Of::Track, window, 1.0));
    }
}

/// Ranks that write and read in turn, with gaps and durations that vary.
fn made_up(calls: usize) -> Store {
    let per_rank = (calls / RANKS as usize).max(2) as i64;
    let step_ns = (RUN_S * 1e9) as i64 / per_rank;
    let mut builder = CallsBuilder::default();
    let mut noise = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        noise ^= noise << 13;
        noise ^= noise >> 7;
        noise ^= noise << 17;
        (noise >> 11) as i64
    };
    for track in 0..RANKS {
        for (kind, of) in [(Kind::Write, 0), (Kind::Read, 1)] {
            let stretch = Stretch { track, layer: 0, kind, file: 0, form: of };
            for call in (i64::from(of)..per_rank).step_by(2) {
                let start_ns = call * step_ns + next() % (step_ns / 4);
                let end_ns = start_ns + step_ns / 8 + next() % (step_ns / 4);
                let offset_bytes = Some(((i64::from(track) * per_rank + call) * 4096) as u64);
                let size_bytes = Some(4096);
                let call = NewCall { start_ns, end_ns, offset_bytes, size_bytes, traced: None };
                builder.push(stretch, call);
            }
        }
    }
    let mut store = Store {
        layers: vec!["posix".to_owned()],
        ops: vec!["write".to_owned(), "read".to_owned()],
        forms: vec![Form::default(), Form { op: 1, ..Form::default() }],
        tracks: (0..RANKS as i32).map(|rank| Track { log: 0, rank, host: None }).collect(),
        files: vec![File::default()],
        calls: builder.finish(),
        ..Store::default()
    };
    store.prepare();
    store
}

fn draw(store: &Store, of: Of, (from, to): (f64, f64), ranks: f64) {
    let most =
        if of == Of::Track { f64::from(RANKS) * ranks } else { store.calls.len() as f64 * 4096.0 };
    let request = TileRequest {
        filter: Filter::default(),
        x: Axis { of: Of::Time, from, to, cells: 2000, is_log: false },
        y: Axis { of, from: 0.0, to: most, cells: 1000, is_log: false },
        order: None,
        wanted: Wanted { busy: [true, true, false, false], longest: true, ..Wanted::default() },
        is_refined: false,
    };
    std::hint::black_box(tile(store, &request));
}

/// Seconds this thread was on a processor: others may be busy.
fn processor_s() -> f64 {
    let schedule = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let ns = schedule.split(' ').next().and_then(|ns| ns.parse::<f64>().ok());
    ns.map_or_else(|| START.get_or_init(Instant::now).elapsed().as_secs_f64(), |ns| ns * 1e-9)
}

/// Where the kernel does not tell: the time on the wall.
static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();

fn report(calls: usize, name: &str, mut work: impl FnMut()) {
    let mut least = f64::INFINITY;
    for _ in 0..5 {
        let start_s = processor_s();
        work();
        least = least.min(processor_s() - start_s);
    }
    println!("{calls:<11} {name:<24} {:>8.1} {:>12.2}", least * 1e3, least * 1e9 / calls as f64);
}
