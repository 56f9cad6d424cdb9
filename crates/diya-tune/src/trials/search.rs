//! What to run next: successive halving with measured noise.

use super::figures::{Figures, Metric, Outcome};
use super::order::{Shuffle, fresh};
use super::space::Point;
use diya_compare::{Spread, USUAL_NOISE, is_beyond, mean};
use std::collections::VecDeque;

/// A change below this share of the run time does not matter, as in `diya compare`.
const MATTERS: f64 = 0.01;

/// Estimated savings are within this factor of the measured ones in most cases
/// (lab/gains/lost-time-validation.md): so much more than estimated is possible.
const ESTIMATE_WITHIN: f64 = 2.0;

/// Without a repeat, a difference is clear from so many times the usual variation on: this
/// command may vary more than others do. Times of logarithms.
const UNREPEATED_TIMES: i32 = 3;

/// A point with the runs that it had.
#[derive(Debug, Clone, PartialEq)]
pub struct Tried {
    /// The options of the settings.
    pub point: Point,
    /// Numbers of its runs.
    pub figures: Vec<Figures>,
    /// The first run of all, once there is another one without settings: it made the files and
    /// filled the caches that the others found, so it is compared with none of them.
    pub warm_up: Option<Figures>,
    /// Why it lost: a run failed.
    pub lost: Option<String>,
}

impl Tried {
    fn costs(&self, metric: Metric) -> Vec<f64> {
        self.figures.iter().filter_map(|figures| metric.cost(figures)).collect()
    }

    /// The mean of a figure; `None`: not known.
    pub fn mean(&self, metric: Metric) -> Option<f64> {
        let all: Vec<f64> =
            self.figures.iter().filter_map(|figures| metric.figure(figures)).collect();
        mean(&all)
    }
}

/// A point beside the runs without settings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Standing {
    /// Change for the better, as a share of the mean without settings.
    pub gain_ratio: f64,
    /// Differences below this share count as run-to-run variation.
    pub noise_ratio: f64,
    /// The difference is larger than the variation.
    pub is_beyond: bool,
    /// It is several times as large: clear without a repeat.
    pub is_far_beyond: bool,
}

/// What to do next.
#[derive(Debug, Clone, PartialEq)]
pub enum Next {
    /// Run the command with these settings.
    Run(Point),
    /// The search is over.
    Stop(Why),
}

/// Why a search is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// All runs are used.
    Runs,
    /// The time is used.
    Minutes,
    /// It was interrupted.
    Interrupted,
    /// There is no setting to try.
    NoSetting,
    /// No setting can gain more than the variation between runs.
    NothingToGain,
    /// Every combination was tried, and no further run would change the answer.
    AllTried,
    /// The command failed without settings.
    Failed,
}

/// A search over the options of settings.
#[derive(Debug, Clone)]
pub struct Search {
    options: Vec<usize>,
    possible_saving_s: Option<f64>,
    own: Option<Metric>,
    runs_left: usize,
    /// How many points the current rung has.
    rung: usize,
    queue: VecDeque<Point>,
    shuffle: Shuffle,
    /// The first one has no settings.
    tried: Vec<Tried>,
}

impl Search {
    /// A search of at most so many runs. `possible_saving_s`: what all settings can save, by the
    /// findings; `own`: the command has a figure of merit of its own.
    pub fn new(
        options: Vec<usize>,
        possible_saving_s: Option<f64>,
        own: Option<Metric>,
        runs: usize,
        seed: u64,
    ) -> Self {
        let (queue, tried) = (VecDeque::new(), Vec::new());
        let shuffle = Shuffle(seed);
        Self { options, possible_saving_s, own, runs_left: runs, rung: 0, queue, shuffle, tried }
    }

    /// What to do next.
    pub fn next_run(&mut self) -> Next {
        if self.runs_left == 0 {
            return Next::Stop(Why::Runs);
        }
        if self.queue.is_empty() {
            match self.next_rung() {
                Ok(points) => self.queue.extend(points),
                Err(why) => return Next::Stop(why),
            }
        }
        self.queue.front().cloned().map_or(Next::Stop(Why::AllTried), Next::Run)
    }

    /// How the run of a point ended.
    pub fn tell(&mut self, point: &Point, outcome: Outcome) {
        self.runs_left = self.runs_left.saturating_sub(1);
        if let Some(at) = self.queue.iter().position(|queued| queued == point) {
            self.queue.remove(at);
        }
        if self.tried.iter().all(|tried| tried.point != *point) {
            let (point, figures) = (point.clone(), Vec::new());
            self.tried.push(Tried { point, figures, warm_up: None, lost: None });
        }
        let place = self.tried.iter().position(|tried| tried.point == *point).unwrap_or(0);
        let tried = &mut self.tried[place];
        match outcome {
            Outcome::Done(figures) => {
                if place == 0 && tried.warm_up.is_none() {
                    tried.warm_up = tried.figures.pop();
                }
                tried.figures.push(figures);
            }
            Outcome::Lost(why) => {
                tried.lost = Some(why);
                self.queue.retain(|queued| queued != point);
            }
        }
    }

