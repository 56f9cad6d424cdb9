//! The lost-time model: how many seconds a fix would save.
//!
//! Four steps, described in docs/reference/lost-time.md: what each rank did in each file
//! ([`load`]), what a request costs ([`cost`]), what is left of the calls after
//! a fix ([`lost`]), and how much of the difference shortens the job
//! ([`path`]). All tables of `metrics/model/` are written from here.

pub(crate) mod account;
mod between_calls;
pub(crate) mod cost;
mod counters;
pub(crate) mod critical;
mod facts;
mod fit;
mod job;
mod known_syncs;
mod library_files;
mod load;
pub(crate) mod lost;
mod mounts;
mod naps;
pub(crate) mod outside_calls;
mod page_faults;
mod path;
mod pause;
mod pipes;
mod profile;
mod range;
mod sampled_work;
#[cfg(test)]
mod tests;
mod threads;
mod traced;
mod turns;

use crate::from_calls::{Awaited, Calls, Phases, ProcessorWork, Rounds};
use crate::hash::HashMap;
use crate::relay::Relays;
use account::Counted;
use cost::Costs;
use diya_tables::{BatchSource, Layer};
use job::Job;
use load::Load;
use mounts::Mounts;
use outside_calls::Besides;
pub(crate) use pipes::pipes;
use profile::Profile;
use sampled_work::Worked;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

/// The loads of all logs, and what they cost.
#[derive(Debug)]
pub(crate) struct Model {
    jobs: Vec<Job>,
    mounts: Mounts,
    costs: Costs,
    profile: Profile,
    /// Counters of each log, before the time of single calls is subtracted.
    counted: HashMap<i32, Counted>,
    besides: Besides,
    /// What samples of the processor show between calls.
    worked: Worked,
    /// What ranks wait for each other's turns, by log and layer.
    turns: HashMap<i32, Vec<(Layer, f64)>>,
    /// What others wait for one rank or thread beyond its calls.
    awaited: HashMap<i32, Vec<(Layer, f64)>>,
    relays: Relays,
    /// What the run time is spent on, once it is asked for.
    accounts: OnceLock<BTreeMap<i32, account::placed::Account>>,
    /// Calls of processes that follow one another as those of one; `None`: none do.
    relayed: Option<Calls>,
}

impl Model {
    /// From the base tables; `calls` are the rows of table `call`.
    pub fn of(
        tables: &[Arc<dyn BatchSource>],
        calls: &Calls,
        phases: &Phases,
        (rounds, awaited): (&[Rounds], &[Awaited]),
        work: &ProcessorWork,
    ) -> Self {
        let facts = facts::facts(tables);
        let relays = Relays::read(tables);
        let relayed = (!relays.is_empty())
            .then(|| calls.made_by(|stream| relays.of(stream.log, stream.rank)));
        let calls = relayed.as_ref().unwrap_or(calls);
        let mut loads: HashMap<i32, Vec<Load>> = HashMap::default();
        counters::load(tables, &facts, &mut loads);
        for (log, loads) in &mut loads {
            loads.iter_mut().for_each(|load| load.rank = relays.of(*log, load.rank));
        }
        known_syncs::settle(calls, &mut loads);
        let counted = Counted::of(tables, &loads);
        let mounts = Mounts::read(tables);
        let profile = Profile::read(tables);
        let lanes = threads::lanes(calls);
        let worked = Worked::of(work, calls, &relays);
        let besides = outside_calls::of(tables, calls, &relays, &worked);
        let costs = Costs::of(calls, &lanes, &loads, &mounts, &profile);
        let libraries = library_files::of(tables, &facts);
        traced::load(calls, &lanes, (phases, &libraries), &mut loads);
        loads.iter_mut().for_each(|(log, loads)| turns::mark(*log, phases, loads));
        let jobs = facts.into_iter().map(|facts| {
            let loads = loads.remove(&facts.log).unwrap_or_default();
            Job::of(facts, loads)
        });
        let turns = by_log(Rounds::waits(rounds));
        let awaited = by_log(Awaited::waits(awaited));
        let jobs = jobs.collect();
        Self {
            jobs,
            mounts,
            costs,
            profile,
            counted,
            besides,
            worked,
            turns,
            awaited,
            relays,
            accounts: OnceLock::new(),
            relayed,
        }
    }

    /// What opens and stats take where this file is, by the machine profile.
    fn metadata_rates(&self, log: i32, file_id: u64) -> Option<profile::Rates> {
        self.profile.rates(log, self.mounts.name(self.mounts.of(log, file_id)))
    }
}

/// Seconds of a layer, by log.
fn by_log(all: impl Iterator<Item = (i32, Layer, f64)>) -> HashMap<i32, Vec<(Layer, f64)>> {
    let mut logs: HashMap<i32, Vec<(Layer, f64)>> = HashMap::default();
    all.for_each(|(log, layer, time_s)| logs.entry(log).or_default().push((layer, time_s)));
    logs
}
