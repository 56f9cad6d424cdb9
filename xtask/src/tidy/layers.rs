//! Which crate may use which: the table "Who may use whom" of ARCHITECTURE.md.

use std::path::Path;

use serde::Deserialize;

use super::Complaint;
use crate::cargo::metadata;

/// What the crates of the workspace may depend on inside it.
const ALLOWED: &[(&str, &[&str])] = &[
    ("diya-model", &[]),
    ("diya-tables", &["diya-model"]),
    ("diya-read", &["diya-model", "diya-tables"]),
    ("diya-write", &["diya-model", "diya-tables"]),
    ("diya-launch", &["diya-model"]),
    ("diya-ptrace", &["diya-model", "diya-launch"]),
    ("diya-dump", &["diya-tables", "diya-read"]),
    ("diya-calibrate", &["diya-tables"]),
    ("diya-query", &["diya-model", "diya-tables"]),
    ("diya-metrics", &["diya-model", "diya-tables", "diya-query"]),
    ("diya-findings", &[]),
    ("diya-checks", &["diya-model", "diya-tables", "diya-findings", "diya-query", "diya-metrics"]),
    ("diya-questions", &[]),
    ("diya-timeline", &["diya-model", "diya-questions"]),
    ("diya-report", &["diya-model", "diya-findings"]),
    (
        "diya",
        &[
            "diya-model",
            "diya-tables",
            "diya-read",
            "diya-write",
            "diya-launch",
            "diya-ptrace",
            "diya-dump",
            "diya-calibrate",
            "diya-query",
            "diya-metrics",
            "diya-findings",
            "diya-checks",
            "diya-report",
        ],
    ),
    ("diya-compare", &["diya", "diya-model", "diya-checks", "diya-report"]),
    (
        "diya-page",
        &[
            "diya",
            "diya-tables",
            "diya-read",
            "diya-query",
            "diya-metrics",
            "diya-timeline",
            "diya-report",
        ],
    ),
    ("diya-plot", &["diya", "diya-model", "diya-tables", "diya-timeline", "diya-page"]),
    ("diya-fleet", &["diya", "diya-model", "diya-query", "diya-tables"]),
    ("diya-tune", &["diya", "diya-query", "diya-tables"]),
    (
        "diya-cli",
        &[
            "diya",
            "diya-compare",
            "diya-fleet",
            "diya-page",
            "diya-plot",
            "diya-serve",
            "diya-tune",
        ],
    ),
    ("diya-serve", &["diya", "diya-page"]),
    ("diya-python", &["diya", "diya-cli", "diya-compare", "diya-page"]),
    ("diya-wasm", &["diya-timeline"]),
    ("diya-browser", &["diya", "diya-page"]),
    ("diya-testkit", &["diya-model", "diya-tables", "diya-read", "diya"]),
    ("diya-bench", &["diya-model", "diya-tables", "diya-read", "diya-timeline", "diya"]),
    ("diya-fleet-logs", &["diya-model", "diya-tables", "diya-read", "diya-write"]),
    ("xtask", &["diya-model", "diya", "diya-testkit", "diya-fleet-logs"]),
];

/// Crates from elsewhere that only these of ours may use.
const RESERVED: &[(&str, &[&str])] = &[
    ("datafusion", &["diya-query"]),
    ("anyhow", &["diya-cli"]),
    ("clap", &["diya-cli"]),
    ("tokio", &["diya-query", "diya-serve"]),
];

/// What `cargo metadata` tells, as far as it is needed here.
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

/// Reads the crate graph and compares it with the tables above.
pub fn check(root: &Path) -> Result<Vec<Complaint>, String> {
    let json = metadata(root, &["--no-deps"])?;
    let metadata: Metadata =
        serde_json::from_slice(&json).map_err(|e| format!("cargo metadata: {e}"))?;
    Ok(directions(&metadata))
}

fn directions(metadata: &Metadata) -> Vec<Complaint> {
    let is_ours = |name: &str| metadata.packages.iter().any(|package| package.name == name);
    let mut complaints = Vec::new();
    for Package { name, dependencies } in &metadata.packages {
        let Some((_, allowed)) = ALLOWED.iter().find(|(from, _)| from == name) else {
            complaints
                .push(Complaint::error(name, "new crate: say in tidy/layers.rs what it may use"));
            continue;
        };
        // Tests may look at everything.
        for Dependency { name: used, .. } in
            dependencies.iter().filter(|d| d.kind.as_deref() != Some("dev"))
        {
            if used == "diya-testkit" && name != "xtask" {
                complaints.push(Complaint::error(name, "diya-testkit is for [dev-dependencies]"));
            } else if is_ours(used) && !allowed.contains(&used.as_str()) {
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
        directions(&metadata).into_iter().map(|c| format!("{}: {}", c.place, c.what)).collect()
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
    fn a_crate_nobody_placed_is_an_error() {
        assert_eq!(complaints(&[("diya-new", &[])]).len(), 1);
    }
}
