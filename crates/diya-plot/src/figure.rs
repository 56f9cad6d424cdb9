//! What a view shows, before anything has a place: panels with axes and marks.

use crate::scale::Scale;
use crate::scene::{Cells, Colour};

/// A picture of one view.
pub(crate) struct Figure<'a> {
    pub title: String,
    /// From top to bottom.
    pub panels: Vec<Panel<'a>>,
    /// Colours with names; those that are not drawn are left out.
    pub legend: Vec<(String, Colour)>,
    /// The scale of colours that stand for numbers.
    pub ramp: Option<Ramp>,
}

/// A scale of colours.
pub(crate) struct Ramp {
    pub title: String,
    pub least: String,
    pub most: String,
}

/// Axes with what lies between them.
pub(crate) struct Panel<'a> {
    /// Above it; empty: nothing.
    pub name: String,
    pub x: Scale,
    pub y: Scale,
    /// The vertical axis starts above: ranks and targets are listed downwards.
    pub is_downward: bool,
    pub marks: Vec<Marks<'a>>,
    /// Horizontal lines with names.
    pub lines: Vec<(f64, String)>,
    /// Least and most height, in heights of a line of text.
    pub lines_high: [f32; 2],
}

impl<'a> Panel<'a> {
    /// A panel of ordinary height, growing upwards.
    pub fn new(name: &str, x: Scale, y: Scale, marks: Vec<Marks<'a>>) -> Self {
        let (name, lines) = (name.to_owned(), Vec::new());
        Self { name, x, y, is_downward: false, marks, lines, lines_high: [6.0, f32::MAX] }
    }

    /// The same, listed from above.
    pub fn downward(self) -> Self {
        Self { is_downward: true, ..self }
    }
}

/// Draws the cells of a room of so many pixels, rows from above; also says which entries of the
/// legend they show.
pub(crate) type Painter<'a> = Box<dyn Fn(usize, usize) -> (Cells, Vec<usize>) + 'a>;

/// What lies in a panel.
pub(crate) enum Marks<'a> {
    /// Cells that are known, rows from above.
    Cells(Cells),
    /// Cells as fine as the picture.
    Map(Painter<'a>),
    /// Rectangles in values of the axes.
    Boxes(Vec<Block>),
    /// A curve of steps in values of the axes: its step, and start, low and high of each.
    Steps(Colour, f64, Vec<[f64; 3]>),
    /// A line through values of the axes.
    Curve(Colour, Vec<[f64; 2]>),
    /// Points in values of the axes.
    Dots(Colour, Vec<[f64; 2]>),
}

/// A rectangle in values of the axes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Block {
    pub x: [f64; 2],
    pub y: [f64; 2],
    pub colour: Colour,
    /// Written into it where it fits.
    pub label: String,
}

impl Block {
    pub fn new(x: [f64; 2], y: [f64; 2], colour: Colour) -> Self {
        Self { x, y, colour, label: String::new() }
    }
}

/// Bars of bands, on top of each other: `values[series][bar]`.
pub(crate) fn stacked(series: &[(Colour, Vec<f64>)]) -> (Vec<Block>, f64) {
    let bars = series.iter().map(|(_, values)| values.len()).max().unwrap_or(0);
    let mut tops = vec![0.0; bars];
    let mut blocks = Vec::new();
    for (colour, values) in series {
        for (bar, value) in values.iter().enumerate().filter(|(_, value)| **value > 0.0) {
            let from = tops[bar];
            tops[bar] += value;
            blocks.push(Block::new(band(bar, bars), [from, tops[bar]], *colour));
        }
    }
    (blocks, tops.into_iter().fold(0.0, f64::max))
}

/// The part of a band that its bar fills: a gap remains where there is room for one.
fn band(bar: usize, bars: usize) -> [f64; 2] {
    let gap = if bars <= 100 { 0.1 } else { 0.0 };
    [bar as f64 + gap, (bar + 1) as f64 - gap]
}

/// Bars of bands, beside each other.
pub(crate) fn beside(series: &[(Colour, Vec<f64>)]) -> (Vec<Block>, f64) {
    let bars = series.iter().map(|(_, values)| values.len()).max().unwrap_or(0);
    let mut most = 0.0_f64;
    let mut blocks = Vec::new();
    for (number, (colour, values)) in series.iter().enumerate() {
        for (bar, value) in values.iter().enumerate().filter(|(_, value)| **value > 0.0) {
            let [from, to] = band(bar, bars);
            let width = (to - from) / series.len() as f64;
            let left = from + width * number as f64;
            blocks.push(Block::new([left, left + width], [0.0, *value], *colour));
            most = most.max(*value);
        }
    }
    (blocks, most)
}
