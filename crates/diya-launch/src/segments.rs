//! Finds segments: files of their own, or packed per node in a tar.

use std::fs;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// A segment in a file.
#[derive(Debug, Clone)]
pub struct SegmentFile {
    /// Its name.
    pub name: String,
    path: PathBuf,
    offset: u64,
    bytes: u64,
}

impl SegmentFile {
    /// How long it is.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Its first bytes, at most so many.
    pub fn head(&self, most: u64) -> io::Result<Vec<u8>> {
        let mut file = fs::File::open(&self.path)?;
        file.seek(SeekFrom::Start(self.offset))?;
        let mut bytes = Vec::new();
        file.take(most.min(self.bytes)).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// All of it.
    pub fn load(&self) -> io::Result<Vec<u8>> {
        self.head(u64::MAX)
    }
}

/// All segments of a folder, by name.
pub fn find(folder: &Path) -> io::Result<Vec<SegmentFile>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        // Only regular files, no links to other places.
        let Ok(about) = fs::symlink_metadata(&path) else { continue };
        if !about.is_file() {
            continue;
        }
        match path.extension().and_then(|e| e.to_str()) {
            // Set aside by a packer that was killed.
            Some("seg" | "packed") => {
                // A large file of which little was written takes little room.
                let bytes = about.len().min(written_end(&about));
                found.push(SegmentFile { name, path, offset: 0, bytes });
            }
            Some("tar") => unpack(&path, &mut found)?,
            _ => {}
        }
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(found)
}

fn written_end(about: &fs::Metadata) -> u64 {
    if about.blocks() == 0 { 0 } else { about.len() }
}

/// Entries of an uncompressed tar, left where they are.
fn unpack(path: &Path, found: &mut Vec<SegmentFile>) -> io::Result<()> {
    const BLOCK: u64 = 512;
    let mut file = fs::File::open(path)?;
    let len = file.metadata()?.len();
    let mut at = 0;
    while at + BLOCK <= len {
        file.seek(SeekFrom::Start(at))?;
        let mut header = [0u8; 512];
        file.read_exact(&mut header)?;
        if header[0] == 0 {
            break;
        }
        let text = |field: &[u8]| {
            let end = field.iter().position(|&b| b == 0).unwrap_or(field.len());
            String::from_utf8_lossy(&field[..end]).trim().to_string()
        };
        let name = text(&header[..100]);
        let Ok(bytes) = u64::from_str_radix(&text(&header[124..136]), 8) else { break };
        // A node that died while packing leaves a short last entry.
        let there = bytes.min(len - at - BLOCK);
        if name.ends_with(".seg") {
            let path = path.to_path_buf();
            found.push(SegmentFile { name, path, offset: at + BLOCK, bytes: there });
        }
        at += BLOCK + bytes.div_ceil(BLOCK) * BLOCK;
    }
    Ok(())
}
