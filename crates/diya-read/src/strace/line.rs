//! One line of strace: who, when, and what.

use super::leader::{Time, leader, process_id};

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

/// A line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Parsed<'l> {
    pub pid: Option<u64>,
    pub time: Option<Time>,
    /// The time has fractions of a second.
    pub is_fine: bool,
    pub event: Event<'l>,
}

/// Reads a line; `None`: it is none of strace's.
pub(super) fn parse(line: &str) -> Option<Parsed<'_>> {
    if is_detail(line) {
        return Some(Parsed { pid: None, time: None, is_fine: false, event: Event::Note });
    }
    let (who, time, rest) = leader(line);
    let (time, is_fine) = time.map_or((None, false), |(time, is_fine)| (Some(time), is_fine));
    Some(Parsed { pid: who, time, is_fine, event: event(rest)? })
}

/// What strace adds below a call: frames of its stack (`-k`), and bytes it moved (`-e read=`).
fn is_detail(line: &str) -> bool {
    [" > ", " | ", " * "].iter().any(|mark| line.starts_with(mark))
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
        return Some(process_note(rest).unwrap_or(Event::Note));
    }
    if ["--- ", "<unfinished ...>", "<detached ...>", "[ Process PID="]
        .iter()
        .any(|start| text.starts_with(start))
    {
        return Some(Event::Note);
    }
    if let Some(note) = process_note(text) {
        return Some(note);
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

/// `Process 7 attached`, and what else strace says of a process; before 4.21 without its name.
fn process_note(text: &str) -> Option<Event<'_>> {
    let (_, after) = process_id(text.strip_prefix("Process ")?)?;
    let said = ["attached", "detached", "suspended", "resumed"];
    let word = after.trim_start().split(' ').next().filter(|word| said.contains(word))?;
    Some(if word == "attached" { Event::Attached } else { Event::Note })
}

/// The process that a note at the end of a line says strace follows now.
pub(super) fn attached(line: &str) -> Option<u64> {
    let (_, note) = line.strip_suffix(" attached")?.rsplit_once("Process ")?;
    process_id(note).map(|(pid, _)| pid)
}

/// What stands before the mark of an interrupted call. On a terminal the mark can be
/// on a line of its own, after a note of strace.
fn unfinished(text: &str) -> Option<&str> {
    for mark in ["<unfinished ...>", "<detached ...>"] {
        if let Some(before) = text.strip_suffix(mark) {
            return Some(before.trim_end());
        }
    }
    // Few lines end so; searching all of them for the note would take a tenth of the time.
    let noted = text.strip_suffix(" attached")?;
    let (before, _) = noted.rsplit_once("Process ")?;
    Some(before.strip_suffix("strace: ").unwrap_or(before))
}

/// strace writes `????` where it cannot tell which call it is.
fn is_name(name: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    !name.is_empty() && (name.bytes().all(is_letter) || name == "????")
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
        for note in ["strace: Process 12 attached", "strace: Process 12<a b> attached"] {
            assert_eq!(event(note), Some(Event::Attached));
        }
        let begun = Event::Begun { name: "read", arguments: "3," };
        assert_eq!(event("7 1.5 read(3,  <unfinished ...>"), Some(begun));
        assert_eq!(event("read(3,strace: Process 12 attached"), Some(begun));
        assert_eq!(event("7 1.5 read(3, <detached ...>"), Some(begun));
        assert!(event("7 1.5 ????( <unfinished ...>").is_some());
        let resumed = Event::Resumed { name: "read", rest: r#""a", 1) = 1"# };
        assert_eq!(event(r#"7 1.5 <... read resumed>"a", 1) = 1"#), Some(resumed));
    }

    #[test]
    fn lines_below_a_call_and_notes_of_older_versions_are_no_damage() {
        let event = |line| parse(line).map(|parsed| parsed.event);
        for note in [
            " > /usr/lib/libc.so.6(write+0x14) [0x108bd4]",
            " > unexpected_backtracing_error [0x7f]",
            " | 00000  7f 45 4c 46 02 01 01 03  00 00 00 00 00 00 00 00  .ELF............ |",
            " * 4 bytes in buffer 0",
            "Process 7 detached",
            "Process 7 suspended",
            "[ Process PID=7 runs in 32 bit mode. ]",
        ] {
            assert_eq!(event(note), Some(Event::Note), "{note}");
        }
        assert_eq!(event("Process 7 attached (waiting for parent)"), Some(Event::Attached));
        assert_eq!(attached("7 read(3,strace: Process 12<a b> attached"), Some(12));
        assert_eq!(event("Processing 7 files"), None);
    }
}
