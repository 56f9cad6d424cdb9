//! Which crate may use which: the table "Who may use whom" of ARCHITECTURE.md.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

use super::Complaint;
use crate::cargo::metadata;

/// The first line of the table.
const HEAD: &str = "| from | may use |";

/// What each crate of the workspace may depend on inside it.
type Allowed = BTreeMap<String, Vec<String>>;

/// Crates from elsewhere that only these of ours may use.
const RESERVED: &[(&str, &[&str])] = &[
    ("datafusion", &["diya-query"]),
    ("anyhow", &["diya-cli"]),
    ("clap", &["diya-cli"]),
    ("tokio", &["diya-mcp", "diya-query", "diya-serve"]),
    ("rmcp", &["diya-mcp"]),
];

/// The part of `cargo metadata` that is needed here.
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

/// Reads the crate graph and compares it with the two tables.
pub fn check(root: &Path) -> Result<Vec<Complaint>, String> {
    let page = std::fs::read_to_string(root.join("ARCHITECTURE.md"))
        .map_err(|e| format!("ARCHITECTURE.md: {e}"))?;
    let json = metadata(root, &["--no-deps"])?;
    let metadata: Metadata =
        serde_json::from_slice(&json).map_err(|e| format!("cargo metadata: {e}"))?;
    Ok(directions(&metadata, &allowed(&page)))
}

/// The rows of the page's table: `diya-model` is `model` there, and `diya` is `facade`.
fn allowed(page: &str) -> Allowed {
    let whole = |name: &str| match name {
        "facade" => "diya".to_owned(),
        name => format!("diya-{name}"),
    };
    let rows = page.lines().skip_while(|line| !line.starts_with(HEAD)).skip(2);
    rows.map_while(|line| {
        let mut cells = line.strip_prefix('|')?.split('|').map(str::trim);
        let (from, used) = (cells.next()?.trim_matches('`'), cells.next()?);
        let used = used.split(", ").filter(|name| *name != "nothing").map(whole);
        Some((from.to_owned(), used.collect()))
    })
    .collect()
}

fn directions(metadata: &Metadata, allowed: &Allowed) -> Vec<Complaint> {
    let is_ours = |name: &str| metadata.packages.iter().any(|package| package.name == name);
    let mut complaints = Vec::new();
    for Package { name, dependencies } in &metadata.packages {
        let Some(allowed) = allowed.get(name) else {
            complaints.push(Complaint::error(
                name,
                "new crate: ARCHITECTURE.md does not list what it may use",
            ));
            continue;
        };
        // Tests may look at everything.
        for Dependency { name: used, .. } in
            dependencies.iter().filter(|d| d.kind.as_deref() != Some("dev"))
        {
            if used == "diya-testkit" && name != "xtask" {
                complaints.push(Complaint::error(name, "diya-testkit is for [dev-dependencies]"));
            } else if is_ours(used) && !allowed.contains(used) {
                complaints.push(Complaint::error(name, format!("must not use {used}")));
            }
            let reserved = RESERVED.iter().find(|(crate_name, _)| crate_name == used);
            if reserved.is_some_and(|(_, users)| !users.contains(&name.as_str())) {
                complaints.push(Complaint::error(name, format!("must not use {used} directly")));
            }
        }
    }
    complaints
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A crate, and the crates it uses with the kind of the dependency.
    type Node<'a> = (&'a str, &'a [(&'a str, Option<&'a str>)]);

    fn complaints(graph: &[Node<'_>]) -> Vec<String> {
        let package = |(name, used): &Node<'_>| Package {
            name: (*name).to_owned(),
            dependencies: used
                .iter()
                .map(|(name, kind)| Dependency {
                    name: (*name).to_owned(),
                    kind: kind.map(str::to_owned),
                })
                .collect(),
        };
        let metadata = Metadata { packages: graph.iter().map(package).collect() };
        let page = include_str!("../../../ARCHITECTURE.md");
        directions(&metadata, &allowed(page))
            .into_iter()
            .map(|c| format!("{}: {}", c.place, c.what))
            .collect()
    }

    #[test]
    fn the_direction_of_the_data_is_allowed_and_the_other_is_not() {
        let read = ("diya-read", &[("diya-tables", None)][..]);
        assert!(complaints(&[("diya-tables", &[]), read]).is_empty());
        let tables = ("diya-tables", &[("diya-read", None)][..]);
        assert_eq!(
            complaints(&[("diya-read", &[]), tables]),
            ["diya-tables: must not use diya-read"]
        );
    }

    #[test]
    fn a_front_end_sees_only_the_facade() {
        let graph = [("diya", &[][..]), ("diya-read", &[]), ("diya-cli", &[("diya-read", None)])];
        assert_eq!(complaints(&graph), ["diya-cli: must not use diya-read"]);
    }

    #[test]
    fn tests_may_use_what_the_crate_may_not() {
        let used = [("diya-testkit", Some("dev")), ("diya-read", Some("dev"))];
        assert!(
            complaints(&[("diya-testkit", &[]), ("diya-read", &[]), ("diya-query", &used)])
                .is_empty()
        );
        let graph = [("diya-testkit", &[][..]), ("diya-query", &[("diya-testkit", None)])];
        assert_eq!(complaints(&graph).len(), 1);
    }

    #[test]
    fn the_engine_stays_behind_its_crate() {
        assert!(complaints(&[("diya-query", &[("datafusion", None)])]).is_empty());
        assert_eq!(complaints(&[("diya", &[("datafusion", None)])]).len(), 1);
    }

    #[test]
    fn a_crate_without_a_row_is_an_error() {
        assert_eq!(complaints(&[("diya-new", &[])]).len(), 1);
    }
}
