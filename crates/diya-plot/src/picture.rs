//! A picture as a list of shapes, in pixels from the top left corner.

/// A colour: red, green, blue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Colour(pub u8, pub u8, pub u8);

impl Colour {
    /// Between two colours; 0: the first, 1: the second.
    pub fn mix(self, other: Self, share: f32) -> Self {
        let share = share.clamp(0.0, 1.0);
        let mix = |a: u8, b: u8| (f32::from(a) + (f32::from(b) - f32::from(a)) * share) as u8;
        Self(mix(self.0, other.0), mix(self.1, other.1), mix(self.2, other.2))
    }
}

/// Where a text has its point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// One shape.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Shape {
    /// Left, top, width, height.
    Rect { at: [f32; 4], colour: Colour },
    /// From, to; horizontal or vertical, one pixel wide.
    Line { at: [f32; 4], colour: Colour },
    /// The baseline's point, and the words.
    Text { at: [f32; 2], anchor: Anchor, text: String, colour: Colour },
    /// Cells row by row, stretched over left, top, width, height; `None`: ground.
    Cells { at: [f32; 4], width: usize, cells: Vec<Option<Colour>> },
}

/// Height of a line of text.
pub(super) const LINE: f32 = 16.0;
/// Width of a letter, about: for what has to fit.
pub(super) const LETTER: f32 = 8.0;

/// A picture.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Picture {
    pub width: u32,
    pub height: u32,
    pub ground: Colour,
    /// What it shows, for who cannot see it.
    pub title: String,
    pub shapes: Vec<Shape>,
}

impl Picture {
    pub fn rect(&mut self, at: [f32; 4], colour: Colour) {
        self.shapes.push(Shape::Rect { at, colour });
    }

    pub fn line(&mut self, at: [f32; 4], colour: Colour) {
        self.shapes.push(Shape::Line { at, colour });
    }

    pub fn text(&mut self, at: [f32; 2], anchor: Anchor, text: impl Into<String>, colour: Colour) {
        self.shapes.push(Shape::Text { at, anchor, text: text.into(), colour });
    }
}
