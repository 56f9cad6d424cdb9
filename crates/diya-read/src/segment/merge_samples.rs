//! Rows of samples of the processor.

use super::clock::seconds;
use super::merge::Merged;
use super::run_facts::Resolver;
use super::sampled::Samples;
use diya_tables::{Issue, IssueKind, ProcessorSampleRow, Tables};

impl Merged<'_> {
    pub(super) fn sample_rows(&mut self, resolver: &dyn Resolver, tables: &mut Tables) {
        let log = self.facts.log;
        let Samples { rows, places, refused, .. } = std::mem::take(&mut self.samples);
        let symbols: Vec<_> = places
            .iter()
            .map(|(module, build_id, address)| {
                resolver.symbol(module.as_deref()?, build_id.as_deref(), *address)
            })
            .collect();
        for row in &rows {
            let Some((module, _, address)) = places.get(row.place) else { continue };
            let symbol = symbols.get(row.place).and_then(Option::as_ref);
            tables.push_processor_sample(ProcessorSampleRow {
                log,
                process: row.process,
                rank: row.rank,
                thread: row.thread,
                time_s: seconds(row.time_ns),
                weight_s: row.weight_ns / 1e9,
                module: module.as_deref(),
                address: *address,
                function: symbol.map(|symbol| symbol.name.as_str()),
                is_inside: symbol.is_some_and(|symbol| symbol.is_inside),
            });
        }
        if refused > 0 {
            let effect = format!(
                "{refused} processes: the system does not permit samples of the processor (perf_event_paranoid, or the filter of a container); what libraries do between calls is estimated"
            );
            let issue = Issue::of_log(IssueKind::NotSampled, &effect);
            tables.push_issue(log, Issue { count: Some(refused), ..issue });
        }
    }
}
