//! Which switch and which enclosure each node belongs to.

use super::hosts::expand;
use super::records::{records, same_width};
use super::{Complaint, ContextError, complaint, topology_yaml};
use diya_tables::{BatchSource, Batches, TableId, Tables, TopologyRow, columns};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// A node and where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NodePlace<'t> {
    /// Name of the node.
    pub host: &'t str,
    /// Switch or block that it hangs on.
    pub switch: Option<&'t str>,
    /// Switch above this one.
    pub parent_switch: Option<&'t str>,
    /// Rack or chassis.
    pub enclosure: Option<&'t str>,
}

/// Where a node stands.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct NodePosition {
    switch: Option<String>,
    parent_switch: Option<String>,
    enclosure: Option<String>,
}

/// Where the nodes of a machine stand.
#[derive(Debug, Default)]
pub struct Topology {
    nodes: HashMap<String, NodePosition>,
}

columns! {
    struct Hosts by name { log: i32, host: str }
}

impl Topology {
    /// Reads a topology: CSV (first line `host,switch,...`), SLURM's `topology.conf` or the
    /// output of `scontrol show topology` (lines `SwitchName=... Nodes=...`), its
    /// `topology.yaml`, or TOML.
    ///
    /// ```
    /// use diya::context::Topology;
    /// let csv = "host,switch,enclosure\nnid[0001-0004],s1,rack1\n";
    /// assert_eq!(Topology::parse("machine.csv", csv).unwrap().nodes(), 4);
    /// assert!(Topology::parse("machine.csv", "host,switch\nnid[1-,s1\n").is_err());
    /// ```
    pub fn parse(file: &str, text: &str) -> Result<Self, ContextError> {
        let is_comment = |line: &&str| line.is_empty() || line.starts_with('#');
        let first = text.lines().map(str::trim).find(|line| !is_comment(line)).unwrap_or_default();
        let lower = first.to_ascii_lowercase();
        let is_yaml = file.ends_with(".yaml") || file.ends_with(".yml");
        let read = if is_yaml || lower == "---" || lower.starts_with("- ") {
            yaml(text)
        } else if lower.starts_with("switchname") || lower.starts_with("blockname") {
            slurm(text)
        } else if lower.starts_with('[') || file.ends_with(".toml") {
            toml(text)
        } else {
            csv(text)
        };
        let wrong = |(line, what)| ContextError::Format { file: file.to_owned(), line, what };
        read.map_err(wrong)
    }

    /// Nodes that it knows.
    pub fn nodes(&self) -> usize {
        self.nodes.len()
    }

    /// All nodes, by name.
    pub fn places(&self) -> impl Iterator<Item = NodePlace<'_>> {
        let mut all: Vec<_> = self.nodes.iter().collect();
        all.sort_by_key(|(host, _)| *host);
        all.into_iter().map(|(host, of)| NodePlace {
            host,
            switch: of.switch.as_deref(),
            parent_switch: of.parent_switch.as_deref(),
            enclosure: of.enclosure.as_deref(),
        })
    }

    /// Table `topology`: the nodes that these tables (`rank_host`, `process`)
    /// name, where this machine has them. A log may name a node with its domain.
    pub(super) fn table<'t>(
        &self,
        known: impl Iterator<Item = &'t Arc<dyn BatchSource>>,
    ) -> Arc<dyn BatchSource> {
        let mut hosts: BTreeSet<(i32, String)> = BTreeSet::new();
        for table in known {
            for of in Hosts::batches(table.as_ref()) {
                let host = |row| Some((of.log.value(row), of.host.get(row)?.to_owned()));
                hosts.extend((0..of.rows()).filter_map(host));
            }
        }
        let mut tables = Tables::new();
        for (log, host) in &hosts {
            let short = host.split('.').next().unwrap_or(host);
            let Some(place) = self.nodes.get(host).or_else(|| self.nodes.get(short)) else {
                continue;
            };
            tables.push_topology(TopologyRow {
                log: *log,
                host,
                switch: place.switch.as_deref(),
                parent_switch: place.parent_switch.as_deref(),
                enclosure: place.enclosure.as_deref(),
            });
        }
        let batches = tables.take(TableId::Topology).map(|table| vec![table.into_batch()]);
        Arc::new(Batches::new(TableId::Topology.def(), batches.unwrap_or_default()))
    }

    fn place(&mut self, node: String) -> &mut NodePosition {
        self.nodes.entry(node).or_default()
    }
}

