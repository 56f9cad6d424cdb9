//! Points in time as monitoring systems write them.

use crate::calendar::DAY_S;

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
    let (date, time) = (text.get(..10)?, text.get(11..)?);
    let is_divided = matches!(text.as_bytes().get(10), Some(b'T' | b't' | b' '));
    let mut parts = date.split('-').map(|part| part.parse::<i64>().ok());
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    let is_date = is_divided && (1..=12).contains(&month) && (1..=31).contains(&day);
    let (clock, zone_s) = match time.strip_suffix(['Z', 'z']) {
        Some(clock) => (clock, 0),
        None => match time.rfind(['+', '-']) {
            Some(at) => (&time[..at], zone(&time[at..])?),
            None => (time, 0),
        },
    };
    let mut parts = clock.split(':');
    let hour: u32 = parts.next()?.parse().ok().filter(|hour| *hour < 24)?;
    let minute: u32 = parts.next()?.parse().ok().filter(|minute| *minute < 60)?;
    let second: f64 = parts.next().unwrap_or("0").parse().ok()?;
    let is_time = (0.0..61.0).contains(&second) && parts.next().is_none();
    let days = days(year, month, day);
    let whole = days * DAY_S + i64::from(hour) * 3600 + i64::from(minute) * 60 - zone_s;
    (is_date && is_time).then_some(whole as f64 + second)
}

/// Seconds east of Greenwich of `+01:00` or `-0530`.
fn zone(text: &str) -> Option<i64> {
    let digits: String = text.get(1..)?.chars().filter(|c| *c != ':').collect();
    let is_number = digits.len() == 4 && digits.bytes().all(|b| b.is_ascii_digit());
    let number: i64 = digits.parse().ok().filter(|_| is_number)?;
    let east_s = (number / 100) * 3600 + (number % 100) * 60;
    Some(if text.starts_with('-') { -east_s } else { east_s })
}

/// Days from 1970-01-01 to a date: the inverse of [`crate::calendar::date`].
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let (era, year_of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let from_march = (month + 9) % 12;
    let day_of_year = (153 * from_march + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calendar::date;

    #[test]
    fn days_are_counted_back_and_forth() {
        for day in [-1, 0, 58, 59, 60, 11_016, 20_778, 47_540] {
            let (year, month, of_month) = date(day);
            assert_eq!(days(year, month + 1, of_month), day);
        }
    }

    #[test]
    fn numbers_and_dates_are_understood() {
        assert_eq!(seconds("1700000000"), Some(1_700_000_000.0));
        assert_eq!(seconds("1700000000123"), Some(1_700_000_000.123));
        assert_eq!(seconds("2023-11-14T22:13:20Z"), Some(1_700_000_000.0));
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
