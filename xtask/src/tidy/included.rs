//! No source file is forgotten: each one of a crate has its `mod` line. Without it, the compiler
//! does not read the file, and neither its tests nor what it registers exist.

use std::collections::BTreeSet;

use super::{Complaint, SourceFile};

/// Files below a `src` folder that no `mod` line, and no `#[path]`, includes.
pub fn forgotten(files: &[SourceFile]) -> Vec<Complaint> {
    let sources = files.iter().filter(|file| file.extension() == "rs");
    let sources: Vec<(&SourceFile, &str, &str)> = sources
        .filter_map(|file| {
            let (of, inner) = file.path.split_once("/src/")?;
            Some((file, of, inner))
        })
        .collect();
    let included: BTreeSet<String> = sources
        .iter()
        .flat_map(|(file, of, inner)| {
            let folder = folder_of_modules(inner);
            let of_module = move |name: &str| format!("{of}/{folder}{name}");
            let path = file.text.lines().filter_map(path_of).map(move |path| {
                let beside = inner.rfind('/').map_or("", |end| &inner[..=end]);
                format!("{of}/{beside}{}", path.trim_end_matches(".rs"))
            });
            file.text.lines().filter_map(module_of).map(of_module).chain(path).collect::<Vec<_>>()
        })
        .collect();
    let is_root =
        |inner: &str| inner == "lib.rs" || inner == "main.rs" || inner.starts_with("bin/");
    let is_forgotten = |(_, of, inner): &&(&SourceFile, &str, &str)| {
        let module = inner.trim_end_matches(".rs");
        let module = module.strip_suffix("/mod").unwrap_or(module);
        !is_root(inner) && !included.contains(&format!("{of}/{module}"))
    };
    let forgotten = sources.iter().filter(is_forgotten);
    let complaint = |file: &SourceFile| Complaint::error(&file.path, "has no `mod` line");
    forgotten.map(|(file, ..)| complaint(file)).collect()
}

/// Where the modules of a file are, from `src`; with `/` at its end unless it is `src` itself.
fn folder_of_modules(inner: &str) -> String {
    let module = inner.trim_end_matches(".rs");
    let module = module.strip_suffix("mod").filter(|m| m.ends_with('/')).unwrap_or(module);
    match module {
        "lib" | "main" => String::new(),
        folder => format!("{}/", folder.trim_end_matches('/')),
    }
}

/// The module that a line includes: `pub(crate) mod name;`.
fn module_of(line: &str) -> Option<&str> {
    let name = line.trim().strip_suffix(';')?.rsplit_once("mod ")?;
    let is_visibility = |text: &str| text.is_empty() || text.starts_with("pub");
    is_visibility(name.0.trim()).then_some(name.1.trim())
}

/// The file of a line `#[path = "name.rs"]`.
fn path_of(line: &str) -> Option<&str> {
    line.trim().strip_prefix("#[path = \"")?.split('"').next()
}

#[cfg(test)]
mod tests {
    use super::super::tests::file;
    use super::*;

    #[test]
    fn a_file_without_mod_line_is_forgotten() {
        let files = [
            file(
                "crates/x/src/lib.rs",
                "mod a;\npub(crate) mod b;\n#[path = \"other.rs\"]\nmod c;",
            ),
            file("crates/x/src/a.rs", "mod d;"),
            file("crates/x/src/a/d.rs", ""),
            file("crates/x/src/a/e.rs", ""),
            file("crates/x/src/b/mod.rs", "mod f;"),
            file("crates/x/src/b/f.rs", ""),
            file("crates/x/src/b/lib.rs", ""),
            file("crates/x/src/other.rs", ""),
            file("crates/x/src/g.rs", "// mod g;"),
            file("crates/x/build.rs", ""),
        ];
        let places: Vec<String> = forgotten(&files).into_iter().map(|c| c.place).collect();
        assert_eq!(places, ["crates/x/src/a/e.rs", "crates/x/src/b/lib.rs", "crates/x/src/g.rs"]);
    }

    #[test]
    fn no_file_of_the_repository_is_forgotten() {
        let root = crate::root();
        let paths = super::super::repository_paths(&root).expect("a repository");
        let forgotten = forgotten(&super::super::read_texts(&root, &paths));
        assert!(forgotten.is_empty(), "{forgotten:?}");
    }
}