    /// Everything that ran; the first one has no settings.
    pub fn tried(&self) -> &[Tried] {
        &self.tried
    }

    /// The point without settings.
    pub fn off(&self) -> Point {
        vec![0; self.options.len()]
    }

    /// The point that gains more than the variation between runs, the best one of them.
    pub fn best(&self) -> Option<&Tried> {
        let metric = self.metric();
        self.ranked(metric).into_iter().find(|tried| self.is_gain(metric, tried))
    }

    /// What the runs are compared by: the command's own figure; else the run time. Where the
    /// variation of the run time hides what a setting can save, the time in I/O.
    pub fn metric(&self) -> Metric {
        if let Some(own) = self.own {
            return own;
        }
        for metric in [Metric::RunTime, Metric::IoTime] {
            if self.candidates().any(|tried| self.is_gain(metric, tried)) {
                return metric;
            }
        }
        let is_hidden = self
            .possible_ratio(Metric::RunTime)
            .is_some_and(|possible| possible <= self.expected_noise(Metric::RunTime, 1, 1));
        let is_io_known =
            self.tried.first().is_some_and(|tried| tried.mean(Metric::IoTime).is_some());
        if is_hidden && is_io_known { Metric::IoTime } else { Metric::RunTime }
    }

    /// A point beside the runs without settings; `None`: one of them has no figure.
    pub fn standing(&self, metric: Metric, tried: &Tried) -> Option<Standing> {
        let baseline = self.tried.first()?;
        let (before, after) = (baseline.costs(metric), tried.costs(metric));
        let (mean_before, mean_after) = (mean(&before)?, mean(&after)?);
        let noise_ratio = self.noise(metric, before.len(), after.len());
        Some(Standing {
            gain_ratio: metric.gain_ratio(baseline.mean(metric)?, tried.mean(metric)?),
            noise_ratio,
            is_beyond: is_beyond(mean_before, mean_after, noise_ratio),
            is_far_beyond: is_beyond(
                mean_before,
                mean_after,
                (1.0 + noise_ratio).powi(UNREPEATED_TIMES) - 1.0,
            ),
        })
    }

    /// The noise of comparing means of so many runs, by these runs and what is usual.
    pub fn noise(&self, metric: Metric, before: usize, after: usize) -> f64 {
        self.spread(metric).half_width_beside_usual(before, after, USUAL_NOISE)
    }

    /// Whether a run was repeated, so that the noise is more than what is usual.
    pub fn is_noise_measured(&self, metric: Metric) -> bool {
        self.spread(metric).is_measured()
    }

    fn spread(&self, metric: Metric) -> Spread {
        let costs: Vec<Vec<f64>> = self.tried.iter().map(|tried| tried.costs(metric)).collect();
        Spread::of(costs.iter().map(Vec::as_slice))
    }

    /// The noise to reckon with once there are so many runs; until one is repeated, the usual one.
    fn expected_noise(&self, metric: Metric, before: usize, after: usize) -> f64 {
        match self.is_noise_measured(metric) {
            true => self.noise(metric, before, after),
            false => Spread::default().half_width(before, after, USUAL_NOISE).0,
        }
    }

    fn candidates(&self) -> impl Iterator<Item = &Tried> {
        self.tried.iter().skip(1).filter(|tried| tried.lost.is_none())
    }

    /// The candidates, the best one first.
    fn ranked(&self, metric: Metric) -> Vec<&Tried> {
        let cost = |tried: &Tried| mean(&tried.costs(metric)).unwrap_or(f64::INFINITY);
        let mut ranked: Vec<&Tried> = self.candidates().collect();
        ranked.sort_by(|a, b| cost(a).total_cmp(&cost(b)));
        ranked
    }

    fn is_gain(&self, metric: Metric, tried: &Tried) -> bool {
        let of = |metric| self.standing(metric, tried);
        let is_better = of(metric).is_some_and(|s| s.is_beyond && s.gain_ratio > 0.0);
        if metric != Metric::IoTime || !is_better {
            return is_better;
        }
        // Less I/O in a longer run is no gain, and neither is a little of a long run.
        let is_slower = of(Metric::RunTime).is_some_and(|s| s.is_beyond && s.gain_ratio < 0.0);
        let saved_s = |baseline: &Tried| {
            let io_s = baseline.mean(Metric::IoTime)? - tried.mean(Metric::IoTime)?;
            Some(io_s >= MATTERS * baseline.mean(Metric::RunTime)?)
        };
        !is_slower && self.tried.first().and_then(saved_s).unwrap_or(false)
    }

