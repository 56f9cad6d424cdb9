//! The bytes of a log, and the hash of exactly these bytes.

use crate::item::{Item, ItemSource};
use crate::names::{Names, finish};
use crate::walk::mtime_ns;
use diya::input::Input;
use std::hash::Hasher as _;
use std::io::Read as _;
use std::path::Path;

/// Logs up to this size are read into memory, so that what is hashed is what is read.
const IN_MEMORY_BYTES: u64 = 64 << 20;

/// A log and the hash of its content.
pub fn open(item: &Item, names: &Names) -> std::io::Result<(Input, u128)> {
    let hash = |bytes: &[u8]| names.hash128("log", bytes);
    let path = match &item.source {
        ItemSource::Member(input) => {
            let content = input.bytes().map_or(0, hash);
            return Ok((input.clone(), content));
        }
        ItemSource::File(path) => path,
    };
    if item.size_bytes <= IN_MEMORY_BYTES {
        let bytes = std::fs::read(path)?;
        unchanged(path, item, bytes.len() as u64)?;
        let content = hash(&bytes);
        return Ok((Input::from_bytes(item.path.clone(), bytes), content));
    }
    let mut file = std::fs::File::open(path)?;
    let (mut hasher, mut chunk) = (names.hasher("log"), vec![0; 1 << 20]);
    let mut size = 0;
    loop {
        let read = file.read(&mut chunk)?;
        if read == 0 {
            break;
        }
        size += read as u64;
        hasher.write(&chunk[..read]);
    }
    unchanged(path, item, size)?;
    Ok((Input::from_file(item.path.clone(), path.clone()), finish(&hasher)))
}

/// A log that changes while it is read is left out: its hash would be of no file. The next
/// run reads it whole.
fn unchanged(path: &Path, item: &Item, read_bytes: u64) -> std::io::Result<()> {
    let about = std::fs::metadata(path)?;
    let is_same = read_bytes == item.size_bytes && about.len() == item.size_bytes;
    if is_same && mtime_ns(&about) == item.mtime {
        return Ok(());
    }
    Err(std::io::Error::other("it changed while it was read; the next run reads it"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Anonymity;

    fn item(path: &Path) -> Item {
        let about = std::fs::metadata(path).expect("a file");
        Item {
            path: path.display().to_string(),
            size_bytes: about.len(),
            mtime: mtime_ns(&about),
            source: ItemSource::File(path.to_path_buf()),
            archive: None,
        }
    }

    #[test]
    fn a_log_that_changed_since_it_was_found_is_left_to_the_next_run() {
        let folder = tempfile::tempdir().expect("a folder");
        let names = Names::new(&Anonymity::default());
        for size in [10, IN_MEMORY_BYTES + 1] {
            let path = folder.path().join(size.to_string());
            let file = std::fs::File::create(&path).expect("a file");
            file.set_len(size).expect("its size");
            let found = item(&path);
            assert!(open(&found, &names).is_ok());
            // Longer, or as long with other bytes.
            file.set_len(size + 1).expect("its size");
            let reason = open(&found, &names).map(|_| ()).expect_err("it changed").to_string();
            assert!(reason.contains("the next run reads it"), "{reason}");
            file.set_len(size).expect("its size");
            let later = std::time::SystemTime::now() + std::time::Duration::from_secs(5);
            file.set_modified(later).expect("its time");
            assert!(open(&found, &names).is_err());
        }
    }
}
