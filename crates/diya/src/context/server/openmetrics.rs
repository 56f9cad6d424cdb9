//! OpenMetrics text, and Prometheus' older format: lines
//! `name{label="value",...} value timestamp`.

use super::super::time::seconds;
use super::super::{Complaint, complaint};
use super::series::{Labels, SeriesType, Set};
use std::collections::{BTreeMap, HashMap};

/// A line with a value.
#[derive(Debug, Clone, PartialEq)]
pub struct MetricSample<'l> {
    /// Name of the metric.
    pub name: &'l str,
    /// Labels by name.
    pub labels: BTreeMap<String, String>,
    /// The value.
    pub value: f64,
    /// Seconds since 1970 UTC; `None`: the line has none.
    pub time_s: Option<f64>,
}

impl<'l> MetricSample<'l> {
    /// Takes `name{label="value"} value time` apart.
    ///
    /// # Errors
    /// With what is wrong with the line.
    pub fn parse(line: &'l str) -> Result<Self, String> {
        let (name, labels, rest) = head(line)?;
        // An exemplar may follow.
        let rest = rest.split('#').next().unwrap_or_default();
        let mut words = rest.split_whitespace();
        let value = words.next().and_then(|word| word.parse::<f64>().ok());
        let value = value.ok_or("there is no number as value")?;
        Ok(Self { name, labels, value, time_s: words.next().and_then(seconds) })
    }
}

/// Reads the text up to `# EOF` or its end.
pub(super) fn read(text: &str) -> Result<Set, Complaint> {
    let mut set = Set::default();
    let (mut kinds, mut units) = (HashMap::new(), HashMap::new());
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if let Some(comment) = line.strip_prefix('#') {
            let mut words = comment.split_whitespace();
            match (words.next(), words.next(), words.next()) {
                (Some("EOF"), None, None) => break,
                (Some("TYPE"), Some(name), Some(kind)) => {
                    kinds.insert(name.to_owned(), SeriesType::of_word(kind));
                }
                (Some("UNIT"), Some(name), Some(unit)) => {
                    units.insert(name.to_owned(), unit.to_owned());
                }
                _ => {}
            }
        } else if !line.is_empty() {
            let MetricSample { name, labels, value, time_s } =
                MetricSample::parse(line).map_err(|what| (number, what))?;
            let time_s = time_s.ok_or_else(|| complaint(number, "there is no time stamp"))?;
            let family = name.strip_suffix("_total").unwrap_or(name);
            let of = |known: &str| kinds.get(known).copied();
            let kind = of(name).or_else(|| of(family)).unwrap_or(SeriesType::Unknown);
            let unit = units.get(name).or_else(|| units.get(family)).map(String::as_str);
            if value.is_finite() {
                set.push(name, &labels, (unit, kind), (time_s, value));
            }
        }
    }
    Ok(set)
}

/// Name, labels and what follows them.
fn head(line: &str) -> Result<(&str, Labels, &str), String> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | ':');
    let end = line.find(|c| !is_name(c)).unwrap_or(line.len());
    let (name, rest) = line.split_at(end);
    if name.is_empty() {
        return Err("the line begins with no name of a metric".into());
    }
    let rest = rest.trim_start();
    let Some(mut rest) = rest.strip_prefix('{') else { return Ok((name, Labels::new(), rest)) };
    let mut labels = Labels::new();
    loop {
        rest = rest.trim_start_matches([',', ' ']);
        if let Some(after) = rest.strip_prefix('}') {
            return Ok((name, labels, after));
        }
        let (label, after) = rest.split_once("=\"").ok_or("labels do not end")?;
        let (value, after) = quoted(after).ok_or("the value of a label does not end")?;
        labels.insert(label.trim().to_owned(), value);
        rest = after;
    }
}

/// Text up to the quote that ends it, and what follows.
fn quoted(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut signs = text.char_indices();
    while let Some((at, c)) = signs.next() {
        match c {
            '"' => return Some((value, &text[at + 1..])),
            '\\' => match signs.next()?.1 {
                'n' => value.push('\n'),
                other => value.push(other),
            },
            _ => value.push(c),
        }
    }
    None
}
