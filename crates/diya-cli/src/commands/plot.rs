//! `diya plot LOG --view VIEW -o FILE`: one picture.

use super::open_options;
use crate::failure::{Done, Failure};
use crate::options::Common;
use crate::output::{Content, to_file};
use crate::progress::Bar;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use diya::{OpenOptions, Session, TableSet, Together, by_job};
use diya_plot::{PlotError, PlotFormat, PlotOptions, PlotView, plot};
use std::io::Write as _;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub struct PlotArgs {
    /// Logs of one job
    #[arg(required = true, value_name = "LOG")]
    pub logs: Vec<PathBuf>,
    /// What to draw
    #[arg(long, value_parser = view(), default_value = PlotView::Timeline.name())]
    pub view: PlotView,
    /// File to write; its name ends in .svg or .png
    #[arg(long, short, value_name = "FILE")]
    pub output: PathBuf,
    /// Width in pixels; a PNG has twice as many
    #[arg(long, value_name = "PIXELS", default_value_t = 1000)]
    pub width: u32,
    /// Height in pixels
    #[arg(long, value_name = "PIXELS", default_value_t = 600)]
    pub height: u32,
    /// Light colours on a dark background
    #[arg(long)]
    pub dark: bool,
    /// Part of the path of the file that `spatiality` shows (default: the one with the most time)
    #[arg(long, value_name = "TEXT")]
    pub file: Option<String>,
}

/// The views with what they draw, for the help and the completion of shells.
fn view() -> impl TypedValueParser<Value = PlotView> {
    let shown = |view: &PlotView| PossibleValue::new(view.name()).help(view.about());
    PossibleValuesParser::new(PlotView::ALL.iter().map(shown)).try_map(|name| name.parse())
}

pub fn run(args: &PlotArgs, common: &Common) -> Result<Done, Failure> {
    let format = match args.output.extension().and_then(|ending| ending.to_str()) {
        Some("svg") => PlotFormat::Svg,
        Some("png") => PlotFormat::Png,
        _ => return Err(Failure::Input("the name of the output ends in .svg or .png".to_owned())),
    };
    let bar = Bar::new(common);
    let jobs = by_job(diya::input::logs(&args.logs)?, Together::OneJob);
    if jobs.len() > 1 {
        return Err(Failure::Input(format!(
            "a picture shows one job, but these logs are of {}",
            jobs.len()
        )));
    }
    let options =
        OpenOptions { skips_system: true, ..open_options(common, None, TableSet::NONE, &bar) };
    let mut session = Session::of_jobs(jobs, options);
    let how = PlotOptions {
        width: args.width,
        height: args.height,
        is_dark: args.dark,
        file: args.file.clone(),
    };
    let drawn = bar.during("drawing", || plot(&mut session, args.view, &how, format));
    let picture = drawn.map_err(|error| match error {
        PlotError::Ask(error) => error.into(),
        other => Failure::Input(other.to_string()),
    })?;
    to_file(&args.output, Content::Binary, |out| Ok(out.write_all(&picture)?))?;
    Ok(Done::WHOLE)
}
