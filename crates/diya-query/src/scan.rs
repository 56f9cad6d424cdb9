//! A table of diya as a table of the engine: lazy, with projection and counts.
//!
//! The engine has a table of record batches of its own; this one spreads run
//! columns only when a query asks for them, and gives row counts, without
//! which joins would build their hash table on the ten million calls.

use arrow::datatypes::{Schema, SchemaRef};
use async_trait::async_trait;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::stats::Precision;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{Statistics, internal_err};
use datafusion::error::Result;
use datafusion::execution::TaskContext;
use datafusion::logical_expr::{Expr, TableType};
use datafusion::physical_expr::EquivalenceProperties;
use datafusion::physical_plan::execution_plan::{Boundedness, EmissionType};
use datafusion::physical_plan::statistics::StatisticsArgs;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, Partitioning, PhysicalExpr, PlanProperties,
    SendableRecordBatchStream,
};
use diya_tables::{BatchSource, TableDef};
use std::sync::Arc;

/// A table of the engine, or some columns of one.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    source: Arc<dyn BatchSource>,
    schema: SchemaRef,
    /// Places of its columns in the source.
    columns: Vec<usize>,
}

impl Table {
    pub fn new(source: Arc<dyn BatchSource>) -> Self {
        let schema = source.def().arrow_schema();
        let columns = (0..schema.fields().len()).collect();
        Self { source, schema, columns }
    }

    /// The same table with its first column and those that are wanted.
    pub fn narrowed(&self, is_selected: impl Fn(&str) -> bool) -> Self {
        let fields = self.schema.fields();
        let kept = |place: &usize| *place == 0 || is_selected(fields[*place].name());
        let places: Vec<usize> = (0..fields.len()).filter(kept).collect();
        let schema = Schema::new(places.iter().map(|p| fields[*p].clone()).collect::<Vec<_>>());
        let columns = places.iter().map(|place| self.columns[*place]).collect();
        Self { source: Arc::clone(&self.source), schema: Arc::new(schema), columns }
    }

    /// Where its rows come from.
    pub fn source(&self) -> &Arc<dyn BatchSource> {
        &self.source
    }

    /// How many rows it has.
    pub fn rows(&self) -> usize {
        self.source.rows()
    }
}

#[async_trait]
impl TableProvider for Table {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    fn statistics(&self) -> Option<Statistics> {
        Some(counted(&self.schema, self.source.rows()))
    }

    async fn scan(
        &self,
        state: &dyn Session,
        projection: Option<&Vec<usize>>,
        _filters: &[Expr],
        _limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let all = || (0..self.schema.fields().len()).collect();
        let places: Vec<usize> = projection.cloned().unwrap_or_else(all);
        let schema = Arc::new(self.schema.project(&places)?);
        let columns = places.iter().map(|place| self.columns[*place]).collect();
        let threads = state.config().target_partitions();
        Ok(Arc::new(Scan::new(Arc::clone(&self.source), schema, columns, threads)))
    }
}

fn counted(schema: &Schema, rows: usize) -> Statistics {
    Statistics { num_rows: Precision::Exact(rows), ..Statistics::new_unknown(schema) }
}

/// Reads some columns of a table, its batches dealt out to partitions.
#[derive(Debug)]
pub(crate) struct Scan {
    source: Arc<dyn BatchSource>,
    columns: Vec<usize>,
    schema: SchemaRef,
    properties: Arc<PlanProperties>,
}

impl Scan {
    fn new(
        source: Arc<dyn BatchSource>,
        schema: SchemaRef,
        columns: Vec<usize>,
        threads: usize,
    ) -> Self {
        let partitions = source.batches().clamp(1, threads);
        let properties = PlanProperties::new(
            EquivalenceProperties::new(Arc::clone(&schema)),
            Partitioning::UnknownPartitioning(partitions),
            EmissionType::Incremental,
            Boundedness::Bounded,
        );
        Self { source, columns, schema, properties: Arc::new(properties) }
    }

    /// Definition of its table.
    pub fn table(&self) -> &'static TableDef {
        self.source.def()
    }

    /// The same columns of the same table of other logs.
    pub fn over(&self, source: Arc<dyn BatchSource>) -> Self {
        let (columns, schema) = (self.columns.clone(), Arc::clone(&self.schema));
        Self { source, columns, schema, properties: Arc::clone(&self.properties) }
    }

    fn partitions(&self) -> usize {
        self.properties.partitioning.partition_count()
    }
}

impl DisplayAs for Scan {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let columns: Vec<&str> = self.schema.fields().iter().map(|c| c.name().as_str()).collect();
        write!(f, "Scan: table={}, columns=[{}]", self.source.def().name, columns.join(", "))
    }
}

impl ExecutionPlan for Scan {
    fn name(&self) -> &'static str {
        "Scan"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        Vec::new()
    }

    fn apply_expressions(
        &self,
        _: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn with_new_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn ExecutionPlan>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        if children.is_empty() { Ok(self) } else { internal_err!("a scan has no children") }
    }

    fn execute(&self, partition: usize, _: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        // Neighbouring batches stay together, so that rows keep their order
        // within a partition.
        let (batches, partitions) = (self.source.batches(), self.partitions());
        let own = batches * partition / partitions..batches * (partition + 1) / partitions;
        let (source, columns) = (Arc::clone(&self.source), self.columns.clone());
        let pieces = own.flat_map(move |number| source.pieces(number, &columns));
        let stream = futures::stream::iter(pieces.map(Ok));
        Ok(Box::pin(RecordBatchStreamAdapter::new(Arc::clone(&self.schema), stream)))
    }

    fn statistics_from_inputs(
        &self,
        _: &[Arc<Statistics>],
        args: &StatisticsArgs,
    ) -> Result<Arc<Statistics>> {
        let rows = self.source.rows();
        let statistics = match args.partition() {
            None => counted(&self.schema, rows),
            Some(_) => Statistics {
                num_rows: Precision::Inexact(rows / self.partitions()),
                ..Statistics::new_unknown(&self.schema)
            },
        };
        Ok(Arc::new(statistics))
    }
}
