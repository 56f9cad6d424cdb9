//! Views of metrics, which a log with counters only has, too: ranks, sizes, targets.

use super::{Job, directions, layer_name, nothing};
use crate::PlotError;
use crate::figure::{Figure, Marks, Panel, beside, stacked};
use crate::scale::{Scale, Ticks, Unit};
use crate::scene::Colour;
use crate::theme::Theme;
use diya_model::Layer;
use diya_timeline::Kind;
use std::collections::{BTreeMap, BTreeSet};

diya_tables::columns! {
    struct RankTimes by name { rank: i32, io_s: f64 }
}

diya_tables::columns! {
    struct RankLayers by name { rank: i32, layer: str, bytes_read: i64, bytes_written: i64 }
}

const OPS: [(&str, Kind); 2] = [("read", Kind::Read), ("write", Kind::Write)];

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match sorted.len() % 2 {
        0 => (sorted[middle - 1] + sorted[middle]) / 2.0,
        _ => sorted[middle],
    }
}

/// Time in I/O and bytes of each rank.
pub(super) fn ranks<'a>(job: &'a Job, theme: &'static Theme) -> Result<Figure<'a>, PlotError> {
    let mut times = Vec::new();
    let mut is_shared = false;
    for of in job.table("rank_io").into_iter().flat_map(RankTimes::batches) {
        let row =
            |row: usize| Some((of.rank.get(row).filter(|rank| *rank >= 0)?, of.io_s.get(row)?));
        times.extend((0..of.rows()).filter_map(row));
        is_shared |= (0..of.rows()).any(|row| of.rank.get(row) == Some(-1));
    }
    let mut bytes: BTreeMap<String, BTreeMap<i32, [f64; 2]>> = BTreeMap::new();
    for of in job.table("rank_layer").into_iter().flat_map(RankLayers::batches) {
        for row in (0..of.rows()).filter(|row| of.rank.value(*row) >= 0) {
            let layer = bytes.entry(of.layer.value(row).to_owned()).or_default();
            let sums = layer.entry(of.rank.value(row)).or_default();
            sums[0] += of.bytes_read.get(row).unwrap_or(0) as f64;
            sums[1] += of.bytes_written.get(row).unwrap_or(0) as f64;
        }
    }
    if times.is_empty() {
        return Err(nothing(
            "the log has no time in I/O of single ranks: its files are shared by all ranks",
        ));
    }
    let most_rank = times.iter().map(|(rank, _)| *rank).max().unwrap_or(0) as usize;
    // Darshan has one record for all ranks of a file that all of them open.
    let left_out = if is_shared { ", without the files that all ranks share" } else { "" };
    let x = Scale::names("rank", (0..=most_rank).map(|rank| rank.to_string()).collect());
    let seconds: Vec<f64> = times.iter().map(|(_, s)| *s).collect();
    let most_s = seconds.iter().copied().fold(0.0, f64::max);
    let dots = times.iter().map(|(rank, s)| [f64::from(*rank) + 0.5, *s]).collect();
    let y = Scale::new("time in I/O", (0.0, most_s * 1.05), Ticks::Linear(Unit::Seconds));
    let mut time = Panel::new(
        &format!("Time in I/O{left_out}"),
        x.clone(),
        y,
        vec![Marks::Dots(theme.series(0), dots)],
    );
    time.lines.push((median(&seconds), "median rank".to_owned()));
    let mut panels = vec![time];
    // Of the lowest layer with bytes: those above move the same ones.
    let has_bytes =
        |layer: &str| bytes.get(layer).filter(|ranks| ranks.values().flatten().any(|b| *b > 0.0));
    let lowest =
        Layer::BOTTOM_UP.into_iter().find_map(|layer| Some((layer, has_bytes(layer.name())?)));
    if let Some((layer, of_rank)) = lowest {
        let series = OPS.map(|(_, kind)| {
            let value =
                |rank: usize| of_rank.get(&(rank as i32)).map_or(0.0, |sums| sums[kind as usize]);
            (theme.kind(kind), (0..=most_rank).map(value).collect())
        });
        let (marks, most) = by_rank(&series);
        let y = Scale::new("bytes", (0.0, most * 1.05), Ticks::Linear(Unit::Bytes));
        let name = format!("Bytes, {}{left_out}", layer_name(layer.name()));
        panels.push(Panel::new(&name, x, y, marks));
    }
    Ok(Figure {
        title: "Time in I/O and bytes of each rank".to_owned(),
        panels,
        legend: directions(theme),
        ramp: None,
    })
}

/// More ranks than these are dots: their bars would be finer than a line.
const MAX_BARS: usize = 300;

/// Values of ranks as stacked bars, or as dots where there are many; the most.
fn by_rank(series: &[(Colour, Vec<f64>)]) -> (Vec<Marks<'static>>, f64) {
    if series.iter().all(|(_, values)| values.len() <= MAX_BARS) {
        let (blocks, most) = stacked(series);
        return (vec![Marks::Boxes(blocks)], most);
    }
    let dots = |(colour, values): &(Colour, Vec<f64>)| {
        let points = values.iter().enumerate().filter(|(_, value)| **value > 0.0);
        let points = points.map(|(rank, value)| [rank as f64 + 0.5, *value]).collect();
        Marks::Dots(*colour, points)
    };
    let most = series.iter().flat_map(|(_, values)| values).copied().fold(0.0, f64::max);
    (series.iter().map(dots).collect(), most)
}

diya_tables::columns! {
    struct SizeCalls by name { layer: str, op: str, size_lo_bytes: i64, calls: i64 }
}

diya_tables::columns! {
    struct SizeTimes by name { layer: str, op: str, size_lo_bytes: i64, time_s: f64 }
}

