//! Which file system a folder lies on.

use std::path::Path;

/// Mount point and type of the file system that holds `folder`; `None` where
/// the kernel does not tell.
pub(super) fn of(folder: &Path) -> Option<(String, String)> {
    let folder = folder.canonicalize().ok()?;
    find(&std::fs::read_to_string("/proc/self/mountinfo").ok()?, &folder)
}

/// Fields are those of proc(5): the fifth is the mount point, the type stands
/// behind the lone dash. The last of several mounts on one point is on top.
fn find(mounts: &str, folder: &Path) -> Option<(String, String)> {
    let mut best: Option<(String, String)> = None;
    for line in mounts.lines() {
        let (fields, behind) = line.split_once(" - ")?;
        let point = fields.split(' ').nth(4).map(unescaped)?;
        let kind = behind.split(' ').next()?;
        let is_longer = best.as_ref().is_none_or(|(known, _)| point.len() >= known.len());
        if folder.starts_with(&point) && is_longer {
            best = Some((point, kind.to_owned()));
        }
    }
    best
}

/// Spaces and the like are written as a backslash and three octal digits.
fn unescaped(text: &str) -> String {
    let (mut plain, mut rest) = (Vec::new(), text.as_bytes());
    while let Some((first, after)) = rest.split_first() {
        let digits = after.get(..3).filter(|_| *first == b'\\');
        let digits = digits.and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.and_then(|digits| u8::from_str_radix(digits, 8).ok()) {
            Some(byte) => {
                plain.push(byte);
                rest = &after[3..];
            }
            None => {
                plain.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&plain).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOUNTS: &str = "\
22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
30 22 0:26 / /scratch rw - lustre 10.0.0.1@tcp:/scratch rw
31 22 0:27 / /my\\040data rw - nfs4 server:/data rw
";

    #[test]
    fn the_longest_mount_point_holds_a_folder() {
        let of =
            |folder: &str| find(MOUNTS, Path::new(folder)).map(|(point, kind)| point + " " + &kind);
        assert_eq!(of("/scratch/me").as_deref(), Some("/scratch lustre"));
        assert_eq!(of("/scratchy").as_deref(), Some("/ ext4"));
        assert_eq!(of("/my data/a").as_deref(), Some("/my data nfs4"));
    }
}
