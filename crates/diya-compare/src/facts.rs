//! What a comparison knows of one run.

use super::files::FileUse;
use super::folders::Folders;
use diya::Session;
use diya::diagnose::cells::{Cells, Row};
use diya_checks::Value;
use diya_model::Layer;
use diya_report::Report;
use diya_report::comparison::{FileSide, PhaseSide};
use std::collections::{BTreeMap, HashMap};

/// Metric tables that a comparison reads.
pub(super) const TABLES: [&str; 4] = ["file_layer", "layer_op", "phase", "size_distribution"];

/// Layers in which files are compared: the lowest that saw a file, for it
/// shows what a fix above it changed.
fn layers() -> impl Iterator<Item = &'static str> {
    let lowest = Layer::BOTTOM_UP.into_iter().filter(|l| l.depth() >= Layer::Mpiio.depth());
    lowest.map(Layer::name)
}

/// One run, as far as it is compared.
#[derive(Debug, Clone, Default)]
pub(super) struct Facts {
    pub report: Report,
    /// By layer and kind of call.
    pub ops: BTreeMap<(String, String), Op>,
    pub files: Vec<FileUse>,
    /// By layer, in order of time.
    pub phases: BTreeMap<String, Vec<PhaseSide>>,
    /// By layer, direction and least size.
    pub sizes: BTreeMap<(String, String, i64), Size>,
}

/// A row of `layer_op`.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Op {
    pub calls: Option<f64>,
    pub bytes: Option<f64>,
    pub mean_bytes: Option<f64>,
    pub time_s: Option<f64>,
    pub bandwidth_bytes_per_s: Option<f64>,
}

/// A row of `size_distribution`.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Size {
    pub size_hi_bytes: Option<i64>,
    pub calls: i64,
    pub calls_ratio: Option<f64>,
}

/// The tables behind the facts of all logs; those that could not be computed
/// are not there, and what they would tell is not compared.
pub(super) struct Tables {
    ops: Option<Cells>,
    files: Option<Cells>,
    names: Option<Cells>,
    kinds: Option<Cells>,
    phases: Option<Cells>,
    sizes: Option<Cells>,
}

impl Tables {
    pub fn read(session: &Session<'_>) -> Self {
        let table = |name: &str| session.table(name).map(|table| Cells::read(&**table));
        Self {
            ops: table("layer_op"),
            files: table("file_layer"),
            names: table("file"),
            kinds: table("op_count"),
            phases: table("phase"),
            sizes: table("size_distribution"),
        }
    }

    pub fn of(&self, log: i32, report: Report) -> Facts {
        let mut facts = Facts { report, files: self.files(log), ..Facts::default() };
        for row in rows(self.ops.as_ref(), log) {
            let number = |column| row.number(column);
            let op = Op {
                calls: number("calls"),
                bytes: number("bytes"),
                mean_bytes: number("mean_bytes"),
                time_s: number("time_s"),
                bandwidth_bytes_per_s: number("bandwidth_bytes_per_s"),
            };
            let text = |column| row.text(column).unwrap_or_default();
            facts.ops.insert((text("layer"), text("op")), op);
        }
        for row in rows(self.phases.as_ref(), log) {
            let integer = |column| row.integer(column).unwrap_or(0);
            let real = |column| row.number(column).unwrap_or(0.0);
            let phase = PhaseSide {
                phase: integer("phase"),
                start_s: real("start_s"),
                duration_s: real("duration_s"),
                bytes_read: integer("bytes_read"),
                bytes_written: integer("bytes_written"),
                calls: integer("calls"),
            };
            let layer = row.text("layer").unwrap_or_default();
            facts.phases.entry(layer).or_default().push(phase);
        }
        for row in rows(self.sizes.as_ref(), log) {
            let text = |column| row.text(column).unwrap_or_default();
            let Some(lo) = row.integer("size_lo_bytes") else { continue };
            let size = Size {
                size_hi_bytes: row.integer("size_hi_bytes"),
                calls: row.integer("calls").unwrap_or(0),
                calls_ratio: row.number("calls_ratio"),
            };
            facts.sizes.insert((text("layer"), text("op"), lo), size);
        }
        facts
    }

    fn files(&self, log: i32) -> Vec<FileUse> {
        let mut paths = HashMap::new();
        for row in rows(self.names.as_ref(), log) {
            if let (Value::Unsigned(id), Some(path)) = (row.value("file_id"), row.text("path")) {
                paths.insert(id, path);
            }
        }
        let listed = rows(self.kinds.as_ref(), log).filter_map(|row| match row.value("file_id") {
            Value::Unsigned(id) if row.text("op").as_deref() == Some("list") => Some(id),
            _ => None,
        });
        let folders = Folders::of(paths.values().map(String::as_str), listed.collect());
        let mut lowest: HashMap<u64, (usize, FileUse)> = HashMap::new();
        for row in rows(self.files.as_ref(), log) {
            let Value::Unsigned(id) = row.value("file_id") else { continue };
            let layer = row.text("layer").unwrap_or_default();
            let Some(depth) = layers().position(|known| known == layer) else { continue };
            let Some(path) = paths.get(&id) else { continue };
            if lowest.get(&id).is_some_and(|(known, _)| *known <= depth) {
                continue;
            }
            let (reads, writes) = (row.integer("reads"), row.integer("writes"));
            let side = FileSide {
                files: 1,
                calls: match (reads, writes) {
                    (None, None) => None,
                    (reads, writes) => Some(reads.unwrap_or(0).saturating_add(writes.unwrap_or(0))),
                },
                opens: row.integer("opens"),
                bytes_read: row.integer("bytes_read"),
                bytes_written: row.integer("bytes_written"),
                time_s: row.number("time_s"),
            };
            let is_moved = side.calls.is_some_and(|calls| calls > 0);
            if !is_moved && folders.has(id, path) {
                continue;
            }
            lowest.insert(id, (depth, FileUse { path: path.clone(), layer, side }));
        }
        lowest.into_values().map(|(_, file)| file).collect()
    }
}

fn rows<'c>(table: Option<&'c Cells>, log: i32) -> impl Iterator<Item = Row<'c>> {
    table.into_iter().flat_map(move |table| table.rows(log))
}
