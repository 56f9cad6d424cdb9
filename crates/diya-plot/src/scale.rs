//! An axis: its values, its title with the unit, and round numbers along it.

use diya_model::{bytes_text, calls_text, seconds_text};

/// What the numbers of an axis are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    Seconds,
    Bytes,
    BytesPerSecond,
    /// Whole numbers: calls, ranks.
    Count,
    /// Means of whole numbers.
    Mean,
}

impl Unit {
    /// One value with its unit.
    pub fn text(self, value: f64) -> String {
        let text = match self {
            Self::Seconds => seconds_text(value),
            Self::Bytes => bytes_text(value.max(0.0) as u64),
            Self::BytesPerSecond => format!("{}/s", bytes_text(value.max(0.0) as u64)),
            Self::Count | Self::Mean => calls_text(value.max(0.0) as u64),
        };
        // Round numbers are short: 1 s, not 1.00 s.
        text.replace(".00 ", " ").replace(".0 ", " ")
    }

    /// The unit of an axis that ends at a value, and what it is worth.
    fn of_axis(self, most: f64) -> (&'static str, f64) {
        const BYTES: [&str; 7] = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
        const RATES: [&str; 7] = ["B/s", "KiB/s", "MiB/s", "GiB/s", "TiB/s", "PiB/s", "EiB/s"];
        let power = (most.max(1.0).log2() / 10.0) as usize;
        let power = power.min(BYTES.len() - 1);
        let of_power = |names: [&'static str; 7]| (names[power], (power as f64 * 10.0).exp2());
        match self {
            Self::Bytes => of_power(BYTES),
            Self::BytesPerSecond => of_power(RATES),
            Self::Count | Self::Mean => ("", 1.0),
            Self::Seconds if most < 1e-3 => ("µs", 1e-6),
            Self::Seconds if most < 1.0 => ("ms", 1e-3),
            Self::Seconds if most < 600.0 => ("s", 1.0),
            Self::Seconds if most < 7200.0 => ("min", 60.0),
            Self::Seconds => ("h", 3600.0),
        }
    }

    /// The next round step: of two for bytes, of ten for all else.
    fn step(self, least: f64) -> f64 {
        let least = least.max(f64::MIN_POSITIVE);
        if matches!(self, Self::Bytes | Self::BytesPerSecond) {
            return least.log2().ceil().exp2();
        }
        let power = 10_f64.powf(least.log10().floor());
        let steps = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power);
        let step = steps.into_iter().find(|step| *step >= least * (1.0 - 1e-9)).unwrap_or(power);
        if self == Self::Count { step.max(1.0) } else { step }
    }
}

/// How the values of an axis are written.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Ticks {
    /// Equal steps.
    Linear(Unit),
    /// Equal factors.
    Log(Unit),
    /// The band from `n` to `n + 1` has the `n`th name.
    Names(Vec<String>),
    /// No numbers.
    None,
}

/// An axis.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Scale {
    pub title: String,
    pub from: f64,
    pub to: f64,
    pub ticks: Ticks,
}

/// A value with its text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Tick {
    pub at: f64,
    pub text: String,
}

impl Scale {
    /// An axis; without a span it gets one.
    pub fn new(title: &str, (from, to): (f64, f64), ticks: Ticks) -> Self {
        let to = if to > from && to.is_finite() { to } else { from + 1.0 };
        Self { title: title.to_owned(), from, to, ticks }
    }

    /// Bands with names.
    pub fn names(title: &str, names: Vec<String>) -> Self {
        Self::new(title, (0.0, names.len() as f64), Ticks::Names(names))
    }

    /// Place of a value, 0 at the start.
    pub fn share(&self, value: f64) -> f32 {
        let share = match self.ticks {
            Ticks::Log(_) => (value.max(self.from) / self.from).ln() / (self.to / self.from).ln(),
            _ => (value - self.from) / (self.to - self.from),
        };
        share.clamp(0.0, 1.0) as f32
    }

    /// The title with the unit of its numbers.
    pub fn heading(&self) -> String {
        let unit = match self.ticks {
            Ticks::Linear(unit) => unit.of_axis(self.to.abs().max(self.from.abs())).0,
            Ticks::Log(_) => "log scale",
            Ticks::Names(_) | Ticks::None => "",
        };
        if unit.is_empty() { self.title.clone() } else { format!("{} ({unit})", self.title) }
    }

