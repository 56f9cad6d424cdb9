//! A scene as PDF of one page: the text is text, in the font that is in the file.

use crate::font::{self, TTF};
use crate::scene::{Cells, Colour, Rectangle, Scene, Shape, Text};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use pdf_writer::types::{CidFontType, FontFlags, SystemInfo, UnicodeCmap};
use pdf_writer::{Content, Filter, Finish as _, Name, Pdf, Rect, Ref, Str, TextStr};
use std::collections::BTreeMap;
use std::io::Write as _;

const CATALOG: Ref = Ref::new(1);
const PAGES: Ref = Ref::new(2);
const PAGE: Ref = Ref::new(3);
const CONTENT: Ref = Ref::new(4);
const INFO: Ref = Ref::new(5);
const FONT: Ref = Ref::new(6);
const CID_FONT: Ref = Ref::new(7);
const DESCRIPTOR: Ref = Ref::new(8);
const CMAP: Ref = Ref::new(9);
const FONT_FILE: Ref = Ref::new(10);
const FIRST_IMAGE: i32 = 11;

const FONT_NAME: Name<'static> = Name(b"F");
/// Six letters before the name say that these are not all letters of the font.
const BASE_FONT: Name<'static> = Name(b"LATINS+Inter-Regular");
const IDENTITY: SystemInfo<'static> =
    SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"Identity"), supplement: 0 };

/// The picture.
pub(crate) fn pdf(scene: &Scene) -> Vec<u8> {
    let points = scene.size.points;
    let (width, height) = (scene.size.width * points, scene.height * points);
    let mut page = Page {
        content: Content::new(),
        points,
        height,
        images: Vec::new(),
        glyphs: BTreeMap::new(),
    };
    page.rect(
        &Rectangle { left: 0.0, top: 0.0, width: scene.size.width, height: scene.height },
        scene.ground,
    );
    scene.shapes.iter().for_each(|shape| page.draw(shape));

    let mut file = Pdf::new();
    file.catalog(CATALOG).pages(PAGES).lang(TextStr("en"));
    // No date and no name of a machine: the same picture is the same file.
    file.document_info(INFO).title(TextStr(&scene.title)).producer(TextStr("diya"));
    file.pages(PAGES).kids([PAGE]).count(1);
    let mut sheet = file.page(PAGE);
    sheet.parent(PAGES).media_box(Rect::new(0.0, 0.0, width, height)).contents(CONTENT);
    let mut resources = sheet.resources();
    resources.fonts().pair(FONT_NAME, FONT);
    let mut images = resources.x_objects();
    for number in 0..page.images.len() {
        images.pair(Name(image_name(number).as_bytes()), image_ref(number));
    }
    images.finish();
    resources.finish();
    sheet.finish();
    for (number, cells) in page.images.iter().enumerate() {
        image(&mut file, image_ref(number), cells, scene.ground);
    }
    write_font(&mut file, &page.glyphs);
    let content = deflated(&page.content.finish());
    file.stream(CONTENT, &content).filter(Filter::FlateDecode);
    file.finish()
}

fn image_name(number: usize) -> String {
    format!("I{number}")
}

fn image_ref(number: usize) -> Ref {
    Ref::new(FIRST_IMAGE.saturating_add(i32::try_from(number).unwrap_or(i32::MAX)))
}

fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::new(6));
    // Memory takes all bytes.
    let _ = encoder.write_all(bytes);
    encoder.finish().unwrap_or_default()
}

/// One sample per cell.
fn image(file: &mut Pdf, id: Ref, cells: &Cells, ground: Colour) {
    let side = |cells: usize| i32::try_from(cells).unwrap_or(i32::MAX);
    let colours = cells.colours.iter().map(|cell| cell.unwrap_or(ground));
    let samples: Vec<u8> = colours.flat_map(|Colour(r, g, b)| [r, g, b]).collect();
    let samples = deflated(&samples);
    let mut image = file.image_xobject(id, &samples);
    image.width(side(cells.width)).height(side(cells.height())).filter(Filter::FlateDecode);
    image.color_space().device_rgb();
    image.bits_per_component(8).interpolate(false);
}

