//! Software layers and operations: the two words that classify a call.

/// Names both ways, and the numbers of the recorder (from 1, in this order).
macro_rules! names {
    ($type:ident { $($variant:ident $name:literal,)* }) => {
        impl $type {
            /// All of them, in the order of the recorder's numbers.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// Name, as in the tables.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// The one with this name.
            pub fn from_name(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$variant),)*
                    _ => None,
                }
            }
        }
    };
}

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

/// What a call does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)] // the names say it
pub enum Op {
    Open = 1,
    Close,
    Read,
    Write,
    Seek,
    Stat,
    Sync,
    Datasync,
    Truncate,
    Allocate,
    Advise,
    Map,
    Unmap,
    SyncMap,
    Dup,
    Control,
    Rename,
    Unlink,
    Make,
    List,
    Link,
    Attribute,
    Flush,
    View,
    Info,
    Submit,
    Wait,
    Create,
    Lock,
    Spawn,
    Other,
}

names!(Op {
    Open "open",
    Close "close",
    Read "read",
    Write "write",
    Seek "seek",
    Stat "stat",
    Sync "sync",
    Datasync "datasync",
    Truncate "truncate",
    Allocate "allocate",
    Advise "advise",
    Map "map",
    Unmap "unmap",
    SyncMap "sync_map",
    Dup "dup",
    Control "control",
    Rename "rename",
    Unlink "unlink",
    Make "make",
    List "list",
    Link "link",
    Attribute "attribute",
    Flush "flush",
    View "view",
    Info "info",
    Submit "submit",
    Wait "wait",
    Create "create",
    Lock "lock",
    Spawn "spawn",
    Other "other",
});

impl Op {
    /// Number of the operation in the recorder, from 1.
    pub fn number(self) -> u8 {
        self as u8
    }

    /// The operation with this number of the recorder.
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number).checked_sub(1)?).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_lead_back() {
        for (number, &op) in (1..).zip(Op::ALL) {
            assert_eq!((op.number(), Op::from_number(number)), (number, Some(op)));
            assert_eq!(Op::from_name(op.name()), Some(op));
        }
        assert_eq!((Op::from_number(0), Op::from_number(32)), (None, None));
        assert!(Layer::ALL.iter().all(|&layer| Layer::from_name(layer.name()) == Some(layer)));
    }
}
