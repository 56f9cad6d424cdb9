//! The files of a job, at the layers that touch the file system.

use super::At;
use super::log_facts::{LogFacts, Name};
use super::place;
use super::stripes::Layout;
use super::usage::{Use, sum};
use crate::generated::RecordRow;
use crate::names::Names;
use crate::round::to_16_bits;
use diya::model::Layer;
use diya_tables::TableBuilder;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A file of a job.
#[derive(Debug)]
pub struct JobFile<'l> {
    pub file_id: u64,
    /// Records of the layers that touch the file system; of MPI-IO where these have none.
    pub uses: Vec<&'l Use>,
    /// Records that say how long it took: those of MPI-IO instead of POSIX where these
    /// took longer. Their calls contain those of POSIX and the waiting of ranks for each
    /// other, so that time is spent in I/O as well.
    pub timed: Vec<&'l Use>,
    /// Layers with a record of it.
    pub layers: BTreeSet<Layer>,
    pub ranks: Option<i64>,
    pub is_shared: bool,
    pub is_stream: bool,
    pub opens: Option<i64>,
    pub reads: Option<i64>,
    pub writes: Option<i64>,
    pub bytes_read: Option<i64>,
    pub bytes_written: Option<i64>,
    pub read_s: Option<f64>,
    pub write_s: Option<f64>,
    pub metadata_s: Option<f64>,
    pub slowest_s: Option<f64>,
    pub extent_bytes: Option<i64>,
    pub mpiio_bytes: Option<[i64; 2]>,
    pub mpiio_slowest_s: Option<f64>,
}

impl JobFile<'_> {
    pub fn name<'n>(&self, log: &'n LogFacts) -> Option<&'n Name> {
        log.names.get(&self.file_id)
    }

    pub fn path<'n>(&self, log: &'n LogFacts) -> &'n str {
        self.name(log).and_then(|name| name.path.as_deref()).unwrap_or_default()
    }

    pub fn has_read(&self) -> bool {
        self.bytes_read.is_some_and(|bytes| bytes > 0)
    }

    pub fn has_written(&self) -> bool {
        self.bytes_written.is_some_and(|bytes| bytes > 0)
    }
}

/// Layers that touch the file system.
pub fn touches_files(layer: Layer) -> bool {
    matches!(layer, Layer::Posix | Layer::Stdio | Layer::Dfs)
}

/// The files of a job, by their id.
pub fn files(log: &LogFacts) -> Vec<JobFile<'_>> {
    let mut by_file: BTreeMap<u64, Vec<&Use>> = BTreeMap::new();
    let in_files = |layer| touches_files(layer) || layer == Layer::Mpiio;
    // DAOS objects lie below DFS files; alone they are all that there is.
    let is_daos_only = !log.uses.iter().filter_map(|u| u.layer).any(in_files);
    for of in &log.uses {
        let is_selected = |layer: Layer| in_files(layer) || (is_daos_only && layer == Layer::Daos);
        if of.layer.is_some_and(is_selected) {
            by_file.entry(of.file_id).or_default().push(of);
        }
    }
    by_file.into_iter().map(|(file_id, uses)| file(log, file_id, uses)).collect()
}

fn file<'l>(log: &'l LogFacts, file_id: u64, all: Vec<&'l Use>) -> JobFile<'l> {
    let layers: BTreeSet<Layer> = all.iter().filter_map(|u| u.layer).collect();
    let has_lower = layers.iter().any(|layer| *layer != Layer::Mpiio);
    let is_mpiio = |u: &&&Use| u.layer == Some(Layer::Mpiio);
    let mpiio = || all.iter().filter(is_mpiio);
    let mpiio_bytes = layers.contains(&Layer::Mpiio).then(|| {
        [
            sum(mpiio().map(|u| u.bytes_read)).unwrap_or(0),
            sum(mpiio().map(|u| u.bytes_written)).unwrap_or(0),
        ]
    });
    let uses: Vec<&Use> = all.iter().filter(|u| !has_lower || !is_mpiio(u)).copied().collect();
    let mut ranks: Vec<i32> = uses.iter().map(|u| u.rank).collect();
    ranks.sort_unstable();
    ranks.dedup();
    let is_single = log.nprocs == Some(1);
    let is_of_all = ranks.iter().any(|rank| *rank < 0) && !is_single;
    let of_mpiio: Vec<&Use> = mpiio().copied().collect();
    let mpiio_slowest_s = slowest_s(&of_mpiio);
    let posix = || uses.iter().filter(|u| u.layer == Some(Layer::Posix)).copied();
    let is_longer = has_lower
        && mpiio_slowest_s.is_some()
        && mpiio_slowest_s > slowest_s(&posix().collect::<Vec<_>>());
    let timed = if is_longer {
        let others = uses.iter().filter(|u| u.layer != Some(Layer::Posix)).copied();
        others.chain(of_mpiio).collect()
    } else {
        uses.clone()
    };
    let slowest_s = slowest_s(&uses);
    let name = log.names.get(&file_id).and_then(|name| name.path.as_deref());
    JobFile {
        file_id,
        layers,
        ranks: (!is_of_all).then_some(ranks.len() as i64),
        is_shared: is_of_all || ranks.len() > 1,
        is_stream: name.is_some_and(place::is_stream),
        opens: sum(uses.iter().map(|u| u.opens)),
        reads: sum(uses.iter().map(|u| u.reads)),
        writes: sum(uses.iter().map(|u| u.writes)),
        bytes_read: sum(uses.iter().map(|u| u.bytes_read)),
        bytes_written: sum(uses.iter().map(|u| u.bytes_written)),
        read_s: sum(uses.iter().map(|u| u.read_s)),
        write_s: sum(uses.iter().map(|u| u.write_s)),
        metadata_s: sum(uses.iter().map(|u| u.metadata_s)),
        slowest_s,
        extent_bytes: uses
            .iter()
            .filter(|u| u.bytes().is_some_and(|bytes| bytes > 0))
            .filter_map(|u| u.max_offset)
            .max()
            .map(|offset| offset.saturating_add(1)),
        mpiio_bytes,
        mpiio_slowest_s,
        timed,
        uses,
    }
}

