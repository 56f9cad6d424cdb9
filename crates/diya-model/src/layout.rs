//! Reads and writes the structures of a segment, field by field, in the byte order of the
//! machine that wrote them. The structures themselves are generated ([`crate::segment`]).

/// Bytes of a segment, read from front to back.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    rest: &'a [u8],
    is_big_endian: bool,
}

impl<'a> Source<'a> {
    /// Starts at the first byte.
    pub fn new(bytes: &'a [u8], is_big_endian: bool) -> Self {
        Self { rest: bytes, is_big_endian }
    }

    #[inline]
    fn word<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (word, rest) = self.rest.split_first_chunk::<N>()?;
        self.rest = rest;
        Some(*word)
    }
}

/// Something with a fixed place in a segment.
pub trait Layout: Copy {
    /// How many it takes.
    const BYTES: usize;
    /// All bytes 0.
    const ZERO: Self;

    /// The next bytes; `None` where they end before.
    fn read(from: &mut Source<'_>) -> Option<Self>;

    /// Appends it in the byte order of this machine.
    fn write(&self, out: &mut Vec<u8>);

    /// The first bytes.
    fn of(bytes: &[u8], is_big_endian: bool) -> Option<Self> {
        Self::read(&mut Source::new(bytes, is_big_endian))
    }

    /// In the byte order of this machine.
    fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(Self::BYTES);
        self.write(&mut out);
        out
    }
}

macro_rules! number {
    ($($type:ty)*) => {$(
        impl Layout for $type {
            const BYTES: usize = size_of::<$type>();
            const ZERO: Self = 0;

            #[inline]
            fn read(from: &mut Source<'_>) -> Option<Self> {
                let word = from.word()?;
                let is_big_endian = from.is_big_endian;
                Some(if is_big_endian { Self::from_be_bytes(word) } else { Self::from_le_bytes(word) })
            }

            #[inline]
            fn write(&self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_ne_bytes());
            }
        }
    )*};
}
number!(u8 u32 i32 u64 i64);

impl<T: Layout, const N: usize> Layout for [T; N] {
    const BYTES: usize = N * T::BYTES;
    const ZERO: Self = [T::ZERO; N];

    fn read(from: &mut Source<'_>) -> Option<Self> {
        let mut all = Self::ZERO;
        for one in &mut all {
            *one = T::read(from)?;
        }
        Some(all)
    }

    fn write(&self, out: &mut Vec<u8>) {
        self.iter().for_each(|one| one.write(out));
    }
}

/// Room for text that ends with a 0 byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Text<const N: usize>(pub [u8; N]);

impl<const N: usize> Text<N> {
    /// As much of the text as fits before so many 0 bytes, and whether some did not.
    pub fn cut(text: &[u8], zeros: usize) -> (Self, bool) {
        let length = text.len().min(N.saturating_sub(zeros));
        let mut room = [0; N];
        for (to, from) in room.iter_mut().zip(&text[..length]) {
            *to = *from;
        }
        (Self(room), length < text.len())
    }

    /// What is before the first 0 byte.
    pub fn before_zero(&self) -> &[u8] {
        self.0.split(|&byte| byte == 0).next().unwrap_or_default()
    }
}

impl<const N: usize> Layout for Text<N> {
    const BYTES: usize = N;
    const ZERO: Self = Self([0; N]);

    fn read(from: &mut Source<'_>) -> Option<Self> {
        from.word().map(Self)
    }

    fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.0);
    }
}

/// A structure whose fields follow each other without padding.
macro_rules! layout {
    (
        $(#[$doc:meta])*
        $name:ident { $($(#[$field_doc:meta])* $field:ident: $type:ty,)* }
    ) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub struct $name { $($(#[$field_doc])* pub $field: $type,)* }

        impl Layout for $name {
            const BYTES: usize = 0 $(+ <$type as Layout>::BYTES)*;
            const ZERO: Self = Self { $($field: <$type as Layout>::ZERO,)* };

            fn read(from: &mut crate::layout::Source<'_>) -> Option<Self> {
                Some(Self { $($field: Layout::read(from)?,)* })
            }

            fn write(&self, out: &mut Vec<u8>) {
                $(self.$field.write(out);)*
            }
        }
    };
}
pub(crate) use layout;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::segment::{ClockPoint, SegmentHeader};

    #[test]
    fn a_structure_is_read_as_it_was_written() {
        let point = ClockPoint { ticks: 1, mono_ns: 2, real_ns: u64::MAX };
        let header = SegmentHeader {
            last: point,
            host: Text::cut(b"node7", 1).0,
            exit_code: -1,
            ..SegmentHeader::ZERO
        };
        let bytes = header.to_bytes();
        assert_eq!(bytes.len(), 8192);
        assert!(bytes[208..].starts_with(b"node7\0"));
        let is_big_endian = cfg!(target_endian = "big");
        assert_eq!(SegmentHeader::of(&bytes, is_big_endian), Some(header));
        assert_eq!(ClockPoint::of(&bytes[SegmentHeader::LAST_AT..], is_big_endian), Some(point));
        assert_eq!(SegmentHeader::of(&bytes[1..], is_big_endian), None);
    }

    #[test]
    fn the_other_byte_order_is_read_too() {
        assert_eq!(u32::of(&[0, 0, 1, 2], true), Some(258));
        assert_eq!(<[u32; 1]>::of(&[2, 1, 0, 0], false), Some([258]));
    }

    #[test]
    fn a_text_that_is_too_long_is_cut_before_its_end() {
        let (text, is_cut) = Text::<4>::cut(b"abcd", 1);
        assert_eq!((text.before_zero(), is_cut), (&b"abc"[..], true));
        assert!(!Text::<4>::cut(b"abc", 1).1);
    }
}
