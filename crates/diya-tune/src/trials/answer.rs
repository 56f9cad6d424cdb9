//! What a loop found, as data: `loop.json`, and the JSON of `diya tune --loop`. `cargo xtask
//! generate` makes `schema/tune-loop.schema.json` of these types and their docs.

use super::figures::Metric;
use super::search::{Search, Tried, Why};
use super::space::{Point, Space};
use crate::plan::Plan;
use diya::model::{about_s, part_s, percent_text};
use diya_compare::USUAL_NOISE;
use serde::Serialize;

/// Version of the layout; a larger one may have lost or renamed fields.
const LAYOUT_VERSION: u32 = 1;

/// The answer in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// Settings gain more than the run-to-run variation.
    Keep,
    /// None does.
    NothingHelps,
    /// The loop ended before it could tell, or the runs differ too much.
    Unknown,
}

/// What a loop of runs found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TrialsReport {
    /// Version of this layout.
    pub version: u32,
    /// What made it: name and version.
    pub program: String,
    /// The command that ran.
    pub command: Vec<String>,
    /// When the loop began.
    pub started: String,
    /// The order of the runs follows from it.
    pub seed: u64,
    /// Runs that were allowed.
    pub runs_allowed: usize,
    /// The answer in one word.
    pub answer: Answer,
    /// The answer in a sentence or two.
    pub text: String,
    /// Why the loop ended.
    pub ended: String,
    /// What the runs are compared by.
    pub metric: String,
    /// Differences below this share count as run-to-run variation: for the kept settings, else
    /// for the best ones; `None`: nothing was tried.
    pub noise_ratio: Option<f64>,
    /// The variation is measured from repeats, too; else it is the usual one.
    pub is_noise_measured: bool,
    /// The first run is compared with no other one: it made the files and filled the caches that
    /// they found.
    pub is_first_run_left_out: bool,
    /// Name of the settings to keep, which are in DIR/keep; `None`: none.
    pub keep: Option<String>,
    /// What they gain, as a share; `None`: nothing is kept.
    pub gain_ratio: Option<f64>,
    /// What was tried; the first one has no settings.
    pub tried: Vec<TriedReport>,
    /// Each run, in order.
    #[serde(rename = "run")]
    pub runs: Vec<RunReport>,
    /// The settings that can be tried, with their values.
    pub space: Vec<ValuesReport>,
    /// Settings of the diagnosis that are not tried.
    pub not_tried: Vec<SettingLine>,
}

/// Settings that were tried together.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TriedReport {
    /// `baseline`, or the name of the folder in DIR.
    pub name: String,
    /// The settings; none for the baseline.
    pub settings: Vec<SettingLine>,
    /// Runs that did their work.
    pub runs: usize,
    /// Mean run time, in seconds; `None`: no run did its work.
    pub run_s: Option<f64>,
    /// Mean time in I/O on the critical path, in seconds; `None`: not known.
    pub io_s: Option<f64>,
    /// Mean of the command's own figure; `None`: it has none.
    pub own: Option<f64>,
    /// Change for the better beside the baseline, as a share; `None`: not known.
    pub gain_ratio: Option<f64>,
    /// Differences below this share count as run-to-run variation; `None`: not known.
    pub noise_ratio: Option<f64>,
    /// The difference is larger than the variation; `None`: not known.
    pub is_beyond_noise: Option<bool>,
    /// Why it lost: a run failed; `None`: none did.
    pub lost: Option<String>,
}

/// One run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RunReport {
    /// Name of what was tried.
    pub name: String,
    /// Its log in DIR; `None`: there is none.
    pub log: Option<String>,
    /// Run time, in seconds; `None`: the run does not count.
    pub run_s: Option<f64>,
    /// Time in I/O, in seconds; `None`: not known.
    pub io_s: Option<f64>,
    /// The command's own figure; `None`: it has none.
    pub own: Option<f64>,
    /// Why it does not count; `None`: it does.
    pub lost: Option<String>,
}

/// A setting in its file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SettingLine {
    /// The file.
    pub file: String,
    /// Its name there.
    pub key: String,
    /// Its value.
    pub value: String,
    /// Its line in the file; of a setting that was not tried: why.
    pub line: String,
}

/// A setting with the values that can be tried.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ValuesReport {
    /// The file.
    pub file: String,
    /// Its name there.
    pub key: String,
    /// The values, the predicted one first; the setting can be off, too.
    pub values: Vec<String>,
    /// The lines of the file for each value: one for each path that the setting is for.
    pub lines: Vec<Vec<String>>,
    /// The finding that is its reason.
    pub reason: String,
}

