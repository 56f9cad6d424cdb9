//! Totals of the calls that a filter leaves, cut at its window.

use crate::{Filter, Kind, Store, Total};
use std::collections::BTreeMap;

/// Totals of one layer and kind.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KindTotal {
    /// Number of the layer.
    pub layer: u8,
    /// What the calls do.
    pub kind: Kind,
    /// Sums.
    pub total: Total,
    /// Tracks with such calls.
    pub tracks: usize,
    /// Shortest call, whole, nanoseconds.
    pub shortest_ns: u64,
    /// Longest call, whole.
    pub longest_ns: u64,
    /// Which one it is.
    pub longest_call: usize,
}

/// Totals of one function.
#[derive(Debug, Clone, PartialEq)]
pub struct FunctionTotal {
    /// Number of the layer.
    pub layer: u8,
    /// Function, or operation where the log has no name of the function.
    pub name: String,
    /// What the calls do.
    pub kind: Kind,
    /// Sums.
    pub total: Total,
}

/// Totals of an area.
#[derive(Debug, Default, PartialEq)]
pub struct Area {
    /// By layer and kind.
    pub kinds: Vec<KindTotal>,
    /// By file; most time first; of the lowest layers that touch the file, as
    /// those above do the same work again.
    pub files: Vec<(u32, Total)>,
    /// By track, likewise.
    pub tracks: Vec<(u32, Total)>,
    /// By storage target.
    pub targets: Vec<(i64, Total)>,
    /// By layer and function; most time first.
    pub functions: Vec<FunctionTotal>,
}

/// The totals; at most `top` files, tracks, targets and functions.
pub fn area(store: &Store, filter: &Filter, top: usize) -> Area {
    let mut kinds: BTreeMap<(u8, Kind), KindTotal> = BTreeMap::new();
    let layers = store.layers.len().max(1);
    let mut files = vec![Total::default(); store.files.len() * layers];
    let mut tracks = vec![Total::default(); store.tracks.len() * layers];
    let mut forms = vec![Total::default(); store.forms.len() * layers];
    let mut targets: BTreeMap<i64, Total> = BTreeMap::new();
    let mut tracks_seen: BTreeMap<(u8, Kind), (u32, usize)> = BTreeMap::new();
    for stream in filter.streams(store) {
        let layer = usize::from(stream.layer);
        let mut of_track = Total::default();
        let mut of_kind: Option<KindTotal> = None;
        for call in filter.calls(store, *stream) {
            let total = one(store, filter, call);
            let duration_ns = store.calls.one_call_ns(call);
            let kind = of_kind.get_or_insert(KindTotal {
                layer: stream.layer,
                kind: stream.kind,
                total: Total::default(),
                tracks: 0,
                shortest_ns: duration_ns,
                longest_ns: duration_ns,
                longest_call: call,
            });
            kind.shortest_ns = kind.shortest_ns.min(duration_ns);
            if duration_ns > kind.longest_ns {
                (kind.longest_ns, kind.longest_call) = (duration_ns, call);
            }
            of_track.add(total);
            let file = store.calls.file[call] as usize;
            if let Some(sum) = files.get_mut(file * layers + layer) {
                sum.add(total);
            }
            let form = usize::from(store.calls.form[call]);
            if let Some(sum) = forms.get_mut(form * layers + layer) {
                sum.add(total);
            }
            if store.depth(stream.layer) >= 3 {
                split(store, call, total, &mut targets);
            }
        }
        let Some(mut of_kind) = of_kind else { continue };
        of_kind.total = of_track;
        if let Some(sum) = tracks.get_mut(stream.track as usize * layers + layer) {
            sum.add(of_track);
        }
        let seen = tracks_seen.entry((stream.layer, stream.kind)).or_insert((u32::MAX, 0));
        if seen.0 != stream.track {
            *seen = (stream.track, seen.1 + 1);
        }
        let key = (stream.layer, stream.kind);
        kinds.entry(key).and_modify(|sum| join(sum, of_kind)).or_insert(of_kind);
    }
    for (key, total) in &mut kinds {
        total.tracks = tracks_seen.get(key).map_or(0, |seen| seen.1);
    }
    Area {
        kinds: kinds.into_values().collect(),
        files: first(lowest(store, &files, layers), top),
        tracks: first(lowest(store, &tracks, layers), top),
        targets: first(targets.into_iter().collect(), top),
        functions: functions(store, &forms, layers, top),
    }
}

