//! Compresses regions.

use std::io::{self, Write};

/// How the regions of a log are compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Compression {
    /// zlib, as Darshan itself does.
    #[default]
    Zlib,
    /// bzip2, as `darshan-convert --bzip2` does: smaller, slower.
    Bzip2,
    /// Not at all. darshan-util reads such regions wrongly above 1 MiB.
    Stored,
}

/// Appends one compressed stream to some bytes.
pub(super) enum Packer {
    Zlib(flate2::write::ZlibEncoder<Vec<u8>>),
    Bzip2(bzip2::write::BzEncoder<Vec<u8>>),
    Stored(Vec<u8>),
}

impl Packer {
    pub fn new(compression: Compression, out: Vec<u8>) -> Self {
        match compression {
            Compression::Zlib => {
                let level = flate2::Compression::default();
                Self::Zlib(flate2::write::ZlibEncoder::new(out, level))
            }
            Compression::Bzip2 => {
                Self::Bzip2(bzip2::write::BzEncoder::new(out, bzip2::Compression::best()))
            }
            Compression::Stored => Self::Stored(out),
        }
    }

    /// Ends the stream; gives all bytes.
    pub fn finish(self) -> io::Result<Vec<u8>> {
        match self {
            Self::Zlib(encoder) => encoder.finish(),
            Self::Bzip2(encoder) => encoder.finish(),
            Self::Stored(out) => Ok(out),
        }
    }
}

impl Write for Packer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Zlib(encoder) => encoder.write(bytes),
            Self::Bzip2(encoder) => encoder.write(bytes),
            Self::Stored(out) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
