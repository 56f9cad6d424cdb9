//! What one rank, or all of them together, did with a file in one layer.

use super::cells::{Cells, batches};
use diya::model::{Layer, Role, SizeBin, recorded_time};
use diya_tables::{BatchSource, TableDef};

/// A record of a layer. A field is `None` if the layer, or this version of it, does not record it.
#[derive(Debug, Clone, Default)]
pub struct Use {
    pub layer: Option<Layer>,
    pub file_id: u64,
    /// -1: all ranks.
    pub rank: i32,
    pub opens: Option<i64>,
    /// Calls that Darshan counts as opens although they open nothing: `fileno`, `dup`.
    pub counted_as_opens: Option<i64>,
    pub reads: Option<i64>,
    pub writes: Option<i64>,
    pub stats: Option<i64>,
    pub syncs: Option<i64>,
    pub bytes_read: Option<i64>,
    pub bytes_written: Option<i64>,
    pub read_s: Option<f64>,
    pub write_s: Option<f64>,
    pub metadata_s: Option<f64>,
    /// Record of all ranks: time in calls of the slowest rank, and of the fastest.
    pub slowest_of_all_s: Option<f64>,
    pub fastest_of_all_s: Option<f64>,
    pub max_offset: Option<i64>,
    /// Start of the first call and end of the last one, in seconds since the start of the job.
    pub first_s: Option<f64>,
    pub last_s: Option<f64>,
    pub read_span_s: Option<(f64, f64)>,
    pub write_span_s: Option<(f64, f64)>,
    /// POSIX, numbers of calls: reads up to 1 MiB, reads up to 10 KiB, writes up to 1 MiB, writes
    /// up to 10 KiB.
    pub small: Option<[i64; 4]>,
    /// POSIX: reads and writes that are not aligned to the block size of the file system.
    pub unaligned: Option<i64>,
}

impl Use {
    /// Time in read, write and metadata calls, summed over all ranks of the record.
    pub fn time_s(&self) -> Option<f64> {
        sum([self.read_s, self.write_s, self.metadata_s])
    }

    /// Time in calls of the slowest rank of the record. If it is not recorded, the sum over the
    /// ranks.
    pub fn slowest_s(&self) -> Option<f64> {
        if self.rank < 0 { self.slowest_of_all_s.or_else(|| self.time_s()) } else { self.time_s() }
    }

    /// Time in calls of the fastest rank.
    pub fn fastest_s(&self) -> Option<f64> {
        if self.rank < 0 { self.fastest_of_all_s } else { self.time_s() }
    }

    pub fn bytes(&self) -> Option<i64> {
        sum([self.bytes_read, self.bytes_written])
    }
}

/// Sum of the values that are recorded; `None` if none is.
pub fn sum<T: std::ops::Add<Output = T> + Copy>(
    values: impl IntoIterator<Item = Option<T>>,
) -> Option<T> {
    values.into_iter().flatten().reduce(|a, b| a + b)
}

/// The columns of a layer from which a [`Use`] is made, found by their role.
struct Columns {
    /// Columns to read, those of the key first.
    all: Vec<usize>,
    /// Role of each column after the key.
    roles: Vec<Role>,
    /// Index in `all` of the first of five size classes of reads, and of five of writes.
    sizes: Option<[usize; 2]>,
    unaligned: Option<usize>,
}

const KEY: [&str; 3] = ["log", "file_id", "rank"];

impl Columns {
    fn of(def: &TableDef) -> Self {
        let mut all = super::cells::columns(def, &KEY);
        let mut roles = Vec::new();
        for (number, column) in def.columns.iter().enumerate() {
            if let Some(role) = column.role {
                all.push(number);
                roles.push(role);
            }
        }
        let mut sizes = None;
        let bin = SizeBin::ALL[0].name;
        let first = ["read", "write"].map(|op| def.column(&format!("size_{op}_{bin}")));
        if let [Some(read), Some(write)] = first {
            sizes = Some([all.len(), all.len() + 5]);
            all.extend(read..read + 5);
            all.extend(write..write + 5);
        }
        let unaligned = def.column("file_not_aligned");
        all.extend(unaligned);
        Self { unaligned: unaligned.map(|_| all.len() - 1), all, roles, sizes }
    }

