//! The licences of what is linked into the program, and of what its pages carry: most of them
//! ask that their text goes along with it.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

use serde::Deserialize;

use crate::cargo::metadata;

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    resolve: Resolve,
}

#[derive(Deserialize)]
struct Package {
    id: String,
    name: String,
    version: String,
    license: Option<String>,
    manifest_path: String,
    source: Option<String>,
}

#[derive(Deserialize)]
struct Resolve {
    nodes: Vec<Node>,
}

#[derive(Deserialize)]
struct Node {
    id: String,
    deps: Vec<Dep>,
}

#[derive(Deserialize)]
struct Dep {
    pkg: String,
    dep_kinds: Vec<DepKind>,
}

#[derive(Deserialize)]
struct DepKind {
    /// `dev`, `build`, or none for one that is linked in.
    kind: Option<String>,
}

/// One section per crate: name, version, licence, and the texts it ships.
pub fn text(root: &Path) -> Result<String, String> {
    let target = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
    let json = metadata(root, &["--locked", "--filter-platform", &target])?;
    let metadata: Metadata =
        serde_json::from_slice(&json).map_err(|e| format!("cargo metadata: {e}"))?;

    let linked = linked_into(&metadata, "diya-cli");
    let mut text = String::from("diya contains these libraries, under these licences.\n");
    for package in metadata.packages.iter().filter(|p| p.source.is_some()) {
        if !linked.contains(package.id.as_str()) {
            continue;
        }
        let Package { name, version, .. } = package;
        let license = package.license.as_deref().unwrap_or("see the text below");
        // Writing to a string does not fail.
        let _ = writeln!(text, "\n{}\n{name} {version}: {license}\n", "=".repeat(78));
        let folder = Path::new(&package.manifest_path).parent().unwrap_or(root);
        for license_text in license_texts(folder) {
            text.push_str(license_text.trim_end());
            text.push_str("\n\n");
        }
    }
    text.push_str(&of_pages(root)?);
    Ok(text)
}

/// Licences of the font and the libraries of the pages, as the build of `web/` lists them.
fn of_pages(root: &Path) -> Result<String, String> {
    let file = root.join("web/dist/licences.txt");
    std::fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))
}

/// Ids of the packages that end up in the program of `package`.
fn linked_into<'a>(metadata: &'a Metadata, package: &str) -> BTreeSet<&'a str> {
    let start = metadata.packages.iter().find(|p| p.name == package);
    let mut to_visit: Vec<&str> = start.map(|p| p.id.as_str()).into_iter().collect();
    let mut linked = BTreeSet::new();
    while let Some(id) = to_visit.pop() {
        if !linked.insert(id) {
            continue;
        }
        let node = metadata.resolve.nodes.iter().find(|node| node.id == id);
        let deps = node.into_iter().flat_map(|node| &node.deps);
        let is_linked = |dep: &&Dep| dep.dep_kinds.iter().any(|kind| kind.kind.is_none());
        to_visit.extend(deps.filter(is_linked).map(|dep| dep.pkg.as_str()));
    }
    linked
}

/// Texts of the licence and notice files in a crate's folder, by file name.
fn license_texts(folder: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
        ["LICENSE", "LICENCE", "COPYING", "NOTICE", "COPYRIGHT"].iter().any(|w| name.starts_with(w))
    });
    paths.sort();
    paths.iter().filter_map(|path| std::fs::read_to_string(path).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_font_and_the_libraries_of_the_pages_are_named_with_their_texts() {
        let text = of_pages(&crate::root()).unwrap();
        for part in ["@fontsource-variable/inter ", "SIL OPEN FONT LICENSE Version 1.1", "svelte "]
        {
            assert!(text.contains(part), "{part}");
        }
        let permission = "Permission is hereby granted, free of charge";
        assert!(text.matches(permission).count() >= 3, "font, Svelte and its libraries");
    }

    #[test]
    fn only_what_is_linked_in_is_named() {
        let json = r#"{
            "packages": [
                {"id": "cli", "name": "diya-cli", "version": "1", "manifest_path": "a"},
                {"id": "zstd", "name": "zstd", "version": "1", "manifest_path": "b"},
                {"id": "cc", "name": "cc", "version": "1", "manifest_path": "c"}
            ],
            "resolve": {"nodes": [
                {"id": "cli", "deps": [{"pkg": "zstd", "dep_kinds": [{"kind": null}]}]},
                {"id": "zstd", "deps": [{"pkg": "cc", "dep_kinds": [{"kind": "build"}]}]},
                {"id": "cc", "deps": []}
            ]}
        }"#;
        let metadata: Metadata = serde_json::from_str(json).unwrap();
        let linked: Vec<&str> = linked_into(&metadata, "diya-cli").into_iter().collect();
        assert_eq!(linked, ["cli", "zstd"]);
    }
}
