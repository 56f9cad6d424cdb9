//! A picture as PNG: filled rectangles, straight lines, letters of eight by eight.

use super::picture::{Anchor, Colour, Picture, Shape};
use png::{BitDepth, ColorType, Encoder};

/// Pixels of the file per pixel of the picture: screens and print are finer.
const SCALE: usize = 2;

/// The picture.
pub(super) fn png(picture: &Picture) -> Vec<u8> {
    let (width, height) = (picture.width as usize * SCALE, picture.height as usize * SCALE);
    let mut canvas = Canvas { width, height, cells: vec![Some(picture.ground); width * height] };
    for shape in &picture.shapes {
        canvas.draw(shape);
    }
    encode(width, &canvas.cells)
}

struct Canvas {
    width: usize,
    height: usize,
    cells: Vec<Option<Colour>>,
}

/// Whole pixels of a range: at least one.
fn pixels(from: f32, length: f32, most: usize) -> std::ops::Range<usize> {
    let scale = SCALE as f32;
    let first = ((from * scale).round().max(0.0) as usize).min(most);
    let end = (((from + length) * scale).round().max(0.0) as usize).min(most);
    first..end.max((first + 1).min(most))
}

impl Canvas {
    fn draw(&mut self, shape: &Shape) {
        match shape {
            Shape::Rect { at, colour } => self.fill(*at, *colour),
            Shape::Line { at: [x1, y1, x2, y2], colour } => {
                let at = [x1.min(*x2), y1.min(*y2), (x2 - x1).abs(), (y2 - y1).abs()];
                self.fill(at, *colour);
            }
            Shape::Text { at, anchor, text, colour } => self.write(*at, *anchor, text, *colour),
            Shape::Cells { at: [x, y, w, h], width, cells } => {
                let columns = pixels(*x, *w, self.width);
                let rows = pixels(*y, *h, self.height);
                let height = cells.len() / (*width).max(1);
                for row in rows.clone() {
                    let from = (row - rows.start) * height / rows.len();
                    for column in columns.clone() {
                        let at = (column - columns.start) * width / columns.len();
                        if let Some(Some(colour)) = cells.get(from * width + at) {
                            self.cells[row * self.width + column] = Some(*colour);
                        }
                    }
                }
            }
        }
    }

    fn fill(&mut self, [x, y, w, h]: [f32; 4], colour: Colour) {
        for row in pixels(y, h, self.height) {
            for column in pixels(x, w, self.width) {
                self.cells[row * self.width + column] = Some(colour);
            }
        }
    }

    fn write(&mut self, [x, y]: [f32; 2], anchor: Anchor, text: &str, colour: Colour) {
        let letters: Vec<char> = diya::report::printable(text).chars().collect();
        let width = letters.len() * 8 * SCALE;
        let start = (x * SCALE as f32) as isize
            - match anchor {
                Anchor::Start => 0,
                Anchor::Middle => width as isize / 2,
                Anchor::End => width as isize,
            };
        let top = (y * SCALE as f32) as isize - 8 * SCALE as isize;
        for (place, letter) in letters.iter().enumerate() {
            let left = start + (place * 8 * SCALE) as isize;
            for (row, bits) in glyph(*letter).into_iter().enumerate() {
                for column in (0..8).filter(|column| bits >> column & 1 == 1) {
                    for dot in 0..SCALE * SCALE {
                        let px = left + (column * SCALE + dot % SCALE) as isize;
                        let py = top + (row * SCALE + dot / SCALE) as isize;
                        let (Ok(px), Ok(py)) = (usize::try_from(px), usize::try_from(py)) else {
                            continue;
                        };
                        if px < self.width && py < self.height {
                            self.cells[py * self.width + px] = Some(colour);
                        }
                    }
                }
            }
        }
    }
}

/// Rows of a letter, the leftmost dot in the lowest bit; a box for what the font lacks.
fn glyph(letter: char) -> [u8; 8] {
    use font8x8::UnicodeFonts as _;
    let basic = font8x8::BASIC_FONTS.get(letter);
    let known = basic.or_else(|| font8x8::LATIN_FONTS.get(letter));
    known.unwrap_or([0, 0x3e, 0x22, 0x22, 0x22, 0x22, 0x3e, 0])
}

/// Cells row by row as a PNG file; `None` is transparent.
pub(super) fn encode(width: usize, cells: &[Option<Colour>]) -> Vec<u8> {
    let rgba = |cell: &Option<Colour>| match cell {
        Some(Colour(r, g, b)) => [*r, *g, *b, 255],
        None => [0; 4],
    };
    let side = |pixels: usize| u32::try_from(pixels).unwrap_or(u32::MAX);
    let mut out = Vec::new();
    let mut file = Encoder::new(&mut out, side(width), side(cells.len() / width.max(1)));
    file.set_color(ColorType::Rgba);
    file.set_depth(BitDepth::Eight);
    // Memory takes all bytes; a picture without a pixel is no file.
    let written = file.write_header().and_then(|mut file| {
        file.write_image_data(&cells.iter().flat_map(rgba).collect::<Vec<u8>>())
    });
    if written.is_err() {
        out.clear();
    }
    out
}
