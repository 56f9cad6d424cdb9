//! Times and durations as batch systems and servers write them.

use jiff::tz::TimeZone;

/// Nanoseconds since 1970 UTC: seconds, or a date with or without a zone.
pub fn moment(text: &str, zone: &TimeZone) -> Option<i64> {
    let text = text.trim();
    if let Ok(seconds) = text.parse::<f64>() {
        return from_seconds(seconds);
    }
    let time = match text.parse::<jiff::Timestamp>() {
        Ok(time) => time,
        Err(_) => {
            let text = text.replacen(' ', "T", 1);
            let local = text.parse::<jiff::civil::DateTime>();
            let day = || text.parse::<jiff::civil::Date>().map(|day| day.at(0, 0, 0, 0));
            local.or_else(|_| day()).ok()?.to_zoned(zone.clone()).ok()?.timestamp()
        }
    };
    i64::try_from(time.as_nanosecond()).ok()
}

/// From seconds since 1970, also in milliseconds, as some exporters write them.
pub fn from_seconds(seconds: f64) -> Option<i64> {
    // The year 5138 in seconds is 1973 in milliseconds.
    let seconds = if seconds > 1e11 { seconds / 1e3 } else { seconds };
    let is_time = seconds.is_finite() && (0.0..9.2e9).contains(&seconds);
    is_time.then(|| (seconds * 1e6).round() as i64 * 1000)
}

/// Seconds of `[D-]HH:MM:SS[.mmm]` or `MM:SS`.
pub fn duration_s(text: &str) -> Option<f64> {
    let (days, clock) = match text.split_once('-') {
        Some((days, clock)) => (days.parse::<f64>().ok()?, clock),
        None => (0.0, text),
    };
    let mut seconds = 0.0;
    for part in clock.split(':') {
        let part = part.parse::<f64>().ok().filter(|part| *part >= 0.0)?;
        seconds = seconds * 60.0 + part;
    }
    let seconds = days * 86_400.0 + seconds;
    (seconds.is_finite() && seconds >= 0.0).then_some(seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_a_zone_of_their_own_or_that_of_the_site() {
        let berlin = TimeZone::fixed(jiff::tz::offset(1));
        let of = |text: &str| moment(text, &berlin).map(|ns| ns / 1_000_000_000);
        assert_eq!(of("2026-03-14T10:00:00"), Some(1_773_478_800));
        assert_eq!(of("2026-03-14 10:00:00"), of("2026-03-14T09:00:00Z"));
        assert_eq!(of("1773478800"), of("1773478800000"));
        assert_eq!(of("2026-03-14"), Some(1_773_442_800));
        for wrong in ["", "Unknown", "None", "nan", "inf", "-1", "1e300", "2026-13-01"] {
            assert_eq!(of(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn durations_have_days() {
        assert_eq!(duration_s("1-02:03:04"), Some(93_784.0));
        assert_eq!(duration_s("02:03.5"), Some(123.5));
        assert_eq!([duration_s("x"), duration_s("1:-2"), duration_s("")], [None; 3]);
    }
}