/// The font with the widths and the meaning of the glyphs that occur.
fn write_font(file: &mut Pdf, glyphs: &BTreeMap<u16, char>) {
    file.type0_font(FONT)
        .base_font(BASE_FONT)
        .encoding_predefined(Name(b"Identity-H"))
        .descendant_font(CID_FONT)
        .to_unicode(CMAP);
    let mut cid = file.cid_font(CID_FONT);
    cid.subtype(CidFontType::Type2).base_font(BASE_FONT).system_info(IDENTITY);
    cid.font_descriptor(DESCRIPTOR).cid_to_gid_map_predefined(Name(b"Identity"));
    let mut widths = cid.widths();
    for glyph in glyphs.keys() {
        widths.same(*glyph, *glyph, font::advance(ttf_parser::GlyphId(*glyph)) * 1000.0);
    }
    widths.finish();
    cid.finish();
    let thousandths = |units: i16| {
        let per_em = font::face().map_or(1000.0, |face| f32::from(face.units_per_em()));
        f32::from(units) * 1000.0 / per_em
    };
    let face = font::face();
    let (ascent, descent) = face.map_or((0, 0), |face| (face.ascender(), face.descender()));
    let capital = face.and_then(|face| face.capital_height()).unwrap_or_default();
    let bounds = face.map(|face| face.global_bounding_box());
    let bounds = bounds.map_or([0; 4], |b| [b.x_min, b.y_min, b.x_max, b.y_max]).map(thousandths);
    file.font_descriptor(DESCRIPTOR)
        .name(BASE_FONT)
        .flags(FontFlags::NON_SYMBOLIC)
        .bbox(Rect::new(bounds[0], bounds[1], bounds[2], bounds[3]))
        .italic_angle(0.0)
        .ascent(thousandths(ascent))
        .descent(thousandths(descent))
        .cap_height(thousandths(capital))
        .stem_v(80.0)
        .font_file2(FONT_FILE);
    let mut cmap = UnicodeCmap::<u16>::new(Name(b"Letters"), IDENTITY);
    glyphs.iter().for_each(|(glyph, letter)| cmap.pair(*glyph, *letter));
    let cmap = deflated(&cmap.finish());
    file.cmap(CMAP, &cmap).filter(Filter::FlateDecode);
    let length = i32::try_from(TTF.len()).unwrap_or(i32::MAX);
    let program = deflated(TTF);
    file.stream(FONT_FILE, &program).filter(Filter::FlateDecode).pair(Name(b"Length1"), length);
}

struct Page {
    content: Content,
    points: f32,
    /// Of the page, in points: PDF counts from below.
    height: f32,
    images: Vec<Cells>,
    glyphs: BTreeMap<u16, char>,
}

/// Rounded to what is seen: files stay small.
fn fine(value: f32) -> f32 {
    (value * 1000.0).round() / 1000.0
}

fn share(part: u8) -> f32 {
    fine(f32::from(part) / 255.0)
}

impl Page {
    fn at(&self, [x, y]: [f32; 2]) -> [f32; 2] {
        [fine(x * self.points), fine(self.height - y * self.points)]
    }

    fn fill(&mut self, Colour(r, g, b): Colour) {
        self.content.set_fill_rgb(share(r), share(g), share(b));
    }

    fn rect(&mut self, room: &Rectangle, colour: Colour) {
        self.fill(colour);
        let [x, y] = self.at([room.left, room.bottom()]);
        let (width, height) = (fine(room.width * self.points), fine(room.height * self.points));
        self.content.rect(x, y, width, height).fill_nonzero();
    }

    fn draw(&mut self, shape: &Shape) {
        match shape {
            Shape::Rect { at, colour } => self.rect(at, *colour),
            Shape::Line { at: [x1, y1, x2, y2], width, colour: Colour(r, g, b) } => {
                let ([x1, y1], [x2, y2]) = (self.at([*x1, *y1]), self.at([*x2, *y2]));
                self.content.set_stroke_rgb(share(*r), share(*g), share(*b));
                self.content.set_line_width(fine(width * self.points));
                self.content.move_to(x1, y1).line_to(x2, y2).stroke();
            }
            Shape::Dot { at, radius, colour } => self.dot(*at, *radius, *colour),
            Shape::Area { points, colour } => {
                self.fill(*colour);
                for (number, point) in points.iter().enumerate() {
                    let [x, y] = self.at(*point);
                    match number {
                        0 => self.content.move_to(x, y),
                        _ => self.content.line_to(x, y),
                    };
                }
                self.content.close_path().fill_nonzero();
            }
            Shape::Text(text) => self.write(text),
            Shape::Cells { at, cells } => {
                let name = image_name(self.images.len());
                let [x, y] = self.at([at.left, at.bottom()]);
                let (width, height) = (fine(at.width * self.points), fine(at.height * self.points));
                self.content.save_state().transform([width, 0.0, 0.0, height, x, y]);
                self.content.x_object(Name(name.as_bytes())).restore_state();
                self.images.push(cells.clone());
            }
        }
    }

    /// A circle of four curves.
    fn dot(&mut self, at: [f32; 2], radius: f32, colour: Colour) {
        const BEND: f32 = 0.552_284_8;
        self.fill(colour);
        let ([x, y], r) = (self.at(at), fine(radius * self.points));
        let b = fine(r * BEND);
        self.content.move_to(x + r, y);
        self.content.cubic_to(x + r, y + b, x + b, y + r, x, y + r);
        self.content.cubic_to(x - b, y + r, x - r, y + b, x - r, y);
        self.content.cubic_to(x - r, y - b, x - b, y - r, x, y - r);
        self.content.cubic_to(x + b, y - r, x + r, y - b, x + r, y);
        self.content.fill_nonzero();
    }

    fn write(&mut self, text: &Text) {
        let mut codes = Vec::new();
        for letter in text.text.chars() {
            let glyph = font::glyph(letter).0;
            self.glyphs.entry(glyph).or_insert(letter);
            codes.extend(glyph.to_be_bytes());
        }
        self.fill(text.colour);
        let [x, y] = self.at(text.start());
        let matrix = match text.is_upright {
            true => [0.0, 1.0, -1.0, 0.0, x, y],
            false => [1.0, 0.0, 0.0, 1.0, x, y],
        };
        let size = fine(text.size * self.points);
        self.content.begin_text().set_font(FONT_NAME, size).set_text_matrix(matrix);
        self.content.show(Str(&codes)).end_text();
    }
}
