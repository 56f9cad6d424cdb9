//! One line of strace: who, when, and what.

/// What a line is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Event<'l> {
    /// A call from its name to its result: name, arguments, what follows the `)`.
    Call { name: &'l str, arguments: &'l str, result: &'l str },
    /// The first part of a call that another thread's line interrupts.
    Begun { name: &'l str, arguments: &'l str },
    /// The rest of such a call.
    Resumed { name: &'l str, rest: &'l str },
    /// `+++ exited with 3 +++`
    Exited(i32),
    /// `+++ killed by SIGKILL +++`
    Killed,
    /// `+++ superseded by execve in pid 7 +++`
    Superseded,
    /// `strace: Process 7 attached`
    Attached,
    /// A signal, or a note of strace: nothing for the tables.
    Note,
}

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

/// A line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Parsed<'l> {
    pub pid: Option<u64>,
    pub time: Option<Time>,
    /// The time has fractions of a second.
    pub is_fine: bool,
    pub event: Event<'l>,
}

/// Smaller numbers of seconds are differences, larger ones are moments since 1970.
const SECONDS_OF_1980: i64 = 315_532_800;
const NS: i64 = 1_000_000_000;
/// Digits of the largest process id that Linux can be set to (4,194,304).
const MAX_PID_DIGITS: usize = 7;

/// Reads a line; `None`: it is none of strace's.
pub(super) fn parse(line: &str) -> Option<Parsed<'_>> {
    let (pid, rest) = pid(line);
    let (time, is_fine, rest) = match time(rest) {
        Some((time, is_fine, rest)) => (Some(time), is_fine, rest),
        None => (None, false, rest),
    };
    Some(Parsed { pid, time, is_fine, event: event(rest.trim_start())? })
}

fn pid(line: &str) -> (Option<u64>, &str) {
    let bracketed = line.strip_prefix("[pid ").and_then(|rest| rest.split_once(']'));
    if let Some((pid, rest)) = bracketed {
        return (pid.trim().parse().ok(), rest.trim_start());
    }
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = line.split_at(digits);
    if (1..=MAX_PID_DIGITS).contains(&digits) && rest.starts_with(' ') {
        return (number.parse().ok(), rest.trim_start());
    }
    (None, line)
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

/// Seconds in the form `0.000123`, as nanoseconds.
pub(super) fn seconds_ns(text: &str) -> Option<i64> {
    let (whole, fraction) = text.split_once('.')?;
    let whole: u32 = whole.parse().ok()?;
    i64::from(whole).checked_mul(NS)?.checked_add(fraction_ns(fraction)?)
}

fn event(text: &str) -> Option<Event<'_>> {
    if let Some(rest) = text.strip_prefix("+++ ") {
        let code = rest.strip_prefix("exited with ").and_then(|r| r.strip_suffix(" +++"));
        return Some(match code.map(str::parse) {
            Some(code) => Event::Exited(code.ok()?),
            None if rest.starts_with("killed by ") => Event::Killed,
            None if rest.starts_with("superseded by ") => Event::Superseded,
            None => return None,
        });
    }
    if let Some(rest) = text.strip_prefix("strace: ") {
        let pid = rest.strip_prefix("Process ").and_then(|r| r.strip_suffix(" attached"));
        return Some(if pid.is_some() { Event::Attached } else { Event::Note });
    }
    if text.starts_with("--- ") || text.starts_with("<unfinished ...>") {
        return Some(Event::Note);
    }
    if let Some(rest) = text.strip_prefix("<... ") {
        let (name, rest) = rest.split_once(" resumed>")?;
        return is_name(name).then_some(Event::Resumed { name, rest });
    }
    let (name, rest) = text.split_once('(')?;
    if !is_name(name) {
        return None;
    }
    if let Some(arguments) = unfinished(rest) {
        return Some(Event::Begun { name, arguments });
    }
    let (arguments, result) = split_result(rest)?;
    Some(Event::Call { name, arguments, result })
}