    /// Round values, about as many as wanted at most.
    pub fn ticks(&self, most: usize) -> Vec<Tick> {
        let most = most.max(1);
        match &self.ticks {
            Ticks::None => Vec::new(),
            Ticks::Names(names) => {
                let step = Unit::Count.step(names.len() as f64 / most as f64) as usize;
                let every = names.iter().enumerate().step_by(step.max(1));
                every.map(|(at, name)| Tick { at: at as f64 + 0.5, text: name.clone() }).collect()
            }
            Ticks::Log(unit) => {
                let is_bytes = matches!(unit, Unit::Bytes | Unit::BytesPerSecond);
                let base: f64 = if is_bytes { 2.0 } else { 10.0 };
                let power = |value: f64| value.ln() / base.ln();
                // Logarithms miss whole numbers by little.
                let (from, to) = ((power(self.from) - 1e-9).ceil(), power(self.to) + 1e-9);
                let step = Unit::Count.step((to - from) / most as f64);
                let at = |n: usize| base.powf(from + n as f64 * step);
                let values = (0..=2 * most).map(at).take_while(|at| *at <= self.to * 1.000_001);
                values.map(|at| Tick { at, text: unit.text(at) }).collect()
            }
            Ticks::Linear(unit) => self.linear(*unit, most),
        }
    }

    fn linear(&self, unit: Unit, most: usize) -> Vec<Tick> {
        let worth = unit.of_axis(self.to.abs().max(self.from.abs())).1;
        let (from, to) = (self.from / worth, self.to / worth);
        let step = unit.step((to - from) / most as f64);
        let first = (from / step - 1e-9).ceil();
        let is_exact = |decimals: &usize| {
            let scaled = step * 10_f64.powi(*decimals as i32);
            (scaled - scaled.round()).abs() < scaled * 1e-6
        };
        let decimals = (0..12).find(is_exact).unwrap_or(12);
        let values = (0..=2 * most).map(|n| (first + n as f64) * step);
        let values = values.take_while(|value| *value <= to + step * 1e-9);
        let text = |value: f64| match unit {
            Unit::Count => calls_text(value.max(0.0) as u64),
            _ => format!("{:.decimals$}", value + 0.0),
        };
        values.map(|value| Tick { at: value * worth, text: text(value) }).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(scale: &Scale, most: usize) -> Vec<String> {
        scale.ticks(most).into_iter().map(|tick| tick.text).collect()
    }

    #[test]
    fn ticks_are_round_numbers_of_one_unit_that_the_title_has() {
        let time = Scale::new("time", (0.0, 1.0), Ticks::Linear(Unit::Seconds));
        assert_eq!(texts(&time, 5), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(time.heading(), "time (s)");
        let bytes = Scale::new("offset", (0.0, 4096.0), Ticks::Linear(Unit::Bytes));
        assert_eq!(texts(&bytes, 4), ["0", "1", "2", "3", "4"]);
        assert_eq!(bytes.heading(), "offset (KiB)");
        let hours = Scale::new("time", (0.0, 9000.0), Ticks::Linear(Unit::Seconds));
        assert_eq!(texts(&hours, 3), ["0", "1", "2"]);
        assert_eq!(hours.heading(), "time (h)");
    }

    #[test]
    fn ranks_are_named_at_round_places() {
        let names = (0..64).map(|rank| rank.to_string()).collect();
        assert_eq!(
            texts(&Scale::names("rank", names), 7),
            ["0", "10", "20", "30", "40", "50", "60"]
        );
    }

    #[test]
    fn factors_are_equal_on_a_logarithmic_axis() {
        let scale = Scale::new("duration", (1e-6, 1.0), Ticks::Log(Unit::Seconds));
        assert_eq!(texts(&scale, 3), ["1 µs", "100 µs", "10 ms", "1 s"]);
        assert!((scale.share(1e-3) - 0.5).abs() < 1e-6);
    }

    #[test]
    fn an_axis_without_a_span_has_one() {
        let scale = Scale::new("time", (0.0, 0.0), Ticks::Linear(Unit::Seconds));
        assert_eq!((scale.from, scale.to), (0.0, 1.0));
    }
}
