//! Seconds as text: estimates with two digits, measured parts of a run with three.

use crate::seconds_text;

/// Estimated seconds with two significant digits; from ten on whole numbers of a unit.
///
/// Two runs of one job differ by several percent (Isakov, SC22), so a third
/// digit would not be measured.
///
/// ```
/// use diya_model::about_s;
/// assert_eq!(about_s(12.34), "12 s");
/// assert_eq!(about_s(9.0), "9 s");
/// assert_eq!(about_s(0.0123), "12 ms");
/// assert_eq!(about_s(7200.0), "120 min");
/// ```
pub fn about_s(seconds: f64) -> String {
    let (unit_s, unit) = about_unit(seconds);
    format!("{} {unit}", about_digits(seconds / unit_s))
}

/// The unit of an estimate, and its seconds.
pub fn about_unit(seconds: f64) -> (f64, &'static str) {
    match seconds.abs() {
        0.0 => (1.0, "s"),
        size if size < 0.9995e-3 => (1e-6, "µs"),
        size if size < 0.0995 => (1e-3, "ms"),
        size if size < 600.0 => (1.0, "s"),
        size if size < 3.0 * 3600.0 => (60.0, "min"),
        _ => (3600.0, "h"),
    }
}

/// Two significant digits; from ten on a whole number.
///
/// ```
/// use diya_model::about_digits;
/// assert_eq!([0.0738, 0.177, 4.04, 61.5].map(about_digits), ["0.074", "0.18", "4", "62"]);
/// ```
pub fn about_digits(value: f64) -> String {
    let places = match value.abs() {
        size if size >= 9.95 => 0,
        size if size >= 0.995 => 1,
        size if size >= 0.0995 => 2,
        _ => 3,
    };
    let text = format!("{value:.places$}");
    let shorter = text.trim_end_matches('0').trim_end_matches('.');
    if text.contains('.') { shorter.to_owned() } else { text }
}

/// Measured seconds that are a part of other ones, in the unit of the whole: parts add up.
///
/// ```
/// use diya_model::part_s;
/// assert_eq!([3.864, 4.06, 0.2].map(|s| part_s(s, 4.06)), ["3.86 s", "4.06 s", "0.20 s"]);
/// assert_eq!([0.031, 0.0732].map(|s| part_s(s, 0.0732)), ["31.0 ms", "73.2 ms"]);
/// assert_eq!([0.442, 0.811].map(|s| part_s(s, 0.811)), ["0.442 s", "0.811 s"]);
/// assert_eq!([779.6, 395.0, 1.4].map(|s| part_s(s, 781.0)), ["13 min 00 s", "6 min 35 s", "1.4 s"]);
/// assert_eq!([0.9, 0.034, 0.0].map(|s| part_s(s, 100.0)), ["0.9 s", "34 ms", "0 s"]);
/// ```
pub fn part_s(seconds: f64, whole_s: f64) -> String {
    if seconds == 0.0 {
        return "0 s".to_owned();
    }
    let (unit_s, unit) = about_unit(whole_s);
    if unit_s >= 60.0 {
        return match seconds.abs() {
            size if size < 60.0 => about_s(seconds),
            size if size < 599.5 => {
                let whole = seconds.round();
                format!("{} min {:02} s", (whole / 60.0).trunc(), whole % 60.0)
            }
            _ => seconds_text(seconds),
        };
    }
    let (value, whole) = (seconds / unit_s, whole_s / unit_s);
    let (places, scale) = match whole.abs() {
        size if size >= 99.95 => (0, 1.0),
        size if size >= 9.995 => (1, 10.0),
        size if size >= 0.995 => (2, 100.0),
        _ => (3, 1000.0),
    };
    // A small part keeps two digits.
    match value.abs() * scale {
        size if size >= 9.5 => format!("{value:.places$} {unit}"),
        _ if value.abs() >= 0.1 => format!("{} {unit}", about_digits(value)),
        _ => about_s(seconds),
    }
}
/// Seconds beside those of the run, with the same digits, so that a time is the same number in
/// every sentence; sums over ranks may be longer than the run.
///
/// ```
/// use diya_model::part_of_run_s;
/// assert_eq!([0.295, 131.2].map(|s| part_of_run_s(s, Some(2.66))), ["0.29 s", "131 s"]);
/// assert_eq!(part_of_run_s(0.295, None), "295 ms");
/// ```
pub fn part_of_run_s(seconds: f64, run_s: Option<f64>) -> String {
    match run_s.filter(|run_s| *run_s > 0.0) {
        Some(run_s) => part_s(seconds, run_s.max(seconds.abs())),
        None => crate::seconds_text(seconds),
    }
}
