//! Metrics over single calls and bins of time, which SQL cannot compute well:
//! intervals in time and extents in files. Each takes calls and gives rows; the
//! columns are declared in `metrics/`.

mod activity_map;
mod calls;
mod exclusive;
mod gap;
mod heat;
mod in_flight;
mod intervals;
mod kruskal_wallis;
mod latency;
mod layout;
mod library_pause;
mod nesting;
mod overlap;
mod pattern;
mod period;
mod periods;
mod phases;
mod pieces;
mod processor_position;
mod processor_samples;
mod processor_work;
mod redundancy;
mod rounds;
mod spectrum;
mod steps;
mod stragglers;
mod streams;
mod stuck;
mod targets;
#[cfg(test)]
mod tests;
mod user_frame;

use crate::counts;
use crate::model::{self, Model};
use crate::peers::Peers;
use crate::relay::Relays;
use arrow::array::RecordBatch;
pub(crate) use calls::{Call, Calls, Stream};
use diya_tables::{BatchSource, TableBuilder, TableDef};
use exclusive::Exclusive;
pub(crate) use gap::limit_s as pause_limit_s;
use heat::Heat;
pub(crate) use in_flight::completions;
pub(crate) use intervals::{Union, seconds};
use latency::Latencies;
pub(crate) use phases::Phases;
pub(crate) use pieces::batches;
pub(crate) use processor_position::Position;
pub(crate) use processor_work::{Part, ProcessorWork};
use redundancy::Extents;
pub(crate) use rounds::Rounds;
use std::sync::Arc;
use streams::Totals;
use targets::Targets;

/// Names both ways.
macro_rules! computations {
    ($($variant:ident $name:literal,)*) => {
        /// A computation that a metric file names.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Computation {
            $($variant,)*
            /// Stops in the middle, as a fault would make one.
            #[cfg(test)]
            Panics,
            Model(model::Table),
        }

        impl Computation {
            /// The one that a file's `computed:` names.
            pub fn named(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$variant),)*
                    #[cfg(test)]
                    "panics" => Some(Self::Panics),
                    _ => model::Table::named(name).map(Self::Model),
                }
            }
        }
    };
}

computations! {
    ActivityMap "activity_map",
    CallCount "call_count",
    CallNesting "call_nesting",
    ExclusiveTime "exclusive_time",
    FileExclusive "file_exclusive",
    FileInterleave "file_interleave",
    FileRank "file_rank",
    FileRankPattern "file_rank_pattern",
    FileSizeTime "file_size_time",
    GroupLatency "group_latency",
    HeatmapPeriod "heatmap_period",
    HeatmapPhase "heatmap_phase",
    HostLatency "host_latency",
    InFlight "in_flight",
    LatencyTest "latency_test",
    LibraryPause "library_pause",
    Overlap "overlap",
    Period "period",
    Phase "phase",
    PeerGroup "peer_group",
    PhaseExclusive "phase_exclusive",
    PhaseRank "phase_rank",
    PhaseStraggler "phase_straggler",
    PhaseTarget "phase_target",
    ProcessorWork "processor_work",
    RankCall "rank_call",
    Redundancy "redundancy",
    RedundantExtent "redundant_extent",
    Relay "relay",
    SizeTime "size_time",
    StepSummary "step_summary",
    StripeCrossing "stripe_crossing",
    StuckCall "stuck_call",
    TargetLoad "target_load",
    TargetTime "target_time",
    TurnRound "turn_round",
    UserFrame "user_frame",
}

