//! Seconds on the critical path: of the job, of a file, of a file system.

use super::Model;
use super::job::Job;
use super::load::{Class, Load};
use crate::rows;
use diya_tables::{Layer, TableBuilder};
use std::collections::BTreeMap;

/// What the job saves when calls of one class take no time, for all classes
/// with time.
fn classes<'l>(
    job: &'l Job,
    layer: Layer,
    loads: &'l [&'l Load],
) -> impl Iterator<Item = (Class, super::range::Range)> + 'l {
    let taken = Class::EVERY.into_iter().filter(|class| *class != Class::Pause);
    taken.filter_map(move |class| {
        let saved = loads.iter().map(|load| (*load, load.class_s(class)));
        let path = job.gain(layer, saved.filter(|(_, s)| s.high > 0.0));
        (path.high > 0.0 || class == Class::All).then_some((class, path))
    })
}

/// Rows of table `critical_path`.
pub(crate) fn write_path(model: &Model, table: &mut TableBuilder) {
    for job in &model.jobs {
        let log = job.facts.log;
        let whole = if job.loads.is_empty() { Vec::new() } else { job.classes() };
        // No time in any call is known, too.
        for (class, path) in whole.into_iter().filter(|(c, p)| p.high > 0.0 || *c == Class::All) {
            rows::CriticalPath {
                log,
                layer: "job",
                class: class.name(),
                low_s: path.low,
                high_s: path.high,
            }
            .push(table);
        }
        for layer in job.layers() {
            let loads: Vec<&Load> = job.of_layer(layer).collect();
            for (class, path) in classes(job, layer, &loads) {
                rows::CriticalPath {
                    log,
                    layer: layer.name(),
                    class: class.name(),
                    low_s: path.low,
                    high_s: path.high,
                }
                .push(table);
            }
        }
    }
}

/// Rows of table `critical_file`.
pub(crate) fn write_files(model: &Model, table: &mut TableBuilder) {
    for job in &model.jobs {
        for layer in job.layers() {
            for (file_id, loads) in job.of_files(layer) {
                let ranks = job.ranks(&loads);
                for (class, path) in classes(job, layer, &loads) {
                    rows::CriticalFile {
                        log: job.facts.log,
                        file_id,
                        layer: layer.name(),
                        class: class.name(),
                        ranks,
                        low_s: path.low,
                        high_s: path.high,
                    }
                    .push(table);
                }
            }
        }
    }
}

/// Rows of table `critical_mount`.
pub(crate) fn write_mounts(model: &Model, table: &mut TableBuilder) {
    for job in &model.jobs {
        let log = job.facts.log;
        let mut mounts: BTreeMap<(usize, Layer), Vec<&Load>> = BTreeMap::new();
        for load in &job.loads {
            let mount = model.mounts.of(log, load.file_id);
            mounts.entry((mount, load.layer)).or_default().push(load);
        }
        for ((mount, layer), loads) in mounts {
            let records = loads.iter().filter(|load| load.phase == super::load::NO_PHASE);
            let bytes = records.fold(0i64, |sum, load| sum.saturating_add(load.bytes()));
            let (path, kind) = model.mounts.name(mount);
            for (class, seconds) in classes(job, layer, &loads) {
                rows::CriticalMount {
                    log,
                    mount: path,
                    fs_type: kind,
                    layer: layer.name(),
                    class: class.name(),
                    bytes,
                    low_s: seconds.low,
                    high_s: seconds.high,
                }
                .push(table);
            }
        }
    }
}
