//! Searches over simulated commands.

use super::*;

/// A command whose run time is a product over its settings.
struct Model {
    /// A factor for each option of each setting.
    factors: Vec<Vec<f64>>,
    /// Share of the run time in I/O without settings.
    io_ratio: f64,
    /// Runs differ by about this share, and their I/O times.
    noise_ratio: f64,
    io_noise_ratio: f64,
    random: u64,
    possible_saving_s: Option<f64>,
}

impl Model {
    fn new(factors: &[&[f64]], noise_ratio: f64) -> Self {
        let factors = factors.iter().map(|factors| factors.to_vec()).collect();
        let io_noise_ratio = noise_ratio;
        let (random, possible_saving_s) = (7, None);
        Self { factors, io_ratio: 1.0, noise_ratio, io_noise_ratio, random, possible_saving_s }
    }

    /// Without noise, for 10 s without settings.
    fn run_s(&self, point: &Point) -> f64 {
        let io: f64 = self.factors.iter().zip(point).map(|(of, option)| of[*option]).product();
        10.0 * (1.0 - self.io_ratio) + 10.0 * self.io_ratio * io
    }

    /// About -1.7 to 1.7, with a variance of 1.
    fn deviation(&mut self) -> f64 {
        let mut uniform = || {
            self.random = self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (self.random >> 11) as f64 / (1_u64 << 53) as f64
        };
        (uniform() + uniform() + uniform() - 1.5) * 2.0
    }

    fn measured(&mut self, point: &Point) -> Outcome {
        if self.run_s(point).is_nan() {
            return Outcome::Lost("exit code 1".to_owned());
        }
        let (run_s, compute_s) = (self.run_s(point), 10.0 * (1.0 - self.io_ratio));
        let (noise, io_noise) = (self.deviation(), self.deviation());
        let io_s = (run_s - compute_s) * (1.0 + self.io_noise_ratio * io_noise);
        let run_s = run_s * (1.0 + self.noise_ratio * noise);
        Outcome::Done(Figures { run_s, io_s: Some(io_s), own: Some(1000.0 / run_s) })
    }

    fn options(&self) -> Vec<usize> {
        self.factors.iter().map(Vec::len).collect()
    }

    /// Runs a search to its end.
    fn searched(&mut self, runs: usize, own: Option<Metric>) -> (Search, Why, Vec<Point>) {
        let mut search = Search::new(self.options(), self.possible_saving_s, own, runs, 1);
        let mut order = Vec::new();
        loop {
            match search.next_run() {
                Next::Stop(why) => return (search, why, order),
                Next::Run(point) => {
                    let outcome = self.measured(&point);
                    search.tell(&point, outcome);
                    order.push(point);
                }
            }
        }
    }

    /// Run time of the best point over that of the one that a search keeps.
    fn share_of_best(&mut self, runs: usize) -> f64 {
        let all = fresh(&self.options(), &vec![1; self.factors.len()], |_| false);
        let best = all.iter().map(|point| self.run_s(point)).fold(10.0, f64::min);
        let (search, _, _) = self.searched(runs, None);
        best / self.run_s(&search.best().map_or_else(|| search.off(), |tried| tried.point.clone()))
    }
}

#[test]
fn rungs_fit_the_runs() {
    let sizes = [1, 2, 3, 4, 8, 9, 18, 19].map(rung_size);
    assert_eq!(sizes, [1, 1, 1, 2, 3, 4, 8, 9]);
}

#[test]
fn the_prediction_comes_second_and_the_best_is_kept() {
    let (search, _, order) = Model::new(&[&[1.0, 0.5, 0.8]], 0.01).searched(5, None);
    assert_eq!(order[..2], [vec![0], vec![1]]);
    assert!(order.len() <= 5 && order.iter().filter(|point| **point == [0]).count() >= 2);
    assert_eq!(search.best().map(|tried| tried.point.as_slice()), Some([1].as_slice()));
}

#[test]
fn another_value_than_the_predicted_one_is_found() {
    assert!(Model::new(&[&[1.0, 0.8, 0.5, 0.9]], 0.01).share_of_best(5) > 0.99);
    // The prediction harms.
    assert!(Model::new(&[&[1.0, 1.4, 0.6]], 0.01).share_of_best(5) > 0.99);
}

#[test]
fn a_setting_that_harms_beside_one_that_helps_is_left_out() {
    let (search, _, _) = Model::new(&[&[1.0, 0.5], &[1.0, 1.5]], 0.01).searched(5, None);
    assert_eq!(search.best().map(|tried| tried.point.clone()), Some(vec![1, 0]));
}

