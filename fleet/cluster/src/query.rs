//! The client: plans one statement over the tables of a dataset, and prints its rows.

use crate::job::{Kind, QueryJob, TableJob};
use crate::{Failure, session};
use ballista::prelude::SessionContextExt as _;
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::{DataType, Field, Schema, TimeUnit};
use datafusion::arrow::ipc::writer::StreamWriter;
use datafusion::datasource::file_format::parquet::ParquetFormat;
use datafusion::datasource::listing::{
    ListingOptions, ListingTable, ListingTableConfig, ListingTableUrl,
};
use datafusion::error::DataFusionError;
use datafusion::execution::context::SQLOptions;
use datafusion::prelude::{DataFrame, SessionContext, lit};
use std::sync::Arc;

pub async fn run(job: QueryJob) -> Result<(), Failure> {
    let config = session::config(&job.token).with_target_partitions(job.partitions.max(1));
    let state = session::state(config)?;
    let scheduler = format!("df://{}", job.scheduler);
    let mut engine = SessionContext::remote_with_state(&scheduler, state).await?;
    // A session for a cluster begins with the functions of the engine alone.
    diya_query::register_functions(&mut engine)?;
    for table in job.tables {
        add(&engine, table)?;
    }
    // Plans of a cluster can write files: only queries are let through.
    let only_queries =
        SQLOptions::new().with_allow_ddl(false).with_allow_dml(false).with_allow_statements(false);
    let mut attempt = 1;
    let rows = loop {
        let rows = engine.sql_with_options(&job.sql, only_queries).await?;
        match answer(rows).await {
            Err(error) if attempt < ATTEMPTS && is_of_a_loss(&error) => attempt += 1,
            other => break other?,
        }
    };
    let mut out = StreamWriter::try_new(std::io::stdout().lock(), &rows.0)?;
    rows.1.iter().try_for_each(|batch| out.write(batch))?;
    Ok(out.finish()?)
}

/// How often a statement is begun. Each worker that is lost ends it once.
const ATTEMPTS: u32 = 4;

/// Whether a statement ended because a worker was lost: the scheduler ended it, or rows of the
/// worker could not be fetched.
fn is_of_a_loss(error: &DataFusionError) -> bool {
    let said = error.to_string();
    ["Cancelled", "Fetch", "Error connecting to"].iter().any(|word| said.contains(word))
}

/// All rows of an answer, or none: a part of them may be of an attempt that failed.
async fn answer(rows: DataFrame) -> Result<(Arc<Schema>, Vec<RecordBatch>), DataFusionError> {
    // Workers do not always know that a column has no nulls.
    let columns = rows.schema().as_arrow().fields().iter();
    let columns = columns.map(|field| field.as_ref().clone().with_nullable(true));
    let schema = Arc::new(Schema::new(columns.collect::<Vec<_>>()));
    let batches = rows.collect().await?.into_iter();
    let batches = batches.map(|batch| batch.with_schema(Arc::clone(&schema)));
    let batches = batches.collect::<Result<Vec<_>, _>>()?;
    Ok((schema, batches))
}

/// Makes a table known.
fn add(engine: &SessionContext, table: TableJob) -> Result<(), Failure> {
    let field = |(name, kind): &(String, Kind)| Field::new(name, arrow(*kind), true);
    let schema = Arc::new(Schema::new(table.columns.iter().map(field).collect::<Vec<_>>()));
    let folders = table.folders.iter().map(|(name, kind)| (name.clone(), arrow(*kind)));
    let options = ListingOptions::new(Arc::new(ParquetFormat::default()))
        .with_file_extension(".parquet")
        .with_table_partition_cols(folders.collect());
    let folder = url::Url::from_directory_path(&table.folder);
    let folder = folder.map_err(|()| format!("{} is no absolute path", table.folder))?;
    let config = ListingTableConfig::new(ListingTableUrl::try_new(folder, None)?)
        .with_listing_options(options)
        .with_schema(schema);
    let mut rows = engine.read_table(Arc::new(ListingTable::try_new(config)?))?;
    for (name, value) in &table.constants {
        rows = rows.with_column(name, lit(*value))?;
    }
    engine.register_table(table.name.as_str(), rows.into_view())?;
    Ok(())
}

fn arrow(kind: Kind) -> DataType {
    match kind {
        Kind::Bool => DataType::Boolean,
        Kind::I64 => DataType::Int64,
        Kind::F64 => DataType::Float64,
        Kind::Str => DataType::Utf8View,
        Kind::TimestampNs => DataType::Timestamp(TimeUnit::Nanosecond, Some("UTC".into())),
    }
}
