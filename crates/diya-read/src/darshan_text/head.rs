//! The first lines: what ran, the parts of the log, and the mount points.

use crate::Request;
use crate::darshan::issues::Issues;
use crate::darshan::modules::{Decoder, named};
use diya_tables::{IssueKind, JobRow, ModuleRow, MountRow, MpiHintRow, Tables};

/// What these lines say.
#[derive(Debug, Default)]
pub(super) struct Head {
    version: Option<String>,
    command_line: Option<String>,
    uid: Option<i64>,
    job_id: Option<i64>,
    start_s: Option<i64>,
    end_s: Option<i64>,
    nprocs: Option<i64>,
    run_time_s: Option<f64>,
    metadata: Vec<(String, String)>,
    modules: Vec<Part>,
    /// Mount point and type of the file system.
    pub mounts: Vec<(String, String)>,
}

/// A module that the log has.
#[derive(Debug)]
struct Part {
    name: String,
    stored_bytes: Option<u64>,
    version: Option<i32>,
    is_partial: bool,
}

impl Head {
    /// Takes in a line, without its `#`; false: it makes no sense.
    pub fn note(&mut self, note: &str) -> bool {
        let note = note.strip_prefix(' ').unwrap_or(note);
        if let Some(entry) = note.strip_prefix("mount entry:\t") {
            let Some((mount, fs_type)) = entry.split_once('\t') else { return false };
            self.mounts.push((mount.to_string(), fs_type.to_string()));
            return true;
        }
        if let Some(rest) = note.strip_prefix("*WARNING*: The ") {
            let name = rest.split(" module contains incomplete").next().unwrap_or_default();
            if let Some(part) = self.modules.iter_mut().find(|part| part.name == name) {
                part.is_partial = true;
            }
            return true;
        }
        let Some((name, value)) = note.split_once(": ") else { return true };
        if let Some(name) = name.strip_suffix(" module") {
            let bytes = value.split(' ').next().and_then(|bytes| bytes.parse().ok());
            let version = value.rsplit_once("ver=").and_then(|(_, version)| version.parse().ok());
            let name = name.to_string();
            self.modules.push(Part { name, stored_bytes: bytes, version, is_partial: false });
            return true;
        }
        let number = || value.trim().parse::<i64>().ok();
        match name {
            "darshan log version" => self.version = Some(value.to_string()),
            "exe" => self.command_line = Some(value.to_string()),
            "uid" => self.uid = number(),
            "jobid" => self.job_id = number(),
            "start_time" => self.start_s = number().filter(|s| *s > 0),
            "end_time" => self.end_s = number().filter(|s| *s > 0),
            "nprocs" => self.nprocs = number(),
            "run time" => self.run_time_s = value.trim().parse().ok(),
            "metadata" => {
                if let Some((key, value)) = value.split_once(" = ") {
                    self.metadata.push((key.to_string(), value.to_string()));
                }
            }
            _ => {}
        }
        true
    }

    /// Writes the rows; `has` says whether a module has records in the text.
    pub fn rows(
        &self,
        request: &Request<'_>,
        is_trace: bool,
        has: &dyn Fn(&str) -> bool,
        issues: &mut Issues,
        tables: &mut Tables,
    ) {
        let log = request.log;
        let ns = |s: i64| s.checked_mul(1_000_000_000);
        let value_of =
            |key| self.metadata.iter().find(|(k, _)| k == key).map(|(_, value)| value.as_str());
        let lines: Vec<String> = self.metadata.iter().map(|(k, v)| format!("{k}={v}\n")).collect();
        let metadata = Some(lines.concat()).filter(|text| !text.is_empty());
        let command_line = self.command_line.as_deref();
        tables.push_job(JobRow {
            log,
            log_name: request.log_name,
            // The records are those of a log: what is known of its counters holds.
            format: "darshan",
            job_id: self.job_id,
            uid: self.uid,
            exe: command_line.and_then(|line| line.split_whitespace().next()),
            command_line,
            nprocs: self.nprocs,
            start_time: self.start_s.and_then(ns),
            end_time: self.end_s.and_then(ns),
            run_time_s: self.run_time_s.filter(|s| *s >= 0.0),
            log_version: self.version.as_deref(),
            library_version: value_of("lib_ver"),
            is_big_endian: false,
            compression: "text",
            metadata: metadata.as_deref(),
        });
        for (mount, fs_type) in &self.mounts {
            tables.push_mount(MountRow { log, mount, fs_type });
        }
        let hints = value_of("h").unwrap_or_default().split(';');
        for (hint, value) in hints.filter_map(|pair| pair.split_once('=')) {
            let source = "log_hints";
            tables.push_mpi_hint(MpiHintRow { log, file_id: None, hint, value, source });
        }
        for part in &self.modules {
            self.module(part, log, is_trace, has, issues, tables);
        }
    }

    fn module(
        &self,
        part: &Part,
        log: i32,
        is_trace: bool,
        has: &dyn Fn(&str) -> bool,
        issues: &mut Issues,
        tables: &mut Tables,
    ) {
        let known = named(&part.name);
        let is_of_trace = part.name.starts_with("DXT");
        let is_read = known.is_some_and(|module| {
            matches!(module.decoder, Decoder::Counters(_) | Decoder::Dxt(_) | Decoder::Heatmap)
        });
        let module = Some(part.name.as_str());
        if is_of_trace != is_trace {
            // The other program prints it. Without DXT lines a log of counters is whole.
            if is_trace {
                let effect = "darshan-dxt-parser prints no counters: read the text of \
                              darshan-parser, or the log";
                issues.push(IssueKind::NotRecorded, module, None, None, effect.into());
            }
        } else if !is_read {
            let effect = "lines of this module are not read; read the log instead";
            issues.push(IssueKind::UnknownModule, module, None, None, effect.into());
        } else if !has(&part.name) {
            let effect = "the log has this module, but the text has no line of it: it is cut, or \
                          other options were used";
            issues.push(IssueKind::Truncated, module, None, None, effect.into());
        }
        if part.is_partial {
            let effect = "Darshan ran out of memory for this module";
            issues.push(IssueKind::PartialModule, module, None, None, effect.into());
        }
        tables.push_module(ModuleRow {
            log,
            module: &part.name,
            module_id: known.map(|module| i32::from(module.id.0)),
            version: part.version,
            offset_bytes: None,
            stored_bytes: part.stored_bytes,
            is_partial: part.is_partial,
            is_decoded: is_read,
        });
    }
}
