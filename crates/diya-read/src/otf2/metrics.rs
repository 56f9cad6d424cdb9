//! Metrics become series of samples.

use super::calls::Collected;
use super::definitions::{Definitions, MetricInstance, MetricMember};
use super::processes::Member;
use crate::assemble::{Holds, Series, SeriesType};
use std::collections::HashMap;

/// What an instance can be of; others are groups.
const OF_LOCATION: u8 = 0;
const OF_LOCATION_GROUP: u8 = 1;
const OF_NODE: u8 = 2;

/// What a value is, in the lower half of a mode.
const ABSOLUTE: u8 = 1;
const RELATIVE: u8 = 2;

/// Which time a value is of, in the upper half of a mode.
const SINCE_LAST: u8 = 2;
const UNTIL_NEXT: u8 = 3;

/// Where a metric was recorded.
pub(super) struct Origin<'m> {
    pub process: usize,
    pub member: &'m Member,
    pub thread: u64,
    pub location: u64,
}

/// A value of a metric: its series, and what it is multiplied with and divided by.
type Value = (usize, [f64; 2]);

/// Series of the metrics of a process, by thread and metric; empty: not defined.
#[derive(Debug, Default)]
pub(super) struct Metrics {
    of: HashMap<(u64, u32), Vec<Value>>,
}

impl Metrics {
    /// Adds the values of a metric at a time.
    pub fn sample(
        &mut self,
        origin: &Origin<'_>,
        metric: u32,
        (ns, values): (i64, &[f64]),
        definitions: &Definitions<'_>,
        to: &mut Collected<'_, '_>,
    ) {
        let known = self.of.entry((origin.thread, metric));
        let series = known.or_insert_with(|| series_of(origin, metric, definitions, to));
        if series.is_empty() {
            to.losses.undefined_values += values.len() as u64;
        }
        for ((series, [times, over]), value) in series.iter().zip(values) {
            to.assembly.sample(*series, ns, value * times / over);
        }
    }
}

/// The series of the members of a metric.
fn series_of(
    origin: &Origin<'_>,
    metric: u32,
    definitions: &Definitions<'_>,
    to: &mut Collected<'_, '_>,
) -> Vec<Value> {
    let instance = definitions.metric_instances.get(metric.into());
    let class = instance.map_or(metric, |instance| instance.class);
    let Some(members) = definitions.metric_classes.get(class.into()) else { return Vec::new() };
    let of = match instance {
        Some(instance) => scope(instance, origin, definitions),
        None => of_thread(origin, origin.location, definitions),
    };
    let series = |member: &u32| {
        let member = definitions.metric_members.get((*member).into())?;
        let text = |id| Some(definitions.text(id).into_owned()).filter(|text| !text.is_empty());
        let number = to.assembly.series(Series {
            name: text(member.name).unwrap_or_else(|| "<unknown>".into()),
            unit: text(member.unit),
            kind: kind(member),
            holds: holds(member),
            ..of.clone()
        });
        Some((number, scale(member)))
    };
    // Values are counted off by their members: one that is missing would shift all others.
    members.iter().map(series).collect::<Option<_>>().unwrap_or_default()
}

/// A series of something that has no name yet.
fn nowhere() -> Series {
    Series {
        name: String::new(),
        part: None,
        unit: None,
        kind: SeriesType::Gauge,
        holds: Holds::Point,
        process: None,
        thread: None,
        host: None,
    }
}

/// A metric of a location, which is one of the process.
fn of_thread(origin: &Origin<'_>, location: u64, definitions: &Definitions<'_>) -> Series {
    let is_thread = definitions.locations.get(location).is_some_and(|location| location.is_thread);
    let number = (0..).zip(&origin.member.locations).find(|(_, of)| **of == location);
    let thread = number.map(|(number, _)| number).filter(|_| is_thread);
    Series { process: Some(origin.process), thread, ..nowhere() }
}

/// What an instance is about. Its name says which thing outside the process it is.
fn scope(instance: &MetricInstance, origin: &Origin<'_>, definitions: &Definitions<'_>) -> Series {
    let id = u32::try_from(instance.of).unwrap_or(u32::MAX);
    let of_process = Series { process: Some(origin.process), ..nowhere() };
    let named = |name: Option<u32>| {
        let name = name.map(|name| definitions.text(name).into_owned());
        let part = name.filter(|name| !name.is_empty());
        Series { part: part.or_else(|| Some(format!("group {id}"))), ..nowhere() }
    };
    let own = definitions.locations.get(origin.location).map(|location| location.group);
    match instance.scope {
        OF_LOCATION if origin.member.locations.contains(&instance.of) => {
            of_thread(origin, instance.of, definitions)
        }
        OF_LOCATION => named(definitions.locations.get(instance.of).map(|of| of.name)),
        OF_LOCATION_GROUP if own == Some(id) => of_process,
        OF_LOCATION_GROUP => named(definitions.location_groups.get(id.into()).map(|of| of.name)),
        OF_NODE => {
            let node = definitions.nodes.get(id.into());
            let host = node.map(|node| definitions.text(node.name).into_owned());
            Series { host, ..nowhere() }
        }
        _ => named(None),
    }
}

fn kind(member: &MetricMember) -> SeriesType {
    match member.mode & 0xf {
        ABSOLUTE => SeriesType::Gauge,
        RELATIVE => SeriesType::Change,
        _ => SeriesType::Counter,
    }
}

fn holds(member: &MetricMember) -> Holds {
    match member.mode >> 4 {
        SINCE_LAST => Holds::Last,
        UNTIL_NEXT => Holds::Next,
        _ => Holds::Point,
    }
}

/// How many units a value of one is: a multiple, or a part.
fn scale(member: &MetricMember) -> [f64; 2] {
    let base: f64 = if member.is_decimal { 10.0 } else { 2.0 };
    let exponent = member.exponent.clamp(-300, 300);
    let power = base.powi(i32::try_from(exponent.abs()).unwrap_or(0));
    // A division is exact where a multiplication with 0.001 is not.
    if exponent < 0 { [1.0, power] } else { [power, 1.0] }
}
