//! Tiles of small traces, and of one with an outlier.

use super::notation::store;
use crate::*;

fn axis(of: AxisOf, from: f64, to: f64, cells: usize) -> Axis {
    Axis { of, from, to, cells, is_log: false }
}

fn request(x: Axis, y: Axis) -> TileRequest {
    TileRequest {
        filter: Filter::default(),
        x,
        y,
        order: None,
        wanted: Wanted { busy: [true; 4], bytes: true, calls: true, longest: true, library: false },
        is_refined: false,
    }
}

fn rank_time(seconds: (f64, f64), cells: usize, rows: usize) -> TileRequest {
    let tracks = 2.0;
    request(axis(AxisOf::Time, seconds.0, seconds.1, cells), axis(AxisOf::Track, 0.0, tracks, rows))
}

const TWO_RANKS: &str = "
    0 posix write a 0.0-1.5 0+300
    0 posix write a 3.0-4.0 300+100
    1 posix read  a 1.0-2.0 0+100
    1 posix open  a 0.5-0.5
";

#[test]
fn busy_time_is_the_share_of_each_cell() {
    let tile = tile(&store(TWO_RANKS), &rank_time((0.0, 4.0), 4, 2));
    assert_eq!(tile.busy[Kind::Write as usize], [1.0, 0.5, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!(tile.busy[Kind::Read as usize], [0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
    assert_eq!(tile.calls, [1.0, 0.0, 0.0, 1.0, 1.0, 1.0, 0.0, 0.0]);
    assert_eq!(tile.bytes, [200.0, 100.0, 0.0, 100.0, 0.0, 100.0, 0.0, 0.0]);
    assert!(tile.is_exact);
}

#[test]
fn an_instant_is_seen_as_the_longest_call_of_its_cell() {
    let tile = tile(&store(TWO_RANKS), &rank_time((0.0, 4.0), 4, 2));
    assert_eq!(tile.longest_s[..4], [1.5, 1.5, 0.0, 1.0]);
    assert!(tile.longest_s[4] > 0.0 && tile.longest_s[4] < 1e-8);
}

#[test]
fn tracks_that_share_a_row_are_averaged() {
    let tile = tile(&store(TWO_RANKS), &rank_time((0.0, 4.0), 4, 1));
    assert_eq!(tile.busy[Kind::Write as usize], [0.5, 0.25, 0.0, 0.5]);
    assert_eq!(tile.longest_s[1], 1.5);
}

#[test]
fn a_track_fills_several_rows_when_there_is_room() {
    let tile = tile(&store(TWO_RANKS), &rank_time((0.0, 4.0), 1, 4));
    assert_eq!(tile.busy[Kind::Write as usize], [0.625, 0.625, 0.0, 0.0]);
}

#[test]
fn the_order_decides_where_tracks_are_and_hides_others() {
    let store = store(TWO_RANKS);
    let mut request = rank_time((0.0, 4.0), 1, 2);
    request.order = Some(vec![1, 0]);
    assert_eq!(tile(&store, &request).busy[Kind::Write as usize], [0.0, 0.625]);
    request.order = Some(vec![1]);
    assert_eq!(tile(&store, &request).busy[Kind::Write as usize], [0.0, 0.0]);
}

#[test]
fn overlapping_calls_of_a_track_count_once() {
    let store = store(
        "0 posix write a 0.0-2.0 0+1
         0 posix write b 1.0-3.0 0+1
         0 mpiio write a 2.5-4.0 0+1",
    );
    let mut request = rank_time((0.0, 8.0), 1, 1);
    request.y = axis(AxisOf::Track, 0.0, 1.0, 1);
    assert_eq!(tile(&store, &request).busy[Kind::Write as usize], [0.5]);
    request.filter.layers = Some(Members::new(2, [1]));
    assert_eq!(tile(&store, &request).busy[Kind::Write as usize], [0.375]);
}

#[test]
fn filters_narrow() {
    let store = store(TWO_RANKS);
    let busy = |narrow: &dyn Fn(&mut Filter)| {
        let mut request = rank_time((0.0, 4.0), 1, 1);
        narrow(&mut request.filter);
        let tile = tile(&store, &request);
        (tile.busy[Kind::Write as usize][0], tile.busy[Kind::Read as usize][0])
    };
    assert_eq!(busy(&|_| {}), (0.3125, 0.125));
    assert_eq!(busy(&|f| f.kinds = Some(Members::new(4, [Kind::Read as usize]))), (0.0, 0.125));
    assert_eq!(busy(&|f| f.tracks = Some(Members::new(2, [0]))), (0.3125, 0.0));
    assert_eq!(busy(&|f| f.files = Some(Members::new(1, []))), (0.0, 0.0));
    // 300+100 lies on target 11 only; 0+100 on target 10 only.
    assert_eq!(busy(&|f| f.targets = Some(vec![11])), (0.3125, 0.0));
    assert_eq!(busy(&|f| f.log = Some(1)), (0.0, 0.0));
}

#[test]
fn places_in_a_file_are_seen_over_time_and_rank() {
    let store = store(TWO_RANKS);
    let offsets = axis(AxisOf::Offset, 0.0, 400.0, 4);
    let map = tile(&store, &request(axis(AxisOf::Time, 0.0, 4.0, 4), offsets));
    let calls: Vec<f32> = map.calls.clone();
    assert_eq!(
        calls,
        [1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]
    );
    assert_eq!(map.bytes.iter().sum::<f32>(), 500.0);
    assert!(map.longest_s[8] > 0.0, "a large request touches all its places");
    let map = tile(&store, &request(offsets, axis(AxisOf::Track, 0.0, 2.0, 2)));
    assert_eq!(map.bytes, [100.0, 100.0, 100.0, 100.0, 100.0, 0.0, 0.0, 0.0]);
}

#[test]
fn sizes_and_targets_have_rows() {
    let store = store(TWO_RANKS);
    let time = axis(AxisOf::Time, 0.0, 4.0, 1);
    let sizes = Axis { is_log: true, ..axis(AxisOf::Size, 1.0, 1024.0, 10) };
    let tile_of = |y| tile(&store, &request(time, y));
    assert_eq!(tile_of(sizes).calls, [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 2.0, 0.0, 1.0, 0.0]);
    assert_eq!(tile_of(axis(AxisOf::Target, 0.0, 2.0, 2)).bytes, [300.0, 200.0]);
}

/// Tracks of the trace with an outlier.
const TRACKS: u32 = 1000;

/// A million short calls of a thousand tracks, one of which lasts 0.67 s.
fn with_outlier() -> Store {
    let call = |track: u32, call: i64| {
        let shared = SharedFields { track, layer: 0, kind: Kind::Write, file: 0, form: 0 };
        let start_ns = call * 1_000_000;
        let is_outlier = track == 613 && call == 300;
        let end_ns = start_ns + if is_outlier { 670_000_000 } else { 900 };
        (shared, NewCall { start_ns, end_ns, ..NewCall::default() })
    };
    let calls = (0..TRACKS).flat_map(|track| (0..1000).map(move |number| call(track, number)));
    let mut store = Store {
        layers: vec!["posix".to_owned()],
        ops: vec!["write".to_owned()],
        forms: vec![Form::default()],
        tracks: (0..TRACKS as i32).map(|rank| Track { log: 0, rank, host: None }).collect(),
        files: vec![File::default()],
        calls: calls.collect(),
        ..Store::default()
    };
    store.prepare();
    store
}

#[test]
fn an_outlier_is_seen_at_every_zoom_from_calls_and_from_the_grid() {
    let all = with_outlier();
    let packed = pack::pack(&all, pack::PackOptions { most_bytes: 100 });
    let grid = pack::unpack(&packed).unwrap();
    assert_eq!((all.holding, grid.holding), (Holding::All, Holding::Grid));
    for store in [&all, &grid] {
        for zoom in 0..14 {
            let length_s = 1.0 / f64::from(1 << zoom);
            let from_s = 0.5 - length_s / 2.0;
            for rows in [1, 10, 1000] {
                let request = request(
                    axis(AxisOf::Time, from_s, from_s + length_s, 200),
                    axis(AxisOf::Track, 0.0, f64::from(TRACKS), rows),
                );
                let tile = tile(store, &request);
                let longest = tile.longest_s.iter().copied().fold(0.0, f32::max);
                assert!((longest - 0.67).abs() < 0.04, "{longest} at zoom {zoom}, {rows} rows");
            }
        }
    }
}

#[test]
fn the_grid_has_the_sums_of_the_calls() {
    let store = with_outlier();
    let grid = Grid::build(&store, 0, (512, 64), &crate::work::alone);
    let level = &grid.levels[Kind::Write as usize][0];
    let sum = |plane: &[f32]| plane.iter().map(|v| f64::from(*v)).sum::<f64>();
    assert_eq!(sum(&level.calls), 1e6);
    // The other calls of track 613 that run within the long one count once.
    let busy_s = sum(&level.busy_ns) * 1e-9;
    assert!((busy_s - 0.67 - (1e6 - 671.0) * 900e-9).abs() < 1e-3, "{busy_s}");
    assert_eq!(grid.levels[Kind::Write as usize].len(), 4);
}

/// An MPI-IO write of 4 s, half of which is a POSIX write; a POSIX write of its own after it.
const LIBRARY: &str = "
    0 mpiio write a 0.0-4.0 0+100
    0 posix write a 1.0-3.0 0+100
    0 posix write a 5.0-6.0 0+100
";

/// Shares of write, waiting and library in the lane of a layer, by second.
fn parted(store: &Store, layer: usize) -> [Vec<f32>; 3] {
    let filter = Filter { layers: Some(Members::new(2, [layer])), ..Filter::default() };
    let wanted = Wanted { busy: [true; 4], library: true, ..Wanted::default() };
    let asked = TileRequest { filter, wanted, ..rank_time((0.0, 6.0), 6, 1) };
    let tile = tile(store, &TileRequest { y: axis(AxisOf::Track, 0.0, 1.0, 1), ..asked });
    let [_, write, _, wait] = tile.busy;
    [write, wait, tile.library]
}

#[test]
fn a_library_works_while_no_call_below_runs() {
    let store = store(LIBRARY);
    let [write, wait, library] = parted(&store, 0);
    assert_eq!(write, [0.0, 1.0, 1.0, 0.0, 0.0, 0.0]);
    assert_eq!(library, [1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
    assert_eq!(wait, [0.0; 6]);
    let [write, _, library] = parted(&store, 1);
    assert_eq!((write, library), (vec![0.0, 1.0, 1.0, 0.0, 0.0, 1.0], vec![0.0; 6]));
}

#[test]
fn in_a_collective_call_the_rank_waits() {
    let mut store = store(LIBRARY);
    // Forms are numbered as operations are.
    store.forms.iter_mut().for_each(|form| form.is_collective = Some(true));
    let [_, wait, library] = parted(&store, 0);
    assert_eq!(wait, [1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
    assert_eq!(library, [0.0; 6]);
}

#[test]
fn without_a_layer_below_a_library_is_not_told_apart() {
    let [write, wait, library] = parted(&store("0 mpiio write a 0.0-4.0 0+100"), 0);
    assert_eq!(write, [1.0, 1.0, 1.0, 1.0, 0.0, 0.0]);
    assert_eq!((wait, library), (vec![0.0; 6], vec![0.0; 6]));
}
