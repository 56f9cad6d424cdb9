//! What a question says, checked at the border.

use crate::answer::Orders;
use crate::{Axis, Filter, Kind, Members, Of, Store, Wanted, ns_of};
use serde_json::Value;

/// A question and what is needed to answer it.
pub(super) struct Question<'a> {
    pub store: &'a Store,
    pub orders: &'a Orders,
    pub value: &'a Value,
}

impl Question<'_> {
    /// A number that has to be there.
    pub fn number(&self, name: &str) -> Result<usize, String> {
        let number = self.value[name].as_u64().and_then(|n| usize::try_from(n).ok());
        number.ok_or_else(|| format!("{name} has to be a whole number"))
    }

    /// Which planes are wanted.
    pub fn planes(&self) -> Result<Wanted, String> {
        let mut wanted = Wanted::default();
        for plane in self.value["planes"].as_array().ok_or("planes are missing")? {
            match plane.as_str().unwrap_or_default() {
                "bytes" => wanted.bytes = true,
                "calls" => wanted.calls = true,
                "longest" => wanted.longest = true,
                other => match other.strip_prefix("busy_").and_then(Kind::from_name) {
                    Some(kind) => wanted.busy[kind as usize] = true,
                    None => return Err(format!("there is no plane {other}")),
                },
            }
        }
        Ok(wanted)
    }

    /// Tracks by position.
    pub fn order(&self) -> Result<Option<Vec<u32>>, String> {
        let order = &self.value["order"];
        let Some(id) = order["id"].as_str() else { return Ok(None) };
        let tracks = match order["tracks"].as_array() {
            Some(tracks) => {
                let all = self.store.tracks.len() as u64;
                let tracks = tracks.iter().filter_map(Value::as_u64).filter(|t| *t < all);
                self.orders.keep(id, tracks.map(|track| track as u32).collect())
            }
            None => self.orders.find(id).ok_or("unknown order")?,
        };
        Ok(Some(tracks.to_vec()))
    }
}

/// An axis of a tile.
pub(super) fn axis(value: &Value) -> Result<Axis, String> {
    let of = match value["of"].as_str().unwrap_or_default() {
        "time" => Of::Time,
        "track" => Of::Track,
        "offset" => Of::Offset,
        "size" => Of::Size,
        "duration" => Of::Duration,
        "target" => Of::Target,
        other => return Err(format!("there is no axis {other:?}")),
    };
    let number = |name: &str| {
        let number = value[name].as_f64().filter(|n| n.is_finite());
        number.ok_or_else(|| format!("the axis has no {name}"))
    };
    let (from, to) = (number("from")?, number("to")?);
    let is_log = value["log"].as_bool().unwrap_or(false);
    let cells = value["cells"].as_u64().and_then(|n| usize::try_from(n).ok()).unwrap_or(0);
    if cells == 0 || cells > 1 << 16 {
        return Err("an axis has 1 to 65536 cells".to_owned());
    }
    if to <= from || (is_log && from <= 0.0) {
        return Err("the axis is empty".to_owned());
    }
    Ok(Axis { of, from, to, cells, is_log })
}

/// Which calls count; a field that is null or missing does not narrow.
pub(super) fn filter(store: &Store, value: &Value) -> Result<Filter, String> {
    let time = |name: &str, open| value[name].as_f64().map_or(open, ns_of);
    let window_ns = (time("start_s", i64::MIN), time("end_s", i64::MAX));
    let log = value["log"].as_i64().and_then(|log| i32::try_from(log).ok());
    Ok(Filter {
        window_ns,
        log,
        tracks: numbers(&value["tracks"], store.tracks.len()),
        files: numbers(&value["files"], store.files.len()),
        kinds: names(&value["kinds"], Kind::ALL.len(), |name| {
            Kind::from_name(name).map(|kind| kind as usize)
        }),
        layers: names(&value["layers"], store.layers.len(), |name| {
            store.layers.iter().position(|layer| layer == name)
        }),
        targets: value["targets"]
            .as_array()
            .map(|targets| targets.iter().filter_map(Value::as_i64).collect()),
    })
}

fn numbers(value: &Value, all: usize) -> Option<Members> {
    let numbers = value.as_array()?.iter().filter_map(Value::as_u64);
    Some(Members::new(all, numbers.filter_map(|n| usize::try_from(n).ok())))
}

fn names(value: &Value, all: usize, number: impl Fn(&str) -> Option<usize>) -> Option<Members> {
    let names = value.as_array()?.iter().filter_map(Value::as_str);
    Some(Members::new(all, names.filter_map(number)))
}
