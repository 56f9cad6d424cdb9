//! Where debug information lies when it is not in the module itself: beside it,
//! or below `/usr/lib/debug`, by build id or by the name the module gives.

use std::path::{Path, PathBuf};

/// Folders of debug files: those of `DIYA_DEBUG_PATH`, then the system's.
fn roots() -> Vec<PathBuf> {
    let named = std::env::var_os("DIYA_DEBUG_PATH").unwrap_or_default();
    let named = std::env::split_paths(&named).filter(|p| !p.as_os_str().is_empty());
    named.chain([PathBuf::from("/usr/lib/debug")]).collect()
}

/// Places to look at, the surest first.
pub fn places(module: &Path, build_id: Option<&str>, link: Option<&str>) -> Vec<PathBuf> {
    let mut all = Vec::new();
    if let Some((first, rest)) = build_id.and_then(|id| id.split_at_checked(2)) {
        let file = format!(".build-id/{first}/{rest}.debug");
        all.extend(roots().into_iter().map(|root| root.join(&file)));
    }
    // The name is content of a file: no folders in it, or it could lead anywhere.
    let plain = link.filter(|name| !name.contains('/') && *name != "..");
    if let (Some(name), Some(folder)) = (plain, module.parent()) {
        all.push(folder.join(name));
        all.push(folder.join(".debug").join(name));
        let below = folder.strip_prefix("/").unwrap_or(folder);
        all.extend(roots().into_iter().map(|root| root.join(below).join(name)));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn build_id_comes_before_the_name_in_the_module() {
        let all = places(Path::new("/opt/bin/sim"), Some("abcdef"), Some("sim.debug"));
        assert_eq!(all.first(), Some(&"/usr/lib/debug/.build-id/ab/cdef.debug".into()));
        assert!(all.contains(&"/opt/bin/.debug/sim.debug".into()));
        assert!(all.contains(&"/usr/lib/debug/opt/bin/sim.debug".into()));
    }

    #[test]
    fn a_name_with_folders_is_not_followed() {
        assert!(places(Path::new("/opt/sim"), None, Some("../../etc/passwd")).is_empty());
    }
}
