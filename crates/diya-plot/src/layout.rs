//! Gives everything in a figure its place, so that no text is cut or leaves the picture.

use crate::figure::{Figure, Marks, Panel, Ramp};
use crate::font;
use crate::scale::{Tick, Ticks};
use crate::scene::{Anchor, Cells, Colour, Rectangle, Scene, Shape, Text};
use crate::size::Size;
use crate::theme::Theme;

/// How a figure is drawn.
pub(crate) struct Frame<'t> {
    pub size: Size,
    /// In units of the size; `None`: as high as it needs.
    pub height: Option<f32>,
    pub theme: &'t Theme,
    pub has_title: bool,
}

/// A panel with the height of its parts.
struct Placed<'f, 'a> {
    panel: &'f Panel<'a>,
    names: Vec<String>,
    /// Whether the numbers of the horizontal axis are below it.
    has_x: bool,
    room: Rectangle,
}

const LINE: f32 = 1.4; // heights of text from line to line

/// The picture.
pub(crate) fn scene(figure: &Figure<'_>, frame: &Frame<'_>) -> Scene {
    let em = frame.size.em;
    let (pad, wide) = (em * 0.8, frame.size.width - em * 1.6);
    let title_size = em * 1.15;
    let titles =
        if frame.has_title { font::lines(&figure.title, title_size, wide) } else { Vec::new() };
    let above = pad + titles.len() as f32 * title_size * LINE;
    let keys = key_rows(figure, em, wide);
    let top = above + keys.rows as f32 * em * LINE * 1.1;

    let mut placed = place(figure, frame, top, wide);
    let bottom = placed.last().map_or(top, |last| last.room.bottom() + below(last, em));
    let mut scene = Scene {
        size: frame.size,
        height: frame.height.unwrap_or(0.0).max(bottom + pad * 0.5),
        ground: frame.theme.ground,
        title: figure.title.clone(),
        shapes: Vec::new(),
    };
    for (number, title) in titles.iter().enumerate() {
        let y = pad + title_size + number as f32 * title_size * LINE;
        scene.text(words(title, [pad, y], Anchor::Start, title_size, frame.theme.ink));
    }
    let seen = draw_panels(&mut scene, figure, &mut placed, frame);
    draw_keys(&mut scene, figure, &keys, frame, [pad, above], &seen);
    scene
}

fn words(text: &str, at: [f32; 2], anchor: Anchor, size: f32, colour: Colour) -> Text {
    Text { at, anchor, size, colour, is_upright: false, text: text.to_owned() }
}

/// Room below a panel for its numbers and its title.
fn below(placed: &Placed<'_, '_>, em: f32) -> f32 {
    if placed.has_x { em * (0.4 + 2.0 * LINE) } else { em * 0.4 }
}

/// Room above a panel for its name; the highest number beside it reaches into it, too.
fn above(names: usize, em: f32) -> f32 {
    em * (0.9 + LINE * names as f32)
}

/// Heights from top to bottom; left edges follow when the numbers beside are known.
fn place<'f, 'a>(
    figure: &'f Figure<'a>,
    frame: &Frame<'_>,
    top: f32,
    wide: f32,
) -> Vec<Placed<'f, 'a>> {
    let em = frame.size.em;
    let mut placed: Vec<Placed<'f, 'a>> = Vec::new();
    for (number, panel) in figure.panels.iter().enumerate() {
        let names =
            if panel.name.is_empty() { Vec::new() } else { font::lines(&panel.name, em, wide) };
        let has_x = figure.panels.get(number + 1).is_none_or(|next| next.x != panel.x);
        let room = Rectangle { left: 0.0, top: 0.0, width: 0.0, height: 0.0 };
        placed.push(Placed { panel, names, has_x, room });
    }
    let fixed = |one: &Placed<'_, '_>| above(one.names.len(), em) + below(one, em);
    let count = placed.len().max(1) as f32;
    let all_fixed: f32 = placed.iter().map(fixed).sum();
    let wished = match frame.height {
        Some(height) => (height - top - all_fixed - em * 0.4) / count,
        None => frame.size.width * 0.45 / count.min(2.5),
    };
    let mut y = top;
    for one in &mut placed {
        // The title beside it has to fit, too.
        let beside = font::width(&one.panel.y.heading(), em) + em;
        let [least, most] = one.panel.lines_high;
        one.room.top = y + above(one.names.len(), em);
        one.room.height = wished.min(most * em).max(least * em).max(beside);
        y = one.room.bottom() + below(one, em);
    }
    placed
}

