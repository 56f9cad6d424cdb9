//! Processes put together: rows of every table but `call`.
//!
//! Processes of one rank (the programs it started, what it was before it became
//! another program) share the rows of a file.

use super::clock::seconds;
use super::definitions::Name;
use super::few_lost::FewLost;
use super::identity::MissingLines;
use super::process::{NO_FILE, Outcome};
use super::run_facts::{Facts, Resolver};
use super::sampled::Samples;
use super::stacks::Stack;
use super::started::Unrecorded;
use super::static_libraries::Programs;
use super::tally::{Access, OpSums};
use diya_model::segment::{NAME_PIPE, NAME_SUFFIX};
use diya_tables::{
    AttributeRow, BinaryRow, FastHashMap, FileRow, Issue, IssueKind, JobRow, LeaderTimeRow,
    MountRow, MpiHintRow, RankHostRow, Tables, record_id,
};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// Kinds of names, as `enum diya_name_kind`.
const KINDS: [&str; 7] =
    ["file", "pipe", "dataset", "attribute", "variable", "path_suffix", "directory"];

pub(super) type FileKey = (u8, u64, i32);

/// What is known of a file, whichever process named it first.
pub(super) struct File {
    path: String,
    pub(super) kind: u8,
    pub(super) parent_id: Option<u64>,
}

/// The run so far.
pub(super) struct Merged<'a> {
    pub(super) facts: &'a Facts,
    pub(super) files: BTreeMap<u64, File>,
    /// By layer, file, rank, function and operation.
    pub(super) functions: BTreeMap<(FileKey, u16, u8), OpSums>,
    pub(super) accesses: FastHashMap<FileKey, Access>,
    pub(super) selections: FastHashMap<(u64, i32), [u64; 5]>,
    /// By file, name and value: the first rank that said so, and how many did.
    attributes: BTreeMap<(u64, String, String), (i32, usize)>,
    /// By file and name: what was said last, which counts (a dataset may grow).
    pub(super) latest: FastHashMap<u64, FastHashMap<String, String>>,
    pub(super) heat: BTreeMap<(u8, i32), (Vec<i64>, Vec<i64>)>,
    pub(super) heat_bin_ns: i64,
    pub(super) stacks: FastHashMap<u64, Stack>,
    hosts: BTreeSet<(i32, String)>,
    last_rank: i32,
    job_id: Option<i64>,
    uid: Option<i64>,
    /// Program and command line of the first rank, else of the first process.
    main: Option<(bool, String, String)>,
    /// By MPI job of the run: its size, and the ranks that are here.
    pub(super) mpi_jobs: BTreeMap<i32, (i32, BTreeSet<i32>)>,
    /// Programs of which nothing has come yet.
    pub(super) unrecorded: Unrecorded,
    /// Calls that their moment lost.
    pub(super) few_lost: FewLost,
    profile_layers: HashSet<u8>,
    pub(super) missing_lines: MissingLines,
    pub(super) samples: Samples,
    programs: Programs,
}

impl<'a> Merged<'a> {
    pub fn new(facts: &'a Facts) -> Self {
        Self {
            facts,
            files: BTreeMap::new(),
            functions: BTreeMap::new(),
            accesses: FastHashMap::default(),
            selections: FastHashMap::default(),
            attributes: BTreeMap::new(),
            latest: FastHashMap::default(),
            heat: BTreeMap::new(),
            heat_bin_ns: 0,
            stacks: FastHashMap::default(),
            hosts: BTreeSet::new(),
            last_rank: -1,
            job_id: None,
            uid: None,
            main: None,
            mpi_jobs: BTreeMap::new(),
            unrecorded: Unrecorded::default(),
            few_lost: FewLost::default(),
            profile_layers: HashSet::new(),
            missing_lines: MissingLines::default(),
            samples: Samples::default(),
            programs: Programs::default(),
        }
    }

