//! Tables of other programs whose columns are known: nobody has to write a mapping for them.
//!
//! docs/formats/mapping.md names them. Their rows become those of one mapping.

mod dfanalyzer;
mod gekkofs;

#[cfg(test)]
mod tests;

use super::InputError;
use super::directory::tar_of;
use csv::Writer;
use diya_read::mapped::MAPPING_MEMBER;
use std::io;
use std::path::{Path, PathBuf};

/// What the columns of [`Rows`] are.
const MAPPING: &str = r#"format = "diya-mapping-1"
file = "rows.csv"
layer = "posix"

[columns]
start = { column = "start_ns", unit = "ns" }
end = { column = "end_ns", unit = "ns" }
function = "function"
path = "path"
rank = "rank"
thread = "thread"
host = "host"
size = { column = "bytes", unit = "B" }
"#;

/// Files of one log, and how to read them.
#[derive(Debug, Clone)]
pub(super) enum Known {
    /// Requests of clients of GekkoFS, a file of each, as FTIO takes them.
    GekkoFs(Vec<PathBuf>),
    /// A trace of Recorder as DFAnalyzer and WisIO keep it, in Parquet.
    DfAnalyzer(Vec<PathBuf>),
}

impl Known {
    /// The log that this file is; `None`: it is none of these.
    pub fn of_file(path: &Path) -> Option<Self> {
        Self::of_files(&[path.to_path_buf()])
    }

    /// The log whose files a folder holds; `None`: it holds none.
    pub fn of_folder(folder: &Path) -> Option<Self> {
        let entries = std::fs::read_dir(folder).ok()?.filter_map(Result::ok);
        let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        files.sort();
        Self::of_files(&files)
    }

    fn of_files(files: &[PathBuf]) -> Option<Self> {
        let chosen = |is_one: fn(&Path) -> bool| -> Option<Vec<PathBuf>> {
            let chosen = files.iter().filter(|path| path.is_file() && is_one(path));
            Some(chosen.cloned().collect()).filter(|chosen: &Vec<PathBuf>| !chosen.is_empty())
        };
        chosen(gekkofs::is_one)
            .map(Self::GekkoFs)
            .or_else(|| chosen(dfanalyzer::is_one).map(Self::DfAnalyzer))
    }

    fn files(&self) -> &[PathBuf] {
        match self {
            Self::GekkoFs(files) | Self::DfAnalyzer(files) => files,
        }
    }

    /// Bytes of all its files.
    pub fn size_bytes(&self) -> u64 {
        let size = |path: &PathBuf| std::fs::metadata(path).map_or(0, |about| about.len());
        self.files().iter().map(size).sum()
    }

    /// Its rows as a mapping and its file.
    pub fn packed(&self) -> Result<Vec<u8>, InputError> {
        let mut rows = Rows::new();
        for (client, path) in self.files().iter().enumerate() {
            let added = match self {
                Self::GekkoFs(_) => gekkofs::add(path, client, &mut rows),
                Self::DfAnalyzer(_) => dfanalyzer::add(path, &mut rows),
            };
            added.map_err(|e| super::io_error(&path.display().to_string(), e))?;
        }
        let name = self.files().first().map_or(String::new(), |path| path.display().to_string());
        let is_cut = rows.is_cut;
        let packed = rows.finish().and_then(|text| {
            let members = [(MAPPING_MEMBER, MAPPING.into()), ("data", text)]
                .map(|(name, bytes)| (name.to_string(), bytes));
            tar_of(&members)
        });
        // A file that is cut stays one: its reader says so where the end is missing.
        let packed = packed.map(|mut tar| {
            tar.truncate(tar.len() - if is_cut { TAR_END_BYTES } else { 0 });
            tar
        });
        packed.map_err(|e| super::io_error(&name, e))
    }
}

/// One call; an empty cell is a value that the file lacks.
#[derive(Debug, Default)]
struct Row<'r> {
    start_ns: Option<i64>,
    end_ns: Option<i64>,
    function: &'r str,
    path: &'r str,
    rank: i64,
    thread: i64,
    host: &'r str,
    bytes: Option<i64>,
}

/// What ends a tar file.
const TAR_END_BYTES: usize = 1024;

/// Rows as text with commas.
struct Rows {
    writer: Writer<Vec<u8>>,
    /// A file ended in the middle: rows are missing.
    is_cut: bool,
}

impl Rows {
    fn new() -> Self {
        let mut writer = Writer::from_writer(Vec::new());
        let heads = ["start_ns", "end_ns", "function", "path", "rank", "thread", "host", "bytes"];
        // Memory takes every row.
        let _ = writer.write_record(heads);
        Self { writer, is_cut: false }
    }

    fn add(&mut self, row: &Row<'_>) -> io::Result<()> {
        let cell = |value: Option<i64>| value.map(|value| value.to_string()).unwrap_or_default();
        let numbers = [cell(row.start_ns), cell(row.end_ns)];
        let [rank, thread] = [row.rank, row.thread].map(|value| value.to_string());
        let bytes = cell(row.bytes);
        let cells =
            [&numbers[0], &numbers[1], row.function, row.path, &rank, &thread, row.host, &bytes];
        self.writer.write_record(cells).map_err(io::Error::other)
    }

    fn finish(self) -> io::Result<Vec<u8>> {
        self.writer.into_inner().map_err(|e| io::Error::other(e.to_string()))
    }
}
