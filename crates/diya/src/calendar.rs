//! Dates of points in time, without a time zone data base.

/// Seconds of a day; leap seconds do not count in Unix time.
pub(crate) const DAY_S: i64 = 86_400;

/// Year, month from 0 and day from 1 of a day counted from 1970-01-01.
///
/// Counts in eras of 400 years, in which the calendar repeats, and in years
/// that start in March, so that the leap day is the last one.
/// Source: Howard Hinnant, "chrono-compatible low-level date algorithms".
pub(crate) fn date(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 2 } else { from_march - 10 };
    let year = year_of_era + era * 400 + i64::from(month < 2);
    (year, month, day)
}
