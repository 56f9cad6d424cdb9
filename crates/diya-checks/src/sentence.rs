//! The sentence of a finding: words and `{column:unit}`, no logic.

use crate::Block;
use crate::CheckError;
use crate::Value;
use crate::lint::unit_of_column;
use crate::shown::{Unit, shown};
use diya_model::{Layer, about_digits, about_s, about_unit};

/// A part of a sentence.
#[derive(Debug, Clone, PartialEq)]
enum Part {
    Words(String),
    Cell { column: String, unit: Option<Unit> },
}

impl Part {
    fn words(words: &str) -> Self {
        Self::Words(words.to_owned())
    }
}

/// A sentence with gaps for the values of a row.
#[derive(Debug, Clone)]
pub(crate) struct Sentence(Vec<Part>);

impl Sentence {
    pub fn read(path: &str, block: &Block) -> Result<Self, CheckError> {
        let wrong = |what: String| Err(CheckError::page(path, block.line, what));
        let mut parts = Vec::new();
        let mut rest = block.text.as_str();
        while let Some((words, tail)) = rest.split_once('{') {
            parts.push(Part::Words(words.to_owned()));
            let Some((cell, tail)) = tail.split_once('}') else {
                return wrong("a `{` of the sentence is not closed".to_owned());
            };
            let (column, unit) = cell.split_once(':').map_or((cell, None), |(c, u)| (c, Some(u)));
            let unit = match unit.map(Unit::read).transpose() {
                Ok(unit) => unit,
                Err(what) => return wrong(what),
            };
            let expected = unit.and_then(Unit::expected);
            let named = unit_of_column(column);
            if expected.is_some() && named.is_some() && named != expected {
                return wrong(format!("{{{cell}}}: the name of the column has another unit"));
            }
            parts.push(Part::Cell { column: column.to_owned(), unit });
            rest = tail;
        }
        parts.push(Part::Words(rest.to_owned()));
        Ok(Self(parts))
    }

    /// The sentence with `<column>` in place of the values.
    pub fn template(&self) -> String {
        let part = |part: &Part| match part {
            Part::Words(words) => words.clone(),
            Part::Cell { column, .. } => format!("<{column}>"),
        };
        self.0.iter().map(part).collect()
    }

    /// Columns and parameters it names.
    pub fn columns(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|part| match part {
            Part::Cell { column, .. } => Some(column.as_str()),
            Part::Words(_) => None,
        })
    }

    /// Without its sentences on the saving: the heading of a finding has the saving of all
    /// rows, and a second number beside it would be that of one row.
    pub fn without_saving(&self) -> Self {
        let mut sentences: Vec<Vec<Part>> = vec![Vec::new()];
        for part in &self.0 {
            let pieces: Vec<Part> = match part {
                Part::Words(words) => words.split_inclusive(". ").map(Part::words).collect(),
                cell => vec![cell.clone()],
            };
            for piece in pieces {
                let is_end = matches!(&piece, Part::Words(words) if words.ends_with(". "));
                sentences.last_mut().into_iter().for_each(|last| last.push(piece.clone()));
                if is_end {
                    sentences.push(Vec::new());
                }
            }
        }
        let is_saving =
            |part: &Part| matches!(part, Part::Cell { column, .. } if is_estimate(column));
        let kept = sentences.into_iter().enumerate();
        let kept = kept.filter(|(at, parts)| *at == 0 || !parts.iter().any(is_saving));
        let mut parts: Vec<Part> = kept.flat_map(|(_, parts)| parts).collect();
        if let Some(Part::Words(words)) = parts.last_mut() {
            words.truncate(words.trim_end().len());
        }
        Self(parts)
    }

    /// The sentence with the values that `value_of` gives, its words through `words`. Seconds
    /// have the digits of parts of the run, `run_s`, as in the verdict.
    pub fn fill(
        &self,
        value_of: impl Fn(&str) -> Value,
        words: impl Fn(&str) -> String,
        run_s: Option<f64>,
    ) -> String {
        let mut text = String::new();
        let mut is_one = false;
        let mut before = None;
        for part in &self.0 {
            match part {
                Part::Words(own) if is_one => text.push_str(&singular(&words(own))),
                Part::Words(own) => text.push_str(&words(own)),
                Part::Cell { column, unit } => {
                    let value = value_of(column);
                    is_one = unit.is_none() && value.number() == Some(1.0);
                    // For people phases begin at one; tables keep their index.
                    let value = match value {
                        Value::Integer(index) if column == "phase" => Value::Integer(index + 1),
                        Value::Text(name) if column == "layer" => {
                            Value::Text(layer_name(&name).to_owned())
                        }
                        value => value,
                    };
                    // An estimate has the digits that the heading of the finding has.
                    let is_estimate = is_estimate(column);
                    // "Collective writes save 0 s" would be odd.
                    let is_zero = is_estimate && value_of("lost_high_s").number() == Some(0.0);
                    let start = text.rfind(". ").map_or(0, |end| end + 2);
                    if is_zero && text[start..].contains(" sav") {
                        text.truncate(start);
                        text.push_str("diya estimates no saving.");
                        return text;
                    }
                    let cell = match value.number().filter(|_| is_estimate) {
                        Some(seconds) if column == "lost_low_s" => {
                            lower_bound(seconds, value_of("lost_high_s").number())
                        }
                        Some(seconds) => about_s(seconds),
                        None => shown(&value, *unit, run_s),
                    };
                    // "1.1 s to 1.1 s" is one number.
                    let is_same = |text: &&str| {
                        let words = text.strip_suffix(cell.as_str());
                        words.is_some_and(|words| words.is_empty() || words.ends_with(' '))
                    };
                    let number = value.number().filter(|number| *number > 1.0);
                    // "8 of 8 ranks" are all 8 ranks.
                    let low = text.strip_suffix(" to ").filter(is_same).map(str::len);
                    let part = text.strip_suffix(" of ").filter(is_same).map(str::len);
                    match (low, part.filter(|_| number.is_some() && number == before)) {
                        (Some(low), _) => text.truncate(low),
                        (None, Some(part)) => {
                            text.truncate(part - cell.len());
                            let is_start = text.is_empty() || text.ends_with(". ");
                            text.push_str(if is_start { "All " } else { "all " });
                            text.push_str(&cell);
                        }
                        (None, None) => text.push_str(&cell),
                    }
                    before = number;
                }
            }
        }
        text
    }
}

