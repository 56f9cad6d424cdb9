//! Numbers with units, as people read them.

const BINARY: [&str; 6] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];

/// Bytes in binary units with three significant digits.
///
/// ```
/// assert_eq!(diya_model::bytes_text(512), "512 B");
/// assert_eq!(diya_model::bytes_text(268_435_456), "256 MiB");
/// assert_eq!(diya_model::bytes_text(1_536), "1.50 KiB");
/// ```
pub fn bytes_text(bytes: u64) -> String {
    if bytes < 1024 {
        return format!("{bytes} B");
    }
    let mut value = bytes as f64 / 1024.0;
    let mut unit = 0;
    // 1023.5 would round to 1024 of this unit, which is 1 of the next.
    while value >= 1023.5 && unit + 1 < BINARY.len() {
        value /= 1024.0;
        unit += 1;
    }
    format!("{} {}", three_digits(value), BINARY[unit])
}

/// Seconds with a unit that keeps three significant digits readable.
///
/// ```
/// assert_eq!(diya_model::seconds_text(0.000_042), "42.0 µs");
/// assert_eq!(diya_model::seconds_text(9.0999), "9.10 s");
/// assert_eq!(diya_model::seconds_text(7265.0), "2 h 01 min 05 s");
/// ```
pub fn seconds_text(seconds: f64) -> String {
    let size = seconds.abs();
    if size == 0.0 {
        "0 s".into()
    } else if size < 1e-3 {
        format!("{} µs", three_digits(seconds * 1e6))
    } else if size < 1.0 {
        format!("{} ms", three_digits(seconds * 1e3))
    } else if size < 600.0 || !seconds.is_finite() {
        format!("{} s", three_digits(seconds))
    } else {
        let whole = seconds.round();
        let (hours, rest) = ((whole / 3600.0).trunc(), whole % 3600.0);
        let (minutes, seconds) = ((rest / 60.0).trunc(), rest % 60.0);
        if hours == 0.0 {
            format!("{minutes} min {seconds:02} s")
        } else {
            format!("{hours} h {minutes:02} min {seconds:02} s")
        }
    }
}

/// A share as a percentage.
///
/// ```
/// use diya_model::percent_text;
/// assert_eq!((percent_text(0.154), percent_text(0.021)), ("15 %".into(), "2.1 %".into()));
/// assert_eq!((percent_text(0.0), percent_text(0.0004)), ("0 %".into(), "under 0.1 %".into()));
/// // 100 % is all of it.
/// assert_eq!((percent_text(0.998), percent_text(0.99999)), ("99.8 %".into(), "over 99.9 %".into()));
/// ```
pub fn percent_text(share: f64) -> String {
    let value = share * 100.0;
    // A quotient of equal numbers may be a bit less than 1.
    let value = if (value - 100.0).abs() < 1e-9 { 100.0 } else { value };
    match value.abs() {
        0.0 => "0 %".to_owned(),
        size if size < 0.1 => "under 0.1 %".to_owned(),
        size if size < 9.95 => format!("{value:.1} %"),
        size if size > 99.9 && size < 100.0 => "over 99.9 %".to_owned(),
        size if (99.5..100.0).contains(&size) => format!("{value:.1} %"),
        _ => format!("{value:.0} %"),
    }
}

/// A count with thousands separated.
///
/// ```
/// assert_eq!(diya_model::calls_text(10_000_000), "10,000,000");
/// ```
pub fn calls_text(count: u64) -> String {
    let digits = count.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

fn three_digits(value: f64) -> String {
    let size = value.abs();
    if size >= 99.95 || size.fract() == 0.0 && size >= 100.0 {
        format!("{value:.0}")
    } else if size >= 9.995 {
        format!("{value:.1}")
    } else {
        format!("{value:.2}")
    }
}