/// Values by layer, then by direction and lower edge of the size.
type BySize = BTreeMap<String, BTreeMap<(String, i64), f64>>;

/// Requests by size, and their time, layer by layer.
pub(super) fn sizes<'a>(job: &'a Job, theme: &'static Theme) -> Result<Figure<'a>, PlotError> {
    let mut calls = BySize::new();
    for of in job.table("size_distribution").into_iter().flat_map(SizeCalls::batches) {
        for row in 0..of.rows() {
            let key = (of.op.value(row).to_owned(), of.size_lo_bytes.value(row));
            let layer = calls.entry(of.layer.value(row).to_owned()).or_default();
            *layer.entry(key).or_default() += of.calls.get(row).unwrap_or(0) as f64;
        }
    }
    let mut times = BySize::new();
    for of in job.table("size_time").into_iter().flat_map(SizeTimes::batches) {
        for row in 0..of.rows() {
            let key = (of.op.value(row).to_owned(), of.size_lo_bytes.value(row));
            let layer = times.entry(of.layer.value(row).to_owned()).or_default();
            *layer.entry(key).or_default() += of.time_s.get(row).unwrap_or(0.0);
        }
    }
    let edges =
        calls.values().chain(times.values()).flat_map(BTreeMap::keys).map(|(_, edge)| *edge);
    let edges: Vec<i64> = edges.collect::<BTreeSet<i64>>().into_iter().collect();
    if edges.is_empty() {
        return Err(nothing("the log has no sizes of requests"));
    }
    let x =
        Scale::names("size of the request", edges.iter().map(|edge| size_name(*edge)).collect());
    let series = |of: &BTreeMap<(String, i64), f64>| {
        OPS.map(|(op, kind)| {
            let value = |edge: &i64| of.get(&(op.to_owned(), *edge)).copied().unwrap_or(0.0);
            (theme.kind(kind), edges.iter().map(value).collect())
        })
    };
    let mut panels = Vec::new();
    for layer in Layer::BOTTOM_UP.into_iter().rev().map(Layer::name) {
        if let Some(of) = calls.get(layer) {
            let (blocks, most) = beside(&series(of));
            let y = Scale::new("requests", (0.0, most * 1.05), Ticks::Linear(Unit::Count));
            let name = format!("{}: requests", layer_name(layer));
            panels.push(Panel::new(&name, x.clone(), y, vec![Marks::Boxes(blocks)]));
        }
        if let Some(of) = times.get(layer) {
            let (blocks, most) = stacked(&series(of));
            let y = Scale::new("time", (0.0, most * 1.05), Ticks::Linear(Unit::Seconds));
            let name = format!("{}: time in requests, summed over ranks", layer_name(layer));
            panels.push(Panel::new(&name, x.clone(), y, vec![Marks::Boxes(blocks)]));
        }
    }
    Ok(Figure {
        title: "Requests by size".to_owned(),
        panels,
        legend: directions(theme),
        ramp: None,
    })
}

/// A class of sizes by its lower edge, as users of Darshan know it: `1 K–10 K`.
fn size_name(low_bytes: i64) -> String {
    const EDGES: [(i64, &str); 10] = [
        (0, "0"),
        (101, "100 B"),
        (1025, "1 K"),
        (10_241, "10 K"),
        (102_401, "100 K"),
        (1_048_577, "1 M"),
        (4_194_305, "4 M"),
        (10_485_761, "10 M"),
        (104_857_601, "100 M"),
        (1_073_741_825, "1 G"),
    ];
    match EDGES.iter().position(|(edge, _)| (edge - low_bytes).abs() <= 1) {
        None => low_bytes.to_string(),
        Some(at) => match EDGES.get(at + 1) {
            None => format!("> {}", EDGES[at].1),
            Some((_, next)) => format!("{}–{next}", EDGES[at].1),
        },
    }
}

diya_tables::columns! {
    struct TargetLoads by name { ost_id: i64, op: str, bytes: i64, time_s: f64 }
}

/// Bytes and time of each storage target.
pub(super) fn targets<'a>(job: &'a Job, theme: &'static Theme) -> Result<Figure<'a>, PlotError> {
    let mut sums: BTreeMap<i64, [[f64; 2]; 2]> = BTreeMap::new();
    for of in job.table("target_load").into_iter().flat_map(TargetLoads::batches) {
        for row in 0..of.rows() {
            let op = usize::from(of.op.value(row) == "write");
            let sum = sums.entry(of.ost_id.value(row)).or_default();
            sum[0][op] += of.bytes.get(row).unwrap_or(0) as f64;
            sum[1][op] += of.time_s.get(row).unwrap_or(0.0);
        }
    }
    if sums.is_empty() {
        return Err(nothing(
            "the log has no single calls with the layout of their files on storage targets",
        ));
    }
    let x = Scale::names("storage target", sums.keys().map(i64::to_string).collect());
    let panel = |what: usize, name: &str, title: &str, unit: Unit| {
        let series = OPS.map(|(_, kind)| {
            (theme.kind(kind), sums.values().map(|sum| sum[what][kind as usize]).collect())
        });
        let (blocks, most) = stacked(&series);
        let y = Scale::new(title, (0.0, most * 1.05), Ticks::Linear(unit));
        Panel::new(name, x.clone(), y, vec![Marks::Boxes(blocks)])
    };
    Ok(Figure {
        title: "Load of the storage targets".to_owned(),
        panels: vec![
            panel(0, "Bytes", "bytes", Unit::Bytes),
            panel(1, "Time of the requests, split by their bytes", "time", Unit::Seconds),
        ],
        legend: directions(theme),
        ramp: None,
    })
}
