//! A scene as PNG. Drawn without the processor's own instructions: the same bytes everywhere.

use crate::font::{outline, outline_glyph};
use crate::scene::{Cells, Colour, Rectangle, Scene, Shape, Text};
use png::{BitDepth, ColorType, Encoder, PixelDimensions, Unit};
use tiny_skia::{FillRule, Paint, Path, PathBuilder, Pixmap, Rect, Stroke, Transform};
use ttf_parser::OutlineBuilder;

/// The picture; `None`: it is too large to be drawn.
pub(crate) fn png(scene: &Scene) -> Option<Vec<u8>> {
    let size = scene.size;
    let mut pixmap = Pixmap::new(size.pixels_of(size.width), size.pixels_of(scene.height))?;
    let Colour(r, g, b) = scene.ground;
    pixmap.fill(tiny_skia::Color::from_rgba8(r, g, b, 255));
    let mut canvas = Canvas { pixmap, scale: size.pixels };
    scene.shapes.iter().for_each(|shape| canvas.draw(shape));
    let Canvas { pixmap, .. } = canvas;
    let pixels = pixmap.pixels().iter();
    let colours: Vec<_> = pixels.map(|p| Some(Colour(p.red(), p.green(), p.blue()))).collect();
    let per_inch = size.pixels * 72.0 / size.points;
    Some(encode(pixmap.width() as usize, &colours, Some(per_inch)))
}

struct Canvas {
    pixmap: Pixmap,
    scale: f32,
}

fn paint(Colour(r, g, b): Colour, is_smooth: bool) -> Paint<'static> {
    let mut paint = Paint { anti_alias: is_smooth, ..Paint::default() };
    paint.set_color_rgba8(r, g, b, 255);
    paint
}

impl Canvas {
    fn draw(&mut self, shape: &Shape) {
        let scale = Transform::from_scale(self.scale, self.scale);
        match shape {
            Shape::Rect { at, colour } => {
                let rect = Rect::from_xywh(at.left, at.top, at.width.max(0.0), at.height.max(0.0));
                if let Some(rect) = rect {
                    self.pixmap.fill_rect(rect, &paint(*colour, true), scale, None);
                }
            }
            Shape::Line { at: [x1, y1, x2, y2], width, colour } => {
                let mut path = PathBuilder::new();
                path.move_to(*x1, *y1);
                path.line_to(*x2, *y2);
                let stroke = Stroke { width: *width, ..Stroke::default() };
                if let Some(path) = path.finish() {
                    self.pixmap.stroke_path(&path, &paint(*colour, true), &stroke, scale, None);
                }
            }
            Shape::Dot { at: [x, y], radius, colour } => {
                self.fill(PathBuilder::from_circle(*x, *y, *radius), *colour, scale);
            }
            Shape::Area { points, colour } => {
                let mut path = PathBuilder::new();
                for (number, [x, y]) in points.iter().enumerate() {
                    if number == 0 { path.move_to(*x, *y) } else { path.line_to(*x, *y) }
                }
                path.close();
                self.fill(path.finish(), *colour, scale);
            }
            Shape::Text(text) => self.write(text),
            Shape::Cells { at, cells } => self.cells(at, cells),
        }
    }

    fn fill(&mut self, path: Option<Path>, colour: Colour, transform: Transform) {
        if let Some(path) = path {
            let paint = paint(colour, true);
            self.pixmap.fill_path(&path, &paint, FillRule::Winding, transform, None);
        }
    }

    fn write(&mut self, text: &Text) {
        let [x, y] = text.start();
        let turned =
            if text.is_upright { Transform::from_rotate(-90.0) } else { Transform::identity() };
        let placed = turned.post_translate(x, y).post_scale(self.scale, self.scale);
        let mut all = Outline { path: PathBuilder::new(), x: 0.0, scale: 1.0 };
        outline(&text.text, text.size, |glyph, x, scale| {
            (all.x, all.scale) = (x, scale);
            outline_glyph(glyph, &mut all);
        });
        self.fill(all.path.finish(), text.colour, placed);
    }

    /// Each pixel has the colour of the cell that its middle lies in.
    fn cells(&mut self, at: &Rectangle, cells: &Cells) {
        let (wide, high) = (cells.width, cells.height());
        let (left, top) = ((at.left * self.scale).round(), (at.top * self.scale).round());
        let right = (at.right() * self.scale).round().min(self.pixmap.width() as f32);
        let bottom = (at.bottom() * self.scale).round().min(self.pixmap.height() as f32);
        let width = self.pixmap.width() as usize;
        let (first, rows) = (top as usize, (bottom - top) as usize);
        let (column, columns) = (left as usize, (right - left) as usize);
        let pixels = self.pixmap.pixels_mut();
        for y in 0..rows {
            for x in 0..columns {
                let cell = y * high / rows * wide + x * wide / columns;
                let Some(Some(Colour(r, g, b))) = cells.colours.get(cell) else { continue };
                let colour = tiny_skia::ColorU8::from_rgba(*r, *g, *b, 255).premultiply();
                if let Some(pixel) = pixels.get_mut((first + y) * width + column + x) {
                    *pixel = colour;
                }
            }
        }
    }
}

/// Glyphs as one path; the font's own axis points up.
struct Outline {
    path: PathBuilder,
    x: f32,
    scale: f32,
}

impl Outline {
    fn at(&self, x: f32, y: f32) -> (f32, f32) {
        (self.x + x * self.scale, -y * self.scale)
    }
}

impl OutlineBuilder for Outline {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.path.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.path.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ((x1, y1), (x, y)) = (self.at(x1, y1), self.at(x, y));
        self.path.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ((x1, y1), (x2, y2), (x, y)) = (self.at(x1, y1), self.at(x2, y2), self.at(x, y));
        self.path.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.path.close();
    }
}

/// Colours row by row as a PNG file; `None` is transparent. `per_inch`: pixels on paper.
pub(crate) fn encode(width: usize, cells: &[Option<Colour>], per_inch: Option<f32>) -> Vec<u8> {
    let is_whole = cells.iter().all(Option::is_some);
    let bytes: Vec<u8> = match is_whole {
        true => cells.iter().flatten().flat_map(|Colour(r, g, b)| [*r, *g, *b]).collect(),
        false => cells
            .iter()
            .flat_map(|cell| cell.map_or([0; 4], |Colour(r, g, b)| [r, g, b, 255]))
            .collect(),
    };
    let side = |pixels: usize| u32::try_from(pixels).unwrap_or(u32::MAX);
    let mut out = Vec::new();
    let mut file = Encoder::new(&mut out, side(width), side(cells.len() / width.max(1)));
    file.set_color(if is_whole { ColorType::Rgb } else { ColorType::Rgba });
    file.set_depth(BitDepth::Eight);
    file.set_pixel_dims(per_inch.map(|per_inch| {
        let per_metre = (per_inch / 0.0254).round() as u32;
        PixelDimensions { xppu: per_metre, yppu: per_metre, unit: Unit::Meter }
    }));
    // Memory takes all bytes; a picture without a pixel is no file.
    let written = file.write_header().and_then(|mut file| file.write_image_data(&bytes));
    if written.is_err() {
        out.clear();
    }
    out
}
