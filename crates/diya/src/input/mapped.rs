//! Mappings: a TOML file names a file of calls and says what its columns are.

use super::InputError;
use diya_read::mapped::MAPPING_MEMBER;
use std::io;
use std::path::{Component, Path, PathBuf};

/// A mapping is a page of text.
const MAX_MAPPING_BYTES: u64 = 1 << 20;

/// Is this the name of a mapping?
pub(super) fn is_mapping(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "toml")
}

/// Bytes of the file that a mapping names.
pub(super) fn size_bytes(mapping: &Path) -> u64 {
    text_and_data(mapping).map_or(0, |(_, data)| std::fs::metadata(data).map_or(0, |m| m.len()))
}

/// The mapping and its file as one tar file; of a Parquet file, the rows as text.
pub(super) fn packed(mapping: &Path) -> Result<Vec<u8>, InputError> {
    let (text, data) = text_and_data(mapping)?;
    let fail = |e: io::Error| super::io_error(&data.display().to_string(), e);
    let bytes = if data.extension().is_some_and(|ending| ending == "parquet") {
        rows_of_parquet(&data, separator(&text)).map_err(fail)?
    } else {
        std::fs::read(&data).map_err(fail)?
    };
    let members = [(MAPPING_MEMBER, text.into_bytes()), ("data", bytes)]
        .map(|(name, bytes)| (name.to_string(), bytes));
    super::directory::tar_of(&members).map_err(fail)
}

/// The text of a mapping, and the path of its file.
fn text_and_data(mapping: &Path) -> Result<(String, PathBuf), InputError> {
    let name = mapping.display().to_string();
    let fail = |reason: String| InputError::Mapping(name.clone(), reason);
    let about = std::fs::metadata(mapping).map_err(|e| super::io_error(&name, e))?;
    if about.len() > MAX_MAPPING_BYTES {
        return Err(fail(format!("it has {} bytes, at most {MAX_MAPPING_BYTES}", about.len())));
    }
    let text = std::fs::read_to_string(mapping).map_err(|e| super::io_error(&name, e))?;
    let table: toml::Table =
        text.parse().map_err(|e: toml::de::Error| fail(e.message().replace('\n', "; ")))?;
    let file = table.get("file").and_then(toml::Value::as_str);
    let file = Path::new(file.ok_or_else(|| fail("`file` is missing".into()))?);
    // A mapping of somebody else opens nothing outside of its folder, and no device.
    if !file.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir)) {
        return Err(fail(format!(
            "file {:?} is not below the folder of the mapping",
            file.display()
        )));
    }
    let data = mapping.parent().unwrap_or(Path::new("")).join(file);
    if !data.is_file() {
        return Err(fail(format!("file {:?} is not there", data.display())));
    }
    Ok((text, data))
}

/// The separator that a mapping names; its reader refuses those that cannot be.
fn separator(text: &str) -> u8 {
    let table = text.parse::<toml::Table>().unwrap_or_default();
    let named = table.get("separator").and_then(toml::Value::as_str);
    named.and_then(|text| text.bytes().next()).unwrap_or(b',')
}

/// The rows of a Parquet file as text with separators.
#[cfg(not(target_family = "wasm"))]
fn rows_of_parquet(path: &Path, separator: u8) -> io::Result<Vec<u8>> {
    use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
    let file = std::fs::File::open(path)?;
    let batches = ParquetRecordBatchReaderBuilder::try_new(file)
        .and_then(|builder| builder.build())
        .map_err(io::Error::other)?;
    let mut text = Vec::new();
    let builder = arrow::csv::WriterBuilder::new().with_delimiter(separator);
    let mut writer = builder.build(&mut text);
    for batch in batches {
        writer.write(&batch.map_err(io::Error::other)?).map_err(io::Error::other)?;
    }
    drop(writer);
    Ok(text)
}

#[cfg(target_family = "wasm")]
fn rows_of_parquet(_path: &Path, _separator: u8) -> io::Result<Vec<u8>> {
    Err(io::Error::other("a browser reads no Parquet files"))
}
