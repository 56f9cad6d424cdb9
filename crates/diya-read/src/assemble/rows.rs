//! The rows of a trace that has been read to its end.

use super::nesting::{Parents, parents};
use super::summary::Sums;
use super::{About, Assembly, Stream};
use diya_tables::{
    CALLS_PER_CHUNK, CallChunk, CallRun, CallTable, FileRow, JobRow, ModuleRow, ProcessRow,
    RankHostRow, RegionRow, TableId, Tables,
};
use std::collections::BTreeSet;
use std::ops::Range;

/// Fewer calls of a thread are put together with those of others: a batch of a few rows costs
/// a query more than the rows.
const OWN_CHUNK: usize = CALLS_PER_CHUNK / 4;

impl Assembly<'_> {
    /// Writes all rows but those of `read_issue`.
    pub fn finish(mut self, about: &About, tables: &mut Tables) {
        let job_ns = self.last_ns.saturating_sub(self.first_ns.min(self.last_ns));
        self.job_row(about, job_ns, tables);
        let mut sums = Sums::new(job_ns);
        let mut streams = std::mem::take(&mut self.streams);
        streams.sort_by_key(|stream| stream.process);
        let mut next_id: Vec<u64> = (0..self.processes.len() as u64).map(|at| at << 40).collect();
        let mut all = CallTable::default();
        let mut recorded = vec![0i64; self.processes.len()];
        for mut stream in streams {
            if let Some(count) = recorded.get_mut(stream.process) {
                *count += i64::try_from(stream.count).unwrap_or(0);
            }
            self.stream_rows(&mut stream, about, &mut next_id, &mut sums, &mut all);
        }
        for transfer in std::mem::take(&mut self.transfers) {
            let since = |ns: i64| ns.saturating_sub(self.first_ns);
            let times = (since(transfer.start_ns), since(transfer.end_ns));
            sums.add_transfer(transfer.layer, transfer.is_write, times, transfer.bytes);
        }
        let files = &self.files;
        let is_file = |id: u64| files.get(&id).is_none_or(|file| file.kind != "pipe");
        self.module_rows(&sums, tables);
        let of = (self.request.log, self.request.selection);
        sums.rows(of, &is_file, about.has_durations, &all, tables);
        if self.request.selection.tables.has(TableId::Call) {
            tables.calls.append(all);
        }
        self.process_rows(about, &recorded, tables);
        self.file_rows(tables);
        self.region_rows(about, tables);
        self.counter_rows(about.has_threads, tables);
        self.message_rows(tables);
    }

    fn module_rows(&self, sums: &Sums, tables: &mut Tables) {
        for module in sums.layers() {
            tables.push_module(ModuleRow {
                log: self.request.log,
                module,
                is_partial: false,
                is_decoded: true,
                ..ModuleRow::UNKNOWN
            });
        }
    }

    /// Writes the calls of a thread and counts them; each piece of the thread is given up when
    /// it has been written.
    fn stream_rows(
        &self,
        stream: &mut Stream,
        about: &About,
        next_id: &mut [u64],
        sums: &mut Sums,
        all: &mut CallTable,
    ) {
        let Some(process) = self.processes.get(stream.process) else { return };
        let calls = &mut stream.calls;
        let parents = if about.has_nesting { parents(calls) } else { Parents::default() };
        let inner_ns = parents.inner_ns(calls);
        let first_id = next_id.get(stream.process).copied().unwrap_or_default();
        if let Some(next) = next_id.get_mut(stream.process) {
            *next += calls.rows() as u64;
        }
        let id = |at: usize| first_id + at as u64;
        let later_s = self.base_ns.unwrap_or_default().saturating_sub(self.first_ns) as f64 / 1e9;
        let host = process.host.as_deref().map(|host| all.name_id(host));
        let names = all.adopt_names(calls);
        let selection = self.request.selection;
        let mut first = 0;
        for mut chunk in calls.drain_chunks() {
            let places = first..first + chunk.len();
            for run in &mut chunk.runs {
                let (function, error) = (names.here(run.function), names.here(run.error));
                *run = CallRun { rank: process.rank, host, function, error, ..*run };
            }
            for time in chunk.start_s.iter_mut().chain(&mut chunk.end_s) {
                *time += later_s;
            }
            if about.has_threads {
                chunk.thread.extend(places.clone().map(|_| stream.thread));
            }
            chunk.call_id.extend(places.clone().map(id));
            for (of, parent) in places.clone().map(|at| parents.get(at)).enumerate() {
                if let Some(parent) = parent {
                    chunk.parent_id.set(of, id(parent));
                }
            }
            let wants = |run: &CallRun| selection.wants(run.file_id, process.rank);
            let members = |of: usize| {
                let inner_ns = inner_ns.get(&(first + of)).copied();
                (chunk.call(of), inner_ns.unwrap_or_default())
            };
            if self.wants_sums {
                each_run(&chunk, |run, of| {
                    if wants(run) {
                        sums.add(run, all, of.map(members));
                    }
                });
            }
            first = places.end;
            if chunk.len() >= OWN_CHUNK && chunk.runs.iter().all(wants) {
                all.push_chunk(chunk);
                continue;
            }
            each_run(&chunk, |run, of| {
                if wants(run) {
                    of.for_each(|of| all.push(*run, chunk.call(of)));
                }
            });
        }
    }

    /// Seconds since the start of the job.
    pub(super) fn since(&self, ns: i64) -> f64 {
        ns.saturating_sub(self.first_ns) as f64 / 1e9
    }

    fn job_row(&self, about: &About, job_ns: i64, tables: &mut Tables) {
        let has_time = self.base_ns.is_some();
        let start = Some(self.first_ns).filter(|ns| about.is_real_time && has_time && *ns > 0);
        let ranks = self.processes.iter().map(|process| i64::from(process.rank) + 1).max();
        let main = self.processes.first();
        let some = |text: &str| Some(text.to_string()).filter(|text| !text.is_empty());
        let (exe, command_line) =
            (main.and_then(|p| some(&p.exe)), main.and_then(|p| some(&p.command_line)));
        tables.push_job(JobRow {
            log: self.request.log,
            log_name: self.request.log_name,
            format: about.format,
            job_id: main.and_then(|process| process.pid),
            exe: exe.as_deref(),
            command_line: command_line.as_deref(),
            nprocs: about.nprocs.max(ranks),
            start_time: start,
            end_time: start.map(|start| start.saturating_add(job_ns)),
            run_time_s: has_time.then_some(job_ns as f64 / 1e9),
            log_version: about.log_version.as_deref(),
            library_version: about.library_version.as_deref(),
            is_big_endian: false,
            compression: self.request.outer_compression.unwrap_or("none"),
            ..JobRow::UNKNOWN
        });
    }

    fn process_rows(&self, about: &About, recorded: &[i64], tables: &mut Tables) {
        let log = self.request.log;
        let mut hosts = BTreeSet::new();
        for (at, process) in self.processes.iter().enumerate() {
            if let Some(host) = &process.host {
                hosts.insert((process.rank, host.as_str()));
            }
            if !self.request.selection.tables.has(TableId::Process) {
                continue;
            }
            let threads = self.threads.get(&at).map_or(0, std::collections::HashSet::len);
            tables.push_process(ProcessRow {
                log,
                process: i32::try_from(at).unwrap_or(i32::MAX),
                rank: process.rank,
                mpi_rank: process.mpi_rank,
                mpi_size: process.mpi_size,
                step: process.mpi_rank.map(|_| 0),
                step_rank: process.mpi_rank,
                host: process.host.as_deref(),
                pid: process.pid,
                parent_pid: process.parent_pid,
                parent: process.parent,
                exe: &process.exe,
                command_line: &process.command_line,
                cwd: process.cwd.as_deref(),
                start_s: self.since(process.start_ns),
                end_s: process.end_ns.map(|ns| self.since(ns)),
                start_time: about.is_real_time.then_some(process.start_ns),
                ended: process.ended,
                exit_code: process.exit_code,
                mode: Some("trace"),
                threads: i64::try_from(threads).ok().filter(|_| about.has_threads),
                calls_recorded: recorded.get(at).copied(),
                calls_counted: Some(0),
                ..ProcessRow::UNKNOWN
            });
        }
        for (rank, host) in hosts {
            tables.push_rank_host(RankHostRow { log, rank, host, source: about.format });
        }
    }

    fn file_rows(&self, tables: &mut Tables) {
        let selection = self.request.selection;
        if !selection.tables.has(TableId::File) {
            return;
        }
        let mut files: Vec<_> = self.files.iter().collect();
        files.sort_unstable_by_key(|(id, _)| **id);
        for (&file_id, file) in files {
            if selection.file_ids.as_ref().is_some_and(|ids| !ids.contains(&file_id)) {
                continue;
            }
            tables.push_file(FileRow {
                log: self.request.log,
                file_id,
                path: Some(&file.path),
                is_path_suffix: file.is_suffix,
                kind: Some(file.kind),
                ..FileRow::UNKNOWN
            });
        }
    }

    fn region_rows(&self, about: &About, tables: &mut Tables) {
        let ranks = self.request.selection.ranks.as_ref();
        for region in &self.regions {
            let rank = self.processes.get(region.process).map_or(-1, |process| process.rank);
            if ranks.is_some_and(|ranks| !ranks.contains(&rank)) {
                continue;
            }
            let category = self.region_texts.get(region.category);
            tables.push_region(RegionRow {
                log: self.request.log,
                name: self.region_texts.get(region.name),
                category: Some(category).filter(|category| !category.is_empty()),
                process: i32::try_from(region.process).unwrap_or(i32::MAX),
                rank,
                thread: region.thread.filter(|_| about.has_threads),
                start_s: self.since(region.start_ns),
                end_s: self.since(region.end_ns.max(region.start_ns)),
                number: region.number,
            });
        }
    }
}

/// The runs of a chunk, each with the places of its calls.
fn each_run(chunk: &CallChunk, mut each: impl FnMut(&CallRun, Range<usize>)) {
    let mut at = 0;
    for run in &chunk.runs {
        let places = at..at + run.len;
        at = places.end;
        each(run, places);
    }
}