    /// Takes in one process.
    pub fn add(&mut self, outcome: Outcome, tables: &mut Tables) {
        self.process_row(&outcome, tables);
        self.issues(&outcome, tables);
        self.mapping_rows(&outcome, tables);
        self.region_rows(&outcome, tables);
        self.message_rows(&outcome, tables);
        self.applied_rows(&outcome, tables);
        self.samples.add(&outcome);
        self.programs.add(&outcome);
        let Outcome {
            header,
            numbers,
            definitions,
            file_ids,
            sums,
            heatmaps,
            stacks,
            program_times,
            ..
        } = outcome;
        let rank = numbers.rank;
        self.last_rank = self.last_rank.max(rank);
        self.job_id = self.job_id.or(header.job_id);
        self.uid = self.uid.or(Some(i64::from(header.uid)));
        self.missing_lines.note(&header.identity, header.has_stacks);
        let is_rank = header.mpi_rank.is_some();
        if self.main.as_ref().is_none_or(|(was_rank, ..)| is_rank && !was_rank) {
            self.main = Some((is_rank, header.exe.clone(), header.command_line.clone()));
        }
        self.hosts.insert((rank, header.host.clone()));
        if let (Some(mpi_rank), Some(size), Some(step)) =
            (header.mpi_rank, header.mpi_size, numbers.step)
        {
            self.mpi_jobs.entry(step).or_insert((size, BTreeSet::new())).1.insert(mpi_rank);
        }
        self.unrecorded.add(&header, (outcome.process, rank), &definitions.started);
        self.unrecorded.add_times(&header, outcome.process, &program_times);
        let no_file = record_id(NO_FILE.as_bytes());
        let id_of = |file: u32| file_ids.get(&file).copied().unwrap_or(no_file);
        for (&number, &id) in &file_ids {
            let Some(name) = definitions.names.get(&number) else { continue };
            self.files.entry(id).or_insert_with(|| File {
                path: definitions.path(number).unwrap_or_default(),
                kind: name.kind,
                parent_id: parent_of(name, &file_ids, number),
            });
        }
        for ((file, function, layer, op), one) in sums.functions.into_rows() {
            let id = id_of(file);
            if id == no_file {
                self.files.entry(id).or_insert_with(|| File {
                    path: NO_FILE.to_string(),
                    kind: NAME_SUFFIX,
                    parent_id: None,
                });
            }
            if function == 0 {
                self.profile_layers.insert(layer);
            }
            let key = ((layer, id, rank), function, op);
            self.functions.entry(key).or_default().merge(&one);
        }
        for ((file, layer), access) in sums.accesses.into_rows() {
            self.accesses.entry((layer, id_of(file), rank)).or_default().merge(access);
        }
        for (file, counts) in sums.selections {
            let mine = self.selections.entry((id_of(file), rank)).or_default();
            mine.iter_mut().zip(counts).for_each(|(mine, more)| *mine = mine.saturating_add(more));
        }
        for (file, key, value) in definitions.attributes {
            self.latest.entry(id_of(file)).or_default().insert(key.clone(), value.clone());
            let entry = self.attributes.entry((id_of(file), key, value)).or_insert((rank, 0));
            entry.1 += 1;
        }
        self.heat_bin_ns = heatmaps.bin_ns;
        for (layer, (read, written)) in heatmaps.layers {
            let (my_read, my_written) = self
                .heat
                .entry((layer, rank))
                .or_insert_with(|| (vec![0; read.len()], vec![0; written.len()]));
            my_read.iter_mut().zip(read).for_each(|(mine, more)| *mine = mine.saturating_add(more));
            my_written
                .iter_mut()
                .zip(written)
                .for_each(|(mine, more)| *mine = mine.saturating_add(more));
        }
        for stack in stacks {
            self.stacks.entry(stack.id).or_insert(stack);
        }
        for module in &definitions.modules {
            tables.push_binary(BinaryRow {
                log: self.facts.log,
                process: outcome.process,
                path: &module.path,
                build_id: module.build_id.as_deref(),
                base_address: module.base,
                end_address: module.end,
                file_offset: module.file_offset,
            });
        }
    }

