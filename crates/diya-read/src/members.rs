//! Traces that are several files: members of one tar file.

/// Where a tar file has its mark: in the head of its first member.
const USTAR_AT: usize = 257;

/// What a tar file ends with at least: two blocks of zeros.
const END_BYTES: usize = 1024;

/// Is this a tar file? Other logs come out of their archives before they are read.
pub(crate) fn is_tar(head: &[u8]) -> bool {
    head.get(USTAR_AT..).is_some_and(|mark| mark.starts_with(b"ustar"))
}

/// Path of the first file of a tar file, as long as it is short.
pub(crate) fn first_path(head: &[u8]) -> &[u8] {
    let name = head.get(..100).unwrap_or_default();
    name.split(|byte| *byte == 0).next().unwrap_or_default()
}

/// A file of the trace.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Member<'a> {
    pub bytes: &'a [u8],
    /// Where its bytes begin in the tar file.
    pub offset: u64,
    /// The tar file ends inside of it.
    pub is_cut: bool,
}

/// The files of a tar file by their paths, and where it makes no sense or ends early
/// (`None`: it is whole).
pub(crate) fn members(tar: &[u8]) -> (Vec<(String, Member<'_>)>, Option<u64>) {
    let mut found: Vec<(String, Member<'_>)> = Vec::new();
    let mut archive = tar::Archive::new(tar);
    let mut end = 0;
    let mut damaged_at = None;
    let Ok(entries) = archive.entries() else { return (found, Some(0)) };
    for entry in entries {
        let Ok(entry) = entry else {
            damaged_at.get_or_insert(end);
            break;
        };
        let (offset, size) = (entry.raw_file_position(), entry.size());
        let from = usize::try_from(offset).unwrap_or(usize::MAX).min(tar.len());
        let wanted = usize::try_from(size).unwrap_or(usize::MAX);
        let rest = tar.get(from..).unwrap_or_default();
        let bytes = rest.get(..wanted).unwrap_or(rest);
        let is_cut = bytes.len() < wanted;
        if is_cut {
            damaged_at.get_or_insert(offset);
        }
        end = offset.saturating_add(size);
        if entry.header().entry_type().is_file() {
            let path = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
            found.push((path, Member { bytes, offset, is_cut }));
        }
    }
    // A tar file ends with blocks of zeros: without them, members can be missing.
    let tail = usize::try_from(end).ok().and_then(|end| tar.get(end..)).unwrap_or_default();
    if tail.len() < END_BYTES {
        damaged_at.get_or_insert(end);
    }
    (found, damaged_at)
}
