//! Where the seconds of the account are: when they pass, and at which rank.

use super::windows::{Kind, Placed, Windows};
use super::{Key, Share, Shares};
use crate::from_calls::Calls;
use crate::hash::HashMap;
use crate::model::Model;
use crate::model::facts::Facts;
use crate::model::job::Job;
use crate::rows;
use diya_tables::{BatchSource, TableBuilder};
use std::collections::BTreeMap;
use std::sync::Arc;

/// More ranks than these are a table that no page holds.
const MOST_RANKS: usize = 20_000;

/// The account of one log, and where its seconds are.
#[derive(Debug)]
pub(in crate::model) struct Account {
    pub shares: Shares,
    placed: Placed,
    /// call, counters or none.
    pub source: &'static str,
}

/// The accounts of all logs: made once for all tables that are written from them.
pub(super) fn of_logs<'a>(
    model: &'a Model,
    tables: &[Arc<dyn BatchSource>],
    calls: &Calls,
) -> &'a BTreeMap<i32, Account> {
    model.accounts.get_or_init(|| make(model, tables, calls))
}

fn make(model: &Model, tables: &[Arc<dyn BatchSource>], calls: &Calls) -> BTreeMap<i32, Account> {
    let calls = model.relayed.as_ref().unwrap_or(calls);
    let loading = super::loading::of(tables, &model.relays, &model.worked);
    let collective = |log: i32, file_id: u64| {
        let counted = model.counted.get(&log);
        counted.is_none_or(|counted| counted.is_collective(file_id))
    };
    let facts: HashMap<i32, Facts> =
        model.jobs.iter().map(|job| (job.facts.log, job.facts)).collect();
    let requests = super::requests::Requests::of(tables, calls, &model.relays);
    let mut traced = super::traced::of_calls(calls, &facts, collective, &requests);
    let of_job = |job: &Job| {
        let log = job.facts.log;
        let turns = model.turns.get(&log).map_or(&[][..], Vec::as_slice);
        match (traced.remove(&log), model.counted.get(&log)) {
            (Some((mut shares, placed)), _) => {
                super::without_tasks(&mut shares, model.worked.tasks(log));
                super::beside(&mut shares, job, model.besides.get(&log).map_or(&[], Vec::as_slice));
                if let Some(most) = loading.get(&log) {
                    super::loading::add(&mut shares, job, most);
                }
                super::add_turns(&mut shares, job, turns);
                super::add_awaited(
                    &mut shares,
                    job,
                    model.awaited.get(&log).map_or(&[], Vec::as_slice),
                );
                Account { shares: super::within(shares, job), placed, source: "call" }
            }
            (None, Some(counted)) if !counted.is_empty() => {
                let mut shares = counted.shares(job.facts.nprocs);
                super::widen(&mut shares, job);
                super::add_handling(&mut shares, job);
                super::add_turns(&mut shares, job, turns);
                let shares = super::within(shares, job);
                Account { shares, placed: Placed::default(), source: "counters" }
            }
            _ => Account { shares: Shares::new(), placed: Placed::default(), source: "none" },
        }
    };
    model.jobs.iter().map(of_job).zip(&model.jobs).map(|(of, job)| (job.facts.log, of)).collect()
}

/// Seconds of the account over those of the single calls: less than 1 where a part of them is
/// the task of the program, or where they are longer than the run.
fn ratio(account: &Account, kind: Kind) -> f64 {
    let of_kind = |((layer, class, _), _): &(&Key, &Share)| (*layer, *class) == kind;
    let all_s: f64 = account.shares.iter().filter(of_kind).map(|(_, share)| share.time_s).sum();
    let placed = account.placed.windows.parts.iter().filter(|((_, of), _)| *of == kind);
    let placed_s: f64 = placed.map(|(_, time_s)| time_s).sum();
    if placed_s > 0.0 { (all_s / placed_s).min(1.0) } else { 1.0 }
}

/// Rows of table `account_window`.
pub(crate) fn write_windows(
    model: &Model,
    tables: &[Arc<dyn BatchSource>],
    calls: &Calls,
    table: &mut TableBuilder,
) {
    for (log, account) in of_logs(model, tables, calls) {
        let Windows { length_s, parts } = &account.placed.windows;
        for ((at, (layer, class)), time_s) in parts {
            rows::AccountWindow {
                log: *log,
                start_s: *at as f64 * length_s,
                end_s: (*at + 1) as f64 * length_s,
                layer: layer.name(),
                class: class.name(),
                time_s: time_s * ratio(account, (*layer, *class)),
            }
            .push(table);
        }
    }
}

/// Rows of table `account_rank`.
pub(crate) fn write_ranks(
    model: &Model,
    tables: &[Arc<dyn BatchSource>],
    calls: &Calls,
    table: &mut TableBuilder,
) {
    for (log, account) in of_logs(model, tables, calls) {
        if account.placed.ranks.len() > MOST_RANKS {
            continue;
        }
        for (rank, kinds) in &account.placed.ranks {
            for ((layer, class), time_s) in kinds.iter().filter(|(_, time_s)| **time_s > 0.0) {
                rows::AccountRank {
                    log: *log,
                    rank: *rank,
                    layer: layer.name(),
                    class: class.name(),
                    time_s: *time_s,
                }
                .push(table);
            }
        }
    }
}
