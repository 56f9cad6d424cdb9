//! Views of where time went: the account of the run, phases that wait, call stacks.

use super::{Job, kind_name, kinds, layer_name, nothing};
use crate::PlotError;
use crate::figure::{Block, Figure, Marks, Panel, beside};
use crate::scale::{Scale, Ticks, Unit};
use crate::theme::Theme;
use diya::report::TimePart;
use diya_model::{Layer, seconds_text};
use diya_timeline::{Filter, Kind, stack_costs};
use std::collections::BTreeMap;

/// Shares of the run that are too small to be seen.
const LEAST_SHARE: f64 = 0.002;

/// Where the run time went, as one bar.
pub(super) fn account<'a>(job: &'a Job, theme: &'static Theme) -> Result<Figure<'a>, PlotError> {
    let all: f64 = job.parts.iter().map(|part| part.time_s).sum();
    if all <= 0.0 {
        return Err(nothing("the log has no run time to divide"));
    }
    let mut parts: Vec<&TimePart> =
        job.parts.iter().filter(|part| part.time_s / all >= LEAST_SHARE).collect();
    parts.sort_by(|a, b| b.is_io().cmp(&a.is_io()).then(b.time_s.total_cmp(&a.time_s)));
    let (mut from, mut blocks, mut legend, mut seen) = (0.0, Vec::new(), Vec::new(), Vec::new());
    for part in parts {
        // Exchanging data is work of MPI-IO.
        let is_exchange = part.class == "exchange";
        let colour = theme.class(if is_exchange { "library" } else { &part.class });
        // As in the page: every second part of a colour is darker.
        let is_second = seen.iter().filter(|before| **before == colour).count() % 2 == 1;
        seen.push(colour);
        let colour = if is_second { theme.shaded(colour) } else { colour };
        blocks.push(Block::new([from, from + part.time_s], [0.1, 0.9], colour));
        legend.push((format!("{} {}", part.name, seconds_text(part.time_s)), colour));
        from += part.time_s;
    }
    let x = Scale::new("run time", (0.0, from), Ticks::Linear(Unit::Seconds));
    let y = Scale::new("", (0.0, 1.0), Ticks::None);
    let panel =
        Panel { lines_high: [3.0, 4.0], ..Panel::new("", x, y, vec![Marks::Boxes(blocks)]) };
    Ok(Figure {
        title: "Where the run time went".to_owned(),
        panels: vec![panel],
        legend,
        ramp: None,
    })
}

diya_tables::columns! {
    struct Stragglers by name {
        layer: str, phase: i32, slowest_io_s: f64, median_io_s: f64, waited_s: f64,
    }
}

/// The slowest and the median rank of each phase, and how long the others waited.
pub(super) fn stragglers<'a>(job: &'a Job, theme: &'static Theme) -> Result<Figure<'a>, PlotError> {
    let mut layers: BTreeMap<String, Vec<(i32, [f64; 3])>> = BTreeMap::new();
    for of in job.table("phase_straggler").into_iter().flat_map(Stragglers::batches) {
        for row in 0..of.rows() {
            let values = [&of.slowest_io_s, &of.median_io_s, &of.waited_s];
            let values = values.map(|column| column.get(row).unwrap_or(0.0));
            let layer = layers.entry(of.layer.value(row).to_owned()).or_default();
            layer.push((of.phase.value(row), values));
        }
    }
    if layers.is_empty() {
        return Err(nothing("the log has no I/O phase with calls of two ranks"));
    }
    let names = ["slowest rank in calls", "median rank in calls", "waited for the last rank"];
    let colour = |series: usize| theme.series([1, 0, 2][series]);
    let found =
        Layer::BOTTOM_UP.into_iter().rev().filter_map(|layer| layers.get_key_value(layer.name()));
    let panel = |(layer, rows): (&String, &Vec<(i32, [f64; 3])>)| {
        let x = Scale::names("phase", rows.iter().map(|(phase, _)| phase.to_string()).collect());
        let of = |series: usize| {
            (colour(series), rows.iter().map(|(_, values)| values[series]).collect())
        };
        let (blocks, most) = beside(&[of(0), of(1), of(2)]);
        let y = Scale::new("time", (0.0, most * 1.05), Ticks::Linear(Unit::Seconds));
        Panel::new(&layer_name(layer), x, y, vec![Marks::Boxes(blocks)])
    };
    Ok(Figure {
        title: "Slowest ranks of each I/O phase".to_owned(),
        panels: found.map(panel).collect(),
        legend: names
            .into_iter()
            .enumerate()
            .map(|(at, name)| (name.to_owned(), colour(at)))
            .collect(),
        ramp: None,
    })
}

/// One frame of the call stacks, with those that it calls.
#[derive(Default)]
struct Frame {
    time_s: f64,
    kind: Option<Kind>,
    calls: BTreeMap<String, Frame>,
}

/// Endings of files in languages that an interpreter runs.
const SCRIPTS: [&str; 8] = [".py:", ".pyx:", ".R:", ".r:", ".jl:", ".pl:", ".rb:", ".sh:"];

