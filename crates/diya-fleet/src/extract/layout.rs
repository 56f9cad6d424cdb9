//! Where files lie on Lustre, and what each target got.

use super::log_facts::{LogFacts, Tables};
use super::record::JobFile;
use super::stripes::{Component, Layout};
use super::{At, usage::sum};
use crate::generated::JobTargetRow;
use crate::names::Names;
use crate::round::{to_16_bits, to_24_bits};
use diya_model::median;
use diya_tables::{TableBuilder, TableId, columns, lustre_component, lustre_target};
use std::collections::{BTreeMap, HashMap};

/// Every component of every file, with its log.
pub fn read(tables: &Tables<'_>, visit: &mut dyn FnMut(i32, u64, Component)) {
    let mut targets: HashMap<(i32, u64, i32), (i32, Vec<i64>)> = HashMap::new();
    if let Some(table) = tables(TableId::LustreTarget) {
        for stripes in Stripes::batches(&*table) {
            for row in 0..stripes.rows() {
                let key = (
                    stripes.log.value(row),
                    stripes.file_id.value(row),
                    stripes.component.value(row),
                );
                let rank = stripes.rank.get(row).unwrap_or(-1);
                // Each rank records the same layout: the first one is enough.
                let of = targets.entry(key).or_insert((rank, Vec::new()));
                if of.0 == rank {
                    of.1.extend(stripes.ost_id.get(row));
                }
            }
        }
    }
    let Some(table) = tables(TableId::LustreComponent) else { return };
    for of in ComponentColumns::batches(&*table) {
        for row in 0..of.rows() {
            let (log, file) = (of.log.value(row), of.file_id.value(row));
            let number = of.component.value(row);
            let Some((_, targets)) = targets.remove(&(log, file, number)) else { continue };
            let component = Component {
                number,
                stripe_bytes: of.stripe_size.get(row),
                stripe_count: of.stripe_count.get(row),
                from: of.ext_start.get(row).unwrap_or(0),
                targets,
            };
            visit(log, file, component);
        }
    }
}

columns! {
    struct Stripes of lustre_target {
        log: i32,
        file_id: u64,
        rank: i32,
        component: i32,
        ost_id: i64,
    }
}

columns! {
    struct ComponentColumns of lustre_component {
        log: i32,
        file_id: u64,
        component: i32,
        stripe_size: i64,
        stripe_count: i64,
        ext_start: i64,
    }
}

/// The layout of each file, without components beyond its end.
pub fn of(log: &LogFacts) -> HashMap<u64, Layout> {
    let mut extents: HashMap<u64, i64> = HashMap::new();
    for (id, offset) in log.uses.iter().filter_map(|u| Some((u.file_id, u.max_offset?))) {
        let extent = extents.entry(id).or_insert(0);
        *extent = (*extent).max(offset);
    }
    let layout = |(id, components): (&u64, &Vec<Component>)| {
        let extent = extents.get(id).copied().unwrap_or(0);
        let used = components.iter().filter(|c| c.from <= extent || c.number == 0);
        let mut layout = Layout::default();
        for component in used {
            if component.stripe_count > layout.stripe_count {
                layout.stripe_count = component.stripe_count;
                layout.stripe_bytes = component.stripe_bytes;
            }
            layout.targets.extend(&component.targets);
        }
        (*id, layout)
    };
    log.components.iter().map(layout).collect()
}

/// What a target got.
#[derive(Debug, Default)]
struct Load {
    files: i64,
    bytes_read: f64,
    bytes_written: f64,
    time_s: f64,
    alone_bytes: i64,
    alone_s: f64,
    alone_rates: Vec<f64>,
}

/// Rows of `job_target`.
pub fn push(
    log: &LogFacts,
    files: &[JobFile<'_>],
    layouts: &HashMap<u64, Layout>,
    at: At,
    names: &Names,
    out: &mut TableBuilder,
) {
    let mut loads: BTreeMap<(Option<&str>, i64), Load> = BTreeMap::new();
    for file in files {
        let Some(layout) = layouts.get(&file.file_id).filter(|l| !l.targets.is_empty()) else {
            continue;
        };
        let mount = log.names.get(&file.file_id).and_then(|name| name.mount.as_deref());
        let share = 1.0 / layout.targets.len() as f64;
        let time_s = sum([file.read_s, file.write_s]).unwrap_or(0.0);
        let bytes = sum([file.bytes_read, file.bytes_written]).unwrap_or(0);
        for target in &layout.targets {
            let load = loads.entry((mount, *target)).or_default();
            load.files += 1;
            load.bytes_read += file.bytes_read.unwrap_or(0) as f64 * share;
            load.bytes_written += file.bytes_written.unwrap_or(0) as f64 * share;
            load.time_s += time_s * share;
            if layout.targets.len() == 1 && bytes > 0 && time_s > 0.0 {
                load.alone_bytes += bytes;
                load.alone_s += time_s;
                load.alone_rates.push(bytes as f64 / time_s);
            }
        }
    }
    for ((mount, ost_id), mut load) in loads {
        let mount = mount.map(|mount| names.path("mount", mount));
        JobTargetRow {
            log_hash: at.log_hash,
            start_time: at.start,
            mount: mount.as_deref(),
            ost_id,
            files: load.files,
            bytes_read: to_24_bits(load.bytes_read),
            bytes_written: to_24_bits(load.bytes_written),
            time_s: to_16_bits(load.time_s),
            alone_files: load.alone_rates.len() as i64,
            alone_bytes: load.alone_bytes,
            alone_s: to_16_bits(load.alone_s),
            alone_median_bytes_per_s: median(&mut load.alone_rates).map(to_16_bits),
        }
        .push(out);
    }
}