impl Metric {
    /// In words; the own figure of a command is named by its pattern.
    fn words(self, pattern: Option<&str>) -> String {
        let pattern = pattern.unwrap_or_default();
        match self {
            Self::RunTime => "run time".to_owned(),
            Self::IoTime => {
                "I/O time (the run-to-run variation hides what settings change of the run time)"
                    .to_owned()
            }
            Self::OwnHigher => format!("{pattern} (more is better)"),
            Self::OwnLower => format!("{pattern} (less is better)"),
        }
    }
}

impl Why {
    /// In words.
    fn words(self) -> &'static str {
        match self {
            Self::Runs => "all runs are used",
            Self::Minutes => "the time is used",
            Self::Interrupted => "it was interrupted",
            Self::NoSetting => "there is no setting to try",
            Self::NothingToGain => "no setting can gain more than the run-to-run variation",
            Self::AllTried => "every combination was tried, and a further run changes nothing",
            Self::Failed => "the command failed without settings",
        }
    }
}

impl Search {
    /// The name of a point: `baseline`, or that of its folder.
    pub fn name(&self, point: &Point) -> String {
        let place = self.tried().iter().position(|tried| tried.point == *point);
        match place.unwrap_or(self.tried().len()) {
            0 => "baseline".to_owned(),
            place => format!("settings-{place}"),
        }
    }
}

impl Space {
    /// The settings of a point, in their files.
    pub fn lines(&self, point: &Point) -> Vec<SettingLine> {
        let line = |chosen: &crate::plan::Chosen| SettingLine {
            file: chosen.file.clone(),
            key: chosen.key.clone(),
            value: chosen.value.to_string(),
            line: chosen.line.trim_start_matches(':').to_owned(),
        };
        self.plan(point).settings.iter().map(line).collect()
    }
}

impl TrialsReport {
    /// What is known so far. `why`: why the loop ended; `None`: it goes on. The command, the runs
    /// and the time are for the caller to fill in.
    pub fn of(
        search: &Search,
        space: &Space,
        plan: &Plan,
        pattern: Option<&str>,
        why: Option<Why>,
    ) -> Self {
        let metric = search.metric();
        let best = search.best();
        let tried = |tried: &Tried| {
            let is_baseline = tried.point.iter().all(|option| *option == 0);
            let standing = (!is_baseline).then(|| search.standing(metric, tried)).flatten();
            TriedReport {
                name: search.name(&tried.point),
                settings: space.lines(&tried.point),
                runs: tried.figures.len(),
                run_s: tried.mean(Metric::RunTime),
                io_s: tried.mean(Metric::IoTime),
                own: tried.mean(Metric::OwnHigher),
                gain_ratio: standing.map(|standing| standing.gain_ratio),
                noise_ratio: standing.map(|standing| standing.noise_ratio),
                is_beyond_noise: standing.map(|standing| standing.is_beyond),
                lost: tried.lost.clone(),
            }
        };
        let all: Vec<TriedReport> = search.tried().iter().map(tried).collect();
        let shown = match best {
            Some(best) => all.iter().find(|tried| tried.name == search.name(&best.point)),
            None => of_the_best(&all),
        };
        let noise_ratio = shown.and_then(|tried| tried.noise_ratio);
        let (answer, text) = match best {
            Some(_) => (Answer::Keep, shown.map_or(String::new(), |kept| kept.words(metric, &all))),
            None => nothing(search, space, plan, metric, &all, why),
        };
        let not_tried = space.not_tried.iter().map(|not| SettingLine {
            file: not.file.clone(),
            key: not.key.clone(),
            value: not.value.to_string(),
            line: not.why.clone(),
        });
        Self {
            version: LAYOUT_VERSION,
            program: format!("diya {}", diya::VERSION),
            command: Vec::new(),
            started: String::new(),
            seed: 0,
            runs_allowed: 0,
            answer,
            text,
            ended: why.map_or("it goes on", Why::words).to_owned(),
            metric: metric.words(pattern),
            noise_ratio,
            is_noise_measured: search.is_noise_measured(metric),
            is_first_run_left_out: search.tried().iter().any(|tried| tried.warm_up.is_some()),
            keep: best.map(|best| search.name(&best.point)),
            gain_ratio: best.and(shown).and_then(|tried| tried.gain_ratio),
            tried: all,
            runs: Vec::new(),
            space: space
                .knobs
                .iter()
                .map(|knob| ValuesReport {
                    file: knob.file.clone(),
                    key: knob.key.clone(),
                    values: knob.values(),
                    lines: knob.lines(),
                    reason: knob.reason().to_owned(),
                })
                .collect(),
            not_tried: not_tried.collect(),
        }
    }
}