/// Whether a column is an estimate of what a fix saves.
fn is_estimate(column: &str) -> bool {
    matches!(column, "lost_low_s" | "lost_high_s" | "saved_s")
}

/// What checks count, as it stands behind the number.
const COUNTED: &[&str] = &[
    "accesses",
    "calls",
    "datasets",
    "extents",
    "files",
    "flushes",
    "nodes",
    "opens",
    "phases",
    "processes",
    "ranks",
    "reads",
    "requests",
    "rounds",
    "seeks",
    "stats",
    "steps",
    "stripes",
    "syncs",
    "targets",
    "times",
    "variables",
    "writes",
];

/// Words behind a number that is one: the first counted thing in the singular, where
/// only adjectives stand before it.
fn singular(words: &str) -> String {
    let mut at = 0;
    for word in words.split_inclusive(char::is_whitespace) {
        let name = word.trim();
        let bare = name.trim_end_matches([',', ';', '.', ':']);
        if COUNTED.contains(&bare) {
            let end = at + word.find(bare).unwrap_or(0) + bare.len();
            let cut = if ["accesses", "flushes", "processes"].contains(&bare) { 2 } else { 1 };
            return [&words[..end - cut], &words[end..]].concat();
        }
        // "1 of 5 ranks": the number is of something else.
        if name == "of" || bare != name {
            break;
        }
        at += word.len();
    }
    words.to_owned()
}

/// A lower bound in the unit of its upper bound.
fn lower_bound(low_s: f64, high_s: Option<f64>) -> String {
    let (unit_s, unit) = about_unit(high_s.filter(|s| *s > 0.0).unwrap_or(low_s));
    format!("{} {unit}", about_digits(low_s / unit_s))
}

