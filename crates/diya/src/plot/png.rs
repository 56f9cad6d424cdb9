//! A picture as PNG: filled rectangles, straight lines, letters of eight by
//! eight. Format: the PNG specification, third edition, W3C.

use super::picture::{Anchor, Colour, Picture, Shape};
use flate2::{Compression, Crc, write::ZlibEncoder};
use std::io::Write as _;

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

/// Whole pixels of a stretch: at least one.
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
        let letters: Vec<char> = diya_report::printable(text).chars().collect();
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
    let height = cells.len() / width.max(1);
    let mut rows = Vec::with_capacity(cells.len() * 4 + height);
    for row in cells.chunks_exact(width.max(1)) {
        rows.push(0); // filter: none
        for cell in row {
            let Colour(r, g, b) = cell.unwrap_or(Colour(0, 0, 0));
            rows.extend_from_slice(&[r, g, b, if cell.is_some() { 255 } else { 0 }]);
        }
    }
    let mut packer = ZlibEncoder::new(Vec::new(), Compression::new(6));
    // Memory takes all bytes.
    let packed = packer.write_all(&rows).and_then(|()| packer.finish()).unwrap_or_default();
    let mut header = Vec::new();
    for side in [width, height] {
        header.extend_from_slice(&u32::try_from(side).unwrap_or(u32::MAX).to_be_bytes());
    }
    header.extend_from_slice(&[8, 6, 0, 0, 0]); // 8 bits each of red, green, blue, alpha
    let mut out = b"\x89PNG\r\n\x1a\n".to_vec();
    for (name, bytes) in [(b"IHDR", &header), (b"IDAT", &packed), (b"IEND", &Vec::new())] {
        out.extend_from_slice(&u32::try_from(bytes.len()).unwrap_or(u32::MAX).to_be_bytes());
        out.extend_from_slice(name);
        out.extend_from_slice(bytes);
        let mut sum = Crc::new();
        sum.update(name);
        sum.update(bytes);
        out.extend_from_slice(&sum.sum().to_be_bytes());
    }
    out
}