/// Most time of a rank in its own records of the file, and of the slowest in those of all.
fn slowest_s(uses: &[&Use]) -> Option<f64> {
    let of_own = |of: &&&Use| (of.rank >= 0).then(|| Some((of.rank, of.time_s()?))).flatten();
    let mut own: Vec<(i32, f64)> = uses.iter().filter_map(|of| of_own(&of)).collect();
    own.sort_by_key(|(rank, _)| *rank);
    let of_rank = |records: &[(i32, f64)]| records.iter().map(|(_, time_s)| time_s).sum::<f64>();
    let own = own.chunk_by(|a, b| a.0 == b.0).map(of_rank).reduce(f64::max);
    let shared = uses.iter().filter(|u| u.rank < 0).map(|u| u.slowest_s());
    sum([own, sum(shared)])
}

/// Rows of `record`.
pub fn push(
    log: &LogFacts,
    files: &[JobFile<'_>],
    layouts: &HashMap<u64, Layout>,
    at: At,
    names: &Names,
    out: &mut TableBuilder,
) {
    for file in files {
        let name = file.name(log);
        let path = file.path(log);
        // The end of a path says nothing of where it lies.
        let whole = name.filter(|name| !name.is_end && name.path.is_some());
        let mount = name.and_then(|name| name.mount.as_deref());
        let prefix = whole.filter(|_| !file.is_stream).map(|_| place::prefix(path, mount));
        let prefix = prefix.as_deref().map(|prefix| names.path("dir", prefix));
        let suffix = Some(path).filter(|_| !file.is_stream).and_then(place::suffix);
        let mount = mount.map(|mount| names.path("mount", mount));
        let layers: Vec<&str> = file.layers.iter().map(|layer| layer.name()).collect();
        let fs_type = name.and_then(|name| name.fs_type.as_deref());
        let layout = layouts.get(&file.file_id);
        let time = |value: Option<f64>| value.map(to_16_bits);
        let earliest = file.uses.iter().filter_map(|u| u.first_s).reduce(f64::min);
        let latest = file.uses.iter().filter_map(|u| u.last_s).reduce(f64::max);
        let small = file.uses.iter().map(|u| u.small.map(|[reads, _, writes, _]| reads + writes));
        RecordRow {
            log_hash: at.log_hash,
            start_time: at.start,
            file_hash: file_hash(names, path, file.file_id),
            prefix: prefix.as_deref().filter(|_| !names.is_release),
            suffix: suffix.as_deref().map(|suffix| names.suffix(suffix)),
            mount: mount.as_deref(),
            mount_class: place::mount_class(path, fs_type),
            layers: &layers.join("+"),
            ranks: file.ranks,
            is_shared: file.is_shared,
            opens: file.opens,
            reads: file.reads,
            writes: file.writes,
            bytes_read: file.bytes_read,
            bytes_written: file.bytes_written,
            read_s: time(file.read_s),
            write_s: time(file.write_s),
            metadata_s: time(file.metadata_s),
            slowest_s: time(file.slowest_s),
            first_s: time(earliest),
            last_s: time(latest),
            extent_bytes: file.extent_bytes,
            small_calls: sum(small),
            unaligned_calls: sum(file.uses.iter().map(|u| u.unaligned)),
            mpiio_slowest_s: time(file.mpiio_slowest_s),
            mpiio_bytes_read: file.mpiio_bytes.map(|[read, _]| read),
            mpiio_bytes_written: file.mpiio_bytes.map(|[_, written]| written),
            stripe_count: layout.and_then(|layout| layout.stripe_count),
            stripe_bytes: layout.and_then(|layout| layout.stripe_bytes),
            ost_id: layout.and_then(Layout::only_target),
        }
        .push(out);
    }
}

/// Identity of a file across jobs: that of its path; of its id where it has none.
pub fn file_hash(names: &Names, path: &str, file_id: u64) -> i64 {
    match path {
        "" => names.hash("file id", &file_id.to_le_bytes()),
        path => names.hash("file", path.as_bytes()),
    }
}
