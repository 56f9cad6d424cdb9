//! The drawing of the crates in ARCHITECTURE.md: who uses whom, as a Mermaid flowchart.
//!
//! Drawn from `cargo metadata`, without what tests use, and without an arrow where a longer
//! way says the same: the picture shows floors, not every arrow.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::cargo::metadata;

const PAGE: &str = "ARCHITECTURE.md";
const BEGIN: &str = "<!-- structure: `cargo xtask generate` draws it -->\n";
const END: &str = "<!-- structure: end -->\n";
/// For tests and maintenance: drawn, they would hide the rest.
const LEFT_OUT: [&str; 4] = ["diya-testkit", "diya-fleet-logs", "diya-bench", "xtask"];

/// The crates that each crate uses.
type Graph = BTreeMap<String, BTreeSet<String>>;

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    dependencies: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    name: String,
    /// `dev`, `build`, or none for an ordinary one.
    kind: Option<String>,
}

/// ARCHITECTURE.md with the drawing of today between its marks.
pub fn files(root: &Path) -> Result<Vec<(PathBuf, String)>, String> {
    let json = metadata(root, &["--no-deps"])?;
    let metadata: Metadata =
        serde_json::from_slice(&json).map_err(|e| format!("cargo metadata: {e}"))?;
    let drawing = drawing(&reduced(&graph(&metadata)));
    Ok(vec![(PathBuf::from(PAGE), super::between(root, PAGE, [BEGIN, END], &drawing)?)])
}

fn graph(metadata: &Metadata) -> Graph {
    let is_drawn = |name: &str| {
        metadata.packages.iter().any(|package| package.name == name) && !LEFT_OUT.contains(&name)
    };
    let packages = metadata.packages.iter().filter(|package| is_drawn(&package.name));
    packages
        .map(|package| {
            let ordinary = package.dependencies.iter().filter(|used| used.kind.is_none());
            let used = ordinary.map(|used| used.name.clone()).filter(|name| is_drawn(name));
            (package.name.clone(), used.collect())
        })
        .collect()
}

/// Without an arrow to a crate that another used crate uses already.
fn reduced(graph: &Graph) -> Graph {
    let is_said = |used: &BTreeSet<String>, name: &str| {
        used.iter().any(|other| other != name && reaches(graph, other, name))
    };
    let rows = graph.iter().map(|(name, used)| {
        let needed = used.iter().filter(|other| !is_said(used, other)).cloned();
        (name.clone(), needed.collect())
    });
    rows.collect()
}

fn reaches(graph: &Graph, from: &str, to: &str) -> bool {
    from == to
        || graph.get(from).is_some_and(|used| used.iter().any(|next| reaches(graph, next, to)))
}

fn drawing(graph: &Graph) -> String {
    let short = |name: &str| match name {
        "diya" => "facade".to_owned(),
        name => name.trim_start_matches("diya-").to_owned(),
    };
    let mut text = "```mermaid\nflowchart TB\n".to_owned();
    for (name, used) in graph.iter().filter(|(_, used)| !used.is_empty()) {
        let used: Vec<String> = used.iter().map(|name| short(name)).collect();
        text += &format!("  {} --> {}\n", short(name), used.join(" & "));
    }
    text + "```\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_arrow_is_left_out_where_a_longer_way_says_the_same() {
        let used = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let graph = Graph::from([
            ("diya".to_owned(), used(&["diya-read", "diya-model"])),
            ("diya-read".to_owned(), used(&["diya-model"])),
            ("diya-model".to_owned(), used(&[])),
        ]);
        assert_eq!(
            drawing(&reduced(&graph)),
            "```mermaid\nflowchart TB\n  facade --> read\n  read --> model\n```\n"
        );
    }
}