    fn read(&self, cells: &Cells<'_>, row: usize) -> Use {
        let mut of = Use {
            file_id: cells.u64(1, row).unwrap_or(0),
            rank: cells.i32(2, row).unwrap_or(-1),
            ..Use::default()
        };
        for (place, role) in self.roles.iter().enumerate() {
            let column = KEY.len() + place;
            let count = || cells.i64(column, row);
            let moment = || cells.f64(column, row);
            let time = || cells.f64(column, row).and_then(recorded_time);
            match role {
                Role::Open => add(&mut of.opens, count()),
                Role::CountedAsOpen => add(&mut of.counted_as_opens, count()),
                Role::Read => add(&mut of.reads, count()),
                Role::Write => add(&mut of.writes, count()),
                Role::Stat => add(&mut of.stats, count()),
                Role::Sync => add(&mut of.syncs, count()),
                Role::BytesRead => add(&mut of.bytes_read, count()),
                Role::BytesWritten => add(&mut of.bytes_written, count()),
                Role::MaxOffset => of.max_offset = of.max_offset.max(count()),
                Role::ReadTime => add(&mut of.read_s, time()),
                Role::WriteTime => add(&mut of.write_s, time()),
                Role::MetadataTime => add(&mut of.metadata_s, time()),
                Role::SlowestTime => add(&mut of.slowest_of_all_s, time()),
                Role::FastestTime => add(&mut of.fastest_of_all_s, time()),
                Role::OpenStart | Role::CloseStart => earliest(&mut of.first_s, moment()),
                Role::OpenEnd | Role::CloseEnd => latest(&mut of.last_s, moment()),
                Role::ReadStart => begin(&mut of.first_s, &mut of.read_span_s, moment()),
                Role::WriteStart => begin(&mut of.first_s, &mut of.write_span_s, moment()),
                Role::ReadEnd => end(&mut of.last_s, &mut of.read_span_s, moment()),
                Role::WriteEnd => end(&mut of.last_s, &mut of.write_span_s, moment()),
                _ => {}
            }
        }
        of.unaligned = self.unaligned.and_then(|column| cells.i64(column, row));
        of.small = self.sizes.and_then(|[read, write]| {
            let up_to = |from: usize, classes: usize| {
                sum((from..from + classes).map(|column| cells.i64(column, row)))
            };
            // Classes end at 100 B, 1 KiB, 10 KiB, 100 KiB and 1 MiB, inclusive.
            let [a, b, c, d] = [up_to(read, 5), up_to(read, 3), up_to(write, 5), up_to(write, 3)];
            Some([a?, b?, c?, d?])
        });
        of
    }
}

/// Only POSIX counts the requests that the file system gets, so only POSIX has size classes and
/// unaligned requests here.
fn is_of_files(layer: Layer) -> bool {
    layer == Layer::Posix
}

/// Every record of a layer, with the number of its log.
pub fn each(table: &dyn BatchSource, layer: Layer, visit: &mut dyn FnMut(i32, Use)) {
    let mut columns = Columns::of(table.def());
    if !is_of_files(layer) {
        (columns.sizes, columns.unaligned) = (None, None);
    }
    batches(table, &columns.all, &mut |cells| {
        for row in 0..cells.rows() {
            let mut of = columns.read(cells, row);
            of.layer = Some(layer);
            if let Some(log) = cells.i32(0, row) {
                visit(log, of);
            }
        }
    });
}

fn add<T: std::ops::Add<Output = T> + Copy>(to: &mut Option<T>, value: Option<T>) {
    *to = sum([*to, value]);
}

fn earliest(to: &mut Option<f64>, value: Option<f64>) {
    if let Some(value) = value.filter(|value| value.is_finite()) {
        *to = Some(to.map_or(value, |to| to.min(value)));
    }
}

fn latest(to: &mut Option<f64>, value: Option<f64>) {
    if let Some(value) = value.filter(|value| value.is_finite()) {
        *to = Some(to.map_or(value, |to| to.max(value)));
    }
}

fn begin(first: &mut Option<f64>, span: &mut Option<(f64, f64)>, value: Option<f64>) {
    earliest(first, value);
    if let Some(value) = value.filter(|value| value.is_finite()) {
        *span = Some((value, span.map_or(value, |(_, end)| end.max(value))));
    }
}

fn end(last: &mut Option<f64>, span: &mut Option<(f64, f64)>, value: Option<f64>) {
    latest(last, value);
    if let Some(value) = value.filter(|value| value.is_finite()) {
        *span = Some(span.map_or((value, value), |(start, _)| (start.min(value), value)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_recorded_adds_nothing() {
        assert_eq!(sum([Some(2), None, Some(3)]), Some(5));
        assert_eq!(sum::<i64>([None, None]), None);
    }

    #[test]
    fn a_record_of_all_ranks_counts_by_its_slowest() {
        let all =
            Use { rank: -1, read_s: Some(8.0), slowest_of_all_s: Some(3.0), ..Use::default() };
        assert_eq!((all.time_s(), all.slowest_s()), (Some(8.0), Some(3.0)));
        let one = Use { rank: 2, ..all };
        assert_eq!(one.slowest_s(), Some(8.0));
    }
}
