//! The arguments of a call as strace prints them.

use std::borrow::Cow;

/// More arguments than any system call has.
const MAX_ARGUMENTS: usize = 8;

/// Splits at the commas that are in no text, bracket or path of a descriptor, and leaves out
/// the names that newer versions put before arguments.
pub(super) fn split(text: &str) -> Vec<&str> {
    let mut parts = Vec::with_capacity(MAX_ARGUMENTS);
    let (mut depth, mut start, mut in_text) = (0usize, 0, false);
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' if in_text => at += 1,
            b'"' => in_text = !in_text,
            _ if in_text => {}
            b'<' if is_descriptor_end(bytes.get(..at).unwrap_or_default()) => {
                at += angle_end(text.get(at..).unwrap_or_default()).unwrap_or(1) - 1;
            }
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            b',' if depth == 0 && parts.len() + 1 < MAX_ARGUMENTS => {
                parts.push(plain(text.get(start..at).unwrap_or_default().trim()));
                start = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    let last = text.get(start..).unwrap_or_default().trim();
    if !last.is_empty() || !parts.is_empty() {
        parts.push(plain(last));
    }
    parts
}

/// An argument without its name (`fd=3`), and by its own name where the number stands before it
/// (`-X verbose`: `0x80000 /* O_RDONLY|O_CLOEXEC */`).
fn plain(argument: &str) -> &str {
    let is_letter = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || *byte == b'_';
    let name = argument.bytes().take_while(is_letter).count();
    let begins = argument.starts_with(|first: char| first.is_ascii_lowercase() || first == '_');
    let value = argument.get(name..).and_then(|rest| rest.strip_prefix('=')).filter(|_| begins);
    let value = value.unwrap_or(argument);
    let comment = value.strip_suffix(" */").and_then(|before| before.split_once(" /* "));
    match comment {
        Some((number, name)) if integer(number).is_some() => name,
        _ => value,
    }
}

/// A path follows a number, `AT_FDCWD`, or `-100 /* AT_FDCWD */`.
fn is_descriptor_end(before: &[u8]) -> bool {
    before.last().is_some_and(|byte| byte.is_ascii_digit() || *byte == b'D')
        || before.ends_with(b"*/")
}

/// Where the `>` stands that closes the `<` at the start, plus one. strace writes both as octal
/// numbers in paths and names; details of a device have their own pair
/// (`</dev/pts/0<char 136:0>>`), and addresses of a connection an arrow (`<TCP:[a->b]>`).
pub(super) fn angle_end(text: &str) -> Option<usize> {
    let is_path = text.starts_with("</") || text.starts_with(r"<\x2f");
    let (mut depth, mut before) = (0usize, 0);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'<' => depth += 1,
            b'>' if before == b'-' && !is_path => {}
            b'>' if depth <= 1 => return Some(at + 1),
            b'>' => depth -= 1,
            _ => {}
        }
        before = byte;
    }
    None
}

/// A descriptor and, with `-y`, what it stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Descriptor<'t> {
    /// `None`: `AT_FDCWD`.
    pub number: Option<i32>,
    pub path: Option<Cow<'t, str>>,
}

/// The kernel's number of the working directory, `AT_FDCWD`.
const AT_FDCWD: i64 = -100;

/// Reads `3`, `3</tmp/a>`, `3</tmp/a>(deleted)`, `AT_FDCWD</tmp>`, and numbers as `-X` and
/// `-e raw=` print them.
pub(super) fn descriptor(text: &str) -> Option<Descriptor<'_>> {
    let (number, path) = match text.find('<') {
        Some(open) => {
            let (number, angles) = text.split_at(open);
            let end = angle_end(angles).map_or(angles.len(), |end| end - 1);
            let inside = angles.get(1..end)?;
            // With -yy details of a device follow: `1</dev/pts/0<char 136:0>>`.
            (number, Some(unescape(inside.split('<').next().unwrap_or_default())))
        }
        None => (text, None),
    };
    let number = number.split(" /* ").next().unwrap_or_default();
    if number == "AT_FDCWD" {
        return Some(Descriptor { number: None, path });
    }
    // A raw number has the 32 bits of an int.
    let number = integer(number)?;
    let number = i32::try_from(number).ok().or_else(|| {
        let bits = u32::try_from(number).ok().filter(|_| text.starts_with("0x"));
        bits.map(u32::cast_signed)
    })?;
    let number = (i64::from(number) != AT_FDCWD).then_some(number);
    Some(Descriptor { number, path })
}

