//! The roofline: I/O phases under the highest bandwidth that the file system reached.

use super::{Job, directions, nothing};
use crate::PlotError;
use crate::figure::{Figure, Marks, Panel};
use crate::scale::{Scale, Ticks, Unit};
use crate::theme::Theme;
use diya_timeline::Kind;
use std::collections::{BTreeMap, BTreeSet};

diya_tables::columns! {
    struct Phases by name {
        op: str, request_bytes: f64, bandwidth_bytes_per_s: f64,
    }
}

diya_tables::columns! {
    struct Ceilings by name {
        op: str, pattern: str, workers: i64, request_bytes: i64, bandwidth_bytes_per_s: f64,
    }
}

/// Corners of a curve: size of requests, bandwidth.
type Curve = Vec<[f64; 2]>;

/// What was measured: by operation, workers and pattern.
fn roofs(job: &Job) -> BTreeMap<(String, i64, String), Curve> {
    let mut roofs = BTreeMap::<_, Curve>::new();
    for of in job.table("machine_ceiling").into_iter().flat_map(Ceilings::batches) {
        for row in 0..of.rows() {
            let (op, pattern) = (of.op.value(row).to_owned(), of.pattern.value(row).to_owned());
            let at = [of.request_bytes.value(row) as f64, of.bandwidth_bytes_per_s.value(row)];
            roofs.entry((op, of.workers.value(row), pattern)).or_default().push(at);
        }
    }
    for curve in roofs.values_mut() {
        curve.sort_by(|a, b| a[0].total_cmp(&b[0]));
    }
    roofs
}

fn points(job: &Job, op: &str) -> Vec<[f64; 2]> {
    let mut points = Vec::new();
    for of in job.table("roofline").into_iter().flat_map(Phases::batches) {
        for row in (0..of.rows()).filter(|row| of.op.value(*row) == op) {
            let size = of.request_bytes.get(row).filter(|size| *size > 0.0);
            let bandwidth = of.bandwidth_bytes_per_s.get(row).filter(|bandwidth| *bandwidth > 0.0);
            points.extend(size.zip(bandwidth).map(|(size, bandwidth)| [size, bandwidth]));
        }
    }
    points
}

/// A panel for writes and one for reads: phases as points, the measured bandwidths as curves.
pub(super) fn roofline<'a>(job: &'a Job, theme: &'static Theme) -> Result<Figure<'a>, PlotError> {
    let roofs = roofs(job);
    if roofs.is_empty() {
        return Err(nothing(
            "a roofline needs the bandwidths of the file system: `diya calibrate DIR -o FILE`, \
             then `--machine FILE` (profiles of before 0.1.0 have none)",
        ));
    }
    let shown = [("write", Kind::Write), ("read", Kind::Read)]
        .map(|(op, kind)| (op, kind, points(job, op)));
    let shown = shown.into_iter().filter(|(_, _, points)| !points.is_empty());
    let shown: Vec<_> = shown.collect();
    if shown.is_empty() {
        return Err(nothing("the log has no I/O phase that moved bytes"));
    }
    let all = || shown.iter().flat_map(|(_, _, points)| points).chain(roofs.values().flatten());
    let ends = |axis: usize| {
        let values = all().map(|at| at[axis]);
        values.fold((f64::MAX, 0.0_f64), |(low, high), v| (low.min(v), high.max(v)))
    };
    let axis = |title: &str, axis: usize, unit: Unit| {
        let (low, high) = ends(axis);
        Scale::new(title, (low / 1.5, high * 1.5), Ticks::Log(unit))
    };
    let x = axis("size of requests", 0, Unit::Bytes);
    let y = axis("bandwidth", 1, Unit::BytesPerSecond);
    let (mut panels, mut legend) = (Vec::new(), directions(theme));
    let ways: BTreeSet<(i64, &str)> =
        roofs.keys().map(|(_, workers, pattern)| (*workers, pattern.as_str())).collect();
    let colours: BTreeMap<_, _> = ways
        .iter()
        .enumerate()
        .map(|(number, way)| {
            // One worker is first, and all three colours of series are for several.
            let colour = if way.0 == 1 { theme.soft } else { theme.series(number) };
            (*way, colour)
        })
        .collect();
    legend.extend(colours.iter().map(|((workers, pattern), colour)| {
        let name = match (*workers, *pattern) {
            (1, _) => "1 worker".to_owned(),
            (_, "own") => format!("{workers} workers, a file each"),
            (_, "segments") => format!("{workers} workers, one file"),
            _ => format!("{workers} workers, one file, interleaved"),
        };
        (name, *colour)
    }));
    for (op, kind, points) in shown {
        let of_op = roofs.iter().filter(|((of, ..), _)| of == op);
        let curve = |((_, workers, pattern), curve): (&(String, i64, String), &Curve)| {
            let colour = colours.get(&(*workers, pattern.as_str())).copied();
            Marks::Curve(colour.unwrap_or(theme.soft), curve.clone())
        };
        let mut marks: Vec<Marks<'a>> = of_op.map(curve).collect();
        marks.push(Marks::Dots(theme.kind(kind), points));
        let name = format!("Phases that {op}");
        let panel = Panel::new(&name, x.clone(), y.clone(), marks);
        panels.push(Panel { lines_high: [14.0, f32::MAX], ..panel });
    }
    Ok(Figure {
        title: "I/O phases under the measured bandwidth".to_owned(),
        panels,
        legend,
        ramp: None,
    })
}
