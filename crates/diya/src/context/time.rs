//! Points in time as monitoring systems write them.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

/// Numbers from here on are milliseconds: as seconds they would lie after the
/// year 5138, as milliseconds after March 1973.
const MILLISECONDS: f64 = 1e11;

/// Seconds since 1970 UTC of a number (seconds or milliseconds) or a date of
/// RFC 3339 (`2026-11-21T18:05:00Z`, `... 18:05:00.5+01:00`).
pub(super) fn seconds(text: &str) -> Option<f64> {
    if let Ok(number) = text.parse::<f64>() {
        let is_milliseconds = number.abs() >= MILLISECONDS;
        return number.is_finite().then(|| if is_milliseconds { number / 1e3 } else { number });
    }
    // Without a zone it is UTC.
    let without_zone = || text.parse::<DateTime>().and_then(|date| date.to_zoned(TimeZone::UTC));
    let moment =
        text.parse::<Timestamp>().or_else(|_| without_zone().map(|date| date.timestamp())).ok()?;
    Some(moment.as_duration().as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_dates_are_understood() {
        assert_eq!(seconds("1700000000"), Some(1_700_000_000.0));
        assert_eq!(seconds("1700000000123"), Some(1_700_000_000.123));
        assert_eq!(seconds("2023-11-14T22:13:20Z"), Some(1_700_000_000.0));
        assert_eq!(seconds("2023-11-14T22:13:20"), Some(1_700_000_000.0));
        assert_eq!(seconds("2023-11-14T16:43-0530"), Some(1_699_999_980.0));
        assert_eq!(seconds("2023-11-14 23:13:20.5+01:00"), Some(1_700_000_000.5));
        for wrong in [
            "",
            "yesterday",
            "2023-13-14T22:13:20Z",
            "2023-11-14T25:00:00Z",
            "nan",
            "2023-11-14T22:13:20+1",
            "2023-11-14Tx",
        ] {
            assert_eq!(seconds(wrong), None, "{wrong}");
        }
    }
}
