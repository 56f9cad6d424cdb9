//! A point in time as ctime() spells it: `Fri Nov 20 11:22:21 2026`.

use jiff::Timestamp;

/// Seconds since 1970 as text, without the line end that ctime() adds.
///
/// `offset_s` is the distance of the wall clock from UTC at that time.
pub(super) fn ctime(unix_s: i64, offset_s: i32) -> String {
    let local = Timestamp::from_second(unix_s.saturating_add(i64::from(offset_s)));
    local.map_or_else(
        |_| format!("{unix_s} s since 1970"),
        |local| local.strftime("%a %b %e %H:%M:%S %Y").to_string(),
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
