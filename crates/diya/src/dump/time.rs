//! A point in time as ctime() spells it: `Fri Nov 20 11:22:21 2026`.

const DAYS: [&str; 7] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

const DAY_S: i64 = 86_400;

/// Seconds since 1970 as text, without the line end that ctime() adds.
///
/// `offset_s` is the distance of the wall clock from UTC at that time.
pub(super) fn ctime(unix_s: i64, offset_s: i32) -> String {
    let local_s = unix_s.saturating_add(i64::from(offset_s));
    let (days, second) = (local_s.div_euclid(DAY_S), local_s.rem_euclid(DAY_S));
    let (year, month, day) = date(days);
    let name = |names: &[&'static str], number: i64| {
        usize::try_from(number).ok().and_then(|n| names.get(n).copied()).unwrap_or("???")
    };
    // 1970-01-01 was a Thursday.
    let weekday = name(&DAYS, (days + 4).rem_euclid(7));
    let (hour, minute) = (second / 3600, second / 60 % 60);
    format!(
        "{weekday} {} {day:2} {hour:02}:{minute:02}:{:02} {year}",
        name(&MONTHS, month),
        second % 60
    )
}

/// Year, month from 0 and day from 1 of a day counted from 1970-01-01.
///
/// Counts in eras of 400 years, in which the calendar repeats, and in years
/// that start in March, so that the leap day is the last one.
/// Source: Howard Hinnant, "chrono-compatible low-level date algorithms".
fn date(days: i64) -> (i64, i64, i64) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_spelled_as_ctime_does() {
        assert_eq!(ctime(0, 0), "Thu Jan  1 00:00:00 1970");
        assert_eq!(ctime(1_795_173_741, 0), "Fri Nov 20 11:22:21 2026");
        assert_eq!(ctime(1_594_155_460, 0), "Tue Jul  7 20:57:40 2020");
        assert_eq!(ctime(951_782_400, 0), "Tue Feb 29 00:00:00 2000");
        assert_eq!(ctime(-1, 0), "Wed Dec 31 23:59:59 1969");
    }

    #[test]
    fn the_wall_clock_may_be_on_another_day() {
        assert_eq!(ctime(0, -5 * 3600), "Wed Dec 31 19:00:00 1969");
        assert_eq!(ctime(1_795_173_741, 3600), "Fri Nov 20 12:22:21 2026");
    }
}
