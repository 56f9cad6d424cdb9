//! `diya-bench-tiles [CALLS...]`: what a tile of 2000 x 1000 cells costs, on one
//! thread, over a made-up trace of 10,000 ranks. Times are processor times, the
//! least of seven. What makes machines comparable is the last column: how often
//! the same thread reads the starts and durations of all calls in that time.

use diya_timeline::{
    Axis, AxisOf, ColumnSlice, Counts, File, Filled, Filter, Form, Grid, Kind, NewCall, Store,
    StreamKey, Tile, TileRequest, Track, Wanted, tile_in,
};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

const RANKS: u32 = 10_000;
const RUN_S: f64 = 1000.0;

fn main() {
    let given: Vec<usize> = std::env::args().skip(1).filter_map(|n| n.parse().ok()).collect();
    let sizes = if given.is_empty() { vec![1_000_000, 10_000_000] } else { given };
    println!("calls       tile                        ms  ns per call     passes");
    let mut spare = Tile::default();
    for calls in sizes {
        let store = made_up(calls);
        let pass_s = least_s(|| pass(&store));
        print_line(calls, "a pass over the columns", pass_s, pass_s);
        let mut report = |name: &str, of: AxisOf, window: (f64, f64), ranks: f64| {
            let work = || spare = draw(&store, of, window, ranks, std::mem::take(&mut spare));
            print_line(calls, name, least_s(work), pass_s);
        };
        let full = (0.0, RUN_S);
        if calls <= 12_000_000 {
            for (name, window, ranks) in [
                ("all", full, 1.0),
                ("10 % of time", (0.45 * RUN_S, 0.55 * RUN_S), 1.0),
                ("1 % of time", (0.495 * RUN_S, 0.505 * RUN_S), 1.0),
                ("10 % of time and ranks", (0.45 * RUN_S, 0.55 * RUN_S), 0.1),
            ] {
                report(name, AxisOf::Track, window, ranks);
            }
            report("all, offsets", AxisOf::Offset, full, 1.0);
            continue;
        }
        for threads in [1, 2] {
            // On the clock of the wall: several threads build it.
            let start = Instant::now();
            drop(Grid::build(&store, 0, (4096, 1024), &|tasks, work| {
                side_by_side(threads, tasks, work)
            }));
            let name = format!("grid, {threads} threads, wall");
            print_line(calls, &name, start.elapsed().as_secs_f64(), pass_s);
        }
        store.build_grids(&|tasks, work| side_by_side(2, tasks, work));
        report("all, from the grid", AxisOf::Track, full, 1.0);
        report("20 % of time, grid", AxisOf::Track, (0.4 * RUN_S, 0.6 * RUN_S), 1.0);
        report("1 % of time, calls", AxisOf::Track, (0.495 * RUN_S, 0.505 * RUN_S), 1.0);
    }
}

/// Ranks that write and read in turn, with gaps and durations that vary.
fn made_up(calls: usize) -> Store {
    let per_stream = (calls / RANKS as usize).max(2).div_ceil(2);
    let keys: Vec<StreamKey> = (0..RANKS).flat_map(keys_of).collect();
    let mut counts = Counts::default();
    keys.iter().for_each(|key| counts.add(*key, per_stream as u64));
    let mut builder = counts.builder();
    let wishes = keys.into_iter().map(|key| (key, per_stream as u32)).collect();
    let mut slices = builder.slices(&[wishes]).remove(0);
    each(calls, |stream, call| slices[stream].push((0, stream as u16 % 2), call));
    let filled: Vec<Filled> = slices.into_iter().map(ColumnSlice::filled).collect();
    builder.take(filled);
    let mut store = Store {
        layers: vec!["posix".to_owned()],
        ops: vec!["write".to_owned(), "read".to_owned()],
        forms: vec![Form::default(), Form { op: 1, ..Form::default() }],
        tracks: (0..RANKS as i32).map(|rank| Track { log: 0, rank, host: None }).collect(),
        files: vec![File::default()],
        calls: builder.finish(&|tasks, work| side_by_side(2, tasks, work)),
        ..Store::default()
    };
    store.prepare();
    store
}

