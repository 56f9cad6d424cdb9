//! What a run is judged by.

/// Numbers of one run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Figures {
    /// Run time, in seconds.
    pub run_s: f64,
    /// Time in I/O on the critical path, in seconds; `None`: not known.
    pub io_s: Option<f64>,
    /// The command's own figure of merit; `None`: it has none.
    pub own: Option<f64>,
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// It did its work.
    Done(Figures),
    /// It failed, and why.
    Lost(String),
}

/// What runs are compared by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Metric {
    /// Less run time is better.
    RunTime,
    /// Less time in I/O is better.
    IoTime,
    /// More of the command's own figure is better.
    OwnHigher,
    /// Less of the command's own figure is better.
    OwnLower,
}

impl Metric {
    /// The figure as it is; `None`: not known, or no number to compare by factors.
    pub fn figure(self, figures: &Figures) -> Option<f64> {
        let figure = match self {
            Self::RunTime => Some(figures.run_s),
            Self::IoTime => figures.io_s,
            Self::OwnHigher | Self::OwnLower => figures.own,
        };
        figure.filter(|figure| figure.is_finite() && *figure > 0.0)
    }

    /// The figure, less of which is better.
    pub(super) fn cost(self, figures: &Figures) -> Option<f64> {
        let figure = self.figure(figures)?;
        Some(if self == Self::OwnHigher { 1.0 / figure } else { figure })
    }

    /// The change for the better from one mean to another one, as a share of the first:
    /// 0.2 is a fifth less time, or a fifth more bandwidth.
    pub fn gain_ratio(self, before: f64, after: f64) -> f64 {
        match self {
            Self::OwnHigher => after / before - 1.0,
            _ => 1.0 - after / before,
        }
    }
}
