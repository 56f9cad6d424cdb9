//! Logs of the corpus, with what they lack for some views.

use diya::{OpenOptions, Session, Threads, input};
use diya_plot::{PlotOptions, PlotTheme, PlotView};
use diya_tables::{
    BatchSource, Batches, TableBuilder, TableId, lustre_component, lustre_target, machine_ceiling,
};
use std::path::PathBuf;
use std::sync::Arc;

/// A log with counters only.
pub const COUNTERS: &str = "nodxt_strided.darshan";
/// A log with single calls of two layers.
pub const TRACE: &str = "ior_mpiio_coll_hints.darshan";

/// Views that a log without storage targets and call stacks has.
pub const VIEWS: [PlotView; 11] = [
    PlotView::Timeline,
    PlotView::Activity,
    PlotView::Heatmap,
    PlotView::Phases,
    PlotView::Stragglers,
    PlotView::Account,
    PlotView::Ranks,
    PlotView::Latency,
    PlotView::Requests,
    PlotView::Sizes,
    PlotView::Spatiality,
];

pub fn folder(below: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(below)
}

pub fn session(log: &str) -> Session<'static> {
    let options = OpenOptions { threads: Threads::new(1), ..OpenOptions::default() };
    Session::new(input::logs(&[folder("../../corpus/logs").join(log)]).unwrap(), options)
}

pub fn options(width: &str, theme: PlotTheme) -> PlotOptions {
    PlotOptions { width: width.parse().unwrap(), theme, ..PlotOptions::default() }
}

fn opened(paths: &[PathBuf]) -> Session<'static> {
    let options = OpenOptions { threads: Threads::new(1), ..OpenOptions::default() };
    Session::new(input::logs(paths).unwrap(), options)
}

/// Two runs.
pub fn compared() -> Session<'static> {
    let log = |name: &str| folder("../../corpus/logs").join(name);
    opened(&[log(TRACE), log("ior_mpiio_indep_strided.darshan")])
}

/// A recording of `samples/stacks.c` with its call stacks.
pub fn stacked() -> Session<'static> {
    opened(&[folder("tests/samples/stacks.diya")])
}

fn source(id: TableId, fill: impl FnOnce(&mut TableBuilder)) -> Arc<dyn BatchSource> {
    let mut table = TableBuilder::new(id.def());
    fill(&mut table);
    Arc::new(Batches::new(id.def(), vec![table.into_batch()]))
}

/// The trace, on a file system that was calibrated.
pub fn calibrated() -> Session<'static> {
    let mut session = session(TRACE);
    session.add(vec![source(TableId::MachineCeiling, |table| {
        for (request_bytes, bandwidth) in [(4096, 1e8), (1 << 20, 1e9)] {
            table.push_str(machine_ceiling::OP, Some("write"));
            table.push_str(machine_ceiling::PATTERN, Some("rows"));
            table.push_i64(machine_ceiling::WORKERS, Some(4));
            table.push_i64(machine_ceiling::REQUEST_BYTES, Some(request_bytes));
            table.push_f64(machine_ceiling::BANDWIDTH_BYTES_PER_S, Some(bandwidth));
            table.end_row();
        }
    })]);
    session
}

/// The trace, with its file striped over three storage targets of Lustre.
pub fn striped() -> Session<'static> {
    let mut session = session(TRACE);
    let asked = session.ask("select file_id from file where path like '%/mch'").unwrap();
    let column = asked[0].batches[0].column(0).clone();
    let ids = column.as_any().downcast_ref::<arrow::array::UInt64Array>().unwrap();
    let file_id = ids.value(0);
    let component = source(TableId::LustreComponent, |table| {
        table.push_i32(lustre_component::LOG, Some(0));
        table.push_u64(lustre_component::FILE_ID, Some(file_id));
        table.push_i32(lustre_component::RANK, Some(-1));
        table.push_i32(lustre_component::COMPONENT, Some(0));
        table.push_i64(lustre_component::STRIPE_SIZE, Some(1 << 20));
        table.push_i64(lustre_component::STRIPE_COUNT, Some(3));
        table.push_i64(lustre_component::EXT_START, Some(0));
        table.end_row();
    });
    let targets = source(TableId::LustreTarget, |table| {
        for stripe in 0..3 {
            table.push_i32(lustre_target::LOG, Some(0));
            table.push_u64(lustre_target::FILE_ID, Some(file_id));
            table.push_i32(lustre_target::RANK, Some(-1));
            table.push_i32(lustre_target::COMPONENT, Some(0));
            table.push_i32(lustre_target::STRIPE, Some(stripe));
            table.push_i64(lustre_target::OST_ID, Some(i64::from(stripe) + 7));
            table.end_row();
        }
    });
    session.add(vec![component, targets]);
    session
}
