//! Which layers a record counts, and to which of them the shared counters belong.
//!
//! A legacy record has one set of counters for bytes, sizes and times of POSIX
//! calls *and* C stream calls, and one set of points in time for both of them
//! and MPI-IO. A table gets a row when the record counts a call of its layer.
//! The shared counters go to streams only where POSIX calls moved no data.
//!
//! Source: the hooks of darshan-posix.c and darshan-mpi-io.c (2.x), which
//! update the same counters from both sides.

use super::counters::*;
use super::record::Record;

/// Layers of a record.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Layers {
    pub has_posix: bool,
    pub has_stdio: bool,
    pub has_mpiio: bool,
    pub has_hdf5: bool,
    pub has_pnetcdf: bool,
    /// Bytes, sizes and times of data calls are those of streams alone.
    pub is_stream_data: bool,
    /// They are those of POSIX calls and of streams, in one sum.
    pub is_mixed_data: bool,
}

impl Layers {
    pub fn of(record: &Record<'_>) -> Self {
        let syncs = [POSIX_FSYNCS, POSIX_FDSYNCS];
        // The time of a sync is in the write time, so a sync is a data call here.
        let posix_data = record.has_any([POSIX_READS, POSIX_WRITES].into_iter().chain(syncs));
        let posix_rest = [POSIX_OPENS, POSIX_SEEKS, POSIX_STATS, POSIX_MMAPS];
        let stream_data = record.has_any([POSIX_FREADS, POSIX_FWRITES]);
        Self {
            has_posix: posix_data || record.has_any(posix_rest),
            has_stdio: stream_data || record.has_any([POSIX_FOPENS, POSIX_FSEEKS]),
            has_mpiio: record.has_any((INDEP_OPENS..=SYNCS).chain([HINTS, VIEWS])),
            has_hdf5: record.has_any([HDF5_OPENS]),
            has_pnetcdf: record.has_any([INDEP_NC_OPENS, COLL_NC_OPENS]),
            is_stream_data: stream_data && !posix_data,
            is_mixed_data: stream_data && posix_data,
        }
    }

    /// No call of any layer was counted.
    pub fn is_none(self) -> bool {
        let Self { has_posix, has_stdio, has_mpiio, has_hdf5, has_pnetcdf, .. } = self;
        !(has_posix || has_stdio || has_mpiio || has_hdf5 || has_pnetcdf)
    }

    /// Points in time are shared by several layers.
    pub fn shares_times(self) -> bool {
        let layers = [self.has_posix, self.has_stdio, self.has_mpiio];
        layers.into_iter().filter(|is_used| *is_used).count() > 1
    }
}
