//! One line per counter, its fields separated by tabs: module, rank, record id,
//! counter, value, name, mount point, file system type.

use super::counters::{Counter, Counters};
use super::modules::{Module, Printer};
use super::names::{Names, RecordName};
use super::text::Text;
use diya_tables::{TableId, daos, dfs, hdf5_dataset, pnetcdf_var};
use std::io;

/// What printf writes for a name that is not there.
pub(super) const NO_NAME: &str = "(null)";

/// darshan-parser gives BG/Q records this name when the log does not.
const BGQ_NAME: &str = "darshan-bgq-record";

const NOT_AVAILABLE: &str = "N/A";
const NO_UUID: &str = "00000000-0000-0000-0000-000000000000";

/// What every line of a record starts and ends with.
#[derive(Debug, Default)]
pub(super) struct Frame {
    start: Vec<u8>,
    end: Vec<u8>,
}

impl Frame {
    /// Lines of one record from here on.
    pub fn set(&mut self, module: &str, rank: i32, file_id: u64, place: &RecordName<'_>) {
        self.start.clear();
        self.start.extend_from_slice(module.as_bytes());
        self.start.push(b'\t');
        super::numbers::push_i64(&mut self.start, i64::from(rank));
        self.start.push(b'\t');
        super::numbers::push_u64(&mut self.start, file_id);
        self.start.push(b'\t');
        self.end.clear();
        for part in [place.name, place.mount, place.fs_type] {
            self.end.push(b'\t');
            self.end.extend_from_slice(part.as_bytes());
        }
        self.end.push(b'\n');
    }

    /// One line; `value` appends the value.
    pub fn line(&self, text: &mut Text<'_>, counter: &str, value: impl FnOnce(&mut Text<'_>)) {
        text.bytes.extend_from_slice(&self.start);
        text.str(counter).str("\t");
        value(text);
        text.bytes.extend_from_slice(&self.end);
    }
}

/// Prints all counters of these records.
pub(super) fn print(
    text: &mut Text<'_>,
    module: &Module<'_>,
    counters: &Counters<'_>,
    rows: &[usize],
    names: &Names<'_>,
) -> io::Result<()> {
    let Printer::Counters(table) = module.printer else { return Ok(()) };
    let mut frame = Frame::default();
    for &row in rows {
        let own = OwnPlace::of(table, counters, row);
        let nameless = if table == TableId::Bgq { BGQ_NAME } else { NO_NAME };
        let place = own.over(names.place(counters.file_id(row), nameless));
        frame.set(module.name, counters.rank(row), counters.file_id(row), &place);
        for counter in &counters.ints {
            int_line(text, &frame, counter, counters.int(counter, row));
        }
        for counter in &counters.floats {
            let value = counters.float(counter, row);
            frame.line(text, counter.name, |text| {
                text.f6(value);
            });
        }
        if let Some((name, column)) = file_of(table) {
            // Records that lack it are printed with 0.
            let id = counters.id(column, row).unwrap_or(0);
            frame.line(text, name, |text| {
                text.u64(id);
            });
        }
        text.flush_full()?;
    }
    Ok(())
}

/// One line with an integer.
pub(super) fn int_line(text: &mut Text<'_>, frame: &Frame, counter: &Counter, value: i64) {
    frame.line(text, counter.name, |text| {
        if counter.is_unsigned() {
            text.u64(value.cast_unsigned());
        } else {
            text.i64(value);
        }
    });
}

/// The line that names the file of an object inside a file.
fn file_of(table: TableId) -> Option<(&'static str, usize)> {
    match table {
        TableId::Hdf5Dataset => Some(("H5D_FILE_REC_ID", hdf5_dataset::FILE_REC_ID)),
        TableId::PnetcdfVar => Some(("PNETCDF_VAR_FILE_REC_ID", pnetcdf_var::FILE_REC_ID)),
        _ => None,
    }
}

/// Where a DAOS record belongs: it says so itself, pool and container stand
/// where others have the mount point.
enum OwnPlace {
    None,
    Dfs { container: String },
    Daos { object: String, container: String },
}

impl OwnPlace {
    fn of(table: TableId, counters: &Counters<'_>, row: usize) -> Self {
        match table {
            TableId::Dfs => {
                let pool = counters.text(dfs::POOL_UUID, row);
                let container = counters.text(dfs::CONT_UUID, row);
                let container = match (pool, container) {
                    (Some(pool), Some(container)) if pool != NO_UUID && container != NO_UUID => {
                        format!("{pool}:{container}")
                    }
                    _ => "UNKNOWN".to_string(),
                };
                Self::Dfs { container }
            }
            TableId::Daos => {
                let uuid = |column| counters.text(column, row).unwrap_or(NOT_AVAILABLE);
                let half = |column| counters.id(column, row).unwrap_or(0);
                Self::Daos {
                    object: format!("{}.{}", half(daos::OID_HI), half(daos::OID_LO)),
                    container: format!("{}:{}", uuid(daos::POOL_UUID), uuid(daos::CONT_UUID)),
                }
            }
            _ => Self::None,
        }
    }

    fn over<'a>(&'a self, place: RecordName<'a>) -> RecordName<'a> {
        match self {
            Self::None => place,
            Self::Dfs { container } => {
                RecordName { name: place.name, mount: container, fs_type: NOT_AVAILABLE }
            }
            Self::Daos { object, container } => {
                RecordName { name: object, mount: container, fs_type: NOT_AVAILABLE }
            }
        }
    }
}
