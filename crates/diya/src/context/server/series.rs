//! Series of samples, and what their names and labels say.

use std::collections::{BTreeMap, HashMap};

/// Labels of a series: name and value.
pub(super) type Labels = BTreeMap<String, String>;

/// What a value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SeriesType {
    Counter,
    Gauge,
    Unknown,
}

impl SeriesType {
    pub fn name(self) -> &'static str {
        match self {
            Self::Counter => "counter",
            Self::Gauge => "gauge",
            Self::Unknown => "unknown",
        }
    }

    /// The kind behind a word of OpenMetrics or of a CSV file.
    pub fn of_word(word: &str) -> Self {
        match word {
            "counter" => Self::Counter,
            "gauge" => Self::Gauge,
            _ => Self::Unknown,
        }
    }
}

/// One name with one set of labels, over time.
#[derive(Debug)]
pub(super) struct Series {
    pub name: String,
    pub unit: Option<String>,
    pub kind: SeriesType,
    pub op: Option<&'static str>,
    pub host: Option<String>,
    pub target: Option<String>,
    pub ost_id: Option<i64>,
    /// All labels in one text.
    pub labels: String,
    /// Seconds since 1970, and value; in order of time.
    pub samples: Vec<(f64, f64)>,
}

/// Series by name and labels.
#[derive(Debug, Default)]
pub(super) struct Set {
    series: Vec<Series>,
    places: HashMap<(String, String), usize>,
}

impl Set {
    /// All series; samples are in order of time.
    pub fn series(&self) -> &[Series] {
        &self.series
    }

    /// Adds a sample; `unit` and `kind` as far as the file says.
    pub fn push(
        &mut self,
        name: &str,
        labels: &Labels,
        (unit, kind): (Option<&str>, SeriesType),
        (time_s, value): (f64, f64),
    ) {
        let text: Vec<String> = labels.iter().map(|(k, v)| format!("{k}={v}")).collect();
        let key = (name.to_owned(), text.join(","));
        let place = *self.places.entry(key).or_insert_with_key(|(name, text)| {
            self.series.push(described(name, labels, text, unit, kind));
            self.series.len() - 1
        });
        self.series[place].samples.push((time_s, value));
    }

    /// Adds the series of another set, and puts all samples in order.
    pub fn append(&mut self, other: Self) {
        for series in other.series {
            let key = (series.name.clone(), series.labels.clone());
            match self.places.get(&key) {
                Some(place) => self.series[*place].samples.extend(series.samples),
                None => {
                    self.places.insert(key, self.series.len());
                    self.series.push(series);
                }
            }
        }
        for series in &mut self.series {
            series.samples.sort_by(|a, b| a.0.total_cmp(&b.0));
            // Two files may overlap: the same moment counts once.
            series.samples.dedup_by(|later, first| later.0.total_cmp(&first.0).is_eq());
        }
    }
}

fn described(
    name: &str,
    labels: &Labels,
    text: &str,
    unit: Option<&str>,
    kind: SeriesType,
) -> Series {
    let label = |names: &[&str]| names.iter().find_map(|name| labels.get(*name)).cloned();
    let target = label(&["target", "ost", "ost_name", "device", "volume", "pool"]);
    let host = label(&["host", "hostname", "node", "server", "oss", "instance"]);
    // Prometheus adds the port to an instance.
    let host = host.map(|host| match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => name.to_owned(),
        _ => host,
    });
    let op = label(&["op", "operation", "direction", "type", "method"]);
    let kind = match kind {
        SeriesType::Unknown if name.ends_with("_total") => SeriesType::Counter,
        known => known,
    };
    Series {
        name: name.to_owned(),
        unit: unit.map(str::to_owned).or_else(|| unit_of(name).map(str::to_owned)),
        kind,
        op: op.as_deref().and_then(direction).or_else(|| op_of(name)),
        host,
        ost_id: target.as_deref().and_then(ost_id),
        target,
        labels: text.to_owned(),
        samples: Vec::new(),
    }
}

/// Unit by the end of the name, as Prometheus asks for.
fn unit_of(name: &str) -> Option<&'static str> {
    let name = name.strip_suffix("_total").unwrap_or(name);
    let units = [
        ("_bytes_per_second", "bytes/s"),
        ("_bytes_per_s", "bytes/s"),
        ("_bytes", "bytes"),
        ("_seconds", "seconds"),
        ("_ratio", "ratio"),
        ("_percent", "percent"),
    ];
    units.iter().find(|(end, _)| name.ends_with(end)).map(|(_, unit)| *unit)
}

fn direction(word: &str) -> Option<&'static str> {
    match word.to_ascii_lowercase().as_str() {
        "read" | "reads" | "rd" | "read_bytes" => Some("read"),
        "write" | "writes" | "wr" | "written" | "write_bytes" => Some("write"),
        _ => None,
    }
}

/// Direction by a word of the name; none when it has both.
fn op_of(name: &str) -> Option<&'static str> {
    let mut found = name.split('_').filter_map(direction);
    let first = found.next()?;
    found.all(|other| other == first).then_some(first)
}

/// Index of an OST: hexadecimal after `OST`, as Lustre names its targets.
fn ost_id(target: &str) -> Option<i64> {
    let after = target.get(target.rfind("OST")? + 3..)?;
    let digits: String = after.chars().take_while(char::is_ascii_hexdigit).collect();
    (digits.len() >= 4).then(|| i64::from_str_radix(&digits, 16).ok()).flatten()
}
