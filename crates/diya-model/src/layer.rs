//! Software layers: where in the stack a call is made.

use crate::names::names;

/// Software layer a call was made in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)] // the names say it
pub enum Layer {
    Posix,
    Mpiio,
    Stdio,
    Hdf5File,
    Hdf5Dataset,
    PnetcdfFile,
    PnetcdfVar,
    Dfs,
    Daos,
    /// NetCDF-C calls.
    Netcdf,
    /// HDF5 calls on what is neither a file nor a dataset.
    Hdf5Other,
}

names!(Layer {
    Posix "posix",
    Mpiio "mpiio",
    Stdio "stdio",
    Hdf5File "hdf5_file",
    Hdf5Dataset "hdf5_dataset",
    PnetcdfFile "pnetcdf_file",
    PnetcdfVar "pnetcdf_var",
    Dfs "dfs",
    Daos "daos",
    Netcdf "netcdf",
    Hdf5Other "hdf5_other",
});

impl Layer {
    /// The layers of the recorder, in the order of their numbers in a segment, from 1.
    pub const RECORDED: [Self; 9] = [
        Self::Posix,
        Self::Stdio,
        Self::Mpiio,
        Self::Hdf5File,
        Self::Hdf5Dataset,
        Self::Hdf5Other,
        Self::PnetcdfFile,
        Self::PnetcdfVar,
        Self::Netcdf,
    ];

    /// From the file system up to the program. A layer counts the bytes of those above it
    /// once more: of several that saw a file, the first is what reached the file system.
    pub const BOTTOM_UP: [Self; 11] = [
        Self::Posix,
        Self::Dfs,
        Self::Daos,
        Self::Stdio,
        Self::Mpiio,
        Self::Hdf5Dataset,
        Self::PnetcdfVar,
        Self::Hdf5File,
        Self::PnetcdfFile,
        Self::Hdf5Other,
        Self::Netcdf,
    ];

    /// The software that the layer belongs to, as its users write it.
    pub const fn software(self) -> &'static str {
        match self {
            Self::Posix => "POSIX",
            Self::Stdio => "STDIO",
            Self::Mpiio => "MPI-IO",
            Self::Hdf5File | Self::Hdf5Dataset | Self::Hdf5Other => "HDF5",
            Self::PnetcdfFile | Self::PnetcdfVar => "PnetCDF",
            Self::Netcdf => "NetCDF",
            Self::Dfs | Self::Daos => "DAOS",
        }
    }

    /// Short name of its software: that of the layer up to `_`.
    pub fn family(self) -> &'static str {
        let name = self.name();
        name.split_once('_').map_or(name, |(family, _)| family)
    }

    /// The layer whose calls move the data of a software, by any spelling of its name: `HDF5`,
    /// `MPI-IO`, `mpi_io`.
    pub fn of_software(name: &str) -> Option<Self> {
        let letters = |text: &str| -> Vec<u8> {
            let letters = text.bytes().filter(u8::is_ascii_alphanumeric);
            letters.map(|byte| byte.to_ascii_lowercase()).collect()
        };
        let name = letters(name);
        Self::BOTTOM_UP.into_iter().find(|layer| letters(layer.software()) == name)
    }

    /// The layer of the calls of the same software that concern a file, not the data in it.
    pub const fn of_file(self) -> Self {
        match self {
            Self::Hdf5Dataset => Self::Hdf5File,
            Self::PnetcdfVar => Self::PnetcdfFile,
            layer => layer,
        }
    }

    /// Is it a library above MPI-IO and the file system?
    pub const fn is_library(self) -> bool {
        self.depth() < Self::Mpiio.depth()
    }

    /// Number in a segment; 0: the recorder does not know the layer.
    pub const fn number(self) -> u8 {
        match self {
            Self::Dfs | Self::Daos => 0,
            Self::Posix => 1,
            Self::Stdio => 2,
            Self::Mpiio => 3,
            Self::Hdf5File => 4,
            Self::Hdf5Dataset => 5,
            Self::Hdf5Other => 6,
            Self::PnetcdfFile => 7,
            Self::PnetcdfVar => 8,
            Self::Netcdf => 9,
        }
    }

    /// The layer with this number in a segment.
    pub fn from_number(number: u8) -> Option<Self> {
        Self::RECORDED.get(usize::from(number).checked_sub(1)?).copied()
    }

    /// How far below the program the layer is: its calls run inside calls of
    /// layers with smaller numbers only.
    pub const fn depth(self) -> u8 {
        match self {
            Self::Netcdf => 0,
            Self::Hdf5File
            | Self::Hdf5Dataset
            | Self::Hdf5Other
            | Self::PnetcdfFile
            | Self::PnetcdfVar => 1,
            Self::Mpiio => 2,
            Self::Posix | Self::Stdio | Self::Dfs => 3,
            Self::Daos => 4,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_from_the_bottom_has_every_layer_and_follows_the_depth() {
        assert!(Layer::ALL.iter().all(|layer| Layer::BOTTOM_UP.contains(layer)));
        // DAOS is below DFS, and neither is below POSIX: those share a depth here.
        let depths = Layer::BOTTOM_UP.map(|layer| layer.depth().min(Layer::Posix.depth()));
        assert!(depths.is_sorted_by(|a, b| a >= b), "{depths:?}");
    }

    #[test]
    fn a_software_is_found_by_any_spelling() {
        for (name, expected) in [
            ("POSIX", Layer::Posix),
            ("mpi_io", Layer::Mpiio),
            ("hdf5", Layer::Hdf5Dataset),
            ("netCDF", Layer::Netcdf),
            ("PnetCDF", Layer::PnetcdfVar),
        ] {
            assert_eq!(Layer::of_software(name), Some(expected), "{name}");
        }
        assert_eq!(Layer::of_software("ADIOS"), None);
    }

    #[test]
    fn names_and_numbers_lead_back() {
        assert!(Layer::ALL.iter().all(|&layer| Layer::from_name(layer.name()) == Some(layer)));
        for (number, layer) in (1..).zip(Layer::RECORDED) {
            assert_eq!((layer.number(), Layer::from_number(number)), (number, Some(layer)));
        }
        assert_eq!((Layer::from_number(0), Layer::from_number(10)), (None, None));
    }
}
