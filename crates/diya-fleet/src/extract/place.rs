//! What follows from the name of a file: where it lies, and what kind of file it is.

/// Longest extension that is kept.
const SUFFIX_CHARACTERS: usize = 8;

/// Folders below the mount point that stay in a prefix.
const FOLDERS: usize = 2;

/// Names of standard streams.
pub fn is_stream(path: &str) -> bool {
    matches!(path, "<STDIN>" | "<STDOUT>" | "<STDERR>")
}

/// Mount point and the first two folders below it.
///
/// The last part of the path is the file itself and never part of its prefix.
pub fn prefix(path: &str, mount: Option<&str>) -> String {
    let mount = mount.unwrap_or("/").trim_end_matches('/');
    let Some(below) = path.strip_prefix(mount) else { return mount.to_owned() };
    let folder = below.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut prefix = mount.to_owned();
    for part in folder.split('/').filter(|part| !part.is_empty()).take(FOLDERS) {
        prefix.push('/');
        prefix.push_str(part);
    }
    if prefix.is_empty() { "/".to_owned() } else { prefix }
}

/// Extension in lower case, each run of digits as `#`: numbered files are one kind.
pub fn suffix(path: &str) -> Option<String> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let (stem, extension) = name.rsplit_once('.')?;
    if stem.is_empty() || extension.is_empty() {
        return None;
    }
    let mut short = String::new();
    for letter in extension.chars().flat_map(char::to_lowercase) {
        match letter {
            '0'..='9' if short.ends_with('#') => {}
            '0'..='9' => short.push('#'),
            _ => short.push(letter),
        }
    }
    let is_word = short.chars().all(|c| c.is_alphanumeric() || matches!(c, '#' | '_' | '-'));
    let is_short = short.chars().count() <= SUFFIX_CHARACTERS;
    Some(if is_word && is_short { short } else { "other".to_owned() })
}

/// Kind of file system.
pub fn mount_class(path: &str, fs_type: Option<&str>) -> &'static str {
    if is_stream(path) {
        return "stream";
    }
    let is_below =
        |folder: &str| path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
    if is_below("/dev/shm") {
        return "memory";
    }
    if ["/proc", "/sys", "/dev"].into_iter().any(is_below) {
        return "system";
    }
    let Some(fs_type) = fs_type else { return "other" };
    let has = |part: &str| fs_type.contains(part);
    match () {
        () if has("lustre") => "lustre",
        () if has("gpfs") || has("mmfs") => "gpfs",
        () if has("nfs") => "nfs",
        () if has("beegfs") || has("fhgfs") => "beegfs",
        () if has("dfuse") || has("daos") => "daos",
        () if has("dwfs") || has("unify") || has("bbfs") => "burst_buffer",
        () if has("tmpfs") || has("ramfs") => "memory",
        () if has("proc") || has("sysfs") || has("cgroup") => "system",
        () if ["ext", "xfs", "btrfs", "zfs", "overlay", "rootfs"].iter().any(|l| has(l)) => "local",
        () => "other",
    }
}

/// A file that Python loads code from.
pub fn is_python_module(path: &str) -> bool {
    path.contains("/site-packages/") || path.contains("/dist-packages/") || path.ends_with(".pyc")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prefix_ends_two_folders_below_the_mount_point() {
        let of = |path| prefix(path, Some("/scratch"));
        assert_eq!(of("/scratch/alice/run1/step/out.h5"), "/scratch/alice/run1");
        assert_eq!(of("/scratch/alice/out.h5"), "/scratch/alice");
        assert_eq!(of("/scratch/out.h5"), "/scratch");
        assert_eq!(prefix("/etc/hosts", Some("/")), "/etc");
        assert_eq!(prefix("/hosts", None), "/");
    }

    #[test]
    fn numbered_files_have_one_suffix() {
        assert_eq!(suffix("/a/out.H5").as_deref(), Some("h#"));
        assert_eq!(suffix("/a/out.00012").as_deref(), Some("#"));
        assert_eq!(suffix("/a.b/out"), None);
        assert_eq!(suffix("/a/.bashrc"), None);
        assert_eq!(suffix("/a/x.a-very-long-one").as_deref(), Some("other"));
    }

    #[test]
    fn file_systems_fall_into_classes() {
        assert_eq!(mount_class("/scratch/a", Some("lustre")), "lustre");
        assert_eq!(mount_class("/dev/shm/a", Some("tmpfs")), "memory");
        assert_eq!(mount_class("/proc/self/maps", Some("proc")), "system");
        assert_eq!(mount_class("<STDOUT>", None), "stream");
        assert_eq!(mount_class("/home/a", Some("nfs4")), "nfs");
        assert_eq!(mount_class("/x", None), "other");
    }
}
