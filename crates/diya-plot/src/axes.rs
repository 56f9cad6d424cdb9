//! The room of a chart, and the numbers at its edges.

use super::Canvas;
use super::picture::{Anchor, LINE};
use diya_model::{bytes_text, calls_text, seconds_text};

/// Room of a chart, in pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Axes {
    pub left: f32,
    pub top: f32,
    pub width: f32,
    pub height: f32,
}

/// What the numbers at an edge are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    Seconds,
    Bytes,
    BytesPerSecond,
    Calls,
    Number,
}

impl Unit {
    pub fn text(self, value: f64) -> String {
        let text = match self {
            Self::Seconds if value == 0.0 => "0 s".to_owned(),
            Self::Seconds => seconds_text(value),
            Self::Bytes => bytes_text(value.max(0.0) as u64),
            Self::BytesPerSecond => format!("{}/s", bytes_text(value.max(0.0) as u64)),
            Self::Calls => calls_text(value.max(0.0) as u64),
            Self::Number => format!("{value}"),
        };
        // Ticks are round: 1 s, not 1.00 s.
        text.replace(".00 ", " ").replace(".0 ", " ")
    }

    /// Round numbers: of two for bytes, of ten for all else.
    fn step(self, span: f64, most: usize) -> f64 {
        let least = span / most.max(1) as f64;
        if matches!(self, Self::Bytes | Self::BytesPerSecond) {
            return least.max(1.0).log2().ceil().exp2();
        }
        let power = 10_f64.powf(least.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|factor| factor * power);
        let step = step.into_iter().find(|step| *step >= least).unwrap_or(power);
        if matches!(self, Self::Calls | Self::Number) { step.max(1.0) } else { step }
    }
}

/// Round values between two.
pub(super) fn ticks(from: f64, to: f64, unit: Unit, most: usize) -> Vec<f64> {
    if to <= from || !from.is_finite() || !to.is_finite() {
        return Vec::new();
    }
    let step = unit.step(to - from, most);
    let first = (from / step).ceil();
    (0..=2 * most).map(|n| (first + n as f64) * step).take_while(|tick| *tick <= to).collect()
}

impl Axes {
    /// So many lanes below each other, each with room for its name above it.
    pub fn lanes(&self, lanes: usize) -> Vec<Self> {
        let lane = self.height / lanes.max(1) as f32;
        let top = |number: usize| self.top + lane * number as f32 + LINE;
        (0..lanes).map(|n| Self { top: top(n), height: lane - LINE - 4.0, ..*self }).collect()
    }

    /// A part from left to right, in shares of the whole.
    pub fn part(&self, from: f32, to: f32) -> Self {
        let left = self.left + self.width * from;
        Self { left, width: self.width * (to - from), ..*self }
    }

    /// Numbers along the lower edge.
    pub fn below(&self, canvas: &mut Canvas, (from, to): (f64, f64), unit: Unit) {
        let bottom = self.top + self.height;
        let (line, soft) = (canvas.theme.line, canvas.theme.soft);
        canvas.picture.line([self.left, bottom, self.left + self.width, bottom], line);
        for tick in ticks(from, to, unit, (self.width / 90.0) as usize) {
            let x = self.left + ((tick - from) / (to - from)) as f32 * self.width;
            canvas.picture.line([x, bottom, x, bottom + 4.0], line);
            canvas.picture.text([x, bottom + 17.0], Anchor::Middle, unit.text(tick), soft);
        }
    }

    /// Numbers along the left edge; `is_down`: they grow downwards.
    pub fn beside(&self, canvas: &mut Canvas, (from, to): (f64, f64), unit: Unit, is_down: bool) {
        let (line, soft) = (canvas.theme.line, canvas.theme.soft);
        for tick in ticks(from, to, unit, (self.height / 36.0) as usize) {
            let share = ((tick - from) / (to - from)) as f32;
            let y = self.top + self.height * if is_down { share } else { 1.0 - share };
            canvas.picture.line([self.left - 4.0, y, self.left, y], line);
            canvas.picture.text([self.left - 7.0, y + 4.0], Anchor::End, unit.text(tick), soft);
        }
    }

    /// The name of the chart, above it.
    pub fn name(&self, canvas: &mut Canvas, name: &str) {
        let at = [self.left, self.top - 4.0];
        canvas.picture.text(at, Anchor::Start, name, canvas.theme.ink);
    }

    /// A frame around it.
    pub fn frame(&self, canvas: &mut Canvas) {
        let (right, bottom) = (self.left + self.width, self.top + self.height);
        let colour = canvas.theme.line;
        for at in [
            [self.left, self.top, right, self.top],
            [self.left, bottom, right, bottom],
            [self.left, self.top, self.left, bottom],
            [right, self.top, right, bottom],
        ] {
            canvas.picture.line(at, colour);
        }
    }
}