#[test]
fn five_runs_reach_nine_tenths_of_the_best_in_small_spaces() {
    for seed in 0..50 {
        let mut model = Model::new(&[&[1.0, 0.6, 0.7], &[1.0, 0.95]], 0.02);
        model.random = seed;
        assert!(model.share_of_best(5) >= 0.9, "{seed}");
    }
}

#[test]
fn more_runs_search_a_larger_space() {
    let space: [&[f64]; 3] = [&[1.0, 0.9, 0.8, 0.7], &[1.0, 1.1, 0.9], &[1.0, 0.9]];
    assert!(Model::new(&space, 0.005).share_of_best(30) > 0.9);
}

/// Searches of 200 commands that differ in their noise only, and how many keep a setting.
fn kept_of_200(factors: &[&[f64]], noise_ratio: f64) -> usize {
    let keeps = |seed: &u64| {
        let mut model = Model::new(factors, noise_ratio);
        model.random = *seed * 7_919;
        model.searched(5, None).0.best().is_some()
    };
    (0..200).filter(keeps).count()
}

#[test]
fn settings_that_change_nothing_are_kept_as_rarely_as_chance_allows() {
    let kept = [0.03, 0.1].map(|noise_ratio| kept_of_200(&[&[1.0, 1.0, 1.0]], noise_ratio));
    assert!(kept[0] <= 2 && kept[1] <= 23, "{kept:?}");
}

#[test]
fn noise_larger_than_the_gain_is_no_gain() {
    let kept = kept_of_200(&[&[1.0, 0.95]], 0.3);
    assert!(kept <= 38, "{kept}");
}

#[test]
fn repeats_go_on_where_the_difference_is_inside_the_noise() {
    let (search, _, _) = Model::new(&[&[1.0, 0.93]], 0.01).searched(20, None);
    let best = search.best().expect("seven percent are seen with repeats of one percent");
    assert!(best.figures.len() >= 2 && search.tried()[0].figures.len() >= 2);
}

#[test]
fn a_clear_gain_ends_a_search_without_other_values_early() {
    let (search, why, order) = Model::new(&[&[1.0, 0.3]], 0.01).searched(20, None);
    assert_eq!((why, order.len()), (Why::AllTried, 3));
    assert!(search.best().is_some());
}

#[test]
fn a_candidate_that_fails_is_lost_and_named() {
    let (search, _, order) = Model::new(&[&[1.0, f64::NAN, 0.6]], 0.01).searched(5, None);
    let lost = search.tried().iter().find(|tried| tried.point == [1]).expect("it ran");
    assert_eq!(lost.lost.as_deref(), Some("exit code 1"));
    assert_eq!(order.iter().filter(|point| **point == [1]).count(), 1);
    assert_eq!(search.best().map(|tried| tried.point.clone()), Some(vec![2]));
}

#[test]
fn nothing_is_tried_if_the_saving_is_below_the_noise() {
    let mut model = Model::new(&[&[1.0, 0.5]], 0.01);
    (model.io_ratio, model.possible_saving_s) = (0.5, Some(0.02));
    let (search, why, order) = model.searched(5, None);
    assert_eq!((why, order.len()), (Why::NothingToGain, 1));
    assert!(search.best().is_none());
}

#[test]
fn where_the_run_time_hides_the_gain_the_time_in_io_counts() {
    let mut model = Model::new(&[&[1.0, 0.5]], 0.05);
    (model.io_ratio, model.io_noise_ratio, model.possible_saving_s) = (0.1, 0.01, Some(0.5));
    let (search, _, _) = model.searched(7, None);
    assert_eq!(search.metric(), Metric::IoTime);
    assert_eq!(search.best().map(|tried| tried.point.clone()), Some(vec![1]));
}

#[test]
fn more_of_the_commands_own_figure_is_better() {
    let mut model = Model::new(&[&[1.0, 0.5]], 0.01);
    let (search, _, _) = model.searched(5, Some(Metric::OwnHigher));
    let best = search.best().expect("twice the bandwidth");
    let standing = search.standing(Metric::OwnHigher, best).expect("both are known");
    assert!((standing.gain_ratio - 1.0).abs() < 0.1, "{standing:?}");
    assert!(model.searched(5, Some(Metric::OwnLower)).0.best().is_none());
}