    /// A further run can change the answer: the difference is inside the noise, and a gain that
    /// matters is possible.
    fn is_open(&self, metric: Metric, tried: &Tried) -> bool {
        let Some(standing) = self.standing(metric, tried) else { return false };
        let is_clear = match self.is_noise_measured(metric) {
            true => standing.is_beyond,
            false => standing.is_far_beyond,
        };
        !is_clear && standing.gain_ratio + standing.noise_ratio > MATTERS
    }

    /// What the findings allow to save, as a share of the time that remains then.
    fn possible_ratio(&self, metric: Metric) -> Option<f64> {
        let baseline = self.tried.first()?;
        let most_s = baseline.mean(Metric::IoTime).unwrap_or(f64::INFINITY);
        let possible_s = (self.possible_saving_s? * ESTIMATE_WITHIN).min(most_s);
        let all_s = baseline.mean(metric)?;
        Some(possible_s / (all_s - possible_s).max(f64::MIN_POSITIVE))
    }

    /// Whether a gain can be seen with the runs that are left.
    fn is_worth_trying(&self) -> bool {
        let metric = self.metric();
        let is_promising =
            |tried: &Tried| self.is_gain(metric, tried) || self.is_open(metric, tried);
        if self.own.is_some() || self.candidates().any(is_promising) {
            return true;
        }
        let Some(baseline) = self.tried.first() else { return true };
        let before = baseline.figures.len() + self.runs_left / 2;
        let after = (self.runs_left - self.runs_left / 2).max(1);
        let can_show = |metric| match self.possible_ratio(metric) {
            Some(possible) => possible > self.expected_noise(metric, before, after),
            // Neither the saving nor the time is known.
            None => self.possible_saving_s.is_none(),
        };
        let matters = self.possible_ratio(Metric::RunTime).is_none_or(|ratio| ratio >= MATTERS);
        can_show(Metric::RunTime) || (matters && can_show(Metric::IoTime))
    }

    fn next_rung(&mut self) -> Result<Vec<Point>, Why> {
        let Some(baseline) = self.tried.first() else { return Ok(vec![self.off()]) };
        if self.options.is_empty() {
            return Err(Why::NoSetting);
        }
        if !self.is_worth_trying() {
            return Err(Why::NothingToGain);
        }
        let is_tried = |point: &Point| self.tried.iter().any(|tried| tried.point == *point);
        let predicted = vec![1; self.options.len()];
        if self.tried.len() == 1 {
            let size = rung_size(self.runs_left);
            let others = fresh(&self.options, &predicted, |p| is_tried(p) || *p == predicted);
            let mut others: Vec<Point> = others.into_iter().take(size - 1).collect();
            if self.runs_left > 1 {
                others.push(self.off());
            }
            self.rung = size;
            self.shuffle.shuffle(&mut others);
            return Ok([vec![predicted], others].concat());
        }
        let metric = self.metric();
        let size = (self.rung / 2).max(1);
        let ranked = self.ranked(metric);
        let survivors = ranked.iter().take(size).filter(|tried| self.is_open(metric, tried));
        let mut points: Vec<Point> = survivors.map(|tried| tried.point.clone()).collect();
        let has_open = !points.is_empty();
        let is_better = |tried: &&&Tried| {
            self.standing(metric, tried).is_some_and(|standing| standing.gain_ratio > 0.0)
        };
        let from = ranked.first().filter(is_better).map_or(&predicted, |tried| &tried.point);
        let wanted = size - points.len();
        points.extend(fresh(&self.options, from, is_tried).into_iter().take(wanted));
        if points.is_empty() {
            return Err(Why::AllTried);
        }
        // The machine changes while the loop runs: so do the runs without settings.
        let runs: usize = self.tried.iter().map(|tried| tried.figures.len()).sum();
        let of_best = ranked.first().map_or(0, |tried| tried.figures.len());
        let repeats = baseline.figures.len();
        if (has_open && repeats <= of_best) || repeats * 4 <= runs {
            points.push(self.off());
        }
        points.truncate(self.runs_left);
        self.rung = size;
        self.shuffle.shuffle(&mut points);
        Ok(points)
    }
}

/// How many points the first rung has, if each one has half of those of the rung before and a
/// run without settings.
fn rung_size(runs: usize) -> usize {
    let cost = |size: usize| {
        let rungs = std::iter::successors(Some(size), |size| (*size > 1).then_some(size / 2));
        rungs.map(|size| if size > 1 { size + 1 } else { 1 }).sum::<usize>()
    };
    (1..=runs.max(1)).take_while(|size| cost(*size) <= runs).last().unwrap_or(1)
}

#[cfg(test)]
mod tests;