    /// Writes the rows that need all processes.
    pub fn finish(
        mut self,
        job_ns: i64,
        start_real_ns: i128,
        resolver: &dyn Resolver,
        tables: &mut Tables,
    ) {
        let log = self.facts.log;
        self.job_row(job_ns, start_real_ns, tables);
        for mount in &self.facts.mounts {
            tables.push_mount(MountRow { log, mount: &mount.path, fs_type: &mount.fs_type });
        }
        for (kind, effect) in &self.facts.issues {
            tables.push_issue(log, Issue::of_log(*kind, effect));
        }
        for of in &self.facts.leader {
            tables.push_leader_time(LeaderTimeRow {
                log,
                program: &of.program,
                activity: &of.activity,
                place: of.place.as_deref(),
                is_started: of.started,
                time_s: of.time_s,
                seen: of.seen,
            });
        }
        for (rank, host) in &self.hosts {
            tables.push_rank_host(RankHostRow { log, rank: *rank, host, source: "recorder" });
        }
        self.missing_processes(job_ns, tables);
        self.programs.issues(log, resolver, tables);
        for (count, effect) in self.missing_lines.effects() {
            let issue = Issue::of_log(IssueKind::MissingLines, &effect);
            tables.push_issue(log, Issue { count: Some(count), ..issue });
        }
        self.file_rows(tables);
        self.attribute_rows(tables);
        self.counter_rows(tables);
        self.heat_rows(tables);
        self.stack_rows(resolver, tables);
        self.sample_rows(resolver, tables);
    }

    fn job_row(&self, job_ns: i64, start_real_ns: i128, tables: &mut Tables) {
        let start = i64::try_from(start_real_ns).ok().filter(|&ns| ns > 0);
        let (exe, command) = self
            .main
            .as_ref()
            .map_or((None, None), |(_, exe, command)| (Some(exe.as_str()), Some(command.as_str())));
        tables.push_job(JobRow {
            log: self.facts.log,
            log_name: &self.facts.log_name,
            format: "diya",
            job_id: self.job_id,
            uid: self.uid,
            exe,
            command_line: self.facts.command_line.as_deref().or(command),
            nprocs: Some(i64::from(self.last_rank) + 1),
            start_time: start,
            end_time: start.map(|start| start.saturating_add(job_ns)),
            run_time_s: Some(seconds(job_ns)),
            log_version: Some("1"),
            library_version: Some(self.facts.tool_version.as_str()).filter(|v| !v.is_empty()),
            is_big_endian: false,
            compression: "zlib",
            metadata: self.facts.metadata.as_deref(),
        });
    }

    fn file_rows(&self, tables: &mut Tables) {
        for (&file_id, file) in &self.files {
            let mount = self.mount_of(&file.path).filter(|_| file.kind != NAME_PIPE);
            tables.push_file(FileRow {
                log: self.facts.log,
                file_id,
                path: Some(&file.path),
                mount: mount.map(|m| m.path.as_str()),
                fs_type: mount.map(|m| m.fs_type.as_str()),
                is_path_suffix: file.kind == NAME_SUFFIX,
                kind: KINDS.get(usize::from(file.kind)).copied(),
                parent_id: file.parent_id,
            });
        }
    }

    fn mount_of(&self, path: &str) -> Option<&super::Mount> {
        let holds = |mount: &str| {
            mount == "/"
                || path
                    .strip_prefix(mount)
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        self.facts.mounts.iter().filter(|m| holds(&m.path)).max_by_key(|m| m.path.len())
    }

    fn attribute_rows(&self, tables: &mut Tables) {
        let log = self.facts.log;
        for ((file_id, key, value), (rank, times)) in &self.attributes {
            if let Some(hint) = key.strip_prefix("hint:") {
                let source = "MPI_File_get_info";
                tables.push_mpi_hint(MpiHintRow {
                    log,
                    file_id: Some(*file_id),
                    hint,
                    value,
                    source,
                });
                continue;
            }
            let (layer, name) = match key.split_once(':') {
                Some(("h5d", name)) => ("hdf5_dataset", name),
                Some(("h5f" | "h5", name)) => ("hdf5_file", name),
                Some(("mpi", name)) => ("mpiio", name),
                Some(("posix", name)) => ("posix", name),
                Some((layer, name)) => (layer, name),
                None => ("posix", key.as_str()),
            };
            let rank = (*times == 1).then_some(*rank);
            tables.push_attribute(AttributeRow {
                log,
                file_id: *file_id,
                rank,
                layer,
                name,
                value,
            });
        }
    }
}

fn parent_of(name: &Name, ids: &FastHashMap<u32, u64>, number: u32) -> Option<u64> {
    (name.parent != 0 && name.parent != number).then(|| ids.get(&name.parent).copied())?
}
