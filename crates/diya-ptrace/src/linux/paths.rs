//! From a path as a program gives it to the absolute path that names a file.

/// Joins a path to the folder it is relative to, without following links, as
/// the preloaded recorder does: "." and double slashes go, ".." takes back one
/// component.
pub(super) fn absolute(folder: &[u8], path: &[u8]) -> Vec<u8> {
    let mut whole = Vec::with_capacity(folder.len() + path.len() + 1);
    if path.first() != Some(&b'/') {
        append(&mut whole, folder);
    }
    append(&mut whole, path);
    if whole.is_empty() {
        whole.push(b'/');
    }
    whole
}

fn append(whole: &mut Vec<u8>, path: &[u8]) {
    for part in path.split(|&byte| byte == b'/') {
        match part {
            b"" | b"." => {}
            b".." => whole.truncate(whole.iter().rposition(|&byte| byte == b'/').unwrap_or(0)),
            name => {
                whole.push(b'/');
                whole.extend_from_slice(name);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_paths_begin_at_the_folder() {
        assert_eq!(absolute(b"/home/u", b"a//b/./c"), b"/home/u/a/b/c");
        assert_eq!(absolute(b"/", b"a"), b"/a");
        assert_eq!(absolute(b"/home/u", b"/etc/hosts"), b"/etc/hosts");
    }

    #[test]
    fn two_dots_take_back_a_component_but_not_the_root() {
        assert_eq!(absolute(b"/home/u", b"../v"), b"/home/v");
        assert_eq!(absolute(b"/home", b"../../.."), b"/");
    }
}