/// Numbers along an edge: as many as fit.
fn fitting(panel: &Panel<'_>, room: &Rectangle, em: f32, is_x: bool) -> Vec<Tick> {
    let scale = if is_x { &panel.x } else { &panel.y };
    if !is_x {
        return scale.ticks((room.height / (em * 1.8)) as usize);
    }
    let fits = |ticks: &[Tick]| {
        let mut reach = f32::MIN;
        ticks.iter().all(|tick| {
            let half = font::width(&tick.text, em) / 2.0;
            let x = scale.share(tick.at) * room.width;
            let is_free = x - half >= reach;
            reach = x + half + em * 0.8;
            is_free
        })
    };
    let most = (room.width / (em * 2.0)) as usize;
    let choices = (1..=most.clamp(1, 24)).rev().map(|most| scale.ticks(most));
    choices.into_iter().find(|ticks| fits(ticks)).unwrap_or_default()
}

fn draw_panels(
    scene: &mut Scene,
    figure: &Figure<'_>,
    placed: &mut [Placed<'_, '_>],
    frame: &Frame<'_>,
) -> Vec<usize> {
    let em = frame.size.em;
    let beside: Vec<Vec<Tick>> =
        placed.iter().map(|one| fitting(one.panel, &one.room, em, false)).collect();
    let widest =
        beside.iter().flatten().map(|tick| font::width(&tick.text, em)).fold(0.0, f32::max);
    let has_title = placed.iter().any(|one| !one.panel.y.title.is_empty());
    let left = em * if has_title { 2.6 } else { 0.8 } + widest + em * 0.5;
    let mut seen = Vec::new();
    for (one, ticks) in placed.iter_mut().zip(&beside) {
        (one.room.left, one.room.width) = (left, frame.size.width - left - em * 1.4);
        draw_grid(scene, one, ticks, frame);
        for marks in &one.panel.marks {
            seen.extend(draw_marks(scene, one, marks, frame, figure));
        }
        draw_frame(scene, one, frame);
    }
    seen
}

/// The edges with their titles, and the lines that have names.
fn draw_frame(scene: &mut Scene, one: &Placed<'_, '_>, frame: &Frame<'_>) {
    let (em, theme, hair) = (frame.size.em, frame.theme, frame.size.hair());
    let (panel, room) = (one.panel, one.room);
    if panel.y.ticks != Ticks::None {
        scene.line([room.left, room.top, room.left, room.bottom()], hair, theme.soft);
    }
    scene.line([room.left, room.bottom(), room.right(), room.bottom()], hair, theme.soft);
    for (number, name) in one.names.iter().enumerate() {
        let lines_left = (one.names.len() - number) as f32;
        let y = room.top - em * ((lines_left - 1.0) * LINE + 0.8);
        scene.text(words(name, [em * 0.8, y], Anchor::Start, em, theme.ink));
    }
    for (value, name) in &panel.lines {
        let y = y_of(panel, &room, *value);
        scene.dashes([room.left, room.right()], y, hair, theme.ink);
        let at = [
            room.right() - em * 0.3,
            if y - room.top > em * 1.5 { y - em * 0.35 } else { y + em * 1.1 },
        ];
        // Behind the name nothing: dots would make it hard to read.
        let width = font::width(name, em) + em * 0.4;
        let behind =
            Rectangle { left: at[0] - width, top: at[1] - em * 0.9, width, height: em * 1.2 };
        scene.rect(behind, theme.ground);
        scene.text(words(name, at, Anchor::End, em, theme.ink));
    }
    let middle = room.top + room.height / 2.0;
    let title = panel.y.heading();
    let title = Text {
        is_upright: true,
        ..words(&title, [em * 1.5, middle], Anchor::Middle, em, theme.ink)
    };
    if !title.text.is_empty() {
        scene.text(title);
    }
    if one.has_x {
        for tick in fitting(panel, &room, em, true) {
            let x = room.left + panel.x.share(tick.at) * room.width;
            scene.line([x, room.bottom(), x, room.bottom() + em * 0.3], hair, theme.soft);
            let at = [x, room.bottom() + em * 1.4];
            scene.text(words(&tick.text, at, Anchor::Middle, em, theme.soft));
        }
        let at = [room.left + room.width / 2.0, room.bottom() + em * (0.2 + 2.0 * LINE)];
        scene.text(words(&panel.x.heading(), at, Anchor::Middle, em, theme.ink));
    }
}

