//! A C stream: requests pass a buffer of 4 KiB, as in the C library.
//!
//! Positions are those of the log: a seek writes what is unwritten, and what was read is of use
//! as long as the next read lies in it.

use rustix::io::{Errno, pread, pwrite};
use std::os::fd::OwnedFd;

/// Bytes of the buffer: the block size of files, which the C library takes.
const SIZE: usize = 4096;

/// An open stream.
pub(crate) struct Stream {
    file: OwnedFd,
    /// Bytes to be written, from `start` on.
    unwritten: Vec<u8>,
    /// Bytes that were read, from `start` on.
    read: usize,
    start: u64,
    block: Box<[u8; SIZE]>,
}

impl Stream {
    pub fn new(file: OwnedFd) -> Self {
        let block = Box::new([0; SIZE]);
        Self { file, unwritten: Vec::with_capacity(SIZE), read: 0, start: 0, block }
    }

    pub fn file(&self) -> &OwnedFd {
        &self.file
    }

    /// Writes through the buffer.
    pub fn write(&mut self, offset: u64, bytes: &[u8]) -> Result<u64, Errno> {
        self.read = 0;
        let end = self.start + self.unwritten.len() as u64;
        if offset != end && !self.unwritten.is_empty() {
            self.flush()?;
        }
        if self.unwritten.is_empty() {
            self.start = offset;
        }
        let room = SIZE - self.unwritten.len();
        let (first, rest) = bytes.split_at(bytes.len().min(room));
        self.unwritten.extend_from_slice(first);
        if self.unwritten.len() == SIZE {
            self.flush()?;
            // Whole blocks pass the buffer by.
            let (whole, tail) = rest.split_at(rest.len() - rest.len() % SIZE);
            self.start += put(&self.file, whole, self.start)?;
            self.unwritten.extend_from_slice(tail);
        }
        Ok(bytes.len() as u64)
    }

    /// Reads through the buffer.
    pub fn read(&mut self, mut offset: u64, target: &mut [u8]) -> Result<u64, Errno> {
        self.flush()?;
        let mut done = 0;
        while done < target.len() {
            let rest = target.get_mut(done..).unwrap_or(&mut []);
            let inside = offset.checked_sub(self.start).and_then(|at| usize::try_from(at).ok());
            let known = inside.and_then(|at| self.block.get(at..self.read)).unwrap_or(&[]);
            let bytes = known.len().min(rest.len());
            if let (Some(rest), Some(known)) = (rest.get_mut(..bytes), known.get(..bytes)) {
                rest.copy_from_slice(known);
            }
            let bytes = match bytes {
                0 if rest.len() >= SIZE => {
                    let whole = rest.len() - rest.len() % SIZE;
                    pread(&self.file, rest.get_mut(..whole).unwrap_or(&mut []), offset)?
                }
                0 => {
                    self.start = offset;
                    self.read = pread(&self.file, self.block.as_mut_slice(), offset)?;
                    match self.read {
                        0 => break,
                        _ => continue,
                    }
                }
                bytes => bytes,
            };
            if bytes == 0 {
                break;
            }
            done += bytes;
            offset += bytes as u64;
        }
        Ok(done as u64)
    }

    /// Writes what the buffer holds.
    pub fn flush(&mut self) -> Result<(), Errno> {
        if !self.unwritten.is_empty() {
            self.start += put(&self.file, &self.unwritten, self.start)?;
            self.unwritten.clear();
        }
        Ok(())
    }
}

/// Writes all of it.
fn put(file: &OwnedFd, bytes: &[u8], offset: u64) -> Result<u64, Errno> {
    let mut done = 0;
    while let Some(rest) = bytes.get(done..).filter(|rest| !rest.is_empty()) {
        match pwrite(file, rest, offset + done as u64)? {
            0 => return Err(Errno::NOSPC),
            bytes => done += bytes,
        }
    }
    Ok(done as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_chunks_arrive_in_blocks() {
        let file = tempfile::tempfile().unwrap();
        let mut stream = Stream::new(file.try_clone().unwrap().into());
        let text: Vec<u8> = (0..=255).cycle().take(10_000).collect();
        for (at, chunk) in text.chunks(700).enumerate() {
            assert_eq!(stream.write(at as u64 * 700, chunk), Ok(chunk.len() as u64));
        }
        assert_eq!(file.metadata().unwrap().len(), 8_192);
        stream.flush().unwrap();
        let mut read = vec![0; 12_000];
        assert_eq!(stream.read(0, &mut read[..300]), Ok(300));
        assert_eq!(stream.read(300, &mut read[300..]), Ok(9_700));
        assert_eq!(read[..10_000], text);
    }
}
