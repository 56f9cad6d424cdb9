//! Pictures for papers, and for machines without a browser: one view of a job as SVG, PDF or
//! PNG, in the colours and the font of the page.
//!
//! A view gives a figure of panels with axes and marks; the layout gives everything its place;
//! each format draws the same list of shapes. The same log gives the same bytes.

mod figure;
mod font;
mod layout;
mod pdf;
mod png;
mod scale;
mod scene;
mod size;
mod svg;
mod theme;
mod views;

use diya::{AskError, Session};
use diya_page::{CALL_TABLES, store};
use diya_timeline::Store;
use layout::Frame;
use scene::Scene;
pub use size::Length;
use size::Size;
use std::ops::RangeInclusive;
pub use theme::PlotTheme;
use views::Job;

/// Views with their names and what they draw.
macro_rules! views {
    ($($view:ident $name:literal $about:literal,)*) => {
        /// What is drawn.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum PlotView {
            $(#[doc = $about] $view,)*
        }

        impl PlotView {
            /// All views.
            pub const ALL: &[Self] = &[$(Self::$view,)*];

            /// Its name on a command line.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$view => $name,)*
                }
            }

            /// What it draws.
            pub const fn about(self) -> &'static str {
                match self {
                    $(Self::$view => $about,)*
                }
            }
        }
    };
}

views! {
    Timeline "timeline" "Ranks over time, one panel per layer",
    Activity "activity" "How many ranks are in calls at each moment",
    Heatmap "heatmap" "Bytes by rank and time; drawn from counters, too",
    Phases "phases" "Bandwidth over time, with the I/O phases",
    Stragglers "stragglers" "The slowest and the median rank of each phase",
    Account "account" "Where the run time went; drawn from counters, too",
    Ranks "ranks" "Time in I/O and bytes of each rank; drawn from counters, too",
    Latency "latency" "Durations of calls by rank",
    Requests "requests" "Sizes of requests over time",
    Sizes "sizes" "Requests by size; drawn from counters, too",
    Spatiality "spatiality" "Offsets in one file, over time and by rank",
    Targets "targets" "Bytes and time by storage target",
    TargetLoad "target-load" "Bytes of each storage target over time",
    Stacks "stacks" "Time in calls by call stack",
    Roofline "roofline" "I/O phases under the bandwidths of `--machine`",
    Compare "compare" "Two or three runs on one axis of time, with the length of each phase",
}

impl PlotView {
    /// How many runs it shows.
    pub const fn runs(self) -> RangeInclusive<usize> {
        match self {
            Self::Compare => 2..=3,
            _ => 1..=1,
        }
    }
}

impl std::str::FromStr for PlotView {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let found = Self::ALL.iter().find(|view| view.name() == name);
        found.copied().ok_or_else(|| format!("there is no view {name:?}"))
    }
}

/// How a picture is drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct PlotOptions {
    /// From left to right: millimetres for paper, pixels for screens.
    pub width: Length,
    /// From top to bottom; `None`: as high as the view needs. A picture is never less high
    /// than its text needs.
    pub height: Option<Length>,
    /// Its colours.
    pub theme: PlotTheme,
    /// Part of the path of the file that `Spatiality` shows; `None`: the one with
    /// the most time.
    pub file: Option<String>,
}

impl Default for PlotOptions {
    fn default() -> Self {
        Self { width: Length::Pixels(1000.0), height: None, theme: PlotTheme::Light, file: None }
    }
}

/// Format of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlotFormat {
    /// Vectors, with letters as letters.
    Svg,
    /// The same on a page of its size.
    Pdf,
    /// Pixels.
    Png,
}

impl PlotFormat {
    /// The format of a file, by the end of its name.
    pub fn of_ending(ending: &str) -> Option<Self> {
        match ending.to_ascii_lowercase().as_str() {
            "svg" => Some(Self::Svg),
            "pdf" => Some(Self::Pdf),
            "png" => Some(Self::Png),
            _ => None,
        }
    }
}

/// A picture could not be drawn.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlotError {
    /// The logs could not be read.
    #[error(transparent)]
    Ask(#[from] AskError),
    /// The logs do not hold what the view shows.
    #[error("{0}")]
    Nothing(String),
}

/// Draws a view of the jobs of a session.
pub fn plot(
    session: &mut Session<'_>,
    view: PlotView,
    options: &PlotOptions,
    format: PlotFormat,
) -> Result<Vec<u8>, PlotError> {
    let scene = drawn(session, view, options)?;
    match format {
        PlotFormat::Svg => Ok(svg::svg(&scene)),
        PlotFormat::Pdf => Ok(pdf::pdf(&scene)),
        PlotFormat::Png => png::png(&scene).ok_or_else(|| {
            PlotError::Nothing(
                "the picture has too many pixels: choose a smaller --width, or SVG".to_owned(),
            )
        }),
    }
}

/// The shapes of a picture.
fn drawn(
    session: &mut Session<'_>,
    view: PlotView,
    options: &PlotOptions,
) -> Result<Scene, PlotError> {
    let (tables, needs_calls) = views::needs(view);
    let mut names = tables.to_vec();
    // The names of logs are in the title.
    names.push("job");
    if needs_calls {
        names.extend(CALL_TABLES);
    }
    session.prepare(&names)?;
    let store = match needs_calls {
        true => store(&session.tables_named(CALL_TABLES), session.threads()),
        false => Store::default(),
    };
    if needs_calls && store.calls.is_empty() && view != PlotView::Heatmap {
        return Err(PlotError::Nothing(without_calls()));
    }
    let runs = names_of_runs(session);
    if !view.runs().contains(&runs.len()) {
        return Err(PlotError::Nothing(wrong_count(view, runs.len())));
    }
    let title = runs.join(", ");
    let tables = session.tables_named(tables);
    let parts = match view {
        PlotView::Account => diya::diagnose::time_parts(session)?,
        _ => Vec::new(),
    };
    let job = Job { store, tables, parts, file: options.file.clone(), runs };
    let theme = options.theme.colours();
    let mut figure = views::figure(view, &job, theme)?;
    figure.title = format!("{}: {title}", figure.title);
    let size = Size::of(options.width);
    let height = options.height.map(|height| size.units(height));
    let has_title = options.theme != PlotTheme::Paper;
    Ok(layout::scene(&figure, &Frame { size, height, theme, has_title }))
}

/// The name of the first log of each job, without folders.
fn names_of_runs(session: &Session<'_>) -> Vec<String> {
    let name = |log: i32| session.log_names(log).into_iter().next();
    let names = (0..).map_while(name);
    names.map(|name| name.rsplit('/').next().unwrap_or(&name).to_owned()).collect()
}

/// Says how many runs a view shows.
pub fn wrong_count(view: PlotView, runs: usize) -> String {
    match view {
        PlotView::Compare => format!(
            "the view compare shows two or three runs, but this is {runs}: \
             `diya plot A B --view compare`"
        ),
        _ => format!(
            "a picture shows one job, but these logs are of {runs}; `--view compare` shows two or \
             three"
        ),
    }
}

/// What draws a log without single calls, and how to get the other views.
fn without_calls() -> String {
    let is_counted = |view: &&PlotView| view.about().contains("from counters");
    let names: Vec<&str> =
        PlotView::ALL.iter().filter(is_counted).map(|view| view.name()).collect();
    format!(
        "the log holds no single calls, only counters: these views can be drawn: {}; for the \
         others record with `diya run`, or with Darshan's DXT_ENABLE_IO_TRACE=1",
        names.join(", ")
    )
}