/// Numbers beside the panel, with lines that lead to the marks.
fn draw_grid(scene: &mut Scene, one: &Placed<'_, '_>, ticks: &[Tick], frame: &Frame<'_>) {
    let (em, theme, hair) = (frame.size.em, frame.theme, frame.size.hair());
    let room = one.room;
    let is_map =
        one.panel.marks.iter().any(|marks| matches!(marks, Marks::Cells(_) | Marks::Map(_)));
    for tick in ticks {
        let y = y_of(one.panel, &room, tick.at);
        let from = if is_map { room.left } else { room.right() };
        scene.line([room.left - em * 0.3, y, from, y], hair, theme.line);
        let at = [room.left - em * 0.5, y + em * 0.36];
        scene.text(words(&tick.text, at, Anchor::End, em, theme.soft));
    }
}

fn y_of(panel: &Panel<'_>, room: &Rectangle, value: f64) -> f32 {
    let share = panel.y.share(value);
    room.top + room.height * if panel.is_downward { share } else { 1.0 - share }
}

/// More dots than these become columns from the least to the most of them.
const MAX_DOTS: usize = 2000;

fn draw_marks(
    scene: &mut Scene,
    one: &Placed<'_, '_>,
    marks: &Marks<'_>,
    frame: &Frame<'_>,
    figure: &Figure<'_>,
) -> Vec<usize> {
    let (room, panel, em) = (one.room, one.panel, frame.size.em);
    let x_of = |value: f64| room.left + panel.x.share(value) * room.width;
    let of_colour = |colour: Colour| figure.legend.iter().position(|(_, own)| *own == colour);
    match marks {
        Marks::Cells(cells) => {
            scene.shapes.push(Shape::Cells { at: room, cells: cells.clone() });
            Vec::new()
        }
        Marks::Map(paint) => {
            let pixels = |units: f32| frame.size.pixels_of(units) as usize;
            let (cells, seen) = paint(pixels(room.width), pixels(room.height));
            scene.shapes.push(Shape::Cells { at: room, cells });
            seen
        }
        Marks::Boxes(blocks) => {
            for block in blocks {
                let [left, right] = block.x.map(x_of);
                let [first, second] = block.y.map(|value| y_of(panel, &room, value));
                let (top, height) = (first.min(second), (first - second).abs());
                let width = (right - left).max(frame.size.hair() / 2.0);
                let at = Rectangle { left: left.min(room.right() - width), top, width, height };
                scene.rect(at, block.colour);
                let name = font::shown(&block.label);
                if !name.is_empty() && font::width(&name, em) + em * 0.6 <= width {
                    let at = [left + em * 0.3, top + height / 2.0 + em * 0.36];
                    let colour = readable_on(block.colour);
                    scene.text(words(&name, at, Anchor::Start, em, colour));
                }
            }
            blocks.iter().filter_map(|block| of_colour(block.colour)).collect()
        }
        Marks::Steps(colour, step, values) => {
            for run in values.chunk_by(|a, b| b[0] - a[0] < step * 1.5) {
                let corners = |[x, _, high]: &[f64; 3]| [[*x, *high], [x + step, *high]];
                let back = |[x, low, _]: &[f64; 3]| [[x + step, *low], [*x, *low]];
                let outline = run.iter().flat_map(corners).chain(run.iter().rev().flat_map(back));
                let points = outline.map(|[x, y]| [x_of(x), y_of(panel, &room, y)]).collect();
                scene.shapes.push(Shape::Area { points, colour: *colour });
            }
            of_colour(*colour).filter(|_| !values.is_empty()).into_iter().collect()
        }
        Marks::Curve(colour, points) => {
            let places = points.iter().map(|[x, y]| [x_of(*x), y_of(panel, &room, *y)]);
            let places: Vec<[f32; 2]> = places.collect();
            for pair in places.windows(2) {
                let at = [pair[0][0], pair[0][1], pair[1][0], pair[1][1]];
                let width = frame.size.hair() * 2.0;
                scene.shapes.push(Shape::Line { at, width, colour: *colour });
            }
            of_colour(*colour).into_iter().collect()
        }
        Marks::Dots(colour, points) => {
            let places = points.iter().map(|[x, y]| [x_of(*x), y_of(panel, &room, *y)]);
            let places: Vec<[f32; 2]> = places.collect();
            if places.len() <= MAX_DOTS {
                let radius = em * 0.22;
                let dots = places.into_iter().map(|at| Shape::Dot { at, radius, colour: *colour });
                scene.shapes.extend(dots);
            } else {
                columns_of(scene, &places, frame, *colour);
            }
            of_colour(*colour).into_iter().collect()
        }
    }
}

