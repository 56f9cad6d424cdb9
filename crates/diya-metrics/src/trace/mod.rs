//! Metrics over single calls, which SQL cannot compute well: intervals in time
//! and extents in files. Each takes calls and gives rows; the columns are
//! declared in `metrics/trace/`.

mod calls;
mod exclusive;
mod gap;
mod intervals;
mod phases;
mod redundancy;
mod stragglers;
mod stuck;
mod targets;
#[cfg(test)]
mod tests;

use crate::model::{self, Model};
use arrow::array::RecordBatch;
pub(crate) use calls::Call;
use diya_tables::{BatchSource, TableBuilder, TableDef};
pub(crate) use phases::Phases;
use std::sync::Arc;

/// A computation that a metric file names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Computation {
    Phase,
    PhaseRank,
    PhaseStraggler,
    StuckCall,
    Redundancy,
    ExclusiveTime,
    TargetLoad,
    Model(model::Table),
}

impl Computation {
    /// The one that a file's `computed:` names.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "phase" => Self::Phase,
            "phase_rank" => Self::PhaseRank,
            "phase_straggler" => Self::PhaseStraggler,
            "stuck_call" => Self::StuckCall,
            "redundancy" => Self::Redundancy,
            "exclusive_time" => Self::ExclusiveTime,
            "target_load" => Self::TargetLoad,
            _ => return model::Table::named(name).map(Self::Model),
        })
    }
}

/// The calls, read once for all computations, and what several of them share.
#[derive(Debug, Default)]
pub(crate) struct Traces {
    calls: Option<Vec<Call>>,
    phases: Option<Phases>,
    model: Option<Model>,
}

impl Traces {
    /// The rows of one table.
    pub fn compute(
        &mut self,
        computation: Computation,
        def: &'static TableDef,
        tables: &[Arc<dyn BatchSource>],
    ) -> RecordBatch {
        let calls = self.calls.get_or_insert_with(|| calls::load(tables));
        let mut table = TableBuilder::new(def);
        match computation {
            Computation::Redundancy => redundancy::compute(calls, &mut table),
            Computation::ExclusiveTime => exclusive::compute(calls, &mut table),
            Computation::TargetLoad => targets::compute(calls, tables, &mut table),
            Computation::Model(of_model) => {
                let phases = self.phases.get_or_insert_with(|| Phases::of(calls));
                let model = self.model.get_or_insert_with(|| Model::of(tables, calls, phases));
                model.write(of_model, tables, &mut table);
            }
            Computation::Phase
            | Computation::PhaseRank
            | Computation::PhaseStraggler
            | Computation::StuckCall => {
                let phases = self.phases.get_or_insert_with(|| Phases::of(calls));
                match computation {
                    Computation::Phase => phases.write(&mut table),
                    Computation::PhaseRank => phases.write_ranks(&mut table),
                    Computation::StuckCall => stuck::write(calls, phases, &mut table),
                    _ => stragglers::write(phases, &mut table),
                }
            }
        }
        table.into_batch()
    }
}

/// A count as the tables hold it.
fn count(n: usize) -> Option<i64> {
    Some(i64::try_from(n).unwrap_or(i64::MAX))
}