/// The writes, then the reads of a rank.
fn keys_of(track: u32) -> [StreamKey; 2] {
    [Kind::Write, Kind::Read].map(|kind| StreamKey { track, layer: 0, kind })
}

/// Each call with the number of its stream.
fn each(calls: usize, mut visit: impl FnMut(usize, NewCall)) {
    let per_rank = (calls / RANKS as usize).max(2) as i64;
    let step_ns = (RUN_S * 1e9) as i64 / per_rank;
    let mut noise = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        noise ^= noise << 13;
        noise ^= noise >> 7;
        noise ^= noise << 17;
        (noise >> 11) as i64
    };
    for track in 0..RANKS {
        for of in 0..2 {
            let stream = track as usize * 2 + of as usize;
            for call in (of..per_rank).step_by(2) {
                let start_ns = call * step_ns + next() % (step_ns / 4);
                let end_ns = start_ns + step_ns / 8 + next() % (step_ns / 4);
                let offset_bytes = Some(((i64::from(track) * per_rank + call) * 4096) as u64);
                let size_bytes = Some(4096);
                visit(stream, NewCall { start_ns, end_ns, offset_bytes, size_bytes, traced: None });
            }
        }
    }
}

fn draw(store: &Store, of: AxisOf, (from, to): (f64, f64), ranks: f64, spare: Tile) -> Tile {
    let ranks_shown = f64::from(RANKS) * ranks;
    // Around the middle, where the planted call is.
    let first_rank = (f64::from(RANKS) - ranks_shown) / 2.0;
    let (y_from, y_to) = match of {
        AxisOf::Track => (first_rank, first_rank + ranks_shown),
        _ => (0.0, store.calls.len() as f64 * 4096.0),
    };
    let request = TileRequest {
        filter: Filter::default(),
        x: Axis { of: AxisOf::Time, from, to, cells: 2000, is_log: false },
        y: Axis { of, from: y_from, to: y_to, cells: 1000, is_log: false },
        order: None,
        wanted: Wanted { busy: [true, true, false, false], longest: true, ..Wanted::default() },
        is_refined: false,
    };
    tile_in(store, &request, spare)
}

/// Does all tasks on so many threads.
fn side_by_side(threads: usize, tasks: usize, work: &(dyn Fn(usize) + Sync)) {
    let next = AtomicUsize::new(0);
    let one_thread = || {
        let task = || Some(next.fetch_add(1, Ordering::Relaxed)).filter(|task| *task < tasks);
        std::iter::from_fn(task).for_each(work);
    };
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(one_thread))));
}

/// Reads what every tile of the whole trace has to read.
fn pass(store: &Store) {
    let starts = store.calls.start_ns.iter().fold(0_i64, |sum, start| sum ^ start);
    let durations =
        (0..store.calls.len()).fold(0, |sum, call| sum ^ store.calls.duration_ns.value(call));
    std::hint::black_box((starts, durations));
}

/// Seconds this thread was on a processor: others may be busy.
fn processor_s() -> f64 {
    let schedule = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let ns = schedule.split(' ').next().and_then(|ns| ns.parse::<f64>().ok());
    ns.map_or_else(|| START.get_or_init(Instant::now).elapsed().as_secs_f64(), |ns| ns * 1e-9)
}

/// Where the kernel does not tell: the time on the wall.
static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();

/// Shortest time that the kernel's clock, which ticks every 4 ms, measures well.
const SAMPLE_S: f64 = 0.1;

/// The least of seven times, each of as many runs as the clock needs.
fn least_s(mut work: impl FnMut()) -> f64 {
    let mut sample = || {
        let (start_s, mut runs) = (processor_s(), 0.0);
        loop {
            work();
            runs += 1.0;
            let took_s = processor_s() - start_s;
            if took_s >= SAMPLE_S {
                return took_s / runs;
            }
        }
    };
    (0..7).map(|_| sample()).fold(f64::INFINITY, f64::min)
}

fn print_line(calls: usize, name: &str, time_s: f64, pass_s: f64) {
    let (ms, ns) = (time_s * 1e3, time_s * 1e9 / calls as f64);
    println!("{calls:<11} {name:<24} {ms:>8.1} {ns:>11.2} {:>11.1}", time_s / pass_s);
}
