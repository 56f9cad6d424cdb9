//! A picture as a list of shapes: the one description that SVG, PDF and PNG are made from.

use crate::font;
use crate::size::Size;

/// A colour: red, green, blue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Colour(pub u8, pub u8, pub u8);

impl Colour {
    /// Between two colours; 0: the first, 1: the second.
    pub fn mix(self, other: Self, share: f32) -> Self {
        let share = share.clamp(0.0, 1.0);
        let mix = |a: u8, b: u8| (f32::from(a) + (f32::from(b) - f32::from(a)) * share).round();
        Self(mix(self.0, other.0) as u8, mix(self.1, other.1) as u8, mix(self.2, other.2) as u8)
    }
}

/// Where a text has its point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// A rectangle: left, top, width, height.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Rectangle {
    pub left: f32,
    pub top: f32,
    pub width: f32,
    pub height: f32,
}

impl Rectangle {
    /// Its right edge.
    pub fn right(&self) -> f32 {
        self.left + self.width
    }

    /// Its lower edge.
    pub fn bottom(&self) -> f32 {
        self.top + self.height
    }
}

/// A line of text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Text {
    /// A point of the baseline.
    pub at: [f32; 2],
    /// Which point.
    pub anchor: Anchor,
    /// Height of the font.
    pub size: f32,
    pub colour: Colour,
    /// Read from below to above.
    pub is_upright: bool,
    pub text: String,
}

impl Text {
    /// The baseline's first point.
    pub fn start(&self) -> [f32; 2] {
        let width = font::width(&self.text, self.size);
        let back = match self.anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => width / 2.0,
            Anchor::End => width,
        };
        let [x, y] = self.at;
        if self.is_upright { [x, y + back] } else { [x - back, y] }
    }
}

/// Colours row by row; `None`: the ground.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Cells {
    pub width: usize,
    pub colours: Vec<Option<Colour>>,
}

impl Cells {
    /// Rows of it.
    pub fn height(&self) -> usize {
        self.colours.len() / self.width.max(1)
    }
}

/// One shape.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Shape {
    Rect {
        at: Rectangle,
        colour: Colour,
    },
    /// From, to; as thick as `width`.
    Line {
        at: [f32; 4],
        width: f32,
        colour: Colour,
    },
    Dot {
        at: [f32; 2],
        radius: f32,
        colour: Colour,
    },
    /// A filled outline of straight lines.
    Area {
        points: Vec<[f32; 2]>,
        colour: Colour,
    },
    Text(Text),
    /// Stretched over the room.
    Cells {
        at: Rectangle,
        cells: Cells,
    },
}

/// A picture.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Scene {
    pub size: Size,
    pub height: f32,
    pub ground: Colour,
    /// What it shows, for who cannot see it.
    pub title: String,
    pub shapes: Vec<Shape>,
}

impl Scene {
    pub fn rect(&mut self, at: Rectangle, colour: Colour) {
        self.shapes.push(Shape::Rect { at, colour });
    }

    pub fn line(&mut self, at: [f32; 4], width: f32, colour: Colour) {
        self.shapes.push(Shape::Line { at, width, colour });
    }

    /// Text that lies inside the picture: moved back where it would leave it.
    pub fn text(&mut self, text: Text) {
        let text = Text { text: font::shown(&text.text), ..text };
        let width = font::width(&text.text, text.size);
        let [x, y] = text.start();
        let inside = |from: f32, to: f32| from.min(to).max(0.0);
        let at = match text.is_upright {
            true => [x, inside(y - width, self.height - width) + width],
            false => [inside(x, self.size.width - width), y],
        };
        self.shapes.push(Shape::Text(Text { at, anchor: Anchor::Start, ..text }));
    }

    /// Horizontal line of dashes.
    pub fn dashes(&mut self, [from, to]: [f32; 2], y: f32, width: f32, colour: Colour) {
        let step = width * 8.0;
        let mut x = from;
        while x < to {
            self.line([x, y, (x + step * 0.6).min(to), y], width, colour);
            x += step;
        }
    }
}
