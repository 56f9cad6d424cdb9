//! The header: where everything is.
//!
//! Source: darshan-log-format.h of 3.4.1 (`struct darshan_header`).

use super::Compression;

/// Bytes of the header.
pub(super) const HEADER_BYTES: usize = 1328;

/// Module numbers in use: 0 (NULL) to 17 (DAOS).
pub(super) const MODULES: usize = 18;

/// Room for modules.
const SLOTS: usize = 64;

/// "d57" in memory; readers find the byte order with it.
const MAGIC: u64 = 6_567_223;

/// Offset and length of a region.
type Region = (u64, u64);

pub(super) struct Header {
    compression: Compression,
    partial: u64,
    pub names: Region,
    modules: [Region; SLOTS],
    versions: [u32; SLOTS],
}

impl Header {
    pub fn new(compression: Compression) -> Self {
        Self {
            compression,
            partial: 0,
            names: (0, 0),
            modules: [(0, 0); SLOTS],
            versions: [0; SLOTS],
        }
    }

    pub fn module(&mut self, slot: usize, version: u32, region: Region) {
        self.modules[slot] = region;
        self.versions[slot] = version;
    }

    /// Marks a module that is in the log as incomplete.
    pub fn partial(&mut self, slot: usize) {
        if self.modules.get(slot).is_some_and(|(_, len)| *len > 0) {
            self.partial |= 1 << slot;
        }
    }

    pub fn bytes(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(HEADER_BYTES);
        out.extend(b"3.41\0\0\0\0");
        out.extend(MAGIC.to_le_bytes());
        let compression: u8 = match self.compression {
            Compression::Zlib => 0,
            Compression::Bzip2 => 1,
            Compression::Stored => 2,
        };
        // The compression is one byte; the flags after it are aligned to eight.
        out.extend(u64::from(compression).to_le_bytes());
        out.extend(self.partial.to_le_bytes());
        for (offset, len) in std::iter::once(&self.names).chain(&self.modules) {
            out.extend(offset.to_le_bytes());
            out.extend(len.to_le_bytes());
        }
        for version in self.versions {
            out.extend(version.to_le_bytes());
        }
        out
    }
}
