//! Rows of samples of the processor.

use super::clock::seconds;
use super::merge::Merged;
use super::run_facts::{Resolver, SourceFrame};
use super::sampled::Samples;
use diya_model::short_function;
use diya_tables::{Issue, IssueKind, ProcessorSampleRow, Tables};

impl Merged<'_> {
    pub(super) fn sample_rows(&mut self, resolver: &dyn Resolver, tables: &mut Tables) {
        let log = self.facts.log;
        let Samples { rows, places, refused, .. } = std::mem::take(&mut self.samples);
        let lines: Vec<Option<String>> = places
            .iter()
            .map(|(module, build_id, address)| {
                // Nobody changes lines of the system, and looking them up takes long.
                let own = module.as_deref().filter(|module| !is_of_system(module))?;
                source_line(&resolver.frames(own, build_id.as_deref(), *address))
            })
            .collect();
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
                source: lines.get(row.place).and_then(Option::as_deref),
            });
        }
        if refused > 0 {
            let effect = format!(
                "{refused} processes: the system does not permit samples of the processor \
                 (perf_event_paranoid, or the filter of a container); what libraries do between \
                 calls is estimated"
            );
            let issue = Issue::of_log(IssueKind::NotSampled, &effect);
            tables.push_issue(log, Issue { count: Some(refused), ..issue });
        }
    }
}

fn is_of_system(module: &str) -> bool {
    ["/usr/lib", "/lib"].iter().any(|folder| module.starts_with(folder))
}

/// The innermost line that is not in a header of the system: `relax (solver.c:40)`.
fn source_line(frames: &[SourceFrame]) -> Option<String> {
    let own = frames.iter().find_map(|frame| {
        let file = frame.file.as_deref().filter(|file| !file.starts_with("/usr/"))?;
        Some((frame.function.as_deref().unwrap_or("?"), file, frame.line?))
    });
    let (function, file, line) = own?;
    Some(format!("{} ({file}:{line})", short_function(function)))
}
