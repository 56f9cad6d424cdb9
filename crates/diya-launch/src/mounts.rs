//! File systems of this node, from `/proc/self/mounts`.

use std::fs;

/// Kinds that hold no files of users.
const NOT_STORAGE: [&str; 14] = [
    "proc",
    "sysfs",
    "cgroup",
    "cgroup2",
    "devpts",
    "mqueue",
    "securityfs",
    "debugfs",
    "tracefs",
    "bpf",
    "pstore",
    "fusectl",
    "configfs",
    "binfmt_misc",
];

/// Mount points and their types, in the order of the system.
pub fn mounts() -> Vec<(String, String)> {
    fs::read_to_string("/proc/self/mounts").map_or_else(|_| Vec::new(), |text| parse(&text))
}

fn parse(text: &str) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for line in text.lines() {
        let mut fields = line.split(' ').skip(1);
        let (Some(path), Some(kind)) = (fields.next(), fields.next()) else { continue };
        if !NOT_STORAGE.contains(&kind) {
            all.push((unescape(path), kind.to_string()));
        }
    }
    all
}

/// Blanks and the like stand as three octal digits.
fn unescape(field: &str) -> String {
    let mut out = Vec::new();
    let bytes = field.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let digits = bytes.get(at + 1..at + 4).and_then(|d| std::str::from_utf8(d).ok());
        let code =
            digits.filter(|_| bytes[at] == b'\\').and_then(|d| u8::from_str_radix(d, 8).ok());
        out.push(code.unwrap_or(bytes[at]));
        at += if code.is_some() { 4 } else { 1 };
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_in_mount_points_are_escaped() {
        let text = "a /my\\040disk ext4 rw 0 0\nproc /proc proc rw 0 0\n";
        assert_eq!(parse(text), [("/my disk".to_string(), "ext4".to_string())]);
    }
}
