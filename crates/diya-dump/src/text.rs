//! Output collected in a buffer, written out piece by piece.

use super::numbers;
use std::io::{self, Write};

/// Size at which the buffer is written out: large enough that the cost of a
/// system call vanishes, small enough to stay in the second-level cache.
const FLUSH_BYTES: usize = 128 * 1024;

/// Text on its way to a writer.
///
/// Nothing fails while a line is put together; [`Text::flush_full`] between
/// lines and [`Text::finish`] at the end report what the writer said.
pub(super) struct Text<'w> {
    out: &'w mut dyn Write,
    /// The text that is not written out yet.
    pub bytes: Vec<u8>,
}

impl<'w> Text<'w> {
    pub fn new(out: &'w mut dyn Write) -> Self {
        Self { out, bytes: Vec::with_capacity(FLUSH_BYTES + 4096) }
    }

    pub fn str(&mut self, text: &str) -> &mut Self {
        self.bytes.extend_from_slice(text.as_bytes());
        self
    }

    /// `%ld`
    pub fn i64(&mut self, value: i64) -> &mut Self {
        numbers::push_i64(&mut self.bytes, value);
        self
    }

    /// `%lu`
    pub fn u64(&mut self, value: u64) -> &mut Self {
        numbers::push_u64(&mut self.bytes, value);
        self
    }

    /// `%f`
    pub fn f6(&mut self, value: f64) -> &mut Self {
        numbers::push_fixed::<6>(&mut self.bytes, value);
        self
    }

    /// `%.4f`
    pub fn f4(&mut self, value: f64) -> &mut Self {
        numbers::push_fixed::<4>(&mut self.bytes, value);
        self
    }

    /// Writes the buffer out when it is full.
    pub fn flush_full(&mut self) -> io::Result<()> {
        if self.bytes.len() >= FLUSH_BYTES { self.flush() } else { Ok(()) }
    }

    /// Writes out what is left.
    pub fn finish(mut self) -> io::Result<()> {
        self.flush()
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.write_all(&self.bytes)?;
        self.bytes.clear();
        Ok(())
    }
}
