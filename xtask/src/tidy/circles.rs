//! No circle of files: of two files that stand beside each other, at most one uses the other.
//!
//! A file may use what the module around it defines, and that module its files: a folder is
//! one unit. Paths inside the arguments of macros are not seen.

use std::collections::BTreeSet;

use super::uses::{Graph, of_crates};
use super::{Complaint, SourceFile, c_files};

/// One complaint for each circle.
pub fn check(files: &[SourceFile]) -> Vec<Complaint> {
    let mut graph = page(files);
    graph.extend(of_crates(files));
    graph.extend(c_files::of_libraries(files));
    let complaint = |circle: Vec<String>| {
        let what = format!(
            "circle of files: {}; move what both need into a file below both",
            circle.join(" -> ")
        );
        Complaint::error(&circle[0], what)
    };
    circles(&graph).into_iter().map(complaint).collect()
}

/// Imports of the page's files.
fn page(files: &[SourceFile]) -> Graph {
    let sources = files.iter().filter(|file| {
        file.path.starts_with("web/src/") && ["ts", "svelte"].contains(&file.extension())
    });
    let known: BTreeSet<&str> = sources.clone().map(|file| file.path.as_str()).collect();
    let imports = |file: &SourceFile| {
        let names = file.text.split(" from \"").skip(1).filter_map(|rest| rest.split('"').next());
        let paths = names.filter(|name| name.starts_with('.')).filter_map(|name| {
            let path = joined(&file.path, name);
            let endings = ["", ".ts", ".svelte", "/index.ts"];
            endings
                .map(|ending| format!("{path}{ending}"))
                .into_iter()
                .find(|p| known.contains(&**p))
        });
        paths.collect()
    };
    sources.map(|file| (file.path.clone(), imports(file))).collect()
}

/// A path as a file names it, from the root of the repository.
fn joined(file: &str, name: &str) -> String {
    let mut parts: Vec<&str> = file.split('/').collect();
    parts.pop();
    for part in name.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// Circles, each with its first file again at its end; a file is in one of them at most.
fn circles(graph: &Graph) -> Vec<Vec<String>> {
    let (mut found, mut done, mut way) = (Vec::new(), BTreeSet::new(), Vec::new());
    for file in graph.keys() {
        follow(graph, file, &mut way, &mut done, &mut found);
    }
    found
}

fn follow<'g>(
    graph: &'g Graph,
    file: &'g str,
    way: &mut Vec<&'g str>,
    done: &mut BTreeSet<&'g str>,
    found: &mut Vec<Vec<String>>,
) {
    if let Some(first) = way.iter().position(|before| *before == file) {
        found.push(way[first..].iter().chain([&file]).map(|file| (*file).to_owned()).collect());
        return;
    }
    if done.contains(file) {
        return;
    }
    way.push(file);
    for used in graph.get(file).into_iter().flatten() {
        follow(graph, used, way, done, found);
    }
    way.pop();
    done.insert(file);
}

#[cfg(test)]
mod tests {
    use super::super::tests::file;
    use super::*;

    fn complaints(files: &[(&str, &str)]) -> Vec<String> {
        let files: Vec<SourceFile> = files.iter().map(|(path, text)| file(path, text)).collect();
        check(&files).into_iter().map(|complaint| complaint.what).collect()
    }

    #[test]
    fn two_files_that_use_each_other_are_a_circle() {
        let found = complaints(&[
            ("crates/x/src/lib.rs", "mod a;\nmod b;\npub use b::B;"),
            ("crates/x/src/a.rs", "use crate::B;\npub struct A;"),
            ("crates/x/src/b.rs", "pub struct B;\nfn f() -> super::a::A { super::a::A }"),
        ]);
        assert_eq!(found.len(), 1, "{found:?}");
        let circle = "crates/x/src/a.rs -> crates/x/src/b.rs -> crates/x/src/a.rs";
        assert!(found[0].contains(circle), "{found:?}");
    }

    #[test]
    fn a_file_that_is_used_by_its_name_is_used() {
        let found = complaints(&[
            ("crates/x/src/lib.rs", "mod a;\nmod b;"),
            ("crates/x/src/a.rs", "use crate::b;\npub fn f() { b::f() }"),
            ("crates/x/src/b.rs", "use crate::a;\npub fn f() { a::f() }"),
        ]);
        assert_eq!(found.len(), 1, "{found:?}");
    }

    #[test]
    fn a_module_and_the_files_in_it_are_one_unit() {
        let found = complaints(&[
            ("crates/x/src/lib.rs", "mod a;"),
            ("crates/x/src/a/mod.rs", "mod b;\npub struct A;\nfn f() { b::f() }"),
            ("crates/x/src/a/b.rs", "use super::A;\npub fn f() {}"),
        ]);
        assert!(found.is_empty(), "{found:?}");
    }

    #[test]
    fn tests_may_use_what_they_like() {
        let test = "pub struct A;\n#[cfg(test)]\nmod tests { use crate::b::B; }";
        let found = complaints(&[
            ("crates/x/src/lib.rs", "mod a;\nmod b;"),
            ("crates/x/src/a.rs", test),
            ("crates/x/src/b.rs", "use crate::a::A;\npub struct B;"),
        ]);
        assert!(found.is_empty(), "{found:?}");
    }

    #[test]
    fn imports_of_the_page_are_followed() {
        let found = complaints(&[
            ("web/src/a/b.ts", "import type { C } from \"../c\";"),
            ("web/src/c.ts", "import { b } from \"./a/b\";"),
        ]);
        assert_eq!(found.len(), 1, "{found:?}");
    }
}
