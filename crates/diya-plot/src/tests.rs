//! Every view of a traced log, and what a log without a trace says.

use super::*;
use diya::{OpenOptions, Threads, input};

/// A log with counters only.
const COUNTERS: &str = "nodxt_strided.darshan";
/// A log with single calls.
const TRACE: &str = "phases_ckpt.darshan";

fn drawn(log: &str, view: PlotView, format: PlotFormat) -> Result<Vec<u8>, PlotError> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/logs").join(log);
    let options = OpenOptions { threads: Threads::new(1), ..OpenOptions::default() };
    let mut session = Session::new(input::logs(&[path]).unwrap(), options);
    plot(&mut session, view, &PlotOptions::default(), format)
}

#[test]
fn ticks_are_round_numbers_inside() {
    use axes::{Unit, ticks};
    assert_eq!(ticks(0.0, 1.0, Unit::Seconds, 5), [0.0, 0.2, 0.4, 0.6000000000000001, 0.8, 1.0]);
    assert_eq!(ticks(0.0, 4096.0, Unit::Bytes, 4), [0.0, 1024.0, 2048.0, 3072.0, 4096.0]);
    assert!(ticks(1.0, 1.0, Unit::Seconds, 5).is_empty());
}

#[test]
fn a_log_without_single_calls_says_how_to_get_them() {
    let error = drawn(COUNTERS, PlotView::Timeline, PlotFormat::Svg).unwrap_err();
    assert!(error.to_string().contains("DXT_ENABLE_IO_TRACE"), "{error}");
}

#[test]
fn views_of_a_trace_are_drawn_in_both_formats() {
    for view in [
        PlotView::Timeline,
        PlotView::Spatiality,
        PlotView::Phases,
        PlotView::Ranks,
        PlotView::Sizes,
        PlotView::Heatmap,
    ] {
        let svg = String::from_utf8(drawn(TRACE, view, PlotFormat::Svg).unwrap()).unwrap();
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"), "{view:?}");
        assert!(svg.matches("<rect").count() + svg.matches("<image").count() > 1, "{view:?}");
        let png = drawn(TRACE, view, PlotFormat::Png).unwrap();
        assert!(png.starts_with(b"\x89PNG\r\n\x1a\n") && png.len() > 1000, "{view:?}");
    }
}
