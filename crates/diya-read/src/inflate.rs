//! Concatenated compressed streams, inflated step by step.
//!
//! A Darshan region is a row of complete zlib (or bzip2) streams, one per rank
//! that had something to write. One decompressor serves them all: making one
//! costs as much as inflating a small log.

/// How a region is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compression {
    /// zlib streams.
    Zlib,
    /// bzip2 streams.
    Bzip2,
    /// The bytes themselves.
    Stored,
}

impl Compression {
    /// Name, as in table `job`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Zlib => "zlib",
            Self::Bzip2 => "bzip2",
            Self::Stored => "none",
        }
    }
}

/// What a step brought.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// So many bytes in the output.
    Bytes(usize),
    /// So many bytes in the output, and the stream is complete and its checksum right.
    StreamEnd(usize),
    /// So many bytes in the output, and the input ended inside a stream.
    InputEnd(usize),
    /// The input is no valid stream here; the output holds so many bytes that
    /// came before the fault.
    Failed(usize),
}

/// Decompressors, kept for reuse.
#[derive(Default)]
pub(crate) struct Codecs {
    zlib: Option<flate2::Decompress>,
    /// bzip2's decompressor cannot be reset, so it is made anew per stream.
    bzip2: Option<bzip2::Decompress>,
}

/// A row of streams and the place reached in it.
pub(crate) struct Streams<'a> {
    codecs: &'a mut Codecs,
    compression: Compression,
    input: &'a [u8],
    at: usize,
}

impl<'a> Streams<'a> {
    /// Starts at the beginning of a stream.
    pub fn new(
        codecs: &'a mut Codecs,
        compression: Compression,
        input: &'a [u8],
        at: usize,
    ) -> Self {
        let mut streams = Self { codecs, compression, input, at };
        streams.restart(at);
        streams
    }

    /// Input bytes used so far.
    pub fn at(&self) -> usize {
        self.at
    }

    /// Is all input used?
    pub fn is_done(&self) -> bool {
        self.at >= self.input.len()
    }

    /// Goes on at another place, where a stream starts.
    pub fn restart(&mut self, at: usize) {
        self.at = at;
        match (&mut self.codecs.zlib, self.compression) {
            (Some(zlib), Compression::Zlib) => zlib.reset(true),
            (zlib @ None, Compression::Zlib) => *zlib = Some(flate2::Decompress::new(true)),
            (_, Compression::Bzip2) => self.codecs.bzip2 = Some(bzip2::Decompress::new(false)),
            (_, Compression::Stored) => {}
        }
    }

    /// Inflates into the output until it is full or the stream ends.
    pub fn step(&mut self, output: &mut [u8]) -> Step {
        let input = self.input.get(self.at..).unwrap_or_default();
        match self.compression {
            Compression::Stored => {
                let n = input.len().min(output.len());
                if let (Some(to), Some(from)) = (output.get_mut(..n), input.get(..n)) {
                    to.copy_from_slice(from);
                }
                self.at += n;
                if self.is_done() { Step::StreamEnd(n) } else { Step::Bytes(n) }
            }
            Compression::Zlib => self.step_zlib(output),
            Compression::Bzip2 => self.step_bzip2(output),
        }
    }

    fn step_zlib(&mut self, output: &mut [u8]) -> Step {
        let Some(zlib) = &mut self.codecs.zlib else { return Step::Failed(0) };
        let mut written = 0;
        loop {
            let input = self.input.get(self.at..).unwrap_or_default();
            let (in_before, out_before) = (zlib.total_in(), zlib.total_out());
            let room = output.get_mut(written..).unwrap_or_default();
            let status = zlib.decompress(input, room, flate2::FlushDecompress::None);
            let used = usize::try_from(zlib.total_in() - in_before).unwrap_or(usize::MAX);
            let made = usize::try_from(zlib.total_out() - out_before).unwrap_or(0);
            self.at = self.at.saturating_add(used);
            written += made;
            match status {
                Err(_) => return Step::Failed(written),
                Ok(flate2::Status::StreamEnd) => {
                    zlib.reset(true);
                    return Step::StreamEnd(written);
                }
                Ok(_) if written == output.len() => return Step::Bytes(written),
                Ok(_) if used == 0 && made == 0 => return Step::InputEnd(written),
                Ok(_) => {}
            }
        }
    }

    fn step_bzip2(&mut self, output: &mut [u8]) -> Step {
        let mut written = 0;
        loop {
            let Some(bzip2) = &mut self.codecs.bzip2 else { return Step::Failed(written) };
            let input = self.input.get(self.at..).unwrap_or_default();
            let (in_before, out_before) = (bzip2.total_in(), bzip2.total_out());
            let room = output.get_mut(written..).unwrap_or_default();
            let status = bzip2.decompress(input, room);
            let used = usize::try_from(bzip2.total_in() - in_before).unwrap_or(usize::MAX);
            let made = usize::try_from(bzip2.total_out() - out_before).unwrap_or(0);
            self.at = self.at.saturating_add(used);
            written += made;
            match status {
                Err(_) => return Step::Failed(written),
                Ok(bzip2::Status::StreamEnd) => {
                    self.codecs.bzip2 = Some(bzip2::Decompress::new(false));
                    return Step::StreamEnd(written);
                }
                Ok(_) if written == output.len() => return Step::Bytes(written),
                Ok(_) if used == 0 && made == 0 => return Step::InputEnd(written),
                Ok(_) => {}
            }
        }
    }
}
