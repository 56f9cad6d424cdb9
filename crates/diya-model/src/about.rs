//! Estimated seconds: rounded to what they are worth.

/// Seconds with two significant digits; from ten on whole numbers of a unit.
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
