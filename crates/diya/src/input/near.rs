//! What to do when no file has the name that was given.

use std::path::Path;

/// Files with similar names that are listed.
const MAX_NEAR: usize = 3;

/// Least similarity, from 0 to 1, of a name that could be meant.
const LEAST_SIMILARITY: f64 = 0.8;

/// Names the files beside it that could be meant, or what is missing.
pub(super) fn way_out(missing: &Path) -> String {
    let folder = match missing.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    if !folder.is_dir() {
        return format!("the folder {} is missing, too", folder.display());
    }
    let name = missing.file_name().unwrap_or_default().to_string_lossy();
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut near: Vec<(f64, String)> = entries
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .map(|other| (strsim::jaro_winkler(&other, &name), other))
        .filter(|(similarity, _)| *similarity >= LEAST_SIMILARITY)
        .collect();
    near.sort_by(|(a, name_a), (b, name_b)| b.total_cmp(a).then(name_a.cmp(name_b)));
    near.truncate(MAX_NEAR);
    if near.is_empty() {
        return format!("nothing in {} has a similar name", folder.display());
    }
    let path = |(_, other): &(f64, String)| missing.with_file_name(other).display().to_string();
    let paths: Vec<String> = near.iter().map(path).collect();
    format!("similar names: {}", paths.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn similar_names_come_first_and_strange_ones_not_at_all() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["app-1.diya", "app-12.diya", "zebra.txt"] {
            std::fs::write(folder.path().join(name), b"").expect("a file");
        }
        let told = way_out(&folder.path().join("app-1.daya"));
        let path = |name: &str| folder.path().join(name).display().to_string();
        assert_eq!(told, format!("similar names: {}, {}", path("app-1.diya"), path("app-12.diya")));
        let told = way_out(&folder.path().join("quite-another"));
        assert!(told.starts_with("nothing in "), "{told}");
        let told = way_out(&folder.path().join("no/folder.diya"));
        assert!(told.contains("is missing, too"), "{told}");
    }
}
