//! Names and all that is small, as JSON.

use crate::{Component, File, Form, Holding, Layout, Log, Place, Store, Track};
use serde_json::{Value, json};

/// The head of a pack.
pub(super) fn to_json(store: &Store) -> Value {
    json!({
        "logs": store.logs.iter().map(|l| json!([l.name, l.run_s])).collect::<Value>(),
        "layers": store.layers,
        "ops": store.ops,
        "functions": store.functions,
        "hosts": store.hosts,
        "errors": store.errors,
        "forms": store.forms.iter()
            .map(|f| json!([f.op, f.function, f.is_collective, f.error])).collect::<Value>(),
        "tracks": store.tracks.iter().map(|t| json!([t.log, t.rank, t.host])).collect::<Value>(),
        "files": store.files.iter().map(file).collect::<Value>(),
        "stacks": store.stacks,
        "threads": store.calls.threads.iter().map(u64::to_string).collect::<Value>(),
        "regions": store.regions,
        "places": store.places.iter().map(|p| json!([p.regions, p.step])).collect::<Value>(),
        "holding": match store.holding {
            Holding::All => "all",
            Holding::Grid => "grid",
            Holding::Nothing => "none",
        },
        "rows_in_all": store.rows_in_all,
        "note": store.note,
    })
}

fn file(file: &File) -> Value {
    // Ids need all 64 bits, which a number in JSON does not have.
    let mut value = json!([file.log, format!("{:x}", file.id), file.path]);
    if let Some(parts) = value.as_array_mut()
        && (file.parent.is_some() || !file.layout.is_empty())
    {
        parts.push(json!(file.parent));
        let component =
            |c: &Component| json!([c.from_bytes, c.to_bytes, c.stripe_bytes, c.targets]);
        parts.push(file.layout.0.iter().map(component).collect());
    }
    value
}

/// A store without calls; what is missing or of another type is empty.
pub(super) fn from_json(value: &Value) -> Store {
    let list = |name: &str| value[name].as_array().map_or(&[][..], Vec::as_slice);
    let texts = |name: &str| list(name).iter().map(text).collect::<Vec<String>>();
    let mut store = Store {
        logs: list("logs")
            .iter()
            .map(|log| Log { name: text(&log[0]), run_s: log[1].as_f64() })
            .collect(),
        layers: texts("layers"),
        ops: texts("ops"),
        functions: texts("functions"),
        hosts: texts("hosts"),
        errors: texts("errors"),
        forms: list("forms").iter().map(form).collect(),
        tracks: list("tracks").iter().map(track).collect(),
        files: list("files").iter().map(file_of).collect(),
        stacks: list("stacks")
            .iter()
            .map(|s| s.as_array().map_or(&[][..], Vec::as_slice).iter().map(text).collect())
            .collect(),
        regions: texts("regions"),
        places: list("places").iter().map(place).collect(),
        holding: match value["holding"].as_str() {
            Some("grid") => Holding::Grid,
            Some("none") => Holding::Nothing,
            _ => Holding::All,
        },
        rows_in_all: value["rows_in_all"].as_u64().unwrap_or(0),
        note: value["note"].as_str().map(str::to_owned),
        ..Store::default()
    };
    store.calls.threads = texts("threads").iter().filter_map(|id| id.parse().ok()).collect();
    store.prepare();
    store
}

fn place(value: &Value) -> Place {
    let regions = value[0].as_array().map_or(&[][..], Vec::as_slice);
    let number = |region: &Value| region.as_u64().and_then(|number| u32::try_from(number).ok());
    Place { regions: regions.iter().filter_map(number).collect(), step: value[1].as_i64() }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn number<T: TryFrom<i64>>(value: &Value) -> Option<T> {
    value.as_i64().and_then(|n| T::try_from(n).ok())
}

fn form(value: &Value) -> Form {
    Form {
        op: number(&value[0]).unwrap_or(u8::MAX),
        function: number(&value[1]),
        is_collective: value[2].as_bool(),
        error: number(&value[3]),
    }
}

fn track(value: &Value) -> Track {
    Track {
        log: number(&value[0]).unwrap_or(0),
        rank: number(&value[1]).unwrap_or(-1),
        host: number(&value[2]),
    }
}

fn file_of(value: &Value) -> File {
    let component = |c: &Value| {
        Some(Component {
            from_bytes: c[0].as_u64()?,
            to_bytes: c[1].as_u64()?,
            stripe_bytes: c[2].as_u64().filter(|bytes| *bytes > 0)?,
            targets: c[3].as_array()?.iter().filter_map(Value::as_i64).collect(),
        })
    };
    let layout = value[4].as_array().map_or(&[][..], Vec::as_slice);
    File {
        log: number(&value[0]).unwrap_or(0),
        id: u64::from_str_radix(value[1].as_str().unwrap_or_default(), 16).unwrap_or(0),
        path: value[2].as_str().map(str::to_owned),
        parent: number(&value[3]),
        layout: Layout(layout.iter().filter_map(component).collect()),
    }
}
