//! One file per table that has rows.

use super::batches::{TableFormat, plain_text, write_batches_as};
use arrow::array::RecordBatch;
use diya_tables::BatchSource;
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A table could not be written.
#[derive(Debug, thiserror::Error)]
#[error("{}: {reason}", path.display())]
pub struct ExportError {
    /// The file or folder.
    pub path: PathBuf,
    /// What went wrong.
    pub reason: String,
}

/// A file that was written.
#[derive(Debug, serde::Serialize)]
pub struct Written {
    /// Name of the table.
    pub table: String,
    /// Rows in it.
    pub rows: usize,
    /// The file.
    pub path: PathBuf,
    /// Its size.
    pub size_bytes: u64,
}

/// Writes those of the tables that have rows into the folder, making it if needed.
///
/// A file comes into being whole: it is written under another name first.
pub fn write_tables<'t>(
    tables: impl IntoIterator<Item = &'t Arc<dyn BatchSource>>,
    folder: &Path,
    format: TableFormat,
) -> Result<Vec<Written>, ExportError> {
    let fail = |path: &Path, reason: String| ExportError { path: path.into(), reason };
    std::fs::create_dir_all(folder).map_err(|e| fail(folder, e.to_string()))?;
    let mut written = Vec::new();
    for table in tables.into_iter().filter(|table| table.rows() > 0) {
        let name = table.def().name;
        let path = folder.join(format!("{name}.{}", format.extension()));
        let part = folder.join(format!(".{name}.{}.part", format.extension()));
        write_one(table, &part, format).map_err(|reason| {
            // An unfinished file is of no use.
            let _ = std::fs::remove_file(&part);
            fail(&path, reason)
        })?;
        std::fs::rename(&part, &path).map_err(|e| fail(&path, e.to_string()))?;
        let size_bytes = std::fs::metadata(&path).map_or(0, |m| m.len());
        written.push(Written { table: name.into(), rows: table.rows(), path, size_bytes });
    }
    Ok(written)
}

fn write_one(table: &Arc<dyn BatchSource>, path: &Path, format: TableFormat) -> Result<(), String> {
    // A link that somebody planted under this name is removed, not followed.
    let _ = std::fs::remove_file(path);
    let file = File::options().write(true).create_new(true).open(path);
    let mut file = BufWriter::new(file.map_err(|e| e.to_string())?);
    let columns: Vec<usize> = (0..table.def().columns.len()).collect();
    let schema = plain_text(&RecordBatch::new_empty(table.def().arrow_schema())).schema();
    let batches = (0..table.batches()).map(|number| plain_text(&table.batch(number, &columns)));
    write_batches_as(&mut file, schema, batches, format)?;
    file.flush().map_err(|e| e.to_string())
}