/// Totals of forms as those of functions: an error, or a collective call, is no other function.
fn functions(store: &Store, forms: &[Total], layers: usize, top: usize) -> Vec<FunctionTotal> {
    let mut sums: BTreeMap<(usize, &str), (Kind, Total)> = BTreeMap::new();
    for (at, total) in forms.iter().enumerate().filter(|(_, total)| total.calls > 0) {
        let Some(form) = store.forms.get(at / layers) else { continue };
        let op = store.ops.get(usize::from(form.op)).map_or("", String::as_str);
        let function = form.function.and_then(|number| store.functions.get(number as usize));
        let name = function.map_or(op, String::as_str);
        let sum =
            sums.entry((at % layers, name)).or_insert((store.kind_of(form.op), Total::default()));
        sum.1.add(*total);
    }
    let row = |((layer, name), (kind, total)): ((usize, &str), (Kind, Total))| FunctionTotal {
        layer: layer as u8,
        name: name.to_owned(),
        kind,
        total,
    };
    let mut rows: Vec<FunctionTotal> = sums.into_iter().map(row).collect();
    rows.sort_by(|a, b| b.total.time_s.total_cmp(&a.total.time_s));
    rows.truncate(top);
    rows
}

/// One call, cut at the window.
pub(crate) fn one(store: &Store, filter: &Filter, call: usize) -> Total {
    let (start, end) = (store.calls.start_ns[call], store.calls.end_ns(call));
    let (calls, busy_ns) = store.calls.weight(call);
    let bytes = store.calls.size_bytes.value(call) as f64;
    // Most calls are whole, and a division costs as much as the rest.
    if start >= filter.window_ns.0 && end <= filter.window_ns.1 {
        let time_s = if end > start { busy_ns as f64 * 1e-9 } else { 0.0 };
        return Total { calls, bytes, time_s };
    }
    let inside = end.min(filter.window_ns.1).saturating_sub(start.max(filter.window_ns.0));
    if end <= start {
        return Total { calls, bytes, time_s: 0.0 };
    }
    let share = inside as f64 / (end - start) as f64;
    Total { calls, bytes: bytes * share, time_s: busy_ns as f64 * share * 1e-9 }
}

/// Adds a call to the targets that hold its bytes; time by their share.
fn split(store: &Store, call: usize, total: Total, targets: &mut BTreeMap<i64, Total>) {
    let size = store.calls.size_bytes.value(call);
    let Ok(offset) = u64::try_from(store.calls.offset_bytes[call]) else { return };
    let Some(layout) = store.layout(store.calls.file[call]) else { return };
    layout.split(offset, size, |target, bytes| {
        let share = bytes as f64 / size.max(1) as f64;
        targets.entry(target).or_default().add(Total {
            calls: total.calls,
            bytes: total.bytes * share,
            time_s: total.time_s * share,
        });
    });
}

fn join(sum: &mut KindTotal, other: KindTotal) {
    sum.total.add(other.total);
    sum.shortest_ns = sum.shortest_ns.min(other.shortest_ns);
    if other.longest_ns > sum.longest_ns {
        (sum.longest_ns, sum.longest_call) = (other.longest_ns, other.longest_call);
    }
}

/// Of each line the total of the lowest layers with calls: POSIX and STDIO stand side by
/// side, so both count.
fn lowest(store: &Store, totals: &[Total], layers: usize) -> Vec<(u32, Total)> {
    let depth = |layer: usize| u8::try_from(layer).map_or(0, |layer| store.depth(layer));
    let lowest_of = |line: &[Total]| {
        let used = || (0..layers).filter(|layer| line[*layer].calls > 0);
        let lowest = used().map(depth).max()?;
        let mut sum = Total::default();
        used().filter(|layer| depth(*layer) == lowest).for_each(|layer| sum.add(line[layer]));
        Some(sum)
    };
    let lines = (0u32..).zip(totals.chunks_exact(layers));
    lines.filter_map(|(number, line)| Some((number, lowest_of(line)?))).collect()
}

fn first<Key: Ord + Copy>(mut totals: Vec<(Key, Total)>, top: usize) -> Vec<(Key, Total)> {
    let by_time = |a: &(Key, Total), b: &(Key, Total)| {
        b.1.time_s.total_cmp(&a.1.time_s).then(b.1.bytes.total_cmp(&a.1.bytes)).then(a.0.cmp(&b.0))
    };
    totals.sort_by(by_time);
    totals.truncate(top);
    totals
}
