//! A point in time as ctime() spells it: `Fri Nov 20 11:22:21 2026`.

use crate::calendar::{DAY_S, date};

const DAYS: [&str; 7] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

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
