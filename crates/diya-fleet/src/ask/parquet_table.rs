//! The files of a table of a dataset as one table of the SQL engine.

use crate::chosen::Chosen;
use crate::generated::{account, manifest};
use crate::hash::counted;
use crate::live::{Live, commit_of, is_joined};
use crate::{Dataset, FleetError};
use arrow::array::{
    Array, ArrayRef, AsArray, BooleanArray, Int64Array, RecordBatch, RecordBatchOptions,
    StringViewArray,
};
use arrow::compute::{cast, concat_batches, filter_record_batch};
use arrow::datatypes::{DataType, Field, Int64Type, Schema, SchemaRef};
use diya_tables::{BatchSource, ColumnDef, Kind, NullWhen, Pieces, TableDef};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder,
};
use parquet::errors::ParquetError;
use std::collections::HashSet;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};

/// Rows that are read at once: as many as the engine works on at once.
const ROWS: usize = 8192;

/// A file of a table.
#[derive(Debug)]
struct Part {
    path: PathBuf,
    metadata: ArrowReaderMetadata,
    system: String,
    year: i64,
    month: i64,
}

/// A table of a dataset. Each batch is a row group, read piece by piece when a query wants it.
#[derive(Debug, Clone)]
pub struct ParquetTable {
    def: &'static TableDef,
    /// Columns that are in the files; after them system, year and month.
    own_columns: usize,
    parts: Arc<[Part]>,
    /// Number of the part, and of the row group in it.
    batches: Arc<[(usize, usize)]>,
    rows: usize,
    /// Where some rows do not count.
    live: Option<Arc<Live>>,
    /// Where a filter leaves some rows only.
    chosen: Option<Arc<Chosen>>,
    /// Why a file could not be read: the first one.
    fault: Arc<Mutex<Option<FleetError>>>,
}

/// The definition with the columns that the names of folders give.
fn with_folders(def: &'static TableDef) -> &'static TableDef {
    static ALL: OnceLock<Vec<TableDef>> = OnceLock::new();
    let all = ALL.get_or_init(|| {
        let folders = [
            ("system", Kind::Str, "name", "system that the logs come from"),
            ("year", Kind::I64, "year", "year of the start of the job in UTC; 0: not recorded"),
            ("month", Kind::I64, "month", "month of the start; 0: not recorded"),
        ];
        let column = |(name, kind, unit, doc, null)| ColumnDef {
            name,
            kind,
            unit,
            null_when: NullWhen::Never,
            darshan: None,
            null,
            doc,
            role: None,
            call: None,
        };
        let of = |def: &&'static TableDef| {
            let own = def.columns.iter().map(|c| (c.name, c.kind, c.unit, c.doc, c.null));
            let folders = folders.map(|(name, kind, unit, doc)| (name, kind, unit, doc, None));
            let columns = own.chain(folders).map(column).collect::<Vec<_>>();
            TableDef {
                name: def.name,
                version: def.version,
                doc: def.doc,
                rows: def.rows,
                storage: def.storage,
                columns: Vec::leak(columns),
            }
        };
        crate::TABLES.iter().map(of).collect()
    });
    all.iter().find(|of| of.name == def.name).unwrap_or(def)
}

impl ParquetTable {
    /// The files of the table; their footers are read, no row.
    pub fn open(
        dataset: &Dataset,
        def: &'static TableDef,
        live: Option<Arc<Live>>,
        fault: Arc<Mutex<Option<FleetError>>>,
    ) -> Result<Self, FleetError> {
        let (mut parts, mut batches, mut rows) = (Vec::new(), Vec::new(), 0);
        for path in dataset.parts(def)? {
            let file = File::open(&path).map_err(FleetError::file(&path))?;
            let metadata = ArrowReaderMetadata::load(&file, ArrowReaderOptions::new())
                .and_then(with_views)
                .map_err(FleetError::parquet(&path))?;
            for (group, of_group) in metadata.metadata().row_groups().iter().enumerate() {
                let of_group = usize::try_from(of_group.num_rows()).unwrap_or(0);
                if of_group > 0 {
                    batches.push((parts.len(), group));
                    rows += of_group;
                }
            }
            let number = |key| folder(&path, key).and_then(|text| text.parse().ok()).unwrap_or(0);
            let system = folder(&path, "system").unwrap_or_default();
            let (year, month) = (number("year"), number("month"));
            parts.push(Part { path, metadata, system, year, month });
        }
        let own_columns = def.columns.len();
        let (parts, batches) = (parts.into(), batches.into());
        let def = with_folders(def);
        Ok(Self { def, own_columns, parts, batches, rows, live, chosen: None, fault })
    }

