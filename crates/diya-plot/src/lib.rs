//! Pictures for papers, and for machines without a browser: one view of a job
//! as SVG or PNG, in the colours of the page.

mod axes;
mod bars;
mod maps;
mod picture;
mod png;
mod svg;
mod theme;

use axes::Axes;
use diya::{AskError, Session};
use diya_page::{CALL_TABLES, store};
use diya_tables::BatchSource;
use diya_timeline::Store;
use picture::{Anchor, Picture};
use std::sync::Arc;
use theme::Theme;

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
    Timeline "timeline" "Ranks over time, one lane per layer",
    Spatiality "spatiality" "Offsets in one file, over time and by rank",
    Phases "phases" "Bandwidth over time, with the I/O phases",
    Ranks "ranks" "Time in calls by rank",
    Targets "targets" "Bytes and time by storage target",
    Sizes "sizes" "Sizes of requests",
    Heatmap "heatmap" "Bytes by rank and time; drawn from counters, too",
}

impl std::str::FromStr for PlotView {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let found = Self::ALL.iter().find(|view| view.name() == name);
        found.copied().ok_or_else(|| format!("there is no view {name:?}"))
    }
}

/// How a picture is drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlotOptions {
    /// Pixels from left to right; PNG files have twice as many.
    pub width: u32,
    /// Pixels from top to bottom.
    pub height: u32,
    /// Light on dark.
    pub is_dark: bool,
    /// Part of the path of the file that `Spatiality` shows; `None`: the one with
    /// the most time.
    pub file: Option<String>,
}

impl Default for PlotOptions {
    fn default() -> Self {
        Self { width: 1000, height: 600, is_dark: false, file: None }
    }
}

/// Format of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlotFormat {
    /// Vectors, with letters as letters.
    Svg,
    /// Pixels.
    Png,
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

/// Draws a view of the first job of a session.
pub fn plot(
    session: &mut Session<'_>,
    view: PlotView,
    options: &PlotOptions,
    format: PlotFormat,
) -> Result<Vec<u8>, PlotError> {
    let mut names = CALL_TABLES.to_vec();
    names.extend(["phase", "heatmap"]);
    session.prepare(&names)?;
    let store = store(&session.tables_named(CALL_TABLES), session.threads());
    if store.calls.is_empty() && view != PlotView::Heatmap {
        return Err(PlotError::Nothing(
            "the log holds no single calls, only counters: `--view heatmap` may draw them; for the \
             others record with `diya run`, or with Darshan's DXT_ENABLE_IO_TRACE=1"
                .to_owned(),
        ));
    }
    let table = |name: &str| session.table(name).cloned();
    let job = Job { store, phases: table("phase"), heatmap: table("heatmap") };
    let mut canvas = Canvas::new(options, &job);
    match view {
        PlotView::Timeline => maps::timeline(&mut canvas, &job),
        PlotView::Spatiality => maps::spatiality(&mut canvas, &job, options.file.as_deref())?,
        PlotView::Heatmap => maps::heatmap(&mut canvas, &job)?,
        PlotView::Phases => bars::phases(&mut canvas, &job),
        PlotView::Ranks => bars::ranks(&mut canvas, &job),
        PlotView::Targets => bars::targets(&mut canvas, &job)?,
        PlotView::Sizes => bars::sizes(&mut canvas, &job),
    }
    Ok(match format {
        PlotFormat::Svg => svg::svg(&canvas.picture),
        PlotFormat::Png => png::png(&canvas.picture),
    })
}

/// What is drawn from.
struct Job {
    store: Store,
    phases: Option<Arc<dyn BatchSource>>,
    heatmap: Option<Arc<dyn BatchSource>>,
}

/// A picture with its colours.
struct Canvas {
    picture: Picture,
    theme: Theme,
}

impl Canvas {
    fn new(options: &PlotOptions, job: &Job) -> Self {
        let theme = if options.is_dark { theme::DARK } else { theme::LIGHT };
        let name = job.store.logs.first().map_or("", |log| log.name.as_str());
        let title = name.rsplit('/').next().unwrap_or(name).to_owned();
        let picture = Picture {
            width: options.width.clamp(200, 8000),
            height: options.height.clamp(150, 8000),
            ground: theme.ground,
            title,
            shapes: Vec::new(),
        };
        Self { picture, theme }
    }

    /// Writes the heading; gives the room below it.
    fn heading(&mut self, what: &str) -> Axes {
        let (width, height) = (self.picture.width as f32, self.picture.height as f32);
        let log = std::mem::take(&mut self.picture.title);
        self.picture.title = format!("{what}: {log}");
        let letters = ((width - 24.0) / picture::LETTER) as usize;
        let text: String = self.picture.title.chars().take(letters).collect();
        self.picture.text([12.0, 20.0], Anchor::Start, text, self.theme.ink);
        Axes { left: 100.0, top: 52.0, width: width - 136.0, height: height - 92.0 }
    }

    /// Names the colours, below the heading.
    fn legend(&mut self, entries: &[(&str, picture::Colour)]) {
        let mut x = 100.0;
        for (name, colour) in entries {
            self.picture.rect([x, 32.0, 10.0, 10.0], *colour);
            self.picture.text([x + 14.0, 41.0], Anchor::Start, *name, self.theme.soft);
            x += 30.0 + name.len() as f32 * picture::LETTER;
        }
    }
}

#[cfg(test)]
mod tests;