/// What stands before the mark of an interrupted call. On a terminal the mark can be
/// on a line of its own, after a note of strace.
fn unfinished(text: &str) -> Option<&str> {
    if let Some(before) = text.strip_suffix("<unfinished ...>") {
        return Some(before.trim_end());
    }
    // Few lines end so; searching all of them for the note would take a tenth of the time.
    let noted = text.strip_suffix(" attached")?;
    noted.rsplit_once("strace: Process ").map(|(before, _)| before)
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Splits `3, "a", 1) = 1 <0.000010>` at the parenthesis that ends the arguments: the
/// last one that ` = ` follows, because texts among the arguments can hold both.
pub(super) fn split_result(text: &str) -> Option<(&str, &str)> {
    let mut end = text.len();
    while let Some(at) = text.get(..end).and_then(|head| head.rfind(')')) {
        let (arguments, rest) = text.split_at(at);
        let rest = rest.strip_prefix(')').unwrap_or(rest).trim_start();
        if let Some(result) = rest.strip_prefix("= ") {
            return Some((arguments, result.trim()));
        }
        end = at;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn who_and_when(line: &str) -> Option<(Option<u64>, Option<Time>)> {
        parse(line).map(|parsed| (parsed.pid, parsed.time))
    }

    #[test]
    fn a_line_begins_with_a_process_and_a_time_in_several_forms() {
        let real = Some(Time::Real(1_795_443_714_234_253_000));
        assert_eq!(who_and_when("2485  1795443714.234253 close(3) = 0"), Some((Some(2485), real)));
        assert_eq!(who_and_when("1795443714.234253 close(3) = 0"), Some((None, real)));
        let day = Some(Time::Day(51_714_274_004_000));
        assert_eq!(
            who_and_when("[pid  2493] 14:21:54.274004 close(3) = 0"),
            Some((Some(2493), day))
        );
        let since = Some(Time::Since(123_000));
        assert_eq!(who_and_when("     0.000123 close(3) = 0"), Some((None, since)));
        assert_eq!(who_and_when("close(3) = 0"), Some((None, None)));
        assert_eq!(who_and_when("some program's own output"), None);
    }

    #[test]
    fn the_result_follows_the_last_parenthesis_that_an_equal_sign_follows() {
        let parts = |line| match parse(line).map(|parsed| parsed.event) {
            Some(Event::Call { name, arguments, result }) => Some((name, arguments, result)),
            _ => None,
        };
        let line = r#"openat(AT_FDCWD, "a) = 5", O_RDONLY) = -1 ENOENT (No such file) <0.000010>"#;
        let arguments = r#"AT_FDCWD, "a) = 5", O_RDONLY"#;
        let expected = ("openat", arguments, "-1 ENOENT (No such file) <0.000010>");
        assert_eq!(parts(line), Some(expected));
        assert_eq!(parts("brk(NULL)               = 0x5000"), Some(("brk", "NULL", "0x5000")));
    }

    #[test]
    fn ends_and_interruptions_are_events() {
        let event = |line| parse(line).map(|parsed| parsed.event);
        assert_eq!(event("7 +++ exited with 3 +++"), Some(Event::Exited(3)));
        assert_eq!(event("7 1.5 +++ killed by SIGKILL +++"), Some(Event::Killed));
        assert_eq!(event("strace: Process 12 attached"), Some(Event::Attached));
        let begun = Event::Begun { name: "read", arguments: "3," };
        assert_eq!(event("7 1.5 read(3,  <unfinished ...>"), Some(begun));
        assert_eq!(event("read(3,strace: Process 12 attached"), Some(begun));
        let resumed = Event::Resumed { name: "read", rest: r#""a", 1) = 1"# };
        assert_eq!(event(r#"7 1.5 <... read resumed>"a", 1) = 1"#), Some(resumed));
    }
}