    /// The same table with the rows only that a filter leaves.
    pub fn narrowed(&self, chosen: Arc<Chosen>, fault: Arc<Mutex<Option<FleetError>>>) -> Self {
        Self { chosen: Some(chosen), fault, ..self.clone() }
    }

    /// Column that says whether a filter leaves a row, and the values that it leaves.
    fn kept(&self) -> Option<(&'static str, &HashSet<i64>)> {
        let chosen = self.chosen.as_ref()?;
        if self.def.name == account::DEF.name {
            return Some(("row_hash", &chosen.accounts));
        }
        (!is_joined(self.def)).then_some(("log_hash", &chosen.logs))
    }

    /// The rows of a row group that count, in pieces that fit into a cache.
    fn read(
        self,
        (part, group): (usize, usize),
        columns: Vec<usize>,
    ) -> Result<impl Iterator<Item = Result<RecordBatch, FleetError>>, FleetError> {
        let of = &self.parts[part];
        // Whether a row counts is seen by its log, in `manifest` by path and time.
        let kept = self.kept();
        let needed: Vec<&str> = match (&self.live, self.def.name == manifest::DEF.name) {
            (None, _) => Vec::new(),
            _ if is_joined(self.def) => Vec::new(),
            (_, true) => vec!["path", "log_hash", "seen"],
            (_, false) => vec!["log_hash"],
        };
        let own = columns.iter().filter(|column| **column < self.own_columns);
        let own = own.map(|column| self.def.columns[*column].name);
        let needed = needed.into_iter().chain(kept.map(|(column, _)| column));
        let wanted: Vec<&str> = needed.chain(own).collect();
        let file = File::open(&of.path).map_err(FleetError::file(&of.path))?;
        let builder = ParquetRecordBatchReaderBuilder::new_with_metadata(file, of.metadata.clone());
        let mask = ProjectionMask::columns(builder.parquet_schema(), wanted.iter().copied());
        let reader = builder.with_projection(mask).with_row_groups(vec![group]);
        let reader = reader.with_batch_size(ROWS).build();
        let reader = reader.map_err(FleetError::parquet(&of.path))?;
        Ok(reader.map(move |batch| {
            let of = &self.parts[part];
            let read = batch.and_then(|batch| self.counted(of, batch, &columns));
            read.map_err(FleetError::parquet(&of.path))
        }))
    }

    /// The rows that count, with the columns that were asked for.
    fn counted(
        &self,
        part: &Part,
        mut batch: RecordBatch,
        columns: &[usize],
    ) -> Result<RecordBatch, arrow::error::ArrowError> {
        if let Some(live) = &self.live {
            batch = counted(self.def, &batch, &commit_of(&part.path), live)?;
        }
        if let Some((column, values)) = self.kept() {
            batch = rows_of(&batch, column, values)?;
        }
        self.arranged(part, &batch, columns)
    }