/// `host,switch,parent_switch,enclosure`; hosts may be lists of SLURM's kind.
fn csv(text: &str) -> Result<Topology, Complaint> {
    let mut topology = Topology::default();
    let mut columns: Option<Vec<String>> = None;
    for record in records(text) {
        let (number, cells) = record?;
        let cells = host_lists_joined(cells);
        let Some(names) = &columns else {
            let names: Vec<String> = cells.iter().map(|cell| cell.to_ascii_lowercase()).collect();
            let allowed = ["host", "node", "switch", "parent_switch", "enclosure"];
            if let Some(other) = names.iter().find(|name| !allowed.contains(&name.as_str())) {
                let what = format!("column {other:?} is none of {}", allowed.join(", "));
                return Err(complaint(number, what));
            }
            if !names.iter().any(|name| name == "host" || name == "node") {
                return Err(complaint(number, "no column is called host"));
            }
            columns = Some(names);
            continue;
        };
        same_width(number, names, &cells)?;
        let cell = |name: &str| {
            let at = names.iter().position(|known| known == name)?;
            Some(cells[at].clone()).filter(|cell| !cell.is_empty())
        };
        let hosts = cell("host").or_else(|| cell("node")).unwrap_or_default();
        let hosts = expand(&hosts).map_err(|what| (number, what))?;
        if hosts.is_empty() {
            return Err(complaint(number, "the line names no node"));
        }
        for host in hosts {
            *topology.place(host) = NodePosition {
                switch: cell("switch"),
                parent_switch: cell("parent_switch"),
                enclosure: cell("enclosure"),
            };
        }
    }
    Ok(topology)
}

/// A list of hosts such as `nid[1,4]` is one cell, with quotes around it or without.
fn host_lists_joined(cells: Vec<String>) -> Vec<String> {
    let mut joined: Vec<String> = Vec::new();
    for cell in cells {
        match joined.last_mut() {
            Some(last) if last.matches('[').count() > last.matches(']').count() => {
                last.push(',');
                last.push_str(&cell);
            }
            _ => joined.push(cell),
        }
    }
    joined
}

/// SLURM's `topology.conf` of the tree plugin: leaf switches name nodes, those
/// above name switches.
fn slurm(text: &str) -> Result<Topology, Complaint> {
    let mut topology = Topology::default();
    let mut parents: HashMap<String, String> = HashMap::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.split('#').next().unwrap_or_default();
        let mut fields: HashMap<String, &str> = HashMap::new();
        for word in line.split_whitespace() {
            let (key, value) = word
                .split_once('=')
                .ok_or_else(|| complaint(number, format!("{word:?} is not KEY=VALUE")))?;
            fields.insert(key.to_ascii_lowercase(), value);
        }
        if fields.is_empty() {
            continue;
        }
        let name = fields.get("switchname").or_else(|| fields.get("blockname"));
        let name = *name.ok_or_else(|| complaint(number, "the line names no SwitchName"))?;
        // `scontrol` names the nodes below a switch of switches, too.
        let is_leaf = !fields.contains_key("switches");
        let nodes = fields.get("nodes").copied().filter(|_| is_leaf).unwrap_or_default();
        for node in expand(nodes).map_err(|what| (number, what))? {
            topology.place(node).switch = Some(name.to_owned());
        }
        for switch in expand(fields.get("switches").copied().unwrap_or_default())
            .map_err(|what| (number, what))?
        {
            parents.insert(switch, name.to_owned());
        }
    }
    hang(&mut topology, &parents);
    Ok(topology)
}

/// SLURM's `topology.yaml`.
fn yaml(text: &str) -> Result<Topology, Complaint> {
    let (nodes, parents) = topology_yaml::read(text)?;
    let mut topology = Topology::default();
    for (node, switch) in nodes {
        topology.place(node).switch = Some(switch);
    }
    hang(&mut topology, &parents);
    Ok(topology)
}

