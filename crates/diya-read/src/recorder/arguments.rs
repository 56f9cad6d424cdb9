//! What the arguments of a call say, whatever the program did before: read once for calls that
//! are alike.

use super::names::Names;
use super::shape::{Shape, element_bytes};
use std::num::NonZero;

/// `O_APPEND` of Linux: writes go to the end, which is not known.
const APPEND: i64 = 0o2000;

/// `SEEK_SET` and `SEEK_CUR`.
const FROM_START: i64 = 0;
const FROM_HERE: i64 = 1;

/// A number that may be unknown, in as much memory as one that is not: traces have millions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Maybe(i64);

impl Maybe {
    /// No size or offset.
    const UNKNOWN: i64 = i64::MIN;

    pub fn get(self) -> Option<i64> {
        (self.0 != Self::UNKNOWN).then_some(self.0)
    }
}

impl From<Option<i64>> for Maybe {
    fn from(number: Option<i64>) -> Self {
        Self(number.unwrap_or(Self::UNKNOWN))
    }
}

/// Where a file is set to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    FromStart(Maybe),
    FromHere(Maybe),
    Unknown,
}

/// Arguments as [`Shape`] finds them; files are numbers of [`Names`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Arguments {
    Open {
        path: u32,
        flags: Maybe,
        appends: bool,
    },
    OpenHandle {
        path: u32,
        handle: u32,
        mode: Maybe,
    },
    Close {
        file: u32,
    },
    /// Moves data, at this offset or where the last call ended.
    Data {
        file: u32,
        size: Maybe,
        offset: Maybe,
        is_here: bool,
    },
    Elements {
        handle: u32,
        size: Maybe,
        offset: Maybe,
    },
    Seek {
        file: u32,
        to: Target,
    },
    /// Displacement of a view, and bytes of an element where offsets count elements.
    View {
        handle: u32,
        from: Maybe,
        element: Option<NonZero<u8>>,
    },
    File(u32),
    Handle(u32),
    Bare,
    /// A function of the program: its name.
    Own(u32),
}

impl Arguments {
    /// Reads the arguments of a call of this shape.
    pub fn of(shape: Shape, args: &[&[u8]], names: &mut Names) -> Self {
        let text = |at: usize| args.get(at).copied().unwrap_or_default();
        let number = |at: usize| number(text(at));
        let mut name = |at: usize| names.number(text(at));
        match shape {
            Shape::Open { path, flags, letters } => {
                let flags = flags.and_then(number);
                let appends = flags.is_some_and(|flags| flags & APPEND != 0)
                    || letters.is_some_and(|at| text(at).contains(&b'a'));
                Self::Open { path: name(path), flags: flags.into(), appends }
            }
            Shape::OpenHandle => {
                let mode = number(2).into();
                Self::OpenHandle { path: name(1), handle: name(4), mode }
            }
            Shape::Close => Self::Close { file: name(0) },
            Shape::Data { file, size, offset } => {
                let size = size.and_then(|(of, items)| {
                    let items = items.map_or(Some(1), number)?;
                    number(of)?.checked_mul(items).filter(|size| *size >= 0)
                });
                let (size, is_here) = (size.into(), offset.is_none());
                Self::Data {
                    file: name(file),
                    size,
                    offset: offset.and_then(number).into(),
                    is_here,
                }
            }
            Shape::Elements { offset, count } => {
                let bytes = element_bytes(text(count + 1)).map(i64::from).zip(number(count));
                let size = bytes.and_then(|(of, count)| of.checked_mul(count)).filter(|n| *n >= 0);
                let offset = offset.and_then(number).into();
                Self::Elements { handle: name(0), size: size.into(), offset }
            }
            Shape::Seek => {
                let to = match number(2) {
                    Some(FROM_START) => Target::FromStart(number(1).into()),
                    Some(FROM_HERE) => Target::FromHere(number(1).into()),
                    _ => Target::Unknown,
                };
                Self::Seek { file: name(0), to }
            }
            Shape::View => {
                // A file type that is its element type has no holes: offsets count its elements.
                let element = element_bytes(text(2)).filter(|_| text(2) == text(3));
                let element = element.and_then(NonZero::new);
                Self::View { handle: name(0), from: number(1).into(), element }
            }
            Shape::File(at) => Self::File(name(at)),
            Shape::Handle => Self::Handle(name(0)),
            Shape::Bare => Self::Bare,
            Shape::Own if args.len() > 1 => Self::Own(name(1)),
            Shape::Own => Self::Bare,
        }
    }
}

/// The whole text as a decimal number.
pub(super) fn number(text: &[u8]) -> Option<i64> {
    /// Digits of which every number fits 64 bits.
    const MAX_DIGITS: usize = 18;
    let (digits, is_negative) = match text.strip_prefix(b"-") {
        Some(digits) => (digits, true),
        None => (text, false),
    };
    if digits.is_empty() || digits.len() > MAX_DIGITS {
        return std::str::from_utf8(text).ok()?.parse().ok();
    }
    let whole = digits.iter().try_fold(0i64, |whole, digit| {
        digit.is_ascii_digit().then(|| whole * 10 + i64::from(digit - b'0'))
    })?;
    Some(if is_negative { -whole } else { whole })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_whole_texts() {
        let digits = "9".repeat(19);
        let texts = ["0", "-1", "4096", "012345678901234567", "-9223372036854775808", &digits];
        for text in texts.into_iter().chain(["", "-", "1a", "%p", "1 "]) {
            assert_eq!(number(text.as_bytes()), text.parse().ok(), "{text}");
        }
    }
}