    /// The columns in the order that was asked for, of the types of the definition. A
    /// file of an older version lacks some.
    fn arranged(
        &self,
        part: &Part,
        batch: &RecordBatch,
        columns: &[usize],
    ) -> Result<RecordBatch, arrow::error::ArrowError> {
        let rows = batch.num_rows();
        let of = |column: &usize| -> Result<ArrayRef, arrow::error::ArrowError> {
            let def = &self.def.columns[*column];
            Ok(match column.checked_sub(self.own_columns) {
                Some(0) => Arc::new(repeated(&part.system, rows)),
                Some(1) => Arc::new(Int64Array::from_value(part.year, rows)),
                Some(_) => Arc::new(Int64Array::from_value(part.month, rows)),
                None => match batch.column_by_name(def.name) {
                    Some(array) if *array.data_type() == def.kind.arrow() => Arc::clone(array),
                    Some(array) => cast(array, &def.kind.arrow())?,
                    None => arrow::array::new_null_array(&def.kind.arrow(), rows),
                },
            })
        };
        let arrays = columns.iter().map(of).collect::<Result<Vec<_>, _>>()?;
        let options = RecordBatchOptions::new().with_row_count(Some(rows));
        RecordBatch::try_new_with_options(self.schema(columns), arrays, &options)
    }

    fn schema(&self, columns: &[usize]) -> SchemaRef {
        let all = self.def.arrow_schema();
        Arc::new(all.project(columns).unwrap_or_else(|_| Schema::empty()))
    }
}

impl BatchSource for ParquetTable {
    fn def(&self) -> &'static TableDef {
        self.def
    }

    /// At most so many: rows that do not count are left out when they are read.
    fn rows(&self) -> usize {
        self.rows
    }

    fn batches(&self) -> usize {
        self.batches.len()
    }

    fn batch(&self, number: usize, columns: &[usize]) -> RecordBatch {
        let pieces: Vec<RecordBatch> = self.pieces(number, columns).collect();
        let schema = self.schema(columns);
        concat_batches(&schema, &pieces).unwrap_or_else(|_| RecordBatch::new_empty(schema))
    }

    /// A fault of a file is kept: the caller asks for it after the query.
    fn pieces(&self, number: usize, columns: &[usize]) -> Pieces {
        let at = self.batches[number];
        let fault = Arc::clone(&self.fault);
        let keep = move |error| {
            let mut fault = fault.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            fault.get_or_insert(error);
        };
        match self.clone().read(at, columns.to_vec()) {
            Ok(pieces) => Box::new(pieces.map_while(move |piece| piece.map_err(&keep).ok())),
            Err(error) => {
                keep(error);
                Box::new(std::iter::empty())
            }
        }
    }
}

/// The same file, its texts read as the engine wants them: other writers than diya leave no word
/// on it, and each text would be copied to be turned into a view.
fn with_views(of: ArrowReaderMetadata) -> Result<ArrowReaderMetadata, ParquetError> {
    let as_view = |field: &Arc<Field>| match field.data_type() {
        DataType::Utf8 => Arc::new(field.as_ref().clone().with_data_type(DataType::Utf8View)),
        _ => Arc::clone(field),
    };
    let fields: Vec<_> = of.schema().fields().iter().map(as_view).collect();
    let options = ArrowReaderOptions::new().with_schema(Arc::new(Schema::new(fields)));
    ArrowReaderMetadata::try_new(Arc::clone(of.metadata()), options)
}

/// The rows whose identity is one of these; a row without one is of no job.
fn rows_of(
    batch: &RecordBatch,
    column: &str,
    values: &HashSet<i64>,
) -> Result<RecordBatch, arrow::error::ArrowError> {
    let Some(of) = batch.column_by_name(column) else { return Ok(batch.slice(0, 0)) };
    let of = of.as_primitive::<Int64Type>().iter();
    let keep: BooleanArray = of.map(|id| Some(id.is_some_and(|id| values.contains(&id)))).collect();
    filter_record_batch(batch, &keep)
}

/// A text that is kept once, whatever the number of its rows.
fn repeated(text: &str, rows: usize) -> StringViewArray {
    let one = StringViewArray::from_iter_values([text]);
    let views = vec![one.views()[0]; rows];
    StringViewArray::new(views.into(), one.data_buffers().to_vec(), None)
}

/// The value of `key=value` among the folders of a path.
fn folder(path: &Path, key: &str) -> Option<String> {
    // From the end: the folders above the dataset may have such names, too.
    path.components().rev().find_map(|part| {
        let part = part.as_os_str().to_str()?;
        Some(part.strip_prefix(key)?.strip_prefix('=')?.to_owned())
    })
}