/// A layer as its users write it.
fn layer_name(name: &str) -> &str {
    // Of the others the table matters: `hdf5_file` or `hdf5_dataset`.
    let is_whole = |layer: &Layer| matches!(layer, Layer::Posix | Layer::Stdio | Layer::Mpiio);
    Layer::from_name(name).filter(is_whole).map_or(name, |layer| layer.software())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sentence(text: &str) -> Result<Sentence, CheckError> {
        Sentence::read("a.md", &Block { line: 7, text: text.to_owned() })
    }

    #[test]
    fn gaps_are_filled_in_their_units() {
        let sentence = sentence("{n} of {x_bytes:bytes} ({p_ratio:%}) in {t_s:s}, {who}").unwrap();
        let value_of = |column: &str| match column {
            "n" => Value::Integer(12_000),
            "x_bytes" => Value::Integer(4096),
            "p_ratio" => Value::Real(0.985),
            "t_s" => Value::Real(1.5),
            _ => Value::Text("rank 3".to_owned()),
        };
        assert_eq!(
            sentence.fill(value_of, str::to_owned, None),
            "12,000 of 4.00 KiB (98 %) in 1.50 s, rank 3"
        );
    }

    #[test]
    fn a_part_that_is_the_whole_is_all_of_it() {
        let sentence = sentence("{n} of {all} requests are small, {x} of {y} ranks wait.").unwrap();
        let value_of = |name: &str| Value::Integer(if name == "x" { 3 } else { 8 });
        let text = sentence.fill(value_of, str::to_owned, None);
        assert_eq!(text, "All 8 requests are small, 3 of 8 ranks wait.");
    }

    #[test]
    fn a_range_of_equal_ends_is_one_number() {
        let sentence = sentence("It saves {lost_low_s:s} to {lost_high_s:s}.").unwrap();
        let low = |name: &str| Value::Real(if name == "lost_low_s" { 1.08 } else { 1.12 });
        assert_eq!(sentence.fill(low, str::to_owned, None), "It saves 1.1 s.");
        let apart = |name: &str| Value::Real(if name == "lost_low_s" { 1.0 } else { 1.12 });
        assert_eq!(sentence.fill(apart, str::to_owned, None), "It saves 1 s to 1.1 s.");
        let units = |name: &str| Value::Real(if name == "lost_low_s" { 0.074 } else { 0.22 });
        assert_eq!(sentence.fill(units, str::to_owned, None), "It saves 0.074 s to 0.22 s.");
        let none = sentence.fill(|_| Value::Real(0.0), str::to_owned, None);
        assert_eq!(none, "diya estimates no saving.");
        let ends_alike = |name: &str| Value::Real(if name == "lost_low_s" { 12.0 } else { 2.0 });
        assert_eq!(sentence.fill(ends_alike, str::to_owned, None), "It saves 12 s to 2 s.");
    }

    #[test]
    fn the_claim_leaves_the_saving_to_the_heading() {
        let claim = |text: &str| {
            let claim = sentence(text).unwrap().without_saving();
            claim.fill(|_| Value::Integer(2), str::to_owned, None)
        };
        assert_eq!(
            claim("{n} requests of 1.5 KiB. Merging them saves {saved_s:s}."),
            "2 requests of 1.5 KiB."
        );
        assert_eq!(
            claim("{n} calls. They save {lost_low_s:s} to {lost_high_s:s}. So {n}."),
            "2 calls. So 2."
        );
        assert_eq!(claim("Merging saves {saved_s:s}."), "Merging saves 2 s.");
    }

    #[test]
    fn seconds_are_parts_of_the_run() {
        let sentence = sentence("{t_s:s} of it").unwrap();
        let of = |t_s, run_s| sentence.fill(|_| Value::Real(t_s), str::to_owned, run_s);
        assert_eq!(of(0.2953, Some(0.889)), "0.295 s of it");
        assert_eq!(of(2.531, Some(266.0)), "2.5 s of it");
        assert_eq!(of(131.2, Some(16.4)), "131 s of it", "a sum over ranks");
        assert_eq!(of(0.2953, None), "295 ms of it");
    }

    #[test]
    fn one_is_singular() {
        let sentence = sentence("{n} different extents by {n} ranks, {n} of 5 files").unwrap();
        let one = sentence.fill(|_| Value::Integer(1), str::to_owned, None);
        assert_eq!(one, "1 different extent by 1 rank, 1 of 5 files");
        let two = sentence.fill(|_| Value::Integer(2), str::to_owned, None);
        assert_eq!(two, "2 different extents by 2 ranks, 2 of 5 files");
    }

    #[test]
    fn a_large_mean_is_a_whole_number() {
        let sentence = sentence("{mean} per rank").unwrap();
        assert_eq!(
            sentence.fill(|_| Value::Real(7_286_647_302.4), str::to_owned, None),
            "7,286,647,302 per rank"
        );
    }

    #[test]
    fn things_are_counted_as_people_do() {
        let sentence = sentence("{a:files}, {b:calls}").unwrap();
        let value_of = |column: &str| Value::Integer(if column == "a" { 1 } else { 2000 });
        assert_eq!(sentence.fill(value_of, str::to_owned, None), "1 file, 2,000 calls");
    }

    #[test]
    fn a_wrong_gap_is_told_by_line() {
        let told = |text: &str| sentence(text).err().unwrap().to_string();
        assert_eq!(told("{a"), "a.md:7: a `{` of the sentence is not closed");
        assert_eq!(
            told("{a:miles}"),
            "a.md:7: unit \"miles\" is none of bytes, bytes_per_s, s, %, files, calls, ranks, processes"
        );
        assert_eq!(
            told("{a_s:bytes}"),
            "a.md:7: {a_s:bytes}: the name of the column has another unit"
        );
    }
}
