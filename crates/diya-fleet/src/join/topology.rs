//! Where the nodes of a machine stand: `topology.conf`, `topology.yaml`, the output of `scontrol
//! show topology`, CSV or TOML.

use super::{Fault, Sink};
use crate::generated::NodePlaceRow;
use diya::context::Topology;
use std::path::Path;

pub fn read(path: &Path, text: &str, sink: &mut Sink<'_>) -> Result<(), Fault> {
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    let topology = Topology::parse(&file, text).map_err(|error| Fault::File(error.to_string()))?;
    if topology.nodes() == 0 {
        return Err(Fault::File("it names no node".to_owned()));
    }
    let start = sink.changed;
    for of in topology.places() {
        let host = of.host.split('.').next().unwrap_or(of.host);
        let identity =
            format!("{host}\0{:?}\0{:?}\0{:?}", of.switch, of.parent_switch, of.enclosure);
        let names = sink.names;
        let [leaf, node_group, enclosure] = [of.switch, of.parent_switch, of.enclosure]
            .map(|name| name.map(|name| names.text("host", name)));
        let host = names.text("host", host);
        sink.row(identity.as_bytes(), Some(start), |row_hash, table| {
            NodePlaceRow {
                row_hash,
                start_time: Some(start),
                host: &host,
                leaf: leaf.as_deref(),
                node_group: node_group.as_deref(),
                enclosure: enclosure.as_deref(),
            }
            .push(table);
        })?;
    }
    Ok(())
}
