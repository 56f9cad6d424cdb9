//! The start of a line of strace: which process, when, and what options put in front of a call.

use super::arguments::angle_end;

/// A clock reading, as strace can print it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Time {
    /// `-ttt`: nanoseconds since 1970.
    Real(i64),
    /// `-tt`, `-t`: nanoseconds since midnight.
    Day(i64),
    /// `-r`: nanoseconds since the line before.
    Since(i64),
}

/// Smaller numbers of seconds are differences, larger ones are moments since 1970.
const SECONDS_OF_1980: i64 = 315_532_800;
const NS: i64 = 1_000_000_000;
/// Digits of the largest process id that Linux can be set to (4,194,304).
const MAX_PID_DIGITS: usize = 7;

/// Groups in brackets between the time and a call: number of the call, address, security context.
const MAX_GROUPS: usize = 3;

/// Process, time (and whether it has fractions of a second), and the rest of a line.
pub(super) fn leader(line: &str) -> (Option<u64>, Option<(Time, bool)>, &str) {
    let (pid, rest) = pid(line);
    // With --secontext the context of the process follows its number.
    let rest = if pid.is_some() { after_groups(rest) } else { rest };
    let Some((time, is_fine, rest)) = time(rest) else {
        return (pid, None, after_groups(rest.trim_start()));
    };
    // `-r` beside another option of time: `(+     0.000123)`.
    let difference = rest.strip_prefix("(+").and_then(|rest| rest.split_once(')'));
    let rest = difference.map_or(rest, |(_, rest)| rest.trim_start());
    (pid, Some((time, is_fine)), after_groups(rest))
}

/// What follows `[ 257] [00007fee92ed4b1d] `: the number of a call (`-n`) and the address of its
/// instruction (`-i`).
fn after_groups(text: &str) -> &str {
    let mut rest = text;
    for _ in 0..MAX_GROUPS {
        let group = rest.strip_prefix('[').and_then(|inside| inside.split_once("] "));
        let Some((_, after)) = group else { break };
        rest = after.trim_start();
    }
    rest
}

/// The number at the start of `2485<sh> close(3)`, and what follows it and the name (`-Y`).
pub(super) fn process_id(text: &str) -> Option<(u64, &str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = text.split_at(digits);
    let end = if rest.starts_with('<') { angle_end(rest)? } else { 0 };
    Some((number.parse().ok()?, rest.get(end..)?)).filter(|_| digits <= MAX_PID_DIGITS)
}

fn pid(line: &str) -> (Option<u64>, &str) {
    let bracketed = line.strip_prefix("[pid ").map(str::trim_start);
    let found = match bracketed {
        Some(inside) => process_id(inside)
            .and_then(|(pid, rest)| rest.strip_prefix(']').map(|rest| (pid, rest))),
        None => process_id(line).filter(|(_, rest)| rest.starts_with(' ')),
    };
    found.map_or((None, line), |(pid, rest)| (Some(pid), rest.trim_start()))
}

fn time(text: &str) -> Option<(Time, bool, &str)> {
    let text = text.trim_start();
    let (word, rest) = text.split_once(' ')?;
    let (whole, fraction) = word.split_once('.').map_or((word, None), |(w, f)| (w, Some(f)));
    let fraction_ns = fraction.map_or(Some(0), fraction_ns)?;
    let with_fraction = |seconds: i64| seconds.checked_mul(NS)?.checked_add(fraction_ns);
    if whole.contains(':') {
        let mut parts = whole.split(':').map(|part| part.parse::<u8>().ok().map(i64::from));
        let (hours, minutes, seconds) = (parts.next()??, parts.next()??, parts.next()??);
        let is_time = hours < 24 && minutes < 60 && seconds <= 60 && parts.next().is_none();
        let ns = with_fraction(hours * 3600 + minutes * 60 + seconds).filter(|_| is_time)?;
        return Some((Time::Day(ns), fraction.is_some(), rest.trim_start()));
    }
    let seconds: u32 = whole.parse().ok()?;
    let ns = with_fraction(i64::from(seconds))?;
    let is_real = i64::from(seconds) >= SECONDS_OF_1980;
    let time = if is_real { Time::Real(ns) } else { Time::Since(ns) };
    Some((time, fraction.is_some(), rest.trim_start()))
}

/// `25` is 250,000,000: digits behind the point of a second.
fn fraction_ns(digits: &str) -> Option<i64> {
    let length = u32::try_from(digits.len()).ok().filter(|n| (1..=9).contains(n))?;
    let value: u32 = digits.parse().ok()?;
    Some(i64::from(value) * 10_i64.pow(9 - length))
}

/// Seconds in the form `0.000123`, or whole ones, as nanoseconds.
pub(super) fn seconds_ns(text: &str) -> Option<i64> {
    let (whole, fraction) = text.split_once('.').map_or((text, "0"), |parts| parts);
    let whole: u32 = whole.parse().ok()?;
    i64::from(whole).checked_mul(NS)?.checked_add(fraction_ns(fraction)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn who_and_when(line: &str) -> (Option<u64>, Option<Time>, &str) {
        let (pid, time, rest) = leader(line);
        (pid, time.map(|(time, _)| time), rest)
    }

    const CALL: &str = "close(3) = 0";

    #[test]
    fn a_line_begins_with_a_process_and_a_time_in_several_forms() {
        let real = Some(Time::Real(1_795_443_714_234_253_000));
        let of = |start: &str| {
            let line = format!("{start}{CALL}");
            let (pid, time, rest) = who_and_when(&line);
            assert_eq!(rest, CALL, "{start}");
            (pid, time)
        };
        assert_eq!(of("2485  1795443714.234253 "), (Some(2485), real));
        assert_eq!(of("1795443714.234253 "), (None, real));
        let day = Some(Time::Day(51_714_274_004_000));
        assert_eq!(of("[pid  2493] 14:21:54.274004 "), (Some(2493), day));
        assert_eq!(of("     0.000123 "), (None, Some(Time::Since(123_000))));
        assert_eq!(of("     2 "), (None, Some(Time::Since(2_000_000_000))));
        assert_eq!(of(""), (None, None));
    }

    #[test]
    fn options_put_names_numbers_and_addresses_in_front_of_a_call() {
        let real = Some(Time::Real(1_795_443_714_234_253_000));
        for start in [
            "7<sh> 1795443714.234253 ",
            "[pid     7<a] b>] 1795443714.234253 ",
            "7 [unconfined_u:unconfined_r:unconfined_t:s0] 1795443714.234253 ",
            "7  1795443714.234253 [ 257] [00007fee92ed4b1d] ",
            "7  1795443714.234253 [????????????????] ",
            "7  1795443714.234253 (+     0.000063) ",
            "7  1795443714.234253 (+     0.000063) [   3] ",
        ] {
            let line = format!("{start}{CALL}");
            assert_eq!(who_and_when(&line), (Some(7), real, CALL), "{start}");
        }
        assert_eq!(who_and_when("[   3] close(3) = 0"), (None, None, CALL));
    }

    #[test]
    fn durations_are_whole_seconds_or_parts_of_one() {
        assert_eq!(seconds_ns("0.000123"), Some(123_000));
        assert_eq!(seconds_ns("0.000123456"), Some(123_456));
        assert_eq!(seconds_ns("2"), Some(2_000_000_000));
        assert_eq!((seconds_ns("char 1:3"), seconds_ns("")), (None, None));
    }
}