/// The frames that a person wrote, as in the page (`ownFrames`): of a script those of the script,
/// else those with a source line, else all. What runs the interpreter says nothing about the program.
fn own_frames(frames: &[String]) -> Vec<&str> {
    let is_line = |rest: &str| rest.starts_with(|first: char| first.is_ascii_digit());
    let has =
        |frame: &str, mark: &str| frame.split_once(mark).is_some_and(|(_, rest)| is_line(rest));
    let is_start =
        |frame: &str| frame.contains("libc-start.c:") || frame.contains("libc_start_call_main.h:");
    let kept = |is_kept: &dyn Fn(&str) -> bool| -> Vec<&str> {
        frames.iter().map(String::as_str).filter(|frame| is_kept(frame)).collect()
    };
    let script = kept(&|frame| SCRIPTS.iter().any(|ending| has(frame, ending)));
    let lines = kept(&|frame| has(frame, ":") && !is_start(frame));
    [script, lines].into_iter().find(|kept| !kept.is_empty()).unwrap_or_else(|| kept(&|_| true))
}

/// Frames that are narrower than this share are left out.
const LEAST_FRAME: f64 = 0.002;

/// Frames of a stack at most: below them a picture has no room.
const MAX_FRAMES: usize = 20;

/// Time in calls by call stack: callers above what they call.
pub(super) fn stacks<'a>(job: &'a Job, theme: &'static Theme) -> Result<Figure<'a>, PlotError> {
    let store = &job.store;
    let (mut root, mut is_cut) = (Frame::default(), false);
    for cost in stack_costs(store, &Filter::default()) {
        let Some(frames) = store.stacks.get(cost.stack as usize) else { continue };
        let layer = store.layers.get(usize::from(cost.layer)).map_or("", String::as_str);
        let leaf = format!("{} {}", layer_name(layer), kind_name(cost.kind));
        let mut at = &mut root;
        at.time_s += cost.total.time_s;
        let own = own_frames(frames);
        is_cut |= own.len() > MAX_FRAMES;
        for frame in own.into_iter().rev().take(MAX_FRAMES).chain([leaf.as_str()]) {
            at = at.calls.entry(frame.to_owned()).or_default();
            at.time_s += cost.total.time_s;
        }
        at.kind = Some(cost.kind);
    }
    if root.time_s <= 0.0 {
        return Err(nothing("no call stacks are recorded: record with `diya run`"));
    }
    let (mut blocks, mut depth) = (Vec::new(), 0);
    let whole = root.time_s;
    lay(&root, 0.0, 0, whole, theme, (&mut blocks, &mut depth));
    let x =
        Scale::new("time in calls, summed over ranks", (0.0, whole), Ticks::Linear(Unit::Seconds));
    let y = Scale::new("", (0.0, depth as f64), Ticks::None);
    let name = if is_cut { format!("The outermost {MAX_FRAMES} frames") } else { String::new() };
    let panel = Panel::new(&name, x, y, vec![Marks::Boxes(blocks)]).downward();
    let high = depth as f32 * 1.7;
    let panel = Panel { lines_high: [high, high], ..panel };
    Ok(Figure {
        title: "Time in calls by call stack".to_owned(),
        panels: vec![panel],
        legend: kinds(theme),
        ramp: None,
    })
}

/// Boxes of the frames below one, widest first.
fn lay(
    frame: &Frame,
    left: f64,
    level: usize,
    whole: f64,
    theme: &Theme,
    out: (&mut Vec<Block>, &mut usize),
) {
    let (blocks, depth) = out;
    let mut inner: Vec<(&String, &Frame)> = frame.calls.iter().collect();
    inner.sort_by(|a, b| b.1.time_s.total_cmp(&a.1.time_s).then(a.0.cmp(b.0)));
    let mut from = left;
    for (name, child) in inner.into_iter().filter(|(_, child)| child.time_s / whole >= LEAST_FRAME)
    {
        let shade = theme.ground.mix(theme.line, if level.is_multiple_of(2) { 0.9 } else { 0.55 });
        let colour = child.kind.map_or(shade, |kind| theme.kind(kind));
        let (top, to) = (level as f64, from + child.time_s);
        let short = name.split(' ').next().map_or(name.as_str(), |path| {
            path.rfind('/').map_or(name.as_str(), |cut| &name[cut + 1..])
        });
        let label = short.to_owned();
        blocks.push(Block { x: [from, to], y: [top + 0.04, top + 0.96], colour, label });
        *depth = (*depth).max(level + 1);
        lay(child, from, level + 1, whole, theme, (blocks, depth));
        from = to;
    }
}

#[cfg(test)]
mod tests {
    use super::own_frames;

    fn own(frames: &[&str]) -> Vec<String> {
        let frames: Vec<String> = frames.iter().map(|frame| (*frame).to_owned()).collect();
        own_frames(&frames).into_iter().map(str::to_owned).collect()
    }

    #[test]
    fn the_frames_of_a_person_are_kept() {
        let script =
            ["fileio.c:304 write", "/home/a/sim.py:6 write_state", "main.c:734 main", "_start"];
        assert_eq!(own(&script), ["/home/a/sim.py:6 write_state"]);
        let program = ["write", "/home/a/grow.c:41 grow", "libc-start.c:360 __libc_start_main"];
        assert_eq!(own(&program), ["/home/a/grow.c:41 grow"]);
        assert_eq!(own(&["write", "_start"]), ["write", "_start"]);
    }
}