/// Tables `[switch.NAME]` with `nodes` and `parent`, `[enclosure.NAME]` with
/// `nodes`.
fn toml(text: &str) -> Result<Topology, Complaint> {
    let line_of = |at: usize| text.get(..at).map_or(1, |before| before.matches('\n').count() + 1);
    let table: toml::Table = text.parse().map_err(|e: toml::de::Error| {
        complaint(e.span().map_or(1, |span| line_of(span.start)), e.message())
    })?;
    // A value has no line of its own: that of its name is near enough.
    let line_with = |name: &str| line_of(text.find(name).unwrap_or_default());
    let mut topology = Topology::default();
    let mut parents: HashMap<String, String> = HashMap::new();
    for (kind, groups) in &table {
        let groups = groups.as_table().filter(|_| matches!(kind.as_str(), "switch" | "enclosure"));
        let groups = groups.ok_or_else(|| {
            complaint(line_with(kind), format!("{kind:?}: only [switch.NAME] and [enclosure.NAME]"))
        })?;
        for (name, group) in groups {
            let line = line_with(name);
            let group =
                group.as_table().ok_or_else(|| complaint(line, format!("{name:?} is no table")))?;
            for (key, value) in group {
                let value = value.as_str().ok_or_else(|| {
                    complaint(line_with(key), format!("{key} of {name:?} is no text"))
                })?;
                match (kind.as_str(), key.as_str()) {
                    (_, "nodes") => {
                        for node in expand(value).map_err(|what| (line, what))? {
                            let place = topology.place(node);
                            let of_kind = match kind.as_str() {
                                "switch" => &mut place.switch,
                                _ => &mut place.enclosure,
                            };
                            *of_kind = Some(name.clone());
                        }
                    }
                    ("switch", "parent") => {
                        parents.insert(name.clone(), value.to_owned());
                    }
                    _ => {
                        let what = format!("{key} of {name:?} is neither nodes nor parent");
                        return Err(complaint(line, what));
                    }
                }
            }
        }
    }
    hang(&mut topology, &parents);
    Ok(topology)
}

/// Gives each node the switch above its own. Of several levels that is the
/// next one; a switch that hangs on itself has none.
fn hang(topology: &mut Topology, parents: &HashMap<String, String>) {
    for place in topology.nodes.values_mut() {
        let parent = place.switch.as_ref().and_then(|switch| parents.get(switch));
        place.parent_switch = parent.filter(|p| Some(*p) != place.switch.as_ref()).cloned();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(topology: &Topology, node: &str) -> String {
        let place = topology.nodes.get(node).cloned().unwrap_or_default();
        let text = |of: Option<String>| of.unwrap_or_else(|| "-".into());
        [text(place.switch), text(place.parent_switch), text(place.enclosure)].join(" ")
    }

    #[test]
    fn three_formats_say_the_same() {
        let csv =
            "# ours\nhost,switch,parent_switch,enclosure\n\"n[1-2]\",s1,top,\nn[3,4],s2,top,\n";
        let slurm = "SwitchName=s1 Nodes=n[1-2]\nSwitchName=s2 Nodes=n[3,4] LinkSpeed=100\n\
                     SwitchName=top Switches=s[1-2]\n";
        let toml = "[switch.s1]\nnodes = \"n[1-2]\"\nparent = \"top\"\n\
                    [switch.s2]\nnodes = \"n[3,4]\"\nparent = \"top\"\n";
        for text in [csv, slurm, toml] {
            let topology = Topology::parse("machine", text).expect("is right");
            assert_eq!(topology.nodes(), 4);
            assert_eq!(place(&topology, "n2"), "s1 top -", "{text}");
            assert_eq!(place(&topology, "n4"), "s2 top -", "{text}");
        }
    }

    #[test]
    fn enclosures_are_named_in_csv_and_toml() {
        let toml = "[enclosure.rack1]\nnodes = \"a,b\"\n";
        assert_eq!(place(&Topology::parse("t", toml).expect("is right"), "b"), "- - rack1");
        let csv = "node,enclosure\nb,rack1\n";
        assert_eq!(place(&Topology::parse("t", csv).expect("is right"), "b"), "- - rack1");
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        for (text, line) in [
            ("host,switch\nn1,s1\nn2\n", 3),
            ("host,colour\nn1,red\n", 1),
            ("switch\ns1\n", 1),
            ("host,switch\n,s1\n", 2),
            ("host,switch\nn[1-,s1\n", 2),
            ("SwitchName=s1 Nodes=n1\nNodes=n2\n", 2),
            ("SwitchName=s1 n1\n", 1),
            ("[switch.s1]\nnodes = \"n1\"\ncolour = \"red\"\n", 1),
            ("[switch.s1]\nnodes = 7\n", 2),
            ("[switch.s1\n", 1),
            ("[rack.s1]\nnodes = \"n1\"\n", 1),
        ] {
            match Topology::parse("t", text) {
                Err(ContextError::Format { line: found, .. }) => assert_eq!(found, line, "{text}"),
                other => panic!("{text}: {other:?}"),
            }
        }
    }
}
