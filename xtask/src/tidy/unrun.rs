//! Tests of a crate that are one program (`tests/all.rs`) are run only where that file names
//! theirs: one that it forgets would never fail.

use super::{Complaint, SourceFile};

/// Files of tests that no program of their crate holds.
pub fn forgotten(files: &[SourceFile]) -> Vec<Complaint> {
    let text = |path: &str| files.iter().find(|file| file.path == path).map(|file| &*file.text);
    files
        .iter()
        .filter_map(|file| {
            let (folder, name) = file.path.strip_suffix(".rs")?.rsplit_once('/')?;
            let of_crate = folder.strip_suffix("/tests")?;
            let all = text(&format!("{folder}/all.rs"))?;
            let manifest = text(&format!("{of_crate}/Cargo.toml")).unwrap_or_default();
            let is_run = name == "all"
                || all.lines().any(|line| line == format!("mod {name};"))
                || manifest.contains(&format!("[[test]]\nname = \"{name}\"\n"));
            let wanted = format!("is never run: add `mod {name};` to {folder}/all.rs");
            (!is_run).then(|| Complaint::error(&file.path, wanted))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::tests::file;
    use super::*;

    #[test]
    fn a_file_of_tests_is_part_of_a_program() {
        let all = file("crates/x/tests/all.rs", "mod a;\n");
        let manifest = file("crates/x/Cargo.toml", "[[test]]\nname = \"b\"\n");
        let test = |path| file(path, "");
        let files =
            |name| [test(name), file(&all.path, &all.text), file(&manifest.path, &manifest.text)];
        assert!(forgotten(&files("crates/x/tests/a.rs")).is_empty());
        assert!(forgotten(&files("crates/x/tests/b.rs")).is_empty());
        assert!(forgotten(&files("crates/x/src/c.rs")).is_empty());
        assert!(forgotten(&files("crates/x/tests/support/mod.rs")).is_empty());
        assert_eq!(forgotten(&files("crates/x/tests/c.rs")).len(), 1);
        assert!(forgotten(&[test("crates/y/tests/c.rs")]).is_empty());
    }
}
