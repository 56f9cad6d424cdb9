//! Inter, the font of the page: widths, outlines, and the file itself.
//!
//! One weight with Latin letters; `scripts/plot_font.py` makes it from the page's font.

use std::sync::LazyLock;
use ttf_parser::{Face, GlyphId, OutlineBuilder};

/// The font for PDF files and for pixels.
pub(crate) const TTF: &[u8] = include_bytes!("../font/inter.ttf");
/// The same for SVG files.
pub(crate) const WOFF2: &[u8] = include_bytes!("../font/inter.woff2");

/// The font is a part of the program; a test reads it.
static FACE: LazyLock<Option<Face<'static>>> = LazyLock::new(|| Face::parse(TTF, 0).ok());

/// The font, read; `None`: its file is broken.
pub(crate) fn face() -> Option<&'static Face<'static>> {
    FACE.as_ref()
}

/// Units of the font per height of a text.
fn per_em() -> f32 {
    face().map_or(1.0, |face| f32::from(face.units_per_em()))
}

/// Number of a letter's glyph; 0, a box, for letters that the font lacks.
pub(crate) fn glyph(letter: char) -> GlyphId {
    face().and_then(|face| face.glyph_index(letter)).unwrap_or_default()
}

/// Width of a glyph, as a share of the height of the text.
pub(crate) fn advance(glyph: GlyphId) -> f32 {
    let units = face().and_then(|face| face.glyph_hor_advance(glyph)).unwrap_or_default();
    f32::from(units) / per_em()
}

/// Width of a text.
pub(crate) fn width(text: &str, size: f32) -> f32 {
    text.chars().map(|letter| advance(glyph(letter))).sum::<f32>() * size
}

/// Text as the font has it: no control characters, no spaces of other widths.
pub(crate) fn shown(text: &str) -> String {
    let printable = diya::report::printable(text);
    printable.chars().map(|letter| if letter.is_whitespace() { ' ' } else { letter }).collect()
}

/// Lines of a text that fit a width, broken at spaces and after `/`, `_` and `-`; inside of a
/// word that is too long by itself.
pub(crate) fn lines(text: &str, size: f32, room: f32) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in shown(text).split_inclusive([' ', '/', '_', '-']) {
        for part in parts(word, size, room) {
            let last = lines.last().map(String::as_str).unwrap_or_default();
            let is_fitting = width(format!("{last}{part}").trim_end(), size) <= room;
            match lines.last_mut().filter(|last| is_fitting || last.is_empty()) {
                Some(last) => last.push_str(&part),
                None => lines.push(part),
            }
        }
    }
    lines.iter().map(|line| line.trim_end().to_owned()).collect()
}

/// A word in pieces that fit.
fn parts(word: &str, size: f32, room: f32) -> Vec<String> {
    let mut parts = vec![String::new()];
    for letter in word.chars() {
        let last = parts.last().map(String::as_str).unwrap_or_default();
        if !last.is_empty() && width(&format!("{last}{letter}"), size) > room {
            parts.push(String::new());
        }
        parts.last_mut().into_iter().for_each(|part| part.push(letter));
    }
    parts
}

/// Draws the outlines of a text, `scale` times the font's own units, from a point on.
pub(crate) fn outline(text: &str, size: f32, mut to: impl FnMut(GlyphId, f32, f32)) {
    let mut x = 0.0;
    for letter in text.chars() {
        let glyph = glyph(letter);
        to(glyph, x, size / per_em());
        x += advance(glyph) * size;
    }
}

/// Hands the outline of a glyph to a builder.
pub(crate) fn outline_glyph(glyph: GlyphId, builder: &mut dyn OutlineBuilder) {
    if let Some(face) = face() {
        let _ = face.outline_glyph(glyph, builder);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_font_has_the_letters_of_numbers_and_units() {
        assert!(face().is_some());
        for letter in "0123456789.,%/ KMGTPEiBsµhmn×–·".chars() {
            assert!(glyph(letter).0 > 0, "{letter:?}");
        }
        assert!(width("0 s", 10.0) > 10.0);
    }

    #[test]
    fn titles_are_broken_and_never_cut() {
        let title = "Offsets in /scratch/project_42/a_run_with_a_long_name/particles.h5";
        let lines = lines(title, 7.0, 100.0);
        assert!(lines.len() > 1);
        assert!(lines.iter().all(|line| width(line, 7.0) <= 100.0), "{lines:?}");
        let letters = |text: &str| text.replace(' ', "");
        assert_eq!(letters(&lines.concat()), letters(title));
        assert!(super::lines(&"x".repeat(200), 7.0, 50.0).len() > 5);
    }
}