/// One column per pixel, from the least to the most.
fn columns_of(scene: &mut Scene, places: &[[f32; 2]], frame: &Frame<'_>, colour: Colour) {
    let width = 1.0 / frame.size.pixels;
    let mut columns: std::collections::BTreeMap<u32, [f32; 2]> = std::collections::BTreeMap::new();
    for [x, y] in places {
        let column = columns.entry((x / width) as u32).or_insert([*y, *y]);
        *column = [column[0].min(*y), column[1].max(*y)];
    }
    let dot = frame.size.em * 0.22;
    for (column, [top, bottom]) in columns {
        let (left, height) = (column as f32 * width, bottom - top + dot);
        scene.rect(Rectangle { left, top: top - dot / 2.0, width, height }, colour);
    }
}

/// Black or white, whichever has more contrast.
fn readable_on(Colour(r, g, b): Colour) -> Colour {
    let light = 0.299 * f32::from(r) + 0.587 * f32::from(g) + 0.114 * f32::from(b);
    if light > 140.0 { Colour(0, 0, 0) } else { Colour(255, 255, 255) }
}

/// Rows that the names of colours and the scale of colours may need.
struct Keys {
    rows: usize,
    wide: f32,
}

const RAMP_EMS: f32 = 9.0;

fn entry_width(name: &str, em: f32) -> f32 {
    font::width(name, em) + em * 2.4
}

fn ramp_width(ramp: &Ramp, em: f32) -> f32 {
    let words = [&ramp.least, &ramp.most, &ramp.title].map(|text| font::width(text, em));
    words.iter().sum::<f32>() + em * (RAMP_EMS + 2.4)
}

fn key_rows(figure: &Figure<'_>, em: f32, wide: f32) -> Keys {
    let mut rows = 0;
    let mut x = f32::MAX;
    for (name, _) in &figure.legend {
        if x + entry_width(name, em) > wide {
            (rows, x) = (rows + 1, 0.0);
        }
        x += entry_width(name, em);
    }
    let of_ramp =
        figure.ramp.as_ref().map_or(0, |ramp| if ramp_width(ramp, em) > wide { 2 } else { 1 });
    Keys { rows: rows + of_ramp, wide }
}

fn draw_keys(
    scene: &mut Scene,
    figure: &Figure<'_>,
    keys: &Keys,
    frame: &Frame<'_>,
    [left, top]: [f32; 2],
    seen: &[usize],
) {
    let (em, theme) = (frame.size.em, frame.theme);
    let mut y = top + em * 1.1;
    let mut x = 0.0;
    for (_, (name, colour)) in figure.legend.iter().enumerate().filter(|(at, _)| seen.contains(at))
    {
        if x > 0.0 && x + entry_width(name, em) > keys.wide {
            (x, y) = (0.0, y + em * LINE * 1.1);
        }
        let swatch =
            Rectangle { left: left + x, top: y - em * 0.78, width: em * 0.85, height: em * 0.85 };
        scene.rect(swatch, *colour);
        scene.text(words(name, [left + x + em * 1.2, y], Anchor::Start, em, theme.ink));
        x += entry_width(name, em);
    }
    let Some(ramp) = &figure.ramp else { return };
    if x > 0.0 {
        y += em * LINE * 1.1;
    }
    const STEPS: usize = 64;
    let colours = (0..STEPS).map(|step| Some(theme.heat(step as f32 / (STEPS - 1) as f32)));
    let cells = Cells { width: STEPS, colours: colours.collect() };
    let mut x = left;
    scene.text(words(&ramp.least, [x, y], Anchor::Start, em, theme.ink));
    x += font::width(&ramp.least, em) + em * 0.6;
    let at = Rectangle { left: x, top: y - em * 0.8, width: em * RAMP_EMS, height: em * 0.95 };
    scene.shapes.push(Shape::Cells { at, cells });
    x += em * (RAMP_EMS + 0.6);
    scene.text(words(&ramp.most, [x, y], Anchor::Start, em, theme.ink));
    x += font::width(&ramp.most, em) + em * 1.2;
    if ramp_width(ramp, em) > keys.wide {
        (x, y) = (left, y + em * LINE * 1.1);
    }
    scene.text(words(&ramp.title, [x, y], Anchor::Start, em, theme.ink));
}