/// What was read and worked out so far; several computations share it.
#[derive(Debug, Default)]
pub(crate) struct Traces {
    calls: Option<Calls>,
    phases: Option<Phases>,
    totals: Option<Totals>,
    extents: Option<Extents>,
    exclusive: Option<Exclusive>,
    targets: Option<Targets>,
    latencies: Option<Latencies>,
    heat: Option<Heat>,
    rounds: Option<Vec<Rounds>>,
    work: Option<ProcessorWork>,
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
        use Computation as C;
        let mut table = TableBuilder::new(def);
        match computation {
            #[cfg(test)]
            C::Panics => panic!("a damaged number"),
            C::ActivityMap => activity_map::compute(tables, &mut table),
            C::CallCount => counts::write(tables, &mut table),
            C::CallNesting => nesting::compute(tables, &mut table),
            C::LibraryPause => library_pause::compute(tables, &mut table),
            C::UserFrame => user_frame::compute(tables, &mut table),
            C::PeerGroup => Peers::read(tables).write(&mut table),
            C::Relay => Relays::read(tables).write(&mut table),
            C::HeatmapPhase => self.heat(tables).write_phases(&mut table),
            C::HeatmapPeriod => self.heat(tables).write_periods(&mut table),
            _ => self.of_calls(computation, tables, &mut table),
        }
        table.into_batch()
    }

    fn heat(&mut self, tables: &[Arc<dyn BatchSource>]) -> &Heat {
        self.heat.get_or_insert_with(|| Heat::of(tables))
    }

    fn of_calls(
        &mut self,
        computation: Computation,
        tables: &[Arc<dyn BatchSource>],
        table: &mut TableBuilder,
    ) {
        use Computation as C;
        let Self {
            calls,
            phases,
            totals,
            extents,
            exclusive,
            targets,
            latencies,
            rounds,
            work,
            model,
            ..
        } = self;
        let calls = &*calls.get_or_insert_with(|| Calls::load(tables));
        let of_rounds = || Rounds::of(calls, tables);
        let of_work = || ProcessorWork::of(tables, calls);
        match computation {
            C::TurnRound => Rounds::write(rounds.get_or_insert_with(of_rounds), table),
            C::ProcessorWork => work.get_or_insert_with(of_work).write(calls, table),
            C::FileRankPattern => pattern::compute(calls, table),
            C::InFlight => in_flight::compute(tables, calls, table),
            C::Overlap => overlap::compute(calls, table),
            C::Period => periods::compute(calls, table),
            C::Phase => {
                let phases = phases.get_or_insert_with(|| Phases::of(calls));
                phases.write(&Peers::read(tables), table);
            }
            C::StepSummary => {
                steps::write(&phases.get_or_insert_with(|| Phases::of(calls)).steps, table);
            }
            C::PhaseRank => phases.get_or_insert_with(|| Phases::of(calls)).write_ranks(table),
            C::StuckCall => {
                stuck::write(calls, phases.get_or_insert_with(|| Phases::of(calls)), table);
            }
            C::PhaseStraggler => {
                let phases = phases.get_or_insert_with(|| Phases::of(calls));
                stragglers::write(phases, &Peers::read(tables), table);
            }
            C::FileRank | C::RankCall | C::SizeTime | C::FileSizeTime => {
                let totals = totals.get_or_insert_with(|| Totals::of(calls));
                match computation {
                    C::FileRank => totals.write_file_rank(table),
                    C::RankCall => totals.write_rank_call(table),
                    C::SizeTime => totals.write_size_time(table),
                    _ => totals.write_file_size_time(table),
                }
            }
            C::Redundancy | C::RedundantExtent | C::FileInterleave => {
                let extents = extents.get_or_insert_with(|| Extents::of(calls));
                match computation {
                    C::Redundancy => extents.write_redundancy(table),
                    C::RedundantExtent => extents.write_again(table),
                    _ => extents.write_interleave(table),
                }
            }
            C::ExclusiveTime | C::FileExclusive | C::PhaseExclusive => {
                let phases = phases.get_or_insert_with(|| Phases::of(calls));
                let exclusive = exclusive.get_or_insert_with(|| Exclusive::of(calls, phases));
                match computation {
                    C::ExclusiveTime => exclusive.write(table),
                    C::FileExclusive => exclusive.write_files(table),
                    _ => exclusive.write_phases(phases, table),
                }
            }
            C::HostLatency | C::GroupLatency | C::LatencyTest => {
                let latencies = latencies.get_or_insert_with(|| Latencies::of(calls));
                match computation {
                    C::HostLatency => latencies.write_hosts(table),
                    C::GroupLatency => latencies.write_groups(tables, table),
                    _ => latencies.write_tests(tables, table),
                }
            }
            C::TargetLoad | C::TargetTime | C::PhaseTarget | C::StripeCrossing => {
                let targets = targets.get_or_insert_with(|| {
                    Targets::of(calls, phases.get_or_insert_with(|| Phases::of(calls)), tables)
                });
                match computation {
                    C::TargetLoad => targets.write(table),
                    C::TargetTime => targets.write_time(table),
                    C::PhaseTarget => targets.write_phases(table),
                    _ => targets.write_crossing(table),
                }
            }
            C::Model(of_model) => {
                let phases = phases.get_or_insert_with(|| Phases::of(calls));
                let rounds = rounds.get_or_insert_with(of_rounds);
                let work = work.get_or_insert_with(of_work);
                let make = || Model::of(tables, calls, phases, rounds, work);
                let model = model.get_or_insert_with(make);
                model.write(of_model, tables, calls, table);
            }
            // Those that need no calls were dealt with before.
            C::ActivityMap
            | C::CallCount
            | C::CallNesting
            | C::HeatmapPhase
            | C::HeatmapPeriod
            | C::LibraryPause
            | C::PeerGroup
            | C::Relay
            | C::UserFrame => {}
            #[cfg(test)]
            C::Panics => {}
        }
    }
}

/// A count as the tables hold it.
fn count(n: usize) -> Option<i64> {
    Some(i64::try_from(n).unwrap_or(i64::MAX))
}
