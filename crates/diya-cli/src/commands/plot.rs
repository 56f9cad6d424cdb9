//! `diya plot LOG --view VIEW -o FILE`: one picture.

use super::outside::OutsideArgs;
use super::{call_options, jobs};
use crate::entry::{Entry, Group, arguments};
use crate::failure::{Done, Failure};
use crate::options::{CallFilter, Common};
use crate::output::{Content, to_file};
use crate::progress::Bar;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use diya::input::Input;
use diya::{OpenOptions, Session, TableSet, Together};
use diya_plot::{
    Length, PlotError, PlotFormat, PlotOptions, PlotTheme, PlotView, plot, wrong_count,
};
use std::io::Write as _;
use std::path::PathBuf;
use std::slice;

pub const COMMANDS: &[Entry] = &[Entry {
    name: "plot",
    group: Group::Look,
    place: 11,
    help: "Draw one view of a job as SVG, PDF or PNG",
    examples: &[
        ("diya plot app.diya -o timeline.svg", "the timeline"),
        ("diya plot app.diya --view ranks --width 85mm -o ranks.pdf", "for a paper"),
        ("diya plot app.diya --view spatiality -o map.png", "offsets over time"),
        ("diya plot before.diya after.diya --view compare -o runs.svg", "two runs"),
    ],
    augment: PlotArgs::augment_args,
    run: |given, common| run(&arguments(given), common),
    ..Entry::USUAL
}];

#[derive(Debug, Args)]
pub struct PlotArgs {
    /// Logs of one job, or a folder or archive of them; for `--view compare` one run each
    #[arg(required = true, value_name = "LOG")]
    pub logs: Vec<PathBuf>,
    /// What to draw
    #[arg(long, value_parser = view(), default_value = PlotView::Timeline.name())]
    pub view: PlotView,
    /// File to write; its name ends in .svg, .pdf or .png
    #[arg(long, short, value_name = "FILE")]
    pub output: PathBuf,
    /// Width: 85mm for one column of a paper, 180mm for two, or pixels of a screen. A PNG has
    /// 300 pixels per inch of paper, and 2 per pixel of a screen
    #[arg(long, value_name = "LENGTH", default_value = "1000")]
    pub width: Length,
    /// Height, likewise; without it as high as the view needs
    #[arg(long, value_name = "LENGTH")]
    pub height: Option<Length>,
    /// Colours
    #[arg(long, value_parser = theme(), default_value = PlotTheme::Light.name())]
    pub theme: PlotTheme,
    #[command(flatten)]
    pub outside: OutsideArgs,
    #[command(flatten)]
    pub filter: CallFilter,
}

/// The views with what they draw, for the help and the completion of shells.
fn view() -> impl TypedValueParser<Value = PlotView> {
    let shown = |view: &PlotView| PossibleValue::new(view.name()).help(view.about());
    PossibleValuesParser::new(PlotView::ALL.iter().map(shown)).try_map(|name| name.parse())
}

/// The themes with what they are for.
fn theme() -> impl TypedValueParser<Value = PlotTheme> {
    let shown = |theme: &PlotTheme| PossibleValue::new(theme.name()).help(theme.about());
    PossibleValuesParser::new(PlotTheme::ALL.iter().map(shown)).try_map(|name| name.parse())
}

/// The logs as jobs. In a comparison each argument is a run, also where it is the same job again.
fn jobs_of(args: &PlotArgs, bar: &Bar) -> Result<Vec<Vec<Input>>, Failure> {
    match args.view {
        PlotView::Compare => {
            let runs =
                args.logs.iter().map(|log| jobs(slice::from_ref(log), Together::OneJob, bar));
            Ok(runs.collect::<Result<Vec<_>, _>>()?.concat())
        }
        _ => Ok(jobs(&args.logs, Together::OneJob, bar)?),
    }
}

pub fn run(args: &PlotArgs, common: &Common) -> Result<Done, Failure> {
    let ending = args.output.extension().and_then(|ending| ending.to_str());
    let format = ending.and_then(PlotFormat::of_ending).ok_or_else(|| {
        let output = args.output.display();
        Failure::Input(format!(
            "{output}: expected a name that ends in .svg, .pdf or .png, for example plot.pdf"
        ))
    })?;
    let bar = Bar::new(common);
    let jobs = jobs_of(args, &bar)?;
    if !args.view.runs().contains(&jobs.len()) {
        return Err(Failure::Input(wrong_count(args.view, jobs.len())));
    }
    let options = call_options(common, &args.filter, TableSet::NONE, &bar);
    let options = OpenOptions { skips_system: true, ..options };
    let mut session = Session::of_jobs(jobs, options);
    args.outside.add_to(&mut session)?;
    let how = PlotOptions {
        width: args.width,
        height: args.height,
        theme: args.theme,
        // The filter leaves those that are meant: `spatiality` shows the one with the most time.
        file: None,
    };
    let drawn = bar.during("drawing", || plot(&mut session, args.view, &how, format));
    let picture = drawn.map_err(|error| match error {
        PlotError::Ask(error) => error.into(),
        other => Failure::Input(other.to_string()),
    })?;
    to_file(&args.output, Content::Binary, |out| Ok(out.write_all(&picture)?))?;
    Ok(Done::WHOLE)
}