/// Reads `"a\n"` or `"a"...`; `None` for what is no text.
pub(super) fn text(argument: &str) -> Option<Cow<'_, str>> {
    let inside = argument.strip_prefix('"')?;
    let end = inside.rfind('"')?;
    Some(unescape(inside.get(..end)?))
}

/// Takes out what strace does to bytes that are no plain characters.
fn unescape(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') {
        return Cow::Borrowed(text);
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, mut tail)) = rest.split_first() {
        if first != b'\\' {
            bytes.push(first);
            rest = tail;
            continue;
        }
        let Some((&kind, after)) = tail.split_first() else { break };
        tail = after;
        match kind {
            b'n' => bytes.push(b'\n'),
            b't' => bytes.push(b'\t'),
            b'r' => bytes.push(b'\r'),
            b'v' => bytes.push(0x0b),
            b'f' => bytes.push(0x0c),
            b'x' => tail = number(&mut bytes, tail, 16, 2),
            b'0'..=b'7' => tail = number(&mut bytes, rest.get(1..).unwrap_or_default(), 8, 3),
            other => bytes.push(other),
        }
        rest = tail;
    }
    Cow::Owned(String::from_utf8_lossy(&bytes).into_owned())
}

/// Appends the byte that up to `most` digits stand for; returns what follows them.
fn number<'t>(bytes: &mut Vec<u8>, text: &'t [u8], radix: u32, most: usize) -> &'t [u8] {
    let digits = text.iter().take(most).take_while(|byte| (**byte as char).is_digit(radix));
    let digits = digits.count();
    let (digits, rest) = text.split_at(digits.min(text.len()));
    let value = digits.iter().filter_map(|byte| (*byte as char).to_digit(radix));
    let value = value.fold(0, |all: u32, digit| all.wrapping_mul(radix).wrapping_add(digit));
    bytes.push(value.to_le_bytes()[0]);
    rest
}

/// A number, decimal or hexadecimal.
pub(super) fn integer(text: &str) -> Option<i64> {
    match text.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16).ok().map(u64::cast_signed),
        None => text.parse().ok(),
    }
}

/// Bytes of all buffers of `[{iov_base="a", iov_len=10}, ...]`; `None` when strace
/// left some of them out.
pub(super) fn vector_bytes(text: &str) -> Option<i64> {
    if !text.starts_with('[') || text.ends_with("...]") {
        return None;
    }
    let lengths = text.split("iov_len=").skip(1);
    let mut all = 0i64;
    for length in lengths {
        let digits = length.bytes().take_while(u8::is_ascii_digit).count();
        all = all.checked_add(length.get(..digits)?.parse().ok()?)?;
    }
    Some(all)
}

/// Numbers of the flags of `open` on Linux, x86-64: what column `aux` holds.
const OPEN_FLAGS: [(&str, i64); 17] = [
    ("O_RDONLY", 0),
    ("O_WRONLY", 0o1),
    ("O_RDWR", 0o2),
    ("O_CREAT", 0o100),
    ("O_EXCL", 0o200),
    ("O_NOCTTY", 0o400),
    ("O_TRUNC", 0o1000),
    ("O_APPEND", 0o2000),
    ("O_NONBLOCK", 0o4000),
    ("O_DSYNC", 0o10000),
    ("O_DIRECT", 0o40000),
    ("O_LARGEFILE", 0o100_000),
    ("O_DIRECTORY", 0o200_000),
    ("O_NOFOLLOW", 0o400_000),
    ("O_NOATIME", 0o1_000_000),
    ("O_CLOEXEC", 0o2_000_000),
    ("O_SYNC", 0o4_010_000),
];

