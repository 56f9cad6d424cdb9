//! SLURM's `topology.yaml`: as much of YAML as it has, lists of `key: value`.
//!
//! Of several topologies in a file the first one that names a node counts for it.

use super::hosts::expand;
use super::{Complaint, complaint};
use std::collections::HashMap;

/// Switch of each node, and switch above each switch.
pub(super) type Hung = (HashMap<String, String>, HashMap<String, String>);

/// Reads the switches of trees and the blocks of block topologies.
pub(super) fn read(text: &str) -> Result<Hung, Complaint> {
    let (mut nodes, mut parents) = (HashMap::new(), HashMap::new());
    let mut of: Option<String> = None;
    for (number, line) in (1..).zip(text.lines()) {
        // A sign in a name of a node: only after a space it begins a comment.
        let line = line.split(" #").next().unwrap_or_default();
        let line = line.trim().trim_start_matches("- ").trim();
        if line.is_empty() || line.starts_with('#') || line == "---" || line == "..." {
            continue;
        }
        let Some((key, value)) = line.split_once(':') else { continue };
        let value = value.trim().trim_matches(['"', '\'']);
        let hang = |to: &mut HashMap<String, String>| -> Result<(), Complaint> {
            let name = of.clone().ok_or_else(|| {
                complaint(number, format!("{key} before the first switch or block"))
            })?;
            for one in expand(value).map_err(|what| (number, what))? {
                to.entry(one).or_insert_with(|| name.clone());
            }
            Ok(())
        };
        match key.trim().trim_matches(['"', '\'']) {
            "switch" | "block" if !value.is_empty() => of = Some(value.to_owned()),
            "nodes" => hang(&mut nodes)?,
            "children" => hang(&mut parents)?,
            _ => {}
        }
    }
    Ok((nodes, parents))
}

#[cfg(test)]
mod tests {
    use super::super::Topology;

    const TREE: &str = "---\n# ours\n- topology: topo1\n  cluster_default: true\n  tree:\n    switches:\n\
        \x20     - switch: top\n        children: s[1-2]\n\
        \x20     - switch: s1\n        nodes: \"n[1-2]\"\n\
        \x20     - switch: s2 # spare\n        nodes: n[3,4]\n\
        - topology: topo2\n  block:\n    block_sizes:\n      - 4\n    blocks:\n\
        \x20     - block: b1\n        nodes: n[1-9]\n";

    #[test]
    fn the_first_topology_of_a_node_counts() {
        let topology = Topology::parse("topology.yaml", TREE).expect("is right");
        let places: Vec<String> = topology
            .places()
            .map(|of| format!("{} {:?} {:?}", of.host, of.switch, of.parent_switch))
            .collect();
        assert_eq!(places[0], "n1 Some(\"s1\") Some(\"top\")");
        assert_eq!(places[3], "n4 Some(\"s2\") Some(\"top\")");
        assert_eq!(places[8], "n9 Some(\"b1\") None");
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        for text in ["- nodes: n1\n", "- switch: s1\n  nodes: n[1-\n", "- children: a\n"] {
            assert!(Topology::parse("topology.yaml", text).is_err(), "{text}");
        }
    }
}
