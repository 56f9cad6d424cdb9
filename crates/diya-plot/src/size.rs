//! How large a picture is: in millimetres for paper, in pixels for screens.

use std::str::FromStr;

/// A length, such as `85mm` or `1000`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Length {
    /// Millimetres on paper.
    Millimetres(f32),
    /// Pixels of CSS: 96 to the inch.
    Pixels(f32),
}

const MM_PER_INCH: f32 = 25.4;
const PIXELS_PER_INCH: f32 = 96.0;
const POINTS_PER_INCH: f32 = 72.0;

impl FromStr for Length {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let (number, is_paper) = match text.strip_suffix("mm") {
            Some(number) => (number, true),
            None => (text.strip_suffix("px").unwrap_or(text), false),
        };
        let value: f32 = number.trim().parse().map_err(|_| {
            format!("{text:?} is not a length: write millimetres (85mm) or pixels (1000)")
        })?;
        let (length, limits, words) = match is_paper {
            true => (Self::Millimetres(value), 40.0..=2000.0, "40mm and 2000mm"),
            false => (Self::Pixels(value), 200.0..=8000.0, "200 and 8000 pixels"),
        };
        let is_inside = limits.contains(&value);
        is_inside.then_some(length).ok_or_else(|| format!("{text:?} is not between {words}"))
    }
}

impl Length {
    fn at_least(self, least_mm: f32, least_pixels: f32) -> Self {
        match self {
            Self::Millimetres(mm) => Self::Millimetres(mm.max(least_mm)),
            Self::Pixels(pixels) => Self::Pixels(pixels.max(least_pixels)),
        }
    }
}

impl std::fmt::Display for Length {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Millimetres(mm) => write!(f, "{mm}mm"),
            Self::Pixels(pixels) => write!(f, "{pixels}"),
        }
    }
}

/// The units that a picture is drawn in: points for paper, pixels for screens.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Size {
    /// The width in these units.
    pub width: f32,
    /// Height of ordinary text: 7 points in print, 12 pixels on a screen.
    pub em: f32,
    /// Unit in an SVG file.
    pub unit: &'static str,
    /// Points of PDF per unit.
    pub points: f32,
    /// Pixels of a PNG file per unit: 300 to the inch in print, two per pixel of a screen.
    pub pixels: f32,
}

impl Size {
    /// Below these a title does not fit beside its axis.
    pub fn of(width: Length) -> Self {
        match width.at_least(40.0, 200.0) {
            Length::Millimetres(mm) => Self {
                width: mm / MM_PER_INCH * POINTS_PER_INCH,
                em: 7.0,
                unit: "pt",
                points: 1.0,
                pixels: 300.0 / POINTS_PER_INCH,
            },
            Length::Pixels(pixels) => Self {
                width: pixels,
                em: 12.0,
                unit: "",
                points: POINTS_PER_INCH / PIXELS_PER_INCH,
                pixels: 2.0,
            },
        }
    }

    /// A length in the units of this size.
    pub fn units(&self, length: Length) -> f32 {
        let inches = match length {
            Length::Millimetres(mm) => mm / MM_PER_INCH,
            Length::Pixels(pixels) => pixels / PIXELS_PER_INCH,
        };
        inches * POINTS_PER_INCH / self.points
    }

    /// Thickness of a fine line.
    pub fn hair(&self) -> f32 {
        self.em / 12.0
    }

    /// Pixels of a PNG file along a length in units.
    pub fn pixels_of(&self, units: f32) -> u32 {
        (units * self.pixels).round().max(1.0) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_millimetres_or_pixels() {
        assert_eq!("85mm".parse(), Ok(Length::Millimetres(85.0)));
        assert_eq!("1000".parse(), Ok(Length::Pixels(1000.0)));
        assert_eq!("800px".parse(), Ok(Length::Pixels(800.0)));
        for wrong in ["", "mm", "85 cm", "3mm", "100", "NaN", "1e9"] {
            assert!(wrong.parse::<Length>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_column_at_300_dots_per_inch_has_a_thousand_pixels() {
        let size = Size::of(Length::Millimetres(85.0));
        assert_eq!(size.pixels_of(size.width), 1004);
        assert_eq!(size.units(Length::Pixels(96.0)), 72.0);
    }
}
