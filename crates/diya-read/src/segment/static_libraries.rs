//! Libraries that are part of a program's own file, whose calls no hook sees.
//!
//! The recorder stands before shared libraries. The calls of one that is linked into the
//! program go from there to there, and only the POSIX calls below them are recorded.

use super::process::Outcome;
use super::run_facts::Resolver;
use diya_model::Layer;
use diya_tables::{Issue, IssueKind, Tables};
use std::collections::{BTreeMap, HashSet};

/// A library, by a function that every program with it has.
struct Library {
    /// As checks of its layers begin.
    module: &'static str,
    name: &'static str,
    function: &'static str,
    layers: &'static [Layer],
}

const LIBRARIES: [Library; 4] = [
    Library {
        module: "hdf5",
        name: "HDF5",
        function: "H5Fopen",
        layers: &[Layer::Hdf5File, Layer::Hdf5Dataset, Layer::Hdf5Other],
    },
    Library { module: "netcdf", name: "NetCDF", function: "nc_open", layers: &[Layer::Netcdf] },
    Library {
        module: "pnetcdf",
        name: "PnetCDF",
        function: "ncmpi_open",
        layers: &[Layer::PnetcdfFile, Layer::PnetcdfVar],
    },
    Library { module: "mpiio", name: "MPI", function: "MPI_File_open", layers: &[Layer::Mpiio] },
];

/// Programs of the run, by their path.
#[derive(Debug, Default)]
pub(super) struct Programs(BTreeMap<String, Program>);

#[derive(Debug, Default)]
struct Program {
    processes: u64,
    /// Numbers of layers with calls.
    layers: HashSet<u8>,
}

impl Programs {
    pub fn add(&mut self, outcome: &Outcome) {
        let program = self.0.entry(outcome.header.exe.clone()).or_default();
        program.processes += 1;
        let layers = outcome.sums.functions.rows().iter().map(|((_, _, layer, _), _)| *layer);
        program.layers.extend(layers);
    }

    /// Says which libraries are in the programs and have no calls.
    pub fn issues(&self, log: i32, resolver: &dyn Resolver, tables: &mut Tables) {
        for (path, program) in &self.0 {
            let is_seen = |library: &Library| {
                library.layers.iter().any(|layer| program.layers.contains(&layer.number()))
            };
            let asked: Vec<&Library> = LIBRARIES.iter().filter(|one| !is_seen(one)).collect();
            let functions: Vec<&str> = asked.iter().map(|library| library.function).collect();
            let defined = resolver.defined(path, &functions);
            for library in asked.iter().filter(|one| defined.contains(&one.function)) {
                let name = path.rsplit('/').next().unwrap_or(path);
                let effect = format!(
                    "{} is linked into {name} statically: its calls are not recorded, the POSIX \
                     calls that it makes are; link it as a shared library",
                    library.name
                );
                let issue = Issue::of_log(IssueKind::StaticLibrary, &effect);
                let (module, count) = (Some(library.module), Some(program.processes));
                tables.push_issue(log, Issue { module, count, ..issue });
            }
        }
    }
}
