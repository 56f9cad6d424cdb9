//! One file per table that has rows.

use super::result::plain_text;
use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;
use diya_tables::BatchSource;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// File format of exported tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableFormat {
    /// Apache Parquet, compressed with zstd; not in a browser.
    #[cfg(not(target_family = "wasm"))]
    Parquet,
    /// Arrow IPC file.
    Arrow,
    /// Comma-separated values with a header line.
    Csv,
}

impl TableFormat {
    /// Ending of the files.
    pub fn extension(self) -> &'static str {
        match self {
            #[cfg(not(target_family = "wasm"))]
            Self::Parquet => "parquet",
            Self::Arrow => "arrow",
            Self::Csv => "csv",
        }
    }
}

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
    let pieces = (0..table.pieces()).map(|piece| plain_text(&table.piece(piece, &columns)));
    write_batches_as(&mut file, schema, pieces, format)?;
    file.flush().map_err(|e| e.to_string())
}

pub(super) fn write_batches_as(
    out: &mut (impl Write + Send),
    schema: SchemaRef,
    batches: impl Iterator<Item = RecordBatch>,
    format: TableFormat,
) -> Result<(), String> {
    match format {
        #[cfg(not(target_family = "wasm"))]
        TableFormat::Parquet => super::parquet::write(out, schema, batches)?,
        TableFormat::Arrow => {
            let mut writer =
                arrow::ipc::writer::FileWriter::try_new(out, &schema).map_err(|e| e.to_string())?;
            for batch in batches {
                writer.write(&batch).map_err(|e| e.to_string())?;
            }
            writer.finish().map_err(|e| e.to_string())?;
        }
        TableFormat::Csv => {
            let mut writer = arrow::csv::Writer::new(out);
            let mut batches = batches.peekable();
            if batches.peek().is_none() {
                // The header line says what the columns would be.
                writer.write(&RecordBatch::new_empty(schema)).map_err(|e| e.to_string())?;
            }
            for batch in batches {
                writer.write(&batch).map_err(|e| e.to_string())?;
            }
        }
    }
    Ok(())
}