/// Of those that did not lose, the one with the largest gain.
fn of_the_best(all: &[TriedReport]) -> Option<&TriedReport> {
    let gain = |tried: &TriedReport| tried.gain_ratio.unwrap_or(f64::NEG_INFINITY);
    let known = all.iter().filter(|tried| tried.lost.is_none() && tried.gain_ratio.is_some());
    known.max_by(|a, b| gain(a).total_cmp(&gain(b)))
}

impl TriedReport {
    /// `Keep settings-1: the run takes 1.2 s instead of 2.1 s (-43 %).`
    fn words(&self, metric: Metric, all: &[Self]) -> String {
        let Some(baseline) = all.first() else { return String::new() };
        let seconds = |after: Option<f64>, before: Option<f64>| {
            let (after, before) = (after.unwrap_or_default(), before.unwrap_or_default());
            format!("{} instead of {}", part_s(after, before), part_s(before, before))
        };
        let gain = percent_text(self.gain_ratio.unwrap_or_default().abs());
        let what = match metric {
            Metric::RunTime => {
                format!("the run takes {} (-{gain})", seconds(self.run_s, baseline.run_s))
            }
            Metric::IoTime => {
                format!("I/O takes {} (-{gain})", seconds(self.io_s, baseline.io_s))
            }
            Metric::OwnHigher | Metric::OwnLower => {
                let sign = if metric == Metric::OwnHigher { "+" } else { "-" };
                let [after, before] = [self.own, baseline.own].map(figure_text);
                format!("the figure is {after} instead of {before} ({sign}{gain})")
            }
        };
        format!("Keep {}: {what}. {}", self.name, variation(self.noise_ratio))
    }
}

/// A figure that has no unit, with four digits.
pub(super) fn figure_text(figure: Option<f64>) -> String {
    match figure {
        None => "-".to_owned(),
        Some(0.0) => "0".to_owned(),
        Some(figure) => {
            let whole = figure.abs().log10().floor() as i32;
            format!("{figure:.*}", usize::try_from(3 - whole).unwrap_or(0))
        }
    }
}

fn variation(noise_ratio: Option<f64>) -> String {
    match noise_ratio {
        Some(ratio) if ratio >= 1.0 => format!(
            "Differences below a factor of {:.1} count as run-to-run variation.",
            ratio + 1.0
        ),
        Some(ratio) => {
            format!("Differences below {} count as run-to-run variation.", percent_text(ratio))
        }
        None => String::new(),
    }
}

/// Why nothing is kept.
fn nothing(
    search: &Search,
    space: &Space,
    plan: &Plan,
    metric: Metric,
    all: &[TriedReport],
    why: Option<Why>,
) -> (Answer, String) {
    let helps = |reason: String| (Answer::NothingHelps, format!("No setting helps here: {reason}"));
    if space.knobs.is_empty() && !all.is_empty() {
        return helps(match (plan.without.len(), space.not_tried.len()) {
            (0, 0) => "diya found nothing to fix in this run.".to_owned(),
            (_, 0) => "none is a fix of the findings of this run; `diya report` has their fixes."
                .to_owned(),
            _ => "those for the findings of this run cannot be given to a program by \
                  `diya run --apply DIR`; `diya tune` writes them."
                .to_owned(),
        });
    }
    if let Some(best) = of_the_best(all) {
        let gain_ratio = best.gain_ratio.unwrap_or_default();
        let what = match metric {
            Metric::RunTime => "run time",
            Metric::IoTime => "I/O time",
            Metric::OwnHigher | Metric::OwnLower => "figure",
        };
        let sign = if (gain_ratio < 0.0) == (metric == Metric::OwnHigher) { "-" } else { "+" };
        let change = percent_text(gain_ratio.abs());
        let found = format!("with the best, {}, the {what} changes by {sign}{change}", best.name);
        let variation = variation(best.noise_ratio);
        // Between quiet runs this would be a gain.
        if gain_ratio > USUAL_NOISE {
            let text = format!(
                "It is open whether settings help here: {found}, but the runs differ too much. \
                 {variation} More runs (--loop) or a quieter machine can tell."
            );
            return (Answer::Unknown, text);
        }
        return helps(format!("{found}. {variation}"));
    }
    if all.len() > 1 {
        return helps("the command failed with all that were tried.".to_owned());
    }
    if why == Some(Why::NothingToGain) {
        let possible = space.possible_saving_s().map(about_s).unwrap_or_default();
        let noise = search.noise(Metric::RunTime, 1, 1);
        return helps(format!(
            "the findings with settings allow to save about {possible}, which the run-to-run \
             variation hides. {}",
            variation(Some(noise))
        ));
    }
    (Answer::Unknown, "No setting was tried.".to_owned())
}
