//! Numbers of a segment: the byte order of the machine that wrote it, and
//! varints. `None` past the end or where a varint is longer than 64 bits.

use diya_model::{Layout, Text};

/// A place in some bytes, read from front to back.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bytes<'a> {
    all: &'a [u8],
    at: usize,
    is_big_endian: bool,
}

impl<'a> Bytes<'a> {
    pub fn new(all: &'a [u8], is_big_endian: bool) -> Self {
        Self { all, at: 0, is_big_endian }
    }

    /// The same bytes, from another place.
    pub fn from(self, at: usize) -> Self {
        Self { at, ..self }
    }

    /// Bytes read so far.
    pub fn position(&self) -> usize {
        self.at
    }

    #[inline]
    pub fn u8(&mut self) -> Option<u8> {
        let byte = *self.all.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    pub fn take(&mut self, n: usize) -> Option<&'a [u8]> {
        let end = self.at.checked_add(n)?;
        let part = self.all.get(self.at..end)?;
        self.at = end;
        Some(part)
    }

    /// A number or structure of `schema/segment.toml`.
    pub fn fixed<T: Layout>(&mut self) -> Option<T> {
        let value = T::of(self.all.get(self.at..)?, self.is_big_endian)?;
        self.at += T::BYTES;
        Some(value)
    }

    pub fn u64(&mut self) -> Option<u64> {
        self.fixed()
    }

    /// A number of variable length.
    #[inline]
    pub fn varint(&mut self) -> Option<u64> {
        let (value, rest) = diya_model::varint(self.all.get(self.at..)?).ok()?;
        self.at = self.all.len() - rest.len();
        Some(value)
    }

    /// A signed one.
    #[inline]
    pub fn zigzag(&mut self) -> Option<i64> {
        self.varint().map(diya_model::unzigzag)
    }

    /// A varint that must fit 32 bits.
    pub fn varint_u32(&mut self) -> Option<u32> {
        self.varint().and_then(|v| u32::try_from(v).ok())
    }

    /// Text up to a zero byte, which is consumed; to the end if there is none.
    pub fn text(&mut self) -> &'a [u8] {
        let rest = self.all.get(self.at..).unwrap_or_default();
        let len = rest.iter().position(|&b| b == 0).unwrap_or(rest.len());
        self.at += (len + 1).min(rest.len());
        rest.get(..len).unwrap_or_default()
    }
}

/// What a field says.
pub(super) fn text<const N: usize>(field: &Text<N>) -> String {
    String::from_utf8_lossy(field.before_zero()).into_owned()
}

#[cfg(test)]
mod tests {
    use super::Bytes;

    #[test]
    fn varints_of_every_length() {
        for (bytes, value) in [
            (&[0x00][..], Some(0)),
            (&[0x7f], Some(127)),
            (&[0x80, 0x01], Some(128)),
            (&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01], Some(u64::MAX)),
            (&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02], None),
            (&[0x80], None),
        ] {
            assert_eq!(Bytes::new(bytes, false).varint(), value, "{bytes:x?}");
        }
    }

    #[test]
    fn signed_numbers_are_zigzag_coded() {
        let coded = [0x00, 0x01, 0x02, 0x03];
        let mut bytes = Bytes::new(&coded, false);
        let values: Vec<_> = std::iter::from_fn(|| bytes.zigzag()).collect();
        assert_eq!(values, [0, -1, 1, -2]);
    }
}
