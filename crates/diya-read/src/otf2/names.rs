//! Regions become functions, paradigms of I/O become layers.

use super::definitions::{Definitions, Region};
use crate::assemble::{Known, known_function};
use diya_model::{Layer, MessageFunction, Op};

/// Roles of regions that read or write files, or look at them.
const FILE_IO: u8 = 27;
const FILE_IO_METADATA: u8 = 38;

/// A region as the tables see it.
#[derive(Debug)]
pub(super) struct Part {
    pub name: String,
    /// The paradigm: `mpi`, `user`, `compiler`, ...; empty: not recorded.
    pub category: String,
    /// The function of diya's list that has this name.
    pub known: Option<Known<'static>>,
    /// The function about messages that has this name.
    pub message: Option<&'static MessageFunction>,
    /// A call, whatever its name.
    pub is_io: bool,
}

impl Part {
    pub fn of(region: &Region, definitions: &Definitions<'_>) -> Self {
        let name = definitions.text(region.name).into_owned();
        let paradigm = definitions.paradigms.get(region.paradigm.into());
        let category = paradigm.map_or_else(String::new, |name| definitions.text(*name).into());
        let known = known_function(&name).map(Known::from);
        let is_io = known.is_some() || matches!(region.role, FILE_IO | FILE_IO_METADATA);
        let message = MessageFunction::named(&name);
        Self { name, category, known, message, is_io }
    }
}

/// The layer of a paradigm; `None`: one that diya has no layer for.
pub(super) fn layer(identification: &str) -> Option<Layer> {
    // Names that OTF2 and Score-P use, and no other tool.
    Layer::of_software(match identification.to_ascii_lowercase().as_str() {
        "isoc" => "stdio",
        "mpi" => "mpiio",
        "netcdf4" => "netcdf",
        _ => identification,
    })
}

/// The layer of calls of this kind.
pub(super) fn layer_of(layer: Layer, op: Op) -> Layer {
    if matches!(op, Op::Read | Op::Write) { layer } else { layer.of_file() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paradigms_are_layers() {
        let layers = ["ISOC", "MPI-IO", "netCDF4"].map(layer);
        assert_eq!(layers, [Layer::Stdio, Layer::Mpiio, Layer::Netcdf].map(Some));
        assert_eq!(layer("ADIOS"), None);
        assert_eq!(layer_of(Layer::Hdf5Dataset, Op::Open), Layer::Hdf5File);
    }
}
