//! What can be tried: settings that reach a program through `diya run --apply`.

use crate::library::{Library, OutputFile};
use crate::plan::{Chosen, OtherValue, Plan, SettingValue};
use std::collections::BTreeMap;

/// The option of each setting: 0 is off, 1 the predicted value, then the others.
pub type Point = Vec<usize>;

/// A setting with its options.
#[derive(Debug, Clone, PartialEq)]
pub struct Knob {
    /// The file that holds it.
    pub file: String,
    /// Its name there.
    pub key: String,
    /// Its lines, one for each path that it is for, as predicted.
    predicted: Vec<Chosen>,
}

impl Knob {
    /// Off, predicted, and the others.
    pub fn options(&self) -> usize {
        2 + self.predicted.iter().map(|chosen| chosen.others.len()).max().unwrap_or(0)
    }

    /// The settings of an option; none for "off".
    fn settings(&self, option: usize) -> Vec<Chosen> {
        match option {
            0 => Vec::new(),
            1 => self.predicted.clone(),
            other => self.predicted.iter().map(|chosen| with_other(chosen, other - 2)).collect(),
        }
    }

    /// The values that are tried, the predicted one first.
    pub fn values(&self) -> Vec<String> {
        let of = |option| self.settings(option).first().map(|chosen| chosen.value.to_string());
        (1..self.options()).filter_map(of).collect()
    }

    /// The lines of each of these values.
    pub fn lines(&self) -> Vec<Vec<String>> {
        let of = |option| self.settings(option).into_iter().map(|chosen| chosen.line).collect();
        (1..self.options()).map(of).collect()
    }

    /// Why it is tried: the finding.
    pub fn reason(&self) -> &str {
        self.predicted.first().map_or("", |chosen| &chosen.finding)
    }

    /// The largest saving that its finding allows; not known counts as the largest.
    fn weight(&self) -> f64 {
        let of = |chosen: &Chosen| chosen.saving_high_s.unwrap_or(f64::INFINITY);
        self.predicted.iter().map(of).fold(0.0, f64::max)
    }
}

/// The setting with another value; as predicted where it has fewer others.
fn with_other(chosen: &Chosen, place: usize) -> Chosen {
    match chosen.others.get(place) {
        Some(OtherValue { value, line }) => {
            Chosen { value: value.clone(), line: line.clone(), ..chosen.clone() }
        }
        None => chosen.clone(),
    }
}

/// What is off because its effect is unknown is what a trial is for.
fn tried(chosen: &Chosen) -> Chosen {
    Chosen { is_off: false, ..chosen.clone() }
}

/// A setting that is not tried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotTried {
    /// The file that holds it.
    pub file: String,
    /// Its name there.
    pub key: String,
    /// Its value.
    pub value: SettingValue,
    /// Why it is not tried.
    pub why: String,
}

/// Everything that can be tried for one job.
#[derive(Debug, Clone)]
pub struct Space {
    plan: Plan,
    /// The settings, the one with the largest saving first.
    pub knobs: Vec<Knob>,
    /// The settings of the plan that are not tried.
    pub not_tried: Vec<NotTried>,
}

impl Space {
    /// The settings of a plan that a program can be given. `accepted`: names of settings whose
    /// risk the user accepts.
    pub fn of(plan: &Plan, library: &Library, accepted: &[String]) -> Self {
        let (mut knobs, mut not_tried) = (Vec::<Knob>::new(), Vec::new());
        for chosen in &plan.settings {
            let file = library.files.iter().find(|file| file.name == chosen.file);
            let risk = library.risk_of(&chosen.key).filter(|_| !accepted.contains(&chosen.key));
            let risk = risk.map(|risk| format!("{risk}; `--accept {}` tries it", chosen.key));
            if let Some(why) = obstacle(file).or(risk) {
                not_tried.push(NotTried {
                    file: chosen.file.clone(),
                    key: chosen.key.clone(),
                    value: chosen.value.clone(),
                    why,
                });
                continue;
            }
            let is_it = |knob: &&mut Knob| (&knob.file, &knob.key) == (&chosen.file, &chosen.key);
            match knobs.iter_mut().find(is_it) {
                Some(knob) => knob.predicted.push(tried(chosen)),
                None => knobs.push(Knob {
                    file: chosen.file.clone(),
                    key: chosen.key.clone(),
                    predicted: vec![tried(chosen)],
                }),
            }
        }
        knobs.sort_by(|a, b| b.weight().total_cmp(&a.weight()));
        Self { plan: plan.clone(), knobs, not_tried }
    }

    /// How many options each setting has.
    pub fn options(&self) -> Vec<usize> {
        self.knobs.iter().map(Knob::options).collect()
    }

    /// Seconds that all settings together can save, by the findings; `None`: not known.
    pub fn possible_saving_s(&self) -> Option<f64> {
        let mut of_findings = BTreeMap::new();
        for chosen in self.knobs.iter().flat_map(|knob| &knob.predicted) {
            of_findings.insert(chosen.reason.as_str(), chosen.saving_high_s?);
        }
        Some(of_findings.values().sum())
    }

    /// The plan with the settings of a point.
    pub fn plan(&self, point: &Point) -> Plan {
        let mut settings: Vec<Chosen> = Vec::new();
        for (knob, option) in self.knobs.iter().zip(point) {
            settings.extend(knob.settings(*option));
        }
        // As `diya tune` writes them: file by file.
        let place = |chosen: &Chosen| {
            self.plan
                .settings
                .iter()
                .position(|of| (&of.id, &of.path) == (&chosen.id, &chosen.path))
        };
        settings.sort_by_key(place);
        let is_used = |name: &str| settings.iter().any(|chosen| chosen.file == name);
        let files = self.plan.files.iter().filter(|file| is_used(&file.name)).cloned().collect();
        Plan { settings, files, without: Vec::new(), ..self.plan.clone() }
    }
}

/// Why the settings of a file cannot be tried; `None`: they can.
fn obstacle(file: Option<&OutputFile>) -> Option<String> {
    match file.and_then(|file| file.apply.as_ref()) {
        None => Some("`diya run --apply` cannot give it to a program".to_owned()),
        Some(apply) => apply.only_by_name.clone(),
    }
}