/// Number of `O_RDWR|O_CREAT`, or of `{flags=O_RDWR, ...}` of `openat2`.
pub(super) fn open_flags(text: &str) -> Option<i64> {
    let text = text
        .strip_prefix("{flags=")
        .map_or(text, |rest| rest.split([',', '}']).next().unwrap_or_default());
    text.split('|').try_fold(0, |all, name| {
        let known = OPEN_FLAGS.iter().find(|(flag, _)| *flag == name).map(|(_, bits)| *bits);
        let rare = || name.starts_with("O_").then_some(0);
        Some(all | known.or_else(|| integer(name)).or_else(rare)?)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_in_texts_paths_and_structures_split_nothing() {
        let text = r#"3</tmp/a,b>, "x, \"y", [{iov_base="a", iov_len=1}], 7"#;
        let parts = [r"3</tmp/a,b>", r#""x, \"y""#, r#"[{iov_base="a", iov_len=1}]"#, "7"];
        assert_eq!(split(text), parts);
        assert_eq!(split(""), Vec::<&str>::new());
        assert_eq!(split(r#""unfinished"#), [r#""unfinished"#]);
        assert_eq!(split(r#"3</a>, "1<2, 3", 5"#), ["3</a>", r#""1<2, 3""#, "5"]);
        let socket = r#"11<UNIX-STREAM:[37->36,"/run/s"]>"#;
        assert_eq!(split(&format!("{socket}, \"x\", 9")), [socket, r#""x""#, "9"]);
        let here = "-100 /* AT_FDCWD */</tmp/a,b>";
        assert_eq!(split(&format!("{here}, \"x\"")), [here, r#""x""#]);
    }

    #[test]
    fn names_before_arguments_and_numbers_before_names_are_left_out() {
        let named = r#"dirfd=AT_FDCWD</d>, pathname="a=b", flags=O_RDONLY, iov=[{iov_len=1}]"#;
        assert_eq!(split(named), ["AT_FDCWD</d>", r#""a=b""#, "O_RDONLY", "[{iov_len=1}]"]);
        let verbose = "3, 0x80000 /* O_RDONLY|O_CLOEXEC */, 0x7f /* 35 vars */, 0 /* SEEK_SET */";
        assert_eq!(split(verbose), ["3", "O_RDONLY|O_CLOEXEC", "35 vars", "SEEK_SET"]);
        assert_eq!(split("O_RDWR, =, a, 3</x=y>"), ["O_RDWR", "=", "a", "3</x=y>"]);
    }

    #[test]
    fn a_descriptor_has_a_path_with_y() {
        let read = |text| descriptor(text).map(|d| (d.number, d.path.map(Cow::into_owned)));
        assert_eq!(read("3"), Some((Some(3), None)));
        assert_eq!(read("3</tmp/a>(deleted)"), Some((Some(3), Some("/tmp/a".into()))));
        assert_eq!(read("AT_FDCWD</tmp>"), Some((None, Some("/tmp".into()))));
        assert_eq!(read("1</dev/pts/0<char 136:0>>"), Some((Some(1), Some("/dev/pts/0".into()))));
        assert_eq!(read(r"3</tmp/1\0742>"), Some((Some(3), Some("/tmp/1<2".into()))));
        assert_eq!(read("6<TCP:[a:1->b:2]>"), Some((Some(6), Some("TCP:[a:1->b:2]".into()))));
        assert_eq!(read(r"3<\x2f\x61\x2d>"), Some((Some(3), Some("/a-".into()))));
        assert_eq!(read("-100 /* AT_FDCWD */</d>"), Some((None, Some("/d".into()))));
        assert_eq!((read("-100"), read("0xffffff9c")), (Some((None, None)), Some((None, None))));
        assert_eq!(
            (read("0x3"), read("8<sh>")),
            (Some((Some(3), None)), Some((Some(8), Some("sh".into()))))
        );
        assert_eq!(read("NULL"), None);
    }

    #[test]
    fn texts_numbers_and_flags_are_read_as_c_writes_them() {
        assert_eq!(text(r#""a\tb\303\244\x41"..."#).as_deref(), Some("a\tbäA"));
        assert_eq!(
            (integer("0x26000"), integer("-1"), integer("x")),
            (Some(0x26000), Some(-1), None)
        );
        let two = r#"[{iov_base="\0", iov_len=10}, {iov_base="", iov_len=20}]"#;
        assert_eq!((vector_bytes(two), vector_bytes("[{iov_len=1}, ...]")), (Some(30), None));
        assert_eq!(open_flags("O_RDWR|O_CREAT|O_TRUNC"), Some(0o1102));
        assert_eq!(open_flags("{flags=O_WRONLY|O_CLOEXEC, mode=0644}"), Some(0o2_000_001));
        assert_eq!(open_flags("0644"), Some(644));
    }
}
